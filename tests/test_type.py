"""The type of the pages: faces that ship with the book, and lines of a length that is easy to read.

What is measured here is measured in the book's own faces, whatever fonts a machine has.
"""

import re
import statistics

import pytest
from fontTools.ttLib import TTFont
from page_checks import OPEN_FOLDS

from browser import serve, visit
from languages import ANY_HANGUL
from rules import ROOT
from web_fonts import (
    FONTS,
    KOREAN_REGULAR,
    OURS,
    SIZE,
    SUBSTITUTES,
    characters_of,
    metrics,
    ranges,
    slices,
)

CODE = re.compile(r"<(pre|code|textarea)\b.*?</\1>", re.DOTALL)
PAGES = ("attention", "training", "masks", "why_attention")
# The letters of each line of the paragraphs that have several; the last line is shorter.
LINES = """() => [...document.querySelectorAll('.bd-article section > p')].flatMap((paragraph) => {
    if (paragraph.querySelector('mjx-container, code, img')) return [];
    const tops = new Map(), range = document.createRange();
    const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        for (let at = 0; at < walker.currentNode.length; at += 1) {
            range.setStart(walker.currentNode, at);
            range.setEnd(walker.currentNode, at + 1);
            const top = Math.round(range.getBoundingClientRect().bottom / 8);
            tops.set(top, (tops.get(top) ?? 0) + 1);
        }
    }
    return [...tops.values()].slice(0, -1);
})"""
USED = """() => [...document.fonts].filter(({status}) => status === 'loaded').map(
    ({family, weight, style}) => `${family.replaceAll('"', '')} ${weight} ${style}`)"""
HEIGHT = "() => document.querySelector('.bd-article section').getBoundingClientRect().height"


def characters(path):
    with TTFont(path) as font:
        return set(font.getBestCmap())


@pytest.fixture(scope="module")
def address(html):
    with serve(html) as address:
        yield address


@pytest.fixture(scope="module")
def shown(html):
    pages = sorted((html / "book").glob("*.html"))
    return {page.stem: page.read_text("utf-8") for page in pages}


@pytest.mark.parametrize("style", ["Regular", "Bold"])
def test_no_page_shows_a_character_that_the_faces_lack(html, shown, style):
    """Neither in what ships, nor in what the pages load of it."""
    fonts = html / "_static" / "fonts"
    korean = fonts.glob(f"AnnotatedSansKR-{style}-*.woff2")
    loaded = characters(fonts / f"AnnotatedSans-{style}.woff2").union(*map(characters, korean))
    for page, text in shown.items():
        lacking = characters_of(CODE.sub(" ", text)) - loaded
        assert sorted(map(chr, lacking)) == [], page


def test_listings_show_no_character_that_the_code_face_and_the_korean_lack(html, shown):
    fonts = html / "_static" / "fonts"
    korean = fonts.glob("AnnotatedSansKR-Regular-*.woff2")
    code = characters(fonts / "AnnotatedCode-Regular.woff2").union(*map(characters, korean))
    listed = "".join(part[0] for text in shown.values() for part in CODE.finditer(text))
    assert sorted(map(chr, characters_of(listed) - code)) == []


@pytest.mark.parametrize("path", [*FONTS.glob("*.otf"), KOREAN_REGULAR], ids=lambda p: p.stem)
def test_a_subset_has_a_name_of_its_own_and_its_licence_beside_it(path):
    """The licence reserves the names of the fonts that the subsets are made of."""
    with TTFont(path) as font:
        for number in (1, 4, 6, 16):
            assert not re.search("source|noto", font["name"].getDebugName(number) or "", re.I)
    assert "SIL OPEN FONT LICENSE" in (path.parent / "OFL.txt").read_text("utf-8")


def test_the_weight_of_the_faces_stays_small():
    assert sum(path.stat().st_size for path in FONTS.glob("*.otf")) < 600_000


@pytest.mark.parametrize("name", PAGES)
def test_a_line_of_text_has_66_to_75_letters(browser, address, name):
    with visit(browser, f"{address}/book/{name}.html", width=1280, theme="light") as opened:
        lines = opened.evaluate(LINES)
        assert len(lines) >= 10
        assert 66 <= statistics.median(lines) <= 75


def test_text_and_code_are_set_in_the_faces_of_the_book(browser, address):
    with visit(browser, f"{address}/book/attention.html", width=1280, theme="light") as opened:
        used = set(opened.evaluate(USED))
        assert {
            "Annotated Sans 400 normal",
            "Annotated Sans 400 italic",
            "Annotated Sans 700 normal",
            "Annotated Code 400 normal",
            "Annotated Sans KR 400 normal",
        } <= used


def test_nothing_jumps_when_the_face_comes(browser, address):
    """A page is as high with what stands there at first, here DejaVu, as with its own face."""
    url = f"{address}/book/differences.html"
    with visit(browser, url, width=1280, theme="light") as opened:
        opened.evaluate(OPEN_FOLDS)
        own = opened.evaluate(HEIGHT)
        opened.page.add_style_tag(
            content="""html {
            --at-text: "Annotated DejaVu" !important;
            --pst-font-family-monospace: "DejaVu Sans Mono" !important; }"""
        )
        opened.page.wait_for_timeout(300)
        first = opened.evaluate(HEIGHT)
        assert first != own
        assert first == pytest.approx(own, rel=0.02)


def test_a_page_loads_the_slices_of_its_characters():
    shown = {"a": {1, 2}, "b": {1, 2, 3, 4}, "c": {1, 3, 5}, "d": {1}}
    found = slices({name: {*codes, *range(9, 19)} for name, codes in shown.items()} | {"e": {20}})
    assert found["common"] == {1, *range(9, 19)}
    assert found["few"] == {2, 3, 4, 5, 20}
    large = slices({"a": set(range(10)), "b": set(range(5, 30))})
    assert large == {"a": set(range(10)), "b": set(range(10, 30))}


def test_substitutes_take_the_room_of_the_face():
    """The widths are those of the letters of English text, the lines begin and end alike."""
    for _, widths in SUBSTITUTES.values():
        for ours, width in zip(OURS, widths, strict=True):
            size = SIZE * ours / width
            rule = metrics(size, SIZE / size)
            adjusted, ascent = re.findall(r"(?:size-adjust|ascent-override): ([\d.]+)", rule)
            own = re.search(r"ascent-override: ([\d.]+)", metrics(SIZE, 1))[1]
            assert float(adjusted) * float(ascent) == pytest.approx(SIZE * float(own), rel=0.003)


def test_ranges_are_written_as_css_has_them():
    assert ranges({0xAC10, 0xAC00, 0xAC01, 0xAC02}) == "U+AC00-AC02, U+AC10"
    assert ANY_HANGUL.match("가")
    assert (ROOT / "book" / "fonts" / "OFL.txt").is_file()
