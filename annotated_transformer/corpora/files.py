"""Parallel text from files: two files with one sentence a line, or one file of two columns.

Text is strict UTF-8, and a line ends with a line feed, alone or after a carriage return; no other
character ends a line (`str.splitlines` would also split at U+2028). A file whose name ends in
".gz" is read through gzip. Each line is made tidy as a sentence is that somebody gives to a model
(`text.tidy`), and blank lines at the end are left out; what that changed is said on standard error,
once for each file.
"""

import collections
import functools
import gzip
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import ClassVar

from annotated_transformer.corpora import Pairs, SentencePair
from annotated_transformer.storage.reading import regular_file
from annotated_transformer.text import CARRIAGE_RETURNS, Tally, only_carriage_returns, tidy

BLOCK = 1 << 20
"""Bytes that are looked at together."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
UTF_16 = b"\xff\xfe"
OTHER_FILES = {
    b"\x1f\x8b": "gzip; let its name end in .gz",
    b"\x28\xb5\x2f\xfd": "zstd; unpack it first",
    b"\xfd7zXZ": "xz; unpack it first",
    b"BZh": "bzip2; unpack it first",
    b"PK\x03\x04": "zip; unpack it first",
    UTF_16: "UTF-16; write it in UTF-8 (iconv -f UTF-16 -t UTF-8)",
    b"\xfe\xff": "UTF-16; write it in UTF-8 (iconv -f UTF-16 -t UTF-8)",
}
"""How files begin that are no text in UTF-8, and what they look like."""


def iterate_parallel(source_path: Path, target_path: Path) -> Iterator[SentencePair]:
    """Yield line i of both files as pair i.

    Raises OSError for what is no file, or ValueError naming file and line: not UTF-8, an empty
    line, a character that no tokenizer keeps, files of different length, no line, damaged gzip.
    """
    sides = [Lines(Path(path)) for path in (source_path, target_path)]
    sentences = [side.sentences() for side in sides]
    for source, target in zip_longest(*sentences):
        if source is None or target is None:
            for left in sentences:
                collections.deque(left, maxlen=0)
            shorter = min(sides, key=Lines.filled_count)
            if shorter.blank_from:
                raise shorter.empty_line()
            counts = [side.filled_count() for side in sides]
            raise ValueError(
                f"{source_path} has {counts[0]} lines and {target_path} has {counts[1]}; "
                "parallel files have one line for each other's"
            )
        yield SentencePair(source, target)
    for side in sides:
        side.say()


def iterate_tsv(path: Path) -> Iterator[SentencePair]:
    """Yield a pair for each line "source TAB target". Raises as `iterate_parallel` does."""
    lines = Lines(Path(path))
    for line in lines.filled():
        columns = [lines.tidied(column) for column in line.split("\t")]
        if len(columns) != 2:
            raise lines.error(f"expected 2 columns, got {len(columns)}")
        for name, column in zip(("source", "target"), columns, strict=True):
            if not column:
                raise lines.error(f"the {name} column is empty")
        source, target = columns
        yield SentencePair(source, target)
    lines.say()


@dataclass(frozen=True)
class ParallelFiles:
    """A corpus of two files a split, which have one line for each other's."""

    files: Mapping[str, tuple[Path, ...]]
    """The files of each split, those of the source first."""

    iterate: ClassVar[Callable[..., Iterator[SentencePair]]] = staticmethod(iterate_parallel)
    """Yields the pairs of a split from its files."""

    def splits(self) -> tuple[str, ...]:
        """Return the names of its splits."""
        return tuple(self.files)

    def pairs(self, split: str) -> Pairs:
        """Return the pairs of a split; reading them raises as `iterate_parallel` does."""
        return Pairs(functools.partial(self.iterate, *self.files[split]), self.files[split])


class TabSeparatedFiles(ParallelFiles):
    """A corpus with one file for each split, in lines "source TAB target"."""

    iterate = staticmethod(iterate_tsv)


def read_parallel(source_path: Path, target_path: Path) -> list[SentencePair]:
    """Return all pairs of two files, as `iterate_parallel` yields them."""
    return list(iterate_parallel(source_path, target_path))


class Lines:
    """The lines of a file, with the number of the one that was read last."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.number = 0
        self.blank_from = 0  # the first of the blank lines that were read last
        self.changes = Tally()

    def sentences(self) -> Iterator[str]:
        """Yield the lines, tidy; none is blank."""
        for block in raw_blocks(self.path):
            lines = _tidy_already(block) if self.number else None
            if lines and not self.blank_from:
                self.number += len(lines)
                yield from lines
            else:
                yield from self._sentences(block)
        self._end()

    def _sentences(self, block: Iterable[bytes]) -> Iterator[str]:
        for line in self._filled(self.decoded(block)):
            sentence = self.tidied(line)
            if not sentence:
                self.blank_from = self.number
                raise self.empty_line()
            yield sentence

    def filled(self) -> Iterator[str]:
        """Yield the lines as they are, but for blank ones at the end of the file."""
        for block in raw_blocks(self.path):
            yield from self._filled(self.decoded(block))
        self._end()

    def _filled(self, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            if not line or line.isspace():
                self.blank_from = self.blank_from or self.number
            elif self.blank_from:
                raise self.empty_line()
            else:
                yield line

    def _end(self) -> None:
        if self.number == 0 or self.blank_from == 1:
            raise ValueError(f"{self.path}: the file is empty; expected at least one line")
        if self.blank_from:
            self.changes.add(self.blank_from, ["blank, as all that follow, and left out"])

    def decoded(self, block: Iterable[bytes]) -> Iterator[str]:
        """Yield the text of raw lines, without their ends."""
        for raw in block:
            self.number += 1
            line = self._first(raw) if self.number == 1 else raw
            line = line.removesuffix(b"\n").removesuffix(b"\r")
            try:
                yield line.decode("utf-8")
            except UnicodeDecodeError as error:
                raise self.error(
                    f"byte 0x{line[error.start]:02x} at position {error.start} "
                    "of the line is not valid UTF-8"
                ) from error

    def tidied(self, text: str) -> str:
        """Return the text of the line that was read last, made tidy."""
        try:
            plain, changes = tidy(text)
        except ValueError as error:
            raise self.error(str(error)) from error
        if changes:
            self.changes.add(self.number, changes)
        return plain

    def filled_count(self) -> int:
        """Count the lines of the file, once all are read, without blank ones at its end."""
        return self.blank_from - 1 if self.blank_from else self.number

    def empty_line(self) -> ValueError:
        """Return an error about the first of the blank lines that were read last."""
        return ValueError(f"{self.path}, line {self.blank_from}: the line is empty")

    def error(self, problem: str) -> ValueError:
        """Return an error in the line that was read last."""
        return ValueError(f"{self.path}, line {self.number}: {problem}")

    def say(self) -> None:
        """Say what was changed."""
        for sentence in self.changes.sentences():
            _say_once(f"{self.path}, {sentence}")

    def _first(self, raw: bytes) -> bytes:
        """Return the first line without its byte order mark; refuse bytes that are not UTF-8."""
        for beginning, kind in OTHER_FILES.items():
            if raw.startswith(beginning):
                raise self.error(f"this looks like {kind}")
        if raw.count(b"\0") > len(raw) // 4:
            raise self.error(f"this looks like {OTHER_FILES[UTF_16]}")
        if only_carriage_returns(raw):
            raise self.error(CARRIAGE_RETURNS)
        return raw.removeprefix(BYTE_ORDER_MARK)


def _tidy_already(block: list[bytes]) -> list[str] | None:
    """Return the lines of a block if none needs a change, which one look tells; else None."""
    try:
        text = b"".join(block).decode("utf-8").replace("\r\n", "\n")
        text = text.removesuffix("\n")
        # What is tidy on one line is tidy on many, in place of whose ends there are spaces.
        changes = tidy(text.replace("\n", " "))[1]
    except ValueError:  # somewhere; reading line by line will say where
        return None
    return None if changes else text.split("\n")


@functools.cache
def _say_once(message: str) -> None:
    """Log a change once, though a run reads its files several times."""
    print(message, file=sys.stderr)


def raw_blocks(path: Path) -> Iterator[list[bytes]]:
    """Yield many lines at a time as bytes with their ends, decompressed if the name ends in .gz."""
    with regular_file(path, "tensor_bytes").open("rb") as plain:
        if path.suffix != ".gz":
            yield from iter(functools.partial(plain.readlines, BLOCK), [])
            return
        try:
            with gzip.open(plain) as unpacked:
                yield from iter(functools.partial(unpacked.readlines, BLOCK), [])
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise ValueError(f"{path}: not a gzip file, or a damaged one ({error})") from error
