"""What became of the encoder and the decoder: each member in a file of its own."""

from annotated_transformer.lab.family.bart import BART, BARTConfig
from annotated_transformer.lab.family.bert import BERT, BERTConfig
from annotated_transformer.lab.family.deformable_detr import DeformableDETR
from annotated_transformer.lab.family.deit import DeiT, DeiTConfig
from annotated_transformer.lab.family.detr import DETR, DETRConfig
from annotated_transformer.lab.family.dit import DiT, DiTConfig
from annotated_transformer.lab.family.electra import ELECTRA, ELECTRAConfig
from annotated_transformer.lab.family.gpt import GPT, GPTConfig
from annotated_transformer.lab.family.image_encoder import SAMConfig
from annotated_transformer.lab.family.maps import DeformableDETRConfig
from annotated_transformer.lab.family.marian import MarianTranslator, load_marian
from annotated_transformer.lab.family.member import fit
from annotated_transformer.lab.family.sam import SAM
from annotated_transformer.lab.family.segformer import SegFormer, SegFormerConfig
from annotated_transformer.lab.family.swin import Swin, SwinConfig
from annotated_transformer.lab.family.t5 import T5, T5Config
from annotated_transformer.lab.family.vit import ViT, ViTConfig

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
