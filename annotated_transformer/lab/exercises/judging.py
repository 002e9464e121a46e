"""Calling a reader's function and comparing what it gives, with a sentence for each mistake."""

import copy
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor


class Wrong(Exception):  # noqa: N818  (what it holds is a verdict on an answer)
    """What is wrong with an answer, in a sentence."""


class NotWritten(Exception):  # noqa: N818  (it is no error)
    """The function is still the one that the chapter begins with."""


def called(answer: object, given: Mapping[str, Any]) -> Any:
    """Call the reader's function with copies of these inputs, in order, and return its answer.

    Raises:
        Wrong: it is no function, it raises, or it returns nothing.
        NotWritten: it raises a bare NotImplementedError. (PyTorch raises them too, with a text.)
    """
    if not callable(answer):
        raise Wrong(f"expected a function, got {shown(answer)}")
    try:
        returned = answer(*copy.deepcopy(list(given.values())))
    except Exception as error:
        if type(error) is NotImplementedError and not error.args:
            raise NotWritten from error
        kind = type(error).__name__
        raise Wrong(f"{for_inputs(given)} it raises {kind}: {error}") from error
    if returned is None:
        raise Wrong(f"{for_inputs(given)} it returns None; is there a return?")
    return returned


def tensors_of_shapes(
    returned: Any, shapes: Mapping[str, tuple[int, ...]], given: Mapping[str, Any]
) -> list[Tensor]:
    """Return several tensors that a function gave, in float64; refuse other shapes.

    Raises:
        Wrong: they are not so many, or one is no tensor of its shape.
    """
    names = ", ".join(shapes)
    if not isinstance(returned, tuple | list | Tensor) or len(returned) != len(shapes):
        raise Wrong(f"{for_inputs(given)} it does not return {len(shapes)} tensors: {names}")
    for part, (name, shape) in zip(returned, shapes.items(), strict=True):
        if not isinstance(part, Tensor) or part.shape != shape:
            size = tuple(part.shape) if isinstance(part, Tensor) else shown(part)
            raise Wrong(f"{for_inputs(given)} {name} is {size}, expected the shape {shape}")
    return [part.detach().double() for part in returned]


def compare_tensors(
    returned: Any,
    expected: Tensor,
    given: Mapping[str, Any],
    *,
    rtol: float = 1e-4,
    atol: float = 1e-6,
) -> None:
    """Compare kind, shape and values.

    Raises:
        Wrong: naming what differs, for a value the worst one, and the input.
    """
    if not isinstance(returned, Tensor):
        kind = type(returned).__name__
        raise Wrong(f"{for_inputs(given)} it returns a {kind}, expected a tensor")
    if returned.shape != expected.shape:
        raise Wrong(
            f"{for_inputs(given)} it returns the shape {tuple(returned.shape)}, "
            f"expected {tuple(expected.shape)}"
        )
    if (returned.dtype == torch.bool) != (expected.dtype == torch.bool):
        wanted = "boolean values" if expected.dtype == torch.bool else "numbers"
        raise Wrong(f"it returns a tensor of {returned.dtype}, expected {wanted}")
    ours, theirs = expected.double(), returned.detach().double()
    apart = (theirs - ours).abs() - atol - rtol * ours.abs()
    # A value that is no number is wrong, and NaN would hide from a maximum.
    apart = apart.nan_to_num(nan=torch.inf)
    if apart.numel() and apart.max() > 0:
        place = [int(i) for i in torch.unravel_index(apart.argmax(), apart.shape)]
        raise Wrong(
            f"{for_inputs(given)} the value at {place} is {shown(returned[tuple(place)])} "
            f"and should be {shown(expected[tuple(place)])}"
        )


def compare_numbers(returned: Any, expected: float, given: Mapping[str, Any]) -> None:
    """Compare a number, or a tensor with one number.

    Raises:
        Wrong: naming the number and the input.
    """
    try:
        number = float(returned)
    except (TypeError, ValueError, RuntimeError) as error:
        raise Wrong(
            f"{for_inputs(given)} it returns {shown(returned)}, expected a number"
        ) from error
    if not abs(number - expected) <= 1e-6 * abs(expected):
        raise Wrong(
            f"{for_inputs(given)} it returns {shown(number)} and should return {shown(expected)}"
        )


def compare_lists(returned: Any, expected: list[str], given: Mapping[str, Any]) -> None:
    """Compare a list of symbols.

    Raises:
        Wrong: naming both lists and the input.
    """
    if not isinstance(returned, list | tuple) or list(returned) != expected:
        raise Wrong(
            f"{for_inputs(given)} it returns {shown(returned)} and should return {shown(expected)}"
        )


def against(
    oracle: Callable[..., Any],
    draw: Callable[[torch.Generator], dict[str, Any]],
    compare: Callable[..., None],
    *,
    times: int = 20,
    **tolerance: float,
) -> Callable[[object, torch.Generator], str]:
    """Make a judge that compares a function with an oracle on inputs that `draw` gives."""

    def judge(answer: object, generator: torch.Generator) -> str:
        for _ in range(times):
            given = draw(generator)
            expected = oracle(**given)
            compare(called(answer, given), expected, given, **tolerance)
        return f"on {times} random inputs"

    return judge


def drawn_integer(generator: torch.Generator, low: int, high: int) -> int:
    """Draw a whole number from `low` to `high`, both included."""
    return int(torch.randint(low, high + 1, (), generator=generator))


def for_inputs(given: Mapping[str, Any]) -> str:
    """Describe the inputs, as the beginning of a sentence about the answer."""
    values = ", ".join(f"{name} = {shown(value)}" for name, value in given.items())
    return f"for {values}"


def shown(value: object) -> str:
    """Write a value in few letters: of a long tensor only its shape, of a number six digits."""
    if isinstance(value, Tensor):
        if value.numel() > 12:
            return f"a tensor of shape {tuple(value.shape)}"
        return shown(value.tolist())
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return f"[{', '.join(shown(part) for part in value)}]"
    return value if isinstance(value, str) else repr(value)
