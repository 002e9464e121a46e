"""Run a test as readers run the package: without the run-time shape checks of the test run."""

import contextlib
from collections.abc import Iterator

import jaxtyping


@contextlib.contextmanager
def unchecked() -> Iterator[None]:
    """Switch jaxtyping off, so that the package's own error messages are what is tested."""
    before = jaxtyping.config.jaxtyping_disable
    jaxtyping.config.update("jaxtyping_disable", True)
    try:
        yield
    finally:
        jaxtyping.config.update("jaxtyping_disable", before)
