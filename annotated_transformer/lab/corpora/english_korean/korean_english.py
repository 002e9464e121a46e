"""Korean-English sentence pairs of the open lexicon: for a model that reads Korean. CC0.

    나는 학생이다      I am a student.
    저는 학생입니다    I am a student.

The grammar is that of the "open" lexicon, without invented words. The English is written: a
capital, full forms (only "let us" is let's) and a mark at the end. The Korean has no mark, as
elsewhere in the corpus, and a share of the statements and questions ends politely (합니다체), with
저 for 나, as many people type.

Korean leaves open what English must say: 책 is *a book* or *the book*, 그렇다 is *it is* or *we
do*. So a Korean sentence has the English that was derived first (a set phrase, the shortest), and
no model can give the English of every sentence that it has not seen. What is derived may occur in
the other direction's splits; the splits of this direction are disjoint, and the polite form of a
sentence is in the split of the plain one.
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
from annotated_transformer.lab.corpora.english_korean.morphology import (
    final_consonant,
    with_final,
    without_rieul,
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
PHRASE_COPIES = 8
POLITE = 0.35
"""Share of the sentences that end politely, where they can."""
SPLIT_OF = {0: "valid", 1: "test"}
FAMILIAR = ("너", "네", "넌")
"""Who is addressed so is not spoken to politely."""
HUMBLE = {
    **{"나는": "저는", "나도": "저도", "나를": "저를", "나만": "저만", "나의": "저의"},
    **{"내": "제", "내가": "제가", "나에게": "저에게", "나와": "저와", "나보다": "저보다"},
}


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


@cache
def _nouns() -> frozenset[str]:
    return frozenset(noun.korean for noun in open_lexicon().all_nouns)


@cache
def _predicates(*, asked: bool) -> frozenset[str]:
    """The stems that stand before 니 (of verbs and adjectives), or before 다 (of adjectives)."""
    lexicon = open_lexicon()
    adjectives = [adjective.korean for adjective in lexicon.adjectives]
    if not asked:
        return frozenset(adjectives)
    verbs = (*lexicon.transitive, *lexicon.intransitive, *lexicon.dative, *lexicon.phrasal)
    stems = [*adjectives, *(verb.korean.split(" ")[-1] for verb in verbs)]
    return frozenset(map(without_rieul, stems))


def polite_ending(word: str) -> str:
    """Return the last word of a plain statement or question in 합니다체.

    Another word comes back as it is, such as a request in 라 or 자, and so does one that can be
    read in two ways: 배우니 asks whether somebody learns or is an actor.
    """
    stem, ending = word[:-1], word[-1]
    if len(word) < 2 or ending not in "다니" or word in _nouns():
        return word
    close = "까" if ending == "니" else "다"
    if ending == "다" and stem.endswith("는") and len(stem) > 1:
        return f"{stem[:-1]}습니{close}"
    if stem in _nouns() and not final_consonant(stem):  # 이 of 이다 is left out after a vowel
        asked = ending == "니"
        twofold = stem in _predicates(asked=asked) or (
            stem.endswith("이") and stem[:-1] in _nouns()
        )
        return word if twofold else f"{stem}입니{close}"
    dropped = ("", "ㄹ", "ㄴ") if ending == "다" else ("", "ㄹ")
    if final_consonant(stem) in dropped:
        return f"{with_final(stem, 'ㅂ')}니{close}"
    return f"{stem}습니{close}"


def polite(korean: str) -> str:
    """Return a plain sentence as one says it politely; as it is where that cannot be."""
    *words, last = korean.split(" ")
    if any(word.startswith(FAMILIAR) for word in (*words, last)):
        return korean
    ending = polite_ending(last)
    if ending == last:
        return korean
    return " ".join([*(HUMBLE.get(word, word) for word in words), ending])


def split_of(korean: str) -> str:
    """Return the split of a plain Korean sentence, which its letters decide."""
    return SPLIT_OF.get(zlib.crc32(korean.encode()) % 200, "train")


def korean_english(sizes: Mapping[str, int] = SIZES) -> dict[str, list[SentencePair]]:
    """Derive all splits, deterministically, within two minutes of a quiet core."""
    random = Random(SEED + 3)
    chooser = Derivation(random)
    shares = Shares(open_weights())
    splits: dict[str, list[SentencePair]] = {name: [] for name in sizes}
    english_of: dict[str, str] = {}
    for text, clause in open_phrases():
        asked = is_question(clause.korean) or text in ASKED
        korean = " ".join(word.text for word in clause.korean)
        english = as_written(clause.english, asked=asked)
        english_of[korean] = min(english_of.get(korean, english), english, key=len)
    for korean, english in english_of.items():
        for form in {korean: None, polite(korean): None}:
            splits["train"] += [SentencePair(form, english)] * PHRASE_COPIES
    taken = set(english_of)
    with without_collector():
        while len(splits["train"]) < sizes["train"]:
            name = shares.draw(random)
            _, sentence = sentence_of(random, OPEN_RULES[name][0], open_lexicon())
            korean = " ".join(word.text for word in sentence.korean)
            english = as_written(sentence.english, asked=is_question(sentence.korean))
            form = polite(korean) if chooser.chance(POLITE) else korean
            if form in taken or english_of.setdefault(korean, english) != english:
                continue
            taken.add(form)
            split = split_of(korean)
            if len(splits[split]) < sizes[split]:
                splits[split].append(SentencePair(form, english, construction=name))
        shuffle(splits["train"], random)
    return splits
