"""Deformable DETR against Hugging Face's, and its sampling against an explicit loop."""

import math

import pytest
import torch
from detectors import deformable_detr as reference
from detectors import gold, labels, pictures
from family_oracle import assert_same_gradients, copied

from annotated_transformer.lab.family import DeformableDETR, DeformableDETRConfig
from annotated_transformer.lab.family.deformable_detr.attention import DeformableAttention, sampled
from annotated_transformer.lab.family.deformable_detr.maps import laid_out
from annotated_transformer.lab.family.losses import focal_loss

SMALL = {
    "n_layers": 2,
    "d_model": 32,
    "d_ff": 24,
    "n_heads": 2,
    "n_queries": 5,
    "n_classes": 4,
    "channels": 1,
    "widths": (8, 12),
    "depths": (),
    "n_maps": 2,
    "n_levels": 2,
    "n_points": 3,
    "dropout": 0.0,
}


def test_the_loss_is_the_reference_loss_with_the_class_counted_twice():
    """The paper gives the class the weight 2; the reference has 1 and no setting for it."""
    theirs = reference()
    ours = copied(DeformableDETR, theirs)
    images, _ = pictures()
    boxes, classes = gold()
    parts = theirs(images, labels=labels(boxes, classes)).loss_dict
    expected = 2 * parts["loss_ce"] + 5 * parts["loss_bbox"] + 2 * parts["loss_giou"]
    found = ours.set_loss(*ours(images), boxes, classes)
    assert_same_gradients(ours, theirs, found, expected)


def bilinear(image, x, y):
    """Read (d, height, width) at x, y in parts of its sides, in plain loops; zeros outside."""
    _, height, width = image.shape
    column, row = x * width - 0.5, y * height - 0.5
    total = torch.zeros_like(image[:, 0, 0])
    for j in (math.floor(column), math.floor(column) + 1):
        for i in (math.floor(row), math.floor(row) + 1):
            if 0 <= i < height and 0 <= j < width:
                weight = (1 - abs(column - j)) * (1 - abs(row - i))
                total = total + weight * image[:, i, j]
    return total


def test_sampling_is_that_of_the_explicit_loop():
    sizes = [(3, 4), (2, 1)]
    value = torch.randn(2, 14, 2, 3, dtype=torch.float64)
    at = 1.4 * torch.rand(2, 5, 2, 2, 3, 2, dtype=torch.float64) - 0.2  # some of them outside
    found = sampled(value, at, sizes)
    start = 0
    for level, (height, width) in enumerate(sizes):
        part = value[:, start : start + height * width].unflatten(1, (height, width))
        start += height * width
        for b, q, h, p in torch.cartesian_prod(*map(torch.arange, (2, 5, 2, 3))).tolist():
            expected = bilinear(part[b, :, :, h].permute(2, 0, 1), *at[b, q, h, level, p].tolist())
            torch.testing.assert_close(found[b, h, :, q, 3 * level + p], expected)


def whole(*sizes):
    return laid_out([torch.ones(1, *size, dtype=torch.bool) for size in sizes], torch.float64)


def test_without_offsets_one_point_reads_exactly_the_reference_point():
    """At the centre of a place, the attention returns the value of that place."""
    attention = DeformableAttention(8, (2, 1, 1)).double()
    for parameter in attention.offsets.parameters():
        torch.nn.init.zeros_(parameter)
    maps = whole((3, 5))
    value, query = torch.randn(2, 1, 15, 8, dtype=torch.float64)
    found = attention(query, maps.centres, value, maps)
    torch.testing.assert_close(found, attention.w_output(attention.w_value(value)))


def test_a_query_looks_nowhere_but_at_its_points():
    """A point one place to the right: the value of the right neighbour, or zeros."""
    attention = DeformableAttention(8, (2, 1, 1)).double()
    with torch.no_grad():
        attention.offsets.bias.copy_(torch.tensor([1.0, 0.0, 1.0, 0.0]))
    maps = whole((2, 3))
    value, query = torch.randn(2, 1, 6, 8, dtype=torch.float64)
    inner = attention.w_value(value).unflatten(1, (2, 3))
    right = torch.cat((inner[:, :, 1:], torch.zeros_like(inner[:, :, :1])), 2).flatten(1, 2)
    torch.testing.assert_close(
        attention(query, maps.centres, value, maps), attention.w_output(right)
    )


def test_the_attention_begins_with_a_star_of_equal_looks():
    attention = DeformableAttention(8, (4, 2, 3))
    offsets = attention.offsets.bias.view(4, 2, 3, 2)
    expected = torch.tensor([[1.0, 0], [0, 1], [-1, 0], [0, -1]])
    for level in range(2):
        for point in range(3):
            torch.testing.assert_close(offsets[:, level, point], (point + 1) * expected)


def test_what_fills_an_image_up_is_never_read():
    maps = laid_out([torch.tensor([[[True, True, False]] * 2])], torch.float32)
    attention = DeformableAttention(8, (2, 1, 3))
    value, query = torch.randn(2, 1, 6, 8)
    other = value.clone()
    other[:, 2::3] += 1.0
    found, again = (attention(query, maps.centres, v, maps) for v in (value, other))
    assert torch.equal(found, again)


def test_focal_loss_is_its_formula():
    logits, target = torch.randn(50, dtype=torch.float64), torch.randint(2, (50,)).double()
    for logit, yes, found in zip(logits, target, focal_loss(logits, target), strict=True):
        p = 1 / (1 + math.exp(-logit))
        right, alpha = (p, 0.25) if yes else (1 - p, 0.75)
        assert found.item() == pytest.approx(-alpha * (1 - right) ** 2 * math.log(right))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_maps": 3, "n_levels": 3}, "n_maps=3, n_levels=3.*at most 2 maps"),
        ({"n_levels": 1}, "n_maps=2, n_levels=1.*that many levels or more"),
        ({"d_model": 48}, "d_model=48: expected .* a multiple of 32"),
        ({"n_points": 0}, "n_points=0 must be a positive integer"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        DeformableDETRConfig(**SMALL | changes)


def test_settings_that_are_not_built_are_refused():
    settings = reference().config.to_dict() | {"with_box_refine": True}
    with pytest.raises(ValueError, match="with_box_refine=True is not built here"):
        DeformableDETR.config_from(settings, "config.json")
