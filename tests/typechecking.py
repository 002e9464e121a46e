"""The run-time checks of the test run, and how one test runs without them."""

import contextlib
from collections.abc import Iterator

import jaxtyping
from beartype import BeartypeConf, beartype

checked = beartype(conf=BeartypeConf(is_pep484_tower=True))
"""What checks the arguments of every call: an int may stand for a float, as in Python's typing."""


@contextlib.contextmanager
def unchecked() -> Iterator[None]:
    """Switch jaxtyping off, as readers run the package, so that its own errors are tested."""
    before = jaxtyping.config.jaxtyping_disable
    jaxtyping.config.update("jaxtyping_disable", True)
    try:
        yield
    finally:
        jaxtyping.config.update("jaxtyping_disable", before)
