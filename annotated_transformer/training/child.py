"""Work in C++ that a signal ends at once, because a process of its own does it."""

import builtins
import ctypes
import json
import os
import signal
import sys
import warnings
from collections.abc import Callable
from typing import NoReturn

from annotated_transformer.training.run.signals import ASKING, heeded

DONE = b"done"
"""Before an answer; before the message of an error stands its class."""
PR_SET_PDEATHSIG = 1
"""Linux's request for a signal when the process that began this one ends."""


def in_child(work: Callable[[], bytes]) -> bytes:
    """Do `work()` in a copy of this process, and return or raise what it does.

    Python looks for signals between its own instructions: a library that is
    busy in C++ for minutes lets them wait, or takes them for an error of its
    own. Here this process waits for the other, is woken by a signal, and ends
    the other. Where the system cannot copy a process, this one does the work.
    Raises `ChildProcessError` if the other process was ended from outside.
    """
    if not hasattr(os, "fork"):
        return work()
    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    # The copy must not act on a signal as this process would.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ASKING)
    # Python 3.12 warns of threads that the copy lacks; it needs none.
    with warnings.catch_warnings(record=True):
        child = os.fork()
    if not child:
        _work(work, writer)
    status = None
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(writer)
        with open(reader, "rb") as answer:
            content = answer.read()
        status = os.waitpid(child, 0)[1]
    finally:
        if status is None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    if not content:
        raise ChildProcessError(
            f"a process that helped has ended too early (status {status}); "
            "was the memory too little?"
        )
    name, answer_itself = content.split(b"\n", 1)
    if name == DONE:
        return answer_itself
    values, filename = json.loads(answer_itself)
    error: Exception = getattr(builtins, name.decode(), RuntimeError)(*values)
    if isinstance(error, OSError):
        error.filename = filename
    raise error


def _work(work: Callable[[], bytes], writer: int) -> NoReturn:
    """Work in the copy, send the answer, and end without what the original does at its end."""
    try:
        for number in heeded():
            signal.signal(number, signal.SIG_DFL)
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ASKING)
        try:
            name, result = DONE, work()
        except Exception as error:
            about = error.args, getattr(error, "filename", None)
            name = type(error).__name__.encode()
            result = json.dumps(about, default=str).encode()
        with open(writer, "wb") as answer:
            answer.write(name + b"\n" + result)
    finally:
        os._exit(0)
