"""How many heads: equal runs at equal width, cut into more and more heads.

    python -m experiments.heads

Width, parameters and updates are the same in every run; only the width of one head, d_model / h,
changes, as in row (A) of the paper's Table 3. Chapter: *Multi-head attention*.
"""

from annotated_transformer import load_recipe
from experiments.programs import run
from experiments.variants import Variant, compare, parser

HEADS = (1, 2, 4, 8, 32)


def variant(n_heads: int) -> Variant:
    """The run with so many heads; a number that does not divide the width is refused."""
    overrides = [f"model.n_heads={n_heads}"]
    model = load_recipe("english_korean_small", overrides).model.config(vocab_size=2_000)
    return Variant({"n_heads": n_heads, "d_k": model.d_k}, overrides)


def main() -> None:
    """Carry out all runs and write their record."""
    options = parser("heads", __doc__)
    options.add_argument("--heads", type=int, nargs="+", default=HEADS)
    given = options.parse_args()
    try:
        variants = [variant(n_heads) for n_heads in given.heads]
    except ValueError as error:
        options.error(str(error))
    splits = ("test", "compositional")
    compare("heads", variants, given, splits=splits, options={"heads": given.heads})


if __name__ == "__main__":
    run(main)
