"""The built pages of the Korean edition: in the browser, and their addresses beside the English."""

import re
from itertools import cycle
from pathlib import Path

import pytest
from accessibility import violations
from page_checks import (
    BAD_IMAGES,
    OPEN_FOLDS,
    OUTSIDE_BOX,
    OVERFLOW,
    RAW_MARKUP,
    UNCAPTIONED,
    UNDRAWN_CHARTS,
    UNDRAWN_FORMULAS,
)
from test_pages import EXTRA, PAGES

from anchors import addresses
from browser import THEMES, WIDTHS, serve, visit
from korean_edition import OWN
from languages import ANY_HANGUL
from links import missing_pages
from weight import budget, over_budget, page_kind

DOWNLOADS = re.compile(r"dropdown-download-buttons.*?</ul>", re.DOTALL)
# One width and one scheme of each page, all of them in turn; the English pages have both.
LOOKS = cycle([(width, theme) for theme in THEMES for width in WIDTHS])
# How much heavier than the English page it may be.
HEAVIER = dict.fromkeys(("html", "style", "script", "image", "font", "total"), 1.1)
HEAVIER_PAGES = {
    # An index of Korean holds every word with each of its particles.
    "search": HEAVIER | {"script": 1.4, "total": 1.5},
    # Every claim is bold: nearly as many different syllables in both cuts, about 1,000 glyphs of 63
    # bytes (what it loads: python book/_tools/page_times.py ko/book/claims).
    "book/claims": HEAVIER | {"font": 1.2},
}


@pytest.fixture(scope="module")
def address(html):
    with serve(html) as address:
        yield address


@pytest.mark.parametrize(("name", "look"), list(zip(PAGES + EXTRA, LOOKS, strict=False)))
def test_korean_page(browser, address, html, name, look):
    width, theme = look
    with visit(browser, f"{address}/ko/{name}.html", width=width, theme=theme) as opened:
        loaded = [html / at.removeprefix(address).strip("/") for at in opened.first_view]
        files = [Path(str(file).partition("?")[0]) for file in loaded]
        limits = budget()[page_kind(name, files)]
        more = HEAVIER_PAGES.get(name, HEAVIER)
        heavier = {kind: int(more[kind] * limit) for kind, limit in limits.items()}
        assert over_budget(name, files, heavier) == []
        # What the page shows is in its own files; this one is for what a reader does.
        assert [file.name for file in files if file.stem.endswith("-words")] == []
        assert opened.evaluate(OPEN_FOLDS) == []
        opened.show_charts()
        assert opened.errors + opened.foreign_requests + opened.failed == []
        assert opened.evaluate(OVERFLOW) <= 0, "the page scrolls sideways"
        for check in (UNDRAWN_FORMULAS, UNDRAWN_CHARTS, BAD_IMAGES, UNCAPTIONED, OUTSIDE_BOX):
            assert opened.evaluate(check) == []
        assert opened.evaluate(RAW_MARKUP) == []
        assert opened.evaluate("() => document.documentElement.lang") == "ko"
        opened.page.emulate_media(reduced_motion="reduce")
        assert (name, violations(opened.page)) == (name, [])


def test_every_korean_page_is_there_with_the_anchors_of_the_english(html):
    assert missing_pages(html / "ko") == []
    english, korean = addresses(html), addresses(html / "ko")
    assert sorted(english - korean) == []
    assert sorted(korean - english) == []


def test_the_korean_pages_have_no_file_twice(html):
    there = {path.name for path in (html / "ko" / "_static").rglob("*")}
    assert there == OWN


@pytest.mark.parametrize("name", PAGES)
def test_what_a_korean_page_offers_for_download_is_there_and_in_korean(html, name):
    """Its text or notebook, and the PDF and the slides where they have been made."""
    page = html / "ko" / f"{name}.html"
    menu = DOWNLOADS.search(page.read_text(encoding="utf-8"))[0]
    files = [(page.parent / found).resolve() for found in re.findall('href="([^"]*)"', menu)]
    assert len(files) > 0
    for file in files:
        other = html / file.relative_to(html / "ko")
        if file.suffix == ".pdf":
            assert file.is_file()
        else:
            korean, english = (
                len(ANY_HANGUL.findall(each.read_text(encoding="utf-8"))) for each in (file, other)
            )
            assert korean > english


def alternates(html):
    """Return what a page says of its editions: language to address."""
    found = re.findall(r'<link rel="alternate" hreflang="([\w-]+)" href="([^"]*)"', html)
    return dict(found)


@pytest.mark.parametrize("name", [*PAGES, *EXTRA])
def test_each_page_names_itself_and_the_other_edition(html, name):
    pages = {"en": html / f"{name}.html", "ko": html / "ko" / f"{name}.html"}
    for path in pages.values():
        named = alternates(path.read_text(encoding="utf-8"))
        assert set(named) == {"en", "ko", "x-default"}
        for language, address in named.items():
            wanted = pages.get(language, pages["en"])
            assert (path.parent / address).resolve() == wanted


@pytest.mark.parametrize(("start", "end"), [("", "ko/"), ("ko/", "")])
def test_the_switch_leads_to_the_section_that_is_read(browser, address, start, end):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{address}/{start}book/attention.html")
    page.locator(".at-language").click()
    page.wait_for_url(f"{address}/{end}book/attention.html")
    page.goto(f"{address}/{start}book/attention.html#who-may-look-at-whom")
    page.locator(".at-language").click()
    page.wait_for_url(f"{address}/{end}book/attention.html#who-may-look-at-whom")
    assert len(page.context.pages) == 1  # in the same tab
    page.close()


def test_without_scripts_the_switch_is_a_link_to_the_page(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/book/masks.html")
    switch = page.get_by_role("link", name="한국어")
    assert switch.get_attribute("lang") == "ko"
    switch.click()
    page.wait_for_url(f"{address}/ko/book/masks.html")
    page.get_by_role("link", name="English").click()
    page.wait_for_url(f"{address}/book/masks.html")
    context.close()


def test_the_korean_search_finds_a_page_and_stays_in_its_edition(browser, address):
    with visit(browser, f"{address}/ko/search.html?q=softmax", width=1280, theme="light") as opened:
        first = opened.page.locator("#search-results li a").first
        first.wait_for()
        opened.page.wait_for_load_state("networkidle")  # a click ends what is still loading
        assert opened.page.url.startswith(f"{address}/ko/")
        first.click()
        opened.page.wait_for_url(f"{address}/ko/book/**")
        assert opened.errors + opened.failed == []
