"""What the training text of a model had, in words, characters and marks."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from .lines import cut, sentences_of
from .tables import MARKS, of_a_word, script_of

if TYPE_CHECKING:
    from .stems import Paradigm

MOST = 50_000
"""More different words than that are not kept: such a corpus teaches pieces."""
LONGEST_MARKS = 4
"""Longer rows of marks are not kept."""
LARGEST = 2**31
"""No line has more words or tokens."""
_MAY_END = re.compile(r"[.?!]\S* ")
_LATIN = re.compile(r"[A-Za-z][A-Za-z']*")
_NOT_LATIN = re.compile("[\u0370-\u1dff\u2e80-\uffef]")


@dataclass(frozen=True, kw_only=True)
class TrainingText:
    """What the source side of a training split had; stored with the model as text.json.

    Nothing is known of the training text of a model that came without it.
    """

    words: frozenset[str] = frozenset()
    """As they are spelled; none if there were more than `MOST`."""
    paradigms: "tuple[Paradigm, ...]" = ()
    """Stems and endings of Korean; `words` are those that are made of none of them."""
    characters: str = ""
    """All of them, in order; empty if nothing is known of them."""
    before: frozenset[str] = frozenset()
    """Marks that stood before a word."""
    after: frozenset[str] = frozenset()
    """Marks that stood after a word other than the last."""
    end: frozenset[str] = frozenset()
    """Marks that stood after the last word."""
    alone: frozenset[str] = frozenset()
    """Marks that stood between spaces."""
    inside: frozenset[str] = frozenset()
    """What else than letters and digits stood within a word."""
    wordless: bool = False
    """Whether there was a line without any letter."""
    most_sentences: int = 0
    """On one line."""
    longest_words: int = 0
    """Words of the longest line."""
    longest_tokens: int = 0
    """Tokens of the longest line, its end included."""

    @classmethod
    def of(
        cls, lines: Iterable[str], *, longest_tokens: int = 0, copied: Collection[str] = ()
    ) -> "TrainingText":
        """Describe the lines that a model is trained on.

        The words in `copied` are not among its words (see `copied_words`). Korean
        words are kept as stems and endings (see `paradigms_of`).
        """
        from .stems import paradigms_of  # noqa: PLC0415 - a run that goes on describes no text

        words: set[str] = set()
        characters: set[str] = set()
        tokens: dict[str, set[str]] = {"inner": set(), "last": set()}
        wordless, sentences, longest = False, 0, 0
        for line in lines:
            *inner, last = line.split(" ")
            tokens["inner"].update(inner)
            tokens["last"].add(last)
            characters.update(line)
            longest = max(longest, len(inner) + 1)
            if sentences < 2 and (not sentences or _MAY_END.search(line)):
                sentences = max(sentences, len(sentences_of(line)))
            wordless = wordless or not any(map(str.isalpha, line))
        before, after, end, alone, inside = (set[str]() for _ in range(5))
        for position, distinct in tokens.items():
            for token in distinct:
                first, word, rest = cut(token)
                words.add(word.replace("\u2019", "'"))
                (before if word else alone).add(first)
                (after if position == "inner" else end).add(rest)
                inside.update(c for c in word if c in MARKS or not of_a_word(c))
        short = [
            frozenset(each for each in marks if 0 < len(each) <= LONGEST_MARKS)
            for marks in (before, after, end, alone)
        ]
        words -= {"", *copied}
        others, paradigms = paradigms_of(words if len(words) <= MOST else ())
        return cls(
            words=others,
            paradigms=paradigms,
            characters="".join(sorted(characters)),
            **dict(zip(("before", "after", "end", "alone"), short, strict=True)),
            inside=frozenset(inside),
            wordless=wordless,
            most_sentences=sentences,
            longest_words=longest,
            longest_tokens=longest_tokens,
        )

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "TrainingText":
        """Make a description of what `to_dict` returned. Raises ValueError for anything else."""
        kinds = {each.name: type(each.default) for each in fields(cls)}
        values = dict(content)
        for name, value in content.items():
            if name == "paradigms" and isinstance(value, list):
                from .stems import Paradigm  # noqa: PLC0415 - few models read Korean

                with suppress(ValueError):  # then it stays a list, and is refused below
                    values[name] = tuple(map(Paradigm.from_dict, value))
            elif isinstance(value, list) and all(isinstance(x, str) for x in value):
                values[name] = frozenset(value)
            size = value if type(value) is int else 0
            right_kind = type(values[name]) is kinds.get(name)
            if not (right_kind and 0 <= size < LARGEST):
                raise ValueError(
                    f"{name!r} describes no training text: {str(value)[:40]!r}; expected what "
                    "was saved with the model"
                )
        return cls(**values)

    def __or__(self, other: "TrainingText") -> "TrainingText":
        """Describe both texts together; what is unknown of one of them is unknown."""
        words, characters = self.words | other.words, self.characters
        paradigms = tuple(dict.fromkeys(self.paradigms + other.paradigms))
        if not (self.knows_words and other.knows_words) or len(words) > MOST:
            words, paradigms = frozenset(), ()
        if characters and other.characters:
            characters = "".join(sorted({*characters, *other.characters}))
        else:
            characters = ""
        both: dict[str, Any] = {
            name: getattr(self, name) | getattr(other, name)
            for name in ("before", "after", "end", "alone", "inside", "wordless")
        }
        for name in ("most_sentences", "longest_words", "longest_tokens"):
            both[name] = max(getattr(self, name), getattr(other, name))
        return TrainingText(words=words, paradigms=paradigms, characters=characters, **both)

    def followed_by(self, later: "TrainingText") -> "TrainingText":
        """Describe what a model had that was trained on this text and on `later` after it.

        If the later text is written in another script, the model has learned another language
        since, and the later text alone counts.
        """
        scripts = {_script(self.characters), _script(later.characters)}
        return self | later if len(scripts) == 1 or None in scripts else later

    @property
    def knows_words(self) -> bool:
        """Whether it is known which words there were."""
        return bool(self.words or self.paradigms)

    def has_word(self, word: str) -> bool:
        """Return whether a word was there, or is made of a stem and an ending that were."""
        if word in self.words:
            return True
        unseen = self.characters and set(word) - set(self.characters)
        return not unseen and any(word in each for each in self.paradigms)

    def to_dict(self) -> dict[str, Any]:
        """Return a description of plain values, for a file; without paradigms if it has none."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        if paradigms := values.pop("paradigms"):
            values["paradigms"] = [each.to_dict() for each in paradigms]
        return {
            name: sorted(value) if isinstance(value, frozenset) else value
            for name, value in values.items()
        }


def _script(characters: str) -> str | None:
    """Return the script of most of the letters."""
    scripts = Counter(filter(None, map(script_of, characters)))
    return max(scripts, key=scripts.__getitem__, default=None)


def copied_words(pairs: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return the source words that every translation repeats in Latin letters among others.

    `pairs` are source and target lines. An invented name in Korean text teaches a
    model to copy, not what the name means: such a word is not known. Where source
    and target are both written in Latin letters there are none.
    """
    copied, translated = set[str](), set[str]()
    for source, target in pairs:
        is_other = _NOT_LATIN.search(target)
        repeated = set(_LATIN.findall(target)) if is_other else set()
        for token in source.split(" "):
            word = cut(token)[1].replace("\u2019", "'")
            is_copied = repeated and not repeated.isdisjoint(
                {word, word.removesuffix("'s"), word.removesuffix("'")}
            )
            (copied if is_copied else translated).add(word)
    return frozenset(copied - translated)
