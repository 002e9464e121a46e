"""What Hugging Face calls the tensors of SAM; only the tests need it."""

from functools import partial

from torch import Tensor

from annotated_transformer.lab.family.reference import Made, Reference

VISION = "vision_encoder.layers.{n}"
TWO_WAY = "mask_decoder.transformer"
LAYER = f"{TWO_WAY}.layers.{{n}}"
IMAGE = {
    "self_attention.w_output.{p}": "attn.proj.{p}",
    "after_attention.layer_norm.{g}": "layer_norm1.{g}",
    "feed_forward.inner.{p}": "mlp.lin1.{p}",
    "feed_forward.outer.{p}": "mlp.lin2.{p}",
    "after_feed_forward.layer_norm.{g}": "layer_norm2.{g}",
}
DECODER = {
    "after_attention.layer_norm.{g}": "layer_norm1.{g}",
    "after_cross_attention.layer_norm.{g}": "layer_norm2.{g}",
    "feed_forward.inner.{p}": "mlp.lin1.{p}",
    "feed_forward.outer.{p}": "mlp.lin2.{p}",
    "after_feed_forward.layer_norm.{g}": "layer_norm3.{g}",
    "after_image_attention.layer_norm.{g}": "layer_norm4.{g}",
}


def third(tensor: Tensor, number: int) -> Tensor:
    """Cut queries, keys or values out of their one product."""
    return tensor.chunk(3)[number]


def attention(ours: str, theirs: str) -> dict[str, str]:
    """Name the four projections of an attention of the decoder."""
    names = {"w_query": "q_proj", "w_key": "k_proj", "w_value": "v_proj", "w_output": "out_proj"}
    return {
        f"decoder.{ours}.{us}.{{p}}": f"mask_decoder.transformer.{theirs}.{them}.{{p}}"
        for us, them in names.items()
    }


def three_layers(ours: str, theirs: str) -> dict[str, str]:
    """Name the parts of a network of three layers."""
    names = {"0": "proj_in", "2": "layers.0", "4": "proj_out"}
    return {
        f"decoder.{ours}.{us}.{{p}}": f"mask_decoder.{theirs}.{them}.{{p}}"
        for us, them in names.items()
    }


REFERENCE = Reference(
    {f"image_encoder.encoder.layers.{{n}}.{us}": f"{VISION}.{them}" for us, them in IMAGE.items()}
    | {
        f"image_encoder.encoder.layers.{{n}}.self_attention.w_{us}.{{p}}": Made(
            f"{VISION}.attn.qkv.{{p}}", partial(third, number=i)
        )
        for i, us in enumerate(("query", "key", "value"))
    }
    | {f"decoder.layers.{{n}}.{us}": f"{LAYER}.{them}" for us, them in DECODER.items()}
    | attention("layers.{n}.self_attention", "layers.{n}.self_attn")
    | attention("layers.{n}.cross_attention", "layers.{n}.cross_attn_token_to_image")
    | attention("layers.{n}.image_attention", "layers.{n}.cross_attn_image_to_token")
    | attention("last_look", "final_attn_token_to_image")
    | three_layers("filters.{n}", "output_hypernetworks_mlps.{n}")
    | three_layers("score", "iou_prediction_head")
    | {
        "image_encoder.patches.{p}": "vision_encoder.patch_embed.projection.{p}",
        "image_encoder.positions.encoding": Made(
            "vision_encoder.pos_embed", lambda x: x.flatten(0, 2)
        ),
        "image_encoder.neck.0.weight": "vision_encoder.neck.conv1.weight",
        "image_encoder.neck.1.{g}": "vision_encoder.neck.layer_norm1.{g}",
        "image_encoder.neck.2.weight": "vision_encoder.neck.conv2.weight",
        "image_encoder.neck.3.{g}": "vision_encoder.neck.layer_norm2.{g}",
        "no_mask": "prompt_encoder.no_mask_embed.weight",
        "clicks.waves": "shared_image_embedding.positional_embedding",
        "clicks.negative": "prompt_encoder.point_embed.0.weight",
        "clicks.positive": "prompt_encoder.point_embed.1.weight",
        "clicks.no_box": "prompt_encoder.not_a_point_embed.weight",
        "decoder.score_token": "mask_decoder.iou_token.weight",
        "decoder.mask_tokens": "mask_decoder.mask_tokens.weight",
        "decoder.after_last_look.layer_norm.{g}": f"{TWO_WAY}.layer_norm_final_attn.{{g}}",
        "decoder.upscale.0.{p}": "mask_decoder.upscale_conv1.{p}",
        "decoder.upscale.1.{g}": "mask_decoder.upscale_layer_norm.{g}",
        "decoder.upscale.3.{p}": "mask_decoder.upscale_conv2.{p}",
    },
    {},
    unread="files of SAM are not read here: its image encoder has windows and "
    "relative positions, which ours leaves out",
    unused=(
        r"^prompt_encoder\.mask_embed",  # prompts that are masks
        r"^prompt_encoder\.point_embed\.[23]",  # the corners of a box
        r"^prompt_encoder\.shared_embedding",  # the waves once more
    ),
)
