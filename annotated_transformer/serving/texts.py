"""Sentences that somebody gives, checked and encoded, and what comes back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Encode = Callable[[str], list[int]]


@dataclass(frozen=True, kw_only=True)
class Translation:
    """A translated sentence, and what may be wrong with it."""

    text: str
    finished: bool
    """False if the maximum length cut it off."""
    unknown_words: tuple[str, ...]
    """Words of the source that the model was not trained on, if it came with its words."""


def token_ids(
    texts: Sequence[str], encode: Encode, name: str, limit: int
) -> list[list[int]]:
    """Return the ids of each text; `name` is what a text is called in messages.

    Raises:
        ValueError: a text, named by its number from 1, is blank, has more than `limit` tokens or a
            character that the tokenizer cannot keep.
    """
    encoded = []
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise ValueError(
                f"{name} {number} is {text!r}; expected a sentence, in quotes"
            )
        if not text.strip():
            raise ValueError(f"{name} {number} is blank; expected a sentence")
        try:
            ids = encode(text)
        except ValueError as error:
            raise ValueError(f"{name} {number}: {error}") from error
        if len(ids) > limit:
            raise ValueError(
                f"{name} {number} has {len(ids)} tokens; the model takes at most {limit}"
            )
        encoded.append(ids)
    return encoded
