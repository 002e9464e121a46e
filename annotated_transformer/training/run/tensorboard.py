"""The curves of a run for TensorBoard, if it is installed: what the log holds, as event files."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any


@contextmanager
def tensorboard(directory: Path, step: int) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Give a function that adds an entry of the log to the event files in `directory`.

    The run stands after update `step`: TensorBoard forgets what an earlier sitting wrote of later
    ones. Without the package `tensorboard`, which is optional, nothing is written.
    """
    if find_spec("tensorboard") is None:
        yield lambda entry: None
        return
    from torch.utils.tensorboard import SummaryWriter  # noqa: PLC0415  (needs the optional package)

    with SummaryWriter(directory, purge_step=step + 1) as writer:

        def add(entry: dict[str, Any]) -> None:
            for name, value in entry.items():
                if name != "step":
                    writer.add_scalar(name, value, entry["step"])
            writer.flush()

        yield add
