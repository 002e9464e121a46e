"""Parallel text from files: two files with one sentence a line, or one file of two columns.

Text is strict UTF-8. A byte order mark at the start of a file is dropped, and a line ends with a
line feed, alone or after a carriage return; no other character ends a line (`str.splitlines`
would also split at U+2028). A file whose name ends in ".gz" is read through gzip.
"""

import gzip
import zlib
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from annotated_transformer.corpora import SentencePair

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def iterate_parallel(
    source_path: Path, target_path: Path
) -> Iterator[SentencePair]:
    """Yield line i of both files as pair i.

    Raises FileNotFoundError, or ValueError naming file and line: not UTF-8, an empty line, files
    of different length, no line at all, damaged gzip.
    """
    sources, targets = _lines(Path(source_path)), _lines(Path(target_path))
    for number, (source, target) in enumerate(
        zip_longest(sources, targets), start=1
    ):
        if source is None or target is None:
            longer = number + sum(
                1 for _ in (sources if target is None else targets)
            )
            lengths = (
                (longer, number - 1) if target is None else (number - 1, longer)
            )
            raise ValueError(
                f"{source_path} has {lengths[0]} lines and {target_path} has {lengths[1]}; "
                "parallel files have one line for each other's"
            )
        yield SentencePair(source, target)


def iterate_tsv(path: Path) -> Iterator[SentencePair]:
    """Yield a pair for each line "source TAB target". Raises as `iterate_parallel` does."""
    for number, line in enumerate(_lines(Path(path)), start=1):
        yield _columns(Path(path), number, line)


def read_parallel(source_path: Path, target_path: Path) -> list[SentencePair]:
    """Return all pairs of two files, as `iterate_parallel` yields them."""
    return list(iterate_parallel(source_path, target_path))


def _columns(path: Path, number: int, line: str) -> SentencePair:
    columns = line.split("\t")
    if len(columns) != 2:
        raise ValueError(
            f"{path}, line {number}: expected 2 columns, got {len(columns)}"
        )
    for name, column in zip(("source", "target"), columns, strict=True):
        if not column.strip():
            raise ValueError(
                f"{path}, line {number}: the {name} column is empty"
            )
    source, target = columns
    return SentencePair(source, target)


def _lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file; every problem is a ValueError naming file and line."""
    number = 0
    for number, raw in enumerate(_raw_lines(path), start=1):
        line = raw.removeprefix(BYTE_ORDER_MARK) if number == 1 else raw
        if number == 1 and not line:
            break
        yield decode_line(
            str(path), number, line.removesuffix(b"\n").removesuffix(b"\r")
        )
    else:
        if number:
            return
    raise ValueError(f"{path}: the file is empty; expected at least one line")


def _raw_lines(path: Path) -> Iterator[bytes]:
    """The bytes of each line with its end, decompressed where the name ends in .gz."""
    with path.open("rb") as plain:
        if path.suffix != ".gz":
            yield from plain
            return
        try:
            with gzip.open(plain) as unpacked:
                yield from unpacked
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise ValueError(
                f"{path}: not a gzip file, or a damaged one ({error})"
            ) from error


def decode_line(origin: str, number: int, line: bytes) -> str:
    """Return the text of a line without its end.

    Raises ValueError naming `origin` and line number: not UTF-8 (and which byte), an empty line.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{origin}, line {number}: byte 0x{line[error.start]:02x} at position {error.start} "
            "of the line is not valid UTF-8"
        ) from error
    if not text.strip():
        raise ValueError(f"{origin}, line {number}: the line is empty")
    return text
