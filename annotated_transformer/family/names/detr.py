"""What Hugging Face calls the tensors and settings of DETR and of its ResNet."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotated_transformer.family.reference import Reference

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
    """The four projections of one attention of each layer of a stack."""
    return {
        f"{stack}.{{n}}.{ours}.{us}": f"model.{stack}.layers.{{n}}.{theirs}.{them}"
        for us, them in ATTENTION.items()
    }


def convolutions(ours: str, theirs: str) -> dict[str, str]:
    """A convolution of the ResNet and its frozen normalisation."""
    return {
        f"backbone.{ours}.0.weight": f"model.backbone.model.{theirs}.convolution.weight",
        f"backbone.{ours}.1.{{g}}": f"model.backbone.model.{theirs}.normalization.{{g}}",
        f"backbone.{ours}.1.mean": f"model.backbone.model.{theirs}.normalization.running_mean",
        f"backbone.{ours}.1.variance": f"model.backbone.model.{theirs}.normalization.running_var",
    }


BLOCK = {
    "narrow": "layer.0",
    "look": "layer.1",
    "widen": "layer.2",
    "shortcut": "shortcut",
}
RESNET = convolutions("stem", "embedder.embedder")
for us, them in BLOCK.items():
    RESNET |= convolutions(
        f"stages.{{n}}.{{m}}.{us}", f"encoder.stages.{{n}}.layers.{{m}}.{them}"
    )
SETTINGS = {
    "n_layers": "encoder_layers",
    "d_model": "d_model",
    "d_ff": "encoder_ffn_dim",
    "n_heads": "encoder_attention_heads",
    "dropout": "dropout",
    "n_queries": "num_queries",
}
EXPECTED = {
    "activation_function": "relu",
    "position_embedding_type": "sine",
    "dilation": False,
}

BOTTLENECK = {
    "layer_type": "bottleneck",
    "hidden_act": "relu",
    "downsample_in_first_stage": False,
    "downsample_in_bottleneck": False,
}
"""The only ResNet that is built here."""
DEFAULT_LABELS = ("LABEL_0", "LABEL_1")
"""What they write down no number of, as it is their default."""
DEPTHS = {"resnet50": (3, 4, 6, 3), "resnet101": (3, 4, 23, 3)}
"""Of the networks that older files name."""

TIMM = [
    # Older files hold the ResNet by the names of another package, timm.
    (r"backbone\.conv_encoder\.", "backbone."),
    (r"(backbone\.model)\.conv1\.", r"\1.embedder.embedder.convolution."),
    (r"(backbone\.model)\.bn1\.", r"\1.embedder.embedder.normalization."),
]
for stage in range(4):
    block = (
        rf"(backbone\.model)\.layer{stage + 1}\.(\d+)\.",
        rf"\1.encoder.stages.{stage}.layers.\2.",
    )
    TIMM.append(block)
TIMM += [
    (r"(layers\.\d+)\.downsample\.0\.", r"\1.shortcut.convolution."),
    (r"(layers\.\d+)\.downsample\.1\.", r"\1.shortcut.normalization."),
]
for index in range(3):
    place = rf"\1.layer.{index}"
    TIMM += [
        (rf"(layers\.\d+)\.conv{index + 1}\.", f"{place}.convolution."),
        (rf"(layers\.\d+)\.bn{index + 1}\.", f"{place}.normalization."),
    ]

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
    expected=EXPECTED | {"auxiliary_loss": False},
    unused=("num_batches_tracked$",),
    aliases=(
        *TIMM,
        (r"\.out_proj\.", ".o_proj."),
        (r"(layers\.\d+)\.fc(\d)\.", r"\1.mlp.fc\2."),
    ),
)


def more_fields(
    settings: Mapping[str, Any], origin: Path | str
) -> dict[str, Any]:
    """What is nested in their settings: the number of classes and the sizes of the ResNet.

    Raises:
        ValueError: another backbone than a ResNet of bottlenecks, or encoder
            and decoder of different sizes.
    """
    for name in ("layers", "ffn_dim", "attention_heads"):
        encoder, decoder = (
            settings.get(f"{stack}_{name}") for stack in ("encoder", "decoder")
        )
        if encoder != decoder:
            raise ValueError(
                f"{origin}: decoder_{name}={decoder!r} is not built here; expected that of "
                f"the encoder, {encoder!r}"
            )
    net = settings.get("backbone_config") or {}
    if net.get("model_type") == "resnet":
        for name, value in BOTTLENECK.items():
            if net.get(name, value) != value:
                raise ValueError(
                    f"{origin}: backbone_config.{name}={net[name]!r} is not built here; "
                    f"expected {value!r}"
                )
        widths, depths = (
            (net["embedding_size"], *net["hidden_sizes"]),
            net["depths"],
        )
    else:
        # Older files only name the network of timm.
        name = str(net.get("backbone", settings.get("backbone")))
        if name not in DEPTHS:
            raise ValueError(
                f"{origin}: the backbone {name!r} is not built here; expected one of "
                f"{', '.join(DEPTHS)}"
            )
        widths, depths = (64, 256, 512, 1024, 2048), DEPTHS[name]
    return {
        "n_classes": len(settings.get("id2label") or DEFAULT_LABELS),
        "channels": settings.get("num_channels", 3),
        "widths": tuple(widths),
        "depths": tuple(depths),
    }
