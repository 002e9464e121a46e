"""Where a program runs: the machine, and the commit of its code."""

import ctypes
import multiprocessing
import os
import platform
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch
from platformdirs import user_cache_path

DATA_VARIABLE = "ANNOTATED_TRANSFORMER_DATA"
"""Environment variable that names the directory of downloads and caches."""


def machine(device: torch.device) -> dict[str, Any]:
    """Describe the machine that this program runs on."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "processor": _processor(),
        "cores": cores,
        "threads": torch.get_num_threads(),
        "gpu": torch.cuda.get_device_name(device) if device.type == "cuda" else None,
        "torch": torch.__version__,
        "python": platform.python_version(),
    }


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def commit() -> str:
    """Return the commit that this package runs from, or "unknown" outside a checkout.

    "-dirty" at the end means that tracked files differed from that commit. Records do not count: a
    run writes them, and none reads them.
    """
    try:
        # An installed package may lie inside some other project's checkout.
        _git("ls-files", "--error-unmatch", Path(__file__).name)
        changed = _git("status", "--porcelain", "-uno", "--", ":/", ":(top,exclude)book/results")
        return _git("rev-parse", "HEAD") + "-dirty" * bool(changed)
    except (OSError, subprocess.SubprocessError):
        return "unknown"


def _git(*arguments: str) -> str:
    # Without a lock, which a git that is killed would leave in the way of its user.
    command = ["git", "--no-optional-locks", *arguments]
    here, quiet = Path(__file__).parent, subprocess.DEVNULL
    output = subprocess.check_output(command, cwd=here, stderr=quiet, text=True, timeout=10)
    return output.strip()


def data_directory() -> Path:
    """Return the directory of downloads, and of generated or tokenised corpora.

    It is named by the environment variable ANNOTATED_TRANSFORMER_DATA, else it is the usual place
    for caches on this system. Raises `NotADirectoryError` if the variable names a file.
    """
    if folder := os.environ.get(DATA_VARIABLE):
        if os.path.exists(folder) and not os.path.isdir(folder):
            raise NotADirectoryError(
                f"{folder} is a file; the environment variable {DATA_VARIABLE}, or --data-dir, "
                "must name a directory, which need not be there yet"
            )
        return Path(folder)
    return user_cache_path("annotated_transformer")


def end_with_parent(last: Callable[[], object] = bool) -> None:
    """End this process, from now on, as soon as the one that started it is gone, however it went.

    It calls `last` before.

    A process that waits for work from a pipe of which it holds both ends would not notice that
    nobody writes to it any more, nor would one that is busy. The end of the other process closes
    another pipe, also where a signal has killed it.
    """

    def wait() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            last()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4  # numbers of two settings in glibc's malloc.h


def keep_freed_memory() -> bool:
    """Tell glibc to keep freed memory until the process ends; return False without glibc.

    The process then stays as large as it has been at its largest.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    libc = ctypes.CDLL(None)
    # No block in a mapping of its own, which would go back whole; a heap that is never trimmed.
    return bool(libc.mallopt(M_MMAP_MAX, 0) and libc.mallopt(M_TRIM_THRESHOLD, -1))
