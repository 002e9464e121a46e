"""The texts of `positions`: sentences and pairs of them, told apart by their length in tokens."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.tokenizer import Tokenizer

TESTS = ((1, 16), (17, 19), (20, 22), (23, 25))
"""Tokens of the shortest and the longest text of each test, on both sides."""
LONGEST = TESTS[0][1]
"""Tokens of the longest text in training."""
SECOND = range(8, 10)
"""Tokens of a second sentence, on both sides and without the end."""


@dataclass(frozen=True)
class Text:
    """A text and its tokens, source and target, without the end."""

    pair: SentencePair
    tokens: tuple[int, int]

    def __add__(self, other: "Text") -> "Text":
        source, target = (
            f"{getattr(self.pair, side)} {getattr(other.pair, side)}"
            for side in ("source", "target")
        )
        a, b = (sum(both) for both in zip(self.tokens, other.tokens, strict=True))
        return Text(SentencePair(source, target), (a, b))


def sentences(split: str, tokenizer: Tokenizer) -> list[Text]:
    """The sentences of a split that are short enough to stand alone in training."""
    pairs = english_korean(split)
    texts = [
        Text(pair, (len(tokenizer.encode(pair.source)), len(tokenizer.encode(pair.target))))
        for pair in pairs
    ]
    return [text for text in texts if max(text.tokens) < LONGEST]


def draw_texts(
    known: Sequence[Text],
    number: int,
    lengths: Sequence[tuple[int, int]],
    rng: random.Random,
    *,
    singles: bool = False,
) -> list[Text]:
    """`number` texts, pairs of each range of `lengths` in turn; or singles, every second.

    The second sentence is drawn first, without regard to the length of the text.
    """
    seconds = [text for text in known if all(n in SECOND for n in text.tokens)]

    @cache
    def firsts(tokens: tuple[int, int], shortest: int, most: int) -> list[Text]:
        return [
            first
            for first in known
            if all(shortest <= a + b + 1 <= most for a, b in zip(first.tokens, tokens, strict=True))
        ]

    drawn: list[Text] = []
    while len(drawn) < number:
        if singles and len(drawn) % 2:
            drawn.append(rng.choice(known))
            continue
        turn = len(drawn) // 2 if singles else len(drawn)
        second = rng.choice(seconds)
        drawn.append(rng.choice(firsts(second.tokens, *lengths[turn % len(lengths)])) + second)
    return drawn


def name_of(lengths: tuple[int, int]) -> str:
    """What the record calls a test: "tokens_17_19"."""
    return "tokens_{}_{}".format(*lengths)


def corpora(tokenizer: Tokenizer, number: int) -> dict[int, dict[str, list[Text]]]:
    """The splits of the runs and of the control, by the longest text that each trains on."""
    known = {split: sentences(split, tokenizer) for split in ("train", "valid", "test")}
    rng = random.Random(0)
    tests = {name_of(test): draw_texts(known["test"], number, [test], rng) for test in TESTS}
    found = {}
    for lengths in (TESTS[:1], TESTS):
        rng = random.Random(1)
        drawn = {
            split: draw_texts(known[split], size, lengths, rng, singles=True)
            for split, size in (("train", 60 * number), ("valid", number))
        }
        found[lengths[-1][1]] = drawn | tests
    return found
