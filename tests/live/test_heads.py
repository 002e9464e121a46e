"""Figure *Heads*: without heads the page translates as Python does; names are the record's."""

import random

import pytest
import torch
from live_figure import figure_fixture, open_figure

from annotated_transformer.inspection import evaluation_mode, record_attention
from annotated_transformer.lab.analysis.head_names import head_names
from annotated_transformer.lab.analysis.heads import without_heads
from annotated_transformer.lab.records import record

SENTENCES = [
    "Anna bought three books and two apples",
    "The goat did not climb the mountain because it was too high",
    "I want to drink coffee because I am tired",
    "The doctor met the judge who rode the camel",
]
NAMES = {
    "encoder 1": "encoder.layers.0.self_attention",
    "encoder 2": "encoder.layers.1.self_attention",
    "decoder 1": "decoder.layers.0.self_attention",
    "decoder 2": "decoder.layers.1.self_attention",
    "cross 1": "decoder.layers.0.cross_attention",
    "cross 2": "decoder.layers.1.cross_attention",
}
SAME = "The translation is the same as with all heads."


figure = figure_fixture("heads", greedy=True)


@pytest.fixture(autouse=True)
def all_on(figure):
    yield
    if figure.button("Switch all heads on").is_enabled():
        figure.press("Switch all heads on")


def translation_of(figure, removed):
    with without_heads(figure.translator.model, removed):
        return figure.translator(figure.element.get_by_label("English", exact=True).input_value())


def shown(figure):
    """The translation below the board: its words without those that are struck out."""
    words = (
        "e => [...e.children].filter(w => w.localName !== 'del').map(w => w.textContent).join(' ')"
    )
    found = figure.element.locator(".heads-found")
    return found.evaluate(words) or found.inner_text()


def cell(figure, row, head):
    return figure.element.get_by_role("button", name=f"{row}, head {head + 1}")


def switch(figure, row, head):
    cell(figure, row, head).click()
    figure.settle()


def test_at_rest_it_shows_what_the_model_says(browser, tmp_path, figure):
    fresh = open_figure(browser, tmp_path, "heads", [])
    assert fresh.text(".heads-whole") == figure.translator(SENTENCES[0])
    assert fresh.text(".heads-found") == SAME
    assert fresh.button("Switch all heads on").get_attribute("aria-disabled") == "true"
    fresh.page.close()


DIGITS = """() => Object.fromEntries(Object.entries(AnnotatedTransformer.headsAtRest).map(
    ([path, {keys, heads}]) => [path, heads.map((head) => [keys, head])]))"""
# The cells of a map by how strong they are, from its pixels, in the order of queries and keys.
CELLS = """([canvas, keys]) => {
    const side = canvas.width / keys, rows = canvas.height / side;
    const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const alpha = (x, y) => data[4 * (y * canvas.width + x) + 3] / 255;
    const cells = [];
    for (let q = 0; q < rows; q++) {
        for (let k = 0; k < keys; k++) cells.push(alpha(k * side, q * side));
    }
    return cells;
}"""


def weights_of(translator, sentence, removed):
    """The attention weights of all heads, by path, with some heads taken out."""
    model, tokenizer = translator.model, translator.tokenizer
    with without_heads(model, removed):
        written = tokenizer.target_ids(translator(sentence))[:-1]
        with evaluation_mode(model), record_attention(model) as seen:
            model(torch.tensor([tokenizer.source_ids(sentence)]), torch.tensor([written]))
    return {path: seen[path][0] for path in NAMES.values()}


def test_at_rest_the_maps_are_those_of_the_model(figure):
    resting = figure.page.evaluate(DIGITS)
    for path, weights in weights_of(figure.translator, SENTENCES[0], {}).items():
        for (keys, digits), head in zip(resting[path], weights, strict=True):
            assert keys == head.shape[1]
            drawn = torch.tensor([int(digit) / 9 for digit in digits])
            # Half a step of the digits, and what eight bits change.
            torch.testing.assert_close(drawn, head.flatten(), atol=1 / 18 + 0.03, rtol=0)


@pytest.mark.parametrize(
    "removed", [{}, {"cross 1": [1], "encoder 2": [0, 2]}], ids=["all", "some"]
)
def test_each_switch_shows_where_its_head_looks(figure, removed):
    figure.press(SENTENCES[1])
    for row, heads in removed.items():
        for head in heads:
            switch(figure, row, head)
    figure.settle()
    off = {NAMES[row]: heads for row, heads in removed.items()}
    wanted = weights_of(figure.translator, SENTENCES[1], off)
    for row, path in NAMES.items():
        for head in range(4):
            canvas = cell(figure, row, head).locator("canvas").element_handle()
            keys = wanted[path].shape[2]
            cells = torch.tensor(figure.page.evaluate(CELLS, [canvas, keys]))
            torch.testing.assert_close(
                cells, wanted[path][head].flatten().clamp(min=0.06), atol=0.01, rtol=0
            )


def test_heads_have_the_names_that_they_earn(figure):
    names = head_names(record("head_names")["rows"])
    for row, path in NAMES.items():
        for head in range(4):
            earned = sorted(names[path, head], key=len)  # "writing" before "writing counter"
            earned = [kind.removeprefix("writing ") for kind in earned]
            spans = cell(figure, row, head).locator(".heads-name").all_inner_texts()
            assert spans == ([", ".join(earned)] if earned else [])


def test_each_head_alone_changes_the_translation_as_in_python(figure):
    figure.press(SENTENCES[0])
    whole, without = figure.translator(SENTENCES[0]), {}
    for row, path in NAMES.items():
        for head in range(4):
            switch(figure, row, head)
            wanted = translation_of(figure, {path: [head]})
            assert shown(figure) in (wanted, SAME if wanted == whole else wanted)
            without[row, head] = wanted
            switch(figure, row, head)
    # What the chapter says of this sentence.
    assert sum(text == whole for text in without.values()) == 18
    assert without["cross 2", 3] == "안나는 책과 사과 두 개를 샀다"
    assert without["cross 2", 0] == "안나는 책 세 권을 샀다"


def test_the_chapters_pronoun_turns_without_one_head(figure):
    figure.press(SENTENCES[1])
    switch(figure, "cross 1", 1)
    assert shown(figure) == translation_of(figure, {NAMES["cross 1"]: [1]})
    assert shown(figure).startswith("그 염소가")


@pytest.mark.parametrize("seed", range(6))
def test_any_heads_together_change_it_as_in_python(figure, seed):
    draw = random.Random(seed)
    figure.press(SENTENCES[seed % len(SENTENCES)])
    removed = {}
    for row, path in draw.sample(sorted(NAMES.items()), 3):
        removed[path] = draw.sample(range(4), draw.choice([1, 2]))
        for head in removed[path]:
            cell(figure, row, head).click()  # faster than it answers: the last state counts
    figure.settle()
    wanted = translation_of(figure, removed)
    cut = " ".join(wanted.split()[:24])
    assert shown(figure) in (cut, SAME if wanted == figure.text(".heads-whole") else cut)
    assert f"With {24 - sum(map(len, removed.values()))} of 24 heads" in figure.element.inner_text()


def test_a_row_goes_off_and_on_as_a_whole(figure):
    figure.press(SENTENCES[0])
    figure.press("cross 2, all heads")
    assert shown(figure) == translation_of(figure, {NAMES["cross 2"]: range(4)})
    switch(figure, "cross 2", 0)
    assert cell(figure, "cross 2", 0).get_attribute("aria-pressed") == "true"
    figure.press("cross 2, all heads")
    figure.press("cross 2, all heads")
    assert shown(figure) == SAME


def test_what_changed_is_marked(figure):
    figure.press(SENTENCES[0])
    switch(figure, "cross 2", 3)
    marks = {tag: figure.element.locator(tag).all_inner_texts() for tag in ("ins", "del")}
    assert marks == {"ins": ["책과"], "del": ["책", "세", "권과"]}


def test_with_the_keyboard_alone(figure):
    figure.press(SENTENCES[0])
    cell(figure, "encoder 1", 0).focus()
    keyboard = figure.page.keyboard
    for key in ["ArrowUp", *["ArrowDown"] * 5, "ArrowDown", *["ArrowRight"] * 4, " "]:
        keyboard.press(key)
    figure.settle()
    assert shown(figure) == translation_of(figure, {NAMES["cross 2"]: [3]})
    stops = figure.element.locator(".heads-cell[tabindex='0']")
    assert stops.count() == 1
    assert "cross 2, head 4" in stops.text_content()
    keyboard.press("Tab")
    back = figure.button("Switch all heads on")
    assert back.get_attribute("aria-disabled") == "false"
    keyboard.press("Enter")
    figure.settle()
    assert shown(figure) == SAME
    assert back.get_attribute("aria-disabled") == "true"
    assert back.evaluate("button => button === document.activeElement")


def test_nothing_jumps_while_it_is_at_work(figure):
    """A translation that is being made is an empty line, not none."""
    height = figure.element.evaluate(
        """figure => {
            const height = () => figure.stage.offsetHeight, before = height();
            figure.whole.textContent = figure.found.textContent = "";
            return [before, height()];
        }"""
    )
    figure.settle()
    assert height[0] == height[1]


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


def test_a_translation_without_an_end_is_said_to_have_none(figure):
    figure.press(SENTENCES[0])
    figure.press("cross 1, all heads")
    assert figure.message().endswith(". The translation comes to no end and is cut off.")
    assert figure.text(".heads-found").endswith("…")
