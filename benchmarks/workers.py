"""Contestants in processes of their own, of which only one works at a time.

A process per contestant gives each its own peak of memory, its own allocator with its own settings,
and a heap that no other has grown or broken up. The parent asks them in turn, A B C A B C ..., so
that whatever the machine does meanwhile befalls all alike.
"""

import gc
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch

Work = Callable[..., Any]
"""One unit of what is measured; it takes what `Worker.run` is given."""
Make = Callable[..., Work]
"""Makes the contestant inside its process; a function at the top level of a module."""

ALLOCATORS: dict[str, dict[str, str]] = {
    "default": {},
    # glibc gives large blocks back to the kernel at once by default, and asks for them (and has
    # them zeroed) again at the next step; with these settings it keeps them.
    "kept": {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "8589934592"},
}
"""Environment of the contestants' processes by the setting's name (for glibc; else ignored)."""


class ContestantError(RuntimeError):
    """A contestant could not be made, or failed at work; the message is its own."""


class Worker:
    """One contestant in its process.

    Args:
        make: makes what is measured, inside the process.
        arguments: its arguments.
        threads: of torch.
        environment: set before the process starts.
    """

    def __init__(
        self,
        make: Make,
        arguments: Sequence[Any] = (),
        *,
        threads: int,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, child = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(child, make, tuple(arguments), threads), daemon=True
        )
        with _environment(environment or {}):
            self._process.start()
        child.close()
        self.ready = self._answer()

    def run(self, *arguments: Any) -> tuple[float, Any]:
        """Work once: (seconds, what came out)."""
        self._pipe.send(arguments)
        return self._answer()

    def memory(self) -> dict[str, float]:
        """Peak resident memory in MiB: `peak` of the process, `start` before the contestant."""
        self._pipe.send("memory")
        return self._answer()

    def close(self) -> None:
        """End the process."""
        self._pipe.close()
        self._process.join(timeout=10)
        if self._process.is_alive():
            self._process.terminate()
            self._process.join()

    def _answer(self) -> Any:
        try:
            kind, value = self._pipe.recv()
        except EOFError:
            self._process.join()
            code = self._process.exitcode
            raise ContestantError(f"the process ended with status {code} (memory?)") from None
        if kind == "error":
            raise ContestantError(value)
        return value


def _serve(pipe: Connection, make: Make, arguments: tuple[Any, ...], threads: int) -> None:
    """Make the contestant, then work whenever asked, until the parent closes the pipe."""
    torch.set_num_threads(threads)
    try:
        start = resident()
        work = make(*arguments)
        pipe.send(("ready", None))
        while True:
            request = pipe.recv()
            if request == "memory":
                pipe.send(("memory", {"peak": peak(), "start": start}))
                continue
            gc.collect()
            begin = time.perf_counter()
            value = work(*request)
            pipe.send(("value", (time.perf_counter() - begin, value)))
    except EOFError:
        return
    except KeyboardInterrupt:  # the parent tells
        return
    except Exception as error:
        pipe.send(("error", f"{type(error).__name__}: {error}"))


def peak() -> float:
    """Highest resident memory of this process so far, in MiB."""
    # Not getrusage where /proc has it: that counts the process that started this one as well.
    value = _status("VmHWM")
    if value is not None:
        return value
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def resident() -> float:
    """Resident memory of this process now, in MiB (or its peak, where only that is known)."""
    value = _status("VmRSS")
    return peak() if value is None else value


def _status(key: str) -> float | None:
    try:
        lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    except OSError:
        return None
    return next(int(line.split()[1]) / 2**10 for line in lines if line.startswith(f"{key}:"))


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """Set variables of the environment for the processes that start meanwhile."""
    before = {key: os.environ.get(key) for key in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for key, value in before.items():
            if value is None:
                del os.environ[key]
            else:
                os.environ[key] = value
