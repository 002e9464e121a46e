"""A vocabulary of whole words, for the models of texts in this part of the book.

A gap is then one token, and the probability of a word is one number, for a
network and for counts alike. The embedded corpus has about 900 English words;
a larger one would need subwords (tokenizer.py).
"""

from collections.abc import Iterable, Iterator, Sequence

import torch
from jaxtyping import Int
from torch import Tensor

from annotated_transformer.lab.checks import check_list

PAD, MASK, BEGIN, END = range(4)
"""The ids of padding, of a mask, of beginning and end."""
SPECIALS = ("<pad>", "<mask>", "<s>", "</s>")
FIRST = len(SPECIALS)
"""The id of the first word; all below are special."""


class Words:
    """Texts to ids and back; words are what stands between spaces.

    Args:
        texts: whose words become the vocabulary, in alphabetical order.

    Raises:
        ValueError: there is no word, or one is written like a special token.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        check_list("texts", texts)
        words = sorted({word for text in texts for word in text.split()})
        if not words:
            raise ValueError("no vocabulary can be made of texts without words")
        if taken := set(words) & set(SPECIALS):
            raise ValueError(f"the word {min(taken)} is that of a special token")
        self.words = (*SPECIALS, *words)
        self._ids = {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text, between those of its begin and its end.

        Raises:
            ValueError: a word is not in the vocabulary; the message names it.
        """
        for word in text.split():
            if word not in self._ids:
                raise ValueError(
                    f"{word!r} is not among the {len(self) - FIRST} words of this vocabulary"
                )
        inside = [self._ids[word] for word in text.split()]
        return [BEGIN, *inside, END]

    def batch(self, texts: Sequence[str]) -> Int[Tensor, "text length"]:
        """Return texts as rows, filled up at their ends with padding."""
        check_list("texts", texts)
        return padded([self.ids(text) for text in texts])

    def text(self, ids: Iterable[int]) -> str:
        """Return the words of ids up to the first end; begin and padding are left out."""
        words = []
        for number in ids:
            if number == END:
                break
            if number not in (PAD, BEGIN):
                words.append(self.words[number])
        return " ".join(words)


def padded(rows: Sequence[Sequence[int]]) -> Int[Tensor, "row length"]:
    """Join rows of ids into one tensor.

    Raises:
        ValueError: there is no row.
    """
    if not rows:
        raise ValueError("an empty batch has no texts")
    ids = torch.full((len(rows), max(map(len, rows))), PAD)
    for row, given in zip(ids, rows, strict=True):
        row[: len(given)] = torch.tensor(given, dtype=torch.long)
    return ids


def batches(
    rows: Sequence[Sequence[int]], steps: int, seed: int, size: int = 128
) -> Iterator[Int[Tensor, "size length"]]:
    """Yield `steps` batches of rows of ids, shuffled anew each time that all were read.

    Raises:
        ValueError: there is no row.
    """
    if not rows:
        raise ValueError("no batches can be made of no texts")
    draws = torch.Generator().manual_seed(seed)
    waiting: list[int] = []
    for _ in range(steps):
        while len(waiting) < size:
            waiting += torch.randperm(len(rows), generator=draws).tolist()
        yield padded([rows[number] for number in waiting[:size]])
        waiting = waiting[size:]
