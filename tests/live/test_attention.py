"""Figure *Attention*: what it shows, by hand and of trained heads, is what Python computes."""

import pytest
import torch
from live_figure import BAD_SENTENCES, open_figure

from annotated_transformer.attention import attention
from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.lab.recording import record_inputs
from annotated_transformer.masks import causal_mask

# As in the chapter.
KEYS = torch.tensor([[1.0, 0, 0, 1], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0]])
VALUES = torch.tensor([[0.0, 4], [0, 0], [4, 0], [4, 4]])
NAMES = {
    "English reads English, layer 1": "encoder.layers.0.self_attention",
    "English reads English, layer 2": "encoder.layers.1.self_attention",
    "Korean reads Korean, layer 1": "decoder.layers.0.self_attention",
    "Korean reads English, layer 1": "decoder.layers.0.cross_attention",
    "Korean reads Korean, layer 2": "decoder.layers.1.self_attention",
    "Korean reads English, layer 2": "decoder.layers.1.cross_attention",
}
SET = "(input, value) => { input.value = value; input.dispatchEvent(new Event('input')); }"


@pytest.fixture(scope="module")
def errors():
    return []


@pytest.fixture(scope="module")
def figure(browser, tmp_path_factory, errors):
    figure = open_figure(browser, tmp_path_factory.mktemp("attention"), "attention", errors)
    yield figure
    assert errors == []


@pytest.fixture
def by_hand(figure):
    figure.press("By hand")
    return figure


@pytest.fixture
def trained(figure):
    figure.press("In the trained model")
    return figure


def table_of(figure, name):
    """The cells of one of the two tables, without its head."""
    part = figure.element.get_by_role("region", name=name)
    rows = "rows => rows.slice(1).map(row => [...row.cells].map(cell => cell.textContent))"
    return part.locator("tr").evaluate_all(rows)


def set_slider(figure, name, value):
    figure.element.get_by_label(name).evaluate(SET, value)
    figure.settle()


def number(text):
    return float(text.replace("−", "-"))


def vector(text):
    return [number(part.strip("( )…")) for part in text.split(",")]


def check_table(rows, product, value, weights, sharpness, d_k):
    """Compare rows of cells with the products, values and weights of visible keys."""
    *rows, foot = rows
    for row, each, weight in zip(rows, product, weights.tolist(), strict=True):
        assert number(row[1]) == pytest.approx(each, abs=0.011)
        score = sharpness * each / d_k**0.5
        assert number(row[2]) == pytest.approx(score, abs=0.011)
        if (power := torch.tensor(score).exp().item()) < 1e6:
            assert number(row[3]) == pytest.approx(
                power, abs=0.011 if power < 100 else 0.6, rel=1e-4
            )
        assert number(row[4]) == pytest.approx(weight, abs=0.006)
    for row, each in zip(rows, value.tolist(), strict=True):
        assert vector(row[5]) == pytest.approx(each[:2], abs=0.006)
    assert vector(foot[5]) == pytest.approx((weights @ value)[:2].tolist(), abs=0.011)


def test_at_rest_the_example_is_that_of_the_chapter(browser, tmp_path, errors):
    figure = open_figure(browser, tmp_path, "attention", errors)
    by_hand = table_of(figure, "The example by hand")
    assert [row[4] for row in by_hand[:4]] == ["0.61", "0.08", "0.22", "0.08"]
    assert by_hand[4][3:] == ["12.11", "1", "(1.23, 2.77)"]
    assert not figure.element.get_attribute("data-drawn")
    figure.settle()  # does nothing: no weights are needed
    figure.page.route("**/weights/*", lambda route: None)  # for ever under way
    figure.button("In the trained model").click()
    resting = table_of(figure, "A trained head"), figure.text("[lang=ko][aria-live]")
    figure.page.unroute_all()
    figure.page.reload()
    figure.press("In the trained model")
    assert (table_of(figure, "A trained head"), figure.text("[lang=ko][aria-live]")) == resting
    assert resting[0][1][0] == "▁나는"
    assert number(resting[0][1][4]) > 0.9  # as the chapter says of this head
    figure.page.close()


@pytest.mark.parametrize("sharpness", [0, 1, 2.5])
@pytest.mark.parametrize("query", [(2, 2), (2, 0), (-0.75, 1.25), (0, 0)])
def test_a_query_by_hand_finds_what_the_formula_says(by_hand, query, sharpness):
    figure = by_hand
    set_slider(figure, "Query: noun", query[0])
    set_slider(figure, "Query: first person", query[1])
    set_slider(figure, "Sharpness", sharpness)
    asked = torch.tensor([[query[0], 0.0, 0, query[1]]])
    _, weights = attention(sharpness * asked, KEYS, VALUES)
    rows = table_of(figure, "The example by hand")
    check_table(rows, (asked @ KEYS.T)[0].tolist(), VALUES, weights[0], sharpness, 4)
    set_slider(figure, "Sharpness", 1)


def test_the_query_can_be_dragged(by_hand):
    figure = by_hand
    plane = figure.element.locator("svg.attention-plane")
    plane.scroll_into_view_if_needed()
    box = plane.bounding_box()
    mouse = figure.page.mouse
    at = [
        (box["x"] + box["width"] * x / 200, box["y"] + box["height"] * y / 200)
        for x, y in ((135, 65), (75, 165))
    ]
    mouse.move(*at[0])
    mouse.down()
    mouse.move(*at[1])
    mouse.up()
    assert "query (0.50, 0, 0, −0.50)" in figure.element.inner_text()
    mouse.move(*at[0])  # no button is down any more
    assert "query (0.50, 0, 0, −0.50)" in figure.element.inner_text()
    figure.press("이다 asks")
    assert "query (2, 0, 0, 2)" in figure.element.inner_text()


def heads_of(translator, source, target):
    """Queries, keys and values of all attentions, and the tokens on both sides."""
    tokenizer, model = translator.tokenizer, translator.model
    ids, written = tokenizer.source_ids(source), tokenizer.target_ids(target)[:-1]
    attends = {name: model.get_submodule(name).attend for name in NAMES.values()}
    found = [
        {name: part[0] for name, part in seen.items()}
        for kept in range(3)
        for seen in [_recorded(model, attends, ids, written, kept)]
    ]
    return found, ([*tokenizer.pieces(source), "<eos>"], ["<bos>", *tokenizer.pieces(target)])


def _recorded(model, attends, ids, written, kept):
    with evaluation_mode(model), record_inputs(attends, lambda *parts: parts[kept]) as seen:
        model(torch.tensor([ids]), torch.tensor([written]))
    return seen


@pytest.mark.parametrize("sharpness", [1, 2])
def test_every_trained_head_shows_its_numbers(trained, sharpness):
    figure = trained
    text = "The cat saw the dog"
    figure.type(text)
    target = figure.text("[lang=ko][aria-live]")
    assert target == "그 고양이는 그 개를 봤다"
    (queries, keys, values), (source, written) = heads_of(figure.translator, text, target)
    set_slider(figure, "Sharpness", sharpness)
    for label, name in NAMES.items():
        figure.element.locator("select").nth(0).select_option(label)
        asking = source if label.startswith("English") else written
        asked = written if label.startswith("Korean reads Korean") else source
        for head, row in ((0, 0), (2, 2), (3, len(asking) - 1)):
            figure.element.locator("select").nth(1).select_option(str(head))
            figure.element.get_by_role("radio").nth(row).check()
            figure.settle()
            q, k, v = (part[name][head] for part in (queries, keys, values))
            mask = (
                causal_mask(len(written))[row : row + 1]
                if label.startswith("Korean reads Korean")
                else None
            )
            _, weights = attention(sharpness * q[row : row + 1], k, v, mask)
            rows = table_of(figure, "A trained head")
            assert [cells[0] for cells in rows[:-1]] == asked
            seen = [cells for cells in rows[:-1] if cells[1] != "later: hidden"]
            assert len(seen) == (row + 1 if mask is not None else len(asked))
            n = len(seen)
            check_table(
                [*seen, rows[-1]], (q[row] @ k[:n].T).tolist(), v[:n], weights[0, :n], sharpness, 32
            )
    set_slider(figure, "Sharpness", 1)


# The words of the square through which a side of it runs.
CROSSED = """(picture) => {
    const sides = picture.querySelector('rect').getBBox();
    const [xs, ys] = [[sides.x, sides.x + sides.width], [sides.y, sides.y + sides.height]];
    return [...picture.querySelectorAll('text')].filter((text) => {
        const {x, y, width, height} = text.getBBox();
        const level = ys.some((side) => y + 3 < side && side < y + height - 3);
        return xs.some((side) => x < side && side < x + width)
            || (level && x + width > xs[0] && x < xs[1]);
    }).map((text) => text.textContent);
}"""


@pytest.mark.parametrize("query", [(2, 2), (2, 0), (3, 3), (3, -1), (-1, 3), (-1, -1), (0, 0)])
def test_no_side_of_the_square_runs_through_a_word(by_hand, query):
    for name, value in zip(("Query: noun", "Query: first person"), query, strict=True):
        set_slider(by_hand, name, value)
    square = by_hand.element.locator(".attention-sides svg").last
    for sharpness in (1, 4):
        set_slider(by_hand, "Sharpness", sharpness)
        assert square.locator("text").count() == len(KEYS) + 1
        assert square.evaluate(CROSSED) == []
    set_slider(by_hand, "Sharpness", 1)


def test_steps_appear_in_order_with_the_keyboard(by_hand):
    figure = by_hand
    figure.button("1 Products").focus()
    widths = []
    for _ in range(4):
        figure.page.keyboard.press("Enter")
        widths.append(len(table_of(figure, "The example by hand")[0]))
        figure.page.keyboard.press("Tab")
    assert widths == [2, 3, 5, 6]
    figure.page.keyboard.press("ArrowRight")  # the focus is on the slider now
    told = "Sharpness 1.25 × score = score ÷ temperature 0.80"
    assert told in figure.element.inner_text()
    figure.page.keyboard.press("ArrowLeft")
    for name in ("1 Products", "4 Output"):
        figure.press(name)
        shown = [figure.button(n).get_attribute("aria-pressed") for n in ("1 Products", "4 Output")]
        assert shown == [str(name == n).lower() for n in ("1 Products", "4 Output")]


def test_on_a_phone_the_step_that_speaks_of_e_to_the_score_shows_it(by_hand):
    figure = by_hand
    figure.page.set_viewport_size({"width": 390, "height": 844})
    heads = figure.element.get_by_role("columnheader", name="e to the score")
    for step, shown in (("3 Weights", 1), ("4 Output", 0)):
        figure.press(step)
        assert figure.text(".attention-about").startswith(f"{step[2:].rstrip('s')}: ")
        assert heads.count() == shown
    figure.page.set_viewport_size({"width": 1280, "height": 900})
    assert heads.count() == 1


@pytest.mark.parametrize(("text", "message"), BAD_SENTENCES)
def test_bad_input_is_answered(trained, text, message):
    figure = trained
    figure.type(text)
    assert message in figure.message()
    assert figure.element.locator("img[src=x]").count() == 0
    figure.press("I am a student")
    assert figure.message() == ""
    assert figure.text("[lang=ko][aria-live]") == "나는 학생이다"
