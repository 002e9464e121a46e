"""What became of the encoder and the decoder: each member in a file of its own."""

from annotated_transformer.family.bart import BART, BARTConfig
from annotated_transformer.family.bert import BERT, BERTConfig
from annotated_transformer.family.deformable_detr import DeformableDETR
from annotated_transformer.family.deit import DeiT, DeiTConfig
from annotated_transformer.family.detr import DETR, DETRConfig
from annotated_transformer.family.dit import DiT, DiTConfig
from annotated_transformer.family.electra import ELECTRA, ELECTRAConfig
from annotated_transformer.family.gpt import GPT, GPTConfig
from annotated_transformer.family.image_encoder import SAMConfig
from annotated_transformer.family.maps import DeformableDETRConfig
from annotated_transformer.family.marian import (
    MarianTranslator,
    load_marian,
)
from annotated_transformer.family.member import fit
from annotated_transformer.family.sam import SAM
from annotated_transformer.family.segformer import (
    SegFormer,
    SegFormerConfig,
)
from annotated_transformer.family.swin import Swin, SwinConfig
from annotated_transformer.family.t5 import T5, T5Config
from annotated_transformer.family.vit import ViT, ViTConfig

__all__ = [
    "BART",
    "BERT",
    "DETR",
    "ELECTRA",
    "GPT",
    "SAM",
    "T5",
    "BARTConfig",
    "BERTConfig",
    "DETRConfig",
    "DeformableDETR",
    "DeformableDETRConfig",
    "DeiT",
    "DeiTConfig",
    "DiT",
    "DiTConfig",
    "ELECTRAConfig",
    "GPTConfig",
    "MarianTranslator",
    "SAMConfig",
    "SegFormer",
    "SegFormerConfig",
    "Swin",
    "SwinConfig",
    "T5Config",
    "ViT",
    "ViTConfig",
    "fit",
    "load_marian",
]
