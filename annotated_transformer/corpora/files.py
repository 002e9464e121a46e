"""Parallel text from files: two files with one sentence a line, or one file of two columns.

Text is strict UTF-8. A byte order mark at the start of a file is dropped, and a line ends with a
line feed, alone or after a carriage return; no other character ends a line (``str.splitlines``
would also split at U+2028). A file whose name ends in ".gz" is read through gzip.
"""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

from annotated_transformer.corpora import SentencePair

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_parallel(source_path: Path, target_path: Path) -> list[SentencePair]:
    """Read line i of both files as pair i.

    Raises FileNotFoundError, or ValueError naming file and line: not UTF-8, an empty line, files
    of different length, no line at all, damaged gzip.
    """
    sources, targets = list(_lines(Path(source_path))), list(_lines(Path(target_path)))
    if len(sources) != len(targets):
        raise ValueError(
            f"{source_path} has {len(sources)} lines and {target_path} has {len(targets)}; "
            "parallel files have one line for each other's"
        )
    return [SentencePair(source, target) for source, target in zip(sources, targets, strict=True)]


def read_tsv(path: Path) -> list[SentencePair]:
    """Read "source TAB target" lines; any other number of columns is a ValueError, as above."""
    return [_columns(Path(path), number, line) for number, line in enumerate(_lines(Path(path)), 1)]


def _columns(path: Path, number: int, line: str) -> SentencePair:
    columns = line.split("\t")
    if len(columns) != 2:
        raise ValueError(f"{path}, line {number}: expected 2 columns, got {len(columns)}")
    for name, column in zip(("source", "target"), columns, strict=True):
        if not column.strip():
            raise ValueError(f"{path}, line {number}: the {name} column is empty")
    source, target = columns
    return SentencePair(source, target)


def _lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file; every problem is a ValueError naming file and line."""
    content = _read(path).removeprefix(BYTE_ORDER_MARK)
    if not content:
        raise ValueError(f"{path}: the file is empty; expected at least one line")
    # A line feed ends the last line too, unless it is missing there.
    for number, line in enumerate(content.removesuffix(b"\n").split(b"\n"), start=1):
        yield decode_line(str(path), number, line.removesuffix(b"\r"))


def _read(path: Path) -> bytes:
    content = path.read_bytes()
    if path.suffix != ".gz":
        return content
    try:
        return gzip.decompress(content)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: not a gzip file, or a damaged one ({error})") from error


def decode_line(origin: str, number: int, line: bytes) -> str:
    """Return the text of a line without its end.

    Raises ValueError naming ``origin`` and line number: not UTF-8 (and which byte), an empty line.
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
