"""The tokenizer of a published model, as its tokenizer.json describes it.

Chapter: *Language models*. The file is run by the library that wrote it,
`tokenizers`, from the extra `[published]`; nothing is fetched.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor


class PublishedTokenizer:
    """Texts to the ids of a published model, and back.

    Args:
        tokenizer: a `tokenizers.Tokenizer`; it is told neither to cut texts off
            nor to fill them up.
    """

    def __init__(self, tokenizer: Any) -> None:
        # Files often keep what their training did: cut at 128 tokens, say.
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer

    @classmethod
    def load(cls, directory: Path | str) -> "PublishedTokenizer":
        """Read tokenizer.json.

        Raises:
            FileNotFoundError: there is none.
            ValueError: it describes no tokenizer, or the package `tokenizers`
                is not installed.
        """
        path = Path(directory) / "tokenizer.json"
        if not path.is_file():
            raise FileNotFoundError(
                f"{path} is missing; from other files of a tokenizer, transformers writes it: "
                "AutoTokenizer.from_pretrained(folder).save_pretrained(another_folder)"
            )
        try:
            from tokenizers import Tokenizer  # noqa: PLC0415  (an optional extra)
        except ImportError as error:
            raise ValueError(
                "tokenizer.json needs the package tokenizers: "
                "pip install 'annotated-transformer[published]' (or pip install tokenizers)"
            ) from error
        try:
            return cls(Tokenizer.from_str(path.read_text("utf-8")))
        except Exception as error:  # the library raises nothing narrower
            raise ValueError(f"{path} describes no tokenizer: {error}") from error

    @property
    def vocab_size(self) -> int:
        """Number of ids, those of added tokens included."""
        return self._tokenizer.get_vocab_size(with_added_tokens=True)

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text, with the specials that the file puts around it.

        Raises:
            ValueError: it is no text.
        """
        check_text("text", text)
        return self._tokenizer.encode(text).ids

    def batch(
        self, texts: Sequence[str], *, padding_id: int, max_length: int | None = None
    ) -> Int[Tensor, "text length"]:
        """Return texts as rows, filled up at their ends; none is cut off.

        Raises:
            ValueError: there is no text, one is none, has more tokens than
                `max_length`, or the one of padding; the message has its number.
        """
        if isinstance(texts, str) or not len(texts):
            raise ValueError(f"texts={texts!r}; expected a list of one text or more")
        rows = []
        for number, text in enumerate(texts, start=1):
            check_text(f"text {number}", text)
            ids = self.ids(text)
            if max_length is not None and len(ids) > max_length:
                raise ValueError(
                    f"text {number} has {len(ids)} tokens; the model takes at most {max_length}"
                )
            if padding_id in ids:
                raise ValueError(f"text {number} has the token that fills up rows, id {padding_id}")
            rows.append(ids)
        batch = torch.full((len(rows), max(map(len, rows))), padding_id)
        for row, ids in zip(batch, rows, strict=True):
            row[: len(ids)] = torch.tensor(ids, dtype=torch.long)
        return batch

    def text(self, ids: Iterable[int]) -> str:
        """Return the text of ids, without the specials."""
        return self._tokenizer.decode(list(ids), skip_special_tokens=True)


def check_text(name: str, text: Any) -> None:
    """Refuse anything but text, and half a character (a lone surrogate), which no file has."""
    if not isinstance(text, str):
        raise ValueError(f"{name} is {text!r}; expected a string")
    for place, character in enumerate(text):
        if unicodedata.category(character) == "Cs":
            raise ValueError(
                f"{name}: character {place + 1}, {character!r}, is half of one; decode the text "
                "as the UTF it was stored in"
            )
