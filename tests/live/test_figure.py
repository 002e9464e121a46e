"""The base class of live figures: what is there without weights, progress, errors, many updates."""

import re

import pytest
from live_weights import model_of

from browser import serve
from live_page import write_page
from rules import ROOT

MODEL = model_of("map")
LIVE = ROOT / "book" / "_static" / "live"
ENGINE = ("transformer", "tokenizer", "search")
FAILED = "The model could not be loaded, so this is only a picture. Reload the page to try again."


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return write_page(tmp_path_factory.mktemp("site"), "map")


@pytest.fixture
def opened(tab, site):
    tab.goto(site.as_uri())
    return tab


@pytest.fixture
def asked(opened):
    """The addresses of the weights that the page has asked for."""
    found = []

    def on_request(request):
        if "/weights/" in request.url:
            found.append(request.url)

    opened.on("request", on_request)
    yield found
    opened.remove_listener("request", on_request)


def drawn(page):
    page.wait_for_function("() => document.querySelector('[data-drawn]:not([aria-busy])')")


def test_the_engine_is_as_short_as_promised():
    code = 0
    for name in ENGINE:
        text = (LIVE / f"{name}.js").read_text("utf-8")
        without_comments = re.sub(r"/\*.*?\*/|^\s*//.*?$", "", text, flags=re.DOTALL | re.MULTILINE)
        code += sum(bool(line.strip()) for line in without_comments.splitlines())
    assert code <= 500


def test_no_script_makes_markup_of_text_or_asks_a_server():
    forbidden = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function"
        r"|\bfetch\(|XMLHttpRequest|\bimport\b|new Worker|https?://(?!www\.w3\.org/2000/svg)"
    )
    for file in LIVE.rglob("*.js"):
        assert forbidden.findall(file.read_text("utf-8")) == [], file.name


def test_weights_are_asked_for_at_the_first_touch_and_once(opened, asked):
    assert asked == []
    opened.locator("textarea").focus()
    drawn(opened)
    opened.locator("textarea").fill("I am a student")
    drawn(opened)
    *parts, pieces = (url.rpartition("/")[2] for url in asked)
    assert len(parts) > 5
    assert parts == [f"{MODEL}-{number}.js" for number in range(len(parts))]
    assert re.fullmatch(r"tokenizer_\w+-0\.js", pieces)  # two models have it


@pytest.mark.parametrize("touch", ["pointer", "key", "focus"])
def test_pointer_key_and_focus_are_touches(opened, asked, touch):
    if touch == "pointer":
        opened.locator(".live-stage").click(position={"x": 3, "y": 3})
    elif touch == "key":
        opened.keyboard.press("Tab")  # to the button that turns the map round
        assert asked == []
        opened.keyboard.press("Tab")
    else:
        opened.locator("textarea").focus()
    drawn(opened)
    assert len(asked) == 9


def test_progress_is_shown_part_by_part(browser, site):
    """The parts are held back one after the other, to look at the bar in between."""
    page = browser.new_page()
    held = []

    def hold(route):
        held.append(route)

    page.route("**/weights/*", hold)
    page.goto(site.as_uri())
    bar = page.locator("progress")
    assert bar.is_hidden()
    page.locator("textarea").focus()
    for number in range(8):
        page.wait_for_function(f"() => document.querySelector('progress').value === {number / 8}")
        assert bar.is_visible()
        assert page.get_by_role("status").inner_text() == "Loading the model."
        while len(held) <= number:
            page.wait_for_timeout(10)
        held[number].continue_()
    while len(held) == 8:
        page.wait_for_timeout(10)
    held[8].continue_()  # the tokenizer
    drawn(page)
    assert bar.is_hidden()
    assert page.get_by_role("status").inner_text() == ""
    page.close()


BREAKS = {
    "missing": lambda text: None,
    "cut": lambda text: text[: len(text) // 2],
    "empty": lambda text: "",
    "short": lambda text: text[:-5000] + '");',
    "another page": lambda text: "<!doctype html><p>404</p>",
    "no base64": lambda text: text.replace(f'"{MODEL}"', '"?"', 1),
}


@pytest.mark.parametrize(("how", "number"), [("missing", 0), *((how, -1) for how in BREAKS)])
def test_weights_that_fail_are_said_and_the_picture_comes_back(tab, site, how, number):
    files = sorted((site.parent / "_static" / "live" / "weights").glob(f"{MODEL}-*.js"))
    name, text = files[number].name, files[number].read_text("ascii")
    broken = BREAKS[how](text)
    if broken is None:
        tab.route(f"**/{name}", lambda route: route.abort())
    else:
        tab.route(f"**/{name}", lambda route: route.fulfill(body=broken))
    tab.goto(site.as_uri())
    tab.locator("textarea").fill("I am a student")
    tab.get_by_text(FAILED).wait_for()
    assert tab.locator("figure > img").is_visible()
    assert tab.locator(".live-stage").is_hidden()
    assert tab.locator("progress").is_hidden()
    assert tab.get_by_text("What to see.").is_visible()
    assert tab.locator("[aria-busy]").count() == 0
    tab.errors.clear()  # a broken script is one


def test_without_javascript_there_is_the_picture(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.as_uri())
    assert page.locator("figure > img").is_visible()
    assert page.get_by_text("What to see.").is_visible()
    context.close()


def test_on_the_screen_the_stage_takes_the_place_of_the_picture_in_print_it_does_not(opened):
    assert opened.locator("figure > img").is_hidden()
    assert opened.locator(".live-still").is_hidden()
    assert opened.locator(".live-stage").is_visible()
    opened.emulate_media(media="print")
    assert opened.locator("figure > img").is_visible()
    assert opened.locator(".live-still").is_visible()
    assert opened.locator(".live-stage").is_hidden()


def test_from_a_server_as_well(browser, site):
    with serve(site.parent) as address:
        page = browser.new_page()
        page.goto(f"{address}/page.html")
        page.locator("textarea").fill("I am a student")
        drawn(page)
        assert page.get_by_label("Korean", exact=True).inner_text() == "나는 학생이다"
        page.close()


# --- the base class, in a figure of the tests

COUNTING = """() => {
    const {LiveFigure, BadInput, h} = AnnotatedTransformer;
    class LiveCounting extends LiveFigure {
        static model = null;
        build(stage) { this.log = []; stage.append(h('button', {}, 'b')); }
        *draw(translator) {
            const {wanted, log} = this;
            log.push(`begin ${wanted} ${translator}`);
            if (wanted === 'bad') throw new BadInput('That is no number.');
            if (wanted === 'broken') throw Error('a bug');
            for (let i = 0; i < 10; i++) {
                for (const since = performance.now(); performance.now() - since < 20;);
                yield;
            }
            log.push(`end ${wanted}`);
        }
    }
    customElements.define('live-counting', LiveCounting);
    const figure = document.createElement('live-counting');
    figure.innerHTML = '<figure><img src="data:," alt="x"><figcaption>y</figcaption></figure>';
    document.querySelector('article').append(figure);
    window.figure = figure;
}"""


@pytest.fixture
def counting(opened):
    opened.evaluate(COUNTING)
    return opened


def test_the_last_one_wins_and_none_pile_up(counting):
    """Each asks while the one before is at work; the page has its turn in between."""
    log = counting.evaluate("""async () => {
        const runs = [];
        for (figure.wanted = 1; figure.wanted <= 5; figure.wanted++) {
            runs.push(figure.update());
            await new Promise((resolve) => setTimeout(resolve, 30));
        }
        figure.wanted = 'last';
        await Promise.all([...runs, figure.update()]);
        return figure.log;
    }""")
    assert log[-2:] == ["begin last null", "end last"]
    assert [line for line in log if line.startswith("end")] == ["end last"]


def test_those_asked_for_at_once_run_once(counting):
    log = counting.evaluate("""async () => {
        figure.wanted = 'a';
        const first = figure.update();
        figure.wanted = 'b';
        await Promise.all([first, figure.update()]);
        return figure.log;
    }""")
    assert log == ["begin b null", "end b"]


def test_bad_input_is_said_and_the_next_message_replaces_it(counting):
    said = counting.evaluate("""async () => {
        const said = [];
        for (figure.wanted of ['bad', 'good']) {
            await figure.update();
            said.push(figure.message.textContent, figure.stage.isConnected, figure.ariaBusy);
        }
        return said;
    }""")
    assert said == ["That is no number.", True, None, "", True, None]


def test_a_bug_is_said_and_logged(counting):
    logged = []
    counting.on("console", lambda message: logged.append((message.type, message.text)))
    counting.evaluate("() => { figure.wanted = 'broken'; return figure.update(); }")
    message = counting.locator("live-counting [role=status]")
    assert message.inner_text().startswith("This figure has stopped working")
    assert [(kind, "a bug" in text) for kind, text in logged] == [("error", True)]


def test_text_stays_text(counting):
    counting.evaluate("() => figure.say('<img src=x onerror=alert(1)>')")
    assert counting.locator("live-counting [role=status] *").count() == 0
