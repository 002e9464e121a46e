"""Ctrl-C and SIGTERM: in training, finish the update, save, then stop; else stop with a message."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType

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
    """Inside the `with` block, the first SIGINT or SIGTERM only sets `signal`.

    A second one ends the program at once, as it would have without this. Outside the main thread,
    where Python allows no handlers, signals stay as they are.
    """

    def __init__(self) -> None:
        self.signal: int | None = None
        self._before: dict[int, object] = {}

    def __enter__(self) -> "StopRequest":
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._request)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._restore()

    def _request(self, number: int, frame: FrameType | None) -> None:
        self.signal = number
        self._restore()

    def _restore(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]


@contextmanager
def stopping_with(message: str) -> Iterator[None]:
    """Let SIGINT or SIGTERM end the block at once, with `TrainingStopped(message)`.

    This is for work before and after the training itself, which leaves nothing to save. Outside the
    main thread signals stay as they are.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise TrainingStopped(message, number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
