"""Whether an answer to an exercise is right: `check("ex-masks-packing", my_function)`.

A function is called on inputs drawn afresh each time and compared with an oracle; an answer that
is one of many, such as a table with some property, is tested for the property. What is wrong is
said in one sentence, with the input at which it shows; a solution is never printed. Left out:
exercises whose answer is a proof, a picture or a thought.
"""

import difflib
from collections.abc import Callable

import torch

from annotated_transformer.lab.exercises import findings, formulas
from annotated_transformer.lab.exercises.judging import NotWritten, Wrong

Judge = Callable[[object, torch.Generator], str]

JUDGES: dict[str, Judge] = {**formulas.JUDGES, **findings.JUDGES}
"""What judges the answer to an exercise, by the exercise's label."""


def check(exercise: str, answer: object) -> None:
    """Print whether an answer to the exercise of this label is right, and what is wrong if not.

    Raises:
        ValueError: no exercise of this label has a check.
    """
    print(f"{exercise}: {verdict(exercise, answer, fresh_numbers())}")


def verdict(exercise: str, answer: object, generator: torch.Generator) -> str:
    """Return what `check` prints after the label; inputs are drawn with the generator.

    Raises:
        ValueError: no exercise of this label has a check.
    """
    if exercise not in JUDGES:
        near = difflib.get_close_matches(exercise, JUDGES, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise ValueError(f"no check for the exercise {exercise!r}{hint}")
    if answer is None:
        return "not written yet"
    try:
        return f"right, {JUDGES[exercise](answer, generator)}"
    except NotWritten:
        return "not written yet"
    except Wrong as wrong:
        return f"not right yet: {wrong}"


def fresh_numbers() -> torch.Generator:
    """Make a source of random numbers of its own: those of the notebook stay as they are."""
    generator = torch.Generator()
    generator.seed()
    return generator
