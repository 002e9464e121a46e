"""What dropout costs and gains where text is scarce: equal runs with and without it.

    python -m experiments.dropout

The runs see only the first pairs of the training split, so that each is seen many times. Label
smoothing is that of the recipe, 0.1, in all of them: this is row (D) of the paper's Table 3 in
small. Chapter: *Training*.
"""

from experiments.study import Option
from experiments.variants import Comparison, Variant

RATES = (0.0, 0.1)


def variant(rate: float, pairs: int) -> Variant:
    """The run with this dropout on so many pairs."""
    changes = [f"model.dropout={rate}", f"corpus.train_pairs={pairs}"]
    return Variant({"dropout": rate, "train_pairs": pairs}, changes)


STUDY = Comparison(
    "experiments.dropout",
    __doc__,
    lambda given: [variant(rate, given.pairs) for rate in RATES],
    Option("--pairs", 3_000, "of training; default 3,000"),
)


if __name__ == "__main__":
    STUDY.main()
