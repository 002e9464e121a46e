"""Asked to stop: in training, finish the update, save, then stop; else stop with a message."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

ASKING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""Ctrl-C, the end that a system asks for, and a terminal that is closed."""


def heeded() -> list[signal.Signals]:
    """Return those of ASKING that this process is not to ignore, as `nohup` says of the last."""
    return [number for number in ASKING if signal.getsignal(number) is not signal.SIG_IGN]


STOPPED_BEFORE = "stopped before training; the same command with --resume begins or continues it"
"""What a run says that was asked to stop while it prepared."""
STOPPED_AFTER = "stopped after training, before the record; saved in {}; --resume continues"
"""What a run says that was asked to stop while its model was scored, with its directory."""


class TrainingStopped(KeyboardInterrupt):
    """A run that was asked to stop has stopped; the message says what is saved and how to go on.

    It is a `KeyboardInterrupt`, so a notebook treats it as the Ctrl-C that it mostly is.
    """

    def __init__(self, message: str, number: int) -> None:
        super().__init__(message)
        self.signal = number
        """Number of the signal; a program ends with exit status 128 plus this."""


class StopRequest:
    """Inside the `with` block, the first of the signals ASKING only sets `signal`.

    A second one ends the program at once, as it would have without this. Outside the main thread,
    where Python allows no handlers, signals stay as they are.
    """

    def __init__(self) -> None:
        self.signal: int | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> "StopRequest":
        self._before = _handle_with(self._request)
        return self

    def __exit__(self, *error: object) -> None:
        _restore(self._before)

    def _request(self, number: int, frame: FrameType | None) -> None:
        self.signal = number
        _restore(self._before)


@contextmanager
def stopping_with(message: str) -> Iterator[None]:
    """Let the signals ASKING end the block at once, with `TrainingStopped(message)`.

    This is for work before and after the training itself, which leaves nothing to save. Outside the
    main thread signals stay as they are.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise TrainingStopped(message, number)

    before = _handle_with(stop)
    try:
        yield
    finally:
        _restore(before)


def _handle_with(handler: Callable[[int, FrameType | None], None]) -> dict[int, Any]:
    """Let this handle the signals; return their handlers of before. Other threads keep theirs."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    return {number: signal.signal(number, handler) for number in heeded()}


def _restore(handlers: dict[int, Any]) -> None:
    for number, handler in handlers.items():
        signal.signal(number, handler)
