"""Sentences in batches, and batches in several processes at the same time.

Threads of one search share each product and then wait for each other, several
hundred times for every token; where another program takes a core from them,
fewer are taken (threads.py). Processes with one thread each share nothing: every
one searches a batch of its own. `benchmarks.decoding` measures both.
"""

import copy
import itertools
import math
import multiprocessing
import shutil
import signal
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from functools import partial
from multiprocessing.reduction import ForkingPickler
from pathlib import Path

import torch
from jaxtyping import Int
from safetensors.torch import load, load_file, save
from torch import Tensor, nn

from annotated_transformer.checks import check_count
from annotated_transformer.decoding.hypotheses import Hypothesis
from annotated_transformer.decoding.packed import packed
from annotated_transformer.decoding.threads import undisturbed_threads
from annotated_transformer.storage.atomic import write_bytes
from annotated_transformer.storage.machine import end_with_parent
from annotated_transformer.transformer import Transformer

Rows = Sequence[Sequence[int]]
"""Token ids of sentences, unpadded."""
Hypotheses = list[list[Hypothesis]]
"""Hypotheses of each sentence, best first."""
Search = Callable[[Transformer, Tensor], Hypotheses]
"""`beam_search`, for instance, with its settings."""


class WorkerError(OSError):
    """A process that searched is gone; the message says what may have ended it."""


def in_batches(sources: Rows, size: int, workers: int = 1) -> list[list[int]]:
    """Return the indices of the sentences in batches of at most `size`, the longest first.

    Sentences of like length waste little padding, and too little memory shows at once. The batches
    are about equally large, so that no worker has long to wait for another.
    """
    size = check_count("batch_size", size)
    order = sorted(range(len(sources)), key=lambda i: -len(sources[i]))
    rounds = math.ceil(len(order) / (size * workers))
    size = math.ceil(len(order) / max(rounds * workers, 1))
    return [order[i : i + size] for i in range(0, len(order), max(size, 1))]


def padded(
    rows: Rows, padding_id: int, device: torch.device | str = "cpu"
) -> Int[Tensor, "batch length"]:
    """Join the rows into one tensor, filled up on the right."""
    longest = max(map(len, rows))
    filled = [[*row, *[padding_id] * (longest - len(row))] for row in rows]
    return torch.tensor(filled, device=device)


def one_by_one(model: Transformer, search: Search, batches: Iterable[Rows]) -> Iterator[Hypotheses]:
    """Search each batch in this process, with threads that wait for no other program.

    The matrices are packed once for all batches.
    """
    model = packed(model)
    device = next(model.parameters()).device
    for rows in batches:
        source = padded(rows, model.config.padding_id, device)
        with undisturbed_threads() if device.type == "cpu" else nullcontext():
            hypotheses = search(model, source)
        yield hypotheses


class Workers:
    """Processes that search, with one thread and one copy of the model each.

    They begin with the first batch, which takes seconds, and end with `close`, with the program,
    however that ends, or when another model is searched. One worker is no process of its own: it is
    the program itself, with those of its threads that no other program disturbs.

    Raises ValueError if `count` is below 1, or there are to be several and the `device`, where the
    models are, is not the CPU.
    """

    def __init__(self, count: int, device: torch.device | str = "cpu") -> None:
        device = torch.device(device)
        count = check_count("workers", count)
        if count > 1 and device.type != "cpu":
            raise ValueError(
                f"workers is {count}; several are for the device cpu, and this model is on {device}"
            )
        self.count = count
        self._model: Transformer | None = None
        self._pool: _Pool | None = None

    def search(
        self, model: Transformer, search: Search, batches: Iterable[Rows]
    ) -> Iterator[Hypotheses]:
        """Search each batch, as `one_by_one` does.

        Several workers need a function that can be pickled, and begin anew when the weights of the
        model have changed, however that was done. Raises WorkerError if a process ends before its
        time, or another thread ends them all.
        """
        if self.count == 1:
            yield from one_by_one(model, search, batches)
            return
        batches = list(batches)
        with _LOCK:  # threads that search the same model share its processes
            if model is not self._model or self._pool is None or not self._pool.holds(model):
                self.close()
            self._model, self._pool = model, self._pool or _Pool(self.count, model)
            pool = self._pool
        try:
            yield from pool.processes.map(partial(_search_batch, search), batches)
        except KeyboardInterrupt:
            # Nobody waits for the batches that are being searched.
            for process in list((pool.processes._processes or {}).values()):
                process.kill()
            pool.end()
            raise
        except BrokenProcessPool as error:
            pool.end()
            raise WorkerError(
                "a process that translated has ended. Was the memory too little? Then take fewer "
                "workers. Or does the program start them without `if __name__ == '__main__':`?"
            ) from error
        except (CancelledError, RuntimeError) as error:
            if pool in _POOLS:  # an error of the search itself
                raise
            raise WorkerError(
                "the workers were closed, or given other weights, while they translated; let each "
                "thread have a Translator of its own, or wait for the others"
            ) from error

    def close(self) -> None:
        """End the processes; a later search begins others."""
        with _LOCK:
            pool, self._model, self._pool = self._pool, None, None
        if pool:
            pool.end()


class _Pool:
    """Processes with one model, and the files that it comes to them in.

    Not through pipes: what is sent to a process that ends before it has read it all blocks for
    ever, and tensors would be sent through shared memory, of which a container may have next to
    nothing.
    """

    def __init__(self, count: int, model: Transformer) -> None:
        self._folder = Path(tempfile.mkdtemp())  # for its owner alone
        self._delete = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        blank = bytes(ForkingPickler.dumps(copy.deepcopy(model).to("meta")))
        write_bytes(self._folder / _MODEL, blank)
        tensors = {name: tensor.detach().clone() for name, tensor in _tensors(model).items()}
        write_bytes(self._folder / _TENSORS, save(tensors))
        self._held = load_file(self._folder / _TENSORS)  # mapped, not read
        self.processes = ProcessPoolExecutor(
            count,
            # A forked process inherits locks that no thread of its own will ever release.
            multiprocessing.get_context("spawn"),
            _start_worker,
            (self._folder,),
        )
        _POOLS.append(self)

    def holds(self, model: Transformer) -> bool:
        """Return whether the processes have the model as it is now.

        The numbers themselves are compared: no counter of PyTorch sees all that changes them.
        """
        held, now = self._held, _tensors(model)
        return held.keys() == now.keys() and all(
            (held[name].dtype, held[name].device) == (tensor.dtype, tensor.device)
            and torch.equal(held[name], tensor)
            for name, tensor in now.items()
        )

    def end(self) -> None:
        """End the processes, with what they are still asked to search, and delete the files."""
        with _LOCK:
            if self in _POOLS:
                _POOLS.remove(self)
        self.processes.shutdown(cancel_futures=True)
        self._held = {}
        self._delete()


_LOCK = threading.RLock()
_POOLS: list[_Pool] = []
"""All running pools: one without a reference ends by itself, and may collide with Python's end."""
_MODEL, _TENSORS = "model", "tensors.safetensors"
_WORKER_MODEL: list[Transformer] = []
"""In a worker's process, its model: it is read once, and all batches use it."""


def _start_worker(folder: Path) -> None:
    """Read the model, and its tensors, which come in a file of their own; hold it for all batches.

    The files are deleted, too, when the program ends in a way that lets it do nothing.
    """
    end_with_parent(partial(shutil.rmtree, folder, ignore_errors=True))
    # Whoever interrupts the program interrupts its parent, which ends the rest.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    torch.set_num_threads(1)
    # The parent has just written it, in a folder of its own: what is sent is pickled, too.
    model = ForkingPickler.loads((folder / _MODEL).read_bytes())
    for name, tensor in load((folder / _TENSORS).read_bytes()).items():
        path, _, attribute = name.rpartition(".")
        module = model.get_submodule(path)
        if attribute in module._parameters:
            module._parameters[attribute] = nn.Parameter(tensor, False)
        else:
            module._buffers[attribute] = tensor
    _WORKER_MODEL.append(packed(model))


def _tensors(model: Transformer) -> dict[str, Tensor]:
    """Return all tensors by name; one that several modules share stands there for each."""
    return dict(
        itertools.chain(model.named_parameters(remove_duplicate=False), model.named_buffers())
    )


def _search_batch(search: Search, rows: Rows) -> Hypotheses:
    (hypotheses,) = one_by_one(_WORKER_MODEL[0], search, [rows])
    return hypotheses
