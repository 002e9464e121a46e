"""Swin against Hugging Face's, and how far its windows reach."""

import math

import pytest
import torch
from family_oracle import assert_same_gradients, copied, disturbed
from torch import nn
from transformers import SwinConfig as Theirs
from transformers import SwinForImageClassification

from annotated_transformer.lab.analysis.influence import influence
from annotated_transformer.lab.corpora.digits import digits
from annotated_transformer.lab.family import Swin, SwinConfig, fit
from annotated_transformer.lab.family.swin.windows import (
    Merging,
    RelativeBias,
    into_windows,
    out_of_windows,
    shift_mask,
    window_layers,
)

SETTINGS = {
    "embed_dim": 8,
    "depths": [2, 3],
    "num_heads": [2, 4],
    "mlp_ratio": 1.5,
    "num_channels": 2,
    "num_labels": 5,
}
SHAPES = {
    "even window": {"image_size": 16, "patch_size": 2, "window_size": 2},
    "odd window": {"image_size": 12, "patch_size": 1, "window_size": 3},
    "last stage of one window": {"image_size": 16, "patch_size": 2, "window_size": 4},
}
SIZES = {"n_layers": (2,), "n_heads": (2,), "d_model": 8, "n_channels": 1, "n_classes": 3}


def reference(shape="even window", **settings):
    """Return their model, whose attention computes in float64 as ours does only as "sdpa"."""
    torch.manual_seed(0)
    settings = SETTINGS | SHAPES[shape] | settings
    return disturbed(SwinForImageClassification(Theirs(**settings, attn_implementation="sdpa")))


def images(height, width=None, channels=2, n=3):
    return torch.randn(n, channels, height, width or height, dtype=torch.float64)


@pytest.mark.parametrize("shape", SHAPES)
def test_it_is_the_reference_forward_and_gradient(shape):
    theirs = reference(shape)
    ours = copied(Swin, theirs)
    x = images(SHAPES[shape]["image_size"])
    assert_same_gradients(ours, theirs, ours(x), theirs(x).logits)


def test_images_need_not_be_square_nor_as_large_as_in_training():
    theirs = reference()
    x = images(24, 32)
    torch.testing.assert_close(copied(Swin, theirs)(x), theirs(x).logits, rtol=1e-10, atol=1e-10)


def test_it_reads_what_the_reference_saved(tmp_path):
    theirs = reference()
    theirs.save_pretrained(tmp_path)
    ours = Swin.from_pretrained(tmp_path)
    x = images(16)
    assert ours.config.n_classes == 5
    torch.testing.assert_close(ours(x), theirs(x).logits, rtol=1e-10, atol=1e-10)


def test_files_of_the_hub_have_an_index_of_distances_too():
    theirs = reference()
    tensors = {
        name.replace("attention.q_proj", "attention.self.query")
        .replace("attention.relative_position_bias.", "attention.self.")
        .replace("attention.o_proj", "attention.output.dense")
        .replace("mlp.fc2", "output.dense"): tensor
        for name, tensor in theirs.state_dict().items()
    }
    index = "swin.encoder.layers.0.blocks.0.attention.self.relative_position_index"
    ours = Swin(Swin.config_from(theirs.config.to_dict(), "x")).double().eval()
    Swin.reference.copy(ours, tensors | {index: torch.zeros(4, 4)}, "hub")
    x = images(16)
    torch.testing.assert_close(ours(x), theirs(x).logits, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(
    ("name", "value"), [("use_absolute_embeddings", True), ("layer_norm_eps", 1e-6)]
)
def test_an_option_that_is_not_built_is_refused(name, value):
    settings = reference().config.to_dict() | {name: value}
    with pytest.raises(ValueError, match=f"{name}={value} is not built here"):
        Swin.config_from(settings, "x")


def test_windows_are_squares_and_come_together_again():
    grid = images(6, 9, n=2).permute(0, 2, 3, 1)
    found = into_windows(grid, 3)
    assert found.shape == (2 * 2 * 3, 9, 2)
    for number in range(12):
        image, (row, column) = number // 6, divmod(number % 6, 3)
        square = grid[image, 3 * row : 3 * row + 3, 3 * column : 3 * column + 3]
        assert torch.equal(found[number], square.reshape(9, 2))
    assert torch.equal(out_of_windows(found, 6, 9), grid)


def test_a_bias_is_that_of_a_distance():
    bias = RelativeBias(3, 2)
    nn.init.normal_(bias.table)
    found = bias()
    values = {}
    for q in range(9):
        for k in range(9):
            far = (q // 3 - k // 3, q % 3 - k % 3)
            assert torch.equal(values.setdefault(far, found[0, :, q, k]), found[0, :, q, k])
    assert len({tuple(value.tolist()) for value in values.values()}) == 25 == len(bias.table)


def test_a_shifted_window_hides_what_came_from_the_other_side():
    """Window by window, from the places that its patches had: near is less than a window."""
    side, size, shift = 6, 3, 1
    place = torch.cartesian_prod(torch.arange(side), torch.arange(side)).double()
    moved = place.view(1, side, side, 2).roll((-shift, -shift), (1, 2))
    for window, mask in zip(
        into_windows(moved, size), shift_mask(side, side, size, shift), strict=True
    ):
        apart = (window[:, None] - window[None]).abs().amax(-1)
        assert torch.equal(mask[0], apart < size)


def in_one_window(height, width, size, shift):
    """True where two patches lie in one window; the windows begin at `shift`, and at the border."""
    rows = (torch.arange(height) - shift) // size
    columns = (torch.arange(width) - shift) // size
    place = torch.cartesian_prod(rows, columns)
    return (place[:, None] == place[None]).all(-1)


def two_layers(size, shifted):
    stage = SwinConfig(**SIZES).stage(0)
    return disturbed(window_layers(stage, size, shifted=shifted), seed=1)


@pytest.mark.parametrize(("height", "width", "size"), [(8, 8, 4), (6, 9, 3), (4, 8, 2)])
@pytest.mark.parametrize("shifted", [True, False])
def test_how_far_a_patch_sees_follows_from_the_windows(height, width, size, shifted):
    """Two layers of random weights: gradients reach just the patches that the windows allow."""
    torch.manual_seed(0)
    layers = two_layers(size, shifted)
    x = torch.randn(height * width, 8, dtype=torch.float64)

    def reach(layers):
        found = influence(lambda x: layers(x.view(1, height, width, 8))[0].flatten(0, 1), x)
        return found > 0

    first = in_one_window(height, width, size, 0)
    second = in_one_window(height, width, size, size // 2 if shifted else 0)
    both = (second.double() @ first.double()) > 0
    assert torch.equal(reach(layers[:1]), first)
    assert torch.equal(reach(layers), both)
    assert both.sum() > first.sum() if shifted else torch.equal(both, first)


def test_windows_of_the_whole_image_do_not_move():
    assert in_one_window(4, 4, 4, 0).all()
    layers = two_layers(4, True)
    x = torch.randn(16, 8, dtype=torch.float64)
    assert (influence(lambda x: layers(x.view(1, 4, 4, 8))[0].flatten(0, 1), x) > 0).all()


def swin(**options):
    torch.manual_seed(1)
    return disturbed(Swin(SwinConfig(**SIZES, patch_size=2, window=2, **options)))


def test_without_the_shift_an_image_may_move_by_whole_windows():
    x = images(16, channels=1)
    moved = x.roll((4, 8), (2, 3))
    still = swin(shifted=False)
    torch.testing.assert_close(still(moved), still(x), rtol=1e-12, atol=1e-12)
    assert not torch.allclose(swin()(moved), swin()(x))


def test_four_neighbours_become_one():
    merging = disturbed(Merging(8, 1e-5))
    grid = torch.randn(1, 4, 6, 8, dtype=torch.float64)
    found = influence(lambda x: merging(x.view(1, 4, 6, 8))[0].flatten(0, 1), grid.flatten(0, 2))
    assert torch.equal(found.T > 0, into_quarters(4, 6))


def into_quarters(height, width):
    place = torch.cartesian_prod(torch.arange(height) // 2, torch.arange(width) // 2)
    small = torch.cartesian_prod(torch.arange(height // 2), torch.arange(width // 2))
    return (place[:, None] == small[None]).all(-1)


def test_it_learns_a_few_digits():
    torch.manual_seed(0)
    sizes = {"n_layers": (2, 1), "n_heads": (4, 4), "d_model": 32, "widening": 2.0}
    model = Swin(SwinConfig(**sizes, window=2, patch_size=2, n_channels=1, n_classes=10))
    x, labels = digits("train", 30)
    losses = fit(model, ((x, labels) for _ in range(60)), rate=3e-3, warmup=10)
    assert losses[-1] < 0.1 < losses[0]
    assert all(math.isfinite(p.grad.norm()) for p in model.parameters())


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (torch.zeros(1, 1, 16, 18), "16 x 18 pixels do not divide evenly.*multiples of 4"),
        (torch.zeros(1, 2, 16, 16), r"expected.*\(batch, 1, height, width\)"),
    ],
)
def test_images_that_do_not_fit_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        swin()(wrong.double())


def test_a_label_that_is_no_class_is_refused():
    with pytest.raises(ValueError, match="label 3 is no class: there are n_classes=3, 0 to 2"):
        swin().loss(images(16, channels=1), torch.tensor([0, 3, 1]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_heads": (2, 4)}, r"n_heads=\(2, 4\) has 2 numbers, n_layers has 1"),
        ({"n_layers": (0,)}, r"n_layers\[0\]=0 must be a positive integer"),
        ({"n_heads": (3,)}, "d_model=8 is not divisible by n_heads=3"),
        ({"window": 0}, "window=0 must be a positive integer"),
        ({"widening": 0.0}, "widening=0.0 must be a positive number"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        SwinConfig(**SIZES | options)


def test_the_default_is_swin_t_with_the_size_that_everybody_knows():
    with torch.device("meta"):
        model = Swin(SwinConfig())
    assert sum(p.numel() for p in model.parameters()) == 28_288_354
