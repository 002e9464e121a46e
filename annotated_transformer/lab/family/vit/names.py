"""What Hugging Face calls the tensors and settings of ViT."""

import reprlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotated_transformer.lab.family import harmless
from annotated_transformer.lab.family.reference import Made, OneOf, Reference, only

LAYER = {
    "self_attention.w_query.{p}": "attention.q_proj.{p}",
    "self_attention.w_key.{p}": "attention.k_proj.{p}",
    "self_attention.w_value.{p}": "attention.v_proj.{p}",
    "self_attention.w_output.{p}": "attention.o_proj.{p}",
    "after_attention.layer_norm.{g}": "layernorm_before.{g}",
    "feed_forward.inner.{p}": "mlp.fc1.{p}",
    "feed_forward.outer.{p}": "mlp.fc2.{p}",
    "after_feed_forward.layer_norm.{g}": "layernorm_after.{g}",
}
"""An encoder layer, in all files of the relatives."""
OLDER = (
    (r"attention\.(attention|self)\.query\.", "attention.q_proj."),
    (r"attention\.(attention|self)\.key\.", "attention.k_proj."),
    (r"attention\.(attention|self)\.value\.", "attention.v_proj."),
    (r"attention\.output\.dense\.", "attention.o_proj."),
    (r"intermediate\.dense\.", "mlp.fc1."),
    (r"output\.dense\.", "mlp.fc2."),
)
"""The files on the hub have these names; the program has had others since its version 5."""
SETTINGS = {
    "n_layers": "num_hidden_layers",
    "d_model": "hidden_size",
    "d_ff": "intermediate_size",
    "n_heads": "num_attention_heads",
    "dropout": "hidden_dropout_prob",
    "epsilon": "layer_norm_eps",
    "image_size": "image_size",
    "patch_size": "patch_size",
    "n_channels": "num_channels",
}
LABELS = ("id2label", "num_labels")
"""Each says how many classes there are (`ImageMember.config_from`)."""
SORTED = harmless.ENCODER | {"problem_type": OneOf((None, "single_label_classification"))}
"""An encoder that sorts images, each into one class."""
MASKED = harmless.because(
    "it is of models without this head", "encoder_stride", "pooler_act", "pooler_output_size"
)


def reference(kind: str, heads: dict[str, str]) -> Reference:
    """Return the table of ViT or DeiT, which differ in the first word of names and in heads."""
    tensors: dict[str, str | Made] = {
        f"encoder.layers.{{n}}.{ours}": f"{kind}.layers.{{n}}.{theirs}"
        for ours, theirs in LAYER.items()
    }
    inputs = f"{kind}.embeddings"
    tensors |= {
        "patches.project.{p}": f"{inputs}.patch_embeddings.projection.{{p}}",
        "class_token.weight": Made(f"{inputs}.cls_token", only),
        "distillation_token.weight": Made(f"{inputs}.distillation_token", only),
        "positions.encoding": Made(f"{inputs}.position_embeddings", only),
        "encoder.final_norm.{g}": f"{kind}.layernorm.{{g}}",
    }
    return Reference(
        tensors | heads,
        SETTINGS,
        expected=SORTED | {"model_type": kind, "hidden_act": "gelu", "qkv_bias": True},
        read=LABELS,
        harmless=harmless.IMAGES | MASKED,
        unused=(
            r"\.pooler\.",  # of the model without a head
            r"\.mask_token$",  # of another training
        ),
        aliases=((r"encoder\.layer\.", "layers."), *OLDER),
    )


REFERENCE = reference("vit", {"head.{p}": "classifier.{p}"})


def n_classes(settings: Mapping[str, Any], origin: Path | str) -> int:
    """Return how many classes a config.json names, or counts; where it does neither, 2.

    Raises:
        ValueError: the two disagree, or the names are no mapping.
    """
    names, number = settings.get("id2label"), settings.get("num_labels")
    if names is None or names == {}:
        return 2 if number is None else number
    if not isinstance(names, Mapping) or number not in (None, len(names)):
        raise ValueError(
            f"{origin}: id2label={reprlib.repr(names)} and num_labels={number!r}; "
            "expected a name for each class, as many as are counted"
        )
    return len(names)
