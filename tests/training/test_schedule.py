"""The warm-up schedule of section 5.3, and that the optimizer really uses it from step 1 on."""

import numpy as np
import pytest
from typechecking import unchecked

from annotated_transformer.training.schedule import noam_rate


def test_the_papers_base_model():
    # Both terms of equation 3 are equal at the end of the warm-up: 1 / sqrt(512 * 4000).
    assert noam_rate(4_000, 512, 4_000) == pytest.approx((512 * 4_000) ** -0.5)
    assert noam_rate(1, 512, 4_000) == pytest.approx(512**-0.5 * 4_000**-1.5)
    assert noam_rate(100_000, 512, 4_000) == pytest.approx((512 * 100_000) ** -0.5)


def test_it_rises_in_a_line_then_falls_with_the_root():
    rates = [noam_rate(step, 128, 100) for step in range(1, 1_001)]
    assert max(rates) == rates[99]
    assert all(rates[i] == pytest.approx((i + 1) * rates[0]) for i in range(100))
    assert all(
        rates[i] == pytest.approx(rates[99] * (100 / (i + 1)) ** 0.5) for i in range(100, 1_000)
    )


def test_the_scale_is_a_factor():
    assert noam_rate(7, 128, 100, scale=2.5) == pytest.approx(2.5 * noam_rate(7, 128, 100))


def test_a_wider_model_learns_more_slowly():
    assert noam_rate(5, 4 * 64, 10) == pytest.approx(noam_rate(5, 64, 10) / 2)


@pytest.mark.parametrize("step", [0, -1])
def test_there_is_no_step_before_the_first(step):
    with pytest.raises(ValueError, match=f"step is {step}; expected at least 1"):
        noam_rate(step, 512, 4_000)


def test_a_warm_up_of_no_steps_is_refused():
    with pytest.raises(ValueError, match="warmup_steps=0 must be a positive integer"):
        noam_rate(1, 512, 0)


def test_a_narrow_number_is_no_coarser_rate():
    with unchecked():
        assert noam_rate(7, 128, 100, scale=np.float16(0.5)) == noam_rate(7, 128, 100, scale=0.5)
