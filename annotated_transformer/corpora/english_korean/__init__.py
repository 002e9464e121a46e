"""English-Korean sentence pairs from a synchronous grammar of our own, with gold alignments.

One derivation yields the English words, the Korean words and their alignment at once:
    I am a student                       나는 학생이다
    the book that I read was long        내가 읽은 책은 길었다

(English begins with a capital; there is no final punctuation.) Korean is the plain written style
(해라체). After "the" a person or animal is 그 학생, a thing just 책; 들 marks only plurals with 그.

`derivation.py` says what is aligned to what. Every English sentence has one translation in the
whole corpus. The splits are disjoint samples of the same grammar, except "compositional": each of
its sentences contains a pairing of `held_out.py` that occurs in no other split, while its words all
occur in "train".

Our own work, released as CC0: use it for anything, without asking.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import zip_longest
from random import Random
from typing import NamedTuple

from annotated_transformer.corpora import SentencePair
from annotated_transformer.corpora.english_korean import because as because
from annotated_transformer.corpora.english_korean import complex as complex_
from annotated_transformer.corpora.english_korean import simple as simple
from annotated_transformer.corpora.english_korean import states as states
from annotated_transformer.corpora.english_korean import things as things
from annotated_transformer.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Feature,
    Unfit,
    alignment,
)
from annotated_transformer.corpora.english_korean.held_out import HELD_OUT

SPLITS = ("train", "valid", "test", "compositional")
SIZES = {"train": 60_000, "valid": 1_000, "test": 1_000, "compositional": 1_000}
SEED = 1706_03762

# Construction, rule and share of the corpus (relative weights).
RULES: dict[str, tuple[Callable[[Derivation], Clause], float]] = {
    "copula": (states.copula, 3.5),
    "copula_negation": (states.copula_negation, 3),
    "adjective": (states.adjective, 5),
    "comparison": (states.comparison, 5),
    "transitive": (simple.transitive, 10),
    "negation": (simple.negation, 6),
    "progressive": (simple.progressive, 8),
    "intransitive": (simple.intransitive, 6),
    "motion": (simple.motion, 5),
    "existential": (things.existential, 3),
    "location": (things.location, 3),
    "counting": (things.counting, 7),
    "dative": (things.dative, 5),
    "instrument": (things.instrument, 3),
    "coordination": (things.coordination, 5),
    "modal": (things.modal, 5),
    "relative_object": (complex_.relative_object, 6),
    "relative_subject": (complex_.relative_subject, 5),
    "conjunction": (complex_.conjunction, 3),
    "contrast": (complex_.contrast, 3),
    "reported": (complex_.reported, 5),
    "because_subject": (because.because_subject, 5),
    "because_object": (because.because_object, 5),
}
CONSTRUCTIONS = tuple(RULES)


class Derived(NamedTuple):
    """A pair with the pairings and lexicon entries that its derivation used."""

    pair: SentencePair
    features: frozenset[Feature]
    lexemes: frozenset[tuple[str, str]]


def derive(random: Random, construction: str) -> Derived:
    """Derive one sentence of the construction."""
    while True:
        d = Derivation(random)
        try:
            sentence = RULES[construction][0](d)
        except Unfit:
            continue
        break
    english = " ".join(word.text for word in sentence.english)
    pair = SentencePair(
        source=english[0].upper() + english[1:],
        target=" ".join(word.text for word in sentence.korean),
        alignment=alignment(sentence),
        construction=construction,
    )
    return Derived(pair, frozenset(d.features), frozenset(d.lexemes))


@lru_cache(maxsize=1)
def derivations() -> dict[str, list[Derived]]:
    """Derive all splits, deterministically: see `english_korean`."""
    random = Random(SEED)
    chooser = Derivation(random)
    weights = [(name, float(weight)) for name, (_, weight) in RULES.items()]
    common: list[Derived] = []
    held_out: list[Derived] = []
    seen: dict[str, SentencePair] = {}
    n_common = sum(SIZES.values()) - SIZES["compositional"]
    while len(common) < n_common:
        derived = derive(random, chooser.weighted(weights))
        known = seen.setdefault(derived.pair.source, derived.pair)
        if known is not derived.pair:
            if known.target != derived.pair.target:
                raise RuntimeError(
                    f"{known.source!r} has two translations: {known}, {derived.pair}"
                )
            continue
        (common if derived.features.isdisjoint(HELD_OUT) else held_out).append(derived)
    shuffle(common, random)
    splits = {}
    for split in ("valid", "test", "train"):
        splits[split], common = common[: SIZES[split]], common[SIZES[split] :]
    splits["compositional"] = _compositional(held_out, splits["train"], random)
    return splits


def shuffle(items: list[Derived], random: Random) -> None:
    """Shuffle in place (Fisher and Yates) by `Random.random` alone."""
    for last in range(len(items) - 1, 0, -1):
        other = int(random.random() * (last + 1))
        items[last], items[other] = items[other], items[last]


def _compositional(
    candidates: list[Derived], train: list[Derived], random: Random
) -> list[Derived]:
    """Choose candidates whose words all occur in training, with all pairings equally often."""
    known = {word for derived in train for word in _words(derived.pair)}
    fit = [derived for derived in candidates if known.issuperset(_words(derived.pair))]
    shuffle(fit, random)
    by_pairing: dict[Feature, list[Derived]] = {}
    for derived in fit:
        by_pairing.setdefault(min(derived.features & HELD_OUT), []).append(derived)
    in_turn = zip_longest(*(by_pairing[pairing] for pairing in sorted(by_pairing)))
    chosen = [derived for turn in in_turn for derived in turn if derived is not None]
    return chosen[: SIZES["compositional"]]


def _words(pair: SentencePair) -> list[str]:
    return f"{pair.source} {pair.target}".split(" ")


@lru_cache(maxsize=len(SPLITS))
def _pairs(split: str) -> tuple[SentencePair, ...]:
    return tuple(derived.pair for derived in derivations()[split])


def english_korean(split: str) -> list[SentencePair]:
    """Return the pairs of a split: train 60,000; valid, test and compositional 1,000 each.

    Generated in memory within seconds, identical on every machine. Every pair has its alignment
    and its construction; "because_subject" and "because_object" name the antecedent of "it".
    Raises ValueError for an unknown split.
    """
    if split not in SPLITS:
        raise ValueError(f"unknown split {split!r} of english_korean; expected one of {SPLITS}")
    return list(_pairs(split))
