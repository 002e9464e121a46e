"""Freed memory stays in the process: counted in page faults, in a process of its own."""

import platform
import subprocess
import sys

import pytest

from annotated_transformer.training.memory import keep_freed_memory

PROGRAM = """
import resource, sys, torch
from annotated_transformer.training.memory import keep_freed_memory
assert sys.argv[1] == "default" or keep_freed_memory()
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(3):
    torch.ones(2**24)
before = faults()
for _ in range(5):
    torch.ones(2**24)
print(faults() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the setting is glibc's")
def test_pages_are_not_faulted_in_again():
    faults = {
        name: int(subprocess.check_output([sys.executable, "-c", PROGRAM, name], text=True))
        for name in ("default", "kept")
    }
    # Five times 64 MiB: in pages of 4 KiB 81,920, in huge ones of 2 MiB still 160.
    assert faults["default"] >= 160
    assert faults["kept"] < faults["default"] / 10


def test_another_c_library_is_left_alone(monkeypatch):
    monkeypatch.setattr(platform, "libc_ver", lambda: ("musl", "1.2"))
    assert keep_freed_memory() is False
