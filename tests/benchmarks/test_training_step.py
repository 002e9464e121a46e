"""The contestants of the training step compute the same loss, or are refused."""

import pytest

from benchmarks import training_step


def test_a_contestant_that_is_another_function_is_refused():
    class Fixed:
        def __init__(self, loss):
            self.loss = loss

        def run(self, task, index):
            assert (task, index) == ("loss", 0)
            return 0.0, self.loss

    assert training_step.check_losses({"a": Fixed(5.0), "b": Fixed(5.01)}) == {"a": 5.0, "b": 5.01}
    with pytest.raises(ValueError, match=r"b begins with a loss of 6\.0"):
        training_step.check_losses({"a": Fixed(5.0), "b": Fixed(6.0)})
