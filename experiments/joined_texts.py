"""Texts of one sentence or of two, and how deep in the source a translated word has its origin.

Two sentences of the embedded corpus in a row make a text that is longer than its sentences are.
The gold alignment goes along with them.
"""

import random

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.tokenizer import Tokenizer

LONGEST = 24
"""Source words of the longest text."""


def joined(first: SentencePair, second: SentencePair) -> SentencePair:
    """Two pairs as one; the words of the second are counted on from those of the first."""
    sources, targets = (len(side.split(" ")) for side in (first.source, first.target))
    moved = tuple((source + sources, target + targets) for source, target in second.alignment or ())
    return SentencePair(
        f"{first.source} {second.source}",
        f"{first.target} {second.target}",
        (first.alignment or ()) + moved,
    )


def texts(split: str, number: int, longest: int = LONGEST) -> list[SentencePair]:
    """`number` texts of at most `longest` source words: one sentence and two in turn.

    They are drawn from the sentences of the split, always the same ones.
    """
    rng, sentences = random.Random(0), english_korean(split)
    found: list[SentencePair] = []
    while len(found) < number:
        pairs = rng.sample(sentences, 1 + len(found) % 2)
        text = pairs[0] if len(pairs) == 1 else joined(*pairs)
        if len(text.source.split(" ")) <= longest:
            found.append(text)
    return found


def steps_to_the_end(pair: SentencePair, tokenizer: Tokenizer) -> list[int | None]:
    """For each target token, how far its origin in the source is from the nearer end.

    A network that reads in both directions and keeps its last states carries the source token j
    of n, counted from 0, through j further tokens in one direction and n - 1 - j in the other.
    Counted is the smaller number, and of the words that the token's word is aligned to the one
    with the smallest. The end of the sentence and words without a link have None.
    """
    last = len(tokenizer.source_ids(pair.source)) - 1
    spans = tokenizer.word_spans(pair.source)
    nearest: dict[int, int] = {}
    for source, target in pair.alignment or ():
        start, stop = spans[source]
        steps = min(start, last - (stop - 1))
        nearest[target] = min(steps, nearest.get(target, steps))
    found: list[int | None] = []
    for word, (start, stop) in enumerate(tokenizer.word_spans(pair.target)):
        found += [nearest.get(word)] * (stop - start)
    return [*found, None]
