"""The built pages in headless Chromium: wide and narrow, light and dark, other hosts cut off."""

import pytest
import yaml
from fontTools.ttLib import TTFont

from anchors import addresses, lost, stored
from browser import THEMES, WIDTHS, serve, visit
from links import broken_links, missing_pages
from rules import ROOT, toc_files

PAGES = list(toc_files(yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))))
EXTRA = ["search", "genindex"]

OVERFLOW = "() => document.scrollingElement.scrollWidth - window.innerWidth"
UNDRAWN_FORMULAS = """() => [...document.querySelectorAll('.math')].filter((formula) => {
    const drawn = formula.querySelector('mjx-container');
    if (!drawn || drawn.querySelector('mjx-merror, merror, [data-mjx-error]')) return true;
    return formula.checkVisibility() && drawn.getBoundingClientRect().width === 0;
}).map((formula) => formula.textContent)"""
UNDRAWN_CHARTS = """() => [...document.querySelectorAll('.at-chart')].filter((chart) => {
    const drawn = chart.querySelector('canvas, svg')?.getBoundingClientRect();
    return chart.checkVisibility() && !(drawn && drawn.width > 0 && drawn.height > 0);
}).map((chart) => chart.id)"""
BAD_IMAGES = """() => [...document.images].filter(
    (image) => !image.complete || !image.naturalWidth || !image.alt.trim()
).map((image) => `${image.src}: alt ${JSON.stringify(image.alt)}`)"""
UNCAPTIONED = """() => [...document.querySelectorAll('article figure')].filter(
    (figure) => !figure.querySelector('figcaption')?.textContent.trim()).map((f) => f.id)"""
# On a map that is drawn by hand the words of a box stay inside of it, whatever the font.
OUTSIDE_BOX = """() => [...document.querySelectorAll('svg[role="group"] a')].flatMap((link) => {
    const box = link.querySelector('rect')?.getBoundingClientRect();
    return [...link.querySelectorAll('text')].filter((text) => {
        const words = text.getBoundingClientRect();
        return box && (words.left < box.left || words.right > box.right
            || words.top < box.top || words.bottom > box.bottom);
    }).map((text) => text.textContent);
})"""
# Backticks, colons, stars, dollars and roles that the builder should have read and did not.
RAW_MARKUP = r"""() => {
    const shown = 'pre, code, .sig, script, style, .math, mjx-container, .at-chart';
    const walker = document.createTreeWalker(
        document.querySelector('article') ?? document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
        const {data, parentElement} = walker.currentNode;
        if (/`|:::|\*\*|\$|\]\(|\{[\w:-]+\}/.test(data) && !parentElement.closest(shown))
            found.push(data.trim());
    }
    return found;
}"""
HANGUL = """() => [...new Set(
    document.body.innerText.match(/[\\u1100-\\u11ff\\u3130-\\u318f\\uac00-\\ud7a3]/g) ?? [])]"""
# A character without a glyph is drawn as the font's box, the same for all of them.
BOXES = """(characters) => {
    const canvas = Object.assign(document.createElement('canvas'), {width: 40, height: 40});
    const brush = canvas.getContext('2d', {willReadFrequently: true});
    const text = document.querySelector('article') ?? document.body;
    brush.font = `30px ${getComputedStyle(text).fontFamily}`;
    const draw = (character) => {
        brush.clearRect(0, 0, 40, 40);
        brush.fillText(character, 2, 32);
        return brush.getImageData(0, 0, 40, 40).data.join();
    };
    const empty = draw(' '), box = draw('\\u{10fffe}');
    return characters.filter((c) => [empty, box].includes(draw(c)));
}"""


@pytest.fixture(scope="module")
def address(html):
    with serve(html) as address:
        yield address


@pytest.fixture(scope="module")
def web_font(html):
    """Return the characters that the book's own Korean font has a glyph for."""
    (file,) = (html / "_static" / "fonts").glob("*.[otw][tfo][tf]*")
    with TTFont(file) as font:
        return set(font.getBestCmap())


@pytest.mark.parametrize(("width", "theme"), list(zip(WIDTHS, THEMES, strict=True)))
@pytest.mark.parametrize("name", PAGES + EXTRA)
def test_page(browser, address, web_font, name, width, theme):
    """Opened in one theme, then switched to the other: drawing formulas anew would take long."""
    with visit(browser, f"{address}/{name}.html", width=width, theme=theme) as opened:
        assert opened.theme() == theme
        check_what_is_shown(opened, web_font)
        opened.switch_theme()
        assert opened.theme() != theme
        check_what_is_shown(opened, web_font)


def check_what_is_shown(opened, web_font):
    assert opened.foreign_requests == []
    assert opened.errors == []
    assert opened.evaluate(OVERFLOW) <= 0, "the page scrolls sideways"
    assert opened.evaluate(UNDRAWN_FORMULAS) == []
    assert opened.evaluate(UNDRAWN_CHARTS) == []
    assert opened.evaluate(BAD_IMAGES) == []
    assert opened.evaluate(UNCAPTIONED) == []
    assert opened.evaluate(OUTSIDE_BOX) == []
    assert opened.evaluate(RAW_MARKUP) == []
    hangul = opened.evaluate(HANGUL)
    assert opened.page.evaluate(BOXES, hangul) == []
    assert {c for c in hangul if ord(c) not in web_font} == set()


def test_no_address_that_was_published_is_lost(html):
    assert lost(stored(), addresses(html)) == []


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

BROKEN = {
    "another host": "<img src='https://example.org/a.png' alt='x'>",
    "script error": "<script>throw new Error('broken')</script>",
    "console error": "<script>console.error('broken')</script>",
    "missing file": "<script src='nowhere.js'></script>",
}


@pytest.fixture
def open_snippet(browser, tmp_path):
    """Open a page of one's own in the browser."""

    def snippet(body, check, width=390):
        page = f"<!doctype html><meta name=viewport content='width=device-width'>{body}"
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


@pytest.mark.parametrize(
    ("body", "check"),
    [
        ("<div style='width: 500px'>wide</div>", OVERFLOW),
        (
            "<script>window.MathJax = {startup: {promise: 1}}</script><p class=math>x</p>",
            UNDRAWN_FORMULAS,
        ),
        ("<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw=' alt=''>", BAD_IMAGES),
        ("<article><figure id=f><p>no caption</p></figure></article>", UNCAPTIONED),
        (
            "<svg role=group><a href=#><rect width=40 height=20 /><text y=15>too long</text></a>",
            OUTSIDE_BOX,
        ),
        ("<article><p>```{admonition} What <code>fit</code> does</p></article>", RAW_MARKUP),
        ("<article><p>see {ref}<code>there</code> and <pre>**</pre></article>", RAW_MARKUP),
    ],
)
def test_each_check_sees_what_it_is_for(open_snippet, body, check):
    assert open_snippet(body, lambda opened: opened.evaluate(check))
    assert not open_snippet("<p>nothing wrong</p>", lambda opened: opened.evaluate(check))


def test_a_missing_glyph_is_seen(open_snippet):
    missing = open_snippet(
        "<article>나</article>", lambda o: o.page.evaluate(BOXES, ["\U0010fffd", "a"])
    )
    assert missing == ["\U0010fffd"]


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
