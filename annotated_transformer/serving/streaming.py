"""A stream of lines through a translator: one line out for each line in, in the same order.

Lines are UTF-8 and end with a line feed, alone or after a carriage return. What has arrived is
translated together, sorted by length inside the translator: someone who types has each answer at
once, and a file comes in large pieces. A blank line gives an empty line. So does a line that cannot
be translated, with a warning that names it; nothing is left out and nothing is cut.
"""

from collections.abc import Callable, Iterator
from typing import Protocol, runtime_checkable

from annotated_transformer.corpora.files import BYTE_ORDER_MARK
from annotated_transformer.translator import Translator

READ_AT_ONCE = 1 << 16
"""Bytes; a pipe holds no more."""
BATCHES_AHEAD = 16
"""Batches to read ahead at most: enough to sort by length, and output keeps coming."""


@runtime_checkable
class Reader(Protocol):
    """What lines are read from: `sys.stdin.buffer`, for instance."""

    def read1(self, size: int, /) -> bytes:
        """Return what has arrived, at most `size` bytes; nothing at the end."""


@runtime_checkable
class Writer(Protocol):
    """What lines are written to: `sys.stdout.buffer`, for instance."""

    def write(self, line: bytes, /) -> object:
        """Write bytes."""

    def flush(self) -> object:
        """Pass on what was written."""


def translate_stream(
    translator: Translator,
    source: Reader,
    target: Writer,
    warn: Callable[[str], object],
) -> tuple[int, int]:
    """Translate all lines; return how many there were and how many could not be translated.

    `warn` is called with one sentence for each of the latter, before its empty line is written.

    Raises:
        ValueError: a parameter of the search is out of range, or the model's logits are NaN.
    """
    n_lines = n_refused = 0
    for chunk in _chunks(source, BATCHES_AHEAD * translator.batch_size):
        texts: dict[int, str] = {}
        for i, raw in enumerate(chunk):
            line = (
                raw.removeprefix(BYTE_ORDER_MARK) if n_lines + i == 0 else raw
            )
            try:
                text = readable(translator, line.removesuffix(b"\r"))
            except ValueError as error:
                n_refused += 1
                warn(f"line {n_lines + i + 1} is not translated: {error}")
            else:
                texts.update({i: text} if text.strip() else {})
        found = dict(
            zip(
                texts,
                translator(list(texts.values())) if texts else [],
                strict=True,
            )
        )
        for i in range(len(chunk)):
            target.write(on_one_line(found.get(i, "")).encode() + b"\n")
        target.flush()
        n_lines += len(chunk)
    return n_lines, n_refused


def readable(translator: Translator, line: bytes) -> str:
    """Return the text of a line that the translator takes; a blank one counts as such.

    Raises:
        ValueError: it is not UTF-8, holds a character that the tokenizer cannot keep, or has more
            tokens than the model takes.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"byte 0x{line[error.start]:02x} at position {error.start} is not valid UTF-8"
        ) from error
    n_tokens, limit = (
        len(translator.tokenizer.source_ids(text)),
        translator.model.config.max_length,
    )
    if text.strip() and n_tokens > limit:
        raise ValueError(
            f"it has {n_tokens} tokens, the model takes at most {limit}"
        )
    return text


def on_one_line(translation: str) -> str:
    """One line out for one line in, whatever bytes a badly trained model may spell."""
    return translation.replace("\r", " ").replace("\n", " ")


def _chunks(source: Reader, size: int) -> Iterator[list[bytes]]:
    """Yield the lines that have arrived, up to `size` at a time, without their line feeds."""
    rest = b""
    while block := source.read1(READ_AT_ONCE):
        *lines, rest = (
            (rest + block).split(b"\n") if b"\n" in block else (rest + block,)
        )
        for first in range(0, len(lines), size):
            yield lines[first : first + size]
    if rest:
        yield [rest]
