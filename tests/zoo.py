"""Every module of the package in a small model that runs: what tests of all modules walk over."""

import importlib
import pkgutil
from pathlib import Path

import torch
from family_tiny import TINY
from options import CHOICES
from torch import nn

import annotated_transformer
from annotated_transformer.config import TransformerConfig
from annotated_transformer.lab import family
from annotated_transformer.lab.baselines import layer_kinds
from annotated_transformer.lab.baselines.cnn import CNN, CNNConfig
from annotated_transformer.lab.baselines.recurrent import Recurrent
from annotated_transformer.lab.family.electra.model import Generator
from annotated_transformer.lab.variants.all_at_once import AllAtOnce
from annotated_transformer.lab.variants.grouped import GroupedQueryAttention
from annotated_transformer.masks import causal_mask
from annotated_transformer.transformer import Transformer

PACKAGE = Path(annotated_transformer.__file__).parent
SIZES = {"vocab_size": 12, "n_layers": 1, "d_model": 16, "d_ff": 24, "n_heads": 2, "max_length": 20}
SOURCE = torch.tensor([[5, 6, 7, 2], [8, 2, 0, 0]])
TARGET = torch.tensor([[1, 9, 4], [1, 5, 0]])
IMAGES = torch.linspace(-1, 1, 2 * 16 * 16).sin().view(2, 1, 16, 16)
CLICKS = torch.tensor([[[[3.0, 4.0], [9.0, 2.0]]]]).repeat(2, 1, 1, 1)
X = torch.linspace(-3, 3, 2 * 4 * 16).sin().view(2, 4, 16)


def _paper(kind=Transformer, **options):
    config = TransformerConfig.base(**SIZES, dropout=0.0, **options)
    return lambda: kind(config), (SOURCE, TARGET)


def _member(name, *inputs, **options):
    config = getattr(family, f"{name}Config")(**TINY[name] | {"dropout": 0.0} | options)
    return lambda: getattr(family, name)(config), inputs


def _layer(kind, *sizes, **options):
    return lambda: kind(16, *sizes, **options), (X[0],)


def _recurrent(*, attention):
    config = TransformerConfig.base(**SIZES, dropout=0.0)
    return lambda: Recurrent(config, 6, attention=attention), (SOURCE, TARGET)


SMALL = IMAGES[..., :4, :4]
ZOO = {
    "Transformer": _paper(),
    "Transformer, pre-LN, untied": _paper(norm="pre", share_embeddings=False, bias="all"),
    **{f"Transformer, {name}": _paper(**choice) for name, choice in CHOICES.items()},
    "AllAtOnce": _paper(AllAtOnce),
    "BERT": _member("BERT", SOURCE),
    "GPT": _member("GPT", SOURCE),
    "LLaMA": _member("LLaMA", SOURCE),
    "LLaMA with groups": _member("LLaMA", SOURCE, n_groups=1, stretch=2.0),
    "BART": _member("BART", SOURCE, TARGET),
    "T5": _member("T5", SOURCE, TARGET),
    "T5, gated": _member("T5", SOURCE, TARGET, gated=True, share_embeddings=False),
    "ELECTRA": _member("ELECTRA", SOURCE),
    "Generator": (
        lambda: Generator(family.ELECTRAConfig(**TINY["ELECTRA"]).generator()),
        (SOURCE,),
    ),
    "ViT": _member("ViT", SMALL),
    "DeiT": _member("DeiT", SMALL),
    "DiT": _member("DiT", SMALL, torch.tensor([3, 4]), torch.tensor([0, 2])),
    "DiT, tokens": _member(
        "DiT", SMALL, torch.tensor([3, 4]), torch.tensor([0, 2]), conditioning="in_context"
    ),
    "Swin": _member("Swin", IMAGES, n_layers=(2, 1)),
    "SegFormer": _member("SegFormer", IMAGES),
    "DETR": _member("DETR", IMAGES),
    "DETR with a ResNet": _member("DETR", IMAGES, depths=(1,)),
    "DeformableDETR": _member("DeformableDETR", IMAGES),
    "SAM": _member("SAM", IMAGES, CLICKS, torch.ones(2, 1, 2, dtype=torch.long)),
    "Recurrent": _recurrent(attention=False),
    "Recurrent with attention": _recurrent(attention=True),
    "CNN": (lambda: CNN(CNNConfig(width=4)), (SMALL,)),
    "GroupedQueryAttention": (
        lambda: GroupedQueryAttention(16, 4, 2),
        (X, X, causal_mask(4)),
    ),
    "SelfAttentionLayer": _layer(layer_kinds.SelfAttentionLayer),
    "RestrictedAttentionLayer": _layer(layer_kinds.RestrictedAttentionLayer, 3),
    "RecurrentLayer": _layer(layer_kinds.RecurrentLayer),
    "RecurrentStep": (
        lambda: layer_kinds.RecurrentStep(layer_kinds.RecurrentLayer(8)),
        (X[0],),
    ),
    "ConvolutionalLayer": _layer(layer_kinds.ConvolutionalLayer, 3),
}
"""A model that can be made again and again, and what it reads."""

ELSEWHERE = {
    "minimal": "the oracle: no checks, nothing but the paper",
    "export.onnx": "wrappers of a Transformer for torch.onnx, with tests of their own",
    "training.step": "a loss around a model",
    "lab.analysis.small_models": "models of one token, with tests of their own",
    "decoding.packed": "a Linear during a search, with tests of its own",
    "fast.int8": "a Linear without gradients, with tests of its own",
}
"""Modules of the package that the zoo leaves out, and why."""
WITHOUT = ("corpora", "lab/corpora", "lab/figures", "lab/exercises")
"""Rooms that define no module, which a test makes sure of: they take long to import."""
ABSTRACT = {"Derived", "Tied", "Member", "ImageMember", "TextToText"}


def build(name):
    """The model of this name from seed 0, in float64 and in evaluation, and its inputs."""
    make, inputs = ZOO[name]
    torch.manual_seed(0)
    inputs = tuple(x.double() if x.is_floating_point() else x for x in inputs)
    return make().double().eval(), inputs


def classes(base):
    """All subclasses of `base` that the package defines, by the module that defines them."""
    path = annotated_transformer.__path__
    for module in pkgutil.walk_packages(path, "annotated_transformer."):
        name = module.name.removeprefix("annotated_transformer.")
        if name.replace(".", "/").startswith(WITHOUT) or name == "__main__":
            continue
        for value in vars(importlib.import_module(module.name)).values():
            own = isinstance(value, type) and value.__module__ == module.name
            if own and issubclass(value, base):
                yield name, value


def tensors_of(output):
    """The tensors in what a module puts out."""
    return [x for x in torch.utils._pytree.tree_leaves(output) if isinstance(x, torch.Tensor)]


def modules_of(model):
    """Names of all modules that have a `forward`."""
    return {
        name: module
        for name, module in model.named_modules()
        if type(module).forward is not nn.Module.forward
    }
