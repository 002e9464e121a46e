"""The learning rate: a linear warm-up, then the inverse square root (section 5.3)."""

from annotated_transformer.checks import check_count, check_number, check_sizes


def noam_rate(
    step: int, d_model: int, warmup_steps: int, scale: float = 1.0
) -> float:
    """Return the learning rate of update `step`, from 1 on (equation 3).

    `scale * d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)`: both
    terms meet at `step == warmup_steps`, where the rate is highest. The paper's
    scale is 1.

    Raises `ValueError` for a step or a warm-up below 1, since at step 0 the
    formula divides by zero, and for other numbers that make no rate.
    """
    check_count("step", step)
    check_sizes(d_model=d_model, warmup_steps=warmup_steps)
    scale = check_number("scale", scale)
    return float(
        scale * d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)
    )
