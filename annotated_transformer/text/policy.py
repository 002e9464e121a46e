"""How text is read for a model: understood, named where it is unknown, or refused."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .lines import PARAGRAPHS, tidy, without_blank_lines, words_of
from .spelling import Spelling
from .tables import TABLES, listed, script_of, shown
from .training import TrainingText

if TYPE_CHECKING:
    from .fitting import Fitting

CANNOT = "I cannot: "
BLANK = "it is blank; expected a sentence"
MOST_CHARACTERS: int = TABLES["most_characters"]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A text as a model reads it, with its changes, its unknown parts, or why it is refused."""

    sentences: tuple[str, ...] = ()
    """What is translated, one after the other; none if the text is refused."""
    changes: tuple[str, ...] = ()
    """What was read in another way that means the same."""
    unknown_words: tuple[str, ...] = ()
    """Words that training did not have."""
    unknown_characters: tuple[str, ...] = ()
    """Characters that training did not have, and faces such as ":)"; they are left out."""
    refusal: str | None = None
    """Why it cannot be translated, in one sentence."""

    def within(self, lengths: Iterable[int], limit: int) -> "Reading":
        """Return the reading, refused if one of the lengths in tokens is more than `limit`."""
        longest = max(lengths, default=0)
        refusal = f"it has {longest} tokens; the model takes at most {limit}"
        return replace(self, sentences=(), refusal=refusal) if longest > limit else self


class TextPolicy:
    """How text is read for a model whose training text is described.

    Where nothing is known of it, text is only made tidy.
    """

    def __init__(self, training_text: TrainingText | None = None) -> None:
        self.training_text = training_text or TrainingText()
        self._cased = any(word != word.lower() for word in self.training_text.words)
        self._spelling = Spelling(self.training_text)
        stems = (stem for each in self.training_text.paradigms for stem in each.stems)
        self.known_count = len({*self._spelling.spellings, *stems})

    @classmethod
    def load(cls, path: Path | str) -> "TextPolicy":
        """Read the text.json of a model or an export. Raises ValueError for another file."""
        content = json.loads(Path(path).read_text("utf-8"))
        return cls(TrainingText.from_dict(content))

    def read(self, text: str) -> Reading:
        """Return how the model reads a text; if it cannot, the reading has a refusal."""
        from .fitting import Fitting  # noqa: PLC0415 - a run that trains reads no text

        if len(text) > MOST_CHARACTERS:
            return Reading(
                refusal=f"it has {len(text):,} characters; expected at most {MOST_CHARACTERS:,}"
            )
        try:
            known = self.training_text.characters and self.training_text.most_sentences == 1
            given = without_blank_lines(text) if known else text
            plain, changes = tidy(given)
        except ValueError as error:
            return Reading(refusal=str(error))
        if not plain:
            return Reading(refusal=BLANK)
        fitting = Fitting(self._spelling, (*[PARAGRAPHS] * (given != text), *changes))
        sentences = fitting.sentences(plain) if self.training_text.characters else [plain]
        words = words_of(" ".join(sentences))
        refusal = self._refusal(sentences, words, fitting)
        return Reading(
            sentences=() if refusal else tuple(sentences),
            changes=tuple(dict.fromkeys(fitting.changes)),
            unknown_words=self.unknown_words(words),
            unknown_characters=tuple(dict.fromkeys(fitting.left_out)),
            refusal=refusal,
        )

    def _refusal(
        self, sentences: Collection[str], words: list[str], fitting: "Fitting"
    ) -> str | None:
        """Return why no translation can be right, because training had nothing of this kind."""
        letters = "".join(words)
        if self.training_text.characters:
            if odd := fitting.unseen_letter(letters):
                script = script_of(odd)
                name = f"a letter of the script {script}" if script else "a letter"
                return (
                    f"{CANNOT}'{odd}' is {name}, and this model's training text "
                    "has none of that script"
                )
            if odd_marks := fitting.unseen_symbols(sentences):
                verb = "occurs" if len(odd_marks) == 1 else "occur"
                names = listed([shown(mark) for mark in odd_marks])
                return f"{CANNOT}{names} never {verb} in this model's training text"
            if not self.training_text.wordless and not any(map(str.isalpha, letters)):
                return f"{CANNOT}there is no word in it"
        spelled = [word for word in words if any(map(str.isalpha, word))]
        strange = [word for word in spelled if self._spelling.is_strange(word)]
        enough = len(strange) > 1 and 2 * len(strange) >= len(spelled)
        if self.training_text.knows_words and strange and (enough or len(strange) == len(spelled)):
            return CANNOT + self.about_words(dict.fromkeys(strange))
        return None

    def unknown_words(self, words: Iterable[str]) -> tuple[str, ...]:
        """Return those words that training did not have, each once; none if it is not known.

        Where no known word has a capital, nothing is known of capitals, and they do not count.
        """
        known = self.training_text
        if not known.knows_words:
            return ()
        unknown = dict.fromkeys(word for word in words if not known.has_word(word))
        return tuple(word for word in unknown if self._cased or word.lower() not in known.words)

    def about(self, reading: Any) -> list[str]:
        """Return sentences about the unknown words and characters of a `Reading` or translation."""
        sentences = []
        if reading.unknown_characters:
            names = [shown(character) for character in reading.unknown_characters]
            verbs = ("occurs", "is") if len(names) == 1 else ("occur", "are")
            sentences.append(
                f"{listed(names)} never {verbs[0]} in this model's training text "
                f"and {verbs[1]} left out"
            )
        if reading.unknown_words:
            sentences.append(self.about_words(reading.unknown_words))
        return sentences

    def about_words(self, unknown: Collection[str]) -> str:
        """Return a sentence about unknown words, such as "pizza is not among the 9 words ...".

        A word that is known in another spelling is named with it: "Doctor is known
        only as doctor". Where stems are known, the words are forms of these.
        """
        clauses = []
        if never := [word for word in unknown if self._spelling.is_strange(word)]:
            verb = "is" if len(never) == 1 else "are"
            known = f"{self.known_count:,} words"
            if self.training_text.paradigms:
                known = f"forms of the {known} and stems"
            clauses.append(f"{listed(never)} {verb} not among the {known} of this model")
        others = [word for word in unknown if self._spelling.of(word)]
        pairs: list[str] = []
        for word in others:
            names = " or ".join(self._spelling.of(word))
            verb = "" if pairs else "is known "  # the first clause has it for all
            pairs.append(f"{word} {verb}only as {names}")
        if pairs:
            clauses.append(", ".join(pairs))
        return "; ".join(clauses)
