"""What Hugging Face calls the tensors and settings of ELECTRA's two networks."""

from annotated_transformer.lab.family import harmless
from annotated_transformer.lab.family.bert.names import EXPECTED, READER, SETTINGS, TIED
from annotated_transformer.lab.family.reference import Reference

PROJECTED = READER | {"reader.project.{p}": "embeddings_project.{p}"}
TENSORS = {ours: f"electra.{theirs}" for ours, theirs in PROJECTED.items()}
OPTIONS = EXPECTED | {"model_type": "electra"}
HARMLESS = harmless.TEXTS | harmless.SUMMARY
POSITIONS = r"^electra\.embeddings\.position_ids$"
DISCRIMINATOR = Reference(
    TENSORS
    | {
        "dense.{p}": "discriminator_predictions.dense.{p}",
        "output.{p}": "discriminator_predictions.dense_prediction.{p}",
    },
    SETTINGS | {"d_embedding": "embedding_size"},
    OPTIONS,
    harmless=HARMLESS | harmless.because("no word is predicted", "tie_word_embeddings"),
    unused=(POSITIONS,),
)
GENERATOR = Reference(
    TENSORS
    | {
        "head.dense.{p}": "generator_predictions.dense.{p}",
        "head.norm.{g}": "generator_predictions.LayerNorm.{g}",
        "head.bias": "generator_lm_head.bias",
        "head.output.{p}": "generator_lm_head.{p}",
    },
    TIED | {"d_embedding": "embedding_size"},
    OPTIONS,
    absent={"tie_word_embeddings": True},
    harmless=HARMLESS,
    unused=(POSITIONS,),
    repeated={r"^generator_lm_head\.weight$": "reader.embedding.weight"},
)
