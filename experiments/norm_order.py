"""Post-LN and pre-LN, with the warm-up and without: equal runs of a six-layer model.

    python -m experiments.norm_order

Without the warm-up the rate starts at its peak and stays there for as long as the others climb;
from then on all rates are equal. All runs see the same batches in the same order.
"""

from itertools import product

from annotated_transformer.training.schedule import noam_rate
from experiments.programs import run
from experiments.variants import Variant, compare, parser

NORMS = ("post", "pre")
WARMUP_STEPS = 300  # as in the recipe


def rate_without_warmup(step: int, d_model: int, warmup_steps: int, scale: float = 1.0) -> float:
    """Equation 3 with its rising part cut off: the peak rate takes its place."""
    return noam_rate(max(step, warmup_steps), d_model, warmup_steps, scale)


def variant(norm: str, warmup: bool, layers: int, scale: float) -> Variant:
    """One run: its order, whether it warms up, its depth, and the factor of the rate."""
    changes = [
        f'model.norm="{norm}"',
        f"model.n_layers={layers}",
        "training.tokens_per_batch=512",  # so that 600 updates of six layers take two minutes
        f"training.warmup_steps={WARMUP_STEPS}",
        f"training.learning_rate_scale={scale}",
        "training.log_every=25",
        "training.validate_every=100",
    ]
    tags = {"norm": norm, "warmup": warmup}
    schedule = noam_rate if warmup else rate_without_warmup
    return Variant(tags, changes, schedule=schedule)


def main() -> None:
    """Carry out all runs and write their record."""
    options = parser("norm_order", __doc__, steps=600)
    options.add_argument("--layers", type=int, default=6)
    options.add_argument("--scale", type=float, default=0.3, help="of the rate; default 0.3")
    given = options.parse_args()
    variants = [variant(n, w, given.layers, given.scale) for n, w in product(NORMS, (True, False))]
    more = {"layers": given.layers, "scale": given.scale}
    compare("norm_order", variants, given, options=more)


if __name__ == "__main__":
    run(main)
