"""What Hugging Face calls the tensors and settings of Swin."""

from annotated_transformer.lab.family import harmless
from annotated_transformer.lab.family.detr.resnet_names import stages
from annotated_transformer.lab.family.reference import Reference
from annotated_transformer.lab.family.vit.names import LABELS, LAYER, MASKED, OLDER, SORTED

BLOCK = "swin.encoder.layers.{n}.blocks.{m}"
TABLE = "relative_position_bias_table"
REFERENCE = Reference(
    {f"stages.{{n}}.{{m}}.layer.{ours}": f"{BLOCK}.{theirs}" for ours, theirs in LAYER.items()}
    | {
        "stages.{n}.{m}.bias.table": f"{BLOCK}.attention.relative_position_bias.{TABLE}",
        "patches.project.{p}": "swin.embeddings.patch_embeddings.projection.{p}",
        "patch_norm.{g}": "swin.embeddings.norm.{g}",
        "merge.{n}.norm.{g}": "swin.encoder.layers.{n}.downsample.norm.{g}",
        "merge.{n}.reduce.weight": "swin.encoder.layers.{n}.downsample.reduction.weight",
        "norm.{g}": "swin.layernorm.{g}",
        "head.{p}": "classifier.{p}",
    },
    {
        "n_layers": "depths",
        "n_heads": "num_heads",
        "d_model": "embed_dim",
        "widening": "mlp_ratio",
        "window": "window_size",
        "patch_size": "patch_size",
        "n_channels": "num_channels",
        "dropout": "hidden_dropout_prob",
    },
    expected=SORTED
    | {
        "model_type": "swin",
        "hidden_act": "gelu",
        "qkv_bias": True,
        "use_absolute_embeddings": False,
        "layer_norm_eps": 1e-5,
    },
    derived={
        "stage_names": lambda x: ["stem", *stages(len(x["depths"]))],
        "num_layers": lambda x: len(x["depths"]),
        "hidden_size": lambda x: x["embed_dim"] * 2 ** (len(x["depths"]) - 1),
    },
    read=LABELS,
    harmless=harmless.IMAGES
    | MASKED
    | harmless.because("images of any size are taken that fall into windows", "image_size")
    | harmless.because("it is of what stands in front of a detector", "out_features", "out_indices")
    | harmless.because("no part of the reference reads it", "path_norm"),
    unused=(
        r"relative_position_index$",  # follows from the size of the window
        r"\.mask_token$",  # of another training
    ),
    aliases=((rf"attention\.self\.({TABLE})", r"attention.relative_position_bias.\1"), *OLDER),
)
