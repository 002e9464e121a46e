"""A measurement under way, which an experiment or a benchmark makes a record of."""

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch

from annotated_transformer.lab.provenance import check_clean
from annotated_transformer.lab.records import RESULTS
from annotated_transformer.storage.machine import commit, machine
from annotated_transformer.storage.records import write_record


class Measurement:
    """A measurement under way: when, where and from which commit it began.

    Make it before the work starts. Its record may be written more than once.

    Raises:
        ValueError: `out`, where the record will be, is among those of the book,
            and the checkout has changes that no commit has.
    """

    def __init__(self, name: str, *, threads: int | None = None, out: Path | None = None) -> None:
        self.name = name
        self.commit = commit()
        if out and out.resolve().parent == RESULTS.resolve():
            check_clean(self.commit)
        self.machine = machine(torch.device("cpu"))
        if threads is not None:
            self.machine["threads"] = threads
        self.started = datetime.now(UTC).isoformat(timespec="seconds")
        self._begin = time.monotonic()
        self._before = 0.0

    def count(self, started: str, seconds: float) -> None:
        """Count a part that was done before, and kept: when it began, how long it took."""
        self.started = min(self.started, started)
        self._before += seconds

    def write(
        self,
        path: Path,
        *,
        command: str,
        scores: Sequence[Mapping[str, Any]] = (),
        curve: Sequence[Mapping[str, Any]] = (),
        **more: Any,
    ) -> None:
        """Write the record as it is now; `more` has `seed` and others."""
        record = {
            "benchmark": self.name,
            "command": command,
            "commit": self.commit,
            "machine": self.machine,
            "started": self.started,
            "wall_seconds": round(self._before + time.monotonic() - self._begin, 1),
            **more,
            "scores": list(scores),
            "curve": list(curve),
        }
        write_record(path, record)
