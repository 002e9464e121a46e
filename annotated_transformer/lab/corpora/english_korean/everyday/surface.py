"""How a visitor types a sentence: capitals, final punctuation, contractions, digits. CC0.

The Korean never changes with these, so that one meaning has one translation. Punctuation belongs
to the word before it, and a contraction is one word that carries the nodes of both its parts, so
words remain what `split(" ")` yields and the gold alignment stays right.
"""

import re

from annotated_transformer.lab.corpora.english_korean.derivation import Derivation, Word, Words
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import NEGATIONS
from annotated_transformer.lab.corpora.english_korean.verbs import names

DIGITS = {
    **{"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8"},
    **{"nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15", "twenty": "20"},
    **{"thirty": "30", "forty": "40", "fifty": "50"},
}
NOT = {word: short for word, short in NEGATIONS.items() if word != "can"}
BE = {"am": "'m", "is": "'s", "are": "'re"}
BEFORE_BE = {
    "am": frozenset({"i"}),
    "is": names("he she it that there what who where here how"),
    "are": frozenset({"you", "we", "they"}),
}
BEFORE_WILL = frozenset({"i", "you", "he", "she", "it", "we", "they"})
ASKING = ("니", "까")
APOSTROPHE, CURLY = "'", "\u2019"


def contraction(first: str, second: str) -> str:
    """Return the contraction of two words, "" if there is none."""
    lower, after = first.lower(), second.lower()
    if after == "not" and lower in NOT:
        return NOT[lower] if first == lower else NOT[lower].capitalize()
    if after in BE and lower in BEFORE_BE[after]:
        return first + BE[after]
    if after == "will" and lower in BEFORE_WILL:
        return first + "'ll"
    if after == "would" and lower in BEFORE_WILL:
        return first + "'d"
    if (lower, after) == ("let", "us"):
        return first + "'s"
    return ""


def is_question(korean: Words) -> bool:
    """Whether the sentence takes a question mark, which the Korean ending says."""
    return korean[-1].text.endswith(ASKING)


def typed(d: Derivation, english: Words, *, asked: bool) -> Words:
    """Return the sentence in one of the ways in which it may be typed."""
    result = list(english)
    if d.chance(0.62):
        result = _contracted(d, result)
    curly = d.chance(0.06)
    if d.chance(0.15):
        result = _with_digits(result)
    if d.chance(0.75):
        first = result[0]
        result[0] = Word(first.text[0].upper() + first.text[1:], first.nodes)
    elif d.chance(0.5):
        result = [Word(word.text.lower(), word.nodes) for word in result]
    if d.chance(0.6):
        mark = "?" if asked else "!" if d.chance(0.07) else "."
        result[-1] = Word(result[-1].text + mark, result[-1].nodes)
    if d.chance(0.15):
        result = [Word(word.text.replace(",", ""), word.nodes) for word in result]
    if curly:
        result = [Word(word.text.replace(APOSTROPHE, CURLY), word.nodes) for word in result]
    return result


def _with_digits(english: Words) -> Words:
    """Return numbers of one word as digits; "twenty four" stays."""
    tens = [word.text.endswith("ty") for word in english]
    before = [False, *tens[:-1]]
    units = [word.text in DIGITS for word in english]
    alone = [
        is_number and not after_ten and not (ten and following)
        for is_number, after_ten, ten, following in zip(
            units, before, tens, [*units[1:], False], strict=True
        )
    ]
    return [
        Word(DIGITS[text], nodes) if single else Word(text, nodes)
        for (text, nodes), single in zip(english, alone, strict=True)
    ]


def _contracted(d: Derivation, english: Words) -> Words:
    result: Words = []
    for i, (text, nodes) in enumerate(english):
        following = english[i + 1].text if i + 1 < len(english) else ""
        # "he is not" is "he's not" or "he isn't".
        waits = following == "not" and text in NOT and d.chance(0.5)
        joined = contraction(result[-1].text, text) if result and not waits else ""
        if joined:
            result[-1] = Word(joined, result[-1].nodes + nodes)
        else:
            result.append(Word("can't" if text == "cannot" else text, nodes))
    return result


CANNOT = re.compile(r"\bcan not\b")
EXPANSIONS = (
    (re.compile(r"won't\b"), "will not"),
    (re.compile(r"can't\b"), "cannot"),
    (CANNOT, "cannot"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\blet's\b"), "let us"),
    (re.compile(r"'m\b"), " am"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"'s\b"), " is"),
)
WORDS_OF = {digit: word for word, digit in DIGITS.items()}
PUNCTUATION = dict.fromkeys(map(ord, ".,?!"))


def plain(english: str) -> str:
    """Return what all ways to type a sentence have in common."""
    text = english.lower().replace(CURLY, APOSTROPHE)
    text = text.translate(PUNCTUATION)
    if APOSTROPHE in text:
        for pattern, full in EXPANSIONS:
            text = pattern.sub(full, text)
    elif "can not" in text:  # the only expansion without an apostrophe
        text = CANNOT.sub("cannot", text)
    return " ".join(WORDS_OF.get(word, word) for word in text.split())
