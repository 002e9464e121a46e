"""Marian: published models that translate are the paper's, and run as our own `Transformer`.

Chapter: *Text to text*. They have biases in the attentions and SiLU in place of
ReLU; marian/names.py reorders components and tokens, after which positions, masks,
cache and search are those of this book.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from annotated_transformer.checks import check_count, check_number
from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.search import beam_search
from annotated_transformer.lab.checks import check_list
from annotated_transformer.lab.family import published
from annotated_transformer.lab.family.marian.names import REFERENCE
from annotated_transformer.lab.family.marian.tokenizer import MarianTokenizer
from annotated_transformer.lab.family.reference import (
    not_built,
    precision,
    size,
)
from annotated_transformer.lab.family.words import padded
from annotated_transformer.tokenizer import PAD_ID
from annotated_transformer.transformer import Transformer
from annotated_transformer.translation import token_ids


def load_marian(directory: Path | str) -> Transformer:
    """Read what the reference implementation saved of a Marian model.

    The output gets a bias, which translating uses; the training loop of this
    package refuses it.

    Raises:
        FileNotFoundError: config.json or model.safetensors is missing.
        ValueError: a setting is unknown or not built here, or a tensor is
            missing, left over, no floating point or has another shape.

    Source: Junczys-Dowmunt et al. 2018; Tiedemann and Thottingal 2020.
    """
    settings, origin = published.settings(directory)
    config = config_from(settings, origin)
    model = Transformer(config)
    model.output.bias = nn.Parameter(torch.zeros(config.vocab_size))
    tensors, stored = published.weights(directory)
    model.to(precision(tensors))
    REFERENCE.copy(model, tensors, stored)
    return model.eval()


def config_from(
    settings: Mapping[str, Any], origin: Path | str
) -> TransformerConfig:
    """Read our configuration from the content of Marian's config.json.

    Raises:
        ValueError: a setting is unknown or not built here.
    """
    fields = REFERENCE.fields(settings, origin)
    last = size(settings, "vocab_size", origin) - 1
    if fields["padding_id"] != last:
        raise not_built(
            origin, settings, "pad_token_id", f"expected the last id, {last}"
        )
    fields["vocab_size"] += 1
    if fields["activation"] == "swish":
        fields["activation"] = "silu"
    fixed = {"padding_id": PAD_ID, "bias": "all", "epsilon": 1e-5}
    try:
        return TransformerConfig(**fields | fixed)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{origin}: {error}") from error


class MarianTranslator:
    """Translates with a published model through the search of this book (section 6.1)."""

    def __init__(
        self,
        directory: Path | str,
        *,
        beam_size: int = 4,
        alpha: float = 1.0,
        batch_size: int = 32,
    ) -> None:
        check_count("beam_size", beam_size)
        check_number("alpha", alpha)
        check_count("batch_size", batch_size)
        self.model = load_marian(directory)
        self.tokenizer = MarianTokenizer.load(directory)
        if self.tokenizer.vocab_size != self.model.config.vocab_size:
            raise ValueError(
                f"{directory}: vocab.json has {self.tokenizer.vocab_size - 1} pieces, "
                f"the model {self.model.config.vocab_size - 1}"
            )
        self.beam_size, self.alpha = beam_size, alpha
        self.batch_size = batch_size

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """Translate each text, in their order.

        Raises:
            ValueError: a text, named by its number, is blank or too long.
        """
        check_list("texts", texts)
        limit = self.model.config.max_length
        rows = token_ids(texts, self.tokenizer.source_ids, "text", limit)
        translations: list[str] = []
        for start in range(0, len(rows), self.batch_size):
            source = padded(rows[start : start + self.batch_size])
            best = beam_search(
                self.model, source, beam_size=self.beam_size, alpha=self.alpha
            )
            translations += [
                self.tokenizer.decode(each[0].ids) for each in best
            ]
        return translations
