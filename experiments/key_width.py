"""How wide the keys: equal runs whose heads have narrower and narrower queries and keys.

    python -m experiments.key_width

The number of heads and the width of the values stay, as in row (B) of the paper's Table 3, so a
narrow run also has fewer parameters. Chapter: *Multi-head attention*.
"""

from experiments.study import Option
from experiments.variants import Comparison, Variant

WIDTHS = (4, 8, 32)


def variant(d_k: int) -> Variant:
    """The run with keys of this width; values keep that of the recipe."""
    return Variant({"d_k": d_k}, [f"model.d_k={d_k}"])


STUDY = Comparison(
    "experiments.key_width",
    __doc__,
    lambda given: [variant(d_k) for d_k in given.widths],
    Option("--widths", WIDTHS, selects=True),
    updates=600,
    splits=("test", "compositional"),
)


if __name__ == "__main__":
    STUDY.main()
