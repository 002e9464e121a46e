"""The first signal is a request, the second one ends the program."""

import os
import signal

import pytest

from annotated_transformer.training.run.signals import StopRequest


def test_second_signal_is_not_held_back():
    # Python's own handler, also where pytest was started in the background with SIGINT ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        check_second_signal()
    finally:
        signal.signal(signal.SIGINT, before)


def check_second_signal():
    with StopRequest() as stop:
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.signal == signal.SIGINT
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
