"""A trained model in the format of CTranslate2, for serving.

CTranslate2 (Klein et al. 2020) is a C++ program that runs Transformers on CPUs and GPUs, also with
8-bit integers. Only this module imports it, and only to export (`annotated-transformer[export]`);
what is written needs neither this package nor PyTorch. Weights stay in float32. The differences:

- No biases are written for the attentions; the paper's have none.
- Our positions are written out, because CTranslate2 computes sinusoids in another order.
- Our search never writes PAD or BOS: their logits get a bias of minus infinity.
- CTranslate2 divides a log probability by length ** length_penalty, not by the formula of
  Wu et al. (2016), ends a beam by other rules, and writes at most `max_decoding_length` tokens.
  Greedy translations are the same (see tests/export/test_formats.py); those of a beam may differ.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.export import optional
from annotated_transformer.layers import LayerNorm, Residual
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, UNK_ID, Tokenizer
from annotated_transformer.transformer import Decoder, Encoder, Transformer

FILES = frozenset({"model.bin", "config.json", "shared_vocabulary.json"})
"""What is written beside the tokenizer and the README."""
LARGE: frozenset[str] = frozenset()  # weights of any size are in model.bin

KEPT = {
    "positions": (
        ("sinusoidal", "learned", "none"),
        "one vector for each position, as sinusoidal, learned or no positions have",
    ),
    "activation": (("relu", "gelu"), "relu or gelu"),
    "bias": (("feed_forward",), "the biases of the feed-forward networks, and no others"),
}
"""The values of a field that a file of CTranslate2 can have, and what it has there."""


def write(model: Transformer, tokenizer: Tokenizer, directory: Path) -> None:
    """Write FILES into `directory`."""
    specification(model, tokenizer.vocabulary()).save(str(directory))


def check(config: TransformerConfig) -> None:
    """Raise a `ValueError` if there is no CTranslate2, or naming a field that it cannot keep."""
    optional("ctranslate2")
    width = config.d_model / config.n_heads
    for name in ("d_k", "d_v"):
        if getattr(config, name) != width:
            raise ValueError(
                f"{name}={getattr(config, name)} cannot be exported: CTranslate2 needs "
                f"d_model / n_heads, here {width:g}"
            )
    for name, (kept, what) in KEPT.items():
        if getattr(config, name) not in kept:
            raise ValueError(
                f"{name}={getattr(config, name)!r} cannot be exported: what is written has {what}"
            )


def specification(model: Transformer, vocabulary: Sequence[str]) -> Any:
    """Describe the model as CTranslate2 does; `vocabulary` has the name of each token by its id."""
    config = model.config
    check(config)
    specs = optional("ctranslate2").specs
    converted = specs.TransformerSpec.from_config(
        config.n_layers,
        config.n_heads,
        pre_norm=config.norm == "pre",
        activation=getattr(specs.Activation, config.activation.upper()),
    )
    _fill_side(converted.encoder, converted.encoder.embeddings[0], model, "source", model.encoder)
    _fill_side(converted.decoder, converted.decoder.embeddings, model, "target", model.decoder)
    converted.decoder.projection.weight = _array(model.output.weight)
    against_specials = torch.zeros(config.vocab_size)
    against_specials[[config.padding_id, BOS_ID]] = -math.inf
    converted.decoder.projection.bias = _array(against_specials)
    tokens = list(vocabulary)
    converted.register_source_vocabulary(tokens)
    converted.register_target_vocabulary(tokens)
    settings = converted.config
    settings.bos_token, settings.eos_token = tokens[BOS_ID], tokens[EOS_ID]
    settings.unk_token = tokens[UNK_ID]
    settings.decoder_start_token = tokens[BOS_ID]
    settings.add_source_eos = True
    epsilons = {module.epsilon for module in model.modules() if isinstance(module, LayerNorm)}
    (settings.layer_norm_epsilon,) = epsilons
    converted.validate()
    converted.optimize()  # a matrix that is shared is stored once
    return converted


def _fill_side(
    specification: Any, embeddings: Any, model: Transformer, side: str, stack: Encoder | Decoder
) -> None:
    """Fill in one half: embedding, positions, layers, and the last LayerNorm of pre-LN."""
    embeddings.weight = _array(getattr(model, f"{side}_embedding").weight)
    specification.scale_embeddings = model.config.scale_embeddings
    positions = getattr(model, f"{side}_positions")
    specification.position_encodings.encodings = _array(positions.encoding)
    for target, layer in zip(specification.layer, stack.layers.children(), strict=True):
        _fill_layer(target, layer)
    if isinstance(stack.final_norm, LayerNorm):
        _fill_norm(specification.layer_norm, stack.final_norm)


def _fill_layer(specification: Any, layer: Any) -> None:
    """Fill in a layer; each LayerNorm stands beside the weights of its sublayer."""
    residuals = [part for part in layer.children() if isinstance(part, Residual)]
    norms = [residual.layer_norm for residual in residuals]
    query_key_value, output = specification.self_attention.linear
    query_key_value.weight = _rows(layer.self_attention, "query", "key", "value")
    output.weight = _rows(layer.self_attention, "output")
    _fill_norm(specification.self_attention.layer_norm, norms[0])
    if hasattr(layer, "cross_attention"):
        query, key_value, output = specification.attention.linear
        query.weight = _rows(layer.cross_attention, "query")
        key_value.weight = _rows(layer.cross_attention, "key", "value")
        output.weight = _rows(layer.cross_attention, "output")
        _fill_norm(specification.attention.layer_norm, norms[1])
    ffn, network = specification.ffn, layer.feed_forward
    for target, linear in ((ffn.linear_0, network.inner), (ffn.linear_1, network.outer)):
        target.weight, target.bias = _array(linear.weight), _array(linear.bias)
    _fill_norm(ffn.layer_norm, norms[-1])


def _rows(attention: MultiHeadAttention, *names: str) -> Any:
    """Stack the weights of some projections of an attention."""
    return _array(torch.cat([getattr(attention, f"w_{name}").weight for name in names]))


def _fill_norm(specification: Any, norm: LayerNorm) -> None:
    specification.gamma = _array(norm.gain)
    specification.beta = _array(norm.bias)


def _array(tensor: Tensor) -> Any:
    return tensor.detach().float().cpu().contiguous().numpy()
