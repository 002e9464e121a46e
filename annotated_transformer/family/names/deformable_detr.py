"""What Hugging Face calls the tensors and settings of Deformable DETR."""

from annotated_transformer.family.names import detr
from annotated_transformer.family.reference import Reference


def deformable(stack: str, ours: str, theirs: str) -> dict[str, str]:
    """The four projections of a deformable attention of each layer of a stack."""
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


REFERENCE = Reference(
    detr.LAYERS
    | deformable("encoder", "self_attention", "self_attn")
    | detr.attentions("decoder", "self_attention", "self_attn")
    | deformable("decoder", "cross_attention", "encoder_attn")
    | detr.RESNET
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
    detr.SETTINGS
    | {"n_levels": "num_feature_levels", "n_points": "encoder_n_points"},
    expected=detr.EXPECTED | {"two_stage": False, "with_box_refine": False},
    # The heads of further layers are the first once more.
    unused=("num_batches_tracked$", r"^(class|bbox)_embed\.[1-9]"),
)
