"""Figure *Landing*: at rest, after use, by the keyboard alone, and what it answers to bad input."""

import json
import re

import pytest
from live_weights import model_of, read_folder, translator_of

from annotated_transformer.alignment import aligned_words
from annotated_transformer.records import record
from annotated_transformer.shipped import load
from live_page import write_page
from rules import ROOT

SCRIPT = (ROOT / "book/_static/live/figures/landing.js").read_text("utf-8")
SENTENCES = json.loads(re.search(r"const SENTENCES = (\[.*?\]);", SCRIPT, re.DOTALL)[1])
REST = json.loads(re.search(r"const REST = (\{.*?\});", SCRIPT, re.DOTALL)[1])
MODEL = model_of("landing")
WORDS = f"{len({word.lower() for word in load(MODEL).text.words}):,}"
LINKS = """() => document.querySelector('live-landing').links"""
SET = """(text) => {
    const field = document.querySelector('textarea');
    field.value = JSON.parse(text);
    field.dispatchEvent(new InputEvent('input'));
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return write_page(tmp_path_factory.mktemp("landing"), "landing")


@pytest.fixture(scope="module")
def translator(site):
    """Python, with the weights that the page has."""
    weights = site.parent / "_static" / "live" / "weights"
    return translator_of(read_folder(weights, MODEL)[1], MODEL)


@pytest.fixture(scope="module")
def page(browser, site):
    page = browser.new_page()
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda message: page.errors.append(message.text))
    page.goto(site.as_uri())
    yield page
    assert page.errors == []
    page.close()


def give(page, text):
    """Set the text as if it were pasted, half characters too; return what the figure says."""
    page.evaluate(SET, json.dumps(text))
    page.wait_for_function("() => !document.querySelector('[aria-busy]')")
    return page.get_by_role("status").text_content()


def korean(page):
    return " ".join(page.locator(".landing-row[lang=ko] button").all_text_contents())


def english(page):
    return page.locator(".landing-row[lang=en] > span").all_text_contents()


def test_at_rest_it_shows_what_the_model_makes_of_the_first_sentence(page, translator):
    assert english(page) == SENTENCES[0].split(" ")
    assert korean(page) == REST["target"] == translator(SENTENCES[0])
    weights = translator.attention(SENTENCES[0]).weights
    assert page.evaluate(LINKS) == REST["links"] == weights.argmax(1).tolist()
    assert page.locator(".landing-words path").count() == len(REST["links"])
    stored = [share for row in REST["weights"] for share in row]
    end = translator.attention(SENTENCES[0]).end_of_source
    assert weights.flatten().tolist() == pytest.approx(stored, abs=6e-5)
    assert end.tolist() == pytest.approx(REST["ends"], abs=6e-5)


def test_the_number_of_words_that_it_names_is_that_of_the_model():
    (named,) = re.findall(r"knows ([\d,]+) English words", SCRIPT)
    assert named == WORDS


def test_the_five_sentences_are_there_to_be_chosen(page, translator):
    assert len(SENTENCES) == 5
    for sentence in SENTENCES:
        page.get_by_role("button", name=sentence, exact=True).click()
        page.wait_for_function(
            "(text) => document.querySelector('.landing-sentence').textContent === text",
            arg=translator(sentence),
        )
        links = {(word, i) for i, word in enumerate(page.evaluate(LINKS))}
        assert links == aligned_words(translator.attention(sentence).weights)
        assert page.locator("textarea").input_value() == sentence


@pytest.mark.parametrize(
    "text",
    [
        *("pizza and broccoli", "the zebra met the tall Quokka", "I ate 42 pretzels."),
        *("The Doctor met the judge", "I AM A STUDENT"),
    ],
)
def test_words_that_the_model_does_not_know_are_underlined_and_named(page, translator, text):
    found = translator.translations([text])[0]
    unknown = found.unknown_words
    said = give(page, text)
    about = "; ".join(translator.policy.about(found))
    assert said == (f"I cannot: {about}. The Korean is a guess." if about else doubted(found))
    assert korean(page) == translator(text)
    marked = page.locator(".landing-unknown").all_text_contents()
    plain = {word.removesuffix(" (unknown)").strip(",.!") for word in marked}
    assert plain == set(unknown)


def doubted(found):
    return f"This may be wrong: {'; '.join(found.doubts)}." if found.doubts else ""


DOUBTED = {
    "sure": "I am a student",
    "doubted": "The train wants to be tall at five",
    "several": "I am a student. The train wants to be tall at five.",
    "too long": "I saw " + "the cat and the dog and " * 7 + "the bird",
}


@pytest.mark.parametrize("name", DOUBTED)
def test_what_the_model_doubts_is_grey_and_the_reason_is_that_of_python(page, translator, name):
    found = translator.translations([DOUBTED[name]])[0]
    assert found.doubtful == (name != "sure")
    said = give(page, DOUBTED[name])
    assert doubted(found) in said
    assert bool(said) == found.doubtful
    colours = page.evaluate(
        """() => ['.landing-row[lang="ko"]', '.landing-sentence'].map((name) => {
            const probe = document.createElement('span');
            probe.style.color = 'var(--at-neutral-text)';
            document.querySelector('.live-stage').append(probe);
            const grey = getComputedStyle(probe).color;
            probe.remove();
            return getComputedStyle(document.querySelector(name)).color === grey;
        })"""
    )
    assert colours == [found.doubtful] * 2


def test_the_rates_that_it_names_are_those_of_the_record():
    made = record("doubt_open")
    kept = made["kept_english"]
    silent = f"{kept['wrong_not_marked']} were" if kept["wrong_not_marked"] else "none was"
    said = re.sub(r'" \+\s+"', "", SCRIPT)
    assert (
        f"In a test with {kept['sentences']} English sentences that visitors might type, "
        f"{kept['right']} translations were right, though {kept['right_marked']} of these were "
        f"grey, and {silent} wrong without being grey."
    ) in said


NOTHING = "Write an English sentence, or choose one of the five."
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
    "one word without an end": (
        "a" * 2_000_000,
        f"I cannot: {'a' * 40}... is not among the {WORDS} words of this model.",
    ),
    "half a character": (
        "I am \ud83d a student",
        "The model cannot read this text: U+D83D at position 5: a lone surrogate",
    ),
    "the mark for a space": ("a▁b", "The model cannot read this text: U+2581 at position 1"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_answered_in_words(page, name):
    text, answer = BAD[name]
    give(page, "I am a student")
    assert give(page, text).startswith(answer)
    assert korean(page) == ""
    assert give(page, "I am a student") == ""
    assert korean(page) == "나는 학생이다"


REFUSED = {
    "Korean": ("나는 학생이다", "I cannot: '나' is a letter of the script Hangul"),
    "German": ("Ich bin müde", f"I cannot: Ich, bin and müde are not among the {WORDS} words"),
    "markup": (
        "<img src=x onerror=document.title='taken'> student",
        "I cannot: '<', '=' and '>' never occur in this model's training text.",
    ),
    "a sum": ("2 + 2 = 4", "I cannot: '+' and '=' never occur in this model's training text."),
    "marks": ("?!", "I cannot: there is no word in it."),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_english_sentence_is_refused(page, name):
    text, answer = REFUSED[name]
    assert give(page, text).startswith(answer)
    assert (english(page), korean(page)) == ([], "")
    assert page.locator("live-landing img").count() == 1  # the picture
    assert page.title() == "Live figures"


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
    assert english(page) == " ".join(translator.policy.read(text).sentences).split(" ")
    assert korean(page) == translator(text)


def test_of_several_sentences_each_word_looks_at_its_own(page, translator):
    one, other = "I am a student.", "Anna bought three books"
    give(page, f"{one} {other}")
    links = page.evaluate(LINKS)
    wanted = [translator.attention(text).weights.argmax(1).tolist() for text in (one, other)]
    assert links == [*wanted[0], *(link + 4 for link in wanted[1])]


def test_typing_faster_than_it_answers_shows_the_last(page, translator):
    """Every key of the second half of a sentence, with no wait between them."""
    text = SENTENCES[2]
    page.evaluate(
        """(text) => {
            const field = document.querySelector('textarea');
            window.shown = [];
            const sentence = document.querySelector('.landing-sentence');
            const look = () => shown.push(sentence.textContent);
            new MutationObserver(look).observe(sentence, {childList: true});
            for (let end = 20; end <= text.length; end++) {
                field.value = text.slice(0, end);
                field.dispatchEvent(new InputEvent('input'));
            }
        }""",
        text,
    )
    page.wait_for_function("() => !document.querySelector('[aria-busy]')")
    assert page.evaluate("() => shown") == [translator(text)]


def test_by_the_keyboard_alone(page, translator):
    page.locator("body").click(position={"x": 1, "y": 1})
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.tagName") == "TEXTAREA"
    page.keyboard.press("Control+A")
    page.keyboard.type("I am a student")
    page.wait_for_function(
        "() => document.querySelector('.landing-sentence').textContent === '나는 학생이다'"
    )
    page.keyboard.press("Tab")
    attention = translator.attention("I am a student")
    weights, end = attention.weights[0], attention.end_of_source[0]
    words = ["I", "am", "a", "student"]
    shares = [f"{word} {100 * share:.0f} %" for word, share in zip(words, weights, strict=True)]
    detail = page.locator(".landing-detail").inner_text()
    order = weights.argsort(descending=True)[:3]
    shown = [shares[i] for i in order if round(100 * float(weights[i]))]
    shown += [f"the end of the sentence {100 * end:.0f} %"] * (round(100 * float(end)) > 0)
    assert detail == f"나는 looked at {', '.join(shown)}."
    page.keyboard.press("Tab")
    assert page.locator(".landing-detail").inner_text().startswith("학생이다 looked at student")
    for _ in range(5):
        page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.textContent") == SENTENCES[-1]
    page.keyboard.press("Enter")
    page.wait_for_function(
        "(text) => document.querySelector('.landing-sentence').textContent === text",
        arg=translator(SENTENCES[-1]),
    )


def test_a_screen_reader_hears_the_translation_once_one_has_stopped_typing(page):
    give(page, "I am a student")
    page.wait_for_function(
        "() => document.querySelector('[aria-live=polite]').textContent === '나는 학생이다'"
    )
    assert page.get_by_label("English").count() == 1


def test_a_screen_reader_hears_nothing_of_a_translation_that_is_gone(page):
    page.evaluate("""() => {
        const spoken = document.querySelector('[aria-live=polite]');
        window.heard = [];
        const listen = () => heard.push(spoken.textContent);
        new MutationObserver(listen).observe(spoken, {childList: true});
    }""")
    give(page, "Anna bought three books")
    give(page, "")
    page.wait_for_timeout(1000)
    assert page.locator("[aria-live=polite]").text_content() == ""
    assert not any(page.evaluate("() => heard"))


def test_long_sentences_stand_in_columns_that_fit_a_phone(page):
    page.set_viewport_size({"width": 390, "height": 844})
    give(page, SENTENCES[1])
    assert page.locator(".landing-columns").count() == 1
    assert page.evaluate("() => document.scrollingElement.scrollWidth - window.innerWidth") <= 0
    assert (
        page.evaluate("""() => {
        const outer = document.querySelector('.landing-words').getBoundingClientRect();
        return [...document.querySelectorAll('.live-word')].filter((word) => {
            const box = word.getBoundingClientRect();
            return box.left < outer.left || box.right > outer.right;
        }).length;
    }""")
        == 0
    )
    page.set_viewport_size({"width": 1280, "height": 900})
    page.wait_for_function("() => !document.querySelector('.landing-columns')")
