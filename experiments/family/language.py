"""What the experiments on language models share: the texts, the sizes, the training.

All models read the English half of the embedded corpus, word by word, and are trained alike: the
same number of updates, the same texts in the same order.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import torch
from torch import Tensor

from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.lab.family import (
    BERT,
    ELECTRA,
    GPT,
    BERTConfig,
    ELECTRAConfig,
    GPTConfig,
    fit,
)
from annotated_transformer.lab.family.bert.gaps import make_gaps
from annotated_transformer.lab.family.member import Member
from annotated_transformer.lab.family.reader import Reader
from annotated_transformer.lab.family.words import FIRST, MASK, PAD, Words, batches
from annotated_transformer.masks import causal_mask

SIZES: dict[str, Any] = {"n_layers": 3, "d_model": 128, "d_ff": 512, "n_heads": 4, "max_length": 32}
TEXTS_A_BATCH = 128
RATE, WARMUP = 1e-3, 50
SETTINGS: dict[str, Any] = {
    **SIZES,
    "texts_a_batch": TEXTS_A_BATCH,
    "rate": RATE,
    "warmup": WARMUP,
}
"""What every record says of the runs."""


@cache
def texts(split: str) -> tuple[str, ...]:
    """The English sentences of a split, each once."""
    return tuple(dict.fromkeys(pair.source for pair in english_korean(split)))


@cache
def words() -> Words:
    """The vocabulary: the words of the training split."""
    return Words(texts("train"))


def rows(split: str) -> list[list[int]]:
    """The sentences of a split as ids."""
    return [words().ids(text) for text in texts(split)]


def gap_batches(
    given: Sequence[Sequence[int]], steps: int, seed: int, **shares: float
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """The same batches with gaps: what `loss` of BERT and ELECTRA takes."""
    draws = torch.Generator().manual_seed(1_000 + seed)
    for ids in batches(given, steps, seed, TEXTS_A_BATCH):
        gaps, chosen = make_gaps(
            ids,
            mask_id=MASK,
            vocab_size=len(words()),
            first_id=FIRST,
            generator=draws,
            **shares,
        )
        yield gaps, ids, chosen


class LeftReader(Reader):
    """BERT's encoder with the causal mask: no vector sees what comes later."""

    def mask(self, ids: Tensor) -> Tensor:
        """Only real tokens, and none that comes later."""
        return super().mask(ids) & causal_mask(ids.size(1), ids.device)


def make_bert(seed: int, **changes: Any) -> BERT:
    """A BERT in these sizes, its weights drawn from the seed."""
    torch.manual_seed(seed)
    return BERT(BERTConfig(vocab_size=len(words()), **SIZES | changes))


def make_left_bert(seed: int) -> BERT:
    """The same weights, and the causal mask: it fills gaps from the left alone."""
    model = make_bert(seed)
    left = LeftReader(model.config)
    left.load_state_dict(model.reader.state_dict())
    model.reader = left
    return model


def make_electra(seed: int, **changes: Any) -> ELECTRA:
    """A discriminator in these sizes with a generator of a quarter of its width."""
    torch.manual_seed(seed)
    config = ELECTRAConfig(vocab_size=len(words()), **SIZES | {"generator_share": 4} | changes)
    return ELECTRA(config)


def make_gpt(seed: int, **changes: Any) -> GPT:
    """A GPT in these sizes, its weights drawn from the seed."""
    torch.manual_seed(seed)
    return GPT(GPTConfig(vocab_size=len(words()), **SIZES | changes))


def pretrain(model: Member, given: Iterator[Any], steps: int) -> list[float]:
    """Train as all models here are trained; the rate falls to zero at the end."""
    return fit(
        model,
        (batch if isinstance(batch, tuple) else (batch,) for batch in given),
        rate=RATE,
        warmup=WARMUP,
        until=steps,
    )


@torch.inference_mode()
def vectors(model: Member, given: Sequence[str]) -> tuple[Tensor, Tensor]:
    """The vectors of the last layer for each token, and which tokens are real."""
    ids = words().batch(given)
    read: Any = model.hidden if isinstance(model, GPT) else model.reader
    return read(ids), ids != PAD
