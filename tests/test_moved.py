"""Old names of modules give the modules that there are now, and say where these are."""

import importlib
import subprocess
import sys

import pytest

from annotated_transformer.moved import MOVED, PACKAGE, new_name


@pytest.mark.parametrize("old", sorted(MOVED))
def test_an_old_name_is_the_same_module(old):
    now = importlib.import_module(f"{PACKAGE}.{MOVED[old]}")
    spec = now.__spec__
    sys.modules.pop(f"{PACKAGE}.{old}", None)
    with pytest.warns(FutureWarning, match=f"{old} is now {PACKAGE}.{MOVED[old]}$"):
        then = importlib.import_module(f"{PACKAGE}.{old}")
    assert then is now
    assert now.__spec__ is spec
    assert now.__name__ == f"{PACKAGE}.{MOVED[old]}"


def test_what_lies_inside_of_a_folder_that_moved_is_one_module_too():
    """In a process of its own: a second copy would have classes of its own."""
    code = """
import warnings
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    from annotated_transformer.family.bert import BERT as old
    from annotated_transformer.serving import storage
    import annotated_transformer.corpora.grammar as grammar
from annotated_transformer.lab.family.bert.model import BERT as new
assert old is new and storage.__name__ == "annotated_transformer.saving"
assert grammar.__name__ == "annotated_transformer.lab.corpora.grammar"
print(*sorted({str(w.message).split(" is now ")[0].rpartition(".")[2] for w in seen}))
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["bert", "family", "grammar", "storage"]


def test_names_that_did_not_move_have_no_new_name():
    assert new_name("annotated_transformer.attention") is None
    assert new_name("torch.family") is None
    assert new_name("annotated_transformer.family.bert") == (
        "annotated_transformer.lab.family.bert.model"
    )
