"""The card of a chapter's letters: what is in it, where it stands, and that it lies on nothing."""

import re

import pytest
from docutils import nodes

from depths import SECOND_READING
from korean_pages import korean
from letters import (
    OWN,
    SOURCE,
    WITHOUT,
    Letter,
    atoms_of,
    card,
    has,
    letters_of,
    read_letters,
)
from rules import ROOT, read

LETTERS = read_letters(SOURCE.read_text(encoding="utf-8"))
FORMULA = re.compile(
    r"```\{math\}\n(?::\w+:[^\n]*\n)*?:label:[^\n]*\n(?::\w+:[^\n]*\n)*(.*?)```", re.S
)
CHAPTERS = sorted(path.stem for path in (ROOT / "book").glob("*.ipynb"))


def test_the_korean_tables_have_the_same_letters_in_the_same_order():
    found = read_letters(korean("notation"))
    assert [letter.symbols for letter in found] == [letter.symbols for letter in LETTERS]
    assert not [letter.meaning for letter in found if letter.meaning.isascii()]


def formulas(chapter):
    """Return the numbered formulas of a chapter's core, from its source."""
    source = "\n\n".join(c.source for c in read(ROOT / f"book/{chapter}.ipynb").cells)
    return FORMULA.findall(source.partition(f"\n## {SECOND_READING}")[0])


def symbols(letters):
    return [symbol for letter in letters for symbol in letter.symbols]


def test_the_letters_are_those_of_the_tables():
    assert {"Q", "d_k", r"\mathrm{PE}(t)", r"\epsilon_{ls}", "h", "W^O"} <= set(symbols(LETTERS))
    (query,) = [letter for letter in LETTERS if letter.symbols == ("Q",)]
    assert query.meaning == "queries, one row for each position that asks"
    assert query.term == '<span class="at-query">$Q$</span>'


@pytest.mark.parametrize(
    ("symbol", "formula", "there"),
    [
        ("d_k", r"\frac{\textcolor{#0072B2}{Q} K^\top}{\sqrt{d_k}}", True),
        ("Q", r"\textcolor{#0072B2}{Q} K^\top", True),
        ("K", r"Q K^\top", True),
        ("n", "n^2 d", True),
        ("d", r"10000^{2i/d}", True),
        ("W^Q", "Q W_i^Q", True),
        ("W^Q", "W^K", False),
        ("Q", "x W^Q", False),
        ("d", "d_k", False),
        ("n", r"\sin t", False),
        ("d", r"\begin{aligned} a &= \text{and} \end{aligned}", False),
        ("x", r"a \\[2ex] b", False),
        ("h", "h_j", False),
        ("E", r"\mathbb{E}", False),
        (r"\mathrm{PE}(t)", r"\mathrm{PE}(t)_{2i}", True),
        (r"d_{\text{model}}", r"\sqrt{d_{\text{model}}}", True),
    ],
)
def test_a_letter_is_found_and_no_other_is(symbol, formula, there):
    assert has(atoms_of(formula), symbol) is there


def test_attention_has_its_letters():
    found = symbols(letters_of("attention", formulas("attention"), LETTERS))
    assert found == ["Q", "K", "V", "d_k"]


def test_what_a_chapter_means_otherwise_is_in_its_formulas_and_not_on_its_card():
    assert set(CHAPTERS) >= WITHOUT | OWN.keys()
    for chapter, own in OWN.items():
        parts = [atoms_of(formula) for formula in formulas(chapter)]
        for symbol in own:
            assert any(has(part, symbol) for part in parts), f"{chapter}: {symbol}"
        # A row that has other letters too may stay; it is there for those.
        shown = letters_of(chapter, formulas(chapter), LETTERS)
        assert not [letter for letter in shown if set(letter.symbols) <= own]


def test_a_card_has_colours_formulas_and_code():
    letter = Letter(("Q",), '<span class="at-query">$Q$</span>', "rows of `x` in $d_k$")
    made = card([letter], "notation.html#letters")
    (term,) = made.findall(nodes.term)
    assert term[0]["classes"] == ["at-query"]
    assert [node.astext() for node in made.findall(nodes.math)] == ["Q", "d_k"]
    assert [node.astext() for node in made.findall(nodes.literal)] == ["x"]
    assert made["classes"] == ["no-search"]
