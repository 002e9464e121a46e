"""Translate a stream of lines: one line out for each line in, in the same order.

Lines are UTF-8 and end with a line feed, alone or after a carriage return. The lines that have
arrived are translated together, so that somebody who types has each answer at once, and a file is
translated in large pieces. A blank line gives an empty line. A line that cannot be translated gives
an empty line and a warning with its number; no line is left out or cut short.
"""

from collections.abc import Callable, Iterator
from typing import Protocol, runtime_checkable

from annotated_transformer.corpora.files import BYTE_ORDER_MARK
from annotated_transformer.serving.known_words import about_unknown
from annotated_transformer.translator import Translator

READ_AT_ONCE = 1 << 16
"""Bytes; as many as a pipe holds."""
BATCHES_AHEAD = 16
"""How many batches are read ahead: more sort better by length, fewer give output sooner."""


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

    `warn` is called with one sentence for each line that could not be translated, or that holds
    words unknown to the model.

    Raises:
        ValueError: a parameter of the search is out of range, or the model's logits are NaN.
    """
    n_lines = n_refused = 0
    for chunk in _chunks(source, BATCHES_AHEAD * translator.batch_size):
        texts: dict[int, str] = {}
        for i, raw in enumerate(chunk):
            first = n_lines + i == 0
            line = raw.removeprefix(BYTE_ORDER_MARK) if first else raw
            try:
                text = _checked_text(translator, line.removesuffix(b"\r"))
            except ValueError as error:
                n_refused += 1
                warn(f"line {n_lines + i + 1} is not translated: {error}")
            else:
                if text.strip():
                    texts[i] = text
        translations = (
            translator.translations(list(texts.values())) if texts else []
        )
        found = dict(zip(texts, translations, strict=True))
        for i in range(len(chunk)):
            text = found[i].text if i in found else ""
            if i in found and (unknown := found[i].unknown_words):
                about = about_unknown(unknown, translator.words)
                warn(f"line {n_lines + i + 1}: {about}")
            target.write(on_one_line(text).encode() + b"\n")
        target.flush()
        n_lines += len(chunk)
    return n_lines, n_refused


def _checked_text(translator: Translator, line: bytes) -> str:
    """Decode a line; raise `ValueError` if the translator would refuse it. It may be blank."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"byte 0x{line[error.start]:02x} at position {error.start} is not valid UTF-8"
        ) from error
    n_tokens = len(translator.tokenizer.source_ids(text))
    limit = translator.model.config.max_length
    if text.strip() and n_tokens > limit:
        raise ValueError(
            f"it has {n_tokens} tokens, the model takes at most {limit}"
        )
    return text


def on_one_line(translation: str) -> str:
    """Replace line ends, which a badly trained model may write."""
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
