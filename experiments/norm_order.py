"""Post-LN and pre-LN, with the warm-up and without: equal runs of a six-layer model.

    python -m experiments.norm_order

Without the warm-up the rate starts at its peak and stays there for as long as the others climb;
from then on all rates are equal. The four runs of a seed see the same batches in the same order.
The model is narrow (64) and the peak a quarter of what the recipe has for its two layers: at such
a rate six layers of post-LN learn, with the warm-up. Chapter: *LayerNorm and residuals*.
"""

import argparse
from itertools import product

from annotated_transformer.training.schedule import noam_rate
from experiments.study import Option
from experiments.variants import Comparison, Variant

NORMS = ("post", "pre")
WARMUP_STEPS = 300  # as in the recipe


def rate_without_warmup(step: int, d_model: int, warmup_steps: int, scale: float = 1.0) -> float:
    """Equation 3 with its rising part cut off: the peak rate takes its place."""
    return noam_rate(max(step, warmup_steps), d_model, warmup_steps, scale)


def variant(norm: str, warmup: bool, given: argparse.Namespace) -> Variant:
    """One run: its order, whether it warms up, and the sizes and the rate that all have."""
    changes = [
        f'model.norm="{norm}"',
        f"model.n_layers={given.layers}",
        f"model.d_model={given.width}",
        f"model.d_ff={4 * given.width}",
        "training.tokens_per_batch=512",  # so that 1,000 updates take two to four minutes
        f"training.warmup_steps={WARMUP_STEPS}",
        f"training.learning_rate_scale={given.scale}",
        "training.log_every=25",
        "training.validate_every=100",
    ]
    tags = {"norm": norm, "warmup": warmup}
    schedule = noam_rate if warmup else rate_without_warmup
    return Variant(tags, changes, schedule=schedule)


STUDY = Comparison(
    "experiments.norm_order",
    __doc__,
    lambda given: [variant(*run, given) for run in product(NORMS, (True, False))],
    Option("--layers", 6),
    Option("--width", 64, "d_model; default 64"),
    Option("--scale", 0.17, "of the rate; default 0.17"),
)


if __name__ == "__main__":
    STUDY.main()
