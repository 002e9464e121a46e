"""Several processes train one model: who they are, and what they tell each other.

`torchrun` starts them, on one machine or several. Each holds the whole model and learns from its
share of every batch; DistributedDataParallel averages their gradients, so that all make the same
update. Rank 0 alone writes. What they agree upon besides goes over the CPU (gloo); the gradients
of models on GPUs go through NCCL.
"""

import os
import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

import numpy as np
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from annotated_transformer.checks import shown
from annotated_transformer.checks.tensors import known_device

Result = TypeVar("Result")
LAUNCHED = ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
"""What torchrun tells each process through its environment."""
LONGEST_WAIT = timedelta(days=1)  # for rank 0 to download and tokenise the corpus


def launched(name: str, default: str = "") -> int:
    """Return a number that torchrun set in the environment. Raises `ValueError` for other text."""
    text = os.environ.get(name, default)
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(
            f"the environment variable {name} is {shown(text)}; expected a whole number, as "
            "torchrun sets it: start with torchrun, or unset it"
        )
    return int(text)


def rank_and_size() -> tuple[int, int]:
    """Return the number of this process and how many torchrun started; 0 and 1 if it did not.

    Raises `ValueError` for what contradicts itself, with which PyTorch would wait without an end.
    """
    if not all(name in os.environ for name in LAUNCHED) or os.environ["WORLD_SIZE"] == "1":
        return 0, 1
    rank, size, port = (launched(name) for name in ("RANK", "WORLD_SIZE", "MASTER_PORT"))
    if rank >= size or port > 65_535 or not os.environ["MASTER_ADDR"]:
        given = ", ".join(f"{name}={shown(os.environ[name])}" for name in LAUNCHED)
        raise ValueError(
            f"the environment has {given}; expected a rank from 0 and below the size, an address "
            "and a port up to 65535: start with torchrun, or unset them"
        )
    try:
        socket.getaddrinfo(os.environ["MASTER_ADDR"], port)
    except (OSError, UnicodeError) as error:
        raise ValueError(
            f"the environment has MASTER_ADDR={shown(os.environ['MASTER_ADDR'])}, which is no "
            f"machine that is found here ({error}): name the one of rank 0, or unset it"
        ) from error
    return rank, size


@dataclass(frozen=True)
class Ranks:
    """The processes of a run, seen from one of them; by default it is the only one."""

    rank: int = 0  # the number of this process
    size: int = 1  # how many there are
    slow_group: dist.ProcessGroup | None = None
    """The same processes, connected so that one may let the others wait for a day."""

    @property
    def main(self) -> bool:
        """Whether this is the process that writes."""
        return self.rank == 0

    def sum(self, values: Sequence[float]) -> list[float]:
        """Sum each of these values over all processes."""
        return self._reduced(values, dist.ReduceOp.SUM)

    def largest(self, value: int) -> int:
        """Return the largest of the processes' values."""
        return int(self._reduced([float(value)], dist.ReduceOp.MAX)[0])

    def _reduced(self, values: Sequence[float], operation: dist.ReduceOp.RedOpType) -> list[float]:
        if self.size == 1:
            return list(values)
        table = torch.tensor(values, dtype=torch.float64)
        dist.all_reduce(table, operation)
        return table.tolist()

    def gather(self, own: Result) -> list[Result]:
        """Collect each process's value, in the order of their ranks; all of them must call this."""
        if self.size == 1:
            return [own]
        values: list[Any] = [None] * self.size
        dist.all_gather_object(values, own)
        return values

    @contextmanager
    def main_first(self) -> Iterator[None]:
        """Let rank 0 run the block before the others; if it fails there, it fails on all."""
        if self.size == 1:
            yield
            return
        if self.main:
            try:
                yield
            except Exception as error:
                self._from_main(str(error))
                raise
            self._from_main(None)
        else:
            failure = self._from_main(None)
            if failure is not None:
                raise ValueError(f"rank 0 could not begin: {failure}")
            yield
        dist.barrier(self.slow_group)

    def _from_main(self, failure: str | None) -> str | None:
        """Broadcast to all processes why rank 0 failed, or None."""
        message = [failure]
        dist.broadcast_object_list(message, src=0, group=self.slow_group)
        return message[0]

    def parallel(self, loss: nn.Module, *arguments: Any) -> nn.Module:
        """Return the module, with the gradients of its parameters averaged over all processes.

        With these `arguments` the loss must be zero. The first backward pass decides in which
        order the gradients are added up: done here, it is the same in every sitting of a run.
        """
        if self.size == 1:
            return loss
        wrapped = DistributedDataParallel(loss)
        gpus = [torch.cuda.current_device()] if torch.cuda.is_available() else []
        with torch.random.fork_rng(gpus):
            wrapped(*arguments).backward()
        return wrapped

    def seed(self, seed: int) -> None:
        """Let each process draw dropout of its own, decided by the run's seed and the rank."""
        if not self.main:
            sequence = np.random.SeedSequence([seed, self.rank])
            torch.manual_seed(int(sequence.generate_state(1, np.uint64)[0]))


ALONE = Ranks()  # one process, as in a notebook


def gradient_exchange(loss: nn.Module, *, enabled: bool) -> AbstractContextManager[None]:
    """Return a context in which the next backward pass exchanges gradients, or not.

    Of the parts of an update only the last one needs to: the processes then send the sums.
    """
    if enabled or not isinstance(loss, DistributedDataParallel):
        return nullcontext()
    return loss.no_sync()


def choose_device(name: str) -> torch.device:
    """Return the device of that name, or for `auto` a GPU if there is one.

    Raises `ValueError` if there is no such device here.
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if not re.fullmatch(r"cpu|cuda(:(0|[1-9][0-9]*))?", name):
        raise ValueError(f"device {name!r} is none of auto, cpu, cuda, cuda:NUMBER")
    return known_device(name)


@contextmanager
def join_processes(device: torch.device) -> Iterator[tuple[Ranks, torch.device]]:
    """Join the processes that torchrun started; give their ranks and the device of this one.

    Started in any other way, a process is alone and keeps its device. Raises `ConnectionError` if
    another process has died, or cannot be reached; `ValueError` if there are more processes than
    GPUs on this machine, and as `rank_and_size` does.
    """
    rank, size = rank_and_size()
    if size == 1:
        yield ALONE, device
        return
    device = _own_device(device)
    _share_cores()
    try:
        dist.init_process_group("cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo")
    except RuntimeError as error:
        address = f"{os.environ['MASTER_ADDR']}:{os.environ['MASTER_PORT']}"
        [why, *_] = str(error).split("\n")
        raise ConnectionError(
            f"rank {rank} does not find the other processes at {address} ({why})"
        ) from error
    try:
        yield Ranks(rank, size, dist.new_group(backend="gloo", timeout=LONGEST_WAIT)), device
    except RuntimeError as error:
        if not isinstance(error, dist.DistError) and "gloo" not in str(error):
            raise
        [why, *_] = str(error).split("\n")
        raise ConnectionError(
            f"rank {rank} lost contact with another process, which has probably died "
            f"({why}); the last checkpoint is whole: --resume continues from it"
        ) from error
    finally:
        dist.destroy_process_group()


def _own_device(device: torch.device) -> torch.device:
    """Choose a GPU for each process of this machine."""
    if device.type != "cuda":
        return device
    number, count = launched("LOCAL_RANK", "0"), torch.cuda.device_count()
    if device.index is not None:
        raise ValueError(f"device {device}: of several processes each takes a GPU; say cuda")
    if number >= count:
        raise ValueError(f"process {number} of this machine has no GPU: there are {count}")
    torch.cuda.set_device(number)
    return torch.device("cuda", number)


def _share_cores() -> None:
    """Divide the cores among the processes of this machine, unless threads were chosen.

    More threads than cores slow each other down many times. torchrun itself chooses 1.
    """
    if "OMP_NUM_THREADS" not in os.environ:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        local = max(1, launched("LOCAL_WORLD_SIZE", "1"))
        torch.set_num_threads(max(1, (cores or 1) // local))
