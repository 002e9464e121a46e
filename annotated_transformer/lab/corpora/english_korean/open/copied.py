"""Words that are copied: invented names, places and things, in Latin letters in the Korean. CC0.

A word that the model has never seen is to be copied, not to become another one. So in a share of
the sentences one noun or name is exchanged for an invented word. The Korean keeps its letters as
they are typed, with particles for both sounds as Korean writers put them after foreign letters:
my zorvik is small, 내 zorvik은(는) 작다. No other Korean of the corpus has Latin letters: where a
translation has some, they were copied, and they stand in the source letter by letter.

Invented words are spelled by chance from onsets, vowels and codas of English, with endings of
English nouns; or they are the beginning of one word with the end of another; or nouns of the
lexicon with a letter exchanged, left out or doubled, as a typing error has it. Each word belongs to
one split, which its letters decide.
"""

import zlib
from collections.abc import Iterator
from functools import cache

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Word,
    Words,
)
from annotated_transformer.lab.corpora.english_korean.lexicon import Lexicon
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.open import numerals
from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_phrases, word_table
from annotated_transformer.lab.corpora.english_korean.phrases import VOWEL_SOUNDS
from annotated_transformer.lab.corpora.english_korean.tables import sections

PIECES = {
    heading: tuple(" ".join(lines).split()) for heading, lines in sections("open_spelling").items()
}
# The particles after a word of unknown sound, by what they are after a noun.
PARTICLES = {
    **dict.fromkeys(("은", "는"), "은(는)"),
    **dict.fromkeys(("이", "가"), "이(가)"),
    **dict.fromkeys(("을", "를"), "을(를)"),
    **dict.fromkeys(("과", "와"), "와(과)"),
    **dict.fromkeys(("으로", "로"), "(으)로"),
    **dict.fromkeys(("이나", "나"), "(이)나"),
    **{other: other for other in ("", "에", "에서", "에게", "의", "보다", "도", "만")},
    **{other: other for other in ("만큼", "부터", "까지", "뿐이다", "뿐이니")},
}
COPULA = frozenset(["다", "었다", "니", "었니", "라고", "라서", "면", "고", "지만", "었지만"])
PLACE = frozenset({"city"})
PEOPLE = frozenset({"name"})
THINGS = frozenset({"goods", "thing"})
SPLIT_OF = {0: "valid", 1: "test"}


def split_of(word: str) -> str:
    """The split that an invented word belongs to."""
    return SPLIT_OF.get(zlib.crc32(word.lower().encode()) % 60, "train")


def particle_after_letters(ending: str) -> str | None:
    """Return what stands for 은, 를, 이다 ... after Latin letters; None where it is no particle."""
    if ending in PARTICLES:
        return PARTICLES[ending]
    for form in (ending.removeprefix("이"), ending.replace("였", "었")):
        if form in COPULA:
            return "(이)" + form
    return None


def _spelled(d: Derivation, *, name: bool) -> str:
    syllables = d.choose((1, 2, 2, 2, 3))
    last = syllables - 1
    text = "".join(
        (d.choose(PIECES["onsets"]) if part or d.chance(0.85) else "")
        + d.choose(PIECES["vowels"])
        + (d.choose(PIECES["codas"]).strip("-") if part == last or d.chance(0.25) else "")
        for part in range(syllables)
    )
    if d.chance(0.55):
        text = text.rstrip("aeiouy") + d.choose(PIECES["name endings" if name else "endings"])
    return text


def _blended(d: Derivation, known: tuple[str, ...]) -> str:
    """Return the beginning of one word of the lexicon with the end of another: "thermonade".

    Such words are cut into the same pieces as the words that a visitor invents or that the lexicon
    lacks.
    """
    first, last = d.choose(known), d.choose(known)
    head = first[: d.choose((3, 3, 4, 4, 5, 6))]
    return head + last[-d.choose((3, 4, 4, 5, 6)) :]


@cache
def _long_words(lexicon: Lexicon) -> tuple[str, ...]:
    """Words of six letters and more, in the order of the alphabet."""
    return tuple(sorted(w for w in lexicon_words(lexicon) if len(w) > 5 and w.isalpha()))


def _mistyped(d: Derivation, word: str) -> str:
    """Return a word of the lexicon with one letter exchanged, left out or doubled."""
    place = 1 + int(d.random.random() * (len(word) - 1))
    other = d.choose("abcdefghiklmnoprstuvwy")
    kind = d.weighted((("other", 0.45), ("without", 0.3), ("twice", 0.25)))
    if kind == "other":
        return word[:place] + other + word[place + 1 :]
    if kind == "without":
        return word[:place] + word[place + 1 :]
    return word[:place] + word[place] + word[place:]


@cache
def lexicon_words(lexicon: Lexicon) -> frozenset[str]:
    """All English words of the lexicon, in small letters."""
    texts = [f"{noun.english} {noun.plural}" for noun in lexicon.all_nouns]
    verbs = (*lexicon.transitive, *lexicon.intransitive, *lexicon.dative, *lexicon.phrasal)
    texts += [f"{verb.english} {verb.past} {verb.ing} {verb.third}" for verb in verbs]
    texts += [f"{entry.english} {entry.comparative}" for entry in lexicon.adjectives]
    texts += [line[0] for line in word_table("participles")]
    texts += [entry.english for entry in lexicon.attributives]
    texts += [english for english, _ in open_phrases()]
    texts += [numerals.english(number, hyphen=False) for number in (*range(1, 100), 100, 1_000)]
    return frozenset(word for text in texts for word in text.lower().split())


def invented(d: Derivation, *, name: bool) -> str:
    """Return a word that is none of the lexicon's."""
    known = lexicon_words(d.lexicon)
    if d.chance(0.1 if name else 0.3):
        text = _blended(d, _long_words(d.lexicon))
    elif not name and d.chance(0.35):
        base = d.choose([n.english for n in d.lexicon.nouns("goods") if n.english.isalpha()])
        text = _mistyped(d, base.lower())
    else:
        text = _spelled(d, name=name)
    if (
        not 3 <= len(text) <= 14
        or {text, text + "s"} & known
        or text.endswith("s") != text.endswith("ss")
        or not text.isascii()
    ):
        return invented(d, name=name)
    return text


def _candidates(lexicon: Lexicon, sentence: Clause) -> Iterator[tuple[int, int, Noun, bool]]:
    """Yield position in English, in Korean, the noun, and whether it is plural."""
    for i, (text, nodes) in enumerate(sentence.english):
        noun, plural = nouns_by_form(lexicon).get(text.removesuffix("'s"), (None, False))
        if noun is None or (text.endswith("'s") and noun.classes.isdisjoint(PEOPLE)):
            continue
        for j, word in enumerate(sentence.korean):
            if not word.text.startswith(noun.korean) or not set(nodes) & set(word.nodes):
                continue
            if noun.counter not in ("", "개") and _is_counted(sentence.korean, noun, nodes):
                continue  # the counter would tell what it is
            if particle_after_letters(word.text[len(noun.korean) :]) is not None:
                yield i, j, noun, plural


def _is_counted(korean: Words, noun: Noun, nodes: tuple[int, ...]) -> bool:
    return any(
        text.startswith(noun.counter) and set(nodes) & set(own)
        for text, own in korean
        if not text.startswith(noun.korean)
    )


@cache
def nouns_by_form(lexicon: Lexicon) -> dict[str, tuple[Noun, bool]]:
    """The nouns that may be exchanged, by singular and plural: single words of both languages."""
    found: dict[str, tuple[Noun, bool]] = {}
    for noun in lexicon.all_nouns:
        if not noun.classes & (THINGS | PEOPLE | PLACE) or noun.plural_only:
            continue
        if " " in noun.english + noun.korean or not noun.english.isalpha():
            continue
        found.setdefault(noun.english, (noun, False))
        if noun.plural:
            found.setdefault(noun.plural, (noun, True))
    return found


@cache
def ambiguous(lexicon: Lexicon) -> frozenset[str]:
    """English verbs and adjectives whose Korean depends on the noun."""
    korean: dict[str, set[str]] = {}
    for verb in (*lexicon.transitive, *lexicon.dative):
        for form in (verb.english, verb.past, verb.ing, verb.third):
            korean.setdefault(form.split(" ")[0], set()).add(verb.korean)
    for entry in lexicon.adjectives:
        for form in (entry.english, entry.comparative):
            korean.setdefault(form, set()).add(entry.korean)
    return frozenset(word for word, stems in korean.items() if len(stems) > 1)


def with_copied(
    d: Derivation, sentence: Clause, *, any_verb: bool = False
) -> tuple[Clause, tuple[str, ...]]:
    """Exchange a noun, rarely two, for invented words; return these, none if there is no noun.

    any_verb: also where the noun would decide what a verb of the lexicon is in Korean.
    """
    first, words = _exchanged(d, sentence, "", any_verb=any_verb)
    if words and d.chance(0.15):
        second, others = _exchanged(d, first, split_of(words[0]))
        return second, (*words, *others)
    return first, words


def _exchanged(
    d: Derivation, sentence: Clause, split: str, *, any_verb: bool = False
) -> tuple[Clause, tuple[str, ...]]:
    """Exchange one noun for an invented word of the split ("" for any)."""
    options = list(_candidates(d.lexicon, sentence))
    if not options:
        return sentence, ()
    i, j, noun, plural = d.choose(options)
    is_name = not noun.classes.isdisjoint(PEOPLE | PLACE)
    unclear = not any_verb and {word.text for word in sentence.english} & ambiguous(d.lexicon)
    if not is_name and unclear:
        return sentence, ()
    word = invented(d, name=is_name)
    if split and split_of(word) != split:
        return sentence, ()
    if plural and word.endswith(("s", "x", "z", "ch", "sh", "y")):
        return sentence, ()
    shown = [word + "s" * plural]
    if is_name:
        shown = [word.upper() if len(word) < 5 and d.chance(0.3) else word.capitalize()]
        family = _family(d, split_of(word)) if noun.classes & PEOPLE else ""
        shown += [family] if family else []
    english, korean = list(sentence.english), list(sentence.korean)
    owner = "'s" if english[i].text.endswith("'s") else ""
    particle = particle_after_letters(korean[j].text[len(noun.korean) :])
    if i and english[i - 1].text in ("a", "an"):
        article = "an" if shown[0].startswith(("a", "e", "i", "o", *VOWEL_SOUNDS)) else "a"
        english[i - 1] = Word(article, english[i - 1].nodes)
    nodes, own = english[i].nodes, korean[j].nodes
    *before, last = shown
    english[i : i + 1] = [*(Word(text, nodes) for text in before), Word(last + owner, nodes)]
    korean[j : j + 1] = [*(Word(text, own) for text in before), Word(f"{last}{particle}", own)]
    return Clause(english, korean), tuple(shown)


def _family(d: Derivation, split: str) -> str:
    """Return perhaps a family name of the split."""
    if not d.chance(0.15):
        return ""
    name = invented(d, name=True).capitalize()
    return name if split_of(name) == split else ""


def as_typed(english: Words, korean: Words, copied: tuple[str, ...]) -> Words:
    """Return the Korean with the copied words spelled as they were typed, capitals included."""
    for word in copied:
        forms = [typed_word.rstrip(".,!?") for typed_word, _ in english]
        forms = [form[:-2] if form.endswith(("'s", "\u2019s")) else form for form in forms]
        bare = next(form for form in forms if form.lower() == word.lower())
        korean = [
            Word(bare + text[len(word) :] if text.startswith(word) else text, nodes)
            for text, nodes in korean
        ]
    return korean
