"""The tables of words in `words/`: one word or phrase a line, under headings in brackets. CC0.

The fields of a line stand between bars or, in the tables of nouns, verbs and adjectives, between
spaces; there "_" is the space within a field. What the fields are is said where they are read.
Files that begin with "small_" are of every lexicon, those with "open_" of the open one alone.
"""

from functools import cache
from importlib.resources import files

Row = tuple[str, ...]


def lines_of(name: str) -> list[str]:
    """Return the lines of `words/NAME.txt`."""
    return (files(__package__) / "words" / f"{name}.txt").read_text("utf-8").strip().splitlines()


@cache
def sections(name: str) -> dict[str, tuple[str, ...]]:
    """Return the lines of `words/NAME.txt` below each of its headings, in the order of the file.

    Raises ValueError for words above the first heading and for a heading that stands there twice.
    """
    found: dict[str, list[str]] = {}
    heading = ""
    for line in lines_of(name):
        if line.startswith("["):
            heading = line.strip("[]")
            if heading in found:
                raise ValueError(f"words/{name}.txt: [{heading}] stands there twice")
            found[heading] = []
        elif not heading:
            raise ValueError(f"words/{name}.txt: {line!r} stands above the first heading")
        else:
            found[heading].append(line)
    return {key: tuple(lines) for key, lines in found.items()}


@cache
def rows(
    name: str, heading: str, sizes: tuple[int, ...] | range = (), between: str | None = "|"
) -> tuple[Row, ...]:
    """Return the fields of each line below a heading of `words/NAME.txt`.

    sizes: how many fields a line may have; without it, as many as the first line.

    Raises ValueError for a heading that is not there and for a line of another size.
    """
    known = sections(name)
    if heading not in known:
        raise ValueError(f"words/{name}.txt has no [{heading}]; expected one of {[*known]}")
    found: list[Row] = []
    for line in known[heading]:
        found.append(tuple(field.strip() for field in line.split(between)))
        if len(found[-1]) not in (sizes or {len(found[0])}):
            raise ValueError(f"words/{name}.txt [{heading}]: {line!r} has {len(found[-1])} fields")
    return tuple(found)


def word_rows(name: str, heading: str, sizes: tuple[int, ...] | range) -> tuple[Row, ...]:
    """Return the same of a table without bars, whose fields stand between spaces."""
    return rows(name, heading, sizes, None)


def pairs(name: str, heading: str) -> dict[str, str]:
    """Return the Korean of each English word or phrase below a heading."""
    return {row[0]: row[1] for row in rows(name, heading, (2,))}


def spaced(field: str) -> str:
    """Return a field of a table without bars, with the spaces that "_" stands for."""
    return field.replace("_", " ")


def listed(field: str) -> frozenset[str]:
    """Return the entries between the commas of a field, of which "-" says that there are none."""
    return frozenset(field.strip("-").split(","))
