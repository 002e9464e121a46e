"""Decks of slides: what the tags of the chapters ask for is there, fits, and is drawn offline."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import korean_slides
import make_slides
from browser import serve, visit
from check_slides import READY, wrong_with_deck
from execute import normalise
from korean_slides import KoreanSlides
from make_slides import BOOK, BUILT, folder_in, page_of, write_assets, write_deck
from slide_html import Words, deck_html, slides_of
from slide_units import sentences, units_of, with_both_ends
from words import speak

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


@pytest.mark.parametrize("text", ["(a-label)=\n# A title\n\nOne.", "(a-label)=\nOne."])
def test_a_label_is_no_sentence(text):
    [unit] = units_of(new_markdown_cell(text))
    assert (unit.kind, unit.text) == ("sentence", "One.")


@pytest.mark.parametrize(
    ("paragraph", "count"),
    [
        ("One. Two! Three?", 3),
        ("In section 3.4 it says 1.5. So it is.", 2),
        ('He asks "why?" and goes. "So" it ends.', 2),
        ("나는 학생이다. 너는 의사다.", 2),
        ("값은 1.5이다. softmax는 다르다. ‘나는’이 온다.", 3),
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


def test_a_role_keeps_its_own_words_and_a_publication_has_its_authors():
    words = Words('<a class="reference internal" href="training.html#b">Numbers</a>', "masks")
    link = '<a href="../book/training.html#b">{}</a>'
    assert words.mend("{ref}`bfloat16 <b>`, {ref}`b`") == f"{link.format('bfloat16')}, " + (
        link.format("Numbers")
    )
    assert words.mend("{cite:t}`vaswani2017attention` say") == "Vaswani *et al.* (2017) say"


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_sentence_of_a_deck_can_be_shown(html, name):
    """No role that the built page has no link for: a sentence may change without its slide."""
    words = Words((html / "book" / f"{name}.html").read_text(encoding="utf-8"), name)
    for slide in slides_of(read(name)):
        for unit in slide.units:
            if unit.kind in ("sentence", "item", "theorem"):
                words.mend(unit.text)


# --- the Korean of a deck


@pytest.fixture
def in_korean():
    """Everything that says a word says it in Korean."""
    speak("ko")
    yield
    speak("en")


@pytest.fixture
def without_pictures(monkeypatch):
    """Leave charts in English: to draw them again would take most of the time."""
    monkeypatch.setattr("korean_pages.korean_outputs", lambda *_: None)


@pytest.mark.usefixtures("in_korean", "without_pictures")
@pytest.mark.parametrize("name", CHAPTERS)
def test_every_slide_has_its_korean(html, name):
    """Each tag finds its Korean, each line of the file a tag, each reference its link."""
    english, korean = slides_of(read(name)), KoreanSlides(name)
    deck = slides_of(read(name), korean)
    assert korean.unused == set()
    assert [bool(slide.units) for slide in deck] == [True] * len(english)
    assert (deck[0].title, deck[-1].title) == (korean.titles[english[0].title], "기억할 것")
    words = Words((html / "ko" / "book" / f"{name}.html").read_text(encoding="utf-8"), name)
    for slide in deck:
        for unit in slide.units:
            if unit.kind in ("sentence", "item", "theorem"):
                words.mend(unit.text)


TOLD = "# 제목\n\n첫째 문장. 둘째는 더 말한다. 그리고 더.\n\n$$\ny = 2\n$$\n\n- 항목. 두 문장이다."
ASKED = ["First", "The second", "An item", "eq-x"]


@pytest.fixture
def told(tmp_path, monkeypatch):
    """Return a function that gives the Korean of ASKED, with the file of a translator."""
    cell = new_markdown_cell(PROSE.replace(" Third?", ""))
    monkeypatch.setattr(korean_slides, "headings", lambda _: {"A": "가"}.items())
    notebook = new_notebook(cells=[new_markdown_cell(TOLD)])
    monkeypatch.setattr(korean_slides, "korean_notebook", lambda _: notebook)

    def choose(file):
        (tmp_path / "tale.yml").write_text(file, encoding="utf-8")
        slides = KoreanSlides("tale", tmp_path)
        units = slides.chosen(0, cell, ASKED)
        return [slides.title("A"), slides.title("`f`")], [unit.text for unit in units]

    return choose


def test_the_file_of_a_translator_says_what_stands_elsewhere(told):
    with pytest.raises(ValueError, match=r"which Korean says 'First'\? .* book/ko/slides/tale.yml"):
        told("")
    titles, texts = told("sentences: {First sentence: [첫째, 둘째는], The second: 둘째는}")
    assert titles == ["가", "`f`"]
    assert texts == [
        "첫째 문장. 둘째는 더 말한다.",
        "둘째는 더 말한다.",
        "항목. 두 문장이다.",
        "\ny = 2\n",
    ]
    with pytest.raises(ValueError, match="begins with '셋째'"):
        told("sentences: {First: 셋째}")


def test_a_title_without_korean_is_named(tmp_path, without_pictures):
    with pytest.raises(ValueError, match=r"title 'Nowhere': write it into book/ko/slides/masks"):
        KoreanSlides("masks", tmp_path).title("Nowhere")


# --- decks in the browser


@pytest.fixture(scope="module")
def decks(html, tmp_path_factory):
    assert html == BUILT
    made = tmp_path_factory.mktemp("html")
    write_assets(made)
    for name in SHOWN:
        write_deck(name, made)
    return made / "slides"


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


@pytest.mark.usefixtures("in_korean")
def test_a_korean_deck_says_everything_in_korean(browser, decks):
    html = decks.parent
    write_deck("masks", html)
    deck = folder_in(html) / "masks.html"
    assert deck == html / "ko" / "slides" / "masks.html"
    with serve(html) as address:
        assert wrong_with_deck(browser, f"{address}/ko/slides/masks.html") == []
    with visit(browser, f"file://{deck}", width=1280, theme="light") as opened:
        opened.page.wait_for_function(READY)
        assert opened.page.title() == "마스크: 슬라이드"
        assert opened.evaluate("() => document.documentElement.lang") == "ko"
        names = "() => [...document.querySelectorAll('nav, .navigate-left, .navigate-right')].map("
        assert opened.evaluate(f"{names}e => e.getAttribute('aria-label'))") == [
            *("앞 슬라이드", "다음 슬라이드", "장")
        ]
        faces = "() => [...document.fonts].filter(f => f.status === 'loaded').map(f => f.weight)"
        opened.page.wait_for_function(f"({faces})().includes('bold')")
        assert opened.evaluate(OVERPRINTED) == []


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
    page = page_of("masks", "Broken", slides)
    (decks / "broken.html").write_text(page, encoding="utf-8")
    with serve(decks) as address:
        wrong = wrong_with_deck(browser, f"{address}/broken.html")
    assert any(sentence in found for found in wrong)


def test_a_chapter_that_cannot_be_shown_is_named(decks, monkeypatch, capsys):
    monkeypatch.setattr(make_slides, "write_assets", lambda _: None)
    monkeypatch.setattr("sys.argv", ["make_slides.py", "--language=en", "no_such_chapter"])
    assert make_slides.main() == 1
    assert "slides: en: no_such_chapter: " in capsys.readouterr().err


def test_one_paragraph_becomes_a_list_and_two_stay_paragraphs():
    words = Words("", "masks")
    title = {"title": "A", "show": ["First"]}
    _, alone = deck_of(title, {"title": "B", "show": ["First", "Third"]})
    assert deck_html([alone, alone], words).count("<li>") == 2  # not on the title page
    _, mixed = deck_of(title, {"title": "B", "show": ["First", "Third", "An item"]})
    assert deck_html([mixed, mixed], words).count("<li>") == 4


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("**배울 수 있는가?", "**배울 수 있는가?**"),
        ("하나. **배울 수 있는가?", "하나. **배울 수 있는가?**"),
        ("어떻게 아는가?** 이 장에서는.", "**어떻게 아는가?** 이 장에서는."),
        ("**하나**는 둘이고, **셋이다.", "**하나**는 둘이고, **셋이다.**"),
        ("**하나**는 하나이다.", "**하나**는 하나이다."),
    ],
)
def test_bold_type_that_ends_in_another_sentence_is_closed(text, whole):
    assert with_both_ends(text) == whole
