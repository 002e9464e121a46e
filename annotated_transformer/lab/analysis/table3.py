"""Table 3 of the paper beside a record that repeats its rows: the signs of their differences.

Chapter: *Table 3 in miniature*. The numbers are those of Vaswani et al. 2017,
Table 3, on newstest2013. Each is one run, and the paper gives no spread.
"""

import math
from collections.abc import Mapping
from statistics import mean
from typing import Any, Literal, NamedTuple

from annotated_transformer.checks import check_option
from annotated_transformer.lab.records import Record

Metric = Literal["perplexity", "loss", "BLEU"]
"""The loss is the logarithm of the perplexity, in nats for each subword."""
Verdict = Literal["same sign", "other sign", "cannot be told"]

PUBLISHED: dict[str, dict[str, float]] = {
    row: {"perplexity": perplexity, "BLEU": bleu}
    for row, perplexity, bleu in (
        ("base", 4.92, 25.8),
        ("A: n_heads=1", 5.29, 24.9),
        ("A: n_heads=4", 5.00, 25.5),
        ("A: n_heads=16", 4.91, 25.8),
        ("A: n_heads=32", 5.01, 25.4),
        ("B: d_k=16", 5.16, 25.1),
        ("B: d_k=32", 5.01, 25.4),
        ("C: n_layers=2", 6.11, 23.7),
        ("C: n_layers=4", 5.19, 25.3),
        ("C: n_layers=8", 4.88, 25.5),
        ("C: d_model=256", 5.75, 24.5),
        ("C: d_model=1024", 4.66, 26.0),
        ("C: d_ff=1024", 5.12, 25.4),
        ("C: d_ff=4096", 4.75, 26.2),
        ("D: dropout=0.0", 5.77, 24.6),
        ("D: dropout=0.2", 4.95, 25.5),
        ("D: label_smoothing=0.0", 4.67, 25.3),
        ("D: label_smoothing=0.2", 5.47, 25.7),
        ("E: positions=learned", 4.92, 25.7),
        ("big", 4.33, 26.4),
    )
}
"""What Table 3 prints, with the names of its rows in `TABLE3`; perplexity per subword."""


class Difference(NamedTuple):
    """A row less the base model, in the paper and in a record."""

    row: str
    """The row's name in the record."""
    paper: float
    """What the paper's numbers differ by."""
    ours: tuple[float, ...]
    """What ours differ by, for each seed: the row's run less base's."""
    noise: float
    """The range over the seeds, largest less smallest: base's or the row's, the larger."""

    @property
    def mean(self) -> float:
        """The mean of our differences."""
        return mean(self.ours)

    @property
    def sign(self) -> int:
        """The sign of our differences if they have one, and 0 if they do not.

        Every seed's must be larger than the noise. Of rows that change nothing,
        three seeds then let 1.4 in a hundred pass by chance, if runs scatter
        normally, and 2.5 if those of the row scatter three times as much.
        """
        if all(value > self.noise for value in self.ours):
            return 1
        if all(value < -self.noise for value in self.ours):
            return -1
        return 0

    @property
    def verdict(self) -> Verdict:
        """Whether our sign is the paper's; unknown where one of the two has no sign."""
        product = self.paper * self.sign
        if product == 0:
            return "cannot be told"
        return "same sign" if product > 0 else "other sign"


def differences(
    measured: Record, metric: Metric, *, split: str = "valid"
) -> list[Difference]:
    """Return each row of the record less its base, in the record's order.

    Raises:
        ValueError: an unknown metric; a row that Table 3 does not have; no base,
            fewer than two seeds, or a row without the seeds of base; numbers
            that were not computed in one way, such as perplexities of two tokenizers.
    """
    check_option("metric", metric, ["perplexity", "loss", "BLEU"])
    printed = "perplexity" if metric == "loss" else metric
    entries = measured.entries("scores", metric=printed, split=split)
    signatures = sorted({entry["signature"] for entry in entries})
    if len(signatures) > 1:
        raise ValueError(
            f"{metric} on {split} has signatures {signatures}: numbers compare only with one"
        )
    values = _by_row(entries, metric)
    base = values.pop("base", {})
    if len(base) < 2:
        raise ValueError(
            f"{metric} on {split} has {len(base)} run(s) of the row 'base': a spread needs two "
            "seeds"
        )
    return [
        Difference(
            row,
            _paper(row, metric),
            _less(row, runs, base),
            noise=max(_range(base), _range(runs)),
        )
        for row, runs in values.items()
    ]


def _by_row(
    entries: list[dict[str, Any]], metric: Metric
) -> dict[str, dict[int, float]]:
    """Return the values by row and seed."""
    values: dict[str, dict[int, float]] = {}
    for entry in entries:
        value = entry["value"]
        values.setdefault(entry["row"], {})[entry["seed"]] = (
            math.log(value) if metric == "loss" else value
        )
    return values


def _range(runs: Mapping[int, float]) -> float:
    return max(runs.values()) - min(runs.values())


def _paper(row: str, metric: Metric) -> float:
    check_option("row", row, list(PUBLISHED))
    published, base = PUBLISHED[row], PUBLISHED["base"]
    if metric == "loss":
        return math.log(published["perplexity"] / base["perplexity"])
    # Of two decimals each: what the subtraction adds beyond them is no difference.
    return round(published[metric] - base[metric], 2)


def _less(
    row: str, runs: Mapping[int, float], base: Mapping[int, float]
) -> tuple[float, ...]:
    if runs.keys() != base.keys():
        raise ValueError(
            f"row {row!r} has seeds {sorted(runs)}, base has {sorted(base)}: a row is compared "
            "seed by seed"
        )
    return tuple(runs[seed] - base[seed] for seed in sorted(base))
