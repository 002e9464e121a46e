"""The splits of the open lexicon: constructions with their shares, phrases, copied words. CC0."""

from collections.abc import Mapping
from importlib import import_module
from random import Random

from annotated_transformer.lab.corpora.english_korean.constructions import RULES
from annotated_transformer.lab.corpora.english_korean.derivation import Clause, Shares
from annotated_transformer.lab.corpora.english_korean.everyday.frames import REPLACED
from annotated_transformer.lab.corpora.english_korean.everyday.surface import is_question
from annotated_transformer.lab.corpora.english_korean.held_out import HELD_OUT
from annotated_transformer.lab.corpora.english_korean.large import EVERYDAY, PHRASE
from annotated_transformer.lab.corpora.english_korean.open.copied import (
    as_typed,
    split_of,
    with_copied,
)
from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_lexicon, open_phrases
from annotated_transformer.lab.corpora.english_korean.open.surface import plain, typed
from annotated_transformer.lab.corpora.english_korean.splits import (
    SEED,
    Derived,
    Rule,
    compositional,
    pair_of,
    sentence_of,
    shuffle,
    split_for,
    typed_phrases,
)
from annotated_transformer.lab.corpora.english_korean.tables import word_rows

OPEN_SIZES = {"train": 300_000, "valid": 2_000, "test": 2_000, "compositional": 250}
# Shares of written English, everyday English as in the large lexicon, and what is below.
PARTS = (0.05, 0.2, 0.75)
PHRASE_DRAWS, PHRASE_COPIES = 8, 1
SECOND_TRANSLATIONS = 1 / 3_000
"""Sentences in one of the training split that are left out for a second translation, at most."""
COPIED = 0.16
"""Share of the sentences in which a word is exchanged for an invented one, where one can be."""

NEW_THINGS = "open_new_things"
COPIED_THERE = 0.85
"""The construction whose sentences ask for things one has no word for, and that share there."""


def open_rules() -> dict[str, tuple[Rule, float]]:
    """Read the constructions of the open lexicon: `words/open_rules.txt`, a line for each.

    A line has the name, the module of this package with its function, and the share.
    """
    found: dict[str, tuple[Rule, float]] = {}
    for name, place, share in word_rows("open_rules", "rules", (3,)):
        module, _, function = place.partition(".")
        here = import_module(f"annotated_transformer.lab.corpora.english_korean.open.{module}")
        if name in found:
            raise ValueError(f"words/open_rules.txt: {name} stands there twice")
        found[name] = (getattr(here, function), float(share))
    return found


OPEN = open_rules()
# What the open constructions say instead.
INSTEAD = frozenset({"existential", "location", "everyday_existence", "everyday_age"})
# What visitors say more often than the large lexicon does.
MORE = {"everyday_condition": 2.0, "everyday_imperative": 1.3, "everyday_name": 2.0}
OPEN_RULES = {
    name: rule for name, rule in {**RULES, **EVERYDAY, **OPEN}.items() if name not in INSTEAD
}
OPEN_CONSTRUCTIONS = (*OPEN_RULES, PHRASE)


def open_weights() -> list[tuple[str, float]]:
    """Return the share of each construction."""
    found = []
    for share, table in zip(PARTS, (RULES, EVERYDAY, OPEN), strict=True):
        kept = {
            name: weight * MORE.get(name, 1.0)
            for name, (_, weight) in table.items()
            if name not in INSTEAD
        }
        total = sum(kept.values())
        found += [(name, share * weight / total) for name, weight in kept.items()]
    return found


def derived(random: Random, construction: str) -> tuple[Derived, tuple[str, ...]]:
    """Derive a sentence of the construction, and the invented words in it."""
    d, sentence = sentence_of(random, OPEN_RULES[construction][0], open_lexicon())
    copied: tuple[str, ...] = ()
    new = construction == NEW_THINGS
    if d.chance(COPIED_THERE if new else COPIED) and d.features.isdisjoint(HELD_OUT):
        sentence, copied = with_copied(d, sentence, any_verb=new)
    if copied:
        d.pairing(*REPLACED)
    english = typed(d, sentence.english, asked=is_question(sentence.korean))
    korean = as_typed(english, sentence.korean, copied)
    pair = pair_of(Clause(english, korean), construction)
    return Derived(pair, frozenset(d.features), frozenset(d.lexemes)), copied


def open_splits(sizes: Mapping[str, int] = OPEN_SIZES) -> dict[str, list[Derived]]:
    """Derive the splits of the open lexicon; a meaning, and an invented word, stands in one.

    Two rules may rarely say one English sentence in two ways: the first of them counts, and the
    other is left out. RuntimeError if that happens more often than `SECOND_TRANSLATIONS`.
    """
    random = Random(SEED + 2)
    shares = Shares(open_weights())
    fixed = typed_phrases(
        *(random, open_phrases(), PHRASE, typed, is_question),
        draws=PHRASE_DRAWS,
        copies=PHRASE_COPIES,
    )
    meanings = {item.pair.source: plain(item.pair.source) for item in fixed}
    phrase_meanings = set(meanings.values())
    translations = {meanings[item.pair.source]: item.pair.target for item in fixed}
    splits: dict[str, list[Derived]] = {"train": fixed, "valid": [], "test": []}
    split_of_meaning: dict[str, str] = {}
    held_out: list[Derived] = []
    refused: list[str] = []
    while len(splits["train"]) < sizes["train"]:
        item, copied = derived(random, shares.draw(random))
        if item.pair.source in meanings:
            continue
        meaning = plain(item.pair.source)
        if meaning in phrase_meanings:
            continue
        meanings[item.pair.source] = meaning
        target = item.pair.target.lower()  # a copied word keeps the capitals that were typed
        known = translations.setdefault(meaning, target)
        if known != target:
            refused.append(f"{meaning!r}: {known}, {item.pair.target}")
            if len(refused) > SECOND_TRANSLATIONS * sizes["train"]:
                raise RuntimeError(f"sentences have two translations: {'; '.join(refused)}")
            continue
        if not item.features.isdisjoint(HELD_OUT):
            held_out.append(item)
            continue
        new = meaning not in split_of_meaning
        drawn = split_of(copied[0]) if copied else split_for(random, splits, sizes)
        split = split_of_meaning.setdefault(meaning, drawn)
        if split == "train" or (new and len(splits[split]) < sizes[split]):
            splits[split].append(item)
    shuffle(splits["train"], random)
    shown = [
        item
        for item in held_out
        if REPLACED not in item.features and meanings[item.pair.source] not in split_of_meaning
    ]
    chosen = compositional(shown, splits["train"], random, meanings.__getitem__)
    splits["compositional"] = chosen[: OPEN_SIZES["compositional"]]
    return splits
