"""Sentences that visitors of the landing page might type, and what a Korean reader says of outputs.

`sentences.tsv` has their kind and the sentences. They were written before any model read them.
`fresh.tsv` has more, written later by somebody who had seen neither the first list nor the grammar
of the open lexicon, which had grown by what the first list has; what both have was taken out.
`fresh_2.tsv` to `fresh_5.tsv` were written in the same way, later. Each list is
fresh for one model only: the next grammar grows by what it shows.
`judgements.tsv` says of a sentence and a translation whether it is right, with a word of reason
where it is wrong: a meaning is lost, added or changed, or it is no Korean. Style does not count.
`known_words.tsv` has in the same form 200 sentences that were judged before, of known words only.
`korean.tsv` has Korean ones, written by somebody who had seen neither a grammar nor a model, and
`korean_2.tsv` more, written later in the same way; `korean_judgements.tsv` says of their
translations into English whether they are right.
Another model writes other translations; their lines are added to `judgements.tsv`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent
KNOWN_WORDS = "known words"
"""The kind of the sentences that were judged before; none is kept for the end."""
NOT_LANGUAGE = frozenset({"language", "markup", "sum", "nonsense"})
"""Kinds of which no translation is right, except where they are the model's language after all."""


@dataclass(frozen=True, kw_only=True)
class Visitor:
    """A sentence that a visitor might type."""

    kind: str
    sentence: str
    kept: bool
    """Whether it is kept for the end."""


def visitors(*, fresh: bool = False) -> list[Visitor]:
    """The sentences of a study: of the first list a third is kept for the end.

    fresh: the freshest list is kept for the end, and nothing of the others.
    """
    rows = [*_rows("sentences"), *([KNOWN_WORDS, row[0]] for row in _rows("known_words"))]
    if not fresh:
        return [_visitor(row, kept=_of_the_third(*row)) for row in rows]
    rows += [row for name in ("fresh", "fresh_2", "fresh_3", "fresh_4") for row in _rows(name)]
    return [
        *(_visitor(row, kept=False) for row in rows),
        *(_visitor(row, kept=True) for row in _rows("fresh_5")),
    ]


def korean_visitors() -> list[Visitor]:
    """The Korean sentences of a study of the other direction: the second list is kept."""
    return [
        *(_visitor(row, kept=False) for row in _rows("korean")),
        *(_visitor(row, kept=True) for row in _rows("korean_2")),
    ]


def _visitor(row: Sequence[str], *, kept: bool) -> Visitor:
    kind, sentence = row
    return Visitor(kind=kind, sentence=sentence, kept=kept)


def _of_the_third(kind: str, sentence: str) -> bool:
    number = int(sha256(sentence.encode()).hexdigest(), 16)
    return number % 3 == 0 and kind != KNOWN_WORDS


def judgements(
    names: Sequence[str] = ("known_words", "judgements"),
) -> Mapping[tuple[str, str], bool]:
    """Whether a translation is right, by sentence and translation.

    names: of the files; `("korean_judgements",)` has those of translations into English.

    Raises:
        ValueError: a line is not sentence, translation, right or wrong, and perhaps a reason; or
            a translation is judged twice and differently.
    """
    found: dict[tuple[str, str], bool] = {}
    for name in names:
        for number, (sentence, translation, judgement, *_) in enumerate(_rows(name), start=1):
            right = {"right": True, "wrong": False}.get(judgement)
            if right is None or found.get((sentence, translation), right) != right:
                raise ValueError(
                    f"{name}.tsv, line {number}: {judgement!r}; expected right or wrong, "
                    "and the same wherever a translation is judged again"
                )
            found[sentence, translation] = right
    return found


def _rows(name: str) -> list[list[str]]:
    text = (FOLDER / f"{name}.tsv").read_text("utf-8")
    return [line.split("\t") for line in text.splitlines()]
