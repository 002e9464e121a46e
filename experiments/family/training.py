"""What all comparisons of trained members share: equal runs, each with the rate that serves it."""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from annotated_transformer.lab.family import fit
from annotated_transformer.lab.family.member import Member
from experiments.study import Entry, curve_of

WARMUP = 50
"""Updates in which the learning rate rises; then it falls in a line to zero."""
Examples = Sequence[tuple[Tensor | list[Tensor], ...]]
"""Batches, one for each update."""


class Run(NamedTuple):
    """A model after its training."""

    model: Any
    rate: float
    losses: list[float]
    """Of each update."""
    watched: list[float]
    """The quality at equal distances on the way, if it was asked for."""

    def curve(self, points: int = 20, **tags: Any) -> list[Entry]:
        """The mean loss of each part of the training."""
        return curve_of(self.losses, points, **tags)


def trained(
    make: Callable[[], Member],
    examples: Examples,
    *,
    seed: int,
    rate: float,
    warmup: int = WARMUP,
    watch: Callable[[Any], float] | None = None,
    points: int = 1,
) -> Run:
    """Make a model by a seed and train it, one update for each batch; `watch` it `points` times."""
    torch.manual_seed(seed)
    model, every = make(), max(1, len(examples) // points)
    watched: list[float] = []

    def look(step: int, _: float) -> None:
        if watch is not None and step % every == 0:
            watched.append(watch(model))  # without dropout, a model in training is as in use

    lost = fit(model, examples, rate=rate, warmup=warmup, until=len(examples), on_step=look)
    return Run(model, rate, lost, watched)


def best_rate(
    make: Callable[[], Member],
    examples: Examples,
    quality: Callable[[Any], float],
    *,
    seed: int,
    rates: Sequence[float],
    warmup: int = WARMUP,
    points: int = 0,
) -> Run:
    """Train with each rate, from the same weights and on the same batches, and keep the best run.

    `quality` of a model is to be high, on other examples than those of the test; of equals, the
    first is kept. With `points` it is asked for that often on the way, too.
    """
    watch = quality if points else None
    runs = [
        trained(
            make, examples, seed=seed, rate=rate, warmup=warmup, watch=watch, points=points or 1
        )
        for rate in rates
    ]
    return max(runs, key=lambda run: quality(run.model))


def best_runs(
    contestants: Mapping[str, Callable[[], Member]],
    examples: Examples,
    quality: Callable[[Any], float],
    seed: int,
    given: argparse.Namespace,
    **settings: int,
) -> Iterator[tuple[str, Run]]:
    """The name of each contestant, and its best run with one of the rates that are given.

    The settings are further ones of `best_rate`.
    """
    for name, make in contestants.items():
        yield name, best_rate(make, examples, quality, seed=seed, rates=given.rates, **settings)


def parameters(contestants: Mapping[str, Callable[[], Member]]) -> dict[str, int]:
    """How many parameters each contestant has."""
    return {name: sum(p.numel() for p in make().parameters()) for name, make in contestants.items()}
