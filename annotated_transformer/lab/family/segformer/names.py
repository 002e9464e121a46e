"""What Hugging Face calls the tensors and settings of SegFormer."""

from torch import Tensor

from annotated_transformer.lab.family import harmless
from annotated_transformer.lab.family.reference import Made, Reference
from annotated_transformer.lab.family.vit.names import LABELS, LAYER, OLDER


def matrix(tensor: Tensor) -> Tensor:
    """Return the matrix of a 1 x 1 convolution, which is a linear map; a bias stays."""
    return tensor.squeeze(3).squeeze(2) if tensor.dim() == 4 else tensor


STAGE, HEAD = "segformer.stages.{n}", "decode_head"
BLOCK = f"{STAGE}.blocks.{{m}}"
REDUCE = f"{BLOCK}.attention.sequence_reduction"
REFERENCE = Reference(
    {f"stages.{{n}}.layers.{{m}}.{ours}": f"{BLOCK}.{theirs}" for ours, theirs in LAYER.items()}
    | {
        "stages.{n}.layers.{m}.feed_forward.mix.{p}": f"{BLOCK}.mlp.dwconv.dwconv.{{p}}",
        "stages.{n}.layers.{m}.reduce.convolution.{p}": f"{REDUCE}.sequence_reduction.{{p}}",
        "stages.{n}.layers.{m}.reduce.norm.{g}": f"{REDUCE}.layer_norm.{{g}}",
        "stages.{n}.patches.{p}": f"{STAGE}.patch_embeddings.proj.{{p}}",
        "stages.{n}.patch_norm.{g}": f"{STAGE}.patch_embeddings.layer_norm.{{g}}",
        "stages.{n}.norm.{g}": f"{STAGE}.layer_norm.{{g}}",
        "head.project.{n}.{p}": f"{HEAD}.linear_projections.{{n}}.proj.{{p}}",
        "head.fuse.weight": Made(f"{HEAD}.linear_fuse.weight", matrix),
        "output.{p}": Made(f"{HEAD}.classifier.{{p}}", matrix),
        "head.norm.{p}": f"{HEAD}.batch_norm.{{p}}",
        "head.norm.running_mean": f"{HEAD}.batch_norm.running_mean",
        "head.norm.running_var": f"{HEAD}.batch_norm.running_var",
        "head.norm.num_batches_tracked": f"{HEAD}.batch_norm.num_batches_tracked",
    },
    {
        "n_layers": "depths",
        "n_heads": "num_attention_heads",
        "d_model": "hidden_sizes",
        "widening": "mlp_ratios",
        "patch": "patch_sizes",
        "stride": "strides",
        "ratio": "sr_ratios",
        "d_head": "decoder_hidden_size",
        "n_channels": "num_channels",
        "dropout": "classifier_dropout_prob",
    },
    expected=harmless.ENCODER
    | {
        "model_type": "segformer",
        "hidden_act": "gelu",
        "hidden_dropout_prob": 0.0,
        "reshape_last_stage": True,
        "semantic_loss_ignore_index": 255,
    },
    derived={"num_encoder_blocks": lambda x: len(x["depths"])},
    read=LABELS,
    harmless=harmless.IMAGES
    | harmless.because(
        "no part of the reference reads it",
        "downsampling_rates",
        "image_size",
        "layer_norm_eps",
        "problem_type",
    ),
    aliases=(
        (r"encoder\.patch_embeddings\.(\d+)\.", r"stages.\1.patch_embeddings."),
        (r"encoder\.block\.(\d+)\.", r"stages.\1.blocks."),
        (r"encoder\.layer_norm\.(\d+)\.", r"stages.\1.layer_norm."),
        (r"attention\.self\.sr\.", "attention.sequence_reduction.sequence_reduction."),
        (r"attention\.self\.layer_norm\.", "attention.sequence_reduction.layer_norm."),
        (r"layer_norm_1\.", "layernorm_before."),
        (r"layer_norm_2\.", "layernorm_after."),
        (r"mlp\.dense(\d)\.", r"mlp.fc\1."),
        (r"linear_c\.", "linear_projections."),
        *OLDER,
    ),
)
