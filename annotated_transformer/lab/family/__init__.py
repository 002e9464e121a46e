"""What became of the encoder and the decoder: each member in a folder of its own."""

from annotated_transformer.lab.family.bart.model import BART, BARTConfig
from annotated_transformer.lab.family.bert.model import BERT, BERTConfig
from annotated_transformer.lab.family.deformable_detr.maps import DeformableDETRConfig
from annotated_transformer.lab.family.deformable_detr.model import DeformableDETR
from annotated_transformer.lab.family.deit.model import DeiT, DeiTConfig
from annotated_transformer.lab.family.detr.model import DETR, DETRConfig
from annotated_transformer.lab.family.dit.model import DiT, DiTConfig
from annotated_transformer.lab.family.electra.model import ELECTRA, ELECTRAConfig
from annotated_transformer.lab.family.gpt.model import GPT, GPTConfig
from annotated_transformer.lab.family.llama.config import LLaMAConfig
from annotated_transformer.lab.family.llama.model import LLaMA
from annotated_transformer.lab.family.marian.model import MarianTranslator, load_marian
from annotated_transformer.lab.family.member import fit
from annotated_transformer.lab.family.sam.image_encoder import SAMConfig
from annotated_transformer.lab.family.sam.model import SAM
from annotated_transformer.lab.family.segformer.model import SegFormer, SegFormerConfig
from annotated_transformer.lab.family.swin.model import Swin, SwinConfig
from annotated_transformer.lab.family.t5.model import T5, T5Config
from annotated_transformer.lab.family.vit.model import ViT, ViTConfig

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
    "LLaMA",
    "LLaMAConfig",
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
