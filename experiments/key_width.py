"""How wide the keys: equal runs whose heads have narrower and narrower queries and keys.

    python -m experiments.key_width

The number of heads and the width of the values stay, as in row (B) of the paper's Table 3, so a
narrow run also has fewer parameters. Chapter: *Multi-head attention*.
"""

from experiments.programs import run
from experiments.variants import Variant, compare, parser

WIDTHS = (4, 8, 32)


def variant(d_k: int) -> Variant:
    """The run with keys of this width; values keep that of the recipe."""
    return Variant({"d_k": d_k}, [f"model.d_k={d_k}"])


def main() -> None:
    """Carry out all runs and write their record."""
    options = parser("key_width", __doc__, steps=600)
    options.add_argument("--widths", type=int, nargs="+", default=WIDTHS)
    given = options.parse_args()
    compare(
        "key_width",
        [variant(d_k) for d_k in given.widths],
        given,
        splits=("test", "compositional"),
        options={"widths": given.widths},
    )


if __name__ == "__main__":
    run(main)
