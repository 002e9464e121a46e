"""Batches of about equal token counts, made of sentence pairs of about equal length.

A training split is kept as two flat arrays, all its token ids and where each row begins, so that
it may lie in a file that is larger than the memory (corpus_cache.py). An epoch is planned from the
lengths alone.
"""

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, SupportsIndex, overload

import numpy as np
import torch
from jaxtyping import Int
from numpy.typing import NDArray
from torch import Tensor

from annotated_transformer.tokenizer import BOS_ID, EOS_ID, PAD_ID

Array = NDArray[Any]


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


class TokenPairs(Sequence[Example]):
    """Sentence pairs as two flat arrays: the ids of all rows, and where each row begins.

    Row 2i is the source of pair i and row 2i + 1 its target, each as `Example` has it, so
    `offsets` holds 2n + 1 places in `ids`.
    """

    def __init__(self, ids: Array, offsets: Array) -> None:
        self.ids = ids
        self.offsets = offsets

    @classmethod
    def of(cls, examples: Iterable[Example]) -> "TokenPairs":
        """The same pairs in memory; `TokenPairs` are returned as they are."""
        if isinstance(examples, TokenPairs):
            return examples
        ids, offsets = array("i"), array("q", [0])
        for example in examples:
            for row in (example.source, example.target):
                ids.extend(row)
                offsets.append(len(ids))
        return cls(
            np.frombuffer(ids, np.int32), np.frombuffer(offsets, np.int64)
        )

    def __len__(self) -> int:
        return (len(self.offsets) - 1) // 2

    @overload
    def __getitem__(self, index: SupportsIndex) -> Example: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Example]: ...
    def __getitem__(
        self, index: SupportsIndex | slice
    ) -> Example | Sequence[Example]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        start, middle, stop = self.offsets[2 * number :][:3]
        source, target = self.ids[start:middle], self.ids[middle:stop]
        return Example(tuple(source.tolist()), tuple(target.tolist()))

    @cached_property
    def source_lengths(self) -> Array:
        """Tokens of each source row."""
        return (self.offsets[1::2] - self.offsets[:-1:2]).astype(np.int32)

    @cached_property
    def target_lengths(self) -> Array:
        """Tokens of each row that the decoder reads, or predicts."""
        return (self.offsets[2::2] - self.offsets[1::2] - 1).astype(np.int32)

    @cached_property
    def lengths(self) -> Array:
        """The longer of the two rows that each pair fills in a batch."""
        return np.maximum(self.source_lengths, self.target_lengths)

    def batch(self, indices: Sequence[int] | Array) -> Batch:
        """The pairs of these indices, padded into one batch; of no pair, the idle batch."""
        if not len(indices):
            return IDLE
        chosen = np.asarray(indices, np.int64)
        sources, targets = (
            self.offsets[2 * chosen],
            self.offsets[2 * chosen + 1],
        )
        lengths = self.target_lengths[chosen]
        return Batch(
            source=_padded(self.ids, sources, self.source_lengths[chosen]),
            target_input=_padded(self.ids, targets, lengths),
            target_output=_padded(self.ids, targets + 1, lengths),
            n_tokens=int(lengths.sum()),
        )


IDLE = Batch(
    torch.tensor([[EOS_ID]]),
    torch.tensor([[BOS_ID]]),
    torch.tensor([[PAD_ID]]),
    n_tokens=0,
)
"""A row that predicts nothing: its loss and its gradient are zero."""


def _padded(
    ids: Array, starts: Array, lengths: Array
) -> Int[Tensor, "batch position"]:
    """Rows cut out of a flat array of ids, side by side."""
    before = np.cumsum(lengths) - lengths
    places = np.repeat(starts - before, lengths) + np.arange(lengths.sum())
    rows = np.full((len(lengths), lengths.max()), PAD_ID, np.int64)
    rows[np.arange(rows.shape[1]) < lengths[:, None]] = ids[places]
    return torch.from_numpy(rows)


def collate(examples: Sequence[Example]) -> Batch:
    """Pad the examples into one batch."""
    return TokenPairs.of(examples).batch(range(len(examples)))


def fingerprint(pairs: Iterable[Example]) -> str:
    """The sha256 of all token ids: equal for equal sentences under an equal tokenizer."""
    pairs = TokenPairs.of(pairs)
    digest = hashlib.sha256()
    for flat, dtype in ((pairs.ids, "<i4"), (pairs.offsets, "<i8")):
        digest.update(len(flat).to_bytes(8, "little"))
        for start in range(0, len(flat), 2**20):
            digest.update(flat[start : start + 2**20].astype(dtype).tobytes())
    return digest.hexdigest()


def token_batches(
    examples: Sequence[Example],
    tokens_per_batch: int,
    *,
    seed: int | None = None,
    epoch: int = 0,
    origin: str = "train",
) -> list[Array]:
    """Divide the examples into batches: arrays of their indices, each index once.

    A batch holds at most ``tokens_per_batch`` source and as many target tokens, padding
    included (section 5.1 has about 25,000 of each). Pairs are sorted by length, so rows of a
    batch are nearly equal and little is padded; pairs of equal length and the order of the
    batches are shuffled by ``(seed, epoch)``, or left as they are when ``seed`` is None.

    Needs about 24 bytes of memory for each pair. Raises ``ValueError`` for a pair that alone
    exceeds ``tokens_per_batch``.
    """
    pairs = TokenPairs.of(examples)
    check_batch_size(pairs, tokens_per_batch, origin=origin)
    order = np.arange(len(pairs))
    random = None if seed is None else np.random.default_rng([seed, epoch])
    if random is not None:
        random.shuffle(order)
    order = order[_by_length(pairs, order)]
    batches = list(_filled(pairs.lengths[order], order, tokens_per_batch))
    if random is not None:
        random.shuffle(batches)
    return batches


def check_batch_size(
    examples: Sequence[Example], tokens_per_batch: int, *, origin: str
) -> None:
    """Raise ``ValueError`` for the first pair that alone exceeds ``tokens_per_batch``."""
    lengths = TokenPairs.of(examples).lengths
    too_long = np.flatnonzero(lengths > tokens_per_batch)
    if len(too_long):
        raise ValueError(
            f"{origin}, line {too_long[0] + 1}: the pair has {lengths[too_long[0]]} tokens on its "
            f"longer side, a batch holds at most {tokens_per_batch} (tokens_per_batch)"
        )


def _by_length(pairs: TokenPairs, order: Array) -> Array:
    """Sort, stable, by target length, and then by source length up and down in turn.

    Down for even target lengths, up for odd ones: where one target length follows another in the
    same batch, the source lengths are then alike too.
    """
    target, source = pairs.target_lengths[order], pairs.source_lengths[order]
    return np.lexsort((np.where(target % 2, source, -source), target))


def _filled(
    lengths: Array, order: Array, tokens_per_batch: int
) -> Iterator[Array]:
    """Cut the order into batches, each filled up to the limit; `lengths` are in that order."""
    start = 0
    while start < len(order):
        # No batch has more rows than this, since none is shorter than its first.
        rows = tokens_per_batch // int(lengths[start])
        longest = np.maximum.accumulate(lengths[start : start + rows])
        over = np.flatnonzero(
            longest * np.arange(1, len(longest) + 1) > tokens_per_batch
        )
        stop = start + (int(over[0]) if len(over) else len(longest))
        yield order[start:stop]
        start = stop


def share(batch: Array, rank: int, world_size: int) -> Array:
    """The rows of a batch that one of `world_size` processes takes: every so many, from its rank.

    Neighbouring rows have like lengths, so all shares have like lengths too, and their numbers of
    rows differ by one at most.
    """
    return batch[rank::world_size]


def padding_share(
    examples: Sequence[Example], batches: Iterable[Sequence[int] | Array]
) -> float:
    """The share of padding among all positions, source and target, of these batches."""
    pairs = TokenPairs.of(examples)
    filled = positions = 0
    for batch in batches:
        for lengths in (
            pairs.source_lengths[batch],
            pairs.target_lengths[batch],
        ):
            filled += int(lengths.sum())
            positions += int(lengths.max()) * len(batch)
    return 1 - filled / positions


def tokens_to_predict(
    examples: Sequence[Example], batches: Iterable[Sequence[int] | Array]
) -> int:
    """Target tokens of all these batches together, padding not counted."""
    lengths = TokenPairs.of(examples).target_lengths
    return int(
        lengths[np.fromiter(chain.from_iterable(batches), np.int64)].sum()
    )
