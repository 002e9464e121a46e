"""SegFormer against Hugging Face's, and what is left of it without its two changes."""

import pytest
import torch
from family_oracle import assert_same_gradients, copied, disturbed
from torch import nn
from torch.nn import functional as F
from transformers import SegformerConfig as Theirs
from transformers import SegformerForSemanticSegmentation

from annotated_transformer.lab.family import SegFormer, SegFormerConfig, fit
from annotated_transformer.lab.family.segformer.mix import MixLayer
from annotated_transformer.transformer import EncoderLayer

SETTINGS = {
    "num_encoder_blocks": 3,
    "depths": [1, 2, 1],
    "sr_ratios": [4, 2, 1],
    "hidden_sizes": [8, 12, 16],
    "patch_sizes": [7, 3, 3],
    "strides": [4, 2, 2],
    "num_attention_heads": [1, 2, 4],
    "mlp_ratios": [2, 1, 2],
    "decoder_hidden_size": 6,
    "num_channels": 2,
    "num_labels": 5,
}
SIZES = {
    "n_layers": (1, 1),
    "n_heads": (1, 2),
    "d_model": (8, 16),
    "widening": (2, 2),
    "patch": (3, 3),
    "stride": (2, 2),
    "ratio": (2, 1),
    "d_head": 16,
    "n_channels": 1,
    "n_classes": 3,
}


def reference(**settings):
    """Return their model, whose attention computes in float64 as ours does only as "sdpa".

    What the normalisation over the batch has counted is random too.
    """
    torch.manual_seed(0)
    settings = SETTINGS | {"drop_path_rate": 0.0, "classifier_dropout_prob": 0.0} | settings
    theirs = Theirs(**settings, attn_implementation="sdpa")
    theirs = disturbed(SegformerForSemanticSegmentation(theirs))
    norm = theirs.decode_head.batch_norm
    norm.running_mean.normal_()
    norm.running_var.uniform_(0.5, 2)
    norm.num_batches_tracked.fill_(7)
    return theirs


def images(height=32, width=32, channels=2, n=2):
    return torch.randn(n, channels, height, width, dtype=torch.float64)


@pytest.mark.parametrize("size", [(32, 32), (37, 50)])
def test_it_is_the_reference_forward_and_gradient(size):
    theirs = reference()
    ours = copied(SegFormer, theirs)
    x = images(*size)
    assert_same_gradients(ours, theirs, ours(x), theirs(x).logits)


def test_it_is_the_reference_in_training_and_counts_batches_as_it_does():
    theirs = reference().train()
    ours = copied(SegFormer, theirs).train()
    x = images()
    assert_same_gradients(ours, theirs, ours(x), theirs(x).logits)
    norm, expected = ours.head.norm, theirs.decode_head.batch_norm
    torch.testing.assert_close(norm.running_mean, expected.running_mean)
    torch.testing.assert_close(norm.running_var, expected.running_var)
    assert norm.num_batches_tracked == 8


def test_the_loss_is_the_references():
    theirs = reference()
    ours = copied(SegFormer, theirs)
    x, labels = images(30, 34), torch.randint(0, 5, (2, 30, 34))
    labels[0, :9] = 255
    expected = theirs(x, labels=labels).loss
    torch.testing.assert_close(ours.loss(x, labels), expected, rtol=1e-10, atol=1e-10)


def test_it_reads_what_the_reference_saved(tmp_path):
    theirs = reference(classifier_dropout_prob=0.2)
    theirs.save_pretrained(tmp_path)
    ours = SegFormer.from_pretrained(tmp_path)
    x = images()
    assert (ours.config.n_classes, ours.config.dropout) == (5, 0.2)
    assert ours.head.norm.num_batches_tracked == 7
    torch.testing.assert_close(ours(x), theirs(x).logits, rtol=1e-10, atol=1e-10)


def test_a_dropout_that_is_not_built_is_refused():
    settings = reference(hidden_dropout_prob=0.1).config.to_dict()
    with pytest.raises(
        ValueError, match=r"hidden_dropout_prob=0.1 is not built here; expected 0\.0"
    ):
        SegFormer.config_from(settings, "x")


def layers(ratio):
    """Return a layer, and the paper's with the same weights."""
    torch.manual_seed(0)
    config = SegFormerConfig(**SIZES).stage(1)
    ours, plain = MixLayer(config, ratio).double(), EncoderLayer(config).double()
    disturbed(ours)
    plain.load_state_dict(ours.state_dict(), strict=False)
    assert not plain.state_dict().keys() - ours.state_dict().keys()
    return ours, plain


def only_the_centre(layer):
    mix = layer.feed_forward.mix
    with torch.no_grad():
        mix.weight.zero_()
        mix.weight[:, :, 1, 1] = 1
        mix.bias.zero_()


def test_without_reduction_and_neighbours_a_layer_is_the_papers():
    ours, plain = layers(1)
    x = torch.randn(2, 3, 5, 16, dtype=torch.float64)
    expected = plain(x.flatten(1, 2), None).unflatten(1, (3, 5))
    assert (ours(x) - expected).abs().max() > 1e-3
    only_the_centre(ours)
    torch.testing.assert_close(ours(x), expected, rtol=1e-12, atol=1e-12)


def test_only_the_neighbours_tell_a_layer_where_a_place_is():
    ours, _ = layers(1)
    x = torch.randn(1, 3, 5, 16, dtype=torch.float64)
    order = torch.randperm(15)

    def moved(grid):
        return grid.flatten(1, 2)[:, order].unflatten(1, (3, 5))

    assert (ours(moved(x)) - moved(ours(x))).abs().max() > 1e-3
    only_the_centre(ours)
    torch.testing.assert_close(ours(moved(x)), moved(ours(x)), rtol=1e-12, atol=1e-12)


def test_keys_are_fewer_by_the_square_of_the_ratio():
    ours, _ = layers(2)
    seen = []
    ours.self_attention.attend.register_forward_hook(
        lambda module, args, output: seen.append([x.size(2) for x in args[:3]])
    )
    ours(torch.randn(1, 6, 8, 16, dtype=torch.float64))
    assert seen == [[48, 12, 12]]


def squares(n, side, seed):
    """Images of noise with a bright and a dark square, and the class of each pixel."""
    generator = torch.Generator().manual_seed(seed)
    x = 0.1 * torch.randn(n, 1, side, side, generator=generator)
    labels = torch.zeros(n, side, side, dtype=torch.long)
    for image in range(n):
        for number, shade in ((1, 1.0), (2, -1.0)):
            row, column = torch.randint(0, side - 6, (2,), generator=generator).tolist()
            x[image, 0, row : row + 6, column : column + 6] = shade
            labels[image, row : row + 6, column : column + 6] = number
    return x, labels


def test_it_learns_to_tell_squares_apart_and_finds_them_in_larger_images():
    torch.manual_seed(0)
    model = SegFormer(SegFormerConfig(**SIZES))
    batches = (squares(8, 16, seed) for seed in range(100))
    losses = fit(model, batches, rate=5e-3, warmup=10)
    assert losses[-1] < 0.4 * losses[0]
    x, labels = squares(8, 26, seed=1000)
    found = F.interpolate(model(x), labels.shape[1:], mode="bilinear").argmax(1)
    for number in range(3):
        assert (found[labels == number] == number).float().mean() > 0.8


def test_parts_of_the_head_are_linear_maps():
    kinds = [type(part) for part in SegFormer(SegFormerConfig(**SIZES)).head.modules()]
    assert kinds.count(nn.Linear) == 3
    assert nn.Conv2d not in kinds


def segformer():
    return SegFormer(SegFormerConfig(**SIZES)).double().eval()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (torch.zeros(1, 1, 2, 9), "has 1 x 5 patches at a stage which reduces 2 x 2 of them"),
        (torch.zeros(1, 3, 9, 9), r"expected.*\(batch, 1, height, width\)"),
        (torch.zeros(1, 1, 0, 9), "0 x 9 pixels"),
    ],
)
def test_images_that_do_not_fit_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        segformer()(wrong.double())


@pytest.mark.parametrize(
    ("label", "message"),
    [(3, "label 3 is no class: there are n_classes=3, 0 to 2"), (255, "all labels are 255")],
)
def test_labels_that_do_not_fit_are_refused(label, message):
    labels = torch.full((2, 16, 16), label)
    with pytest.raises(ValueError, match=message):
        segformer().loss(images(16, 16, channels=1), labels)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ratio": (2, 1, 1)}, r"ratio=\(2, 1, 1\) has 3 numbers, n_layers has 2"),
        ({"stride": (0, 2)}, r"stride\[0\]=0 must be a positive integer"),
        ({"d_head": 0}, "d_head=0 must be a positive integer"),
        ({"dropout": 1.0}, "dropout=1.0 must be at least 0 and below 1"),
        ({"n_heads": (1, 3)}, "d_model=16 is not divisible by n_heads=3"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        SegFormerConfig(**SIZES | options)


def test_the_default_is_b0_with_the_size_that_everybody_knows():
    with torch.device("meta"):
        model = SegFormer(SegFormerConfig())
    assert sum(p.numel() for p in model.parameters()) == 3_752_694
