"""What Hugging Face calls the tensors and settings of Deformable DETR."""

from annotated_transformer.lab.family import harmless
from annotated_transformer.lab.family.detr import names as detr
from annotated_transformer.lab.family.detr.resnet_names import RESNET
from annotated_transformer.lab.family.reference import Reference


def deformable(stack: str, ours: str, theirs: str) -> dict[str, str]:
    """Name the four projections of a deformable attention of each layer of a stack."""
    names = {
        "offsets": "sampling_offsets",
        "weights": "attention_weights",
        "w_value": "value_proj",
        "w_output": "output_proj",
    }
    return {
        f"{stack}.{{n}}.{ours}.{us}.{{p}}": f"model.{stack}.layers.{{n}}.{theirs}.{them}.{{p}}"
        for us, them in names.items()
    }


HEADS = {
    rf"^class_embed\.[1-9]\d*\.{part}$": f"class_head.{part}" for part in ("weight", "bias")
} | {
    rf"^bbox_embed\.[1-9]\d*\.layers\.{i}\.{part}$": f"box_head.{2 * i}.{part}"
    for part in ("weight", "bias")
    for i in range(3)
}
"""The heads of further layers are the first once more."""
REFERENCE = Reference(
    detr.LAYERS
    | deformable("encoder", "self_attention", "self_attn")
    | detr.attentions("decoder", "self_attention", "self_attn")
    | deformable("decoder", "cross_attention", "encoder_attn")
    | RESNET
    | {
        "project.{n}.{m}.{p}": "model.input_proj.{n}.{m}.{p}",
        "levels": "model.level_embed",
        "queries": "model.query_position_embeddings.weight",
        "point.{p}": "model.reference_points.{p}",
        "class_head.{p}": "class_embed.0.{p}",
        "box_head.0.{p}": "bbox_embed.0.layers.0.{p}",
        "box_head.2.{p}": "bbox_embed.0.layers.1.{p}",
        "box_head.4.{p}": "bbox_embed.0.layers.2.{p}",
    },
    detr.SETTINGS | {"n_levels": "num_feature_levels", "n_points": "encoder_n_points"},
    expected=detr.EXPECTED
    | {
        "model_type": "deformable_detr",
        "two_stage": False,
        "with_box_refine": False,
        "focal_alpha": 0.25,
        "tie_word_embeddings": True,  # the heads of all layers are one
    },
    alike=(*detr.ALIKE, ("encoder_n_points", "decoder_n_points")),
    read=detr.READ,
    harmless=detr.HARMLESS
    | harmless.because(
        "here are neither two stages, nor a class for nothing, nor kernels",
        "disable_custom_kernels",
        "eos_coefficient",
        "two_stage_num_proposals",
    )
    | harmless.because(
        "the loss is that of the paper, after every layer",
        "auxiliary_loss",
        "class_cost",
        "return_intermediate",
    ),
    unused=(r"normalization\.num_batches_tracked$",),
    repeated=HEADS,
    aliases=detr.OLDER,
)
