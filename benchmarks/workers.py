"""Contestants in processes of their own, of which only one works at a time.

A process per contestant gives each its own peak of memory, its own allocator with its own settings,
and a heap that no other has grown or broken up. The parent asks them in turn, A B C A B C ..., so
that all of them suffer alike from what the machine does meanwhile.
"""

import gc
import itertools
import math
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

from annotated_transformer.storage.machine import end_with_parent, keep_freed_memory

Work = Callable[..., Any]
"""One unit of what is measured; it takes what `Worker.run` is given."""
Make = Callable[..., Work]
"""Makes the contestant inside its process; a function at the top level of a module."""

ALLOCATORS = ("kept", "default")
"""Whether freed memory stays in the process, as in our training, or as the C library has it."""


class ContestantError(RuntimeError):
    """A contestant could not be made, or failed at work; the message is its own."""


class Worker:
    """One contestant in its process.

    Args:
        make: makes what is measured, inside the process.
        arguments: its arguments.
        threads: of torch.
        allocator: one of `ALLOCATORS`.
        environment: variables that are set before the contestant is made.
    """

    def __init__(
        self,
        make: Make,
        arguments: Sequence[Any] = (),
        *,
        threads: int,
        allocator: str = "default",
        environment: Mapping[str, str] | None = None,
    ) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, child = context.Pipe()
        self._process = context.Process(
            target=_serve,
            args=(child, make, tuple(arguments)),
            kwargs={
                "threads": threads,
                "allocator": allocator,
                "environment": dict(environment or {}),
            },
        )
        self._process.start()
        child.close()
        try:
            self.ready = self._answer()
        except ContestantError:
            self.close()
            raise

    def run(self, *arguments: Any) -> tuple[float, Any]:
        """Work once: (seconds, what came out)."""
        self._pipe.send(arguments)
        return self._answer()

    def memory(self) -> dict[str, float]:
        """Resident memory in MiB: `start` before the contestant, `made` after, and the `peak`.

        The peak is the sum of the contestant's own and those of the processes that it has begun.
        """
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


def _serve(
    pipe: Connection,
    make: Make,
    arguments: tuple[Any, ...],
    *,
    threads: int,
    allocator: str,
    environment: dict[str, str],
) -> None:
    """Make the contestant, then work whenever asked, until the parent closes the pipe."""
    end_with_parent()
    os.environ.update(environment)
    torch.set_num_threads(threads)
    if allocator == "kept":
        keep_freed_memory()
    try:
        start = resident()
        work = make(*arguments)
        made = resident()
        # What is there by now stays: the collector looks only through what work leaves behind.
        gc.freeze()
        pipe.send(("ready", None))
        while True:
            request = pipe.recv()
            if request == "memory":
                begun = [peak(child.pid) for child in multiprocessing.active_children()]
                pipe.send(("memory", {"peak": peak() + sum(begun), "start": start, "made": made}))
                continue
            gc.collect()
            begin = time.perf_counter()
            value = work(*request)
            pipe.send(("value", (time.perf_counter() - begin, value)))
    except EOFError:
        return
    except KeyboardInterrupt:  # the parent reports it
        return
    except Exception as error:
        pipe.send(("error", f"{type(error).__name__}: {error}"))
    finally:
        # Else this process would wait for them at its end, and they for it.
        for child in multiprocessing.active_children():
            child.terminate()


@contextmanager
def busy_cores(count: int) -> Iterator[None]:
    """Keep so many cores at other work meanwhile, as on a machine that is shared."""
    context = multiprocessing.get_context("spawn")
    others = [context.Process(target=_count_forever, daemon=True) for _ in range(count)]
    for other in others:
        other.start()
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.join()


def _count_forever() -> None:
    end_with_parent()
    for _ in itertools.count():
        pass


def peak(process: int | None = None) -> float:
    """Highest resident memory of a process so far, in MiB; by default of this one.

    That of another one is known on Linux alone, and elsewhere counts as 0.
    """
    # Not getrusage where /proc has it: that counts the process that started this one as well.
    value = _status("VmHWM", "self" if process is None else process)
    if value is not None:
        return value
    if process is not None:
        return 0.0
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def resident() -> float:
    """Resident memory of this process now, in MiB (or its peak, where only that is known)."""
    value = _status("VmRSS")
    return peak() if value is None else value


def free_memory(device: str = "cpu") -> float:
    """Bytes that new work may take: what Linux calls available, or what a GPU has left."""
    if device == "cuda":
        return float(torch.cuda.mem_get_info()[0])
    try:
        lines = Path("/proc/meminfo").read_text("utf-8").splitlines()
    except OSError:
        return math.inf
    return next(2**10 * float(line.split()[1]) for line in lines if line.startswith("MemAvailable"))


def _status(key: str, process: int | str = "self") -> float | None:
    try:
        lines = Path(f"/proc/{process}/status").read_text("utf-8").splitlines()
    except OSError:
        return None
    return next(int(line.split()[1]) / 2**10 for line in lines if line.startswith(f"{key}:"))
