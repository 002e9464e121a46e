"""What became of the encoder and the decoder: each member in a file of its own."""

from annotated_transformer.family.bert import BERT, BERTConfig
from annotated_transformer.family.electra import ELECTRA, ELECTRAConfig
from annotated_transformer.family.gpt import GPT, GPTConfig
from annotated_transformer.family.member import fit

__all__ = [
    "BERT",
    "ELECTRA",
    "GPT",
    "BERTConfig",
    "ELECTRAConfig",
    "GPTConfig",
    "fit",
]
