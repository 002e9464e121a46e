"""Korean-English sentence pairs of the open lexicon: for a model that reads Korean. CC0.

    나는 학생이다      I am a student.
    저는 학생이에요    I am a student.

The grammar is that of the "open" lexicon, without invented words. The English is written: a
capital, full forms (only "let us" is let's) and a mark at the end. The Korean is typed, at one of
four speech levels (`korean_surface.py`). What is said in Korean alone, such as 안녕하세요, stands
in a table of its own (`words/korean_phrases.txt`).

Korean leaves open what English must say: 책 is *a book* or *the book*, 그렇다 is *it is* or *we
do*. So a Korean sentence has the English that was derived first (a set phrase, the shortest), and
no model can give the English of every sentence that it has not seen. What is derived may occur in
the other direction's splits; the splits of this direction are disjoint, and all ways to type
a sentence are in the split of the plain one.
"""

import zlib
from collections.abc import Mapping, Sequence
from functools import cache, partial
from random import Random

from annotated_transformer.corpora import Pairs, SentencePair
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Derivation,
    Shares,
    Words,
    without_collector,
)
from annotated_transformer.lab.corpora.english_korean.everyday.surface import is_question
from annotated_transformer.lab.corpora.english_korean.korean_surface import (
    set_phrases,
    typed,
    ways,
)
from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_lexicon, open_phrases
from annotated_transformer.lab.corpora.english_korean.open.splits import OPEN_RULES, open_weights
from annotated_transformer.lab.corpora.english_korean.splits import (
    ASKED,
    SEED,
    sentence_of,
    shuffle,
)
from annotated_transformer.lab.corpora.english_korean.stored import stored_pairs

SIZES = {"train": 250_000, "valid": 1_000, "test": 1_000}
PHRASE_COPIES = 1
SPLIT_OF = {0: "valid", 1: "test"}
UNSEEN = "나는 학생이다"
"""The first sentence to try on the page, which no grammar may train on."""


class KoreanEnglish:
    """The corpus."""

    def splits(self) -> tuple[str, ...]:
        """Return the names of its splits."""
        return tuple(SIZES)

    def pairs(self, split: str) -> Pairs:
        """Return the pairs of a split; they have no alignments."""
        return Pairs(partial(_pairs, split))


@cache
def _pairs(split: str) -> Sequence[SentencePair]:
    return stored_pairs("korean_english", f"{SEED} {SIZES}", split, korean_english)


def as_written(english: Words, *, asked: bool) -> str:
    """Return the sentence with a capital and a mark at its end."""
    text = " ".join(word.text for word in english)
    if text.startswith("let us "):
        text = "let's " + text.removeprefix("let us ")
    return text[0].upper() + text[1:] + ("?" if asked else ".")


def split_of(korean: str) -> str:
    """Return the split of a plain Korean sentence, which its letters decide."""
    if korean == UNSEEN:
        return "test"
    return SPLIT_OF.get(zlib.crc32(korean.encode()) % 200, "train")


def korean_english(sizes: Mapping[str, int] = SIZES) -> dict[str, list[SentencePair]]:
    """Derive all splits, deterministically, within two minutes of a quiet core."""
    random = Random(SEED + 3)
    chooser = Derivation(random)
    shares = Shares(open_weights())
    splits: dict[str, list[SentencePair]] = {name: [] for name in sizes}
    english_of, phrases = _phrases()
    for korean, english in phrases.items():
        splits["train"] += [SentencePair(korean, english)] * PHRASE_COPIES
    taken = {*english_of, *phrases}
    with without_collector():
        while len(splits["train"]) < sizes["train"]:
            name = shares.draw(random)
            _, sentence = sentence_of(random, OPEN_RULES[name][0], open_lexicon())
            asked = is_question(sentence.korean)
            korean = " ".join(word.text for word in sentence.korean)
            english = as_written(sentence.english, asked=asked)
            form = typed(chooser, korean, asked=asked)
            if form in taken or english_of.setdefault(korean, english) != english:
                continue
            taken.add(form)
            split = split_of(korean)
            if len(splits[split]) < sizes[split]:
                splits[split].append(SentencePair(form, english, construction=name))
        shuffle(splits["train"], random)
    return splits


def _phrases() -> tuple[dict[str, str], dict[str, str]]:
    """Return the English of each plain set phrase, and of each way to type one.

    What is said in Korean alone comes first: 안녕 is *Hello.* where several greetings would do.
    """
    english_of: dict[str, str] = {}
    asking = set()
    for text, clause in open_phrases():
        asked = is_question(clause.korean) or text in ASKED
        korean = " ".join(word.text for word in clause.korean)
        english = as_written(clause.english, asked=asked)
        english_of[korean] = min(english_of.get(korean, english), english, key=len)
        if asked:
            asking.add(korean)
    forms = dict(set_phrases())
    for korean, english in set_phrases():
        forms.setdefault(korean.removesuffix("?"), english)
    for korean, english in english_of.items():
        for form in ways(korean, asked=korean in asking):
            forms.setdefault(form, english)
    return english_of, forms
