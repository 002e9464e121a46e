"""The built pages in headless Chromium: wide and narrow, light and dark, other hosts cut off."""

import contextlib
import shutil
from pathlib import Path

import pytest
import yaml
from accessibility import OF_COLOURS, violations
from fonts import OWN_FONT, OWN_STYLE
from fontTools.ttLib import TTFont
from page_checks import (
    BAD_IMAGES,
    BESIDE_THE_WINDOW,
    BOXES,
    CARD_IS_OPEN,
    CUT,
    CUT_IN_CHARTS,
    DRAWN_AGAIN,
    HANGUL,
    HIGHEST_CARD,
    ICON_ON_THE_TEXT,
    OPEN_FOLDS,
    OUTSIDE_BOX,
    OVERFLOW,
    RAW_MARKUP,
    SCROLLED_BY_KEYBOARD,
    STRETCHED,
    UNCAPTIONED,
    UNDER_THE_CARD,
    UNDRAWN_CHARTS,
    UNDRAWN_FORMULAS,
)
from playwright.sync_api import Error, TimeoutError  # noqa: A004 - Playwright's own name

from anchors import addresses, lost, stored
from browser import THEMES, WIDTHS, Visit, serve, visit
from core import PLACES, WINDOW
from depths import core_of
from links import broken_links, missing_pages
from rules import ROOT, read, toc_files
from weight import budget, compressed_size, over_budget, page_kind

PAGES = list(toc_files(yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))))
EXTRA = ["search", "genindex"]
TABLET = {"width": 1100, "height": 800}  # neither a phone nor wide enough for a margin
ZOOMED = {"width": 320, "height": 256}  # a window of 1280 by 1024 at 400 %


@pytest.fixture(scope="module")
def address(html):
    with serve(html) as address:
        yield address


@pytest.fixture(scope="module")
def web_font(html):
    """Return the characters of the book's Korean font that pages are known to show."""
    characters = set()
    for file in (html / "_static" / "fonts").glob("AnnotatedSansKR-Regular-*.woff2"):
        if not file.stem.endswith("-others"):
            with TTFont(file) as font:
                characters |= set(font.getBestCmap())
    return characters


@pytest.mark.parametrize(("width", "theme"), list(zip(WIDTHS, THEMES, strict=True)))
@pytest.mark.parametrize("name", PAGES + EXTRA)
def test_page(browser, address, html, web_font, name, width, theme):
    """Opened in each width, in one theme and then switched to the other; once without a server.

    All folds are open: what is in them counts as well.
    """
    place = address if width == max(WIDTHS) else f"file://{html}"
    with visit(browser, f"{place}/{name}.html", width=width, theme=theme) as opened:
        loaded = [html / at.removeprefix(place).strip("/") for at in opened.first_view]
        files = [Path(str(file).partition("?")[0]) for file in loaded]
        assert over_budget(name, files, budget()[page_kind(name, files)]) == []
        assert opened.theme() == theme
        check_card(opened, width, has_letters(html, name))
        if width == max(WIDTHS):
            check_first_picture(opened, ROOT / f"{name}.ipynb")
        assert opened.evaluate(OPEN_FOLDS) == []
        opened.show_charts()  # a chart in a closed fold is not drawn
        check_what_is_shown(opened, web_font)
        opened.switch_theme()
        assert opened.theme() != theme
        check_what_is_shown(opened, web_font)
        if width == min(WIDTHS):  # zoomed, a page is equally wide whatever it was before
            check_zoomed(opened)
        with contextlib.suppress(Error):  # if it stays so, axe says where
            opened.page.wait_for_function(SCROLLED_BY_KEYBOARD, timeout=60_000)
        opened.page.emulate_media(reduced_motion="reduce")  # no colour is on its way to another
        assert (name, opened.theme(), violations(opened.page)) == (name, opened.theme(), [])
        if width == max(WIDTHS):  # and so with it those of a phone in this theme
            opened.switch_theme()
            wrong = violations(opened.page, only=OF_COLOURS)  # the others see no difference
            assert (name, opened.theme(), wrong) == (name, opened.theme(), [])


def has_letters(html, name):
    return "at-letters" in (html / f"{name}.html").read_text(encoding="utf-8")


def test_there_are_cards_and_two_depths_to_look_at(html):
    assert has_letters(html, "book/attention")
    assert core_of(read(ROOT / "book/attention.ipynb")).folds


def check_card(opened, width, there):
    """The card of a chapter's letters lies on nothing; a phone has it closed at first."""
    card = opened.page.locator(".at-letters")
    assert card.count() == there
    if there:
        assert opened.evaluate(UNDER_THE_CARD) == []
        assert opened.evaluate(CARD_IS_OPEN) is (width == max(WIDTHS))
        assert card.bounding_box()["height"] <= HIGHEST_CARD


def check_first_picture(opened, chapter):
    """In a chapter at two depths it comes within two screens, of 1280 by 800."""
    if chapter.is_file() and core_of(read(chapter)).folds:
        top, _ = opened.evaluate(PLACES)
        assert 0 < top * opened.page.viewport_size["height"] <= 2 * WINDOW["height"]


def resize(opened, size):
    opened.page.set_viewport_size(size)
    opened.evaluate_in_time(DRAWN_AGAIN)


def check_zoomed(opened):
    before = opened.page.viewport_size
    resize(opened, TABLET)
    assert opened.evaluate(BESIDE_THE_WINDOW) == []
    resize(opened, ZOOMED)
    assert opened.evaluate(OVERFLOW) <= 0, "at 400 % the page scrolls sideways"
    assert opened.evaluate(CUT) == []
    resize(opened, before)


def check_what_is_shown(opened, web_font):
    assert opened.errors + opened.foreign_requests + opened.failed == []
    assert opened.evaluate(OVERFLOW) <= 0, "the page scrolls sideways"
    assert opened.evaluate(UNDRAWN_FORMULAS) == []
    assert opened.evaluate(UNDRAWN_CHARTS) == []
    assert opened.evaluate(CUT_IN_CHARTS) == []
    assert opened.evaluate(BAD_IMAGES) == []
    assert opened.evaluate(STRETCHED) == []
    assert opened.evaluate(UNCAPTIONED) == []
    assert opened.evaluate(OUTSIDE_BOX) == []
    assert opened.evaluate(RAW_MARKUP) == []
    assert opened.evaluate(ICON_ON_THE_TEXT) == []
    hangul = opened.evaluate(HANGUL)
    assert opened.page.evaluate(BOXES, hangul) == []
    assert {c for c in hangul if ord(c) not in web_font} == set()


def test_no_address_that_was_published_is_lost(html):
    assert lost(stored(), addresses(html)) == []


def test_every_address_is_stored_before_it_is_published(html):
    """`make anchors` stores what is new."""
    assert addresses(html) - stored() == set()


CITE = "() => document.querySelector('.at-cite').dataset.citation"


@pytest.mark.parametrize("allowed", [True, False])
def test_the_citation_of_a_listing_is_copied_or_selected(browser, address, html, allowed):
    """By the keyboard; where a page may not write to the clipboard, the entry is selected."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"] * allowed)
    page = context.new_page()
    if not allowed:
        page.add_init_script("delete Navigator.prototype.clipboard")
    page.goto(f"{address if allowed else f'file://{html}'}/book/attention.html")
    page.locator(".at-cite").first.focus()
    page.keyboard.press("Enter")
    status = page.locator(".at-cite + [role=status]").first
    status.filter(has_text="copied" if allowed else "selected").wait_for()
    entry = page.evaluate(CITE)
    assert entry.startswith("@software{annotated_transformer_")
    if allowed:
        assert page.evaluate("() => navigator.clipboard.readText()") == entry
    else:
        assert page.evaluate("() => getSelection().toString()").split() == entry.split()
    context.close()


def test_a_listing_leads_to_its_entry_in_the_reference(html):
    page = (html / "book" / "attention.html").read_text(encoding="utf-8")
    assert 'href="reference.html#annotated_transformer.attention.attention"' in page


def test_book_is_complete_and_its_links_lead_somewhere(html):
    assert missing_pages(html) == []
    assert broken_links(html) == []


# --- the checks themselves, on pages broken on purpose


@pytest.fixture
def short_limit(monkeypatch):
    monkeypatch.setattr("browser.TIMEOUT", 500)


def test_a_window_that_draws_nothing_is_opened_again(browser, tmp_path, monkeypatch):
    """What stops is a window of Chromium, not the page: the next window draws it."""
    (tmp_path / "page.html").write_text("<p>drawn", encoding="utf-8")
    opened_before = []
    show_charts = Visit.show_charts

    def stops_at_first(self):
        opened_before.append(self)
        if len(opened_before) == 1:
            raise TimeoutError("no frame")
        show_charts(self)

    monkeypatch.setattr(Visit, "show_charts", stops_at_first)
    with visit(browser, f"file://{tmp_path}/page.html", width=390, theme="light") as opened:
        assert opened.page.text_content("p") == "drawn"
    assert len(opened_before) == 2


@pytest.mark.usefixtures("short_limit")
def test_a_page_that_never_draws_ends_at_the_limit(browser, tmp_path):
    body = "<script>window.requestAnimationFrame = () => {}</script><p class=at-chart>"
    (tmp_path / "page.html").write_text(body, encoding="utf-8")
    address = f"file://{tmp_path}/page.html"
    with (
        pytest.raises(TimeoutError),
        visit(browser, address, width=390, theme="light"),
    ):
        pass


TWO_TO_ONE = (
    "data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 2 1%22/>"
)
BROKEN = {
    "another host": "<img src='https://example.org/a.png' alt='x'>",
    "script error": "<script>throw new Error('broken')</script>",
    "console error": "<script>console.error('broken')</script>",
    "console warning": "<script>console.warn('broken')</script>",
    "missing file": "<script src='nowhere.js'></script>",
}


@pytest.fixture
def open_snippet(browser, tmp_path):
    """Open a page of one's own in the browser; it brings the font that its text is measured in."""
    shutil.copy(OWN_FONT, tmp_path)

    def snippet(body, check, width=390):
        viewport = "<meta name=viewport content='width=device-width'>"
        page = f"<!doctype html>{viewport}{OWN_STYLE}{body}"
        (tmp_path / "page.html").write_text(page, encoding="utf-8")
        with (
            serve(tmp_path) as address,
            visit(browser, f"{address}/page.html", width=width, theme="light") as opened,
        ):
            return check(opened)

    return snippet


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
def test_what_goes_wrong_is_seen(open_snippet, body):
    assert open_snippet(body, lambda opened: opened.errors or opened.foreign_requests)


WRONG = [
    ("<div style='width: 500px'>wide</div>", OVERFLOW),
    ("<p class=math><mjx-math aria-hidden=true>x</mjx-math></p>", UNDRAWN_FORMULAS),
    (
        "<p class=math><mjx-assistive-mml><math>x</math></mjx-assistive-mml></p>",
        UNDRAWN_FORMULAS,
    ),
    ("<article><p style='width: 2em; overflow: hidden'>unreadable</p></article>", CUT),
    ("<article><p style='margin-right: -10em'>half seen</p></article>", BESIDE_THE_WINDOW),
    ("<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw=' alt=''>", BAD_IMAGES),
    (f"<article><img src='{TWO_TO_ONE}' width=200 height=90 alt=x></article>", STRETCHED),
    ("<article><figure id=f><p>no caption</p></figure></article>", UNCAPTIONED),
    (
        "<svg role=group><a href=#><rect width=40 height=20 /><text y=15>too long</text></a>",
        OUTSIDE_BOX,
    ),
    ("<form><i style='position: absolute'>o</i><input></form>", ICON_ON_THE_TEXT),
    ("<article><p>```{admonition} What <code>fit</code> does</p></article>", RAW_MARKUP),
    ("<article><p>see {ref}<code>there</code> and <pre>**</pre></article>", RAW_MARKUP),
]


@pytest.mark.parametrize(("body", "check"), WRONG)
def test_each_check_sees_what_it_is_for(open_snippet, body, check):
    assert open_snippet(body, lambda opened: opened.evaluate(check))


def test_no_check_sees_anything_where_nothing_is_wrong(open_snippet):
    checks = dict.fromkeys(check for _, check in WRONG)
    seen = open_snippet("<p>nothing wrong</p>", lambda opened: list(map(opened.evaluate, checks)))
    assert not any(seen)


def test_a_missing_glyph_is_seen(open_snippet):
    missing = open_snippet(
        "<article>나</article>", lambda o: o.page.evaluate(BOXES, ["\U0010fffd", "a"])
    )
    assert missing == ["\U0010fffd"]


def test_a_violation_names_rule_and_element(open_snippet):
    pale = "<p>black</p><p id=pale style='color: #aaa'>pale</p>"
    body = f"<main><h1>x</h1>{pale}<img id=mute src=data:,></main>"
    found = open_snippet(body, lambda opened: violations(opened.page))
    assert [": ".join(v.split(": ")[:2]) for v in found] == [
        "color-contrast: #pale",
        "document-title: html",
        "html-has-lang: html",
        "image-alt: #mute",
    ]


def test_a_simplified_page_keeps_its_faults(open_snippet):
    """Of each kind of word in a listing the first is looked at, in formulas the spoken text."""
    word = "<span class=k style='color: {}'>word</span>"
    listing = "<div class=highlight><pre>" + word.format("#aaa") * 3 + "</pre></div>"
    spoken = "<mjx-assistive-mml><math><mi>y</mi></math></mjx-assistive-mml>"
    formula = f"<mjx-math>x</mjx-math>{spoken}"

    def check(opened):
        rules = [v.split(": ")[0] for v in violations(opened.page)]
        count = opened.evaluate("() => document.querySelectorAll('.k, math > *').length")
        return count, rules, opened.page.text_content("i")

    count, rules, spoken = open_snippet(f"<main>{listing}<i>{formula}</i></main>", check)
    assert count == 1
    assert rules.count("color-contrast") == 1
    assert spoken == "y"


def test_a_simplified_formula_keeps_its_faults(open_snippet):
    """A wide one that Tab does not reach, and one that leaves a header without a name."""
    spoken = "<mjx-assistive-mml><math><mi>y</mi></math></mjx-assistive-mml>"
    wide = "<mjx-math style='display: inline-block; width: 900px'>x</mjx-math>"
    box = "<mjx-container style='display: block; overflow-x: auto'>"
    head = f"<table><tr><th><mjx-math>x</mjx-math>{spoken}</th><td>1</td></tr></table>"
    body = f"<main>{box}{wide}{spoken}</mjx-container>{head}</main>"
    rules = ["empty-table-header", "scrollable-region-focusable"]

    def check(opened):
        return [v.split(": ")[0] for v in violations(opened.page, only=rules)]

    assert open_snippet(body, check) == rules
    named = body.replace("<math>", "<math aria-label=y>")
    named = named.replace("<mjx-container", "<mjx-container tabindex=0")
    assert open_snippet(named, check) == []


OF_A_WHOLE_PAGE = ["document-title", "html-has-lang"]


def rules_broken(opened, only=None):
    return [violation.split(": ")[0] for violation in violations(opened.page, only)]


MARK = "<path role=graphics-symbol aria-roledescription=bar aria-label='{}' d='M0 0h9v9'></path>"


@pytest.mark.parametrize(
    ("body", "left", "broken"),
    [
        ("<p>a <em>b</em> <em>c</em> <code>d</code> <code>e</code></p>", 2, []),
        ("<p>a <em>b</em> <em class=pale>one</em> <em class=pale>two</em>", 2, ["color-contrast"]),
        ("<p>a <em>b</em> <em role=nonsense>c</em> <em>d</em></p>", 2, ["aria-roles"]),
        (
            "<div style='overflow: auto; width: 5em; height: 4em'>"
            "<div style='white-space: nowrap'>a <em>long</em> <em>line</em> in a box</div></div>",
            2,
            ["scrollable-region-focusable"],
        ),
        (f"<svg>{''.join(map(MARK.format, 'abc'))}</svg>", 1, []),
        (f"<svg>{''.join(map(MARK.format, 'a b'))}</svg>", 2, ["svg-img-alt"]),
        (f"<svg>{MARK.format('a')}{MARK.format('b').replace('bar', 'x')}<rect /></svg>", 2, []),
        ("<svg role=img><rect width=9 height=9 /><path d='M0 0h9' /></svg>", 0, ["svg-img-alt"]),
    ],
)
def test_what_is_left_out_for_axe_hides_no_fault(open_snippet, body, left, broken):
    style = "<style>.pale { color: #aaa } article { font-size: 16px }</style>"
    parts = "article :is(em, strong, code, path, rect)"

    def check(opened):
        found = [rule for rule in rules_broken(opened) if rule not in OF_A_WHOLE_PAGE]
        return opened.evaluate(f"() => document.querySelectorAll('{parts}').length"), found

    page = f"{style}<main><article><h1>x</h1>{body}</article></main>"
    assert open_snippet(page, check) == (left, broken)


def test_for_its_colours_alone_a_page_is_smaller_and_keeps_its_faults(open_snippet):
    """The grounds of what is looked at are those that it had: no row of a table is left out."""
    style = "<style>.pale { color: #aaa } tr:nth-child(even) { background: #888 }</style>"
    rows = "<table><tr><td>a<tr><td><em class=pale>word</em><tr><td>c</table>"
    link = "<p>word <i>word</i> <a href=# style='color: #00f; text-decoration: none'>link</a></p>"
    body = f"<article><p>d</p><ul><li>e<li class=pale>word<li>g</ul>{link}{rows}</article>"

    def check(opened):
        found = rules_broken(opened, OF_COLOURS)
        return opened.evaluate("() => document.querySelectorAll('li, tr, i').length"), found

    count, broken = open_snippet(f"{style}<main>{body}</main>", check)
    assert count == 1 + 3
    assert broken.count("color-contrast") >= 2
    assert "link-in-text-block" in broken


def test_weight_is_measured_as_it_is_sent(tmp_path):
    heavy, light = tmp_path / "heavy.js", tmp_path / "light.js"
    heavy.write_bytes(bytes(range(256)) * 40)
    light.write_bytes(b" " * 10_000)  # compressed this is nothing
    assert over_budget("book/x", [light], {"script": 100, "total": 100}) == []
    assert over_budget("book/x", [heavy, light], {"script": 100, "style": 0, "total": 10**6}) == [
        f"book/x: script has {weight:,} bytes, more than 100: heavy.js {a:,}, light.js {b:,}"
        for a, b in [(compressed_size(heavy), compressed_size(light))]
        for weight in [a + b]
    ]


def test_a_chapter_that_shows_a_chart_at_once_may_load_its_library():
    library = [Path("x/vega-bundle.js")]
    assert page_kind("book/index", library) == "page"
    assert page_kind("book/attention", []) == "chapter"
    assert page_kind("book/attention", library) == "chapter_with_chart"
    assert set(budget()) == {"page", "chapter", "chapter_with_chart"}


def test_a_broken_link_names_page_and_link(tmp_path):
    (tmp_path / "a.html").write_text(
        "<p id='here'><a href='#here'>1</a><a href='#gone'>2</a><a href='b.html'>3</a>"
        "<a href='/a.html'>4</a><a href='https://example.org/x'>5</a><img src='c.png'>",
        encoding="utf-8",
    )
    wrong = broken_links(tmp_path)
    assert [w.split("'")[1] for w in wrong] == ["#gone", "/a.html", "b.html", "c.png"]
    assert all(w.startswith("a.html: ") for w in wrong)


def test_a_missing_page_is_named(tmp_path):
    (tmp_path / "_toc.yml").write_text("root: book/index\nchapters: [{file: book/gone}]\n")
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "index.html").write_text("<p>")
    assert [w.split()[2] for w in missing_pages(tmp_path, tmp_path)] == ["book/gone"]
