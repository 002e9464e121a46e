"""The glossary: in order, and no term links to a page that does not speak of it."""

import json
import re

import pytest

from korean_rules import terms
from korean_units import read_korean, sections, units_of
from rules import ROOT

BOOK = ROOT / "book"
ENTRY = re.compile(r"^(\S.*)\n  (\*\*.*)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#]*)\)")
# How the pages call it, where that is not the term itself.
SPOKEN = {
    "activation function": "activation",
    "autoregressive": "auto-regressive",
    "averaging of checkpoints": "averag",
    "batch normalization": "batchnorm",
    "hidden state": "hidden",
    "complexity": "operations",
    "context vector": "mixture",
    "exposure bias": "teacher forcing",
    "initialization": "initiali",
    "key/value cache": "cache",
    "length extrapolation": "longer than those of its training",
    "layer normalization": "layernorm",
    "long-range dependency": "from one token to another",
    "n-gram": "$n$-gram",
    "nucleus sampling": "nucleus",
    "one-hot vector": "one-hot",
    "proper (loss)": "proper",
    "receptive field": "neighbours",
    "recurrent neural network": "recurrent",
    "regularization": "label smoothing",
    "replaced token detection": "replaced token",
    "rotary embedding": "rotary",
    "scaled dot-product attention": "scal",
    "sparse attention": "sparse",
    "speculative decoding": "speculative",
    "test set": "test",
    "top-k sampling": "top-$k",
    "target (of the loss)": "target",
    "unigram language model": "unigram",
    "validation set": "validation",
    "weight tying": "one matrix, three uses",
}


def entries() -> list[tuple[str, str]]:
    text = (BOOK / "glossary.md").read_text("utf-8")
    return ENTRY.findall(text[text.index("```{glossary}") :])


def words_of(page: str) -> str:
    text = (BOOK / page).read_text("utf-8")
    if page.endswith(".ipynb"):
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    return text.lower()


def test_terms_are_in_order() -> None:
    terms = [term.lower() for term, _ in entries()]
    assert len(terms) > 80
    assert terms == sorted(terms, key=lambda term: term.replace("-", " ").replace("/", " "))


@pytest.mark.parametrize(("term", "entry"), entries(), ids=lambda text: text[:30])
def test_a_linked_page_speaks_of_the_term(term: str, entry: str) -> None:
    spoken = SPOKEN.get(term, re.sub(r" \(.*\)", "", term)).lower()
    for page in LINK.findall(entry):
        assert spoken in words_of(page), f"{page} does not speak of {term!r}"


def korean_names(entry: str, between: str) -> list[str]:
    """Return the Korean names that a definition begins with, the one in bold first."""
    first, others = re.match(rf"\*\*(.*?)\*\*(?:{between}([^.]*))?", entry).groups()
    return [first, *(others.split(", ") if others else [])]


def pairs() -> list[tuple[str, str]]:
    """Return each entry in English and in Korean, without its terms."""
    korean = {unit.key: unit.text for unit in read_korean("glossary")}
    units = [unit for unit in units_of(BOOK / "glossary.md") if unit.kind == "entry"]
    assert len(units) > 200
    return [(unit.english.split("\n  ")[1], korean[unit.key].split("\n  ")[1]) for unit in units]


def test_a_korean_entry_has_the_names_that_the_english_one_gives() -> None:
    for english, korean in pairs():
        if english.startswith("**마스킹**;"):  # written in another way in English
            continue
        assert korean_names(english, ", also ") == korean_names(korean, ", 다른 말로 ")


def test_the_name_in_bold_is_one_that_the_book_uses() -> None:
    _, refused = terms()
    for _, korean in pairs():
        assert korean_names(korean, ", 다른 말로 ")[0] not in refused


def test_every_korean_entry_has_a_definition() -> None:
    for _, korean in pairs():
        definition = korean.partition(". ")[2].partition(" [")[0]
        assert len(definition) > 4, korean


def test_a_glossary_is_cut_before_its_terms_and_nothing_else_is_cut_inside_a_fence() -> None:
    text = "# G\n\n```{glossary}\n\na\nb\n  **가**. One.\n\nc\n  **나**. Two.\n```\n\n# H"
    opening, *terms, after = sections(text)
    assert opening == "# G\n\n```{glossary}"
    assert terms == ["a\nb\n  **가**. One.", "c\n  **나**. Two.\n```"]
    assert after == "# H"
    assert sections(text.replace("glossary", "note")) == [
        text.replace("glossary", "note")[:-5],
        "# H",
    ]
