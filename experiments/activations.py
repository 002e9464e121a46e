"""What the feed-forward network needs: equal runs with ReLU, GELU, nothing, and a quarter width.

    python -m experiments.activations

Beside the translations, each run counts the units of every feed-forward network that fire on no
token of the test split at the end of training, and the share of (token, unit) pairs that fire. A
unit fires where its number before the activation is positive, whatever the activation. Chapter:
*Feed-forward*.
"""

from collections.abc import Iterator
from typing import Any

from annotated_transformer import Translator
from annotated_transformer.lab.analysis.units import read_units
from annotated_transformer.lab.corpora.english_korean import english_korean
from experiments.variants import Comparison, Variant

CONTESTANTS = (("relu", 512), ("gelu", 512), ("none", 512), ("relu", 128))
"""Activation and d_ff; d_model is 128."""


def measure(translator: Translator) -> Iterator[dict[str, Any]]:
    """Dead units and the share of firing, for each layer, on the test split."""
    pairs = [(pair.source, pair.target) for pair in english_korean("test")]
    for layer, reading in read_units(translator, pairs).items():
        signature = f"{len(reading.tokens)} tokens|{reading.values.size(1)} units|value > 0"
        entry = {"split": "test", "layer": layer, "signature": signature}
        yield entry | {"metric": "dead_units", "value": int(reading.dead.sum())}
        share = round(100 * reading.fired.double().mean().item(), 1)
        yield entry | {"metric": "firing_share", "value": share}


VARIANTS = [
    Variant(
        {"activation": activation, "d_ff": d_ff},
        [f'model.activation="{activation}"', f"model.d_ff={d_ff}"],
    )
    for activation, d_ff in CONTESTANTS
]
STUDY = Comparison(
    "experiments.activations",
    __doc__,
    VARIANTS,
    splits=("test", "compositional"),
    measure=measure,
)


if __name__ == "__main__":
    STUDY.main()
