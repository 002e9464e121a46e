"""Figure *The whole model*: what its steps show is what minimal.py computes."""

import inspect
import re
from operator import attrgetter

import pytest
import torch
from live_figure import BAD_SENTENCES, open_figure
from live_journey import DECODER, DECODER_STEPS, ENCODER, ENCODER_STEPS, Journey
from live_weights import check_nearly_stored

import live_trace
from annotated_transformer import minimal

STUDENT, CAT = "I am a student", "The cat saw the dog"
LONG = "The animal did not cross the street because it was too tired"
STEPS = ENCODER_STEPS + DECODER_STEPS
# As the paper calls them, or says them.
NAMES = [
    "Embedding, times √d_model",
    "Plus position",
    "Encoder layer 1, self-attention: queries, keys, values",
    "Encoder layer 1, self-attention: scores over √dₖ",
    "Encoder layer 1, self-attention: softmax",
    "Encoder layer 1, self-attention: weighted sum",
    "Encoder layer 1, self-attention: Wᴼ",
    "Encoder layer 1: add and norm",
    "Encoder layer 1, feed-forward: inner, with ReLU",
    "Encoder layer 1, feed-forward: outer",
    "Encoder layer 1: add and norm",
    "Encoder layer 2: the memory",
    "Decoder: embedding, times √d_model, plus position",
    "Decoder layer 1: masked self-attention, add and norm",
    "Decoder layer 1: encoder-decoder attention, add and norm",
    "Decoder layer 1: feed-forward, add and norm",
    "Decoder layer 2",
    "Projection to the vocabulary",
    "Softmax: the next word",
]
# What the steps show besides what they end with.
BEFORE = {
    f"{DECODER}.after_attention": f"{DECODER}.self_attention.weights",
    f"{DECODER}.after_cross_attention": f"{DECODER}.cross_attention.weights",
    "decoder": "decoder.layers.1.cross_attention.weights",
}
SET = "(input, value) => { input.value = value; input.dispatchEvent(new Event('input')); }"
BARS = """panel => [...panel.querySelectorAll('.journey-bars')].map(path => ({
    heights: path.getAttribute('d').match(/V[-.0-9]+/g).map(part => -part.slice(1)),
    said: path.closest('svg').nextElementSibling.textContent,
}))"""
# What would be shown of a row in which a single unit is above 0.
ONE_UNIT = """figure => {
    const seen = new Map(figure.read.seen);
    seen.set("encoder.layers.0.feed_forward.inner", { row: () => [-1, 2, -3, -4] });
    const read = figure.read;
    figure.read = { ...read, seen };
    figure.redraw();
    const text = figure.querySelector(".journey-shown").textContent;
    figure.read = read;
    figure.redraw();
    return text;
}"""
TABLES = """panel => [...panel.querySelectorAll('table')].map(table =>
    [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent)))"""


@pytest.fixture(scope="module")
def errors():
    return []


@pytest.fixture(scope="module")
def figure(browser, tmp_path_factory, errors):
    figure = open_figure(browser, tmp_path_factory.mktemp("journey"), "journey", errors)
    figure.translator.beam_size, figure.translator.alpha = 1, 0.0  # greedy, as the page
    yield figure
    assert errors == []


@pytest.fixture(scope="module")
def journey(figure):
    """PyTorch's side of a sentence, computed once."""
    found = {}

    def journey_of(text):
        if text not in found:
            found[text] = Journey(figure.translator, text)
        return found[text]

    return journey_of


def number(text):
    return float(text.replace("−", "-"))


def go(figure, step):
    figure.element.get_by_role("slider").evaluate(SET, step + 1)
    figure.settle()


def tokens(figure, side):
    """The tokens of the encoder (0) or of the decoder (1), as buttons."""
    return figure.element.locator(".journey-tokens").nth(side).locator("button")


def follow(figure, text, token, row=None):
    """Choose a sentence, one of its tokens and a row of the decoder."""
    figure.type(text)
    tokens(figure, 0).nth(token).click()
    if row is not None:
        tokens(figure, 1).nth(row).click()
    figure.settle()


def backwards(figure):
    name = f"backwards: size of the gradient (only for “{STUDENT}”)"
    return figure.element.get_by_role("radio", name=name)


def chosen(figure):
    pressed = "bs => bs.flatMap((b, n) => b.ariaPressed === 'true' ? [n] : [])"
    found = [tokens(figure, side).evaluate_all(pressed) for side in (0, 1)]
    return [row for rows in found for row in rows]


def pieces(figure, ids):
    names = {1: "<bos>", 2: "<eos>"}
    vocabulary = figure.translator.tokenizer.vocabulary()
    return [names.get(i, vocabulary[i]) for i in ids]


def check_bars(bars, wanted):
    """Compare bars and what is said of them with the numbers of a row."""
    numbers = wanted.flatten()
    said = bars["said"].rpartition("above 0; ")[2]
    first, norm, largest = re.fullmatch(
        r"(.*) …; norm ([\d.]+); the longest bar is ([\d.]+)", said
    ).groups()
    assert [number(x) for x in first.split(", ")] == pytest.approx(numbers[:3].tolist(), abs=0.006)
    assert float(norm) == pytest.approx(numbers.norm().item(), abs=0.006)
    assert float(largest) == pytest.approx(numbers.abs().max().item(), abs=0.006)
    heights = torch.tensor(bars["heights"]) * numbers.abs().max()
    assert len(heights) == len(numbers)
    assert torch.allclose(heights, numbers, atol=0.002 * numbers.abs().max().item())


def check_step(figure, journey, step, token, row):
    """Compare what a step shows of a token, or of a row of the decoder, with PyTorch."""
    panel = figure.element.locator(".journey-shown")
    at = token if step < len(ENCODER_STEPS) else row
    bars, tables = panel.evaluate(BARS), panel.evaluate(TABLES)
    for name in [BEFORE[name] for name in STEPS[step] if name in BEFORE] + STEPS[step]:
        tensor = journey.seen[name]
        assert f" = ({', '.join(map(str, tensor.shape))})" in panel.inner_text()
        if name in ("output", "probabilities"):
            best = tensor[row].topk(5)
            shown = tables.pop(0)
            assert [cells[0] for cells in shown] == pieces(figure, best.indices.tolist())
            percent = 100 if name == "probabilities" else 1
            found = [number(cells[1].removesuffix(" %")) / percent for cells in shown]
            assert found == pytest.approx(best.values.tolist(), abs=0.006 / percent)
        elif name.endswith((".scores", ".weights")):
            keys = journey.written if "decoder.layers.0.self" in name else journey.source
            shown = tables.pop(0)
            assert [cells[0] for cells in shown] == pieces(figure, keys)
            for key, cells in enumerate(shown):
                if keys is journey.written and key > row:
                    assert cells[1:] == ["masked"] * 4
                    assert tensor[:, at, key].tolist() == [0] * 4
                else:
                    found = [number(cell) for cell in cells[1:]]
                    assert found == pytest.approx(tensor[:, at, key].tolist(), abs=0.011)
        else:
            check_bars(bars.pop(0), tensor.select(-2, at))
    assert (bars, tables) == ([], [])


def test_at_rest_it_shows_what_the_model_says(browser, tmp_path, errors):
    figure = open_figure(browser, tmp_path, "journey", errors)
    resting = figure.text(".live-stage"), figure.element.locator(".journey-shown").evaluate(BARS)
    stored = "f => [f.read.ids, f.read.readers, f.read.sizes, f.read.next]"
    known = figure.element.evaluate(stored)
    figure.settle()
    assert figure.text(".live-stage") == resting[0]
    assert figure.element.evaluate(stored) == known
    assert figure.element.evaluate("f => f.read.seen.size") > 1
    wanted = Journey(figure.translator, STUDENT)
    check_bars(resting[1][0], wanted.seen["source_embedding"][3])
    check_step(figure, wanted, 0, 3, 1)
    figure.page.close()


@pytest.mark.parametrize(
    ("text", "token", "row"),
    # The units of the last one are all silent: there is a row of zeros to draw.
    [(STUDENT, 3, None), (STUDENT, 0, 3), (CAT, 4, 2), (LONG, 12, None), (LONG, 8, 0)],
)
def test_every_step_shows_the_numbers_of_pytorch(figure, journey, text, token, row):
    follow(figure, text, token, row)
    wanted = journey(text)
    assert chosen(figure) == [token, wanted.readers()[token] if row is None else row]
    assert figure.text(".journey-sizes").startswith(
        f"n = {len(wanted.source)} English tokens, m = {len(wanted.written)} Korean tokens"
    )
    row = chosen(figure)[1]
    for step, name in enumerate(NAMES):
        go(figure, step)
        assert figure.text(".journey-name") == name
        check_step(figure, wanted, step, token, row)
    assert f"the most probable token is {pieces(figure, wanted.next)[row]}." in figure.text(
        ".journey-words"
    )
    # As the last step says.
    rest = 1 - wanted.seen["probabilities"].max(-1).values
    assert ((rest > 0.06) & (rest < 0.13)).all()
    assert wanted.seen["probabilities"].topk(2).values[:, 1].max() < 0.002


# What is drawn of the two rows before the weights are there, and after: numbers and their scale.
DRAWN = """figure => {
    const {STEPS, REST} = AnnotatedTransformer.journey;
    const row = ({part}) => part === "encoder" ? 3 : 1;
    const plain = ({values, scale, ...more}) => ({values: values && [...values], scale, ...more});
    const of = (read) => STEPS.flatMap((step) => [
        ...step.shows.filter(([form]) => form !== "scores" && form !== "weights").map(
            ([form, name]) => plain(read.drawn(name, row(step)))),
        ...(step.looks ? [{looks: [...read.looks(step.looks[0], row(step))]}] : [])]);
    return [of(REST), of(figure.read)];
}"""


def test_what_is_drawn_at_rest_is_what_the_model_says(figure):
    follow(figure, STUDENT, 3)
    known, found = figure.element.evaluate(DRAWN)
    assert len(known) == 25
    for one, other in zip(known, found, strict=True):
        assert one.keys() == other.keys()
        if one.get("values"):
            assert one["scale"] == pytest.approx(other["scale"], rel=0.01)
            scale = one["scale"]
            wanted = [max(-scale, min(scale, x)) for x in other["values"]]
            assert one["values"] == pytest.approx(wanted, abs=0.03 * scale)
        for name in {"looks", "logits", "shares"} & one.keys():
            assert one[name] == pytest.approx(other[name], abs=0.006)


def test_the_tool_makes_what_is_stored():
    torch.set_num_threads(1)
    check_nearly_stored(live_trace.journey_script(), live_trace.JOURNEY.read_text("utf-8"))


# How high the lines of the rows are at the left edge of a step's picture.
LINES = """(canvas, rows) => {
    const context = canvas.getContext("2d");
    const pitch = canvas.height / rows, {data} = context.getImageData(3, 0, 1, canvas.height);
    return [...Array(rows).keys()].map((row) => {
        let high = 0;
        for (let y = row * pitch; y < (row + 1) * pitch; y++) high += data[4 * y + 3] > 90;
        return high;
    });
}"""


def test_backwards_the_lines_are_as_wide_as_the_gradients(figure, journey):
    norms = journey(STUDENT).gradients(1)["encoder"]
    follow(figure, STUDENT, 3)
    backwards(figure).check()
    figure.settle()
    for step in (0, 8, 11):
        canvas = figure.element.locator(".journey-box").nth(step).locator("canvas")
        lines = canvas.evaluate(LINES, 5)
        largest = max(map(max, norms))
        wanted = [12 * (row[step] / largest) ** 0.5 for row in norms]
        assert lines == pytest.approx(wanted, abs=1.6)
    follow(figure, CAT, 3)


def test_units_above_zero_are_counted(figure, journey):
    follow(figure, CAT, 1)
    go(figure, 8)
    count = int((journey(CAT).seen[f"{ENCODER}.feed_forward.units"][1] > 0).sum())
    assert f"{count} of 512 units are above 0" in figure.text(".journey-shown")


def test_one_unit_is_and_others_are(figure):
    follow(figure, CAT, 1)
    go(figure, 8)
    shown = figure.element.evaluate(ONE_UNIT)
    assert "1 of 4 units is above 0; " in shown


def test_another_token_keeps_the_row_that_was_chosen(figure, journey):
    readers = journey(STUDENT).readers()
    follow(figure, CAT, 0)  # a new sentence forgets the choice
    follow(figure, STUDENT, 0)
    go(figure, 12)
    assert chosen(figure) == [0, readers[0]]
    assert "It is the row that looks at ▁I most" in figure.text(".journey-words")
    follow(figure, STUDENT, 3)
    assert chosen(figure) == [3, readers[3]]
    tokens(figure, 1).nth(2).click()
    tokens(figure, 0).nth(0).click()
    figure.settle()
    assert chosen(figure) == [0, 2]
    words = figure.text(".journey-words")
    assert "looks at ▁I most in layer 2 (mean of the heads) is another: <bos> → ▁나는." in words


def test_backwards_another_token_keeps_the_loss(figure, journey):
    follow(figure, CAT, 0)
    follow(figure, STUDENT, 3)
    row = journey(STUDENT).readers()[3]
    backwards(figure).check()
    loss = figure.text(".journey-sizes")
    for token in range(5):
        follow(figure, STUDENT, token)
        assert chosen(figure) == [token, row]
        assert figure.text(".journey-sizes") == loss


def test_the_drawing_has_the_shapes(figure, journey):
    follow(figure, CAT, 1)
    wanted = journey(CAT)
    boxes = figure.element.locator(".journey-box .journey-shape").all_inner_texts()
    shapes = [tuple(wanted.seen[names[-1]].shape) for names in STEPS]
    assert boxes == [str(shape) for shape in shapes]


def test_the_code_is_that_of_minimal(figure):
    follow(figure, STUDENT, 3)
    for step in range(len(STEPS) - 1):
        go(figure, step)
        where, _, code = figure.text(".journey-code").partition(":")
        source = inspect.getsource(attrgetter(where.removeprefix("minimal.py, "))(minimal))
        for line in code.splitlines():
            assert line in source, line
    go(figure, len(STEPS) - 1)
    assert figure.text(".journey-code") == "minimal.py ends with the scores."


def test_backwards_it_shows_the_gradients_of_pytorch(figure, journey):
    wanted = journey(STUDENT)
    follow(figure, STUDENT, 3)
    backwards(figure).check()
    first = torch.tensor(wanted.gradients(1)["encoder"])[:, -1]  # at the memory, for 학생
    assert first.argmax() == 3
    assert first[3] > 10 * first[[0, 1, 2, 4]].max()  # as the chapter says
    for row in range(len(wanted.written)):
        gradients = wanted.gradients(row)
        for token in range(len(wanted.source)):
            follow(figure, STUDENT, token, row)
            boxes = figure.element.locator(".journey-box .journey-shape").all_inner_texts()
            norms = gradients["encoder"][token] + gradients["decoder"]
            assert [float(box) for box in boxes] == pytest.approx(norms, rel=0.06)
    go(figure, 7)
    assert f"the gradient here has norm {boxes[7]}." in figure.text(".journey-words")


def test_another_sentence_goes_forwards(figure):
    follow(figure, STUDENT, 3)
    assert backwards(figure).is_enabled()
    backwards(figure).check()
    assert figure.text(".journey-sizes").startswith("Loss: ")
    figure.type(CAT)
    assert backwards(figure).is_disabled()
    assert figure.element.get_by_role("radio", name="forwards: shapes").is_checked()
    assert figure.text(".journey-sizes").startswith("n = 7 English tokens")
    assert figure.element.locator(".journey-box .journey-shape").first.inner_text() == "(7, 128)"
    figure.type(STUDENT)
    assert backwards(figure).is_enabled()
    assert not backwards(figure).is_checked()


def current(figure):
    """The place that the drawing marks, and that can be reached with Tab."""
    boxes = figure.element.locator(".journey-box")
    marked = "bs => bs.flatMap((b, n) => b.getAttribute('aria-current') === 'step' ? [n] : [])"
    tabbed = "bs => bs.flatMap((b, n) => b.tabIndex === 0 ? [n] : [])"
    assert boxes.evaluate_all(marked) == boxes.evaluate_all(tabbed)
    return boxes.evaluate_all(marked)


def test_forwards_and_back_with_the_keyboard_alone(figure):
    follow(figure, STUDENT, 3)
    go(figure, 0)
    keyboard = figure.page.keyboard
    figure.button("One step on").focus()
    for place in (1, 2, 3):
        keyboard.press("Enter")
        assert current(figure) == [place]
        assert figure.text(".journey-name") == NAMES[place]
    figure.button("One step back").focus()
    keyboard.press(" ")
    assert current(figure) == [2]
    figure.element.get_by_role("slider").focus()
    keyboard.press("ArrowRight")
    assert current(figure) == [3]
    valued = figure.element.get_by_role("slider").get_attribute("aria-valuetext")
    assert valued == f"4 of 19: {NAMES[3]}"
    figure.element.locator(".journey-box").nth(3).focus()
    places = []
    for key in ("Down", "Right", "Up", "End", "Down", "Left", "Home", "Up"):
        keyboard.press(key if key in ("Home", "End") else f"Arrow{key}")
        places += current(figure)
        focused = figure.element.locator(".journey-box").nth(places[-1])
        assert focused.evaluate("box => box === document.activeElement")
    assert places == [4, 5, 4, 18, 18, 17, 0, 0]
    figure.button("One step back").focus()
    keyboard.press("Enter")
    assert current(figure) == [0]
    tokens(figure, 0).nth(3).focus()
    for key, token in (("ArrowDown", 4), ("ArrowDown", 4), ("ArrowUp", 3)):
        keyboard.press(key)
        assert chosen(figure)[0] == token
        focused = tokens(figure, 0).nth(token)
        assert focused.evaluate("button => button === document.activeElement")


def test_a_box_is_gone_to_by_a_click(figure):
    figure.element.locator(".journey-box").nth(14).click()
    assert current(figure) == [14]
    assert figure.text(".journey-name") == NAMES[14]


# Of each drawing of a step: the words at the height of its rows that stand left and right of it.
BESIDE = """(figure) => [...figure.querySelectorAll('.journey-box canvas')].map((canvas) => {
    const {left, right, top} = canvas.getBoundingClientRect(), sides = [[], []];
    const names = '.journey-token, .journey-again span, .journey-next span';
    for (const word of figure.querySelectorAll(names)) {
        const box = word.getBoundingClientRect();
        const row = Math.round((box.top - top) / box.height);
        if (Math.abs(box.top - top - row * box.height) > 1 || canvas.height / 28 <= row) continue;
        if (box.right <= left + 1 && row >= 0) sides[0][row] = word.textContent;
        if (box.left >= right - 1 && row >= 0) sides[1][row] = word.textContent;
    }
    return sides;
})"""


@pytest.mark.parametrize("width", [1280, 700, 390])
def test_the_rows_of_every_step_have_the_names_of_their_tokens(figure, width):
    """Where the steps need several rows of drawings, these are named again."""
    follow(figure, STUDENT, 3)
    figure.page.set_viewport_size({"width": width, "height": 900})
    figure.element.locator(".journey-again").first.wait_for(
        state="hidden" if width == 1280 else "visible"
    )
    source, written = (tokens(figure, side).all_inner_texts() for side in (0, 1))
    beside = figure.element.evaluate(BESIDE)
    assert [left for left, _ in beside] == [source] * 12 + [written] * 7
    coming = figure.element.locator(".journey-next span").all_inner_texts()
    assert beside[-1][1] == coming == [*written[1:], "<eos>"]
    figure.page.set_viewport_size({"width": 1280, "height": 720})


def test_on_a_phone_a_token_is_followed_from_any_of_its_names(figure):
    figure.page.set_viewport_size({"width": 390, "height": 900})
    figure.element.locator(".journey-again").nth(1).get_by_text("▁am").click()
    figure.settle()
    assert tokens(figure, 0).nth(1).get_attribute("aria-pressed") == "true"
    figure.page.set_viewport_size({"width": 1280, "height": 720})


@pytest.mark.parametrize(("text", "message"), BAD_SENTENCES)
def test_bad_input_is_answered(figure, text, message):
    field = figure.element.get_by_label("English", exact=True)
    field.evaluate(SET, text)
    figure.settle()
    assert message in figure.message()
    assert figure.element.locator("img[src=x]").count() == 0
    follow(figure, STUDENT, 3)
    assert figure.message() == ""
    assert figure.text(".wide-out") == "나는 학생이다"
    check = figure.element.locator(".journey-plan")
    assert check.is_visible()
