"""What label smoothing costs and gains: equal runs with and without it, over several seeds.

    python -m experiments.label_smoothing

The runs are on the whole training split and on its first pairs alone, where the model sees every
sentence many times. Validation loss and accuracy are those of the true tokens, smoothing left out.
"""

from itertools import product

from experiments.programs import run
from experiments.variants import Variant, compare, parser

SMOOTHINGS = (0.0, 0.1)


def main() -> None:
    """Carry out all runs and write their record."""
    options = parser("label_smoothing", __doc__)
    options.add_argument("--pairs", type=int, nargs="+", default=[0, 6_000], help="0 is all")
    given = options.parse_args()
    variants = [
        Variant(
            {"train_pairs": pairs, "label_smoothing": smoothing},
            [f"corpus.train_pairs={pairs}", f"training.label_smoothing={smoothing}"],
        )
        for pairs, smoothing in product(given.pairs, SMOOTHINGS)
    ]
    compare("label_smoothing", variants, given, options={"pairs": given.pairs})


if __name__ == "__main__":
    run(main)
