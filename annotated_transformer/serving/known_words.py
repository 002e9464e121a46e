"""The words that a model was trained on, so that it can say which ones it has never seen.

A word is what stands between spaces, in lower case and without punctuation at its edges; an
apostrophe within it stays (don't). Left out: spelling mistakes, and words seen only rarely.
"""

from collections.abc import Collection, Iterable

MOST = 50_000
"""More different words than that are not kept: such a corpus teaches pieces rather than words."""
EDGES = ".,;:?!\"'()[]{}<>«»“”‘’…-–—"


def words_of(text: str) -> list[str]:
    """Return the words of a text in the form in which they are compared."""
    plain = text.lower().replace("\u2019", "'")
    stripped = (word.strip(EDGES) for word in plain.split())
    return [word for word in stripped if word]


def known_words(texts: Iterable[str]) -> frozenset[str]:
    """Return the different words of the texts, none if there are more than `MOST`."""
    known: set[str] = set()
    for text in texts:
        known.update(words_of(text))
        if len(known) > MOST:
            return frozenset()
    return frozenset(known)


def unknown_words(text: str, known: Collection[str]) -> tuple[str, ...]:
    """Return the words of the text that are not known, each once; none if nothing is known."""
    if not known:
        return ()
    return tuple(
        dict.fromkeys(word for word in words_of(text) if word not in known)
    )


def about_unknown(unknown: Collection[str], n_known: int) -> str:
    """Return a sentence about unknown words, such as "pizza is not among the 9 words ..."."""
    *first, last = unknown
    names = f"{', '.join(first)} and {last}" if first else last
    verb = "are" if first else "is"
    return f"{names} {verb} not among the {n_known:,} words of this model"
