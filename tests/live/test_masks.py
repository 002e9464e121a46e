"""The live figure *Masks* against gradients through three real layers, and used by keyboard."""

import itertools

import pytest
import torch

from annotated_transformer import TransformerConfig
from annotated_transformer.lab.analysis.influence import influence
from annotated_transformer.masks import causal_mask
from annotated_transformer.transformer import Encoder
from live_page import write_page

CELLS = "[...document.querySelectorAll('.masks-cell')]"
FOUND = "[...document.querySelectorAll('live-masks li')].map((line) => line.textContent)"
NAMES = ["<s>", "나는", "학생", "이다", "the first <pad>", "the second <pad>"]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    return write_page(tmp_path_factory.mktemp("masks"), "masks").as_uri()


@pytest.fixture
def page(tab, address):
    tab.goto(address)
    return tab


def pressed(page):
    states = page.evaluate(f"{CELLS}.map((cell) => cell.ariaPressed === 'true')")
    return torch.tensor(states).view(6, 6)


def in_words(reached):
    names = [name for name, is_reached in zip(NAMES, reached, strict=True) if is_reached]
    if len(names) == 1:
        return f"{names[0]} alone"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def flow(mask, layers):
    """Who really reaches whom in an encoder with random weights."""
    config = TransformerConfig.tiny(vocab_size=8, n_layers=layers, d_model=32, dropout=0.0)
    encoder = Encoder(config).double()
    x = torch.randn(6, 32, dtype=torch.float64)
    return influence(lambda x: encoder(x[None], mask[None, None])[0], x) > 0


@pytest.mark.parametrize("seed", range(5))
def test_dependence_is_that_of_real_layers(page, seed):
    torch.manual_seed(seed)
    mask = torch.rand(6, 6) < 0.3
    found = page.evaluate(
        "(mask) => mask.map((_, i) => AnnotatedTransformer.reach(mask, i, 3))", mask.tolist()
    )
    for layers in range(1, 4):
        own = torch.tensor([rows[layers] for rows in found])
        assert torch.equal(own, flow(mask, layers))


def test_at_rest_a_window_of_two_reaches_one_token_further_in_each_layer(page):
    window = causal_mask(6).triu(-1)
    assert torch.equal(pressed(page), window)
    for layers, line in enumerate(page.evaluate(FOUND), start=1):
        plural = "s" if layers > 1 else ""
        depends = in_words(flow(window, layers)[3])
        assert line == f"After {layers} layer{plural}, 이다 depends on {depends}."


def test_a_click_forbids_and_another_allows(page):
    before = pressed(page)
    cell = page.get_by_role("button", name="이다 may look at 학생", exact=True)
    cell.click()
    changed = (pressed(page) != before).nonzero().tolist()
    assert changed == [[3, 2]]
    assert page.evaluate(FOUND)[2] == "After 3 layers, 이다 depends on 이다 alone."
    cell.click()
    assert torch.equal(pressed(page), before)


def test_each_beginning_is_marked_when_the_mask_is_that_one(page):
    for name, mask in {
        "no mask": torch.ones(6, 6, dtype=torch.bool),
        "padding": (torch.arange(6) < 4).expand(6, 6),
        "causal": causal_mask(6),
        "both": causal_mask(6) & (torch.arange(6) < 4),
        "nothing": torch.zeros(6, 6, dtype=torch.bool),
    }.items():
        button = page.get_by_role("button", name=name, exact=True)
        button.click()
        assert torch.equal(pressed(page), mask)
        assert button.get_attribute("aria-pressed") == "true"
        assert page.locator("live-masks .live-button[aria-pressed=true]").count() == 1
    page.locator(".masks-cell").first.click()
    assert page.locator("live-masks .live-button[aria-pressed=true]").count() == 0


def test_each_output_has_a_name_of_its_own(page):
    for name in ("<s>", "나는", "학생", "이다", "first <pad>", "second <pad>"):
        assert page.get_by_role("radio", name=name, exact=True).count() == 1


def test_cells_stand_below_the_middle_of_their_headings(page):
    middles = """elements => elements.map((element) => {
        const {left, right} = element.getBoundingClientRect();
        return (left + right) / 2;
    })"""
    heads = page.locator(".masks-table thead th").evaluate_all(middles)
    cells = page.locator(".masks-cell").evaluate_all(middles)
    assert cells == pytest.approx(heads * 6, abs=1)


PLACES = """parts => parts.map((part) => {
    const {left, right} = part.getBoundingClientRect();
    return {left, right, middle: (left + right) / 2};
})"""


@pytest.mark.parametrize("width", [1280, 390])
def test_the_name_of_each_layer_stands_above_its_dots(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    names = page.locator(".masks-layers text")
    assert names.all_text_contents() == ["input", "layer 1", "layer 2", "layer 3"]
    heads = names.evaluate_all(PLACES)
    dots = page.locator(".masks-layers circle").evaluate_all(PLACES)[::6]  # six words in a layer
    assert [head["middle"] for head in heads] == pytest.approx([d["middle"] for d in dots], abs=1)
    legend = page.locator(".masks-outputs legend").evaluate_all(PLACES)
    for left, right in itertools.pairwise([*heads, *legend]):
        assert left["right"] + 4 < right["left"]


def test_the_keyboard_alone_reaches_every_cell_and_every_output(page):
    page.locator(".masks-cell").first.focus()
    page.keyboard.press("ArrowLeft")  # stays at the edge
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    focused = "document.activeElement.ariaLabel"
    assert page.evaluate(focused) == "나는 may look at 학생"
    assert page.locator(".masks-cell[tabindex='0']").count() == 1
    page.keyboard.press("Space")
    assert pressed(page)[1, 2]
    page.keyboard.press("Tab")  # past the other cells
    page.keyboard.press("ArrowLeft")  # from the output 이다
    assert page.evaluate(FOUND)[0] == "After 1 layer, 학생 depends on 나는 and 학생."
