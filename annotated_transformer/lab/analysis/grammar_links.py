"""Which tokens of a pair belong together by grammar: particle, counter and pronoun with their noun.

Chapter: *Reading attention*. Words are recognised by the lexicon of the embedded corpus and by the
gold alignment. Left out: relations that the corpus does not vary, such as agreement of the verb.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import torch
from jaxtyping import Bool
from torch import Tensor

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.corpora.english_korean.large import large_lexicon
from annotated_transformer.lab.corpora.english_korean.morphology import (
    OBJECT,
    SUBJECT,
    TOPIC,
    TOWARDS,
    WITH,
    attach,
)
from annotated_transformer.lab.corpora.english_korean.phrases import DEMONSTRATIVES, POSSESSIVES
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.translator import Translator

PARTICLES = (TOPIC, SUBJECT, OBJECT, WITH, TOWARDS)
"""Those whose form depends on the last letter of the noun."""
TAKEN_UP = ("그것", "그곳")
"""How Korean takes up the object of a *because* sentence."""
PLURAL = "들"

Link = tuple[int, tuple[int, ...]]
"""A word and the words of the same sentence that it belongs to, counted from 0."""


def grammar_kinds(
    name: str, weights: Tensor, translator: Translator, pair: SentencePair
) -> dict[str, Bool[Tensor, "query key"]]:
    """Mark the keys that grammar gives to some rows: kinds for `head_profile`.

    In the encoder: the noun, with its determiner, for which "it" stands ("pronoun"). In the
    decoder's self-attention: the noun of a particle that is a token of its own ("particle"), the
    counted noun ("counter") and the noun that 그것 or 그곳 takes up ("pronoun"). The marked row has
    read the word's first token; for "writing counter" it is the row before, which chooses the
    counter. In cross-attention: the English noun, for that row ("writing counter").
    """
    tokenizer, shape = translator.tokenizer, tuple(weights.shape[1:])
    source = tokenizer.word_spans(pair.source)
    written = tokenizer.word_spans(pair.target)
    if name.startswith("encoder"):
        return {"pronoun": _marked(pronouns(pair), source, source, shape)}
    counted = counters(pair.target)
    if name.endswith("cross_attention"):
        gold = pair.alignment or ()
        nouns = [(word, tuple(s for s, t in gold if t == noun)) for word, (noun,) in counted]
        return {"writing counter": _marked(nouns, written, source, shape)}
    read = [(start + 1, stop + 1) for start, stop in written]  # after the begin
    particles = torch.zeros(shape, dtype=torch.bool)
    for word in particle_words(tokenizer, pair.target):
        start, stop = read[word]
        particles[stop - 1, start : stop - 1] = True
    return {
        "counter": _marked(counted, read, read, shape),
        "writing counter": _marked(counted, written, read, shape),
        "pronoun": _marked(taken_up(pair), read, read, shape),
        "particle": particles,
    }


def _marked(
    links: Sequence[Link],
    query_spans: Sequence[tuple[int, int]],
    key_spans: Sequence[tuple[int, int]],
    shape: tuple[int, ...],
) -> Bool[Tensor, "query key"]:
    """Mark, in the row of a word's first token, the tokens of the words that it belongs to."""
    marked = torch.zeros(shape, dtype=torch.bool)
    for word, others in links:
        for other in others:
            marked[query_spans[word][0], slice(*key_spans[other])] = True
    return marked


def particle_words(tokenizer: Tokenizer, text: str) -> list[int]:
    """Return the words of a Korean text that are a noun and, as their last token, its particle."""
    ids, forms, numbers = tokenizer.encode(text), _noun_forms(), []
    words = zip(text.split(" "), tokenizer.word_spans(text), strict=True)
    for number, (word, (start, stop)) in enumerate(words):
        last = tokenizer.decode([ids[stop - 1]])
        if stop - start > 1 and forms.get(word) == last:
            numbers.append(number)
    return numbers


def counters(text: str) -> list[Link]:
    """Link the counters of a Korean text with the noun whose class they name: 책 세 권을."""
    words, classes = text.split(" "), _classes()
    numbers = {number.korean for number in large_lexicon().numbers}
    return [
        (place + 2, (place,))
        for place, word in enumerate(words[:-2])
        if words[place + 1] in numbers
        and classes.get(word)
        and words[place + 2].startswith(classes[word])
    ]


def counting_faults(text: str, pair: SentencePair) -> set[str]:
    """Return what is wrong in a translation of a counting sentence, compared with the target.

    "number": the number is not there. "class": it is there, and after it no counter of the counted
    noun's class. "verb": the last word, the verb with its tense, is another.

    Raises:
        ValueError: the target counts nothing.
    """
    if not (counted := counters(pair.target)):
        raise ValueError(f"{pair.target!r} has no number with a counter")
    (place, (noun,)), *_ = counted
    words, wanted = text.split(" "), pair.target.split(" ")
    faults = {"verb"} if words[-1] != wanted[-1] else set()
    number = wanted[place - 1]
    if number not in words:
        return faults | {"number"}
    after = (*words, "")[words.index(number) + 1]
    right = after.startswith(_classes()[wanted[noun]])
    return faults if right else faults | {"class"}


def pronouns(pair: SentencePair) -> list[Link]:
    """Link the "it" of a *because* sentence with its noun's English words and determiner.

    The gold alignment gives "it" and its noun the same Korean word.
    """
    words = pair.source.lower().split(" ")
    links = []
    if (pair.construction or "").startswith("because") and "it" in words:
        it = words.index("it")
        nouns = set(_sharing(pair, it, side=0))
        before = {word - 1 for word in nouns if word} - {it}
        determiners = {w for w in before if words[w] in determiner_words()}
        links.append((it, tuple(sorted(nouns | determiners))))
    return links


def taken_up(pair: SentencePair) -> list[Link]:
    """Link the 그것 or 그곳 of a *because* sentence with the Korean word of its noun."""
    if not (pair.construction or "").startswith("because"):
        return []
    return [
        (place, tuple(_sharing(pair, place, side=1)))
        for place, word in enumerate(pair.target.split(" "))
        if word.startswith(TAKEN_UP)
    ]


def determiner_words() -> frozenset[str]:
    """Return the English words that may stand before a noun in place of "the"."""
    return frozenset(DEMONSTRATIVES) | frozenset(POSSESSIVES)


def _sharing(pair: SentencePair, word: int, side: int) -> Iterator[int]:
    """Yield other words of the sentence that are aligned with a partner of the word, in order."""
    links = set(pair.alignment or ())
    partners = {link[1 - side] for link in links if link[side] == word}
    others = {link[side] for link in links if link[1 - side] in partners}
    yield from sorted(others - {word})


@cache
def _classes() -> dict[str, str]:
    """Return the counter of each noun."""
    return {noun.korean: noun.counter for noun in large_lexicon().all_nouns}


@cache
def _noun_forms() -> dict[str, str]:
    """Return every noun with every particle, and which form of the particle it has."""
    nouns = {noun.korean for noun in large_lexicon().all_nouns}
    forms = {}
    for noun in nouns | {noun + PLURAL for noun in nouns}:
        for particle in PARTICLES:
            word = attach(noun, particle)
            forms[word] = word.removeprefix(noun)
    return forms
