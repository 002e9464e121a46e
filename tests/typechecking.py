"""The run-time checks of the test run, and how one test runs without them."""

import contextlib
import functools
from collections import Counter
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import jaxtyping
from beartype import BeartypeConf, beartype

checked = beartype(conf=BeartypeConf(is_pep484_tower=True))
"""What checks the arguments of a call: an int may stand for a float, as in Python's typing."""

CALLS = 10
"""So many calls of a function are checked in each test. Later ones, as those of a search or a
training run, mostly have the shapes of the earlier ones, and checking them all took a third of the
time of tests/experiments and tests/export."""

_calls: Counter[Any] = Counter()
_jaxtyped = jaxtyping.jaxtyped


def new_test() -> None:
    """Count the calls from the beginning."""
    _calls.clear()


def first_calls_checked(*, typechecker: Any) -> Callable[[Any], Any]:
    """What the import hook puts on functions and classes, in the place of `jaxtyping.jaxtyped`."""

    def decorate(decorated: Any) -> Any:
        always = _jaxtyped(decorated, typechecker=typechecker)
        if not isinstance(decorated, FunctionType):
            return always  # a class; its methods come here by themselves

        @functools.wraps(decorated)
        def call(*args: Any, **kwargs: Any) -> Any:
            if _calls[call] == CALLS:
                return decorated(*args, **kwargs)
            _calls[call] += 1
            return always(*args, **kwargs)

        return call

    return decorate


@contextlib.contextmanager
def unchecked() -> Iterator[None]:
    """Switch jaxtyping off, as readers run the package, so that its own errors are tested."""
    before = jaxtyping.config.jaxtyping_disable
    jaxtyping.config.update("jaxtyping_disable", True)
    try:
        yield
    finally:
        jaxtyping.config.update("jaxtyping_disable", before)
