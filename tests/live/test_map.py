"""Figure *Map*: what it answers to what somebody types, by the mouse and by the keyboard alone."""

import json
import math
import re

import pytest
import torch
from live_weights import model_of, read_folder, translator_of, tried

from annotated_transformer.alignment import aligned_words
from annotated_transformer.inspection import evaluation_mode, record_attention
from annotated_transformer.lab.records import record
from annotated_transformer.shipped import load
from live_page import write_page
from rules import ROOT

SCRIPT = (ROOT / "book/_static/live/figures/map/directions.js").read_text("utf-8")
MODEL = model_of("map")
SENTENCES = tried(MODEL)
WORDS = f"{len({word.lower() for word in load(MODEL)[1]['text'].words}):,}"
SET = """(text) => {
    const field = document.querySelector('textarea');
    field.value = JSON.parse(text);
    field.dispatchEvent(new InputEvent('input'));
}"""
SETTLED = "() => !document.querySelector('[aria-busy]')"
ACROSS = """() => {
    const figure = document.querySelector('live-map');
    return AnnotatedTransformer.map.across(figure.run, figure.plan.last.name);
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return write_page(tmp_path_factory.mktemp("map"), "map")


@pytest.fixture(scope="module")
def translator(site):
    """Python, with the weights that the page has."""
    weights = site.parent / "_static" / "live" / "weights"
    return translator_of(read_folder(weights, MODEL)[1], MODEL)


@pytest.fixture(scope="module")
def page(browser, site):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda message: page.errors.append(message.text))
    page.emulate_media(reduced_motion="reduce")
    page.goto(site.as_uri())
    yield page
    assert page.errors == []
    page.close()


def settle(page):
    page.wait_for_function(SETTLED)
    return page.get_by_role("status").text_content()


def give(page, text):
    """Set the text as if it were pasted, half characters too; return what the figure says."""
    page.evaluate(SET, json.dumps(text))
    return settle(page)


def korean(page):
    return page.locator(".map-out").inner_text()


def tokens(page, side):
    return page.locator(f".map-token.{side}").all_text_contents()


def about(page):
    """Title and words of what is told in the free corner."""
    return page.locator(".map-told strong").inner_text(), page.locator(".map-told p").inner_text()


def test_the_number_of_words_that_it_names_is_that_of_the_model():
    (named,) = re.findall(r"knows ([\d,]+) English words", SCRIPT)
    assert named == WORDS


@pytest.mark.parametrize(
    ("name", "language"), [("doubt_open", "English"), ("doubt_korean", "Korean")]
)
def test_the_rates_that_it_names_are_those_of_the_record(name, language):
    kept = record(name)[f"kept_{language.lower()}"]
    silent = f"{kept['wrong_not_marked']} were" if kept["wrong_not_marked"] else "none was"
    said = re.sub(r"\n\s+", " ", SCRIPT)
    assert (
        f"In a test with {kept['sentences']} {language} sentences that visitors might type, "
        f"{kept['right']} translations were right, though {kept['right_marked']} of these were "
        f"grey, and {silent} wrong without being grey. The other "
        f"{kept['wrong_marked'] + kept['refused']} were wrong and grey, or refused."
    ) in said


def test_the_shares_that_the_landing_page_names_are_those_of_the_model(translator):
    """Weights of the last layer, mean of the heads, for tokens that are about to be written."""
    said = (ROOT / "book/index.md").read_text("utf-8")
    tokenizer = translator.tokenizer
    source = torch.tensor([tokenizer.source_ids(SENTENCES[0])])
    target = torch.tensor([tokenizer.target_ids(translator(SENTENCES[0]))])
    with evaluation_mode(translator.model), record_attention(translator.model) as recorder:
        translator.model(source, target[:, :-1])
    weights = recorder["decoder.layers.1.cross_attention"][0].mean(0)
    english, korean = (tokenizer.pieces(text) for text in (SENTENCES[0], translator(SENTENCES[0])))
    for one, other, words in (
        ("▁의사는", "▁doctor", "looked at “doctor”, with more than {:.0f} %"),
        ("▁자동차", "▁car", "looked at “car”, with {:.0f} %"),
        ("▁살", "▁buy", "at “buy”, with {:.0f} %"),
    ):
        share = 100 * float(weights[korean.index(one), english.index(other)])
        assert words.format(math.floor(share) if "more" in words else share) in said


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_sentences_are_there_to_be_tried(page, translator, sentence):
    page.get_by_role("button", name=sentence, exact=True).click()
    page.wait_for_function(
        "(text) => document.querySelector('.map-out').textContent === text",
        arg=translator(sentence),
    )
    settle(page)
    assert page.locator("textarea").input_value() == sentence
    found = page.evaluate(ACROSS)
    attention = translator.attention(sentence)
    assert [word["name"] for word in found["source"][:-1]] == [*attention.source_words]
    assert [word["name"] for word in found["target"]] == [*attention.target_words]
    for row, words, end in zip(
        found["weights"], attention.weights, attention.end_of_source, strict=True
    ):
        assert row == pytest.approx([*words.tolist(), float(end)], abs=2e-4)
    words = range(len(attention.source_words))
    links = {(max(words, key=row.__getitem__), t) for t, row in enumerate(found["weights"])}
    assert links == aligned_words(attention.weights)


def test_each_token_is_there_as_the_model_reads_and_writes_it(page, translator):
    give(page, SENTENCES[1])
    source = translator.tokenizer.pieces(SENTENCES[1])
    target = translator.tokenizer.pieces(translator(SENTENCES[1]))

    def named(pieces):
        names = [p[1:] if p.startswith("▁") else f"·{p}" for p in pieces]
        return [name or "space" for name in names]

    assert tokens(page, "enc") == [*named(source), "end"]
    assert tokens(page, "dec") == ["start", *named(target)]
    assert page.locator(".map-word").all_text_contents() == [*named(target), "end"]


def test_the_probability_beside_a_token_is_that_of_the_model(page, translator):
    import torch  # noqa: PLC0415

    give(page, SENTENCES[2])
    source = translator.tokenizer.source_ids(SENTENCES[2])
    target = translator.tokenizer.target_ids(translator(SENTENCES[2]))
    model = translator.model.eval()
    with torch.no_grad():
        logits = model(torch.tensor([source]), torch.tensor([target[:-1]]))[0]
    shares = logits.softmax(-1)[range(len(target) - 1), target[1:]]
    shown = page.locator(".map-share").all_text_contents()
    assert shown == [f"{100 * share:.0f}\N{NO-BREAK SPACE}%" for share in shares.tolist()]


@pytest.mark.parametrize("text", ["I see a blorp", "the zebra met the tall Quokka"])
def test_an_unknown_word_stops_the_decoder_until_one_asks_for_a_guess(page, translator, text):
    page.locator("textarea").focus()  # nobody comes to the buttons without a first touch
    found = translator.translations([text])[0]
    reasons = "; ".join(translator.policy.about(found))
    assert give(page, text) == f"I cannot: {reasons}. Nothing is written."
    assert korean(page) == "—"
    assert tokens(page, "dec") == []
    assert page.locator(".map-block.dec").count() == 0
    strange = {
        t.removesuffix(" (unknown)") for t in page.locator(".map-strange").all_text_contents()
    }
    last = found.unknown_words[-1]
    assert {name.removeprefix("·") for name in strange} >= {
        piece.removeprefix("▁") for piece in translator.tokenizer.pieces(f" {last}")[-2:]
    }
    assert about(page)[0] == "Nothing is written"
    page.get_by_role("button", name="Let it guess").click()
    assert settle(page) == f"I cannot: {reasons}. The Korean is a guess."
    assert korean(page) == translator(text)
    assert "live-doubtful" in page.locator(".map-out").get_attribute("class")
    assert give(page, "I am a student") == ""
    assert "live-doubtful" not in page.locator(".map-out").get_attribute("class")


def test_the_nearest_spelling_of_an_unknown_word_is_offered(page, translator):
    give(page, "I am a stutent")
    page.get_by_role("button", name="Write student for stutent").click()
    settle(page)
    assert page.locator("textarea").input_value() == "I am a student"
    assert korean(page) == "나는 학생이다"
    give(page, "I see a qqqqqqqqqqqq")
    assert page.get_by_role("button", name="Write").count() == 0


DOUBTED = {
    "sure": "I am a student",
    "doubted": "The bread was taught by no river",
    "left out": "She painted the fence green last weekend",
    "several": "I am a student. The bread was taught by no river.",
    "too long": "I saw " + "the cat and the dog and " * 7 + "the bird",
}


def doubted(found):
    return f"This may be wrong: {'; '.join(found.doubts)}." if found.doubts else ""


@pytest.mark.parametrize("name", DOUBTED)
def test_what_the_model_doubts_is_grey_and_the_reason_is_that_of_python(page, translator, name):
    found = translator.translations([DOUBTED[name]])[0]
    assert found.doubtful == (name != "sure")
    said = give(page, DOUBTED[name])
    assert doubted(found) in said
    assert bool(said) == found.doubtful
    assert korean(page) == translator(DOUBTED[name])
    grey = page.evaluate(
        """() => {
            const probe = document.createElement('span');
            probe.style.color = 'var(--at-neutral-text)';
            document.querySelector('.live-stage').append(probe);
            const grey = getComputedStyle(probe).color;
            probe.remove();
            return getComputedStyle(document.querySelector('.map-out')).color === grey;
        }"""
    )
    assert grey == found.doubtful


def test_a_long_sentence_is_translated_whole_and_drawn_as_far_as_there_is_room(page, translator):
    said = give(page, DOUBTED["too long"])
    assert "The map has room for the first tokens" in said
    assert korean(page) == translator(DOUBTED["too long"])
    assert len(tokens(page, "enc")) == 24


NOTHING = "Write a sentence in English, or choose one of those below."
BAD = {
    "nothing": ("", NOTHING),
    "spaces": (" \t \u3000 ", NOTHING),
    "a line break": ("\n", NOTHING),
    "2,000 words": (
        "the cat sees a dog " * 400,
        "This text has 2,000 words, and the model reads at most 127 tokens",
    ),
    "some too many": (
        "cat " * 128,
        "This text has 128 words, and the model reads at most 127 tokens",
    ),
    "a text without an end": (
        "a" * 2_000_000,
        "The model cannot read this text: it has 2,000,000 characters; expected at most 20,000.",
    ),
    "one long word": (
        "a" * 20_000,
        f"I cannot: {'a' * 40}... is not among the {WORDS} words of this model.",
    ),
    "half a character": (
        "I am \ud83d a student",
        "The model cannot read this text: U+D83D at position 5: a lone surrogate",
    ),
    "the mark for a space": ("a▁b", "The model cannot read this text: U+2581 at position 1"),
    "Korean": ("나는 학생이다", "I cannot: '나' is a letter of the script Hangul"),
    "German": ("Ich bin müde", f"I cannot: Ich, bin and müde are not among the {WORDS} words"),
    "markup": (
        "<img src=x onerror=document.title='taken'> student",
        "I cannot: '<', '=' and '>' never occur in this model's training text.",
    ),
    "a sum": ("2 + 2 = 4", "I cannot: '+' and '=' never occur in this model's training text."),
    "marks": ("?!", "I cannot: there is no word in it."),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_answered_in_words_and_nothing_stale_is_shown(page, name):
    text, answer = BAD[name]
    give(page, "I am a student")
    assert give(page, text).startswith(answer)
    assert (korean(page), tokens(page, "enc"), tokens(page, "dec")) == ("", [], [])
    assert page.locator("live-map img").count() == 1  # the picture
    assert page.title() == "Live figures"
    assert give(page, "I am a student") == ""
    assert korean(page) == "나는 학생이다"


CHANGED = {
    "emoji": (
        "I am a student 👩🏽‍🚀",
        "'👩🏽‍🚀' never occurs in this model's training text and is left out.",
    ),
    "a control": ("I am\x00 a student", "Before it is translated: U+0000 left out."),
    "an invisible space": (
        "I am a \u200b student",
        "Before it is translated: a zero-width space (U+200B) left out.",
    ),
    "pasted lines": (
        "I am\na\r\nstudent\n",
        "Before it is translated: a line break (U+000A) read as a space.",
    ),
    "quotes": ("“I am a student”", "Before it is translated: '“' left out; '”' left out."),
    "spaces": ("  I  am a student ", ""),
    "sentences": (
        "I am a student. You are a teacher",
        "Before it is translated: read as 2 sentences.",
    ),
}


@pytest.mark.parametrize("name", CHANGED)
def test_what_is_read_in_another_way_is_translated_and_said(page, translator, name):
    text, answer = CHANGED[name]
    assert give(page, text) == answer
    assert korean(page) == translator(text)
    first = translator.policy.read(text).sentences[0]
    assert len(tokens(page, "enc")) == len(translator.tokenizer.source_ids(first))


def test_of_several_sentences_each_is_shown_when_asked_for(page, translator):
    one, other = "I am a student.", "Anna bought three books"
    give(page, f"{one} {other}")
    for number, sentence in ((2, other), (1, one)):
        page.get_by_role("button", name=f"Sentence {number}").click()
        settle(page)
        assert tokens(page, "enc")[0] == sentence.split()[0][:2] or sentence.startswith(
            tokens(page, "enc")[0]
        )
        assert len(tokens(page, "enc")) == len(translator.tokenizer.source_ids(sentence))
        assert korean(page) == translator(f"{one} {other}")
    give(page, f"I see a blorp. {other}")
    assert korean(page) == f"— {translator(other)}"
    assert "A sentence with such a word is left out" in page.get_by_role("status").inner_text()


def test_typing_faster_than_it_answers_shows_the_last(page, translator):
    """Every key of the second half of a sentence, with no wait between them."""
    text = SENTENCES[2]
    page.evaluate(
        """(text) => {
            const field = document.querySelector('textarea');
            window.shown = [];
            const sentence = document.querySelector('.map-out');
            const look = () => shown.push(sentence.textContent);
            new MutationObserver(look).observe(sentence, {childList: true});
            for (let end = 20; end <= text.length; end++) {
                field.value = text.slice(0, end);
                field.dispatchEvent(new InputEvent('input'));
            }
        }""",
        text,
    )
    settle(page)
    assert {*page.evaluate("() => shown")} == {translator(text)}


def test_by_the_keyboard_alone(page, translator, site):
    page.goto(site.as_uri())
    page.keyboard.press("Tab")  # the button that turns the map round: see test_map_turned.py
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.tagName") == "TEXTAREA"
    page.keyboard.press("Control+A")
    page.keyboard.type("I am a student")
    settle(page)
    assert korean(page) == "나는 학생이다"

    focused = """() => {
        const element = document.activeElement;
        return element.getAttribute('aria-label') ?? element.textContent;
    }"""
    page.keyboard.press("Tab")  # the blocks are one stop
    assert page.evaluate(focused) == "Encoder: embed + position"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "Encoder, layer 1: self-attention"
    page.keyboard.press("Enter")
    assert page.get_by_role("region", name="Self-attention").is_visible()
    assert page.evaluate(focused) == "Whole map"
    page.keyboard.press("Escape")
    assert page.evaluate(focused) == "Encoder, layer 1: self-attention"
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused) == "am"
    assert about(page)[0] == "“am” in the Korean"
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "start"
    attention = translator.attention("I am a student")
    names = [*attention.source_words, "the end of the sentence"]
    weights = [*attention.weights[0].tolist(), float(attention.end_of_source[0])]
    best = max(range(len(names)), key=weights.__getitem__)
    title, words = about(page)
    assert title == f"Writing “나는”, it looked at “{names[best]}”"
    assert words.startswith(f"“{names[best]}” {100 * weights[best]:.0f}\N{NO-BREAK SPACE}%")
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "One step back"
    page.keyboard.press("Enter")
    assert about(page)[0] != title


def test_a_screen_reader_hears_the_translation_once_one_has_stopped_typing(page):
    give(page, "Anna bought three books")
    give(page, "I am a student")
    page.wait_for_function(
        "() => document.querySelector('p[aria-live=polite]').textContent === '나는 학생이다'"
    )
    assert page.get_by_label("Write a sentence in English").count() == 1


def test_a_screen_reader_hears_nothing_of_a_translation_that_is_gone(page):
    page.evaluate("""() => {
        const spoken = document.querySelector('p[aria-live=polite]');
        window.heard = [];
        const listen = () => heard.push(spoken.textContent);
        new MutationObserver(listen).observe(spoken, {childList: true});
    }""")
    give(page, "Anna bought three books")
    give(page, "")
    page.wait_for_timeout(1000)
    assert page.locator("p[aria-live=polite]").text_content() == ""
    assert not any(page.evaluate("() => heard"))


def test_the_picture_is_there_in_words(page, translator):
    give(page, "I am a student")
    page.get_by_text("This picture in words").click()
    lines = page.locator(".map-words li").all_inner_texts()
    assert lines[0] == "The encoder reads “I”, “am”, “a”, “student”, the end of the sentence."
    assert len(lines) == 1 + 2 + 4 + 1
    assert "after the start of the sentence “나는” with" in lines[-1]


def test_an_enter_that_ends_a_syllable_begins_nothing(page):
    """A Hangul or kana keyboard sends it while a syllable is being written."""
    typed = """(isComposing) => {
        const options = { key: "Enter", isComposing, cancelable: true, bubbles: true };
        const event = new KeyboardEvent("keydown", options);
        return document.querySelector("textarea").dispatchEvent(event);
    }"""
    assert page.evaluate(typed, True)
    assert not page.evaluate(typed, False)
    settle(page)


def test_what_is_not_yet_of_the_sentence_is_pale_until_the_weights_are_there(page, site):
    page.goto(site.as_uri())
    page.wait_for_selector("live-map.live-on textarea")
    waiting = "document.querySelector('live-map').classList.contains('map-waiting')"
    assert page.evaluate(f"""() => {{
        const field = document.querySelector('live-map textarea');
        field.value = 'I am a student';
        field.dispatchEvent(new Event('input', {{ bubbles: true }}));
        return {waiting};
    }}""")
    settle(page)
    assert korean(page) == "나는 학생이다"
    assert not page.evaluate(f"() => {waiting}")
