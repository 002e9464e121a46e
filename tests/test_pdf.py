"""The printed book: two chapters, one in Korean, and the checks that `make pdf` runs on all."""

import re

import pikepdf
import pypdfium2 as pdfium
import pytest
import yaml
from bs4 import BeautifulSoup

import check_pdf
from browser import launch
from check_pdf import bookmarks, read_article, wrong_with
from make_pdf import BUILT, TEXT_WIDTH, TOO_WIDE, make_pdf, wrong_number
from print_document import Document, Part, parts_of, selected
from rules import ROOT
from words import speak

# One with charts, folded code, and solutions with code; the other with tables and a drawn map.
CHAPTERS = ["attention", "family_tree"]
NAMES = [f"book/{name}" for name in CHAPTERS]


@pytest.fixture(scope="module")
def pdf(tmp_path_factory):
    if not (BUILT / "book" / "index.html").is_file():
        pytest.fail("there is no built book in _build/html: run make strict-book", pytrace=False)
    parts = parts_of(yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8")))
    file = tmp_path_factory.mktemp("pdf") / "two.pdf"
    assert make_pdf(selected(parts, CHAPTERS), file) == []
    return file


@pytest.fixture(scope="module")
def text(pdf):
    """Return the words of each page."""
    with pdfium.PdfDocument(pdf) as document:
        return [page.get_textpage().get_text_range() for page in document]


def letters(text):
    return re.sub(r"[\W_]+", "", text)


def test_contents_tell_the_pages_on_which_chapters_and_sections_stand(pdf, text):
    with pikepdf.open(pdf) as book:
        marks = bookmarks(book)
    assert [title for depth, title, _ in marks if depth == 0] == [
        *("The idea", "The family", "Solutions", "Folded code"),
    ]
    assert "Why √d_k" in [title for _, title, _ in marks]
    lines = text[1].splitlines()
    for _, title, number in marks:
        if "√" not in title:
            assert any(letters(f"{title}{number + 1}") == letters(line) for line in lines), title
            assert title in " ".join(text[number].split()), title


def test_no_line_of_code_is_cut(text):
    """Every line of every cell and listing is in print, folded or not, to its last letter."""
    printed = letters("".join(text))
    for name in NAMES:
        for code in read_article(BUILT, name).select("pre"):
            for line in code.get_text().splitlines():
                assert letters(line) in printed, line


def test_what_is_folded_stands_at_the_end_with_page_numbers_both_ways(text):
    [there] = [i for i, page in enumerate(text, 1) if "def self_attention_of(" in page]
    [here] = [
        i for i, page in enumerate(text, 1) if "The same sentence after training" in page and i > 2
    ]
    assert f"Code: page {there}" in text[here - 1]
    assert re.search(rf"Fig\. \d+, page {here}\b", text[there - 1])
    [solution] = [i for i, page in enumerate(text, 1) if "which meets only the key of" in page]
    assert any(f"Solution: page {solution}" in page for page in text[: solution - 1])


def test_running_heads_numbers_and_korean(text):
    head = "Attention Is All You Need, annotated"
    with_head = [i for i, page in enumerate(text, 1) if page.startswith(head)]
    assert len(with_head) == len(text) - 4  # without title, contents and two parts
    assert "나는 학생이다" in "".join(text)
    assert all(str(i) in text[i - 1].splitlines() for i in with_head)


# --- the same in Korean


@pytest.fixture(scope="module")
def korean(tmp_path_factory):
    """One of the shortest chapters, with solutions, folded code and pictures."""
    speak("ko")
    parts = parts_of(yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8")))
    file = tmp_path_factory.mktemp("pdf") / "korean.pdf"
    wrong = make_pdf(selected(parts, ["train_and_translate"]), file)
    speak("en")
    assert wrong == []
    return file


def test_what_the_printed_book_says_besides_its_pages_is_korean(korean):
    with pdfium.PdfDocument(korean) as document:
        # Of letters whose lines are made narrow, pdfium takes each for a line.
        text = [letters(page.get_textpage().get_text_range()) for page in document]
    head = letters("Attention Is All You Need 해설판")
    title, contents, part, *pages = text
    assert title.startswith(head)
    assert contents.startswith("2차례")  # its number is drawn first
    assert part == "전체"
    assert [page for page in pages if not page.startswith(head)] == []
    for told in (r"코드\d+쪽", r"풀이\d+쪽", r"그림\d+쪽"):
        assert re.search(told, "".join(pages)), told


def test_the_korean_print_has_a_korean_title_and_bookmarks(korean):
    with pikepdf.open(korean) as book:
        marks = bookmarks(book)
        assert str(book.Root.Lang) == "ko"
        assert str(book.docinfo["/Title"]) == "Attention Is All You Need 해설판"
    assert [title for depth, title, _ in marks if depth == 0] == ["전체", "풀이", "접힌 코드"]


# --- the document


def page_of(tmp_path, body, name="book/one"):
    file = tmp_path / f"{name}.html"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"<article>{body}</article>", encoding="utf-8")
    return name


PAGE = """<section id="one"><h1>One<a class="headerlink" href="#one">#</a></h1>
<p id="a"><a href="#a">here</a> <a href="two.html#b">there</a> <a href="../search.html">site</a>
<a href="https://example.org/x">out</a></p><h2>Part
<math><msqrt><msub><mi>d</mi><mi>x</mi></msub></msqrt></math></h2>
<svg aria-labelledby="t"><title id="t">T</title><path marker-end="url(#t)"></path></svg>
<div class="cell"><details class="hide"><summary>Show</summary><pre>code()</pre></details>
<div class="cell_output"><figure><img class="at-picture" src="../_images/x.png">
<div class="at-chart"></div><script>draw()</script>
<figcaption><span class="caption-number">Fig. 1</span></figcaption></figure></div></div>
<div class="solution" id="s">Because.</div></section>"""


ORDER = ("one", "two")


def printed(tmp_path, *bodies):
    names = [page_of(tmp_path, body, f"book/{ORDER[n]}") for n, body in enumerate(bodies)]
    document = Document(tmp_path, [Part("", names)], "")
    return document, BeautifulSoup(document.html(""), "html.parser")


def test_pages_become_one_document_whose_links_stay_inside(tmp_path):
    _, soup = printed(tmp_path, PAGE, "<section id='two'><h1>Two</h1><p id='b'>b</p></section>")
    found = {a.get_text(): a.get("href") for a in soup.select("article p#one--a a")}
    assert found == {
        "here": "#one--a",
        "there": "#two--b",
        "site": None,
        "out": "https://example.org/x",
    }
    ids = [element["id"] for element in soup.select("[id]")]
    assert len(ids) == len(set(ids))
    assert all(a["href"][1:] in ids for a in soup.select("a[href^='#']"))
    assert soup.svg["aria-labelledby"] == "one--t"
    assert soup.path["marker-end"] == "url(#one--t)"
    assert soup.img["src"] == "../html/_images/x.png"
    assert not soup.select(".at-chart, article script, .headerlink")


def test_solutions_and_folded_code_move_to_the_end(tmp_path):
    document, soup = printed(tmp_path, PAGE)
    chapter = soup.select_one("section#one")
    assert "Because." not in chapter.get_text()
    assert "code()" not in chapter.get_text()
    assert "Because." in soup.select_one("section#solutions").get_text()
    assert "Solution" in chapter.select_one(".elsewhere.behind").get_text()
    folded = soup.select_one("section#folded").get_text()
    assert "code()" in folded
    assert "Fig. 1, page" in folded
    depths = [(depth, title) for depth, title, _ in document.bookmarks]
    assert depths == [
        *((0, "One"), (1, "Part √d_x")),
        *((0, "Solutions"), (1, "One"), (0, "Folded code"), (1, "One")),
    ]


FOLDED_SECTION = """<section id="one"><h1>One</h1><section><details class="at-second-reading">
<summary><h3>A proof</h3><span class="at-result">It holds.</span></summary>
<div class="at-folded" id="a-proof"><span id="old"></span><p>It holds. So.</p>
<details class="dropdown admonition"><summary class="admonition-title">Proof</summary>
<div class="at-folded">Because it does.</div></details>
<details class="solution dropdown admonition"><summary class="admonition-title">Solution</summary>
<div class="at-folded" id="s">Because.</div></details></div></details></section></section>"""


def test_what_a_page_folds_is_printed_open(tmp_path):
    _, soup = printed(tmp_path, FOLDED_SECTION)
    assert not soup.select("details, summary")
    chapter = soup.select_one("section#one")
    assert chapter.get_text().count("It holds.") == 1
    assert chapter.h3.get_text() == "A proof"
    assert chapter.select_one("div.admonition > p.admonition-title").get_text() == "Proof"
    assert "Because it does." in chapter.get_text()
    assert chapter.select_one("#one--a-proof #one--old")
    assert "Solution: page" in chapter.get_text()
    assert soup.select_one("section#solutions div.solution")["id"] == "one--s"


def test_an_unknown_chapter_is_named():
    with pytest.raises(ValueError, match=r"no chapter gone; the book has index, masks$"):
        selected([Part("", ["book/index"]), Part("P", ["book/masks"])], ["masks", "gone"])


# --- the checks, on a print broken on purpose


def without_a_bookmark(book):
    with book.open_outline() as outline:
        del outline.root[0].children[0].children[1]


def without_a_picture(book):
    page = next(page for page in book.pages if check_pdf.pictures(page))
    page.contents_coalesce()
    page.Contents.write(check_pdf.DRAWN.sub(b"", page.Contents.read_bytes()))


def without_a_place(book):
    del book.Root.Dests["/attention--by-hand"]


def without_a_font(book):
    for page in book.pages:
        for font in page.Resources.get("/Font", {}).values():
            if "/DescendantFonts" in font:
                descriptor = font.DescendantFonts[0].FontDescriptor
                for key in [key for key in descriptor if "/FontFile" in key]:
                    del descriptor[key]


def with_a_missing_glyph(book):
    page = book.pages[3]
    page.contents_coalesce()
    content = page.Contents.read_bytes()
    page.Contents.write(re.sub(rb"<[0-9A-F]{4}> Tj", b"<0000> Tj", content, count=1))


def with_ink_in_the_margin(book):
    book.pages[3].contents_add(b"q 0 0 0 rg 20 300 20 20 re f Q")


@pytest.mark.parametrize(
    ("breakage", "sentence"),
    [
        (without_a_bookmark, "no bookmark for 'A dictionary that blends its answers'"),
        (without_a_picture, "'Attention' has 6 pictures in print and 7 on its page"),
        (without_a_place, "the link to /attention--by-hand leads nowhere"),
        (without_a_font, "STIXGeneral-Regular is not in the file"),
        (with_a_missing_glyph, "page 4: a character has no glyph"),
        (with_ink_in_the_margin, "page 4: something stands in the margin"),
    ],
)
def test_what_is_wrong_with_a_print_is_seen(pdf, tmp_path, breakage, sentence):
    with pikepdf.open(pdf) as book:
        breakage(book)
        book.save(tmp_path / "broken.pdf")
    wrong = wrong_with(tmp_path / "broken.pdf", BUILT, NAMES)
    assert any(sentence in found for found in wrong)


def test_the_text_that_a_reader_copies_is_taken_for_no_glyph():
    content = b"/F4 11 Tf\n/Span<</ActualText <FEFF00A0> >> BDC\n<0001> Tj\nEMC"
    assert check_pdf.SHOWN.findall(content) == [(b"/F4", b""), (b"", b"0001")]


def test_where_a_solution_is_stands_on_the_page_of_its_exercise(tmp_path):
    """Exercises that end at every height of a page's foot."""
    style = (ROOT / "book" / "_tools" / "print.css").read_text(encoding="utf-8")
    pages = "".join(
        f'<section class="chapter"><div style="height: {height}mm"></div>'
        f'<div class="exercise admonition"><p>Task {height}</p></div>'
        '<p class="elsewhere behind">Told</p></section>'
        for height in range(220, 246, 2)
    )
    file = tmp_path / "notes.pdf"
    with launch() as browser:
        page = browser.new_page()
        page.set_content(f"<style>{style}</style>{pages}")
        page.pdf(path=file, prefer_css_page_size=True)
    with pdfium.PdfDocument(file) as document:
        texts = [letters(page.get_textpage().get_text_range()) for page in document]
        told = [text for text in texts if "Told" in text]
    assert len(told) == 13
    assert [text for text in told if "Task" not in text] == []


def test_what_is_wider_than_a_page_is_seen():
    with launch() as browser:
        page = browser.new_page(viewport={"width": TEXT_WIDTH, "height": 900})
        page.set_content("<article><p style='margin: 0; width: 900px'>wide</p></article>")
        assert page.evaluate(TOO_WIDE, TEXT_WIDTH)
        page.set_content("<article><p>narrow</p></article>")
        assert not page.evaluate(TOO_WIDE, TEXT_WIDTH)


def test_the_readme_says_how_many_pages_there_are():
    readme = "all of the PDF, over 600 pages, takes some minutes"
    assert wrong_number(638, readme) == []
    assert "are over 700" in wrong_number(712, readme)[0]
    assert wrong_number(599, readme) != []
    assert wrong_number(638, "many pages") != []
    assert re.findall(r"over (\d+) pages", (ROOT / "README.md").read_text("utf-8")) == ["800"]
    korean = (ROOT / "README.ko.md").read_text("utf-8")
    assert wrong_number(795, korean, "ko") == []
    assert "README.ko.md should say once" in wrong_number(801, korean, "ko")[0]
