"""Inside of a block of the map: numbers are those of minimal.py, lines those of the file."""

import itertools
import re

import pytest
import torch
from live_weights import model_of, read_folder, translator_of

from annotated_transformer import minimal
from live_map import BLOCKS, FILE, places, told, wide_page
from live_page import write_page
from repository import Repository
from rules import ROOT

SENTENCE = "The doctor met the judge"
RING = 5  # pixels: its width, and how far off it is
NAMES = {
    "self": ("Encoder, layer 1: self-attention", "encoder.layers.0.self_attention"),
    "masked": ("Decoder, layer 2: masked self-attention", "decoder.layers.1.self_attention"),
    "cross": ("Decoder, layer 1: cross-attention", "decoder.layers.0.cross_attention"),
}
# What is told at points that are closer than the cells.
READ = """() => {
    const canvas = document.querySelector('.map-inside canvas');
    const box = canvas.getBoundingClientRect();
    const found = new Set();
    for (let x = 2; x < box.width; x += 6) {
        for (let y = 2; y < box.height; y += 8) {
            const at = {clientX: box.left + x, clientY: box.top + y, bubbles: true};
            canvas.dispatchEvent(new PointerEvent('pointermove', at));
            found.add(document.querySelector('.map-readout').textContent);
        }
    }
    return [...found];
}"""
CELL = re.compile(
    r"Head (\d): (.*) looks at (.*): (not allowed|score (.*)|<?([\d.]+)\N{NO-BREAK SPACE}%)"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return write_page(tmp_path_factory.mktemp("map"), "map")


@pytest.fixture(scope="module")
def passed(site):
    """What passes through the modules of minimal.py, with the weights that the page has."""
    weights = site.parent / "_static" / "live" / "weights"
    translator = translator_of(read_folder(weights, model_of("map"))[1], model_of("map"))
    simple = minimal.Transformer(translator.model.config)
    simple.load_state_dict(translator.model.state_dict())
    found = {}
    for name, module in simple.named_modules():
        module.register_forward_hook(
            lambda _module, inputs, output, name=name: found.update(
                {name: (inputs[0][0], output[0])}
            )
        )
    source = translator.tokenizer.source_ids(SENTENCE)
    target = translator.tokenizer.target_ids(translator(SENTENCE))[:-1]
    with torch.no_grad():
        found["logits"] = simple.eval()(torch.tensor([source]), torch.tensor([target]))[0]
    return found


@pytest.fixture(scope="module")
def page(browser, site):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.emulate_media(reduced_motion="reduce")
    page.goto(site.as_uri())
    page.locator("textarea").fill(SENTENCE)
    page.wait_for_function("() => document.querySelector('[data-drawn]:not([aria-busy])')")
    yield page
    assert page.errors == []
    page.close()


@pytest.fixture
def opened(page):
    """Open a block by its name."""

    def opener(name):
        page.get_by_role("button", name=name, exact=True).click()
        return page.locator(".map-inside")

    yield opener
    page.keyboard.press("Escape")
    assert page.locator(".map-inside").is_hidden()


def weights_of(passed, path, *, causal):
    """Scores and weights of the heads, from the projections of minimal.py."""
    q, k = (
        passed[f"{path}.w_{name}"][1].unflatten(1, (4, -1)).transpose(0, 1)
        for name in ("query", "key")
    )
    scores = q @ k.transpose(1, 2) / q.size(-1) ** 0.5
    if causal:
        scores = scores.masked_fill(~torch.ones(scores.shape[1:]).tril().bool(), -torch.inf)
    return scores, scores.softmax(-1)


def quoted(name):
    return f"the {name} of the sentence" if name in ("start", "end") else f"“{name}”"


@pytest.mark.parametrize("block", NAMES)
def test_what_is_told_of_a_cell_is_what_minimal_computes(page, opened, passed, block):
    name, path = NAMES[block]
    opened(name)
    scores, shares = weights_of(passed, path, causal=block == "masked")
    own, keys = (page.locator(f".map-token.{side}").all_text_contents() for side in ("enc", "dec"))
    asking = own if block == "self" else keys
    asked = keys if block == "masked" else own
    told_of = {"scores": {}, "shares": {}, "forbidden": set()}
    for cell in filter(None, map(CELL.fullmatch, page.evaluate(READ))):
        head, query, key, all_of_it, score, share = cell.groups()
        where = (int(head), query, key)
        if score is not None:
            told_of["scores"].setdefault(where, set()).add(float(score.replace("−", "-")))
        elif share is not None:
            told_of["shares"].setdefault(where, set()).add(float(share) / 100)
        else:
            assert all_of_it == "not allowed"
            told_of["forbidden"].add(where)
    for what, tensor, near in (("scores", scores, 0.0075), ("shares", shares, 0.00011)):
        wanted = {}
        for head, i, j in itertools.product(*map(range, tensor.shape)):
            if scores[head, i, j].isfinite():
                where = (head + 1, quoted(asking[i]), quoted(asked[j]))
                wanted.setdefault(where, []).append(float(tensor[head, i, j]))
        assert told_of[what].keys() == wanted.keys()
        for where, values in wanted.items():  # a token may stand there twice
            found = told_of[what][where]
            assert all(min(abs(x - value) for x in found) <= near for value in values), where
            assert all(min(abs(x - value) for value in values) <= near for x in found), where
    assert bool(told_of["forbidden"]) == (block == "masked")


def test_a_row_is_chosen_by_its_name(opened):
    inside = opened(NAMES["cross"][0])
    before = inside.locator(".map-readout").inner_text()
    inside.locator("button.map-token").nth(3).click()
    after = inside.locator(".map-readout").inner_text()
    assert before != after
    assert inside.locator("button.map-token.map-chosen").count() == 1


def test_a_feed_forward_network_counts_its_units(opened, passed):
    inside = opened("Encoder, layer 1: feed-forward network (FFN)")
    active = (passed["encoder.layers.0.feed_forward.inner"][1] > 0).sum(1).tolist()
    shown = [
        text for text in inside.locator(".map-from").all_inner_texts() if text.endswith("fire")
    ]
    assert shown == [f"{count} fire" for count in active]


def test_add_and_norm_tells_mean_and_deviation(opened, passed):
    inside = opened("Encoder, layer 1: add & norm after self-attention")
    before, after = passed["encoder.layers.0.after_attention.layer_norm"]

    def told_of(rows):
        pairs = zip(rows.mean(1).tolist(), rows.std(1, correction=0).tolist(), strict=True)
        return [
            f"mean {m:.2f}, sd {s:.2f}".replace("-0.00", "0.00").replace("-", "−") for m, s in pairs
        ]

    assert inside.locator(".map-from").all_inner_texts() == [*told_of(before), *told_of(after)]


def test_the_next_token_has_its_probabilities_and_the_beam(opened, passed):
    inside = opened("Decoder: linear + softmax, the next token")
    best = passed["logits"].softmax(-1).topk(1).values[:, 0].tolist()
    shown = inside.locator(".map-from").all_inner_texts()[::5]
    assert [text.split(" ", 1)[1] for text in shown] == [
        f"{100 * p:.0f}\N{NO-BREAK SPACE}%" for p in best
    ]
    beam = inside.locator(".map-beam li").all_inner_texts()
    assert len(beam) == 4
    scores = [float(text.rsplit(" ", 1)[1].replace("−", "-")) for text in beam]
    assert scores[0] == max(scores)


def test_every_block_opens_and_leads_to_its_chapter_and_its_lines(page, opened):
    for number in range(page.locator(".map-block").count()):
        button = page.locator(".map-block").nth(number)
        block = button.evaluate("(button) => button.block")
        button.click()
        inside = page.locator(".map-inside")
        chapter, names = BLOCKS[block]
        assert inside.locator(".map-ways a").get_attribute("href") == f"{chapter}.html"
        assert inside.locator(".map-code code").all_inner_texts() == list(names)
        page.keyboard.press("Escape")
    opened(NAMES["self"][0])  # what the fixture closes


def test_a_click_on_a_word_that_is_written_is_one_on_its_block(page, opened):
    opened(NAMES["self"][0])
    page.keyboard.press("Escape")
    names = page.locator(".map-output").evaluate_all(
        """(outputs) => outputs.map((output) => {
            output.scrollIntoView({block: 'center'});
            const {left, top, width, height} = output.getBoundingClientRect();
            const hit = document.elementFromPoint(left + width / 2, top + height / 2);
            return hit.closest('.map-block')?.ariaLabel;
        })"""
    )
    assert len(names) > 1
    assert set(names) == {"Decoder: linear + softmax, the next token"}
    opened(NAMES["self"][0])  # what the fixture closes


def test_the_lines_of_a_block_are_those_of_the_file():
    lines = (ROOT / FILE).read_text("utf-8").splitlines()
    found = places({"masks": "Masks"})["blocks"]
    assert found.keys() == BLOCKS.keys()
    assert found["masked"]["title"] == "Masks"
    for block, (_, names) in BLOCKS.items():
        for name, piece in zip(names, found[block]["code"], strict=True):
            first, last = piece["lines"]
            last_name = name.rpartition(".")[2]
            assert (
                lines[first - 1].lstrip().startswith((f"class {last_name}(", f"def {last_name}("))
            )
            assert piece["text"] == "\n".join(lines[first - 1 : last])
            assert "link" not in piece


def test_where_the_repository_is_known_the_lines_have_an_address():
    repository = Repository(url="https://x.org/r", branch="main", commit="abc", launch_branch="l")
    (piece,) = places({}, repository)["blocks"]["ffn"]["code"]
    first, last = piece["lines"]
    assert piece["link"] == f"https://x.org/r/blob/abc/{FILE}#L{first}-L{last}"


def test_a_map_is_told_once_and_safely():
    html = told("<live-map>\n<live-map>", {"a": "</script>"})
    assert html.count("application/json") == 1
    assert html.count("</script>") == 1


def test_the_contents_are_closed_where_a_map_needs_their_room():
    sidebar = '<div id="pst-primary-sidebar" class="x"><p>'
    assert wide_page(sidebar) == sidebar
    page = wide_page(f"{sidebar}<live-map>")
    assert page.startswith('<div id="pst-primary-sidebar" class="x"><script>')
    assert wide_page(page) == page


def test_the_way_into_a_small_block_and_back_moves_nothing_below(page, opened):
    below = page.locator(".map-tries-name")
    before = below.bounding_box()["y"]
    opened("Encoder, layer 1: feed-forward network (FFN)")
    assert below.bounding_box()["y"] == before
    page.keyboard.press("Escape")
    assert below.bounding_box()["y"] == before


FACES = """() => ['.map-inside-figure canvas', 'live-map'].map((selector) => {
    const element = document.querySelector(selector);
    return element.getContext?.('2d').font.replace('12px ', '')
        ?? getComputedStyle(element).fontFamily;
}).map((face) => face.replaceAll('"', ''))"""


def test_the_numbers_inside_have_the_face_of_the_page(page, opened):
    opened("Encoder, layer 1: self-attention")
    drawn, around = page.evaluate(FACES)
    assert drawn == around


def test_the_focus_ring_of_the_way_back_is_not_cut(page, opened):
    opened("Encoder, layer 1: feed-forward network (FFN)")
    button, room = (page.locator(name).bounding_box() for name in (".map-close", ".map-room"))
    assert button["y"] - room["y"] >= RING
    assert room["x"] + room["width"] - button["x"] - button["width"] >= RING


COVERED = """() => {
    const button = document.querySelector('.map-close').getBoundingClientRect();
    const range = document.createRange(), { top, bottom, left } = button;
    const over = (box) => box.bottom > top && box.top < bottom && box.right > left;
    const nodes = [...document.querySelectorAll('.map-inside-head :is(p, small)')]
        .flatMap((element) => [...element.childNodes]);
    return nodes.filter((node) => node instanceof Text).filter((text) => {
        range.selectNodeContents(text);
        return [...range.getClientRects()].some(over);
    }).length;
}"""


@pytest.mark.parametrize("width", [390, 960, 1280])
def test_the_way_back_covers_no_words(page, opened, width):
    page.set_viewport_size({"width": width, "height": 900})
    opened("Decoder: linear + softmax, the next token")
    assert page.evaluate(COVERED) == 0
