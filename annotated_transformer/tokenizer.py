"""Text to token ids and back, without loss: sentencepiece with byte fallback and four specials.

The paper shares one vocabulary between both languages (5.1): a tokenizer is trained on the lines of
both. Spaces are kept: sentencepiece writes each as "▁" (U+2581) before the word that
follows it and puts one more before the first word, so that a word has the same piece everywhere. A
character outside the vocabulary becomes the bytes of its UTF-8 code.
"""

import hashlib
import io
import re
from collections.abc import Iterable, Iterator
from operator import index
from pathlib import Path
from typing import Any

import sentencepiece

from annotated_transformer.checks import check_ceiling, check_path, is_whole, shown
from annotated_transformer.storage.reading import read_bytes

KINDS = ("bpe", "unigram", "word")
PAD_ID, BOS_ID, EOS_ID, UNK_ID = 0, 1, 2, 3
"""The ids of padding, beginning, end, and unknown text that the pieces cannot write."""
N_SPECIALS = 4
N_FIXED = N_SPECIALS + 256  # bytes; each character has a piece besides
SPACE_MARK = "▁"
# sentencepiece silently leaves out training lines with this character, which it reserves.
RESERVED = "▅"
# sentencepiece learns no piece from that character and from text that reads like a special.
RESERVED_TEXT = re.compile(rf"{RESERVED}|<(?:s|/s|pad|unk|0x[0-9A-F]{{2}})>")
NOT_KEPT = {
    "\n": "a line feed ends a line, and a text is one line",
    SPACE_MARK: "sentencepiece writes it for a space",
}


class Tokenizer:
    """A sentencepiece model with pad, bos, eos and unk at ids 0 to 3."""

    def __init__(self, model: bytes) -> None:
        """Read a serialised model. Raises ValueError if it is not one of this class."""
        self._processor = _read(model)
        self._model = model
        ids = range(self.vocab_size)
        self._is_byte = [self._processor.is_byte(i) for i in ids]
        self._bytes = [b"" if i < N_SPECIALS else self._bytes_of(i) for i in ids]

    @classmethod
    def train(cls, lines: Iterable[str], *, vocab_size: int, kind: str = "bpe") -> "Tokenizer":
        """Train on lines of text, in one thread: the same lines give the same model.

        Raises ValueError if a line cannot be kept, there is no text, the kind is unknown, or the
        lines cannot give `vocab_size` pieces, of which the message says the possible range.
        """
        if isinstance(lines, str):
            raise ValueError("one text was given; expected a list of lines, such as [text]")
        if not isinstance(lines, Iterable):
            raise ValueError(f"{shown(lines)} was given; expected a list of lines, such as [text]")
        if kind not in KINDS:
            raise ValueError(f"unknown tokenizer kind {kind!r}; expected one of {', '.join(KINDS)}")
        if not is_whole("vocab_size", vocab_size):
            raise ValueError(f"vocab_size {shown(vocab_size)} is no whole number")
        vocab_size = int(vocab_size)
        if vocab_size <= N_FIXED:
            raise ValueError(f"vocab_size {vocab_size} is too small: expected over {N_FIXED}")
        check_ceiling("vocab_size", vocab_size)
        checked = _TrainingLines(lines)
        model = io.BytesIO()
        try:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(checked),
                model_writer=model,
                vocab_size=vocab_size,
                model_type=kind,
                normalization_rule_name="identity",
                remove_extra_whitespaces=False,
                add_dummy_prefix=True,
                byte_fallback=True,
                character_coverage=1.0,
                pad_id=PAD_ID,
                bos_id=BOS_ID,
                eos_id=EOS_ID,
                unk_id=UNK_ID,
                num_threads=1,
                minloglevel=3,
                # In bytes; sentencepiece silently leaves out longer lines.
                max_sentence_length=2**30,
            )
        except RuntimeError as error:
            if checked.problem is not None:
                raise checked.problem from None
            least = N_FIXED + (1 if kind == "word" else len(checked.characters))
            raise ValueError(_training_problem(str(error), vocab_size, least)) from error
        return cls(model.getvalue())

    @classmethod
    def load(cls, path: Path) -> "Tokenizer":
        """Read a model file. Raises OSError or ValueError naming the file."""
        model = read_bytes(check_path("the tokenizer's file", path), "text_bytes")
        try:
            return cls(model)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error

    def to_bytes(self) -> bytes:
        """Return the serialised model, the content of a model file."""
        return self._model

    @property
    def vocab_size(self) -> int:
        """Number of ids, the specials and the 256 bytes included."""
        return int(self._processor.get_piece_size())

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the model, in hexadecimal; a checkpoint knows its tokenizer by it."""
        return hashlib.sha256(self._model).hexdigest()

    def encode(self, text: str) -> list[int]:
        """Return the ids of a line, without bos and eos.

        Text that looks like a special ("</s>") is text: no special id is ever returned. Raises
        ValueError naming character and position if the text could not be decoded again.
        """
        check_text(text)
        return list(self._processor.encode(text))

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the ids without the specials: the inverse of `encode`.

        Bytes that are not UTF-8, which a model may generate, become U+FFFD. Raises ValueError for
        an id outside the vocabulary.
        """
        if not isinstance(ids, Iterable):
            raise ValueError(f"{shown(ids)} was given; expected a list of ids, such as .ids has")
        size = self.vocab_size
        ids = list(ids)  # what can be read once is read here
        for i in ids:
            if not _is_id(i):
                raise ValueError(f"token id {shown(i)} is no whole number; expected a list of ids")
            if not 0 <= i < size:
                raise ValueError(f"token id {i} is outside the vocabulary [0, {size})")
        text = b"".join(self._bytes[i] for i in ids).decode(errors="replace")
        return text.replace(SPACE_MARK, " ").removeprefix(" ")

    def pieces(self, text: str) -> list[str]:
        """Return the pieces of a line as sentencepiece writes them, "▁" for a space."""
        return [self._processor.id_to_piece(i) for i in self.encode(text)]

    def vocabulary(self) -> list[str]:
        """Return the piece of every id, in the order of the ids."""
        return [self._processor.id_to_piece(i) for i in range(self.vocab_size)]

    def word_spans(self, text: str) -> list[tuple[int, int]]:
        """Return [start, stop) among the tokens of `encode(text)` for each word of the text.

        Words are `text.split(" ")`; a word's tokens include the mark of the space before it, so
        the spans are contiguous and cover every token.
        """
        ids = self.encode(text)
        if not ids:
            return [(0, 0)]
        written, mark = [self._bytes[i] for i in ids], SPACE_MARK.encode()
        # The mark has three bytes, and may be written as these.
        starts = [k for k in range(len(ids)) if b"".join(written[k:][:3]).startswith(mark)]
        return list(zip(starts, [*starts[1:], len(ids)], strict=True))

    def source_ids(self, text: str) -> list[int]:
        """Return what the encoder reads: the ids of the text and eos."""
        return [*self.encode(text), EOS_ID]

    def target_ids(self, text: str) -> list[int]:
        """Return bos, the ids of the text and eos: decoder input and output overlap in these."""
        return [BOS_ID, *self.encode(text), EOS_ID]

    def check_size(self, vocab_size: int) -> None:
        """Raise ValueError if a model of this vocabulary size is not this tokenizer's."""
        if self.vocab_size != vocab_size:
            raise ValueError(
                f"the tokenizer has {self.vocab_size} tokens, the model {vocab_size}; "
                "expected the tokenizer that the model was trained with"
            )

    def _bytes_of(self, i: int) -> bytes:
        piece = self._processor.id_to_piece(i)
        if self._is_byte[i]:  # written as <0x41>
            return bytes([int(piece[1:-1], 16)])
        return piece.encode()


def _is_id(value: Any) -> bool:
    """Return whether a value is a whole number, be it one of numpy or in a tensor."""
    try:
        index(value)
    except TypeError:
        return False
    return "bool" not in str(getattr(value, "dtype", type(value).__name__))


def check_text(text: str) -> None:
    """Raise ValueError naming the first character that a tokenizer cannot keep."""
    if not isinstance(text, str):
        raise ValueError(f"a text is {shown(text)}; expected a string")
    for character, reason in NOT_KEPT.items():
        if character in text:
            position = text.index(character)
            raise ValueError(f"U+{ord(character):04X} at position {position} of a text: {reason}")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        raise ValueError(
            f"U+{code:04X} at position {error.start} of a text: a lone surrogate is no character"
        ) from error


class _TrainingLines:
    """The lines for sentencepiece, which also keep their characters and the first error.

    sentencepiece turns an error of its iterator into a message; kept here, it can be raised again.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines
        self.characters: set[str] = {SPACE_MARK}
        self.problem: BaseException | None = None

    def __iter__(self) -> Iterator[str]:
        try:
            for number, line in enumerate(self._lines, start=1):
                yield from self._parts(number, line)
        except (Exception, KeyboardInterrupt) as problem:
            self.problem = problem
            raise

    def _parts(self, number: int, line: str) -> Iterator[str]:
        try:
            check_text(line)
        except ValueError as error:
            raise ValueError(f"training line {number}: {error}") from error
        self.characters.update(RESERVED_TEXT.sub("", line).replace(" ", SPACE_MARK))
        # Split at the reserved character rather than lose the line; it is encoded as bytes.
        yield from filter(None, line.split(RESERVED))


def _training_problem(message: str, vocab_size: int, smallest: int) -> str:
    """Return one sentence for an error of sentencepiece's trainer."""
    if match := re.search(r"too high .* to a value <= (\d+)", message):
        return (
            f"vocab_size {vocab_size} is too large for these lines: "
            f"expected {smallest} to {match.group(1)}"
        )
    if "smaller than required_chars" in message:
        return f"vocab_size {vocab_size} is too small for these lines: expected {smallest} or more"
    if "sentences_.empty()" in message:
        return "there is no text to train a tokenizer on"
    return f"sentencepiece could not train: {message}"


def _read(model: bytes) -> sentencepiece.SentencePieceProcessor:
    """Parse a model and check that it keeps all text and has its specials at ids 0 to 3."""
    if not isinstance(model, bytes):
        raise ValueError(
            f"the model is {shown(model)}; expected its bytes (Tokenizer.load reads a file)"
        )
    if not model:  # sentencepiece would take it for a model without pieces
        raise ValueError("the file is empty; expected a sentencepiece model")
    try:
        processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    except RuntimeError as error:
        raise ValueError("not a sentencepiece model, or damaged; expected a whole one") from error
    kinds = ("pad", "bos", "eos", "unk")
    specials = tuple(getattr(processor, f"{kind}_id")() for kind in kinds)
    if specials != (PAD_ID, BOS_ID, EOS_ID, UNK_ID):
        raise ValueError(f"ids of pad, bos, eos, unk are {specials}, expected (0, 1, 2, 3)")
    ids = range(processor.get_piece_size())
    if sum(map(processor.is_byte, ids)) != 256:
        raise ValueError("the sentencepiece model has no byte fallback, so it would lose text")
    for piece in map(processor.id_to_piece, ids):
        if SPACE_MARK in piece[1:]:
            raise ValueError(f"piece {piece!r} crosses a word boundary, so words have no spans")
    return processor
