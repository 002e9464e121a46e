"""What dropout costs and gains where text is scarce: equal runs with and without it.

    python -m experiments.dropout

The runs see only the first pairs of the training split, so that each is seen many times. Label
smoothing is that of the recipe, 0.1, in all of them: this is row (D) of the paper's Table 3 in
small. Chapter: *Training*.
"""

from experiments.programs import run
from experiments.variants import Variant, compare, parser

RATES = (0.0, 0.1)


def variant(rate: float, pairs: int) -> Variant:
    """The run with this dropout on so many pairs."""
    changes = [f"model.dropout={rate}", f"corpus.train_pairs={pairs}"]
    return Variant({"dropout": rate, "train_pairs": pairs}, changes)


def main() -> None:
    """Carry out all runs and write their record."""
    options = parser("dropout", __doc__)
    options.add_argument("--pairs", type=int, default=3_000, help="of training; default 3,000")
    given = options.parse_args()
    variants = [variant(rate, given.pairs) for rate in RATES]
    compare("dropout", variants, given, options={"pairs": given.pairs})


if __name__ == "__main__":
    run(main)
