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
    "complexity": "operations",
    "context vector": "mixture",
    "exposure bias": "teacher forcing",
    "initialization": "initiali",
    "key/value cache": "cache",
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
