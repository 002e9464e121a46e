"""Marks of a text, written as the training text of a model had them."""

import re
import unicodedata
from collections.abc import Collection, Iterable

from .lines import cut, sentences_of
from .tables import (
    CONTENT,
    ENDS,
    MARKS,
    PICTURES,
    QUOTES,
    TABLES,
    UNLIKE,
    of_a_word,
    script_of,
    shown,
)
from .training import TrainingText

OTHER_FORM = "letters and digits read in their usual form (NFKC)"
LIST_NUMBER = re.compile(r"[0-9]{1,3}[.)]")


class Fitting:
    """One text on its way to what training had, with what was done to it.

    A mark stays where training had it. Else another that means the same takes
    its place, or it is left out: without a word more than in `changes` where
    that changes no meaning (quotes; what closes a sentence; marks at the edges
    of a sentence), and named in `left_out` where it may.
    """

    def __init__(self, had: TrainingText, changes: Iterable[str]) -> None:
        self.had = had
        self.seen = frozenset(had.characters)
        self.changes = list(changes)
        self.left_out: list[str] = []

    def sentences(self, text: str) -> list[str]:
        """Return the sentences of a tidy text, each as training might have had it."""
        text = self._without_pictures(self._in_known_forms(text))
        text = self._without_bullet(" ".join(text.split()))
        single = self.had.most_sentences == 1
        parts = sentences_of(text) if single else [text]
        if len(parts) > 1:
            self.changes.append(f"read as {len(parts)} sentences")
        return [fitted for part in parts if (fitted := self._fitted(part))]

    def unseen_letter(self, letters: str) -> str | None:
        """Return the first letter of a script that training did not have."""
        scripts = {script_of(character) for character in self.seen}
        for character in letters:
            script = script_of(character)
            other = script not in scripts if script else character.isalpha()
            if other and character not in self.seen:
                return character
        return None

    def unseen_symbols(self, sentences: Iterable[str]) -> list[str]:
        """Return what stands in or for a word and is neither letter nor known mark."""
        found = dict.fromkeys(
            character
            for sentence in sentences
            for character in sentence
            if character not in self.seen
            and character != " "
            and not of_a_word(character)
            and (character in CONTENT or character not in TABLES["inside"])
        )
        return list(found)

    def _in_known_forms(self, text: str) -> str:
        """Characters that training had in another form: fullwidth letters, ligatures ..."""
        forms = []
        for character in text:
            form = character
            if character in self.seen or character.isascii():
                pass
            elif written := TABLES["written"].get(character):
                form = written
                name = shown(character)
                self.changes.append(f"{name} read as '{written.strip()}'")
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
        """Without what begins an item of a list, where training had no such thing."""
        first, _, rest = text.partition(" ")
        bullet = first in TABLES["bullets"] or LIST_NUMBER.fullmatch(first)
        known = first in self.had.alone or self.had.most_sentences != 1
        if not (first and bullet and rest) or known:
            return text
        self.changes.append(f"'{first}' left out")
        return rest

    def _fitted(self, sentence: str) -> str:
        tokens = self._joined(sentence.split(" "))
        fitted = []
        for place, token in enumerate(tokens):
            before, word, after = cut(token)
            if not word:
                fitted.append(token)
                continue
            first, last = place == 0, place == len(tokens) - 1
            fitted.append(
                self._as_had(before, self.had.before, at_edge=first)
                + self._word(word)
                + self._as_had(after, self.had.end if last else self.had.after, at_edge=last)
            )
        return " ".join(fitted)

    def _joined(self, tokens: list[str]) -> list[str]:
        """The tokens without marks that stand alone where training had none that did."""
        kept: list[str] = []
        for place, token in enumerate(tokens):
            if cut(token)[1] or not token or token in self.had.alone:
                kept.append(token)
            elif known := self._exchanged(token, self.had.alone):
                self.changes.append(f"'{token}' read as '{known}'")
                kept.append(known)
            elif kept and set(token) <= {*ENDS, ","}:
                kept[-1] += token
                self.changes.append(f"the space before '{token}' left out")
            elif set(token) & set(CONTENT) - self.seen:
                kept.append(token)
            else:
                edge = place in (0, len(tokens) - 1)
                self._leave_out(token, at_edge=edge)
        return kept

    def _word(self, word: str) -> str:
        """A word with the apostrophe or hyphen that training had within words."""
        fitted = word
        for character in dict.fromkeys(word):
            plain = of_a_word(character) and character not in MARKS
            if plain or character in self.had.inside:
                continue
            if known := self._exchanged(character, self.had.inside):
                self.changes.append(f"{shown(character)} read as '{known}'")
                fitted = fitted.replace(character, known)
        return fitted

    def _as_had(self, marks: str, had: frozenset[str], *, at_edge: bool) -> str:
        """Marks beside a word as training had them there, or none."""
        if not marks or marks in had:
            return marks
        if not at_edge and self.had.most_sentences == 1:
            # "Mr." has a full stop there; any other would end the sentence.
            had = frozenset(each for each in had if not {*each} & {*ENDS})
        single = frozenset("".join(had))
        several = any(len(each) > 1 for each in had)
        if several and single >= set(marks):
            return marks
        kept = [c for c in marks if c in CONTENT and c not in self.seen]
        if kept:
            return marks
        known = self._exchanged(marks, had)
        plain = "".join(dict.fromkeys(c for c in marks if c in single))
        ends = [end for end in (*ENDS, ",") if end in marks and end in had]
        fitted = known or (plain if plain in had else "") or "".join(ends[:1])
        if fitted:
            self.changes.append(f"'{marks}' read as '{fitted}'")
        else:
            self._leave_out(marks, at_edge=at_edge)
        return fitted

    def _exchanged(self, marks: str, had: Collection[str]) -> str:
        """Marks with others that mean the same, if training had those; else nothing."""
        known = {mark for each in had for mark in each}
        exchanged = ""
        for mark in marks:
            row = next((row for row in TABLES["same"] if mark in row), mark)
            likely = [mark, *row]
            exchanged += next((each for each in likely if each in known), "")
        return exchanged if exchanged in had else ""

    def _leave_out(self, marks: str, *, at_edge: bool) -> None:
        for mark in marks:
            if at_edge or mark in QUOTES or mark in ENDS:
                self.changes.append(f"{shown(mark)} left out")
            else:
                self.left_out.append(mark)
