"""How many heads: equal runs at equal width, cut into more and more heads.

    python -m experiments.heads

Width, parameters and updates are the same in every run; only the width of one head, d_model / h,
changes, as in row (A) of the paper's Table 3. Chapter: *Multi-head attention*.
"""

import argparse

from annotated_transformer import load_recipe
from experiments.study import Option
from experiments.variants import Comparison, Variant

HEADS = (1, 2, 4, 8, 32)


def variant(n_heads: int) -> Variant:
    """The run with so many heads; a number that does not divide the width is refused."""
    overrides = [f"model.n_heads={n_heads}"]
    model = load_recipe("english_korean_small", overrides).model.config(vocab_size=2_000)
    return Variant({"n_heads": n_heads, "d_k": model.d_k}, overrides)


def variants(given: argparse.Namespace) -> list[Variant]:
    """All runs."""
    return [variant(n_heads) for n_heads in given.heads]


STUDY = Comparison(
    "experiments.heads",
    __doc__,
    variants,
    Option("--heads", HEADS, selects=True),
    splits=("test", "compositional"),
    check=variants,
)


if __name__ == "__main__":
    STUDY.main()
