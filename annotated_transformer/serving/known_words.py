"""The words that a model was trained on, so that it can say which ones it has never seen.

A word is what stands between spaces, without punctuation at its edges; an apostrophe within it
stays (don't). Capitals count: "Doctor" is other tokens than "doctor", and a model that has seen
only the one cannot know the other. Left out: spelling mistakes, and words seen only rarely.
"""

import unicodedata
from collections.abc import Collection, Iterable

MOST = 50_000
"""More different words than that are not kept: such a corpus teaches pieces rather than words."""
EDGES = ".,;:?!\"'()[]{}<>«»“”‘’…-–—"
JOINER = "\u200d"


def words_of(text: str) -> list[str]:
    """Return the words of a text as they are spelled, in the form in which they are compared."""
    plain = text.replace("\u2019", "'")
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
    """Return the words of the text that are not known, each once; none if nothing is known.

    Where no known word has a capital, nothing is known of capitals, and they do not count.
    """
    if not known:
        return ()
    unknown = dict.fromkeys(w for w in words_of(text) if w not in known)
    if unknown and all(word == word.lower() for word in known):
        return tuple(word for word in unknown if word.lower() not in known)
    return tuple(unknown)


def about_unknown(unknown: Collection[str], known: Collection[str]) -> str:
    """Return a sentence about unknown words, such as "pizza is not among the 9 words ...".

    A word that is known in another spelling is named with it: "Doctor is known only as doctor".
    """
    spellings: dict[str, list[str]] = {}
    for word in sorted(known):
        spellings.setdefault(word.lower(), []).append(word)
    said = []
    if never := [_name(w) for w in unknown if w.lower() not in spellings]:
        *first, last = never
        names = f"{', '.join(first)} and {last}" if first else last
        verb = "are" if first else "is"
        said.append(
            f"{names} {verb} not among the {len(spellings):,} words of this model"
        )
    if others := [w for w in unknown if w.lower() in spellings]:
        pairs = (f"only as {' or '.join(spellings[w.lower()])}" for w in others)
        first_pair, *more = zip(others, pairs, strict=True)
        rest = "".join(f", {word} {other}" for word, other in more)
        said.append(f"{first_pair[0]} is known {first_pair[1]}{rest}")
    return "; ".join(said)


def _name(word: str) -> str:
    """The word as a reader can see it: characters without a picture are named by their codes."""
    kinds = [unicodedata.category(character) for character in word]
    seen, codes = "", []
    for character, kind, following in zip(
        word, kinds, [*kinds[1:], ""], strict=True
    ):
        # In an emoji of several the joiner is a part of the picture.
        joins = character == JOINER and following == "So"
        if kind in ("Cc", "Cf") and not joins:
            codes.append(f"U+{ord(character):04X}")
        else:
            seen += character
    named = " and ".join(dict.fromkeys(codes))
    return f"{seen} with {named}" if seen and named else seen or named
