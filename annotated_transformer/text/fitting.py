"""Marks of a text, written as the training text of a model had them."""

import re
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache

from .habits import Habits
from .lines import cut, sentences_of
from .spelling import Spelling
from .tables import ENDS, MARKS, PICTURES, QUOTES, TABLES, UNLIKE, of_a_word, script_of, shown

OTHER_FORM = "letters and digits read in their usual form (NFKC)"
LIST_NUMBER = re.compile(r"\(?(?:[0-9]{1,3}|[A-Za-z가-힣])\)|[0-9]{1,3}\.")
DASHES = TABLES["same"][2]
INCHES = re.compile(f"[^{TABLES['same'][1]}]*[0-9]([{TABLES['same'][1]}])")
"""A quotation mark after a digit, where none was opened: a unit."""
BEFORE = re.compile(r"\(([^()]*)\) ([^()]+)")
BEHIND = re.compile(r"([^()]+) \(([^()]*)\)([?!.]*)")


@lru_cache(maxsize=8)  # models
def scripts_of(characters: str) -> frozenset[str | None]:
    """Return the scripts of all characters that the training text of a model had."""
    return frozenset(map(script_of, characters))


def items_of(text: str) -> list[str]:
    """Return the items of a list whose numbers go on: 1. I am here 2. You are there."""
    tokens = text.split(" ")
    items, first = [], 0
    number = tokens[0]
    while LIST_NUMBER.fullmatch(number) and any(map(str.isdecimal, number)):
        digits = "".join(filter(str.isdecimal, number))
        number = number.replace(digits, str(int(digits) + 1))
        places = [i for i, token in enumerate(tokens) if token == number and first + 1 < i]
        if not places or places[0] + 1 == len(tokens):
            break
        items.append(" ".join(tokens[first : places[0]]))
        first = places[0]
    return [*items, " ".join(tokens[first:])]


class Fitting:
    """A text that is being fitted to the training text, and the changes made to it.

    A mark stays where training had it. Otherwise another mark that means the same replaces it, or
    it is left out. If that changes no meaning (quotes; what closes a sentence; marks at the edges
    of a sentence), only `changes` says so; if it may, the mark is named in `left_out`: so are a
    minus, and inches.
    """

    def __init__(self, spelling: Spelling, changes: Iterable[str]) -> None:
        self.spelling = spelling
        self.training = spelling.training
        self.seen = frozenset(self.training.characters)
        self.changes = list(changes)
        self.left_out: list[str] = []
        self._inches = ""

    def sentences(self, text: str) -> list[str]:
        """Return the sentences of a tidy text, each fitted to the training text."""
        text = self._without_pictures(self._in_known_forms(text))
        text = Habits(self.spelling).undone(" ".join(text.split()), self.changes, self.left_out)
        self._inches = match[1] if (match := INCHES.match(text)) else ""
        if self.training.most_sentences != 1:
            parts = [text]
        else:
            items = map(self._without_bullet, items_of(text))
            parts = [
                part
                for item in items
                for whole in self._without_asides(item)
                for part in sentences_of(whole)
            ]
        if len(parts) > 1:
            self.changes.append(f"read as {len(parts)} sentences")
        return [fitted for part in parts if (fitted := self._fit_sentence(part))]

    def unseen_letter(self, letters: str) -> str | None:
        """Return the first letter of a script that training did not have."""
        scripts = scripts_of(self.training.characters)
        for character in letters:
            script = script_of(character)
            other = script not in scripts if script else character.isalpha()
            if other and character not in self.seen:
                return character
        return None

    def unseen_symbols(self, sentences: Iterable[str]) -> list[str]:
        """Return the characters in or between words that are neither letters nor known marks."""
        symbols = dict.fromkeys(
            character
            for sentence in sentences
            for character in sentence
            if character not in self.seen
            and character != " "
            and not of_a_word(character)
            and (character in TABLES["content"] or character not in TABLES["inside"])
        )
        return list(symbols)

    def _in_known_forms(self, text: str) -> str:
        """Replace characters that training had in another form, such as fullwidth letters."""
        forms = []
        for character in text:
            form = character
            if character in self.seen or character.isascii():
                pass
            elif written := TABLES["written"].get(character):
                form = written
                self.changes.append(f"{shown(character)} read as '{written.strip()}'")
            elif character not in MARKS and not UNLIKE.match(character):
                other = unicodedata.normalize("NFKC", character)
                if all(c in self.seen or "!" <= c <= "~" for c in other):
                    form = other
                self.changes += [OTHER_FORM] * (form != character)
            forms.append(form)
        return unicodedata.normalize("NFC", "".join(forms))

    def _without_pictures(self, text: str) -> str:
        for picture in dict.fromkeys(PICTURES.findall(text)):
            if self.seen.isdisjoint(picture):
                self.left_out.append(picture)
                text = text.replace(picture, " ")
        return text

    def _without_bullet(self, text: str) -> str:
        """Leave out what begins an item of a list, where training had no such thing."""
        first, _, rest = text.partition(" ")
        bullet = first in TABLES["bullets"] or LIST_NUMBER.fullmatch(first)
        if not (first and bullet and rest) or first in self.training.alone:
            return text
        if first[0] == "(" and self.spelling.has(first[1:-1]):
            self.left_out.append(first)  # it may be a word: (I) swim
        else:
            self.changes.append(f"'{first}' left out")
        return rest

    def _without_asides(self, text: str) -> list[str]:
        """Tell apart what stands in brackets before or after a sentence: (laughs) I am happy."""
        if "(" in self.seen:
            return [text]
        if (match := BEFORE.fullmatch(text)) and any(map(str.isalpha, match[1])):
            return [f"({match[1]})", match[2]]
        if (match := BEHIND.fullmatch(text)) and any(map(str.isalpha, match[2])):
            return [match[1] + match[3], f"({match[2]})"]
        return [text]

    def _fit_sentence(self, sentence: str) -> str:
        tokens = self._fit_lone_marks(sentence.split(" "))
        words = [self._fit_word(word) for token in tokens if (word := cut(token)[1])]
        words, changes = self.spelling.known(words)
        self.changes += changes
        fitted, left = [], iter(words)
        for i, token in enumerate(tokens):
            before, word, after = cut(token)
            if not word:
                fitted.append(token)
                continue
            last = i == len(tokens) - 1
            marks_after = self.training.end if last else self.training.after
            minus = before[-1:] in (*DASHES,) and "0" <= word[0] <= "9"
            fitted.append(
                self._fit_marks(before, self.training.before, at_edge=i == 0 and not minus)
                + next(left)
                + self._fit_marks(after, marks_after, at_edge=last)
            )
        return " ".join(fitted)

    def _fit_lone_marks(self, tokens: list[str]) -> list[str]:
        """Replace, attach or leave out lone marks where training had none that stood alone."""
        fitted: list[str] = []
        for i, token in enumerate(tokens):
            if cut(token)[1] or not token or token in self.training.alone:
                fitted.append(token)
            elif same := self._exchange(token, self.training.alone):
                self.changes.append(f"'{token}' read as '{same}'")
                fitted.append(same)
            elif fitted and set(token) <= {*ENDS, ","}:
                fitted[-1] += token
                self.changes.append(f"the space before '{token}' left out")
            elif set(token) & set(TABLES["content"]) - self.seen:
                fitted.append(token)
            else:
                edge = i in (0, len(tokens) - 1)
                self._leave_out(token, at_edge=edge)
        return fitted

    def _fit_word(self, word: str) -> str:
        """Write a word with the apostrophe or hyphen that training had within words."""
        fitted = word
        for character in dict.fromkeys(word):
            plain = of_a_word(character) and character not in MARKS
            if plain or character in self.training.inside:
                continue
            if same := self._exchange(character, self.training.inside):
                self.changes.append(f"{shown(character)} read as '{same}'")
                fitted = fitted.replace(character, same)
            elif character in QUOTES and self.spelling.has(fitted.replace(character, "")):
                # 나는 '학생'이다: the particle stands after the quote.
                self._leave_out(character, at_edge=False)
                fitted = fitted.replace(character, "")
        return fitted

    def _fit_marks(self, marks: str, known_marks: frozenset[str], *, at_edge: bool) -> str:
        """Write marks beside a word as training had them there, or leave them out."""
        if not marks or marks in known_marks:
            return marks
        if not at_edge and self.training.most_sentences == 1:
            # "Mr." has a full stop there; any other would end the sentence.
            known_marks = frozenset(each for each in known_marks if not {*each} & {*ENDS})
        single = frozenset("".join(known_marks))
        # "a.m.!" has a mark of its word and one of its sentence; that is no row of marks.
        several = any(len(each.removeprefix(".")) > 1 for each in known_marks)
        if several and single >= set(marks):
            return marks
        if any(c in TABLES["content"] and c not in self.seen for c in marks):
            return marks
        same = self._exchange(marks, known_marks)
        plain = "".join(dict.fromkeys(c for c in marks if c in single))
        ends = [end for end in (*ENDS, ",") if end in marks and end in known_marks]
        fitted = same or (plain if plain in known_marks else "") or "".join(ends[:1])
        if fitted:
            self.changes.append(f"'{marks}' read as '{fitted}'")
        else:
            self._leave_out(marks, at_edge=at_edge)
        return fitted

    def _exchange(self, marks: str, known_marks: Collection[str]) -> str:
        """Exchange marks for others that mean the same, if training had those; else return ''."""
        known = {mark for each in known_marks for mark in each}
        exchanged = ""
        for mark in marks:
            row = next((row for row in TABLES["same"] if mark in row), mark)
            likely = [mark, *row]
            exchanged += next((each for each in likely if each in known), "")
        return exchanged if exchanged in known_marks else ""

    def _leave_out(self, marks: str, *, at_edge: bool) -> None:
        for mark in marks:
            harmless = at_edge or mark in QUOTES or mark in ENDS
            if harmless and mark != self._inches:
                self.changes.append(f"{shown(mark)} left out")
            else:
                self.left_out.append(mark)
