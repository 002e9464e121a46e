"""Sentence pairs as token ids, in two flat arrays that may lie in memory or in a file."""

import hashlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

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
        """Hold the same pairs in memory; `TokenPairs` are returned as they are."""
        if isinstance(examples, TokenPairs):
            return examples
        ids, offsets = array("i"), array("q", [0])
        for example in examples:
            for row in (example.source, example.target):
                ids.extend(row)
                offsets.append(len(ids))
        return cls(np.frombuffer(ids, np.int32), np.frombuffer(offsets, np.int64))

    def __len__(self) -> int:
        return (len(self.offsets) - 1) // 2

    @overload
    def __getitem__(self, index: SupportsIndex) -> Example: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Example]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> Example | Sequence[Example]:
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


def check_lengths(pairs: TokenPairs, max_length: int, *, origin: str) -> None:
    """Raise `ValueError` for the first sentence of more than `max_length` tokens."""
    too_long = np.flatnonzero(pairs.lengths > max_length)
    if len(too_long):
        index = int(too_long[0])
        sides = (("source", pairs.source_lengths), ("target", pairs.target_lengths))
        side, length = next((name, row[index]) for name, row in sides if row[index] > max_length)
        raise ValueError(
            f"{origin}, line {index + 1}: the {side} sentence has {length} tokens, "
            f"the model takes at most {max_length} (max_length)"
        )


def fingerprint(pairs: Iterable[Example]) -> str:
    """Return the sha256 of all token ids: equal for equal sentences under an equal tokenizer."""
    pairs = TokenPairs.of(pairs)
    digest = hashlib.sha256()
    for flat, dtype in ((pairs.ids, "<i4"), (pairs.offsets, "<i8")):
        digest.update(len(flat).to_bytes(8, "little"))
        for start in range(0, len(flat), 2**20):
            digest.update(flat[start : start + 2**20].astype(dtype).tobytes())
    return digest.hexdigest()
