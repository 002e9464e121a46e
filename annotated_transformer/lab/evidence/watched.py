"""What tells on held-out data whether a network still improves: a loss, or a precision."""

from typing import NamedTuple

from annotated_transformer.lab.records import Record


class Watch(NamedTuple):
    """What an entry of a curve says of held-out data: its field, its name, the format of it.

    Of what `rises` more is better.
    """

    field: str
    name: str
    kind: str
    rises: bool = False


LOSS = Watch("valid_loss", "the validation loss", ".3f")
WATCHED = (LOSS, Watch("AP50", "AP50", ".1f", rises=True))
"""What the questions are asked of: the first of these that a record keeps."""


def watch(record: Record) -> Watch:
    """Return what the questions are asked of in a record."""
    return next((of for of in WATCHED if any(of.field in e for e in record["curve"])), LOSS)


def better(of: Watch, *values: float | None) -> float | None:
    """Return the best of what is known, or None."""
    known = [value for value in values if value is not None]
    return (max if of.rises else min)(known, default=None)
