"""Figure *Merges*: its states are those of the plain algorithm, its tokens sentencepiece's."""

import json
from itertools import pairwise

import pytest
from live_figure import figure_fixture, open_figure
from live_texts import strange_texts

from annotated_transformer.lab.analysis.subwords import Merge, apply_merges
from annotated_transformer.tokenizer import N_FIXED, SPACE_MARK

STEPS = ["Play", "Back", "Next merge"]
STRANGE = "나는 漢字를 읽었다 😀"
TEXTS = ["나는 학생이다", "선생님과 학생은", "The singers met the farmers", "unbelievable", STRANGE]

# Write all of these texts, one after the other, and go to their tokens.
ALL = """async (figure, texts) => {
    const all = [];
    for (const text of JSON.parse(texts)) {
        figure.field.value = text;
        await figure.update();
        const parts = figure.states.map(({parts}) => parts);
        figure.go(Infinity);
        const boxes = [...figure.pieces.children];
        const tokens = boxes.map((box) => box.firstChild.data);
        all.push({text: figure.text, message: figure.message.textContent, parts, tokens});
    }
    return all;
}"""


figure = figure_fixture("merges")


def write(figure, text):
    figure.element.get_by_label("A text, in English or Korean").fill(text)
    figure.settle()


def learned(figure):
    """The merges of the shipped tokenizer, by the order of their ids."""
    pieces = figure.translator.tokenizer.vocabulary()[N_FIXED:]
    return [Merge("", piece, 0) for piece in pieces if len(piece) > 1]


def marked(text):
    """The characters of a text, with a mark for each space."""
    return tuple(SPACE_MARK + text.replace(" ", SPACE_MARK))


def shown(figure):
    """The pieces, without the ids below those of the last state."""
    items = figure.element.locator(".merges-pieces li")
    return items.evaluate_all("items => items.map((item) => item.firstChild.data)")


def number(text):
    return int(text.replace(",", "")) if text else None


def joints(figure):
    """The numbers on the joints of the pieces, or None where no merge joins two."""
    ranks = figure.element.locator(".merges-pieces li").evaluate_all(
        "items => items.slice(0, -1).map(({dataset}) => dataset.rank)"
    )
    return list(map(number, ranks))


def best(figure):
    return number(figure.element.locator("[data-best]").get_attribute("data-rank"))


def off(figure):
    """The buttons that do nothing now."""
    return figure.element.locator(".merges-steps [aria-disabled=true]").all_inner_texts()


def go(figure, place):
    figure.element.evaluate("(figure, place) => figure.go(place)", place)


def step(figure):
    slider = figure.element.get_by_label("Merges done")
    return int(slider.input_value()), int(slider.get_attribute("max"))


def test_at_rest_it_shows_what_the_tokenizer_does(browser, tmp_path, figure):
    fresh = open_figure(browser, tmp_path, "merges", [])
    fresh.element.evaluate("(figure) => { figure.noted = figure.found; }")
    resting = fresh.text(".live-stage")
    fresh.settle()
    assert fresh.text(".live-stage") == resting
    both = fresh.element.evaluate("({noted, found}) => [noted, found].map(JSON.stringify)")
    assert json.loads(both[0]) == json.loads(both[1])
    fresh.page.close()


@pytest.mark.parametrize("text", TEXTS)
def test_one_merge_at_a_time_it_comes_to_the_tokens_of_sentencepiece(figure, text):
    figure.press(text)
    merges, tokenizer = learned(figure), figure.translator.tokenizer
    ranks = {merge.piece: n for n, merge in enumerate(merges, start=1)}
    *wanted, last = map(list, apply_merges(marked(text), merges))
    said = []
    for state in wanted:
        assert shown(figure) == state
        said.append(figure.text(".merges-next-one"))
        joined = [a + b for a, b in pairwise(state)]
        numbers = joints(figure)
        assert numbers == [ranks.get(piece) for piece in joined]
        assert min(filter(None, numbers)) == best(figure)
        pair = figure.element.locator(".merges-next").all_inner_texts()
        piece = "".join(pair)
        assert said[-1] == (
            f"Next: {pair[0]} + {pair[1]} → {piece}, "
            f"learned as number {ranks[piece]:,} of {len(merges):,}."
        )
        figure.press("Next merge")
    assert step(figure) == (len(wanted), len(wanted))
    assert shown(figure) == tokenizer.pieces(text)
    pieces = tokenizer.vocabulary()
    assert [piece for piece in last if piece in pieces] == [
        piece for piece in shown(figure) if not piece.startswith("<0x")
    ]
    ids = figure.element.locator(".merges-id").all_inner_texts()
    assert [int(i) for i in ids] == tokenizer.encode(text)
    # And back the same way.
    for sentence, state in zip(reversed(said), reversed(wanted), strict=True):
        figure.press("Back")
        assert (figure.text(".merges-next-one"), shown(figure)) == (sentence, state)
    assert step(figure)[0] == 0


def test_states_of_many_texts_are_those_of_the_plain_algorithm(figure):
    merges, tokenizer = learned(figure), figure.translator.tokenizer
    texts = strange_texts(figure.translator, 300)
    seen = 0
    for text, found in zip(texts, figure.element.evaluate(ALL, json.dumps(texts)), strict=True):
        if found["message"] and "written as bytes" not in found["message"]:
            continue  # refused
        if found["text"] != text:
            assert set(text) & set("\r\n")  # a field has no line breaks
            continue
        assert found["parts"] == [list(state) for state in apply_merges(marked(text), merges)]
        assert found["tokens"] == tokenizer.pieces(text)
        seen += 1
    assert seen > 200


def test_with_the_keyboard_alone(figure):
    figure.press(TEXTS[2])
    figure.element.get_by_label("Merges done").focus()
    keyboard, last = figure.page.keyboard, step(figure)[1]
    places = {"ArrowRight": 1, "End": last, "ArrowLeft": last - 1, "Home": 0}
    for key, place in places.items():
        keyboard.press(key)
        assert step(figure) == (place, last)
    slider = figure.element.get_by_label("Merges done")
    assert slider.get_attribute("aria-valuetext") == f"0 of {last}"
    figure.button("Next merge").focus()
    keyboard.press("Enter")
    keyboard.press("Space")
    assert step(figure) == (2, last)
    figure.button("Back").focus()
    keyboard.press("Enter")
    keyboard.press("Enter")
    assert shown(figure) == [*marked(TEXTS[2])]


def test_it_plays_to_the_tokens_and_again(browser, tmp_path):
    figure = open_figure(browser, tmp_path, "merges", [])
    figure.press(TEXTS[0])
    clock = figure.page.clock
    clock.install()
    clock.pause_at("2100-01-01")  # from here time goes on only as it is told
    for _ in range(2):
        figure.button("Play").click()
        assert figure.button("Pause").is_visible()
        clock.run_for(60_000)
        assert figure.button("Play").is_visible()
        assert step(figure) == (5, 5)
        assert shown(figure) == figure.translator.tokenizer.pieces(TEXTS[0])
    for stop in ("Pause", "Back"):
        figure.button("Play").click()
        clock.run_for(2_000)
        figure.button(stop).click()
        assert figure.button("Play").is_visible()
        clock.run_for(60_000)
        assert step(figure)[0] == 1
    figure.page.close()


def test_unknown_characters_are_named_and_marked(figure):
    figure.press(STRANGE)
    assert figure.message() == (
        "Not among the 3,000 pieces, and so written as bytes: "
        "漢 (U+6F22), 字 (U+5B57), 😀 (U+1F600)."
    )
    assert figure.element.locator(".merges-strange").all_inner_texts() == ["漢", "字", "😀"]
    go(figure, 1000)
    marked = figure.element.locator(".merges-strange").evaluate_all(
        "items => items.map((item) => item.firstChild.data)"
    )
    assert bytes(int(byte[1:-1], 16) for byte in marked).decode() == "漢字😀"
    write(figure, "the cat")
    assert figure.message() == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Write a text, or choose one of the examples."),
        ("   ", "Write a text, or choose one of the examples."),
        ("a▁b", "The tokenizer cannot keep this text: U+2581 at position 1 of a text: "),
        ("blorp " * 30, "This text has 180 characters, and the figure shows at most 120."),
    ],
)
def test_bad_input_is_answered(figure, text, message):
    figure.press(TEXTS[0])
    write(figure, text)
    for _ in range(2):
        assert figure.message().startswith(message)
        assert (shown(figure), figure.text(".merges-next-one")) == ([], "")
        assert figure.element.get_by_label("Merges done").is_disabled()
        assert off(figure) == STEPS
        figure.settle()
    figure.press(TEXTS[0])
    assert figure.message() == ""
    assert shown(figure) == [*marked(TEXTS[0])]


def test_steps_that_lead_nowhere_are_off_and_keep_the_focus(figure):
    figure.press(TEXTS[0])
    assert off(figure) == ["Back"]
    figure.press("Next merge")
    assert off(figure) == []
    go(figure, 4)
    figure.button("Next merge").focus()
    for _ in range(2):
        figure.page.keyboard.press("Enter")
        assert off(figure) == ["Next merge"]
    assert figure.page.evaluate("document.activeElement.textContent") == "Next merge"
    figure.press("Back")
    assert off(figure) == []


def test_markup_stays_text(figure):
    write(figure, "<b>cat</b>")
    assert shown(figure) == [*marked("<b>cat</b>")]
    assert figure.element.locator("b").count() == 0
