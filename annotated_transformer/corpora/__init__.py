"""Where sentence pairs come from: an embedded English-Korean grammar, and files."""

from dataclasses import dataclass


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


__all__ = ["SentencePair"]
