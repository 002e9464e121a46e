"""What `translations_in_training` shows, and what translations have of the right words."""

from collections import Counter
from collections.abc import Mapping, Sequence

from annotated_transformer.corpora import SentencePair
from experiments.study import Entry

CHAPTER = SentencePair(
    "The doctor met the judge who rode the camel",
    "그 의사는 그 낙타를 탄 판사를 만났다",
    ((0, 0), (1, 1), (2, 6), (4, 5), (5, 4), (6, 4), (7, 2), (8, 3)),
)
"""The sentence that the chapter watches; it is in no split."""
CONSTRUCTIONS = (
    *("transitive", "counting", "modal", "negation"),
    *("instrument", "because_object", "reported"),
)
"""Of each, the first sentence of the validation split that is no longer than the chapter's."""
BANDS = (20, 100, 500)
"""Training words by frequency: the 20 most frequent, the next 80, the next 400, all others."""


def shown(valid: Sequence[SentencePair]) -> list[SentencePair]:
    """The eight sentences whose translations are kept."""
    short = [p for p in valid if len(p.source.split()) <= len(CHAPTER.source.split())]
    return [CHAPTER, *(next(p for p in short if p.construction == c) for c in CONSTRUCTIONS)]


def gloss(pair: SentencePair) -> list[str]:
    """For each target word the source words that it translates."""
    source, links = pair.source.split(" "), pair.alignment or ()
    return [
        " ".join(source[i] for i, j in sorted(links) if j == place)
        for place, _ in enumerate(pair.target.split(" "))
    ]


def learned(texts: Sequence[str], targets: Sequence[str], frequency: Mapping[str, int]) -> Entry:
    """What translations have of the right ones; shares in percent.

    "found": of the right words of each band, wherever they stand; "unknown": words among those
    written that no training target has; "words": written in a sentence, the mean; "ending":
    sentences whose last letter is right; "other_order": sentences of the right words in a wrong
    order.
    """
    ranks = sorted(frequency, key=lambda word: -frequency[word])
    band = {word: sum(rank >= edge for edge in BANDS) for rank, word in enumerate(ranks)}
    due: Counter[int] = Counter()
    found: Counter[int] = Counter()
    ending = other_order = 0
    written = [word for text in texts for word in text.split()]
    for text, target in zip(texts, targets, strict=True):
        own, right = Counter(text.split()), Counter(target.split())
        for word, number in right.items():
            place = band.get(word, len(BANDS))
            due[place] += number
            found[place] += min(number, own[word])
        ending += text[-1:] == target[-1]
        other_order += own == right and text != target
    unknown = sum(word not in frequency for word in written)
    return {
        "found": [percent(found[place], due[place]) for place in range(len(BANDS) + 1)],
        "unknown": percent(unknown, len(written)),
        "words": round(len(written) / len(texts), 2),
        "ending": percent(ending, len(texts)),
        "other_order": other_order,
    }


def percent(part: int, whole: int) -> float | None:
    """A share, if there is anything to have a share of."""
    return round(100 * part / whole, 1) if whole else None
