"""The map in the built book: from its folder and from a server, every other host cut off."""

import contextlib

import pytest
from live_weights import model_of, read_folder, translator_of

from browser import serve

SENTENCES = [
    "The doctor met the judge who rode the camel",
    "The animal did not cross the street because it was too wide",
    "My grandmother cooked soup for the hungry soldiers",
]
# It is loaded when it comes into view; the figure has hidden it.
PICTURE = """async (image) => {
    image.loading = 'eager';
    await image.decode();
    return image.naturalWidth;
}"""
# Of each word that was written the English word that it looked at most, the end left out.
LINKS = """((figure) => {
    const {across} = AnnotatedTransformer.map;
    const {source, weights} = across(figure.run, figure.plan.last.name);
    const words = source.filter(({end}) => !end);
    return weights.map((row) => row.indexOf(Math.max(...row.slice(0, words.length))));
})"""
# Firefox asks for favicon.ico by itself.
USED = """async (text) => {
    const entries = () => performance.getEntries().filter((e) => !e.name.endsWith('/favicon.ico'));
    const pause = () => new Promise((wait) => setTimeout(wait, 20));
    let field;
    while (!(field = document.querySelector('live-map textarea'))) await pause();
    field.focus();
    field.value = text;
    field.dispatchEvent(new InputEvent('input'));
    const drawn = 'live-map[data-drawn]:not([aria-busy])';
    while (!document.querySelector(drawn)) await pause();
    return {
        target: document.querySelector('.map-out').textContent,
        links: LINKS(document.querySelector('live-map')),
        written: document.querySelectorAll('.map-output').length,
        said: document.querySelector('live-map [role=status]').textContent,
        failed: entries().filter((e) => e.responseStatus >= 400).map((e) => e.name),
    };
}"""


@pytest.fixture(scope="module")
def translator(html):
    """Python, with the weights that the book has."""
    model = model_of("map")
    return translator_of(read_folder(html / "_static" / "live" / "weights", model)[1], model)


@contextlib.contextmanager
def opened_book(browser, html, origin, edition=""):
    """The first page, from its folder or from a server; what it asks for in vain is collected."""
    first = f"{edition}book/index.html"
    with contextlib.ExitStack() as stack:
        if origin == "file":
            address = (html / first).as_uri()
        else:
            address = f"{stack.enter_context(serve(html))}/{first}"
        page, failed = browser.new_page(), []
        page.on("requestfailed", lambda request: failed.append(request.url))
        page.on("response", lambda r: r.status >= 400 and failed.append(r.url))
        page.on("pageerror", lambda error: failed.append(str(error)))
        page.goto(address)
        yield page, failed
        page.close()


ASKED = {"": ("I am a student", "나는 학생이다"), "ko/": ("저는 학생입니다", "I am a student.")}


@pytest.mark.parametrize("edition", ASKED)
@pytest.mark.parametrize("origin", ["file", "server"])
def test_in_the_built_book_no_request_fails(browser, html, origin, edition):
    given, wanted = ASKED[edition]
    with opened_book(browser, html, origin, edition) as (page, failed):
        page.locator("live-map textarea").fill(given)
        page.wait_for_function(
            "(wanted) => document.querySelector('.map-out')?.textContent === wanted", arg=wanted
        )
        assert failed == []
        assert page.locator("live-map figure > img").evaluate(PICTURE) > 0


# Labels of the map that the playback, which stays in view, lies on.
HIDDEN_LABELS = """() => {
    const bar = document.querySelector('.map-bar').getBoundingClientRect();
    const meets = (box) => box.bottom > bar.top + 1 && box.top < bar.bottom - 1
        && box.right > bar.left + 1 && box.left < bar.right - 1;
    return [...document.querySelectorAll('.map-labels *')].filter((label) =>
        label.checkVisibility({visibilityProperty: true}) && label.textContent.trim()
            && meets(label.getBoundingClientRect())).map((label) => label.textContent);
}"""


@pytest.mark.parametrize("width", [1280, 1440])
def test_on_a_low_screen_the_playback_hides_no_label_of_the_map(browser, html, width):
    with opened_book(browser, html, "file") as (page, _):
        page.set_viewport_size({"width": width, "height": 800})
        page.locator(".map-labels .map-output").first.wait_for()
        assert page.evaluate(HIDDEN_LABELS) == []


@pytest.mark.parametrize("origin", ["file", "server"])
def test_in_firefox_the_translations_and_links_are_those_of_python(
    translator, firefox, html, origin
):
    page = firefox.new_page()
    with serve(html) as address:
        first = f"{address if origin == 'server' else html.as_uri()}/book/index.html"
        before = len(firefox.errors)
        for sentence in SENTENCES:
            page.goto(first)
            shown = page.evaluate(USED.replace("LINKS", LINKS), sentence)
            translated = translator(sentence)
            weights = translator.attention(sentence).weights
            assert shown["target"] == translated
            assert shown["links"] == weights.argmax(1).tolist()
            pieces = translator.tokenizer.target_ids(translated)
            assert shown["written"] == len(pieces) - 1
            doubts = translator.translations([sentence])[0].doubts
            said = f"This may be wrong: {'; '.join(doubts)}." if doubts else ""
            assert (shown["said"], shown["failed"]) == (said, [])
    assert firefox.errors[before:] == []


CONTENTS = """() => {
    const contents = document.querySelector('.bd-sidebar-secondary');
    return contents.getBoundingClientRect().height;
}"""


@pytest.mark.parametrize("edition", ASKED)
def test_the_contents_at_the_side_close_while_a_wide_figure_passes(browser, html, edition):
    page = browser.new_page(viewport={"width": 1600, "height": 900})
    page.goto((html / f"{edition}book/masks.html").as_uri())
    page.locator("live-masks").scroll_into_view_if_needed()
    page.evaluate("document.querySelector('live-masks').scrollIntoView()")
    page.wait_for_function(f"({CONTENTS})() <= 48")  # its name alone, as high as the page's head
    page.locator(".bd-sidebar-secondary a").first.focus()
    page.wait_for_function(f"({CONTENTS})() > 300")
    page.locator("live-masks button").first.focus()
    page.wait_for_function(f"({CONTENTS})() <= 48")
    page.locator("#exercises").evaluate("(heading) => heading.scrollIntoView()")
    page.wait_for_function(f"({CONTENTS})() > 300")
    page.close()
