"""What became of the encoder and the decoder: each member in a file of its own."""

from annotated_transformer.family.bert import BERT, BERTConfig
from annotated_transformer.family.deit import DeiT, DeiTConfig
from annotated_transformer.family.dit import DiT, DiTConfig
from annotated_transformer.family.electra import ELECTRA, ELECTRAConfig
from annotated_transformer.family.gpt import GPT, GPTConfig
from annotated_transformer.family.member import fit
from annotated_transformer.family.vit import ViT, ViTConfig

__all__ = [
    "BERT",
    "ELECTRA",
    "GPT",
    "BERTConfig",
    "DeiT",
    "DeiTConfig",
    "DiT",
    "DiTConfig",
    "ELECTRAConfig",
    "GPTConfig",
    "ViT",
    "ViTConfig",
    "fit",
]
