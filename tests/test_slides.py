"""Decks of slides: what the tags of the chapters ask for is there, fits, and is drawn offline."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import make_slides
from browser import serve, visit
from check_slides import READY, wrong_with_deck
from execute import normalise
from make_slides import BOOK, PAGE, write_assets, write_deck
from rules import ROOT
from slide_html import Words, deck_html, slides_of
from slide_units import sentences, units_of

CHAPTERS = sorted(file.stem for file in BOOK.glob("*.ipynb"))
SHOWN = ["train_and_translate", "attention"]  # one of the shortest, and one with a theorem
PROSE = """## A heading

First sentence, e.g. of $x = 1.5$. The second says more (Fig. 1 does too). Third?

- An item. It has two sentences.

| a | b |
| - | - |
| 1 | 2 |

```{math}
:label: eq-x
x = 1
```

```{prf:theorem} A title
:label: thm-x

It holds.
```
"""


def read(name):
    return nbformat.read(BOOK / f"{name}.ipynb", as_version=4)


# --- the tags of every chapter


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_deck_tells_its_chapter_from_the_title_to_what_to_keep(name):
    notebook = read(name)
    deck = slides_of(notebook)
    assert 12 <= len(deck) <= 25
    assert f"# {deck[0].title}\n" in notebook.cells[0].source
    assert deck[-1].title == "What to keep"
    kinds = {unit.kind for slide in deck for unit in slide.units}
    assert kinds & {"code", "listing"}
    assert "figure" in kinds
    assert any(slide.title == "What people get wrong" for slide in deck)
    assert all(slide.units for slide in deck)


def test_tags_survive_when_a_notebook_is_run_again():
    notebook = read("masks")
    before = [cell.metadata.get("slides") for cell in notebook.cells]
    normalise(notebook)
    assert [cell.metadata.get("slides") for cell in notebook.cells] == before
    assert any(before)


# --- what a cell has to show


def test_prose_is_cut_into_sentences_formulas_and_tables():
    units = units_of(new_markdown_cell(PROSE))
    assert [(unit.kind, unit.name.split()[0]) for unit in units] == [
        ("sentence", "First"),
        ("sentence", "The"),
        ("sentence", "Third?"),
        ("item", "An"),
        ("table", "|"),
        ("formula", "eq-x"),
        ("theorem", "thm-x"),
    ]
    assert units[5].text == "x = 1"
    assert units[6].text == "**A title.** It holds."


@pytest.mark.parametrize(
    ("paragraph", "count"),
    [
        ("One. Two! Three?", 3),
        ("In section 3.4 it says 1.5. So it is.", 2),
        ('He asks "why?" and goes. "So" it ends.', 2),
        ("나는 학생이다. 너는 의사다.", 2),
        ("Width, e.g. 64, is enough.", 1),
        ("It falls. $x$ rises. {cite:t}`a` says so. **Bold.** End.", 5),
    ],
)
def test_sentences_end_where_another_begins(paragraph, count):
    found = sentences(paragraph)
    assert len(found) == count
    assert " ".join(found) == paragraph


def test_a_cell_of_code_shows_code_output_picture_and_caption():
    picture = {"image/png": "AAAA"}
    outputs = [
        new_output("stream", text="42\n"),
        new_output("display_data", picture, metadata={"image/png": {"alt": "a <b>"}}),
    ]
    caption = {"mystnb": {"figure": {"caption": "What is seen. And more."}}}
    cell = new_code_cell("print(6 * 7)", outputs=outputs, metadata=caption)
    units = units_of(cell)
    assert [unit.kind for unit in units] == ["code", "output", "figure", "sentence", "sentence"]
    assert 'alt="a &lt;b&gt;"' in units[2].text


# --- tags that cannot be followed are named


def deck_of(*tags):
    return slides_of(
        new_notebook(cells=[new_markdown_cell(PROSE, metadata={"slides": list(tags)})])
    )


def test_what_a_cell_does_not_say_is_refused():
    with pytest.raises(ValueError, match=r"cell 0: no sentence.* begins with 'Fourth'"):
        deck_of({"title": "A", "show": ["First", "Fourth"]})


def test_a_deck_begins_with_a_title():
    with pytest.raises(ValueError, match="cell 0: the first slide has no title"):
        deck_of({"show": ["First"]})


def test_slides_without_a_title_go_on_with_the_one_before():
    [slide] = deck_of({"title": "A", "show": ["Third"]}, {"show": ["First"]})
    assert [unit.name[:5] for unit in slide.units] == ["Third", "First"]


def test_references_get_the_words_of_the_built_page():
    page = '<a class="reference internal" href="#equation-eq-x">(7)</a>'
    words = Words(page, "masks")
    assert words.line("By {eq}`eq-x` {cite:p}`someone2017` and [masks](masks.ipynb)") == (
        'By <a href="../book/masks.html#equation-eq-x">(7)</a> and masks'
    )
    with pytest.raises(ValueError, match=r"cannot show {eq}`eq-y`"):
        words.line("By {eq}`eq-y`")


# --- decks in the browser


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    if not (ROOT / "_build" / "html" / "book" / "index.html").is_file():
        pytest.fail("there is no built book in _build/html: run make strict-book", pytrace=False)
    out = tmp_path_factory.mktemp("html") / "slides"
    write_assets(out)
    for name in SHOWN:
        write_deck(name, out)
    return out


@pytest.mark.parametrize("name", SHOWN)
def test_every_slide_fits_and_is_drawn_from_the_file_system(browser, decks, name):
    assert wrong_with_deck(browser, f"file://{decks}/{name}.html") == []


def test_a_server_is_asked_for_nothing_that_it_has_not(browser, decks):
    """The first page of an address is also asked for an icon."""
    with serve(decks.parent) as address:
        assert wrong_with_deck(browser, f"{address}/slides/attention.html") == []


def test_a_deck_is_moved_by_the_keyboard_and_shows_korean_in_the_book_s_font(browser, decks):
    with visit(browser, f"file://{decks}/attention.html", width=1280, theme="light") as opened:
        opened.page.wait_for_function(READY)
        opened.page.keyboard.press("ArrowRight")
        assert opened.evaluate("() => Reveal.getIndices().h") == 1
        opened.page.keyboard.press("ArrowLeft")
        assert opened.evaluate("() => Reveal.getIndices().h") == 0
        loaded = "() => [...document.fonts].some(f => /KR/.test(f.family) && f.status === 'loaded')"
        opened.page.keyboard.press("ArrowRight")
        opened.page.wait_for_function(loaded)
        assert opened.evaluate(OVERPRINTED) == []
        assert opened.page.locator("nav[aria-label=Chapter] > a").count() == 1


# What lies at the foot of every slide: the chapter's name, the number, the arrows.
OVERPRINTED = """() => {
    const parts = [...document.querySelectorAll('.home, .slide-number, .controls button')];
    const boxes = parts.map((part) => part.getBoundingClientRect());
    const apart = (a, b) => a.right <= b.left || b.right <= a.left
        || a.bottom <= b.top || b.bottom <= a.top;
    return parts.filter((part, i) => boxes.some((box, k) => k !== i && box.width
        && boxes[i].width && !(part.matches('button') && parts[k].matches('button'))
        && !apart(boxes[i], box))).map((part) => part.className);
}"""
PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
BROKEN = {
    "reaches beyond its frame": "<p>long</p>" * 30,
    "is too small": f"<img src='{PIXEL}' alt='x' style='flex: none; height: 9px'>",
    "formulas are not drawn": "<p><span class='math'>x</span></p>",
    "shows markup": "<p>**bold**</p>",
    "404": "<script src='nowhere.js'></script>",
}


@pytest.mark.parametrize("sentence", BROKEN)
def test_what_is_wrong_with_a_slide_is_seen(browser, decks, sentence):
    slides = f"<section class='large'><h2>Broken</h2>{BROKEN[sentence]}</section>"
    page = PAGE.format(title="Broken", name="masks", slides=slides)
    (decks / "broken.html").write_text(page, encoding="utf-8")
    with serve(decks) as address:
        wrong = wrong_with_deck(browser, f"{address}/broken.html")
    assert any(sentence in found for found in wrong)


def test_a_chapter_that_cannot_be_shown_is_named(decks, monkeypatch, capsys):
    monkeypatch.setattr(make_slides, "OUT", decks)
    monkeypatch.setattr("sys.argv", ["make_slides.py", "no_such_chapter"])
    assert make_slides.main() == 1
    assert "slides: no_such_chapter: " in capsys.readouterr().err


def test_one_paragraph_becomes_a_list_and_two_stay_paragraphs():
    words = Words("", "masks")
    title = {"title": "A", "show": ["First"]}
    _, alone = deck_of(title, {"title": "B", "show": ["First", "Third"]})
    assert deck_html([alone, alone], words).count("<li>") == 2  # not on the title page
    _, mixed = deck_of(title, {"title": "B", "show": ["First", "Third", "An item"]})
    assert deck_html([mixed, mixed], words).count("<li>") == 4
