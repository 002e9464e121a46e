"""What the book has proved, asked and shown stays in it."""

import nbformat

from kept import drawn_in, evidence_in, found_in, lost, stored, things_in
from ledger_rows import Row
from rules import ROOT

PAGE = """```{prf:theorem} One
:label: thm-one
It holds.
```

```{prf:proof}
So.
```

::::{note}
```{prf:lemma} Two
:label: lem-two
It holds.
```
```{admonition} Proof
:class: dropdown
So.
```
::::

```{exercise} Three
:label: ex-three
Why?
```

```{solution-start} ex-three
:class: dropdown
```
Because.
```{solution-end}
```

```{math}
:label: eq-four
x
```

$$
y
$$ (eq-five)

```{figure} a.svg
:name: fig-six
What to see.
```
"""


def test_nothing_that_the_book_had_is_lost():
    assert lost(stored(), found_in(ROOT / "book")) == []


def test_what_is_stored_is_the_whole_of_it():
    kinds = {line.split()[0] for line in stored()}
    known = {"theorem", "proof", "exercise", "solution", "equation", "figure", "evidence"}
    assert kinds == known
    assert {"theorem thm-score", "proof thm-score", "exercise ex-pencil"} <= stored()
    assert "evidence fig-gradient" in stored()


def test_what_is_lost_is_named():
    """The things themselves count: a target with their name is none."""
    before = set(things_in(PAGE))
    assert before == {
        *("theorem thm-one", "proof thm-one", "theorem lem-two", "proof lem-two"),
        *("exercise ex-three", "solution ex-three", "equation eq-four", "equation eq-five"),
        "figure fig-six",
    }
    without = PAGE.replace("```{prf:proof}\nSo.\n```", "").replace(
        "```{math}\n:label: eq-four\nx\n```", "(eq-four)="
    )
    assert lost(before, set(things_in(without))) == [
        "the book has lost the equation eq-four",
        "the book has lost the proof thm-one",
    ]


def test_figures_are_found_in_cells_and_evidence_in_the_ledger():
    cell = nbformat.v4.new_code_cell("x", metadata={"mystnb": {"figure": {"name": "fig-a"}}})
    assert list(drawn_in(nbformat.v4.new_notebook(cells=[cell]))) == ["figure fig-a"]
    row = Row(
        claim="It is so.",
        section="One",
        says="Why.",
        supports=(
            "tests/test_a.py::test_b",
            "book/results/c.json",
            "vaswani2017attention: section 3",
        ),
        limits=("thm-d", "section:ex-e"),
    )
    assert list(evidence_in([row])) == [
        *("evidence tests/test_a.py::test_b", "evidence book/results/c.json"),
        *("evidence thm-d", "evidence ex-e"),
    ]
