"""How sentences of the open lexicon are typed: also without apostrophes, and with hyphens. CC0."""

import re

from annotated_transformer.lab.corpora.english_korean.derivation import Derivation, Word, Words
from annotated_transformer.lab.corpora.english_korean.everyday.surface import (
    APOSTROPHE,
    CURLY,
    DIGITS,
    NOT,
    contraction,
)
from annotated_transformer.lab.corpora.english_korean.everyday.surface import (
    plain as plain_of_large,
)
from annotated_transformer.lab.corpora.english_korean.verbs import names

NUMBER_WORDS = frozenset(DIGITS) | {"hundred", "thousand", "and", "o'clock", "half"}
# Contractions that without their apostrophe are no other word ("were" and "well" are).
FULL = names(
    """don't doesn't didn't isn't aren't wasn't weren't won't can't couldn't shouldn't wouldn't
    hasn't haven't i'm you're they're he's she's that's what's where's who's i've you've they've
    let's"""
)
BARE = {full.replace(APOSTROPHE, ""): full for full in FULL}
HAVE_NOT = {"have": "haven't", "has": "hasn't"}
# What "have" stands before where it is no verb of its own.
AFTER_HAVE = frozenset({"never", "already", "just", "been"})


def _short(first: str, second: str, third: str) -> str:
    lower = first.lower()
    if second == "not" and lower in HAVE_NOT:
        short = HAVE_NOT[lower]
        return short if first == lower else short.capitalize()
    if second == "have" and lower in ("i", "you", "we", "they") and third in AFTER_HAVE:
        return first + "'ve"
    return contraction(first, second)


def _contracted(d: Derivation, english: Words) -> Words:
    result: Words = []
    for i, (text, nodes) in enumerate(english):
        following = english[i + 1].text if i + 1 < len(english) else ""
        waits = following == "not" and (text in NOT or text in HAVE_NOT) and d.chance(0.5)
        joined = _short(result[-1].text, text, following) if result and not waits else ""
        if joined:
            result[-1] = Word(joined, result[-1].nodes + nodes)
        else:
            result.append(Word("can't" if text == "cannot" else text, nodes))
    return result


def _with_digits(english: Words) -> Words:
    """Return numbers of one word as digits."""
    result = []
    for i, (text, nodes) in enumerate(english):
        beside = {english[j].text for j in (i - 1, i + 1) if 0 <= j < len(english)}
        alone = text in DIGITS and not (beside - {"half", "o'clock", "and"}) & NUMBER_WORDS
        result.append(Word(DIGITS[text], nodes) if alone else Word(text, nodes))
    return result


def _without_apostrophes(english: Words) -> Words:
    return [
        Word(bare, nodes)
        if (bare := text.replace(APOSTROPHE, "")).lower().strip(",") in BARE
        else Word(text, nodes)
        for text, nodes in english
    ]


def typed(d: Derivation, english: Words, *, asked: bool) -> Words:
    """Return the sentence in one of the ways in which a visitor may type it."""
    result = list(english)
    if d.chance(0.62):
        result = _contracted(d, result)
    if d.chance(0.2):
        result = _without_apostrophes(result)
    curly = d.chance(0.05)
    if d.chance(0.25):
        result = _with_digits(result)
    if d.chance(0.6):
        first = result[0]
        result[0] = Word(first.text[0].upper() + first.text[1:], first.nodes)
    elif d.chance(0.65):
        result = [Word(word.text.lower(), word.nodes) for word in result]
    if d.chance(0.6):
        mark = "?" if asked else "!" if d.chance(0.1) else "."
        mark = "" if mark == "." and result[-1].text.endswith(".") else mark
        result[-1] = Word(result[-1].text + mark, result[-1].nodes)
    if d.chance(0.15):
        result = [
            word if word.text[0].isdigit() else Word(word.text.replace(",", ""), word.nodes)
            for word in result
        ]
    if curly:
        result = [Word(word.text.replace(APOSTROPHE, CURLY), word.nodes) for word in result]
    return result


_BARE = re.compile(rf"\b({'|'.join(sorted(BARE))})\b")
_HYPHEN = re.compile(r"(?<=ty)-(?=one|two|three|four|five|six|seven|eight|nine)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d)")
# Of a noun or a name "'s" says whose it is, of these words "is".
_OWNER = re.compile(
    r"\b(?!he's|she's|it's|that's|there's|what's|who's|where's|here's|how's|let's)(\w+)'s\b"
)


def plain(english: str) -> str:
    """Return what all ways to type a sentence have in common."""
    text = english.lower().replace(CURLY, APOSTROPHE)
    text = _BARE.sub(lambda match: BARE[match[1]], text)
    if APOSTROPHE in text:
        text = _OWNER.sub(r"\1 own", text).replace("'ve", " have")
    if "-" in text:
        text = _HYPHEN.sub(" ", text)
    if "," in text:  # 1,500 is copied with its comma
        text = _THOUSANDS.sub("_", text)
    return plain_of_large(text)
