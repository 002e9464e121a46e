"""The file with the splits: it gives back what was derived, and nothing that is not."""

import json
import shutil
from pathlib import Path

import pytest

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.corpora.english_korean import stored
from annotated_transformer.lab.corpora.english_korean.stored import code_digest, stored_pairs

PAIR = SentencePair("I am a student", "나는 학생이다", ((0, 0), (1, 1), (2, 1), (3, 1)), "copula")
MADE = {
    "valid": [SentencePair("나는 학생이다", "I am a student.")],
    "train": [PAIR, SentencePair('"a\\b"\n', "\u2028", (), "none")],
    "test": [SentencePair("x", "y", ((0, 0),), "other")],
}
GRAMMAR = Path(stored.__file__).parent


class Derive:
    """Gives the splits, and counts how often it was asked."""

    def __init__(self):
        self.asked = 0

    def __call__(self):
        self.asked += 1
        return MADE


@pytest.fixture
def file(monkeypatch, tmp_path):
    monkeypatch.setenv("ANNOTATED_TRANSFORMER_DATA", str(tmp_path / "data"))
    return tmp_path / "data" / "corpus.jsonl"


@pytest.fixture
def derive(file):
    """The file is there, and derived once."""
    made = Derive()
    assert stored_pairs("corpus", "all", "train", made) == MADE["train"]
    assert (made.asked, file.is_file()) == (1, True)
    return made


def test_what_was_stored_is_what_was_derived(derive):
    for split, pairs in MADE.items():
        assert stored_pairs("corpus", "all", split, derive) == pairs
    assert derive.asked == 1


def cut(content):
    return content[: len(content) // 2]


def altered(content):
    return content.replace(b"student", b"teacher")


def by_other_code(content):
    head, _, rest = content.partition(b"\n")
    return json.dumps({**json.loads(head), "derived_by": "0" * 64}).encode() + b"\n" + rest


DAMAGE = [
    *(cut, altered, by_other_code),
    *(lambda _: b"", lambda _: b"[]", lambda _: b"{}\n[]", lambda _: b"\xff\xfe"),
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_file_that_is_not_right_is_made_again(derive, file, damage):
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert file.read_bytes() != whole
    for asked in (2, 2):  # the second time it is read
        assert stored_pairs("corpus", "all", "test", derive) == MADE["test"]
        assert derive.asked == asked
    assert file.read_bytes() == whole


def test_what_was_asked_otherwise_is_made_again(derive):
    """A program may change the sizes, or another version of the package may have others."""
    for asked, times in (("all", 1), ("few", 2), ("few", 2), ("all", 3)):
        assert stored_pairs("corpus", asked, "test", derive) == MADE["test"]
        assert derive.asked == times


def test_where_nothing_can_be_written_everything_is_derived(file):
    file.mkdir(parents=True)  # a folder where the file should be
    derive = Derive()
    for asked in (1, 2):
        assert stored_pairs("corpus", "all", "test", derive) == MADE["test"]
        assert derive.asked == asked


def copy_of_grammar(folder):
    return shutil.copytree(GRAMMAR, folder, ignore=shutil.ignore_patterns("__pycache__"))


@pytest.mark.parametrize("name", ["verbs.py", "words/nouns.txt", "everyday/times.py"])
def test_other_code_has_another_digest(tmp_path, name):
    assert code_digest(copy_of_grammar(tmp_path / "same")) == code_digest()
    changed = copy_of_grammar(tmp_path / "changed")
    file = changed / name
    file.write_text(file.read_text("utf-8") + "\n", "utf-8")
    assert code_digest(changed) != code_digest()
    moved = copy_of_grammar(tmp_path / "moved")
    (moved / name).rename(moved / f"{name}.txt")
    assert code_digest(moved) != code_digest()
