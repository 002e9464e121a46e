"""The references of both detectors, and images with objects to try them on."""

import torch
from family_oracle import disturbed
from transformers import (
    DeformableDetrConfig,
    DeformableDetrForObjectDetection,
    DetrConfig,
    DetrForObjectDetection,
    ResNetConfig,
)

from annotated_transformer.lab.family import DETR, DeformableDETR

SIZES = {
    "use_timm_backbone": False,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_ffn_dim": 24,
    "decoder_ffn_dim": 24,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "num_queries": 5,
    "num_labels": 4,
}


def detr(**settings):
    """Hugging Face's DETR, small, with random weights in float64."""
    torch.manual_seed(0)
    net = ResNetConfig(
        embedding_size=8, hidden_sizes=[8, 12, 16, 16], depths=[1, 2, 1, 1], out_features=["stage4"]
    )
    settings = {"backbone_config": net} | settings
    theirs = DetrForObjectDetection(
        DetrConfig(
            d_model=16,
            **SIZES,
            **settings,
        )
    )
    with torch.no_grad():  # the frozen normalisations have buffers and no parameters
        for name, buffer in theirs.named_buffers():
            low = 0.5 if name.endswith(("weight", "running_var")) else -0.5
            buffer.uniform_(low, low + 1)
    return disturbed(theirs).requires_grad_(True)


def deformable_detr(**settings):
    """Hugging Face's Deformable DETR, as small."""
    torch.manual_seed(0)
    net = ResNetConfig(
        embedding_size=8,
        hidden_sizes=[8, 12, 16, 16],
        depths=[1, 1, 1, 1],
        out_features=["stage2", "stage3", "stage4"],
    )
    theirs = DeformableDetrForObjectDetection(
        DeformableDetrConfig(
            backbone_config=net,
            d_model=32,
            **SIZES,
            num_feature_levels=5,
            encoder_n_points=3,
            decoder_n_points=3,
            class_cost=2,
            **settings,
        )
    )
    return disturbed(theirs).requires_grad_(True)


REFERENCES = {DETR: detr, DeformableDETR: deformable_detr}


def pictures():
    """Two images of one size, and which of their pixels are real: of the second not all."""
    images = torch.randn(2, 3, 70, 100, dtype=torch.float64)
    real = torch.ones(2, 70, 100, dtype=torch.bool)
    real[1, 40:], real[1, :, 60:] = False, False
    return images, real


def gold():
    """Two objects in the first image, three in the second: their boxes and their classes."""
    boxes = [0.2 + 0.3 * torch.rand(n, 4, dtype=torch.float64) for n in (2, 3)]
    return boxes, [torch.tensor([1, 2]), torch.tensor([0, 2, 1])]


def labels(boxes, classes):
    """The same objects as Hugging Face wants them."""
    return [{"boxes": b, "class_labels": c} for b, c in zip(boxes, classes, strict=True)]
