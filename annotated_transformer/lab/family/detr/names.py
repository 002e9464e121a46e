"""What Hugging Face calls the tensors and settings of DETR."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotated_transformer.lab.family import harmless
from annotated_transformer.lab.family.detr.resnet_names import BACKBONE, RESNET, TIMM, sizes
from annotated_transformer.lab.family.reference import Reference
from annotated_transformer.lab.family.vit.names import LABELS, n_classes

ATTENTION = {
    "w_query.{p}": "q_proj.{p}",
    "w_key.{p}": "k_proj.{p}",
    "w_value.{p}": "v_proj.{p}",
    "w_output.{p}": "o_proj.{p}",
}
REST = {
    "after_attention.layer_norm.{g}": "self_attn_layer_norm.{g}",
    "after_cross_attention.layer_norm.{g}": "encoder_attn_layer_norm.{g}",
    "feed_forward.inner.{p}": "mlp.fc1.{p}",
    "feed_forward.outer.{p}": "mlp.fc2.{p}",
    "after_feed_forward.layer_norm.{g}": "final_layer_norm.{g}",
}
"""Of a layer of the encoder or the decoder, here and in Deformable DETR."""
LAYERS = {
    f"{stack}.{{n}}.{ours}": f"model.{stack}.layers.{{n}}.{theirs}"
    for stack in ("encoder", "decoder")
    for ours, theirs in REST.items()
}
"""What surrounds the attentions."""


def attentions(stack: str, ours: str, theirs: str) -> dict[str, str]:
    """Name the four projections of one attention of each layer of a stack."""
    return {
        f"{stack}.{{n}}.{ours}.{us}": f"model.{stack}.layers.{{n}}.{theirs}.{them}"
        for us, them in ATTENTION.items()
    }


SETTINGS = {
    "n_layers": "encoder_layers",
    "d_model": "d_model",
    "d_ff": "encoder_ffn_dim",
    "n_heads": "encoder_attention_heads",
    "dropout": "dropout",
    "n_queries": "num_queries",
}
EXPECTED = harmless.BOTH | {
    "activation_function": "relu",
    "position_embedding_type": "sine",
    "dilation": False,
    "bbox_cost": 5,
    "giou_cost": 2,
    "bbox_loss_coefficient": 5,
    "giou_loss_coefficient": 2,
}
"""One network, and the weights of its losses."""
ALIKE = (
    ("encoder_layers", "decoder_layers"),
    ("encoder_ffn_dim", "decoder_ffn_dim"),
    ("encoder_attention_heads", "decoder_attention_heads"),
    ("encoder_layers", "num_hidden_layers"),
)
READ = (*LABELS, *BACKBONE)
HARMLESS = (
    harmless.IMAGES
    | harmless.because(
        "positions have no table that ends, and there is no embedding",
        "max_position_embeddings",
        "scale_embedding",
    )
    | harmless.because(
        "it is of masks, or of heads that sort images, which are not here",
        "classifier_dropout",
        "dice_loss_coefficient",
        "mask_loss_coefficient",
        "problem_type",
    )
    | harmless.because(
        "the weights of the ResNet are in the file", "use_pretrained_backbone", "use_timm_backbone"
    )
)
OLDER = (*TIMM, (r"\.out_proj\.", ".o_proj."), (r"(layers\.\d+)\.fc(\d)\.", r"\1.mlp.fc\2."))
"""The files on the hub have these names."""

REFERENCE = Reference(
    LAYERS
    | attentions("encoder", "self_attention", "self_attn")
    | attentions("decoder", "self_attention", "self_attn")
    | attentions("decoder", "cross_attention", "encoder_attn")
    | RESNET
    | {
        "project.{p}": "model.input_projection.{p}",
        "queries": "model.query_position_embeddings.weight",
        "final_norm.{g}": "model.decoder.layernorm.{g}",
        "class_head.{p}": "class_labels_classifier.{p}",
        "box_head.0.{p}": "bbox_predictor.layers.0.{p}",
        "box_head.2.{p}": "bbox_predictor.layers.1.{p}",
        "box_head.4.{p}": "bbox_predictor.layers.2.{p}",
    },
    SETTINGS,
    # With auxiliary losses, theirs hands the normalised state on to the next
    # layer, other than the authors' code and ours.
    expected=EXPECTED
    | {"model_type": "detr", "auxiliary_loss": False, "class_cost": 1, "eos_coefficient": 0.1},
    alike=ALIKE,
    read=READ,
    harmless=HARMLESS,
    unused=(r"normalization\.num_batches_tracked$",),
    aliases=OLDER,
)


def more_fields(
    settings: Mapping[str, Any], origin: Path | str, maps: int | None = None
) -> dict[str, Any]:
    """Return the number of classes, and the sizes of the ResNet, which hands over `maps` maps."""
    classes = {"n_classes": n_classes(settings, origin)}
    return classes | sizes(settings, origin, maps)
