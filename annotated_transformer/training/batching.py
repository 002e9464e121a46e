"""Batches of about equal token counts, made of sentence pairs of about equal length.

An epoch is planned from the lengths alone: the token ids may lie in a file that is larger than the
memory, and only those of one update are read at a time.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from annotated_transformer.tokenizer import BOS_ID, EOS_ID, PAD_ID
from annotated_transformer.training.encoded import Array, Example, TokenPairs
from annotated_transformer.training.recipe import Recipe


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
        """Return the same batch on another device."""
        ids = (self.source, self.target_input, self.target_output)
        source, read, predicted = (each.to(device, non_blocking=True) for each in ids)
        return Batch(source, read, predicted, self.n_tokens)


IDLE = Batch(
    torch.tensor([[EOS_ID]]), torch.tensor([[BOS_ID]]), torch.tensor([[PAD_ID]]), n_tokens=0
)
"""A row that predicts nothing: its loss and its gradient are zero."""


def _padded(ids: Array, starts: Array, lengths: Array) -> Int[Tensor, "batch position"]:
    """Cut rows out of a flat array of ids and put them side by side, padded."""
    starts_in_batch = np.cumsum(lengths) - lengths
    indices = np.repeat(starts - starts_in_batch, lengths) + np.arange(lengths.sum())
    rows = np.full((len(lengths), lengths.max()), PAD_ID, np.int64)
    rows[np.arange(rows.shape[1]) < lengths[:, None]] = ids[indices]
    return torch.from_numpy(rows)


def make_batch(pairs: TokenPairs, indices: Sequence[int] | Array) -> Batch:
    """Pad the pairs of these indices into one batch; without indices it is the idle batch."""
    if not len(indices):
        return IDLE
    chosen = np.asarray(indices, np.int64)
    sources, targets = pairs.offsets[2 * chosen], pairs.offsets[2 * chosen + 1]
    lengths = pairs.target_lengths[chosen]
    return Batch(
        source=_padded(pairs.ids, sources, pairs.source_lengths[chosen]),
        target_input=_padded(pairs.ids, targets, lengths),
        target_output=_padded(pairs.ids, targets + 1, lengths),
        n_tokens=int(lengths.sum()),
    )


def collate(examples: Sequence[Example]) -> Batch:
    """Pad the examples into one batch."""
    return make_batch(TokenPairs.of(examples), range(len(examples)))


def token_batches(
    examples: Sequence[Example],
    tokens_per_batch: int,
    *,
    seed: int | None = None,
    epoch: int = 0,
    origin: str = "train",
) -> list[Array]:
    """Divide the examples into batches: arrays of their indices, each index once.

    A batch holds at most `tokens_per_batch` source and as many target tokens, padding included
    (section 5.1 has about 25,000 of each). Pairs are sorted by length, so little is padded; pairs
    of equal length and the order of the batches are shuffled by `(seed, epoch)`, or left as they
    are when `seed` is None.

    Needs about 24 bytes of memory for each pair. Raises `ValueError` for a pair
    that alone exceeds `tokens_per_batch`; `origin` names the split then.
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


def check_batch_size(examples: Sequence[Example], tokens_per_batch: int, *, origin: str) -> None:
    """Raise `ValueError` for the first pair that alone exceeds `tokens_per_batch`."""
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


def _filled(lengths: Array, order: Array, tokens_per_batch: int) -> Iterator[Array]:
    """Cut the order into batches, each filled up to the limit; `lengths` are in that order."""
    start = 0
    while start < len(order):
        # No batch has more rows than this, since none is shorter than its first.
        rows = tokens_per_batch // int(lengths[start])
        longest = np.maximum.accumulate(lengths[start : start + rows])
        over = np.flatnonzero(longest * np.arange(1, len(longest) + 1) > tokens_per_batch)
        stop = start + (int(over[0]) if len(over) else len(longest))
        yield order[start:stop]
        start = stop


def share(batch: Array, rank: int, world_size: int) -> Array:
    """Take every `world_size`-th row of a batch, from row `rank` on: the share of one process.

    Neighbouring rows have like lengths, so all shares have like lengths too, and their numbers of
    rows differ by one at most.
    """
    return batch[rank::world_size]


@dataclass(frozen=True)
class Update:
    """What one process contributes to an update of the weights."""

    batches: list[Batch]
    """Its share of each batch, in order."""
    n_tokens: int
    """Target tokens of the whole update, over all processes: what the loss is divided by."""
    epoch: int
    """The epoch that the batches belong to, counted from 0."""
    next_batch: int
    """Batches of this epoch that have been seen after the update."""


def updates(
    examples: Sequence[Example],
    recipe: Recipe,
    *,
    epoch: int = 0,
    batch: int = 0,
    rank: int = 0,
    world_size: int = 1,
) -> Iterator[Update]:
    """Yield the share of one process in one update after another, without end.

    The first update begins with the given batch of the given epoch. An update takes `accumulate`
    batches, fewer at the end of an epoch. Every batch is divided row by row among the `world_size`
    processes, so that an update learns from the same sentences however many they are; a process
    that gets no row of a batch takes an idle one that predicts nothing.
    """
    settings, pairs = recipe.training, TokenPairs.of(examples)
    while True:
        plan = token_batches(pairs, settings.tokens_per_batch, seed=recipe.seed, epoch=epoch)
        while batch < len(plan):
            group = plan[batch : batch + settings.accumulate]
            batch += len(group)
            batches = [make_batch(pairs, share(rows, rank, world_size)) for rows in group]
            n_tokens = tokens_to_predict(pairs, group)
            yield Update(batches, n_tokens, epoch, batch)
        epoch, batch = epoch + 1, 0


def tokens_to_predict(examples: Sequence[Example], batches: Iterable[Sequence[int] | Array]) -> int:
    """Count the target tokens of all these batches together, without padding."""
    lengths = TokenPairs.of(examples).target_lengths
    return int(lengths[np.fromiter(chain.from_iterable(batches), np.int64)].sum())
