"""How many threads a search shares: all that it may have, or fewer where other programs work.

Threads that share a product wait for each other at its end, several hundred times for every token.
Where another program has taken a core, the thread of that core begins when its turn comes, and all
others wait: milliseconds for a product of microseconds. One thread alone waits for nobody. Load
averages speak of the last minute, and a container does not see who else uses its cores, so a search
tries it out: it times a small product.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from statistics import median

import torch
from torch import Tensor
from torch.nn import functional as F

REPEATS = 3
LOOKS, PAUSE = 5, 0.1
"""Before advice is given: a program that pauses for a moment is still there."""
WAITS = 3.0
"""A product that takes so many times as long as with one thread is one that waited."""


@contextmanager
def undisturbed_threads() -> Iterator[int]:
    """Compute with as many of this thread's threads as do not wait for other programs.

    All are taken, or the most of half, a quarter ... of them; the number from before comes back at
    the end. Results may differ in the last digits between numbers of threads.
    """
    most = torch.get_num_threads()
    try:
        yield _choose(most)
    finally:
        torch.set_num_threads(most)


def advice() -> str | None:
    """Say in a sentence that this thread's threads wait for other programs, if they mostly do."""
    most, counts = torch.get_num_threads(), []
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
    alone = seconds_of_product(1)
    count = most
    while count > 1 and seconds_of_product(count) > WAITS * alone:
        count //= 2
    torch.set_num_threads(count)
    return count


def seconds_of_product(threads: int) -> float:
    """Time a small product with so many threads, which stay set: the median of `REPEATS`."""
    torch.set_num_threads(threads)
    x, weight = _factors()
    seconds = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        F.linear(x, weight)
        seconds.append(time.perf_counter() - begin)
    return median(seconds)


@cache
def _factors() -> tuple[Tensor, Tensor]:
    """A row and a matrix of 2 MiB: with one thread of a fast core the product takes 0.05 ms."""
    return torch.ones(1, 128), torch.ones(4096, 128)
