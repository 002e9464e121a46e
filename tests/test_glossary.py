"""The glossary: in order, and no term links to a page that does not speak of it."""

import json
import re

import pytest

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
    "initialization": "initiali",
    "key/value cache": "cache",
    "layer normalization": "layernorm",
    "n-gram": "$n$-gram",
    "nucleus sampling": "nucleus",
    "one-hot vector": "one-hot",
    "recurrent neural network": "recurrent",
    "scaled dot-product attention": "scal",
    "test set": "test",
    "top-k sampling": "top-$k",
    "unigram language model": "unigram",
    "validation set": "validation",
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
