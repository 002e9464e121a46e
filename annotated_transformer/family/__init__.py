"""What became of the encoder and the decoder: each member in a file of its own."""

from annotated_transformer.family.bert import BERT, BERTConfig
from annotated_transformer.family.deformable_detr import DeformableDETR
from annotated_transformer.family.detr import DETR, DETRConfig
from annotated_transformer.family.image_encoder import SAMConfig
from annotated_transformer.family.maps import DeformableDETRConfig
from annotated_transformer.family.member import fit
from annotated_transformer.family.sam import SAM

__all__ = [
    "BERT",
    "DETR",
    "SAM",
    "BERTConfig",
    "DETRConfig",
    "DeformableDETR",
    "DeformableDETRConfig",
    "SAMConfig",
    "fit",
]
