"""Where sentence pairs come from. A corpus is imported only when it is asked for by its name.

A corpus is an object with `splits()` and `pairs(split)`. `find_corpus` imports the module that has
it only then: who trains on two text files never loads the English-Korean grammar. Those that have a
name of their own lie in the laboratory.
"""

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

__all__ = ["CORPORA", "READING", "Corpus", "Pairs", "SentencePair", "find_corpus"]

READING = 2
"""Version of the reader: the same file may read differently in another one. Caches name it."""
CORPORA = {
    "english_korean": ("lab.corpora.english_korean.EnglishKorean", ("lexicon",)),
    "korean_english": ("lab.corpora.english_korean.korean_english.KoreanEnglish", ()),
    "files": ("corpora.files.ParallelFiles", ("splits",)),
    "tsv": ("corpora.files.TabSeparatedFiles", ("splits",)),
    "multi30k": ("lab.corpora.multi30k.Multi30k", ("variant", "languages")),
    "wmt14": ("lab.corpora.wmt14.WMT14", ("languages",)),
    "wsj": ("lab.corpora.wsj.WallStreetJournal", ()),
}
"""The class of each corpus, from the package, and the settings of a recipe that it takes."""


@dataclass(frozen=True)
class SentencePair:
    """A source sentence, its translation and, where known, more about the pair.

    `alignment` holds (source word, target word) positions, 0-based; words are `split(" ")`.
    `construction` is the label that the embedded grammar gives (`CONSTRUCTIONS` there).
    """

    source: str
    target: str
    alignment: tuple[tuple[int, int], ...] | None = None
    construction: str | None = None


@dataclass(frozen=True)
class Pairs:
    """The sentence pairs of a split, read anew each time that they are iterated over."""

    read: Callable[[], Iterable[SentencePair]]
    """Reads them, one at a time; `ValueError` for text that is malformed."""
    files: tuple[Path, ...] = ()
    """The files that hold them; none if a program makes them."""

    def __iter__(self) -> Iterator[SentencePair]:
        """Read the pairs one at a time."""
        return iter(self.read())


class Corpus(Protocol):
    """What every corpus can do."""

    def splits(self) -> tuple[str, ...]:
        """Return the names of its splits."""

    def pairs(self, split: str) -> Pairs:
        """Return the pairs of a split, whose files are fetched first if it is a download.

        Raises `OSError` if the files cannot be fetched, or are not there.
        """


def find_corpus(name: str, settings: Mapping[str, Any]) -> Corpus:
    """Return the corpus of a name in `CORPORA`; it takes its own settings and leaves the others."""
    path, own = CORPORA[name]
    module, _, kind = path.rpartition(".")
    corpus = getattr(importlib.import_module(f"annotated_transformer.{module}"), kind)
    return corpus(*(settings[setting] for setting in own))
