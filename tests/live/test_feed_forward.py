"""Figure *Feed-forward*: the choice between 을 and 를 without networks and units, as in Python."""

import contextlib

import pytest
import torch
from live_figure import figure_fixture, open_figure

from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.lab.analysis.units import read_units, without_units
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.tokenizer import BOS_ID, EOS_ID

BOOK, APPLE, MILK = "I read the book", "I ate the apple", "The child drank the milk"
LAYERS = {
    "encoder layer 1": "encoder.layers.0",
    "encoder layer 2": "encoder.layers.1",
    "decoder layer 1": "decoder.layers.0",
    "decoder layer 2": "decoder.layers.1",
}
TWENTY = "the 20 most one-sided units"


figure = figure_fixture("feed-forward", greedy=True)


@pytest.fixture(autouse=True)
def all_on(figure):
    yield
    if figure.button("Switch all on").is_enabled():
        figure.press("Switch all on")


@contextlib.contextmanager
def silent_units(model, units):
    """Let these units of the last network add nothing."""
    weight = model.decoder.layers[-1].feed_forward.outer.weight
    saved = weight.detach().clone()
    with torch.no_grad():
        weight[:, list(units)] = 0
        yield
        weight.copy_(saved)


class Choice:
    """What Python says at the first place where 을 or 를 is due."""

    def __init__(self, translator, text, layers=(), units=()):
        model, tokenizer = translator.model, translator.tokenizer
        vocabulary = tokenizer.vocabulary()
        particles = [vocabulary.index("을"), vocabulary.index("를")]
        target = tokenizer.target_ids(translator(text))
        place = next(i for i, token in enumerate(target) if token in particles)
        ids = torch.tensor([tokenizer.source_ids(text)]), torch.tensor([target[:place]])
        with without_units(model, layers), silent_units(model, units), evaluation_mode(model):
            scores = model(*ids)[0, -1]
            self.translation = translator(text)
        self.shares = scores.softmax(-1)[particles].tolist()
        right = particles.index(target[place])
        self.lead = float(scores[particles[right]] - scores[particles[1 - right]])
        self.best = vocabulary[scores.argmax()].strip("▁")


def check_choice(figure, wanted):
    shares = figure.element.locator(".ffn-bar > span:last-child").all_inner_texts()
    found = [float(share.removesuffix(" %")) / 100 for share in shares]
    assert found == pytest.approx(wanted.shares, abs=1e-4)
    words = figure.text(".ffn-choice")
    side = "above" if wanted.lead > 0 else "below"
    assert f"its score is {abs(wanted.lead):.1f} {side} that of" in words
    assert f"token of all is {wanted.best or 'a space'}." in words
    assert shown(figure) == " ".join(wanted.translation.split()[:24])


def shown(figure):
    words = (
        "e => [...e.children].filter(w => w.localName !== 'del').map(w => w.textContent).join(' ')"
    )
    return figure.element.locator(".ffn-found").evaluate(words)


def unit_button(figure, unit):
    return figure.element.get_by_role("button", name=f"unit {unit} ")


def test_at_rest_it_shows_what_the_model_says(browser, tmp_path, figure):
    fresh = open_figure(browser, tmp_path, "feed-forward", [])
    cells = "() => [...document.querySelectorAll('.ffn-units rect')].map((c) => c.classList[0])"
    resting, colours = fresh.text(".live-stage"), fresh.page.evaluate(cells)
    fresh.settle()
    assert fresh.page.evaluate(cells) == colours
    assert fresh.text(".live-stage") == resting
    check_choice(fresh, Choice(figure.translator, BOOK))
    fresh.page.close()


@pytest.mark.parametrize(
    ("text", "off"),
    [
        (BOOK, ["decoder layer 2"]),
        (APPLE, ["decoder layer 1"]),
        (APPLE, ["encoder layer 1", "encoder layer 2"]),
        (MILK, list(LAYERS)),
    ],
)
def test_without_networks_the_choice_is_pythons(figure, text, off):
    figure.press(text)
    for name in off:
        figure.button(name).click()
    figure.settle()
    wanted = Choice(figure.translator, text, [LAYERS[name] for name in off])
    check_choice(figure, wanted)
    if (text, off) == (APPLE, ["decoder layer 1"]):
        assert wanted.lead < -1  # as the chapter says
    assert figure.element.locator(".ffn-switch[aria-pressed=false]").count() == len(off)


def test_units_push_as_far_as_python_says(figure):
    figure.press(BOOK)
    translator = figure.translator
    layer = read_units(translator, [(BOOK, translator(BOOK))])["decoder.layers.1"]
    vocabulary = translator.tokenizer.vocabulary()
    eul, reul = vocabulary.index("을"), vocabulary.index("를")
    place = list(layer.tokens).index(eul) - 1  # the row that has read what stands before
    embedding = translator.model.output.weight.detach()
    values = translator.model.decoder.layers[-1].feed_forward.outer.weight.detach().T
    pushes = layer.values[place].relu() * (values @ (embedding[eul] - embedding[reul]))
    order = pushes.abs().argsort(descending=True)[:8].tolist()
    units = figure.element.locator("button", has_text="unit ").all_inner_texts()
    found = [text.split() for text in units if text.startswith("unit ")]
    assert [int(unit) for _, unit, _ in found] == order
    for (_, unit, push), number in zip(found, pushes[order].tolist(), strict=True):
        assert float(push.replace("−", "-")) == pytest.approx(number, abs=0.06), unit


def test_a_cell_for_each_unit_says_its_push_and_silences_it(figure):
    figure.press(BOOK)
    fired = dict(figure.element.evaluate("figure => figure.state.fired"))
    cells = figure.element.locator(".ffn-units rect")
    kinds = cells.evaluate_all("cells => cells.map((cell) => cell.className.baseVal)")
    for unit, kind in enumerate(kinds):
        push = fired.get(unit, 0)
        assert kind == ("ffn-plus" if push > 0 else "ffn-minus" if push < 0 else "ffn-zero")
    assert 0 < len(fired) < 512 / 10  # few units fire at a place
    cells.nth(401).click()
    figure.settle()
    assert cells.nth(401).get_attribute("class") == "ffn-silent"
    assert unit_button(figure, 401).get_attribute("aria-pressed") == "false"
    check_choice(figure, Choice(figure.translator, BOOK, units=[401]))
    cells.nth(401).click()


@pytest.mark.parametrize("units", [[401], [401, 8, 389]])
def test_without_units_the_choice_is_pythons(figure, units):
    figure.press(BOOK)
    for unit in units:
        unit_button(figure, unit).click()
    figure.settle()
    check_choice(figure, Choice(figure.translator, BOOK, units=units))


def most_one_sided(translator):
    """The twenty units of the chapter: from the first half of the test split's tokens."""
    pairs = [(pair.source, pair.target) for pair in english_korean("test")]
    layer = read_units(translator, pairs)["decoder.layers.1"]
    vocabulary = translator.tokenizer.vocabulary()
    tokens = torch.tensor(layer.tokens)
    following = torch.cat([tokens[1:], torch.tensor([EOS_ID])])
    following[following == BOS_ID] = EOS_ID
    half = torch.arange(len(tokens)) < len(tokens) // 2
    eul, reul = (
        layer.fired[half & (following == vocabulary.index(form))].double().mean(0)
        for form in ("을", "를")
    )
    return set((eul - reul).abs().argsort(descending=True)[:20].tolist())


def test_the_twenty_are_those_of_the_chapter(figure):
    figure.press(BOOK)
    figure.press(TWENTY)
    twenty = most_one_sided(figure.translator)
    assert set(figure.element.evaluate("figure => [...figure.units]")) == twenty
    wanted = Choice(figure.translator, BOOK, units=twenty)
    check_choice(figure, wanted)
    whole = Choice(figure.translator, BOOK)
    assert 0 < wanted.lead < whole.lead / 2  # as the chapter says
    figure.press(TWENTY)
    check_choice(figure, whole)


def test_with_the_keyboard_alone(figure):
    figure.press(BOOK)
    unit_button(figure, 401).focus()
    figure.page.keyboard.press(" ")
    figure.settle()
    assert unit_button(figure, 401).get_attribute("aria-pressed") == "false"
    assert unit_button(figure, 401).evaluate("b => b === document.activeElement")
    figure.page.keyboard.press("Enter")
    figure.settle()
    assert unit_button(figure, 401).get_attribute("aria-pressed") == "true"
    check_choice(figure, Choice(figure.translator, BOOK))
    unit_button(figure, 401).click()
    figure.settle()
    back = figure.button("Switch all on")
    assert back.get_attribute("aria-disabled") == "false"
    back.focus()
    figure.page.keyboard.press("Enter")
    figure.settle()
    assert back.get_attribute("aria-disabled") == "true"
    assert back.evaluate("button => button === document.activeElement")


def test_it_counts_the_silent_units_that_would_not_fire(figure):
    figure.press(BOOK)
    others = figure.element.locator(".ffn-others")
    figure.element.evaluate("figure => { figure.units.add(0); figure.units.add(1); }")
    figure.settle()
    fired = unit_button(figure, 0).count() + unit_button(figure, 1).count()
    assert fired == 0
    assert others.inner_text() == "2 more units that are silent would not fire here."
    figure.element.evaluate("figure => figure.units.delete(1)")
    figure.settle()
    assert others.inner_text() == "1 more unit that is silent would not fire here."
    # In a network that is silent as a whole none of them has a part any more.
    figure.press("decoder layer 2")
    assert others.inner_text() == ""
    figure.press(TWENTY)
    assert others.inner_text() == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" ", "Write an English sentence, or choose one of the examples."),
        ("I am a student", "neither 을 nor 를 is a token of its own"),
        ("a 🙂 <i>x</i>", "'<', '>' and '/' never occur in this model's training text."),
    ],
)
def test_bad_input_is_answered(figure, text, message):
    figure.type(text)
    assert message in figure.message()
    assert figure.element.locator("i").count() == 0
    figure.press(BOOK)
    assert figure.message() == ""
    check_choice(figure, Choice(figure.translator, BOOK))
