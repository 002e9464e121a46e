"""Stems and endings of Korean: a word may be known in a form that training did not have.

Korean writes particles and endings onto a word: 학생 (a student) is 학생이, 학생을,
학생입니다. A training text has only some forms of each word, but all of its endings
with many other words. So its forms are kept as stems and what may follow them.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

_SYLLABLES = re.compile("[\uac00-\ud7a3]+")
_FIRST, _FINALS, _BEFORE_FINALS = 0xAC00, 28, 0x11A7
"""Unicode has each syllable 28 times: without a last consonant, and with one of 27."""
_VOWEL, _RIEUL, _CONSONANT = "vowel", "ㄹ", "consonant"
_KINDS: tuple[Mapping[str, str], ...] = (
    # Nouns: who does it, to what, with whom, than what.
    {_VOWEL: "가 를 와 보다", _RIEUL: "이 을 과 보다", _CONSONANT: "이 을 과 보다"},
    # Verbs and adjectives.
    {
        _VOWEL: "지 기 게 자 던 \u11ab다 \u11af",
        _RIEUL: "지 기 게 자 었다 았다",
        _CONSONANT: "지 기 게 자 는다 을 습니다",
    },
    # The same with 아 or 어, such as 마셔 and 했 (without its last consonant, 해).
    {_VOWEL: "서 야 \u11bb다 \u11bb습니다"},
)
"""Endings that say of which kind a stem is, by the sound it ends with."""
_COPULAS = ("이", "이어", "여")
"""What 이다 (to be) adds to a noun; this is no verb of its own."""
NEEDED = 2
"""Endings of its kind that a stem was seen with."""
FEWEST, SHARE = 5, 0.05
"""Stems of one kind, and which part of them, that an ending was seen with."""


@dataclass(frozen=True, kw_only=True)
class Paradigm:
    """Stems, each of which may have each of the endings: that is a known word."""

    stems: frozenset[str]
    """Such as 학생; one need not be a word."""
    endings: frozenset[str]
    """Such as 은 and 입니다; an empty one if the stem is a word. One may begin with a
    consonant that closes the last syllable of the stem (U+11A8 to U+11C2)."""

    def __contains__(self, word: str) -> bool:
        """Return whether a word is one of the stems with one of the endings."""
        return any(stem in self.stems and end in self.endings for stem, end in _cuts(word))

    @classmethod
    def from_dict(cls, content: Any) -> "Paradigm":
        """Make one of what `to_dict` returned. Raises ValueError for anything else."""
        named = isinstance(content, dict) and content.keys() == {"stems", "endings"}
        lists = content.values() if named else [None]
        if not all(isinstance(x, list) and all(isinstance(y, str) for y in x) for x in lists):
            raise ValueError("expected stems and endings, both lists of strings")
        return cls(**{name: frozenset(strings) for name, strings in content.items()})

    def to_dict(self) -> dict[str, list[str]]:
        """Return plain values, for a file."""
        return {"stems": sorted(self.stems), "endings": sorted(self.endings)}


def paradigms_of(words: Collection[str]) -> tuple[frozenset[str], tuple[Paradigm, ...]]:
    """Find stems and endings in Korean words; return what is made of none, and them.

    A stem was seen with at least `NEEDED` of the endings that only its kind has
    (nouns, verbs, verbs with 아 or 어). What followed many stems of that kind and of
    the same last sound, and of no other kind, may follow all of these.
    """
    seen: dict[str, set[str]] = defaultdict(set)
    for word in words:
        for stem, ending in _cuts(word):
            seen[stem].add(ending)
    groups = _groups(seen)
    times = Counter(stem for stems in groups for stem in stems)
    rest, paradigms = set(words), []
    for stems in groups:
        alone = [stem for stem in stems if times[stem] == 1]
        counts = Counter(ending for stem in alone for ending in seen[stem])
        least = max(FEWEST, SHARE * len(alone))
        usual = frozenset(ending for ending, count in counts.items() if count >= least)
        if usual:
            paradigms.append(Paradigm(stems=stems, endings=usual))
            rest -= {normalize("NFC", stem + end) for stem in stems for end in usual & seen[stem]}
    return frozenset(rest), tuple(paradigms)


def is_korean(word: str) -> bool:
    """Return whether a word has syllables of Hangul and nothing else."""
    return bool(_SYLLABLES.fullmatch(word))


def bends(word: str, paradigms: Iterable[Paradigm]) -> bool:
    """Return whether a word is a stem with an ending after it, and so not the stem alone."""
    return any(
        ending and stem in each.stems and ending in each.endings
        for stem, ending in _cuts(word)
        for each in paradigms
    )


def _groups(seen: Mapping[str, Set[str]]) -> list[frozenset[str]]:
    """Return the stems of each kind and sound, from the endings that were seen after each."""
    groups: list[frozenset[str]] = []
    copulas: set[str] = set()
    for kind in _KINDS:
        found: dict[str, set[str]] = {sound: set() for sound in kind}
        probes = {sound: frozenset(endings.split()) for sound, endings in kind.items()}
        for stem, endings in seen.items():
            sound = _sound(stem)
            if len(endings & probes.get(sound, frozenset())) >= NEEDED and stem not in copulas:
                found[sound].add(stem)
        groups += map(frozenset, found.values())
        copulas = copulas or {noun + be for nouns in groups for noun in nouns for be in _COPULAS}
    return groups


def _cuts(word: str) -> Iterator[tuple[str, str]]:
    """Yield each way to cut a Korean word in two, also before the last consonant of a syllable."""
    if not _SYLLABLES.fullmatch(word):
        return
    for i, syllable in enumerate(word, start=1):
        if final := (ord(syllable) - _FIRST) % _FINALS:
            yield word[: i - 1] + chr(ord(syllable) - final), chr(_BEFORE_FINALS + final) + word[i:]
        yield word[:i], word[i:]


def _sound(stem: str) -> str:
    """Return what a stem ends with; an empty string for one with an ending of the past."""
    final = (ord(stem[-1]) - _FIRST) % _FINALS
    return {0: _VOWEL, 8: _RIEUL, 20: ""}.get(final, _CONSONANT)
