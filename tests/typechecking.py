"""The run-time checks of the test run, and how to run a test as readers run the package."""

import contextlib
from collections.abc import Iterator

import jaxtyping
from beartype import BeartypeConf, beartype

# Where a float is expected an integer will do, as for mypy (PEP 484).
checked = beartype(conf=BeartypeConf(is_pep484_tower=True))


@contextlib.contextmanager
def unchecked() -> Iterator[None]:
    """Switch jaxtyping off, so that the package's own error messages are what is tested."""
    before = jaxtyping.config.jaxtyping_disable
    jaxtyping.config.update("jaxtyping_disable", True)
    try:
        yield
    finally:
        jaxtyping.config.update("jaxtyping_disable", before)
