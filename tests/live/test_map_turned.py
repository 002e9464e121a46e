"""The map in the other direction: Korean in, English out, by a model that is loaded on demand."""

import re

import pytest
import torch
from accessibility import violations
from live_weights import model_of, read_folder, translator_of, tried, words_as_in_python

from live_page import write_page

MODELS = {"en": "english_korean_open", "ko": "korean_english"}
SENTENCES = tried("korean_english")
SETTLED = "() => !document.querySelector('[aria-busy]')"
ACROSS = """() => {
    const figure = document.querySelector('live-map');
    return AnnotatedTransformer.map.across(figure.run, figure.plan.last.name);
}"""
LANGUAGES = """() => Object.fromEntries(
    ['.map-field', '.map-out', 'p[aria-live=polite]', '.map-flyer', '.map-token.enc',
     '.map-token.dec', '.map-word', '.map-try'].map((part) => [
        part, [...new Set([...document.querySelectorAll(`live-map ${part}`)].map((e) => e.lang))],
    ]))"""


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    """A page in each language."""
    return {
        language: write_page(tmp_path_factory.mktemp(language), "map", language=language)
        for language in MODELS
    }


@pytest.fixture(scope="module")
def translator(sites):
    """Python, with the weights that the page has."""
    weights = sites["en"].parent / "_static" / "live" / "weights"
    return translator_of(read_folder(weights, MODELS["ko"])[1], MODELS["ko"])


@pytest.fixture
def opened(browser, sites):
    """Open the page of a language; its requests for weights and its errors are collected."""
    pages = []

    def opener(language, *routes):
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.asked, page.errors = [], []
        for address, handler in routes:
            page.route(address, handler)
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.on("request", lambda request: page.asked.append(request.url.rpartition("/")[2]))
        page.emulate_media(reduced_motion="reduce")
        page.goto(sites[language].as_uri())
        pages.append(page)
        page.asked.clear()
        return page

    yield opener
    for page in pages:
        assert page.errors == []
        page.close()


@pytest.fixture(scope="module")
def turned(browser, sites):
    """The English page, turned round."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.emulate_media(reduced_motion="reduce")
    page.goto(sites["en"].as_uri())
    turn(page, "Korean → English")
    yield page
    page.close()


def settle(page):
    page.wait_for_function(SETTLED)
    return page.get_by_role("status").text_content()


def turn(page, name):
    page.get_by_role("button", name=name).click()
    return settle(page)


def give(page, text):
    page.locator("textarea").fill(text)
    return settle(page)


def written(page):
    return page.locator(".map-out").inner_text()


def models_in(asked):
    return {re.sub(r"-\d\.js$", "", file) for file in asked}


def test_each_edition_begins_in_its_own_language():
    assert {language: model_of("map", language) for language in MODELS} == MODELS


def test_only_the_model_that_is_asked_for_is_loaded_and_the_tokenizer_once(opened):
    page = opened("en")
    turn(page, "Korean → English")
    assert page.asked.count("habits.js") == 1  # with the first weights
    both = models_in(page.asked)
    (pieces,) = both - {"korean_english", "habits.js"}
    assert pieces.startswith("tokenizer_")
    page.asked.clear()
    turn(page, "English → Korean")
    assert models_in(page.asked) == {"english_korean_open"}
    page.asked.clear()
    turn(page, "Korean → English")
    assert page.asked == []


def test_the_korean_page_rests_in_korean_and_loads_its_model_at_the_first_touch(opened):
    page = opened("ko")
    assert page.locator("textarea").input_value() == SENTENCES[0] == "나는 학생이다"
    assert written(page) == "I am a student."
    page.get_by_role("button", name="영어 → 한국어").hover()
    page.locator(".map-token.dec").nth(2).hover()
    assert page.asked == []
    page.locator("textarea").focus()
    settle(page)
    assert "korean_english" in models_in(page.asked)
    assert "english_korean_open" not in models_in(page.asked)
    assert written(page) == "I am a student."
    turn(page, "영어 → 한국어")
    assert page.locator("textarea").input_value() == "The doctor will buy a car"
    assert written(page) == "그 의사는 자동차를 살 것이다"
    assert page.get_by_label("영어 문장을 써 보라").count() == 1


@pytest.mark.parametrize("sentence", [*SENTENCES, "저는 학생입니다", "너는 학생이니?"])
def test_the_page_writes_what_python_writes(turned, translator, sentence):
    give(turned, sentence)
    assert written(turned) == translator(sentence)
    read = translator.policy.read(sentence).sentences[0]
    names = turned.locator(".map-token.enc").all_text_contents()
    pieces = translator.tokenizer.pieces(read)
    named = [piece[1:] or "space" if piece.startswith("▁") else f"·{piece}" for piece in pieces]
    assert names == [*named, "end"]
    attention, found = translator.attention(read), turned.evaluate(ACROSS)
    read_words, names, weights = words_as_in_python(found)
    assert read_words == [*attention.source_words]
    assert names == [*attention.target_words]
    wanted = torch.cat([attention.weights, attention.end_of_source[:, None]], dim=1)
    torch.testing.assert_close(weights, wanted, atol=2e-4, rtol=0)


def test_what_is_korean_and_what_is_english_says_so_in_both_directions(opened):
    page = opened("en")
    for button, source, target in (
        ("Korean → English", "ko", "en"),
        ("English → Korean", "en", "ko"),
    ):
        turn(page, button)
        read = {".map-field", ".map-token.enc", ".map-try"}
        found = page.evaluate(LANGUAGES)
        assert found == {part: [source if part in read else target] for part in found}
        assert page.locator("live-map").get_attribute("data-from") == source


def test_source_and_target_keep_their_colours(turned):
    give(turned, SENTENCES[0])
    colours = turned.evaluate("""() => {
        const probe = document.createElement('span');
        document.querySelector('.live-stage').append(probe);
        const of = (value) => { probe.style.color = value; return getComputedStyle(probe).color; };
        const wanted = ['source', 'target'].map((side) => of(`var(--at-${side}-text)`));
        probe.remove();
        const found = ['.map-field', '.map-out'].map((part) =>
            getComputedStyle(document.querySelector(part)).color);
        return [wanted, found];
    }""")
    assert colours[0] == colours[1]


def test_an_unknown_word_is_said_and_the_nearest_spelling_offered(turned, translator):
    text = "나는 학샌이다"
    reasons = "; ".join(translator.policy.about(translator.translations([text])[0]))
    assert reasons.startswith("학샌이다 is not among")
    assert give(turned, text) == f"I cannot: {reasons}. Nothing is written."
    assert written(turned) == "—"
    turned.get_by_role("button", name="Write 학생이다 for 학샌이다").click()
    settle(turned)
    assert turned.locator("textarea").input_value() == "나는 학생이다"
    assert written(turned) == "I am a student."
    give(turned, text)
    turned.get_by_role("button", name="Let it guess").click()
    assert settle(turned) == f"I cannot: {reasons}. The English is a guess."
    assert written(turned) == translator(text)


BAD = {
    "": "Write a sentence in Korean, or choose one of those below.",
    "I am a student": "I cannot: ",
    "?!": "I cannot: there is no word in it.",
}


@pytest.mark.parametrize("text", BAD)
def test_bad_input_is_answered_in_words(turned, translator, text):
    said = give(turned, text)
    assert said.startswith(BAD[text])
    if text:
        assert said == f"{translator.policy.read(text).refusal}."
    assert written(turned) == ""
    give(turned, "나는 학생이다")
    assert written(turned) == "I am a student."


def test_the_picture_in_words_names_the_languages_as_they_are(turned):
    give(turned, SENTENCES[0])
    assert turned.locator(".map-words li").first.text_content() == (
        "The encoder reads “나는”, “학생”, “·이다”, the end of the sentence."
    )
    assert "of every Korean token" in turned.locator(".map-note").inner_text()
    turned.locator(".map-token.enc").nth(1).hover()
    assert turned.locator(".map-told strong").inner_text() == "“학생이다” in the English"
    assert "English words looked at it" in turned.locator(".map-told p").inner_text()


def test_what_the_caption_says_is_so(turned):
    """Of the last layer: what was looked at to write “student”."""
    give(turned, SENTENCES[0])
    found = turned.evaluate(ACROSS)
    row = found["weights"][[word["name"] for word in found["target"]].index("student")]
    assert found["source"][row.index(max(row))]["name"] == "학생이다"


def test_by_the_keyboard(opened):
    page = opened("en")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "map-turn live-only"
    assert page.asked == []
    page.keyboard.press("Enter")
    settle(page)
    assert page.evaluate("() => document.activeElement.textContent") == "⇄ English → Korean"
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.tagName") == "TEXTAREA"
    assert written(page) == "I am a student."


def test_until_the_other_model_answers_nothing_of_the_one_before_can_be_used(opened):
    held, released = [], []

    def hold(route):
        held.append(route)
        if released:
            route.continue_()

    page = opened("en", ("**/weights/*", hold))
    page.get_by_role("button", name="Korean → English").click()
    page.get_by_text("Loading the model.").wait_for()
    assert written(page).strip() == ""
    assert page.evaluate("() => document.querySelector('.map-room').inert")
    page.wait_for_function(
        "() => getComputedStyle(document.querySelector('.map-room')).opacity < 0.5"
    )
    released.append(True)
    for route in [*held]:
        route.continue_()
    settle(page)
    assert not page.evaluate("() => document.querySelector('.map-room').inert")
    assert written(page) == "I am a student."


def test_where_the_other_model_does_not_load_the_picture_stands_there(opened):
    page = opened("en", ("**/korean_english-0.js", lambda route: route.abort()))
    page.get_by_role("button", name="Korean → English").click()
    page.get_by_text("The model could not be loaded").wait_for()
    assert page.locator("figure > img").is_visible()
    assert page.locator(".live-stage").is_hidden()


def test_the_caption_is_that_of_the_direction_and_in_print_of_the_page(opened):
    captions = """() => {
        const caption = document.querySelector('figcaption');
        for (const from of ['en', 'ko']) {
            const span = document.createElement('span');
            span.className = `map-from-${from}`;
            span.textContent = from;
            caption.append(span);
        }
    }"""
    shown = "() => [...document.querySelectorAll('figcaption [class^=map]')]" + (
        ".filter((span) => getComputedStyle(span).display !== 'none').map((s) => s.textContent)"
    )
    for language, other in (("en", "Korean → English"), ("ko", "영어 → 한국어")):
        page = opened(language)
        page.evaluate(captions)
        assert page.evaluate(shown) == [language]
        turn(page, other)
        assert page.evaluate(shown) == ["ko" if language == "en" else "en"]
        page.emulate_media(media="print")  # of the picture, which has not turned
        assert page.evaluate(shown) == [language]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("language", MODELS)
def test_axe_finds_nothing_when_it_is_turned(opened, language, width):
    page = opened(language)
    page.set_viewport_size({"width": width, "height": 900})
    page.locator(".map-turn").click()
    settle(page)
    page.evaluate("""() => {
        const main = document.createElement('main');
        main.append(...document.body.children);
        const title = document.createElement('h1');
        title.textContent = 'The map';
        main.prepend(title);
        document.body.append(main);
    }""")
    assert violations(page) == []
