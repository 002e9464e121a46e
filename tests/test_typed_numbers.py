"""A number typed in a sentence, with the unit of something measured, has a source that agrees.

A `{claim}` is computed from its record by the build. What is typed beside it, `77 %` or
`1.3 times`, stands in `typed_numbers.py` with what it is computed from. To look whether a page
prints such a number somewhere is no test: most false numbers are printed somewhere, too.
"""

import re
import tomllib

import pytest
from nbformat.v4 import new_markdown_cell, new_notebook
from typed_ledger import LEDGER
from typed_numbers import TYPED

from depths import MATHS, blocks
from rules import ROOT, read

BOOK = ROOT / "book"
SOURCES = TYPED | {"claims": LEDGER}
PAGES = {path.stem: path for kind in ("*.ipynb", "*.md") for path in sorted(BOOK.glob(kind))}
NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
JOINED = rf"{NUMBER}(?:(?:,| to| and| or| against| of|,? and) {NUMBER})*"
UNITS = r" %|(?: percent| points?| times| nats?| BLEU| seconds?| MiB| GiB)\b"
TYPED_NUMBER = re.compile(rf"(?<![\w.,$/])({JOINED})({UNITS})")
NOT_TYPED = re.compile(
    r"\$\$.+?\$\$|(?<!\})`[^`]*`|\{[\w:]+\}`[^`]*`|\]\([^)]*\)|<[^>]+>", re.DOTALL
)


def prose(page):
    """Yield what is read as text: neither code nor formulas. The ledger's rows are on its page."""
    path = PAGES[page]
    if path.suffix == ".ipynb":
        notebook = read(path)
    else:
        notebook = new_notebook(cells=[new_markdown_cell(path.read_text(encoding="utf-8"))])
    for block in blocks(notebook):
        kind = block.directive.name if block.directive else block.kind
        if kind not in ("code", "code-block", "math"):
            yield block.directive.content if block.directive else block.text
    if page == "claims":
        rows = tomllib.loads((BOOK / "claims.toml").read_text(encoding="utf-8"))["row"]
        yield from (row["says"] for row in rows if "says" in row)


def typed(texts):
    """Yield the numbers with a unit that are typed, as they are written, and the words before."""
    for text in texts:
        plain = re.sub(r"\s+", " ", MATHS.sub("M", NOT_TYPED.sub(" ", text)))
        for found in TYPED_NUMBER.finditer(plain):
            yield found[0], plain[max(0, found.start() - 60) : found.end()]


def unlike(written, source):
    """Return what the source has where the typed numbers are others, else nothing."""
    if isinstance(source, str):
        return None
    asked = re.findall(NUMBER, written)
    digits = [len(number.partition(".")[2]) for number in asked]
    has = list(source())
    told = [f"{value:,.{places}f}" for value, places in zip(has, digits, strict=False)]
    return None if told == asked and len(has) == len(asked) else has


@pytest.mark.parametrize("page", PAGES)
def test_every_typed_number_has_a_source(page):
    sources = SOURCES.get(page, {})
    found = dict(typed(prose(page)))
    missing = {number: found[number] for number in found if number not in sources}
    assert missing == {}, "write a claim in its place, or its source into tests/typed_numbers.py"
    assert sources.keys() - found.keys() == set(), "no longer on the page"


@pytest.mark.parametrize(
    ("page", "number"), [(page, number) for page, found in SOURCES.items() for number in found]
)
def test_a_typed_number_is_what_its_source_says(page, number):
    assert unlike(number, SOURCES[page][number]) is None


def test_a_false_number_an_unknown_one_and_one_too_many_are_found():
    assert unlike("77 %", lambda: [77.4]) is None
    assert unlike("78 %", lambda: [77.4]) == [77.4]
    assert unlike("5 to 8 %", lambda: [5.1, 8.1]) is None
    assert unlike("5 to 9 %", lambda: [5.1, 8.1]) == [5.1, 8.1]
    assert unlike("5 to 8 %", lambda: [5.1]) == [5.1]
    text = "It has 77 % or `3 %` of $4$ %, {claim}`5 % <x>`. Then 1,300 GiB."
    assert [number for number, _ in typed([text])] == ["77 %", "1,300 GiB"]
