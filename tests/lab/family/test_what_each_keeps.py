"""What the tables of the family say of halves, masks, norms and positions is what the code does."""

import re

import pytest
import torch
from family_oracle import disturbed
from family_page import KEEPS, LEARNS, NAMES, PAPER, marked
from family_tiny import TINY

from annotated_transformer import Transformer, TransformerConfig
from annotated_transformer.lab import family
from annotated_transformer.lab.family.deformable_detr.attention import DeformableEncoderLayer
from annotated_transformer.lab.family.detr.placed import PlacedEncoderLayer
from annotated_transformer.lab.family.llama.model import RotaryGroupedAttention
from annotated_transformer.lab.family.sam.clicks import ClickEncoder
from annotated_transformer.lab.family.swin.windows import RelativeBias as DistancesInWindows
from annotated_transformer.lab.family.t5.distances import RelativeBias as Distances
from annotated_transformer.lab.family.t5.parts import RMSNorm
from annotated_transformer.transformer import DecoderLayer
from annotated_transformer.variants import LearnedPositions
from count_new import members


def built(name, **others):
    """Return a small untrained model and its configuration."""
    if name in PAPER:
        config = TransformerConfig(**TINY["BART"])
        return Transformer(config).eval(), config
    config = getattr(family, f"{name}Config")(**TINY[name] | others)
    return members()[name](config).eval(), config


def has(model, kind):
    return any(isinstance(module, kind) for module in model.modules())


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


@pytest.mark.parametrize("name", ["BERT", "ELECTRA", "GPT", "LLaMA"])
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
IN_LAYERS = (
    Distances,
    DistancesInWindows,
    PlacedEncoderLayer,
    DeformableEncoderLayer,
    RotaryGroupedAttention,
)


@pytest.mark.parametrize("name", NAMES)
def test_positions_are_those_of_the_configurations(name):
    model, config = built(name)
    told, _, more = KEEPS[name][2].partition("; ")
    what, _, where = told.partition(", ")
    assert any(has(model, kind) for kind in IN_LAYERS) == (where == "in each layer")
    if where:
        assert has(model, (Distances, DistancesInWindows)) == (what == "distances")
    elif name == "SAM":
        assert has(model, LearnedPositions)
        assert what == "learned"
    else:
        added = getattr(config, "positions", None) or layer_configs(config)[0].positions
        assert added == ADDED.get(what, "none")
    assert has(model, ClickEncoder) == (more == "sinusoids in the decoder")
    assert hasattr(model, "queries") == (more == "slots: learned")
    among_neighbours = any(getattr(part, "groups", 1) > 1 for part in model.modules())
    assert among_neighbours == (more == "convolutions tell")
