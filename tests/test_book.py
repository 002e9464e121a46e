"""The book keeps its own rules, and every rule catches what it is there for."""

import json
import re
import subprocess
import sys

import ledger
import nbformat
import pytest
from measured import asserted_by_hand

import annotated_transformer
import depths
import edition
import rules
from annotated_transformer import load_recipe
from annotated_transformer.training.recipe import shipped_recipes
from live_rules import live_figures
from rules import ROOT

NOTEBOOKS = sorted((ROOT / "book").glob("*.ipynb"))
PROSE = sorted((ROOT / "book").glob("*.md"))
SOURCES = [
    path
    for folder in ("annotated_transformer", "book/_ext", "book/_tools", "tests")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if path.name not in ("rules.py", "test_book.py")  # these name what they forbid
]
ABOUT_NOTEBOOKS = [
    rules.executed_in_order,
    rules.short_cells,
    rules.one_fold,
    rules.narrow_code,
    rules.clean_outputs,
    rules.known_tags,
    rules.has_kernel,
    rules.captioned_outputs,
    depths.folded_sections,
    depths.no_fold_in_a_fold,
]
ABOUT_PROSE = [
    rules.captioned_pictures,
    rules.opened_directives,
    rules.solved_exercises,
    live_figures,
]


def stem(value):
    return getattr(value, "stem", None) or getattr(value, "__name__", None)


def test_there_is_a_book():
    assert (ROOT / "book" / "index.md").is_file()
    assert NOTEBOOKS, "no chapter runs code"


def test_every_page_is_in_the_table_of_contents():
    assert rules.complete_toc(ROOT) == []


@pytest.mark.parametrize("rule", ABOUT_NOTEBOOKS, ids=stem)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=stem)
def test_notebook(path, rule):
    assert rule(rules.read(path)) == []


@pytest.fixture(scope="module")
def defined():
    return rules.package_definitions(ROOT / "annotated_transformer")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=stem)
def test_notebook_stays_small_and_defines_nothing_of_the_package(path, defined):
    assert rules.small_file(path) == []
    assert rules.defines_nothing_of(defined, rules.read(path)) == []


@pytest.mark.parametrize("rule", ABOUT_PROSE, ids=stem)
@pytest.mark.parametrize("path", NOTEBOOKS + PROSE, ids=stem)
def test_prose(path, rule):
    text = path.read_text(encoding="utf-8")
    assert rule(rules.prose(rules.read(path)) if path in NOTEBOOKS else text) == []


@pytest.mark.parametrize("path", NOTEBOOKS + SOURCES, ids=stem)
def test_nothing_is_silenced_or_parked(path):
    if path in NOTEBOOKS:
        cells = rules.code_cells(rules.read(path))
        assert rules.nothing_silenced("\n".join(cell.source for cell in cells)) == []
    else:
        assert rules.nothing_silenced(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=stem)
def test_chapter_has_two_depths(path):
    assert depths.core_budget(rules.read(path)) == []


def test_every_public_name_is_shown_in_a_chapter():
    assert rules.unused_names(annotated_transformer.__all__, list(map(rules.read, NOTEBOOKS))) == []


def test_every_difference_is_tested():
    text = (ROOT / "book/differences.md").read_text(encoding="utf-8")
    assert ledger.differences_are_tested(text, ROOT) == []


def test_the_recipes_with_smaller_branches_are_named():
    [sentence] = re.findall(
        r"only ((?:`\w+`(?:, | and )?)+) use it", (ROOT / "book/differences.md").read_text("utf-8")
    )
    recipes = map(load_recipe, shipped_recipes())
    smaller = {r.name for r in recipes if r.model.config(r.tokenizer.vocab_size).branch_gain != 1}
    assert set(re.findall(r"`(\w+)`", sentence)) == smaller


@pytest.mark.parametrize("path", NOTEBOOKS, ids=stem)
def test_measured_numbers_are_compared_by_claims(path):
    assert asserted_by_hand(rules.read(path)) == []


# --- each rule, on a source broken on purpose


def code(source="1 + 1", *, count=1, outputs=(), **metadata):
    return nbformat.v4.new_code_cell(
        source, execution_count=count, outputs=list(outputs), metadata=metadata
    )


def notebook(*cells):
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.v4.new_notebook(cells=list(cells), metadata={"kernelspec": kernel})


def printed(text="2\n", name="stdout"):
    return nbformat.v4.new_output("stream", name=name, text=text)


def picture(**metadata):
    return nbformat.v4.new_output("display_data", data={"image/png": "AA=="}, metadata=metadata)


def listing(line):
    text = f"# annotated_transformer/masks.py · causal_mask\n{line}"
    return nbformat.v4.new_output("display_data", data={"text/plain": text})


def module(line):
    text = f"# annotated_transformer/minimal.py\n{line}"
    return nbformat.v4.new_output("display_data", data={"text/plain": text})


GOOD_CELL = code("print(1 + 1)", outputs=[printed()])
CAPTION = {"figure": {"caption": "What to see."}}
ALT = {"image/png": {"alt": "A line."}}
ERROR = nbformat.v4.new_output("error", ename="ValueError", evalue="no", traceback=[])
BROKEN_NOTEBOOKS = {
    "not executed": (rules.executed_in_order, [code(count=None, outputs=[printed()])]),
    "out of order": (rules.executed_in_order, [code(count=2, outputs=[printed()]), code(count=1)]),
    "executed twice": (rules.executed_in_order, [code(count=7, outputs=[printed()])]),
    "outputs cleared": (rules.executed_in_order, [code("x = 1")]),
    "one output cleared": (rules.executed_in_order, [GOOD_CELL, code("print(1)", count=2)]),
    "long cell": (rules.short_cells, [code("x = 1\n" * 21)]),
    "long folded cell": (rules.short_cells, [code("x = 1\n" * 81, tags=["hide-input"])]),
    "folds in a row": (
        rules.one_fold,
        [code("x = 1", tags=["hide-input"]), code("y = 1", count=2, tags=["hide-input"])],
    ),
    "wide cell": (rules.narrow_code, [code("x = " + "1" * 77)]),
    "wide listing": (rules.narrow_code, [code(outputs=[listing("x = " + "1" * 77)])]),
    "wide module": (rules.narrow_code, [code(outputs=[module("x = " + "1" * 77)])]),
    "error": (rules.clean_outputs, [code(outputs=[ERROR])]),
    "warning": (rules.clean_outputs, [code(outputs=[printed("careful", "stderr")])]),
    "path": (rules.clean_outputs, [code(outputs=[printed("in /home/somebody/x.py")])]),
    "nbval-skip": (rules.known_tags, [code(tags=["nbval-skip"])]),
    "misspelt tag": (rules.known_tags, [code("assert 1", tags=["nbval-ignore-outputs"])]),
    "nothing asserted": (rules.known_tags, [code(tags=["nbval-ignore-output"])]),
    "no caption": (
        rules.captioned_outputs,
        [code(outputs=[picture(**ALT)])],
    ),
    "no alt": (rules.captioned_outputs, [code(outputs=[picture()], mystnb=CAPTION)]),
    "alt of the cell only": (
        rules.captioned_outputs,
        [code(outputs=[picture()], mystnb={**CAPTION, "image": {"alt": "A line."}})],
    ),
}
GOOD_NOTEBOOK = notebook(
    GOOD_CELL,
    code("draw()", count=2, outputs=[picture(**ALT)], mystnb=CAPTION),
    code("seconds", count=3, outputs=[printed()], tags=["nbval-ignore-output"]),
    code("assert seconds < 9", count=4),
    code("x = " + "1" * 77, count=5, tags=["hide-input"]),
    code("show()", count=6, outputs=[listing("y = " + "1" * 76), printed("1" * 90)]),
)


@pytest.mark.parametrize(("rule", "cells"), BROKEN_NOTEBOOKS.values(), ids=BROKEN_NOTEBOOKS)
def test_rule_catches_a_broken_notebook(rule, cells):
    assert len(rule(notebook(*cells))) == 1
    assert rule(GOOD_NOTEBOOK) == []


# --- a chapter at two depths, and what is wrong with others


def text(source, *, folded=False):
    metadata = {rules.FOLDED: True} if folded else {}
    return nbformat.v4.new_markdown_cell(source, metadata=metadata)


FIGURE = "```{figure} a.svg\n:alt: A line.\n\nWhat to see.\n```"
ONE_EXERCISE = "```{exercise}\n:label: ex-one\nWhy?\n```"
CORE = [
    text("# Title\n\n## The question\n\nWhy?\n\n## The idea\n\nThis."),
    code("draw()", outputs=[picture(**ALT)], tags=["hide-input"]),
    code("show()", outputs=[listing("x = 1\n\ny = 2")]),
    text("## Exercises\n\n" + ONE_EXERCISE),
]
SECOND = [
    text("## For a second reading\n\nMore."),
    text("(old-name)=\n### A proof\n\n```{prf:proof}\nSo.\n```", folded=True),
    text("More of it."),
    code("assert 1"),
    text("### More exercises\n\n```{solution} x\n:class: dropdown\nSo.\n```", folded=True),
]
WORDS = text("word " * 1500)
LINES = code("x = 1\n" * 19)
BROKEN_DEPTHS = {
    "no second reading": (depths.core_budget, CORE, "nothing is folded"),
    "nothing below it": (depths.core_budget, [*CORE, SECOND[0]], "nothing is folded"),
    "words": (depths.core_budget, [WORDS, *CORE, *SECOND], "the core has 1507 words, more than"),
    "code": (
        depths.core_budget,
        [LINES, code("y = 1\n" * 19), *CORE, *SECOND],
        "the core shows 41 lines of code, more than 40",
    ),
    "no picture": (depths.core_budget, [CORE[0], *SECOND, CORE[1]], "the core has no picture"),
    "late picture": (
        depths.core_budget,
        [CORE[0], text("## The formula"), CORE[1], *SECOND],
        "the first picture stands in section 3",
    ),
    "exercises": (
        depths.core_budget,
        [*CORE, text(f"{ONE_EXERCISE}\n\n" * 3), *SECOND],
        "the core has 4 exercises",
    ),
    "checks": (
        depths.core_budget,
        [*CORE[:-1], code("y = 1\nassert y"), *SECOND],
        "a visible cell of the core asserts: y = 1",
    ),
    "fold inside a cell": (
        depths.folded_sections,
        [*CORE, text("## For a second reading\n\n### A proof\n\nSo.")],
        "a fold does not begin its cell: A proof",
    ),
    "second fold in a cell": (
        depths.folded_sections,
        [*CORE, *SECOND[:1], text("### A proof\n\nSo.\n\n### Another", folded=True)],
        "a fold does not begin its cell: Another",
    ),
    "open in JupyterLab": (
        depths.folded_sections,
        [*CORE, SECOND[0], text("### A proof")],
        "the cell of a fold lacks jp-MarkdownHeadingCollapsed: A proof",
    ),
    "core folded in JupyterLab": (
        depths.folded_sections,
        [text("### A part\n\nIt.", folded=True), *CORE, *SECOND],
        "a cell has jp-MarkdownHeadingCollapsed and begins no fold: ### A part",
    ),
    "section after it": (
        depths.folded_sections,
        [*CORE, *SECOND, text("## Where this goes next")],
        "a section comes after the second reading: Where this goes next",
    ),
    "folded proof": (
        depths.no_fold_in_a_fold,
        [*CORE, *SECOND, text("```{admonition} Proof\n:class: dropdown\nSo.\n```")],
        "For a second reading: {admonition} Proof is folded in a fold",
    ),
    "dropdown": (
        depths.no_fold_in_a_fold,
        [*CORE, *SECOND, text("::::{note}\n:::{dropdown} More\nSo.\n:::\n::::")],
        "For a second reading: {dropdown} More is folded in a fold",
    ),
}


@pytest.mark.parametrize(("rule", "cells", "complaint"), BROKEN_DEPTHS.values(), ids=BROKEN_DEPTHS)
def test_rule_catches_a_chapter_without_two_depths(rule, cells, complaint):
    (wrong,) = rule(notebook(*cells))
    assert wrong.startswith(complaint)
    assert rule(notebook(*CORE, *SECOND)) == []


def test_what_counts_as_the_prose_of_a_core():
    """A formula and a reference are a word each; tables, displays, margins, folds are none."""
    seven = "Let $x = 1$ be {numref}`fig-a` of [one thing](a.ipynb)."
    nothing = [
        "```{math}\nx\n```",
        "$$\nx = 1\n$$",
        "| a | b |\n| --- | --- |\n| c | d |",
        "```{margin}\n**Paper**: section 1\n```",
        FIGURE,
        "<live-one>\n<figure>\nwords\n</figure>\n</live-one>",
        "```{admonition} Proof\n:class: dropdown\nSo.\n```",
        SOLUTION.replace("{solution}", "{solution-start}") + "\nBecause.\n\n```{solution-end}\n```",
        "## Exercises\n\nTry.",
    ]
    page = notebook(text("\n\n".join([seven, *nothing])), code("x = 1"))
    assert depths.core_of(page).words == 7
    note = notebook(text(f"```{{note}}\n{seven}\n```\n\n### One more"))
    assert depths.core_of(note).words == 9


def test_a_difference_counts_as_lines_of_code_of_a_core():
    title = "# annotated_transformer/a.py · f → annotated_transformer/b.py · g"
    lines = nbformat.v4.new_output("display_data", data={"text/plain": f"{title}\n- x\n+ y\n\n  z"})
    assert depths.core_of(notebook(code("show_difference(f, g)", outputs=[lines]))).code_lines == 4


def test_both_tools_know_the_key_of_a_fold():
    assert edition.FOLDED == rules.FOLDED


MEASURED = 'r = record("heads")\n'
BY_HAND = {
    "a median": MEASURED + 'assert r["rows"][0]["ratio"]["median"] > 2',
    "in a loop": MEASURED + 'for row in r["rows"]:\n    assert row["time"] < 3 * row["other"]',
    "two steps": MEASURED + 'a = r["a"]\nb = [x + 1 for x in a]\nassert min(b) >= 4',
    "a number": MEASURED + 'assert r.scores("BLEU") == [40.1, 40.2]',
    "through a list": MEASURED + 'rows = []\nrows.append(r["a"])\nassert rows[0] < 2',
    "through a function": MEASURED + "def f(n):\n    return r[n]\nassert f(2) > 1",
    "inside of one": MEASURED + "def f(n):\n    x = r[n]\n    assert x > n",
    "below a with": MEASURED + "with page:\n    assert r['a'] > 1",
    "after a failure": MEASURED + "try:\n    x()\nexcept E:\n    assert r['a'] > 1",
    "in a case": MEASURED + "match x:\n    case 1:\n        assert r['a'] > 1",
    "beside a claim": MEASURED + 'assert claim("one").value > r["ratio"]["median"]',
    "after a claim": MEASURED + 'assert claim("one") and r["ratio"]["median"] > 2',
    "a whole number": MEASURED + 'assert [round(x) for x in r.scores("BLEU")] == [40, 41]',
    "nearly a number": MEASURED + 'assert math.isclose(r["a"], 41)',
    "raised": MEASURED + 'if r["a"] < 40:\n    raise ValueError',
    "on the spot": 'x = 1\nassert record("heads")["a"] > x',
    "named inside": 'x = 1\nassert (r := record("heads")) and r["a"] > x',
    "another name": 'from records import record as read\nassert read("heads")["a"] > 1',
    "from a module": 'import records\nassert records.record("heads")["a"] > 1',
}
NOT_MEASURED = """
r = record("heads")
assert r["model"] == "base" and len(r["rows"]) == 3
assert claim("wider_is_better").value > 3
if r["model"] == "base":
    raise ValueError
x = claim("wider_is_better").value
assert round(x) == 3
f = r["rows"]
def f(r):
    return r + 1
assert f(2) < 4
r = 3
assert r < 4
assert all(row < 3 for row in [1, 2])
"""


@pytest.mark.parametrize("source", BY_HAND.values(), ids=BY_HAND)
def test_rule_catches_what_is_asserted_by_hand(source):
    assert len(asserted_by_hand(notebook(code("%time\n" + source)))) == 1
    assert len(asserted_by_hand(notebook(*map(code, source.split("\n", 1))))) == 1


def test_rule_leaves_what_is_no_comparison_of_measured_numbers():
    assert asserted_by_hand(notebook(code(NOT_MEASURED))) == []


def test_rule_catches_a_missing_kernel():
    without = notebook(GOOD_CELL)
    del without.metadata["kernelspec"]
    assert rules.has_kernel(without) == ["kernelspec is None, expected 'python3'"]


def test_rule_catches_a_second_definition(tmp_path):
    (tmp_path / "attention.py").write_text("def attention():\n    pass\n")
    names = rules.package_definitions(tmp_path)
    again = notebook(code("%matplotlib inline\ndef attention(): return 1\ndef mine(): return 2"))
    assert len(rules.defines_nothing_of(names, again)) == 1


def test_rule_catches_a_large_file(tmp_path):
    path = tmp_path / "large.ipynb"
    path.write_bytes(b" " * 500_001)
    assert rules.small_file(path) == ["large.ipynb has 500,001 bytes, over 500,000"]


EXERCISE = "```{exercise}\n:label: one\nWhy?\n```\n"
SOLUTION = "```{solution} one\n:class: dropdown\nBecause.\n```\n"
BROKEN_PROSE = {
    "figure without alt": (rules.captioned_pictures, "```{figure} a.svg\nWhat to see.\n```"),
    "figure without caption": (rules.captioned_pictures, "```{figure} a.svg\n:alt: A line.\n```"),
    "picture": (rules.captioned_pictures, "![A line.](a.svg)"),
    "backtick in a title": (rules.opened_directives, "```{note} What `fit` does\nIt fits.\n```"),
    "no solution": (rules.solved_exercises, EXERCISE),
    "no label": (rules.solved_exercises, "```{exercise}\nWhy?\n```"),
    "open solution": (rules.solved_exercises, EXERCISE + "```{solution} one\nBecause.\n```"),
    "no exercise": (rules.solved_exercises, SOLUTION),
}


@pytest.mark.parametrize(("rule", "text"), BROKEN_PROSE.values(), ids=BROKEN_PROSE)
def test_rule_catches_broken_prose(rule, text):
    good = EXERCISE + SOLUTION + ":::{figure} a.svg\n:alt: A line.\n\nWhat to see.\n:::\n"
    assert len(rule(text)) == 1
    assert rule(good) == []


LANDING = """<live-map>
<figure>
<img src="_static/live/pictures/map.png" alt="Words." width="700">
<figcaption>What to see in <em>it</em>.</figcaption>
</figure>
</live-map>
"""
BROKEN_FIGURES = {
    "a blank line": (("</figure>\n", "</figure>\n\n"), "does not stand alone"),
    "two in a block": (("</live-map>\n", "</live-map>\n" + LANDING), "does not stand al"),
    "no picture": (("<img", "<span"), "does not hold one <figure> with one <img>"),
    "no figure": (("<figure>", "<div>"), "does not hold one <figure>"),
    "no alternative text": (('alt="Words."', 'alt=" "'), "has a picture without alternative text"),
    "no caption": (("What to see in <em>it</em>.", ""), "has no caption"),
    "another folder": (("_static/live/", "_static/"), "shows _static/pictures/map.png, which"),
    "no file": (("map.png", "taking_off.png"), "run book/_tools/live_pictures.py"),
    "no script": (
        ("live-map", "live-taking-off"),
        "has no script _static/live/figures/taking_",
    ),
}


@pytest.mark.parametrize(("change", "complaint"), BROKEN_FIGURES.values(), ids=BROKEN_FIGURES)
def test_rule_catches_a_broken_live_figure(change, complaint):
    assert live_figures(f"Look.\n\n{LANDING}\nMore.") == []
    assert live_figures(f"    {LANDING}") == []  # code, as a page about pages may show
    (wrong,) = live_figures(LANDING.replace(*change))
    assert wrong.startswith("<live-")
    assert complaint in wrong


def test_rule_catches_a_large_picture_of_a_live_figure(monkeypatch):
    monkeypatch.setattr("live_rules.LARGEST", 1000)
    assert "bytes, over 1,000" in live_figures(LANDING)[0]


def test_prose_is_read_as_markdown():
    """What stands in code is no picture, and a directive may be indented, nested or longer."""
    shown = "~~~text\n![A line.](a.svg)\n```{exercise}\n~~~\n`![A line.](a.svg)`\n"
    nested = "::::{admonition} Look\n1. One:\n\n   ```{figure} a.svg\n   ```\n::::\n"
    assert rules.captioned_pictures(shown) == []
    assert rules.solved_exercises(shown) == []
    assert len(rules.captioned_pictures(nested)) == 2
    assert len(rules.captioned_pictures("[![A line.](a.svg)](b.html)\n")) == 1


@pytest.mark.parametrize(
    "source",
    [
        "warnings.filterwarnings('ignore')",
        'simplefilter("ignore")',
        "if False:\n    x",
        "  while 0:",
    ],
)
def test_rule_catches_what_is_silenced(source):
    assert len(rules.nothing_silenced(source)) == 1
    assert rules.nothing_silenced("warnings.filterwarnings('error')\nif falsehood:\n    x") == []


def test_rule_catches_a_wrong_table_of_contents(tmp_path):
    (tmp_path / "book").mkdir()
    for name in ("index.md", "forgotten.md"):
        (tmp_path / "book" / name).write_text("# Title\n")
    (tmp_path / "_toc.yml").write_text(
        "root: book/index\nparts:\n- chapters:\n  - file: book/gone\n  - file: book/index\n"
    )
    wrong = rules.complete_toc(tmp_path)
    assert [w.split(" is ")[0] for w in wrong] == ["book/forgotten", "book/gone", "book/index"]


def test_ruff_catches_commented_out_code_in_a_notebook(tmp_path):
    path = tmp_path / "parked.ipynb"
    path.write_text(json.dumps(notebook(code("# x = attention(query, key, value)\nx = 1\n"))))
    command = [sys.executable, "-m", "ruff", "check", f"--config={ROOT / 'pyproject.toml'}", path]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "ERA001" in run.stdout


DIFFERENCE = """
### Something
The paper
: One.

The released code
: Two.

Here
: Three.

Why
: Four.

Tests
: `tests/test_book.py::test_there_is_a_book`.
"""


def test_good_differences_pass():
    assert ledger.differences_are_tested(DIFFERENCE, ROOT) == []


@pytest.mark.parametrize(
    ("good", "bad", "complaint"),
    [
        ("Why\n", "Because\n", "the parts are"),
        ("`tests/test_book.py::test_there_is_a_book`", "None.", "no test"),
        ("test_there_is_a_book", "test_there_is_none", "there is no"),
    ],
)
def test_a_bad_difference_is_caught(good, bad, complaint):
    wrong = ledger.differences_are_tested(DIFFERENCE.replace(good, bad), ROOT)
    assert any(complaint in sentence for sentence in wrong)


def test_a_name_that_no_chapter_shows_is_found():
    page = notebook(code("attention(x)"))
    assert rules.unused_names(["attention", "tension"], [page]) == ["tension"]
