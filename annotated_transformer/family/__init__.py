"""What became of the encoder and the decoder: each member in a file of its own."""

from annotated_transformer.family.bart import BART, BARTConfig
from annotated_transformer.family.bert import BERT, BERTConfig
from annotated_transformer.family.electra import ELECTRA, ELECTRAConfig
from annotated_transformer.family.gpt import GPT, GPTConfig
from annotated_transformer.family.marian import (
    MarianTranslator,
    load_marian,
)
from annotated_transformer.family.member import fit
from annotated_transformer.family.t5 import T5, T5Config

__all__ = [
    "BART",
    "BERT",
    "ELECTRA",
    "GPT",
    "T5",
    "BARTConfig",
    "BERTConfig",
    "ELECTRAConfig",
    "GPTConfig",
    "MarianTranslator",
    "T5Config",
    "fit",
    "load_marian",
]
