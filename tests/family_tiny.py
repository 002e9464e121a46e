"""Sizes with which a test can build any member of the family in no time."""

from typing import Any

LAYERS: dict[str, Any] = {"n_layers": 1, "d_model": 32, "d_ff": 64, "n_heads": 2}
TEXTS = LAYERS | {"vocab_size": 12, "max_length": 10}
IMAGES = LAYERS | {"n_channels": 1, "n_classes": 3, "image_size": 4, "patch_size": 2}
OBJECTS = LAYERS | {"n_classes": 3, "channels": 1, "widths": (8, 12), "depths": ()}
STAGES: dict[str, Any] = {"n_layers": (1, 1), "n_heads": (1, 2), "n_channels": 1, "n_classes": 3}
PATCHES: dict[str, Any] = {"patch": (3, 3), "stride": (2, 2), "ratio": (2, 1), "widening": (2, 2)}
DECODER = {"width": 32, "decoder_heads": 2, "decoder_ff": 24, "score_ff": 10}
TINY: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("BERT", "GPT", "LLaMA", "BART", "T5"), TEXTS),
    "ELECTRA": TEXTS | {"generator_share": 2},
    **dict.fromkeys(("ViT", "DeiT"), IMAGES),
    "DiT": IMAGES | {"n_steps": 30},
    "Swin": STAGES | {"d_model": 32, "patch_size": 2, "window": 2},
    "SegFormer": STAGES | PATCHES | {"d_model": (32, 32), "d_head": 16},
    "DETR": OBJECTS | {"n_queries": 5},
    "DeformableDETR": OBJECTS | {"n_queries": 5, "n_maps": 2, "n_levels": 2, "n_points": 2},
    "SAM": LAYERS | DECODER | {"side": 16, "patch": 4, "channels": 1},
}
