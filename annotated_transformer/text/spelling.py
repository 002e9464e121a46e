"""The spelling that training had of a word: capitals that were typed for other reasons."""

from collections.abc import Sequence

from .tables import TABLES
from .training import TrainingText

SMALL = "capitals read as small letters"


class Spelling:
    """The words of a training text in all the spellings that it had of them.

    "Doctor" is other tokens than "doctor". So a word that is known, but not as it
    was typed, is read in the spelling that is known.
    """

    def __init__(self, training: TrainingText) -> None:
        self.training = training
        self.spellings: dict[str, list[str]] = {}
        for word in sorted(training.words):
            self.spellings.setdefault(word.lower(), []).append(word)

    def has(self, word: str) -> bool:
        """Return whether training had a word as it is spelled, with either apostrophe."""
        return self.training.has_word(word.replace("\u2019", "'"))

    def of(self, word: str) -> list[str]:
        """Return the spellings that training had of a word, whatever its capitals."""
        return self.spellings.get(word.replace("\u2019", "'").lower(), [])

    def is_strange(self, word: str) -> bool:
        """Return whether training had a word in no spelling and no form."""
        return not self.of(word) and not self.has(word)

    def known(self, words: Sequence[str]) -> tuple[list[str], list[str]]:
        """Return the words of a sentence as training spelled them, and what was changed.

        A sentence in capitals, Or With A Capital On Each Word, says nothing by them:
        all of it is read in small letters, where those are known. Elsewhere a word
        is changed only if it is unknown as it was typed.
        """
        cased = [word for word in words if word.lower() != word.upper()]
        unknown = any(self.of(word) and not self.has(word) for word in cased)
        heads = any(word.lower() in TABLES["small_words"] for word in cased[1:])
        upper = [len(word) > 1 and word == word.upper() for word in cased]
        large = all(word[0] != word[0].lower() for word in cased)
        loud = unknown and sum(upper) > 1 and all(word == word.upper() for word in cased)
        title = large and not any(upper) and (heads or (unknown and len(cased) > 2))
        if not (unknown or title):
            return list(words), []
        everywhere = loud or title
        spelled, changes = [], []
        for i, word in enumerate(words):
            after_the = i > 0 and words[i - 1].lower() == "the"
            # "in THE US": the article tells it from "give US the book".
            country = word == "US" and after_the and self.has(word)
            choice = word
            if (everywhere and not country) or not self.has(word):
                choice = self._choice(word, first=i == 0, everywhere=everywhere)
            spelled.append(choice)
            if choice != word:
                changes.append(SMALL if everywhere else f"'{word}' read as '{choice}'")
        return spelled, changes

    def _choice(self, word: str, *, first: bool, everywhere: bool) -> str:
        """Return the spelling to read a word in; the word itself where it is not clear."""
        spellings = self.of(word)
        if word in TABLES["initials"] and not everywhere:
            return word  # "He works in IT" has another word than "I did IT", so it is named
        small = word.replace("\u2019", "'").lower()
        capital = small[:1].upper() + small[1:]
        # A sentence begins with a capital; English writes I with one wherever it stands.
        begins = first and word[0] != word[0].lower()
        myself = everywhere and (small == "i" or small.startswith("i'"))
        likely = [capital, small] if begins or myself else [small]
        likely += spellings if len(spellings) == 1 else []  # of several none is clear
        choice = next((each for each in likely if each in spellings), "")
        if not choice:
            return word
        return choice.replace("'", "\u2019") if "\u2019" in word else choice
