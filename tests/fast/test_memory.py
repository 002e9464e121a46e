"""Freed memory stays in the process: counted in page faults, in a process of its own."""

import platform
import subprocess
import sys

import pytest

from annotated_transformer.storage.machine import keep_freed_memory

PROGRAM = """
import resource, sys, torch
import annotated_transformer.training.loop  # what a training process has loaded by then
from annotated_transformer.storage.machine import keep_freed_memory
assert sys.argv[1] == "default" or keep_freed_memory()
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(3):
    torch.ones(2**24)
found = []
for _ in range(5):
    before = faults()
    torch.ones(2**24)
    found.append(faults() - before)
print(sorted(found)[2])  # a system short of memory may take pages back in one of them
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the setting is glibc's")
def test_pages_are_not_faulted_in_again():
    def faults(name):
        return int(subprocess.check_output([sys.executable, "-c", PROGRAM, name], text=True))

    # Where the system has put something behind the heap, memory comes from elsewhere: rare, so
    # one of three processes is enough.
    default = faults("default")
    # 64 MiB: in pages of 4 KiB 16,384, in huge ones of 2 MiB still 32.
    assert default >= 32
    # With huge pages the few that anything else takes are a part of so few.
    assert any(faults("kept") < default / 2 for _ in range(3))


def test_another_c_library_is_left_alone(monkeypatch):
    monkeypatch.setattr(platform, "libc_ver", lambda: ("musl", "1.2"))
    assert keep_freed_memory() is False
