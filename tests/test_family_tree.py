"""The map and the tables of the family say what the models do: each word is compared with code."""

import re
from xml.etree import ElementTree

import pytest
import torch
from docutils.nodes import make_id
from family_oracle import disturbed
from family_tiny import TINY

from annotated_transformer import Transformer, TransformerConfig, family
from annotated_transformer.family.clicks import ClickEncoder
from annotated_transformer.family.deformable_attention import DeformableEncoderLayer
from annotated_transformer.family.placed import PlacedEncoderLayer
from annotated_transformer.family.t5_distances import RelativeBias as Distances
from annotated_transformer.family.t5_parts import RMSNorm
from annotated_transformer.family.windows import RelativeBias as DistancesInWindows
from annotated_transformer.transformer import DecoderLayer
from annotated_transformer.variants.positions import LearnedPositions
from count_new import members
from prose import sections
from rules import ROOT, prose, read

PAGE = (ROOT / "book" / "family_tree.md").read_text("utf-8")
MAP = ElementTree.fromstring((ROOT / "book/_static/family_tree.svg").read_text("utf-8"))
OURS = {"Deformable DETR": "DeformableDETR", "GPT-2": "GPT"}
"""What a class is called, where page or map write the name otherwise."""
WORDS = ("BERT", "ELECTRA", "GPT", "BART", "T5", "Marian")
PAPER = ("Marian", "Transformer")
"""No members: both are `Transformer` itself."""


def tables():
    """Return the cells of each row by the name of its model, for each kind of table."""
    found, kind = {}, None
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line[1:-1].split("|")] if line[:1] == "|" else []
        if not cells:
            kind = None
        elif kind is None:
            kind = tuple(cells)
            found.setdefault(kind, {})
        elif not set(line) <= set("| -"):
            name = cells[0].partition(" {cite:p}")[0]
            found[kind][OURS.get(name, name)] = cells[1:]
    return found


TABLES = tables()
KEEPS, LEARNS, SIZES = TABLES.values()


def links():
    """Return the address of each box on the map, by what it shows first."""
    boxes = {}
    for box in MAP.iter("a"):
        name = box.get("aria-label").partition(",")[0]
        boxes[OURS.get(name, name)] = box
    return boxes


BOXES = links()
NAMES = [*members(), *PAPER]


def built(name, **others):
    """Return a small untrained model and its configuration."""
    if name in PAPER:
        config = TransformerConfig(**TINY["BART"])
        return Transformer(config).eval(), config
    config = getattr(family, f"{name}Config")(**TINY[name] | others)
    return members()[name](config).eval(), config


def shown(element):
    return " ".join("".join(element.itertext()).split())


def has(model, kind):
    return any(isinstance(module, kind) for module in model.modules())


def test_every_member_is_on_the_map_and_in_each_table():
    assert set(BOXES) == {*NAMES, "Time series and speech: further on this page"}
    for rows in TABLES.values():
        assert set(rows) == set(NAMES)
    assert len(members()) == 13


def test_no_table_is_too_wide_for_a_phone():
    assert [len(kind) for kind in TABLES] == [4, 4, 4]
    assert all(len(cells) == 3 for rows in TABLES.values() for cells in rows.values())


@pytest.mark.parametrize("name", BOXES)
def test_a_box_leads_to_a_section_that_there_is(name):
    page, _, anchor = BOXES[name].get("href").partition("#")
    source = next((ROOT / "book").glob(f"{page.removesuffix('.html') or 'family_tree'}.*"))
    text = prose(read(source)) if source.suffix == ".ipynb" else source.read_text("utf-8")
    titles = {make_id(section.title) for section in sections(text)}
    assert not anchor or anchor in titles


@pytest.mark.parametrize("name", [*members(), "Marian"])
def test_map_and_table_lead_to_the_same_section(name):
    page, _, slug = re.search(r"\((\w+)(\.ipynb)#([\w-]+)\)", LEARNS[name][2]).groups()
    # In Markdown an apostrophe is left out of an address, in the built page it is a hyphen.
    assert BOXES[name].get("href").replace("-s-", "s-") == f"{page}.html#{slug}".replace(
        "-s-", "s-"
    )


@pytest.mark.parametrize("name", members())
def test_years_are_those_of_the_papers_that_the_code_follows(name):
    label = BOXES[name].get("aria-label")
    assert re.search(r", (\d{4}):", label)[1] == members()[name].source.split()[-1]


@pytest.mark.parametrize("name", [*members(), "Marian"])
def test_a_box_says_aloud_what_it_shows(name):
    title, year, new, half = re.fullmatch(
        r"(.+), (\d{4}): (.+); keeps (.+)", BOXES[name].get("aria-label")
    ).groups()
    lines = " ".join(shown(text) for text in BOXES[name].iter("text"))
    assert lines == f"{title} {year} {new}"
    assert (
        half
        == {
            ("encoder", "decoder"): "encoder and decoder",
            ("encoder",): "the encoder",
            ("decoder",): "the decoder",
        }[tuple(marked(name))]
    )


def marked(name):
    """Return the halves whose squares are filled, from left to right."""
    squares = [r for r in BOXES[name].iter("rect") if r.get("class") != "block"]
    assert [float(r.get("x")) for r in squares] == sorted(float(r.get("x")) for r in squares)
    assert len(squares) == 2
    return [r.get("class").removeprefix("kept ") for r in squares if r.get("class") != "left-out"]


@pytest.mark.parametrize("name", NAMES)
def test_halves_are_those_of_the_model(name):
    """With attention across it has both; with a causal mask alone it is a decoder without that."""
    model, _ = built(name)
    half = KEEPS[name][0].partition(",")[0]
    halves = {"both": ["encoder", "decoder"]}.get(half, [half])
    assert halves == marked(name)
    if has(model, DecoderLayer):
        assert half == "both"
    else:
        assert half == ("decoder" if KEEPS[name][1] == "causal" else "encoder")
    two = sum(part in dir(model) for part in ("reader", "generator")) == 2
    assert two == KEEPS[name][0].endswith("twice")


# --- masks, from what changes if an input does

TEXT = torch.tensor([[3, 4, 5, 6]])
OTHER_END = torch.tensor([[3, 4, 5, 7]])


@pytest.mark.parametrize("name", ["BERT", "ELECTRA", "GPT"])
def test_masks_of_one_half(name):
    model, _ = built(name)
    sees_later = not torch.equal(model(TEXT)[:, 0], model(OTHER_END)[:, 0])
    assert sees_later == (KEEPS[name][1] == "all")
    assert sees_later or KEEPS[name][1] == "causal"


@pytest.mark.parametrize("name", ["BART", "T5", *PAPER])
def test_masks_of_both_halves(name):
    assert KEEPS[name][1] == "decoder causal"
    model, _ = built(name)
    memory = model.encode(TEXT)
    assert not torch.equal(memory[:, 0], model.encode(OTHER_END)[:, 0])
    first, other = (model.decode(target, memory, TEXT) for target in (TEXT, OTHER_END))
    assert torch.equal(first[:, 0], other[:, 0])
    assert not torch.equal(first[:, -1], other[:, -1])


ENCODER = {
    **dict.fromkeys(("ViT", "DeiT", "DiT"), "encoder"),
    "SAM": "image_encoder.encoder",
    **dict.fromkeys(("DETR", "DeformableDETR"), "encoder.0"),
    **dict.fromkeys(("Swin", "SegFormer"), "stages.0"),
}
"""What lets places look at each other: the whole encoder, or its first part."""


def looks(name):
    """Return whether the last place, and the last but one, sees each place that is read."""
    model, config = built(name)
    side = next((getattr(config, n) for n in ("image_size", "side") if hasattr(config, n)), 16)
    channels = config.channels if hasattr(config, "channels") else config.n_channels
    images = torch.rand(1, channels, side, side, dtype=torch.float64, requires_grad=True)
    model = disturbed(model) if name == "DiT" else model.double()  # the gates of DiT begin closed
    seen = []
    model.get_submodule(ENCODER[name]).register_forward_hook(
        lambda part, given, x: seen.append((given[0], x))
    )
    none = torch.zeros(1, dtype=torch.long)
    given = {"DiT": (images, none, none)}.get(name, (images,))
    (model.encode if name == "SAM" else model)(*given)
    ((read, x),) = seen
    wanted = x.flatten(1, -2)[0] @ torch.randn(x.size(-1), dtype=torch.float64)
    slopes = [torch.autograd.grad(wanted[i], read, retain_graph=True)[0] for i in (-1, -2)]
    return [slope.flatten(1, -2)[0].any(-1) for slope in slopes]


@pytest.mark.parametrize("name", ENCODER)
def test_masks_of_images(name):
    last, before = looks(name)
    assert before[-1], "a causal mask"
    assert last.all() == KEEPS[name][1].startswith("all")


@pytest.mark.parametrize("name", ["DETR", "DeformableDETR"])
def test_slots_look_at_each_other_in_both_directions(name):
    model, _ = built(name, n_layers=2)  # a slot of DETR begins as zero, and learns who it is
    images = torch.rand(1, 1, 16, 16)
    logits, _ = model(images)
    for changed, seen in ((-1, 0), (0, -1)):
        other = disturbed_row(model, changed)
        assert not torch.equal(other(images)[0][:, seen], logits[:, seen])


def disturbed_row(model, row):
    """Return a copy of a detector with another query in one row."""
    other = type(model)(model.config).eval()
    other.load_state_dict(model.state_dict())
    with torch.no_grad():
        other.queries[row] += 1
    return other


# --- norms and positions, from configurations and parts


def layer_configs(config):
    """Return the configurations of a member's layers: those of its stages, if it has stages."""
    if hasattr(config, "stage"):
        return [config.stage(number) for number in range(len(config.n_layers))]
    return [config]


@pytest.mark.parametrize("name", NAMES)
def test_norms_are_those_of_the_configurations(name):
    model, config = built(name)
    norm = LEARNS[name][0]
    order = {"before": "pre", "after": "post"}[re.match(r"\w+", norm)[0]]
    assert {c.norm for c in layer_configs(config)} == {order}
    assert has(model, RMSNorm) == ("RMSNorm" in norm)
    if "decoder after" in norm:
        assert config.decoder.norm == "post"


ADDED = {"learned": "learned", "sinusoids": "sinusoidal"}
IN_LAYERS = (Distances, DistancesInWindows, PlacedEncoderLayer, DeformableEncoderLayer)


@pytest.mark.parametrize("name", NAMES)
def test_positions_are_those_of_the_configurations(name):
    model, config = built(name)
    what, _, where = KEEPS[name][2].partition(", ")
    what, _, clicks = what.partition("; ")
    assert any(has(model, kind) for kind in IN_LAYERS) == (where == "in each layer")
    if where:
        assert has(model, (Distances, DistancesInWindows)) == (what == "distances")
    elif name == "SAM":
        assert has(model, LearnedPositions)
        assert what == "learned"
    else:
        added = getattr(config, "positions", None) or layer_configs(config)[0].positions
        assert added == ADDED.get(what, "none")
    assert has(model, ClickEncoder) == bool(clicks)


# --- arrows


def edges():
    """Return pairs of parent and child, each with where its arrow ends."""
    found = {}
    for path in MAP.iter("path"):
        if path.get("data-edge"):
            x = y = 0.0
            for letter, numbers in re.findall(r"([MHV])([\d. ]+)", path.get("d")):
                values = [float(n) for n in numbers.split()]
                x = values[0] if letter in "MH" else x
                y = values[-1] if letter in "MV" else y
            found[tuple(path.get("data-edge").split())] = (x, y)
    return found


def test_arrows_end_at_the_border_of_their_box():
    for (_, child), (x, y) in edges().items():
        block = next(r for r in BOXES[child].iter("rect") if r.get("class") == "block")
        left, top, width, height = (float(block.get(k)) for k in ("x", "y", "width", "height"))
        assert left - 2 < x < left + width + 2
        assert top - 2 < y < top + height + 2
        assert min(abs(x - left), abs(x - left - width), abs(y - top)) <= 1


def test_every_model_has_a_parent_that_is_not_younger():
    year = {
        n: int(re.search(r"\d{4}", box.get("aria-label"))[0])
        for n, box in BOXES.items()
        if n in NAMES
    }
    for parent, child in edges():
        assert year[parent] <= year[child]
    assert {child for _, child in edges()} == set(NAMES) - {"Transformer"}


def test_a_class_that_is_made_of_another_has_an_arrow_from_it():
    kinds = members()
    for name, kind in kinds.items():
        for other, base in kinds.items():
            if base in kind.__bases__:
                assert (other, name) in edges()


def test_every_row_of_sizes_names_its_source():
    rows = [line for line in PAGE.splitlines() if "{cite:p}" in line and line.startswith("|")]
    assert len(rows) == len(NAMES)
    keys = [re.search(r"`(\w+)`", row)[1] for row in rows]
    assert len(set(keys)) == len(keys)
    known = (ROOT / "book" / "references.bib").read_text("utf-8")
    assert all(f"{{{key}," in known for key in keys)
