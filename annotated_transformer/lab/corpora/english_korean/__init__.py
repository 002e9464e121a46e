"""English-Korean sentence pairs from a synchronous grammar of our own, with gold alignments.

One derivation yields the English words, the Korean words and their alignment at once::

    I am a student                       나는 학생이다
    the book that I read was long        내가 읽은 책은 길었다

There are three lexicons. "small" is that of the experiments: written English that begins with a
capital and has no final punctuation. "large" has the same constructions and everyday ones
(`everyday`), three times the words, and each sentence in one of the ways in which it may be typed:
with or without a capital, a full stop, contractions (don't) and digits. The Korean does not change
with these: one meaning (`plain`) has one translation and stands in one split. "open" is for a model
that visitors type to: more words and constructions (`open`), numbers, more natural Korean
(`natural`), and in one sentence of twenty an invented word, which is copied in Latin letters.

Korean is the plain written style (해라체), without final punctuation; `everyday.everyday` says how
it asks and requests. After "the" a person or animal is 그 학생, a thing just 책; 들 marks only
plurals with 그. Elders are "my" with 우리, and are not honoured by 께서 or -시-.

`derivation.py` says what is aligned to what. Every English sentence has one translation in the
whole corpus. The splits are disjoint samples of the same grammar, except "compositional": each of
its sentences contains a pairing of `held_out.py` that occurs in no other split, while its words all
occur in "train". The corpus is our own work, released as CC0: use it for anything, without asking.
"""

from dataclasses import dataclass
from functools import lru_cache, partial
from random import Random
from typing import Literal

from annotated_transformer.corpora import Pairs, SentencePair
from annotated_transformer.lab.corpora.english_korean.constructions import RULES
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Shares,
    Word,
    without_collector,
)
from annotated_transformer.lab.corpora.english_korean.everyday.frames import REPLACED
from annotated_transformer.lab.corpora.english_korean.everyday.surface import (
    is_question,
    plain,
    typed,
)
from annotated_transformer.lab.corpora.english_korean.held_out import HELD_OUT
from annotated_transformer.lab.corpora.english_korean.large import (
    EVERYDAY,
    PHRASE,
    large_lexicon,
    phrases,
)
from annotated_transformer.lab.corpora.english_korean.lexicon import SMALL, Lexicon
from annotated_transformer.lab.corpora.english_korean.open.splits import OPEN_SIZES, open_splits
from annotated_transformer.lab.corpora.english_korean.splits import (
    SEED,
    SIZES,
    Derived,
    Rule,
    check_single,
    compositional,
    pair_of,
    sentence_of,
    shuffle,
    split_for,
    typed_phrases,
)
from annotated_transformer.lab.corpora.english_korean.stored import stored_pairs

SPLITS = ("train", "valid", "test", "compositional")
LARGE_SIZES = {**SIZES, "train": 150_000}
LexiconName = Literal["small", "large", "open"]
LEXICONS = ("small", "large", "open")
PHRASE_DRAWS, PHRASE_COPIES = 14, 2

CONSTRUCTIONS = tuple(RULES)
LARGE_CONSTRUCTIONS = (*RULES, *EVERYDAY, PHRASE)


@dataclass(frozen=True)
class EnglishKorean:
    """The corpus of one lexicon."""

    lexicon: LexiconName = "small"

    def splits(self) -> tuple[str, ...]:
        """Return the names of its splits."""
        return SPLITS

    def pairs(self, split: str) -> Pairs:
        """Return the pairs of a split, which have alignments."""
        return Pairs(partial(english_korean, split, self.lexicon))


def derive(random: Random, construction: str) -> Derived:
    """Derive one sentence of the construction in the small lexicon."""
    return _derived(random, construction, RULES[construction][0], SMALL)


def _derived(random: Random, construction: str, rule: Rule, lexicon: Lexicon) -> Derived:
    d, sentence = sentence_of(random, rule, lexicon)
    english = sentence.english
    if lexicon is SMALL:
        first = english[0]
        english[0] = Word(first.text[0].upper() + first.text[1:], first.nodes)
    else:
        english = typed(d, english, asked=is_question(sentence.korean))
    pair = pair_of(Clause(english, sentence.korean), construction)
    return Derived(pair, frozenset(d.features), frozenset(d.lexemes))


@lru_cache(maxsize=3)
def derivations(lexicon: LexiconName = "small") -> dict[str, list[Derived]]:
    """Derive all splits, deterministically: see `english_korean`."""
    with without_collector():
        return {"small": _small, "large": _large, "open": open_splits}[lexicon]()


def _small() -> dict[str, list[Derived]]:
    random = Random(SEED)
    shares = Shares((name, weight) for name, (_, weight) in RULES.items())
    common: list[Derived] = []
    held_out: list[Derived] = []
    seen: dict[str, SentencePair] = {}
    n_common = sum(SIZES.values()) - SIZES["compositional"]
    while len(common) < n_common:
        derived = derive(random, shares.draw(random))
        known = seen.setdefault(derived.pair.source, derived.pair)
        if known is not derived.pair:
            check_single(known.source, known.target, derived.pair)
            continue
        (common if derived.features.isdisjoint(HELD_OUT) else held_out).append(derived)
    shuffle(common, random)
    splits = {}
    for split in ("valid", "test", "train"):
        splits[split], common = common[: SIZES[split]], common[SIZES[split] :]
    splits["compositional"] = compositional(held_out, splits["train"], random, plain)
    return splits


def _large() -> dict[str, list[Derived]]:
    """Derive the splits of the large lexicon.

    Sentences that differ only in how they are typed are one meaning, `plain`; a meaning occurs in
    one split. Those of the small lexicon's other splits are in none, so that a model trained on
    the large one may be tested there.
    """
    random = Random(SEED + 1)
    rules = {**RULES, **EVERYDAY}
    ordinary, daily = (sum(w for _, w in table.values()) for table in (RULES, EVERYDAY))
    weights = [(name, 0.4 * weight / ordinary) for name, (_, weight) in RULES.items()]
    weights += [(name, 0.6 * weight / daily) for name, (_, weight) in EVERYDAY.items()]
    shares = Shares(weights)
    fixed = typed_phrases(
        *(random, phrases(), PHRASE, typed, is_question), draws=PHRASE_DRAWS, copies=PHRASE_COPIES
    )
    meanings = {item.pair.source: plain(item.pair.source) for item in fixed}
    translations = {meanings[item.pair.source]: item.pair.target for item in fixed}
    elsewhere = {
        plain(pair.source)
        for split in ("valid", "test", "compositional")
        for pair in english_korean(split)
    }
    elsewhere |= translations.keys()
    splits: dict[str, list[Derived]] = {"train": fixed, "valid": [], "test": []}
    split_of: dict[str, str] = {}
    held_out: list[Derived] = []
    while len(splits["train"]) < LARGE_SIZES["train"]:
        name = shares.draw(random)
        derived = _derived(random, name, rules[name][0], large_lexicon())
        if derived.pair.source in meanings:
            continue
        meaning = plain(derived.pair.source)
        if meaning in elsewhere:
            continue
        meanings[derived.pair.source] = meaning
        known = translations.setdefault(meaning, derived.pair.target)
        check_single(meaning, known, derived.pair)
        if not derived.features.isdisjoint(HELD_OUT):
            held_out.append(derived)
            continue
        new = meaning not in split_of
        split = split_of.setdefault(meaning, split_for(random, splits))
        if split == "train" or new:
            splits[split].append(derived)
    shuffle(splits["train"], random)
    shown = [
        item
        for item in held_out
        if REPLACED not in item.features and meanings[item.pair.source] not in split_of
    ]
    splits["compositional"] = compositional(shown, splits["train"], random, meanings.__getitem__)
    return splits


@lru_cache(maxsize=3 * len(SPLITS))
def _pairs(split: str, lexicon: LexiconName) -> tuple[SentencePair, ...]:
    def derive() -> dict[str, list[SentencePair]]:
        return {s: [item.pair for item in found] for s, found in derivations(lexicon).items()}

    asked = f"{SEED} {SIZES} {LARGE_SIZES} {OPEN_SIZES}"
    return tuple(stored_pairs(f"english_korean_{lexicon}", asked, split, derive))


def english_korean(split: str, lexicon: LexiconName = "small") -> list[SentencePair]:
    """Return the pairs of a split: valid, test and compositional have 1,000 each.

    "train" has 60,000 of the small lexicon, within seconds, 150,000 of the large one or 300,000 of
    the open one (whose others have 2,000, 2,000 and 600), within a minute of one quiet core,
    identical on every machine; a copy beside the downloads is read the next time (`stored.py`).
    Every pair has its alignment and its construction; "because_subject" and "because_object" name
    the antecedent of "it".
    Raises ValueError for an unknown split or lexicon.
    """
    if split not in SPLITS:
        raise ValueError(f"unknown split {split!r} of english_korean; expected one of {SPLITS}")
    if lexicon not in LEXICONS:
        raise ValueError(f"unknown lexicon {lexicon!r}; expected one of {LEXICONS}")
    return list(_pairs(split, lexicon))
