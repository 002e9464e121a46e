"""The family's front door: what it has, and what it does not load until asked."""

import subprocess
import sys

from annotated_transformer import family
from count_new import members

HEAVY = ("scipy", "sklearn", "transformers", "diffusers", "matplotlib", "altair", "pandas")


def test_importing_the_family_loads_no_optional_package():
    """Scikit-learn has the digits and SciPy the matching; who needs neither need not have them."""
    program = (
        "import sys, annotated_transformer.family as f\n"
        f"print(*[name for name in {HEAVY} if name in sys.modules])\n"
        "print(f.__file__)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded, file = result.stdout.splitlines()
    assert loaded == ""
    assert file == family.__file__


def test_every_member_comes_with_its_configuration():
    for name, member in members().items():
        assert f"{name}Config" in family.__all__, name
        assert issubclass(member.Config, getattr(family, f"{name}Config")), name
        assert member.__name__ == name


def test_every_name_is_there_once_and_public():
    assert len(set(family.__all__)) == len(family.__all__)
    for name in family.__all__:
        assert getattr(family, name).__module__.startswith("annotated_transformer.family.")
