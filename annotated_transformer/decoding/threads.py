"""How many threads a search shares: all that it may have, or fewer where other programs work.

Threads that share a product wait for each other at its end, several hundred times for every token.
Where another program has taken a core, the thread of that core begins when its turn comes, and all
others wait: milliseconds for a product of microseconds. One thread alone waits for nobody. So a
search looks first at what others have lately used of its cores, then times a small product: the
first sees no limit that is set on a container, and the second may fall into a pause.
"""

import math
import os
import time
import timeit
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from statistics import median

import psutil
import torch
from torch import Tensor
from torch.nn import functional as F

REPEATS = 3
WAITS = 3.0
"""A product that takes so many times as long as with one thread is one that waited."""
SHORTEST = 0.1
"""Seconds between two looks at the cores that say something: their clocks tick in 10 ms."""
BESIDE = 0.3
"""Cores that other programs may use in passing."""
AUTOGROUPS = Path("/proc/sys/kernel/sched_autogroup_enabled")
LOOKS, PAUSE = 5, 0.2
"""Before advice is given: a program that pauses for a moment is still there."""


class Cores:
    """The cores that this process may run on, and what other programs use of them."""

    def __init__(self) -> None:
        own = getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))
        self.numbers = sorted(own(0))
        self._last = self._used_by_others()
        self._free: float | None = None

    def free(self) -> float | None:
        """Return how many cores others have left since the last look; None if unknown."""
        began, before = self._last
        now, used = self._used_by_others()
        if now - began >= SHORTEST:
            self._last = now, used
            free = len(self.numbers) - (used - before) / (now - began)
            self._free = None if math.isnan(free) else free
        return self._free

    def _used_by_others(self) -> tuple[float, float]:
        """Return the time, and the seconds for which other programs have ever had these cores.

        What runs under `nice` gives way, and does not count, unless Linux shares the cores among
        sessions first: then it has its full share beside this program, if it is of another session.
        Where a system does not tell, or tells of fewer cores than it numbers, the seconds are no
        number (NaN).
        """
        try:
            times = psutil.cpu_times(percpu=True)
        except (OSError, RuntimeError):
            times = []
        if len(times) <= self.numbers[-1]:
            return time.perf_counter(), math.nan
        named: tuple[str, ...] = ("user", "system", "irq", "softirq", "steal")
        if _sessions_share_alike():
            named = (*named, "nice")
        used = sum(getattr(times[i], name, 0.0) for i in self.numbers for name in named)
        # Where this program gives way too and that does not count, its own time is not in there.
        apart = getattr(os, "nice", int)(0) > 0 and "nice" not in named
        return time.perf_counter(), used - (0.0 if apart else time.process_time())


@cache
def _sessions_share_alike() -> bool:
    """Return whether Linux shares the cores among sessions first, and only within one by `nice`."""
    try:
        return AUTOGROUPS.read_text(encoding="ascii").strip() == "1"
    except (OSError, ValueError):
        return False


_CORES = Cores()


@contextmanager
def undisturbed_threads() -> Iterator[int]:
    """Compute with as many of this thread's threads as do not wait for other programs.

    The number from before comes back at the end. Results may differ in the last digits between
    numbers of threads.
    """
    most = torch.get_num_threads()
    try:
        yield _choose(most)
    finally:
        torch.set_num_threads(most)


def advice() -> str | None:
    """Say in a sentence that this thread's threads wait for other programs, if they mostly do."""
    most, counts = torch.get_num_threads(), []
    if most == 1:  # waits for nobody, so there is nothing to look at
        return None
    for _ in range(LOOKS):
        with undisturbed_threads() as count:
            counts.append(count)
        time.sleep(PAUSE)
    count = sorted(counts)[LOOKS // 2]
    if count == most:
        return None
    return (
        f"other programs use the cores, and {most} threads wait for them at every product; "
        f"with OMP_NUM_THREADS={count} this is likely to be faster"
    )


def _choose(most: int) -> int:
    """Set the number of threads, and return it."""
    if most == 1:
        return 1
    free = _CORES.free()
    count = most if free is None else max(1, min(most, math.floor(free + BESIDE)))
    if count > 1:
        alone = seconds_of_product(1)
        while count > 1 and seconds_of_product(count) > WAITS * alone:
            count //= 2
    torch.set_num_threads(count)
    return count


def seconds_of_product(threads: int) -> float:
    """Time a small product with so many threads, which stay set: the median of `REPEATS`."""
    torch.set_num_threads(threads)
    x, weight = _factors()
    return median(timeit.repeat(lambda: F.linear(x, weight), number=1, repeat=REPEATS))


@cache
def _factors() -> tuple[Tensor, Tensor]:
    """Return a row and a matrix of 2 MiB: a product of 0.05 ms with one thread."""
    return torch.ones(1, 128), torch.ones(4096, 128)
