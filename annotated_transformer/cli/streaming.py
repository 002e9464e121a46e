"""Translate a stream of lines: one line out for each line in, in the same order.

Lines are UTF-8 and end with a line feed, alone or after a carriage return, as those of files do
(`text.only_carriage_returns`). The lines that have arrived are translated together, so that
somebody who types has each answer at once, and a file is translated in large pieces. A blank line
gives an empty line. A line that cannot be translated gives an empty line and a warning with its
number; no line is left out or cut short.
"""

import os
import stat
from collections.abc import Callable, Iterator
from io import BufferedIOBase
from pathlib import Path
from typing import Any

from annotated_transformer.storage.atomic import naming
from annotated_transformer.text import BLANK, CARRIAGE_RETURNS, Tally, only_carriage_returns
from annotated_transformer.translation import Translation
from annotated_transformer.translator import Translator

READ_AT_ONCE = 1 << 16  # bytes; as many as a pipe holds
BATCHES_AHEAD = 16
"""How many batches are read ahead: more sort better by length, fewer give output sooner."""


def translate_stream(
    translator: Translator,
    source: BufferedIOBase,
    target: BufferedIOBase,
    warn: Callable[[str], object],
) -> tuple[int, int]:
    """Translate all lines; return how many there were and how many could not be translated.

    `warn` is called with one sentence for each line that could not be translated, that holds what
    is unknown to the model, or whose translation the model doubts; and at the end once for each
    kind of change, such as no-break spaces, with the number of lines. Raises `ValueError` if a
    parameter of the search is out of range, or the model's logits are NaN.
    """
    n_lines = n_refused = 0
    changes = Tally()
    for chunk in _chunks(source, BATCHES_AHEAD * translator.batch_size):
        texts, results = [], {}
        for number, raw in enumerate(chunk, start=n_lines + 1):
            texts.append("")
            if number == 1 and only_carriage_returns(raw):
                results[number] = Translation(text="", refusal=CARRIAGE_RETURNS)
                continue
            try:
                texts[-1] = raw.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8")
            except UnicodeDecodeError as error:
                byte, position = error.object[error.start], error.start
                refusal = f"byte 0x{byte:02x} at position {position} is not valid UTF-8"
                results[number] = Translation(text="", refusal=refusal)
        for number, translation in enumerate(translator.translations(texts), start=n_lines + 1):
            each = results.get(number, translation)
            if each.refusal and each.refusal != BLANK:
                n_refused += 1
                warn(f"line {number} is not translated: {each.refusal}")
            elif not each.refusal:
                for about in translator.policy.about(each):
                    warn(f"line {number}: {about}")
                if each.doubts:
                    warn(f"line {number} may be wrong: {'; '.join(each.doubts)}")
                changes.add(number, each.changes)
            target.write(on_one_line(each.text).encode() + b"\n")
        target.flush()
        n_lines += len(chunk)
    for sentence in changes.sentences():
        warn(sentence)
    return n_lines, n_refused


def check_two_files(source: Any, target: Any) -> None:
    """Refuse standard input that is closed, or that is the file which the output is written to.

    A shell has emptied it, or what is written would be read again, without an end.
    """
    if source is None:
        raise ValueError("standard input is closed; give a text, or lines on it")
    try:
        ends = [os.fstat(stream.fileno()) for stream in (source, target)]
    except (OSError, AttributeError):  # not from the system: somebody put another object there
        return
    if stat.S_ISREG(ends[0].st_mode) and os.path.samestat(*ends):
        raise ValueError("standard input and output are one file; write to another one")


def on_one_line(translation: str) -> str:
    """Replace what other programs read as the end of a line; a badly trained model may write it."""
    return " ".join(translation.splitlines())


def _read(source: BufferedIOBase) -> bytes:
    """Return what has arrived; nothing at the end."""
    with naming(Path("standard input")):
        return source.read1(READ_AT_ONCE)


def _chunks(source: BufferedIOBase, size: int) -> Iterator[list[bytes]]:
    """Yield the lines that have arrived, up to `size` at a time, with their line feeds."""
    rest = b""
    while block := _read(source):
        *lines, rest = (rest + block).split(b"\n") if b"\n" in block else (rest + block,)
        for first in range(0, len(lines), size):
            yield [line + b"\n" for line in lines[first : first + size]]
    if rest:
        yield [rest]
