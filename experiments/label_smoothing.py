"""What label smoothing costs and gains: equal runs with and without it, over several seeds.

    python -m experiments.label_smoothing

The runs are on the whole training split and on its first pairs alone, where the model sees every
sentence many times. Validation loss and accuracy are those of the true tokens, smoothing left out.
"""

import argparse
from itertools import product

from experiments.study import Option
from experiments.variants import Comparison, Variant

SMOOTHINGS = (0.0, 0.1)


def variants(given: argparse.Namespace) -> list[Variant]:
    """Each number of pairs, without smoothing and with it."""
    return [
        Variant(
            {"train_pairs": pairs, "label_smoothing": smoothing},
            [f"corpus.train_pairs={pairs}", f"training.label_smoothing={smoothing}"],
        )
        for pairs, smoothing in product(given.pairs, SMOOTHINGS)
    ]


PAIRS = Option("--pairs", [0, 6_000], "0 is all", selects=True)
STUDY = Comparison("experiments.label_smoothing", __doc__, variants, PAIRS)


if __name__ == "__main__":
    STUDY.main()
