"""The pictures of *Text to text*: what an exercise asks for, and how T5 counts distances."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from matplotlib import pyplot as plt

from annotated_transformer.lab.family.t5.distances import bucket
from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH, line_chart
from annotated_transformer.lab.figures.boxes import word_box

_READ, _WRITTEN = 0.0, 0.75  # heights of the two rows


class Exercise(NamedTuple):
    """One panel: what is read, and above it what is to be written."""

    title: str
    """What stands above the panel."""
    reads: Sequence[str]
    """The tokens of the source."""
    writes: Sequence[str]
    """The tokens of the target."""
    gaps: Sequence[str] = ()
    """The tokens that stand for something hidden."""


def exercises_picture(exercises: Sequence[Exercise]) -> None:
    """Draw the panels one below the other. Call `use_book_style` first.

    Raises:
        ValueError: there is no panel, or one reads or writes nothing.
    """
    if not exercises:
        raise ValueError("exercises_picture: there is nothing to draw")
    for title, reads, writes, _ in exercises:
        if not reads or not writes:
            raise ValueError(f"exercises_picture: {title!r} reads or writes nothing")
    longest = max(max(len(each[1]), len(each[2])) for each in exercises)
    size = (PHONE_WIDTH, 1.25 * len(exercises))
    _, panels = plt.subplots(len(exercises), 1, figsize=size, squeeze=False)
    for axes, exercise in zip(panels[:, 0], exercises, strict=True):
        _row(axes, _READ, exercise.reads, exercise.gaps, "source")
        _row(axes, _WRITTEN, exercise.writes, exercise.gaps, "target")
        axes.set(xlim=(-0.5, longest - 0.5), ylim=(-0.3, 1.1))
        axes.set_title(exercise.title, fontsize=10, loc="left")
        axes.set_axis_off()


def _row(axes: Any, height: float, words: Sequence[str], gaps: Sequence[str], role: str) -> None:
    for x, word in enumerate(words):
        colour = PALETTE["neutral" if word in gaps else role]
        word_box(axes, x, height, word, colour)


def bucket_chart(n_buckets: int, max_distance: int, farthest: int) -> Any:
    """Draw the bucket of each distance up to `farthest`, of keys before and after the query."""
    steps = torch.arange(farthest + 1)
    points = [
        {"distance": distance, "bucket": number, "key": side}
        for side, sign in (("before", -1), ("after", 1))
        for distance, number in enumerate(
            bucket(sign * steps, n_buckets, max_distance, both_sides=True).tolist()
        )
        if distance  # the query itself is neither before nor after
    ]
    return line_chart(points, x="distance", y="bucket", by="key")
