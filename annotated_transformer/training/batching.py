"""Batches of about equal token counts, made of sentence pairs of about equal length."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from annotated_transformer.corpora import SentencePair
from annotated_transformer.tokenizer import PAD_ID, Tokenizer


@dataclass(frozen=True)
class Example:
    """One sentence pair as token ids."""

    source: tuple[int, ...]
    """The source sentence, closed by the end-of-sentence id."""
    target: tuple[int, ...]
    """The target sentence between the ids for its beginning and its end."""

    @property
    def length(self) -> int:
        """The longer of the two rows that this pair fills in a batch, in tokens."""
        # The decoder reads all but the last target id and predicts all but the first.
        return max(len(self.source), len(self.target) - 1)


@dataclass(frozen=True)
class Batch:
    """Sentence pairs side by side, each row padded on the right to the longest one."""

    source: Int[Tensor, "batch source"]
    """What the encoder reads."""
    target_input: Int[Tensor, "batch target"]
    """What the decoder reads: the target shifted right by one, as section 3.1 says."""
    target_output: Int[Tensor, "batch target"]
    """What the decoder has to predict at each of these positions."""
    n_tokens: int
    """Target tokens to predict, padding not counted."""

    def to(self, device: torch.device | str) -> "Batch":
        """The same batch on another device."""
        source, target_input, target_output = (
            rows.to(device, non_blocking=True)
            for rows in (self.source, self.target_input, self.target_output)
        )
        return Batch(source, target_input, target_output, self.n_tokens)


def encode_pairs(
    pairs: Sequence[SentencePair], tokenizer: Tokenizer, *, max_length: int, origin: str
) -> list[Example]:
    """Sentence pairs as token ids.

    ``origin`` names the pairs in messages (a split or a file). Raises ``ValueError`` for a
    sentence of more than ``max_length`` tokens: leaving it out or cutting it short would change
    the corpus behind the reader's back.
    """
    examples = []
    for number, pair in enumerate(pairs, start=1):
        example = Example(
            tuple(tokenizer.source_ids(pair.source)), tuple(tokenizer.target_ids(pair.target))
        )
        sides = {"source": len(example.source), "target": len(example.target) - 1}
        for side, length in sides.items():
            if length > max_length:
                raise ValueError(
                    f"{origin}, line {number}: the {side} sentence has {length} tokens, "
                    f"the model takes at most {max_length} (max_length)"
                )
        examples.append(example)
    return examples


def fingerprint(examples: Sequence[Example]) -> str:
    """The sha256 of all token ids: equal for equal sentences under an equal tokenizer."""
    digest = hashlib.sha256()
    for example in examples:
        digest.update(repr((example.source, example.target)).encode())
    return digest.hexdigest()


def collate(examples: Sequence[Example]) -> Batch:
    """Pad the examples into one batch."""
    return Batch(
        source=_padded([example.source for example in examples]),
        target_input=_padded([example.target[:-1] for example in examples]),
        target_output=_padded([example.target[1:] for example in examples]),
        n_tokens=sum(len(example.target) - 1 for example in examples),
    )


def _padded(rows: Sequence[Sequence[int]]) -> Int[Tensor, "batch position"]:
    longest = max(len(row) for row in rows)
    return torch.tensor([[*row, *[PAD_ID] * (longest - len(row))] for row in rows])


def token_batches(
    examples: Sequence[Example],
    tokens_per_batch: int,
    *,
    seed: int | None = None,
    epoch: int = 0,
    origin: str = "train",
) -> list[list[int]]:
    """Divide the examples into batches: a list of lists of their indices, each index once.

    A batch holds at most ``tokens_per_batch`` source and as many target tokens, padding
    included (section 5.1 has about 25,000 of each). Pairs are sorted by length, so rows of a
    batch are nearly equal and little is padded; pairs of equal length and the order of the
    batches are shuffled by ``(seed, epoch)``, or left as they are when ``seed`` is None.

    Raises ``ValueError`` for a pair that alone exceeds ``tokens_per_batch``.
    """
    check_batch_size(examples, tokens_per_batch, origin=origin)
    order = list(range(len(examples)))
    random = None if seed is None else np.random.default_rng([seed, epoch])
    if random is not None:
        random.shuffle(order)
    order.sort(key=lambda index: _place(examples[index]))
    batches = list(_filled(examples, order, tokens_per_batch))
    if random is not None:
        random.shuffle(batches)
    return batches


def check_batch_size(examples: Sequence[Example], tokens_per_batch: int, *, origin: str) -> None:
    """Raise ``ValueError`` for the first pair that alone exceeds ``tokens_per_batch``."""
    for number, example in enumerate(examples, start=1):
        if example.length > tokens_per_batch:
            raise ValueError(
                f"{origin}, line {number}: the pair has {example.length} tokens on its longer "
                f"side, a batch holds at most {tokens_per_batch} (tokens_per_batch)"
            )


def _place(example: Example) -> tuple[int, int]:
    """The place of a pair in the order of lengths: by target, then by source up and down in turn.

    Up for even target lengths, down for odd ones: where one target length follows another in the
    same batch, the source lengths are then alike too.
    """
    target, source = len(example.target), len(example.source)
    return target, -source if target % 2 else source


def _filled(
    examples: Sequence[Example], order: Sequence[int], tokens_per_batch: int
) -> Iterator[list[int]]:
    """Fill one batch after another in the given order, each up to the limit."""
    batch: list[int] = []
    longest = 0
    for index in order:
        longest = max(longest, examples[index].length)
        if longest * (len(batch) + 1) > tokens_per_batch:
            yield batch
            batch, longest = [], examples[index].length
        batch.append(index)
    if batch:
        yield batch


def padding_share(examples: Sequence[Example], batches: Sequence[Sequence[int]]) -> float:
    """The share of padding among all positions, source and target, of these batches."""
    filled = positions = 0
    for batch in batches:
        for lengths in (
            [len(examples[index].source) for index in batch],
            [len(examples[index].target) - 1 for index in batch],
        ):
            filled += sum(lengths)
            positions += max(lengths) * len(batch)
    return 1 - filled / positions
