"""DETR against Hugging Face's, on copied weights and on a directory that it saved itself.

What it shares with the other detector stands in `test_detectors.py`.
"""

import pytest
import torch
from detectors import detr as reference
from detectors import gold, labels, pictures
from family_oracle import assert_same_gradients, copied
from safetensors.torch import load_file, save_file

from annotated_transformer.lab.family import DETR, DETRConfig
from annotated_transformer.lab.family.detr.placed import image_positions

SIZES = {"n_layers": 2, "d_model": 16, "d_ff": 24, "n_heads": 2, "n_queries": 5, "n_classes": 4}
SMALL = SIZES | {"channels": 1, "widths": (8, 12), "depths": (), "dropout": 0.0}


@pytest.fixture
def float64_by_default():
    """The reference makes its weights of the classes anew, in the default precision."""
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def test_padding_changes_the_result():
    ours = copied(DETR, reference())
    images, real = pictures()
    assert not torch.allclose(ours(images)[0][1], ours(images, real)[0][1])


@pytest.mark.usefixtures("float64_by_default")
def test_the_loss_is_the_reference_loss_forward_and_gradient():
    theirs = reference()
    ours = copied(DETR, theirs)
    images, _ = pictures()
    boxes, classes = gold()
    expected = theirs(images, labels=labels(boxes, classes)).loss
    found = ours.set_loss(*ours(images), boxes, classes)
    assert_same_gradients(ours, theirs, found, expected)


@pytest.mark.usefixtures("float64_by_default")
def test_the_loss_is_the_sum_over_the_layers_of_the_decoder():
    """Compared with the reference's criterion on our own predictions of each layer.

    With auxiliary losses, the reference's decoder hands the normalised state on to its next layer,
    so that its forward is not that of the same model without them; the authors' code does not.
    """
    ours = copied(DETR, reference())
    theirs = reference(auxiliary_loss=True)
    images, _ = pictures()
    boxes, classes = gold()
    logits, found = map(torch.stack, zip(*ours.each_layer(images), strict=True))
    expected, *_ = theirs.loss_function(
        logits[-1], labels(boxes, classes), "cpu", found[-1], theirs.config, logits, found
    )
    assert ours.config.auxiliary
    torch.testing.assert_close(ours.loss(images, boxes, classes), expected, rtol=1e-10, atol=1e-10)


def test_it_reads_what_the_reference_saved(tmp_path):
    theirs = reference()
    theirs.save_pretrained(tmp_path)
    ours = DETR.from_pretrained(tmp_path)
    assert (ours.config.n_classes, ours.config.depths) == (4, (1, 2, 1, 1))
    images, real = pictures()
    output = theirs(images, pixel_mask=real.long())
    for found, expected in zip(ours(images, real), (output.logits, output.pred_boxes), strict=True):
        torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-10)


def by_timm(name):
    """Give a tensor of the ResNet the name that it has in the published files."""
    parts = name.split(".")
    kinds = {"convolution": "conv", "normalization": "bn"}
    if "embedder" in parts:
        return f"model.backbone.conv_encoder.model.{kinds[parts[-2]]}1.{parts[-1]}"
    if "stages" not in parts:
        return name
    at = parts.index("stages")
    stage, block = int(parts[at + 1]) + 1, parts[at + 3]
    place = f"model.backbone.conv_encoder.model.layer{stage}.{block}"
    if "shortcut" in parts:
        part = ["convolution", "normalization"].index(parts[-2])
        return f"{place}.downsample.{part}.{parts[-1]}"
    return f"{place}.{kinds[parts[-2]]}{int(parts[-3]) + 1}.{parts[-1]}"


def test_it_reads_the_names_of_the_published_files(tmp_path):
    """The published files name the ResNet as timm does, and their settings only say resnet50.

    timm is not installed here: what the reference saved is renamed by hand, and resnet50 takes the
    sizes of the small one.
    """
    theirs = reference()
    theirs.save_pretrained(tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    renamed = {by_timm(name): tensor for name, tensor in stored.items()}
    first = "model.backbone.conv_encoder.model.layer2.0."
    assert first + "downsample.0.weight" in renamed
    assert first + "bn3.running_var" in renamed
    assert "model.encoder.layers.0.self_attn.out_proj.weight" in renamed
    renamed[first + "downsample.1.num_batches_tracked"] = torch.tensor(0)
    ours, again = copied(DETR, theirs), copied(DETR, theirs)
    with torch.no_grad():
        for tensor in again.state_dict().values():
            tensor.zero_()
    DETR.reference.copy(again, renamed, "a published file")
    assert all(map(torch.equal, ours.state_dict().values(), again.state_dict().values()))
    save_file(renamed, tmp_path / "model.safetensors")


def settings_of(theirs, **changes):
    return {**theirs.config.to_dict(), **changes}


def test_older_settings_name_the_network_of_timm():
    theirs = reference()
    older = settings_of(theirs, backbone="resnet101")
    del older["backbone_config"]
    config = DETR.config_from(older, "config.json")
    assert config.depths == (3, 4, 23, 3)
    assert config.widths == DETRConfig().widths
    newer = {"model_type": "timm_backbone", "backbone": "resnet50"}
    config = DETR.config_from(settings_of(theirs, backbone_config=newer), "config.json")
    assert config.depths == DETRConfig().depths


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dilation": True}, "dilation=True is not built here"),
        ({"auxiliary_loss": True}, "auxiliary_loss=True is not built here"),
        ({"position_embedding_type": "learned"}, "='learned' is not built here"),
        ({"decoder_layers": 3}, "encoder_layers=2 and decoder_layers=3; only equal"),
        ({"backbone_config": {"backbone": "swin"}}, "the backbone 'swin' is not built here"),
        (
            {"backbone_config": {"model_type": "resnet", "layer_type": "basic"}},
            r"backbone_config: layer_type='basic' is not built here; expected 'bottleneck'",
        ),
    ],
)
def test_settings_that_are_not_built_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        DETR.config_from(settings_of(reference(), **changes), "config.json")


@pytest.fixture
def detr():
    torch.manual_seed(1)
    return DETR(DETRConfig(**SMALL)).eval()


def silence(attention):
    """Make all scores of an attention equal to 0."""
    for linear in (attention.w_query, attention.w_key):
        torch.nn.init.zeros_(linear.weight)


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_positions_act_through_queries_and_keys_alone(detr, stack):
    """With all weights of W_Q and W_K zero, positions change nothing: no value holds one."""
    x, mask = torch.randn(2, 6, 16), torch.ones(2, 1, 1, 6, dtype=torch.bool)
    one, other = torch.randn(2, 2, 6, 16)
    layer = getattr(detr, stack)[0]

    def run(place):
        if stack == "encoder":
            return layer(x, mask, place)
        return layer(x, x.flip(1), place.flip(2), place, mask)

    assert not torch.allclose(run(one), run(other))
    silence(layer.self_attention)
    if stack == "decoder":
        assert not torch.allclose(run(one), run(other))
        silence(layer.cross_attention)
    torch.testing.assert_close(run(one), run(other))


def test_positions_of_an_image_do_not_depend_on_what_fills_it_up():
    small = image_positions(torch.ones(1, 3, 5, dtype=torch.bool), 16, torch.float64)
    real = torch.zeros(1, 4, 9, dtype=torch.bool)
    real[:, :3, :5] = True
    large = image_positions(real, 16, torch.float64)
    torch.testing.assert_close(large[real.flatten(1)], small[0], rtol=0, atol=0)
    y, x = small[0, :, :8], small[0, :, 8:]
    assert torch.equal(y[0], y[4])
    assert torch.equal(x[1], x[6])
    assert not torch.equal(y[0], y[5])


def test_a_width_that_does_not_fall_into_sines_and_cosines_of_two_directions():
    with pytest.raises(ValueError, match="d_model=6 must be a multiple of 4"):
        DETR(DETRConfig(**SMALL | {"d_model": 6}))(torch.rand(1, 1, 8, 8))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"depths": (1, 2)}, r"widths=\(8, 12\) for depths=\(1, 2\): expected a width for each"),
        ({"widths": ()}, r"widths=\(\) for depths=\(\): expected a width"),
        ({"widths": (8, 0)}, "a number of widths=0 must be a positive integer"),
        ({"n_queries": 0}, "n_queries=0 must be a positive integer"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        DETRConfig(**SMALL | changes)
