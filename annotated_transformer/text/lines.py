"""A line of text: made tidy, and cut into sentences and words; the same for every model."""

from collections.abc import Iterable
from unicodedata import is_normalized, normalize

from .tables import (
    BEFORE_BLANK_LINE,
    ENDS,
    INVISIBLE,
    MARKS,
    ODD,
    REFUSED,
    SPACE,
    TABLES,
    code,
    shown,
)

EXTRA_SPACES = "extra spaces left out"
COMPOSED = "accents and syllables composed (NFC)"
PARAGRAPHS = "a blank line read as '.'"

CARRIAGE_RETURNS = "lines end with carriage returns alone; expected line feeds"


def only_carriage_returns(first: bytes) -> bool:
    """Return whether the first line of a file or stream is all of it, and was meant as several.

    What a line is, in every door that reads lines: it ends with a line feed, alone
    or after a carriage return. Any other character that a program may take for a
    line's end (U+000B, U+000C, U+001C to U+001E, U+0085, U+2028, U+2029, a
    carriage return by itself) is a space inside of it, as in a text that is no line.
    """
    return not first.endswith(b"\n") and b"\r" in first.strip()


def tidy(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text composed (NFC), with single spaces, and what was changed.

    All kinds of space become U+0020, runs of them one, none stands at the ends;
    what cannot be seen is left out. No model needs it, so files of a corpus are
    read in the same way (corpora/files.py). Raises ValueError for a character that no tokenizer
    keeps, with its position.
    """
    plain, changes = text, []
    plain_ascii = text.isascii() and text.isprintable()
    if not plain_ascii and (ODD.search(text) or not is_normalized("NFC", text)):
        if match := REFUSED.search(text):
            lone = "a lone surrogate is no character"
            raise ValueError(
                f"{code(match[0])} at position {match.start()}: "
                f"{TABLES['refused'].get(match[0], lone)}"
            )
        for space in dict.fromkeys(SPACE.findall(plain)):
            changes.append(f"{shown(space)} read as a space")
            plain = plain.replace(space, " ")
        for unseen in dict.fromkeys(INVISIBLE.findall(plain)):
            changes.append(f"{shown(unseen)} left out")
        plain = INVISIBLE.sub("", plain)
        composed = normalize("NFC", plain)
        changes += [COMPOSED] * (composed != plain)
        plain = composed
    changes += [EXTRA_SPACES] * _has_extra_spaces(text)
    if _has_extra_spaces(plain):
        plain = " ".join(filter(None, plain.split(" ")))
    return plain, tuple(changes)


def without_blank_lines(text: str) -> str:
    """Return the text, as long as before, with a full stop where a blank line follows a word."""
    return BEFORE_BLANK_LINE.sub(
        lambda m: m[0] if m[1] in MARKS else f"{m[1]}{m[2]}.{m[3][1:]}", text
    )


def _has_extra_spaces(text: str) -> bool:
    return "  " in text or text[:1] == " " or text[-1:] == " "


def cut(token: str) -> tuple[str, str, str]:
    """Return the marks before a word, the word, and the marks after it."""
    word = token.strip(MARKS)
    start = token.index(word) if word else len(token)
    return token[:start], word, token[start + len(word) :]


def words_of(text: str) -> list[str]:
    """Return the words of a text as they are spelled, without marks around them.

    An apostrophe within one stays, in one form (don't). Capitals count: "Doctor"
    is other tokens than "doctor".
    """
    words = (cut(token)[1] for token in text.split())
    return [word.replace("\u2019", "'") for word in words if word]


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text with single spaces."""
    sentences, tokens = [], text.split(" ")
    first = 0
    for i, token in enumerate(tokens[:-1], start=1):
        following = cut(tokens[i])[1]
        if following and _closes(token, following, alone=first == i - 1):
            sentences.append(" ".join(tokens[first:i]))
            first = i
    return [*sentences, " ".join(tokens[first:])]


def _closes(token: str, following: str, *, alone: bool) -> bool:
    """Return whether a sentence ends with a token; "Mr." and "a.m." end none."""
    _, word, after = cut(token)
    ends = [mark for mark in after if mark in ENDS]
    if not ends or not word:
        return False
    if len(ends) > 1 and {*ends} == {"."}:
        # I want... coffee; 나는... 학생이다; but: Wait... what is this?
        opens = alone and word.lower() in TABLES["openers"]
        within = "가" <= word[-1] <= "힣" and word[-1] not in TABLES["closing"]
        if not opens and (following[0].islower() or within):
            return False
    if following[0].islower() and after[-1] not in ENDS:
        return False  # "Stop!" he said
    if ends != ["."]:
        return True
    initial = len(word) == 1 and word.isupper() and word != "I"
    title = word.capitalize() if word == word.upper() else word  # MR. KIM
    return not (initial or "." in word or title in TABLES["abbreviations"])


class Tally:
    """Counts the lines in which each kind of change was made."""

    def __init__(self) -> None:
        self._lines: dict[str, tuple[int, int]] = {}

    def add(self, number: int, changes: Iterable[str]) -> None:
        """Count the changes of one line; `number` is its own."""
        for change in changes:
            count, first = self._lines.get(change, (0, number))
            self._lines[change] = (count + 1, first)

    def sentences(self) -> list[str]:
        """Return a sentence for each change: what, in how many lines, and the first of them."""
        return [
            f"line {first}: {change}" + (f" (and in {count - 1:,} more lines)" if count > 1 else "")
            for change, (count, first) in self._lines.items()
        ]
