"""The learning rate: a linear warm-up, then the inverse square root (section 5.3)."""


def noam_rate(
    step: int, d_model: int, warmup_steps: int, scale: float = 1.0
) -> float:
    """Return the learning rate of update `step`, from 1 on (equation 3).

    `scale * d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)`: both
    terms meet at `step == warmup_steps`, where the rate is highest. The paper's
    scale is 1.

    Raises `ValueError` for a step or a warm-up below 1: at step 0 the formula
    divides by zero.
    """
    if step < 1:
        raise ValueError(f"updates are counted from 1, there is no step {step}")
    if warmup_steps < 1:
        raise ValueError(
            f"the warm-up takes at least 1 step, not {warmup_steps}"
        )
    return float(
        scale * d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)
    )
