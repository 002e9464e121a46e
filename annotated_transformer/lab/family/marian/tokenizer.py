"""Marian's two sentencepiece models and one vocabulary, with the specials of this package.

Chapter: *Text to text*. Left out: the punctuation that another package would make
uniform before a text is cut into pieces.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import sentencepiece

from annotated_transformer.storage.reading import read_json
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, PAD_ID, SPACE_MARK, UNK_ID

MOVED = 2
"""Our id of a token is theirs plus this, that of padding excepted."""
LANGUAGE = re.compile(r"(>>[^<]*<<)?(.*)", re.DOTALL)
"""Models of several languages read first into which one they translate: ">>fra<< a text"."""


class MarianTokenizer:
    """Pieces of two sentencepiece models, numbered by one vocabulary.

    Args:
        source: the model, as bytes, that cuts what is read.
        target: the one that cuts what is written.
        ids: their id of each piece.

    Raises:
        ValueError: the ids are not those of a Marian vocabulary.
    """

    def __init__(self, source: bytes, target: bytes, ids: Mapping[str, int]) -> None:
        last = len(ids) - 1
        if sorted(ids.values()) != list(range(last + 1)) or (
            [ids.get(name) for name in ("</s>", "<unk>", "<pad>")] != [0, 1, last]
        ):
            raise ValueError(
                f"the ids of a vocabulary of {last + 1} pieces must be 0 to {last}, "
                f"</s> first, then <unk>, and <pad> last"
            )
        self._source, self._target = (
            sentencepiece.SentencePieceProcessor(model_proto=model) for model in (source, target)
        )
        self._ids = {piece: i + MOVED for piece, i in ids.items()}
        self._ids["<pad>"] = PAD_ID
        self._pieces = {i: piece for piece, i in self._ids.items()}

    @classmethod
    def load(cls, directory: Path | str) -> "MarianTokenizer":
        """Read source.spm, target.spm and vocab.json."""
        path = Path(directory)
        models = [(path / name).read_bytes() for name in ("source.spm", "target.spm")]
        return cls(models[0], models[1], read_json(path / "vocab.json"))

    @property
    def vocab_size(self) -> int:
        """Number of ids, begin-of-sentence included."""
        return len(self._ids) + 1

    def source_ids(self, text: str) -> list[int]:
        """Return what the encoder reads: the ids of the text and EOS."""
        return [*self._encode(self._source, text), EOS_ID]

    def target_ids(self, text: str) -> list[int]:
        """Return BOS, the ids of a translation and EOS."""
        return [BOS_ID, *self._encode(self._target, text), EOS_ID]

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of the ids without the specials."""
        text = "".join(self._pieces[i] for i in ids if i > UNK_ID)
        return text.replace(SPACE_MARK, " ").strip()

    def _encode(self, model: sentencepiece.SentencePieceProcessor, text: str) -> list[int]:
        code, rest = LANGUAGE.fullmatch(text).groups()  # type: ignore[union-attr]
        pieces = [*filter(None, [code]), *model.encode(rest, out_type=str)]
        return [self._ids.get(piece, UNK_ID) for piece in pieces]
