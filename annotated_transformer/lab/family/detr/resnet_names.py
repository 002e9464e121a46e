"""What Hugging Face calls the tensors and settings of the ResNet in front of a detector."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotated_transformer.lab.family import harmless
from annotated_transformer.lab.family.reference import Reference, not_built


def convolutions(ours: str, theirs: str) -> dict[str, str]:
    """Name a convolution of the ResNet and its frozen normalisation."""
    return {
        f"backbone.{ours}.0.weight": f"model.backbone.model.{theirs}.convolution.weight",
        f"backbone.{ours}.1.{{g}}": f"model.backbone.model.{theirs}.normalization.{{g}}",
        f"backbone.{ours}.1.mean": f"model.backbone.model.{theirs}.normalization.running_mean",
        f"backbone.{ours}.1.variance": f"model.backbone.model.{theirs}.normalization.running_var",
    }


BLOCK = {"narrow": "layer.0", "look": "layer.1", "widen": "layer.2", "shortcut": "shortcut"}
RESNET = convolutions("stem", "embedder.embedder")
for us, them in BLOCK.items():
    RESNET |= convolutions(f"stages.{{n}}.{{m}}.{us}", f"encoder.stages.{{n}}.layers.{{m}}.{them}")


def stages(n: int) -> list[str]:
    """Return what the stages of a network are called."""
    return [f"stage{i + 1}" for i in range(n)]


WIDTHS = {"first": "embedding_size", "widths": "hidden_sizes"}
BACKBONE = ("backbone", "backbone_config", "backbone_kwargs", "num_channels")
"""Keys of a detector's settings from which the ResNet is read."""
OUT = ("out_features", "out_indices")
"""Which maps the Transformer is given, by name and by number."""
HARMLESS = (
    harmless.COMMON
    | harmless.LABELS
    | harmless.because(
        "there is no decoder, and one number says it for the whole model",
        "is_encoder_decoder",
        "num_channels",
    )
)
BOTTLENECK = Reference(
    {},
    WIDTHS | {"depths": "depths"},
    expected=harmless.PLAIN
    | {
        "model_type": "resnet",
        "layer_type": "bottleneck",
        "hidden_act": "relu",
        "downsample_in_first_stage": False,
        "downsample_in_bottleneck": False,
    },
    derived={"stage_names": lambda x: ["stem", *stages(len(x["depths"]))]},
    read=OUT,
    harmless=HARMLESS,
)
"""The only ResNet that is built here."""
BY_TIMM = Reference(
    {},
    {"name": "backbone"},
    expected=harmless.PLAIN
    | {"model_type": "timm_backbone", "features_only": True, "output_stride": None},
    read=OUT,
    harmless=HARMLESS
    | harmless.because(
        "the weights are in the file, with their statistics",
        "freeze_batch_norm_2d",
        "use_pretrained_backbone",
    )
    | harmless.because("num_channels says it", "in_chans"),
)
"""Of newer files that name a network of another package, timm."""
DEPTHS = {"resnet50": (3, 4, 6, 3), "resnet101": (3, 4, 23, 3)}
"""Of the networks of timm that may be named."""

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


def sizes(settings: Mapping[str, Any], origin: Path | str, maps: int | None) -> dict[str, Any]:
    """Read the widths and depths of the ResNet from the nested settings of a detector.

    Args:
        settings: what config.json of the detector says.
        origin: where that stands.
        maps: how many maps the detector is given; None: any, of which it uses the last.

    Raises:
        ValueError: another backbone than a ResNet of bottlenecks, or other maps
            than the last.
    """
    outside = settings.get("num_channels", 3)
    net = settings.get("backbone_config") or {}
    if not isinstance(net, Mapping):
        raise not_built(origin, settings, "backbone_config", "expected keys")
    place = f"{origin}, backbone_config"
    channels = {"channels": net.get("num_channels", outside)}
    if net.get("model_type") == "resnet":
        fields = BOTTLENECK.fields(net, place)
        for key in ("hidden_sizes", "depths"):
            _check_list(net, place, key)
        _check_maps(net, place, len(fields["depths"]), maps)
        widths = (fields["first"], *fields["widths"])
        depths = tuple(fields["depths"])
        return channels | {"widths": widths, "depths": depths}
    # Older files name the network outside, and its options apart.
    options = settings.get("backbone_kwargs") or {}
    if not isinstance(options, Mapping):
        raise not_built(origin, settings, "backbone_kwargs", "expected keys")
    net = net or {"backbone": settings.get("backbone"), **options}
    name = str(net.get("backbone"))
    if name not in DEPTHS:
        raise ValueError(
            f"{origin}: the backbone {name!r} is not built here; expected one of "
            f"{', '.join(DEPTHS)}"
        )
    BY_TIMM.fields(net, place)
    _check_maps(net, place, 4, maps)
    widths = (64, 256, 512, 1024, 2048)
    return channels | {"widths": widths, "depths": DEPTHS[name]}


def _check_list(net: Mapping[str, Any], place: str, key: str) -> None:
    if not isinstance(net[key], list | tuple) or not net[key]:
        raise not_built(place, net, key, "expected a list")


def _check_maps(net: Mapping[str, Any], place: str, depth: int, maps: int | None) -> None:
    names: dict[str, Sequence[Any]] = {
        "out_features": stages(depth),
        "out_indices": range(1, depth + 1),
    }
    for key, every in names.items():
        listed = net.get(key)
        if listed is not None:
            _check_list(net, place, key)
        last = list(every[-(maps or 1) :])
        if (listed is not None and last != list(listed)[-len(last) :]) or (
            maps and listed and len(listed) != maps
        ):
            raise not_built(place, net, key, f"expected {last}")
