"""What Hugging Face calls the tensors and settings of ELECTRA's two networks."""

from annotated_transformer.family.names.bert import READER, SETTINGS
from annotated_transformer.family.reference import Reference

PROJECTED = READER | {"reader.project.{p}": "embeddings_project.{p}"}
TENSORS = {ours: f"electra.{theirs}" for ours, theirs in PROJECTED.items()}
OPTIONS = {"hidden_act": "gelu"}
DISCRIMINATOR = Reference(
    TENSORS
    | {
        "dense.{p}": "discriminator_predictions.dense.{p}",
        "output.{p}": "discriminator_predictions.dense_prediction.{p}",
    },
    SETTINGS | {"d_embedding": "embedding_size"},
    OPTIONS,
    unused=("position_ids$",),
)
GENERATOR = Reference(
    TENSORS
    | {
        "head.dense.{p}": "generator_predictions.dense.{p}",
        "head.norm.{g}": "generator_predictions.LayerNorm.{g}",
        "head.bias": "generator_lm_head.bias",
    },
    SETTINGS | {"d_embedding": "embedding_size"},
    OPTIONS,
    unused=(
        "position_ids$",
        "^generator_lm_head.weight",  # the embedding again
    ),
)
