"""Figure *Positions*: with other orders and other positions the page writes what Python does."""

import random

import pytest
from live_figure import figure_fixture, open_figure

SENTENCES = [
    "The dog saw the cat",
    "Anna likes Tom",
    "My sister gave the teacher a book",
    "Anna bought three books and two apples",
]
WAYS = {
    "place": "its position now (as in the paper)",
    "word": "its first position",
    "none": "no position",
}
DECODER = "adds positions to what it has written"
SAME = " (unchanged)"


figure = figure_fixture("positions", greedy=True)


@pytest.fixture(autouse=True)
def as_at_first(figure):
    yield
    figure.press(SENTENCES[0])
    figure.press("In order")
    set_ways(figure, "place", decoder=True)


def set_ways(figure, way, *, decoder):
    figure.element.get_by_label(WAYS[way]).check()
    figure.element.get_by_label(DECODER).set_checked(decoder)
    figure.settle()


def words(figure):
    """The words as they stand, and the numbers below each."""
    found = figure.element.locator(".positions-word").all_inner_texts()
    return [text.split("\n") for text in found]


def shown(figure):
    """The translation as it stands: its words without those that are struck out."""
    kept = (
        "e => [...e.children].filter(w => w.localName !== 'del').map(w => w.textContent).join(' ')"
    )
    found = figure.element.locator(".positions-found")
    return found.nth(1).evaluate(kept)


def written(figure, sentence, order, way, *, decoder):
    """What Python translates with rows of the sinusoids exchanged or zero."""
    translator = figure.translator
    model, tokenizer = translator.model, translator.tokenizer
    spans = tokenizer.word_spans(sentence)
    places = [token for word in order for token in range(*spans[word])]
    sides = (model.source_positions, model.target_positions)
    before = [side.encoding for side in sides]
    source = before[0].clone()
    if way == "word":
        source[: len(places)] = before[0][places]
    try:
        sides[0].encoding = 0 * source if way == "none" else source
        sides[1].encoding = before[1] * decoder
        return translator(" ".join(sentence.split()[word] for word in order))
    finally:
        for side, encoding in zip(sides, before, strict=True):
            side.encoding = encoding


def move(figure, order):
    """Bring the words from their first order into another by clicks on two at a time."""
    figure.press("In order")
    now, clicks = [*range(len(order))], []
    for place, word in enumerate(order):
        if now[place] != word:
            other = now.index(word)
            clicks += [place, other]
            now[place], now[other] = now[other], now[place]
    # All at once: the figure translates the last order alone.
    words = figure.element.locator(".positions-word")
    words.evaluate_all("(words, clicks) => clicks.forEach((n) => words[n].click())", clicks)
    figure.settle()


def test_at_rest_it_shows_what_the_model_says(browser, tmp_path, figure):
    fresh = open_figure(browser, tmp_path, "positions", [])
    resting = fresh.text(".live-stage")
    assert fresh.element.get_by_label(WAYS["place"]).is_checked()
    assert fresh.element.get_by_label(DECODER).is_checked()
    fresh.settle()
    count = "With this setting you have tried 1 order and got 1 translation."
    assert fresh.text(".live-stage").replace(f"\n\n{count}", "") == resting
    assert fresh.text(".positions-found >> nth=0") == figure.translator(SENTENCES[0])
    fresh.page.close()


@pytest.mark.parametrize("sentence", [SENTENCES[0], SENTENCES[-1]])
@pytest.mark.parametrize("decoder", [True, False])
@pytest.mark.parametrize("way", WAYS)
def test_each_setting_translates_as_python(figure, way, decoder, sentence):
    figure.press(sentence)
    set_ways(figure, way, decoder=decoder)
    whole = figure.translator(sentence)
    draw = random.Random(sentence)
    order = [*range(len(sentence.split()))]
    for _ in range(2):
        wanted = written(figure, sentence, order, way, decoder=decoder)
        cut = " ".join(wanted.split()[:24])
        assert shown(figure) == cut + (SAME if wanted == whole else "")
        draw.shuffle(order)
        move(figure, order)


@pytest.mark.parametrize("sentence", SENTENCES[1:3])
@pytest.mark.parametrize("way", ["word", "none"])
def test_without_places_every_order_reads_alike(figure, way, sentence):
    figure.press(sentence)
    set_ways(figure, way, decoder=True)
    first, orders = shown(figure), {tuple(sentence.split())}
    for _ in range(8):
        before = words(figure)
        figure.press("Shuffle")
        assert words(figure) != before
        assert shown(figure) == first
        orders.add(tuple(word for word, _ in words(figure)))
    counted = f"With this setting you have tried {len(orders)} orders and got 1 translation."
    assert figure.element.get_by_text(counted).is_visible()
    assert first.endswith(SAME) == (way == "word")  # what the model makes of no positions is wrong
    figure.press("In order")
    set_ways(figure, "place", decoder=True)
    figure.press("Backwards")
    assert not shown(figure).endswith(SAME)
    counted = "With this setting you have tried 2 orders and got 2 different translations."
    assert figure.element.get_by_text(counted).is_visible()


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_examples_need_no_positions_in_the_decoder(figure, sentence):
    figure.press(sentence)
    set_ways(figure, "place", decoder=False)
    assert shown(figure) == figure.translator(sentence) + SAME


def test_the_exchanged_nouns_exchange_their_parts(figure):
    figure.element.locator(".positions-word", has_text="dog").click()
    figure.element.locator(".positions-word", has_text="cat").click()
    figure.settle()
    assert shown(figure) == figure.translator("The cat saw the dog")
    assert [word for word, _ in words(figure)] == ["The", "cat", "saw", "the", "dog"]


def test_a_word_is_dragged_to_another_place(figure):
    places = [word.bounding_box() for word in figure.element.locator(".positions-word").all()]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in places]
    mouse = figure.page.mouse
    for taken, to, wanted in (
        (1, 4, ["The", "saw", "the", "cat", "dog"]),
        (4, 0, ["dog", "The", "saw", "the", "cat"]),
        (0, 0, ["dog", "The", "saw", "the", "cat"]),
    ):
        mouse.move(*middles[taken])
        mouse.down()
        mouse.move(middles[to][0] + 3, middles[to][1] + 10, steps=3)
        mouse.up()
        figure.settle()
        assert [word for word, _ in words(figure)] == wanted
    assert figure.element.locator(".positions-word[aria-pressed=true]").count() == 0
    assert shown(figure) == figure.translator(" ".join(wanted)) + (
        SAME if figure.translator(" ".join(wanted)) == figure.translator(SENTENCES[0]) else ""
    )


def test_numbers_are_the_places_of_the_tokens(figure):
    figure.type("The singers met the farmers")
    spans = figure.translator.tokenizer.word_spans("The singers met the farmers")
    assert max(stop - start for start, stop in spans) > 1
    numbers = [", ".join(map(str, range(*span))) for span in spans]
    assert [number for _, number in words(figure)] == numbers
    set_ways(figure, "word", decoder=True)
    figure.press("Backwards")
    assert [number for _, number in words(figure)] == numbers[::-1]
    set_ways(figure, "none", decoder=True)
    assert {number for _, number in words(figure)} == {"none"}
    set_ways(figure, "place", decoder=True)
    lengths = [stop - start for start, stop in reversed(spans)]
    starts = [sum(lengths[:n]) for n in range(len(lengths))]
    wanted = [range(start, start + n) for start, n in zip(starts, lengths, strict=True)]
    assert [number for _, number in words(figure)] == [", ".join(map(str, r)) for r in wanted]


def test_with_the_keyboard_alone(figure):
    figure.element.locator(".positions-word").first.focus()
    keyboard = figure.page.keyboard
    for key in ["Tab", "Enter", "Tab", "Tab", "Tab", "Enter"]:
        keyboard.press(key)
    figure.settle()
    assert [word for word, _ in words(figure)] == ["The", "cat", "saw", "the", "dog"]
    for key in ["Tab", "Tab", "Tab", "Enter"]:
        keyboard.press(key)
    figure.settle()
    assert shown(figure) == figure.translator(SENTENCES[0]) + SAME
    for key in ["Tab", "ArrowDown", "ArrowDown", "Tab", "Space"]:
        keyboard.press(key)
    figure.settle()
    wanted = written(figure, SENTENCES[0], range(5), "none", decoder=False)
    assert shown(figure) == wanted


def test_a_word_alone_has_nothing_to_shuffle(figure):
    figure.type("Hello")
    figure.press("Shuffle")
    assert [word for word, _ in words(figure)] == ["Hello"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Write an English sentence, or choose one of the examples."),
        ("apples " * 130, "tokens (words or pieces of words) at a time: give it one sentence."),
        ("the <b>cat</b>", "'<', '>' and '/' never occur in this model's training text."),
    ],
)
def test_bad_input_is_answered(figure, text, message):
    figure.type(text)
    assert message in figure.message()
    assert figure.element.locator("b").count() == 0


@pytest.mark.parametrize("text", ["", "apples " * 130, "a▁b"])
def test_of_a_sentence_that_cannot_be_read_nothing_is_left(figure, text):
    figure.press(SENTENCES[1])
    figure.type(text)
    assert figure.message()
    assert figure.element.locator(".positions-word").count() == 0
    assert figure.element.locator(".positions-found").all_inner_texts() == ["", ""]
    assert "you have tried" not in figure.element.inner_text()
    figure.press("Shuffle")
    assert figure.message()
    figure.press(SENTENCES[1])
    assert shown(figure) == figure.translator(SENTENCES[1]) + SAME
