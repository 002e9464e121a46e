"""Keep freed memory in the process, so that the next training step need not ask for it again.

By default glibc gives large blocks back to the system as soon as a tensor is
freed, and the next step pays for fresh pages, one page fault for each 4 KiB.
Kept, they are there. The environment variables MALLOC_MMAP_THRESHOLD_ and
MALLOC_TRIM_THRESHOLD_ do the same from outside.
"""

import ctypes
import platform

M_TRIM_THRESHOLD, M_MMAP_MAX = -1, -4
"""Numbers of two settings in glibc's malloc.h."""


def keep_freed_memory() -> bool:
    """Tell glibc to keep what is freed, for the rest of the process; False where it is not glibc.

    The process then stays as large as it has been at its largest.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    libc = ctypes.CDLL(None)
    # No block in a mapping of its own, which would go back whole; a heap that is never trimmed.
    return bool(libc.mallopt(M_MMAP_MAX, 0) and libc.mallopt(M_TRIM_THRESHOLD, -1))
