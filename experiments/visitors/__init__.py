"""Sentences that visitors of the landing page might type, and what a Korean reader says of outputs.

`sentences.tsv` has their kind and the sentences. They were written before any model read them.
`judgements.tsv` says of a sentence and a translation whether it is right, with a word of reason
where it is wrong: a meaning is lost, added or changed, or it is no Korean. Style does not count.
`known_words.tsv` has in the same form 200 sentences that were judged before, of known words only.
Another model writes other translations; their lines are added to `judgements.tsv`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent
KNOWN_WORDS = "known words"
"""The kind of the sentences that were judged before; none is kept for the end."""
NOT_ENGLISH = frozenset({"language", "markup", "sum", "nonsense"})
"""Kinds of which no translation is right, except where they are English after all."""


@dataclass(frozen=True, kw_only=True)
class Visitor:
    """A sentence that a visitor might type."""

    kind: str
    sentence: str

    @property
    def kept(self) -> bool:
        """Whether it is of the third that is kept for the end."""
        number = int(sha256(self.sentence.encode()).hexdigest(), 16)
        return number % 3 == 0 and self.kind != KNOWN_WORDS


def visitors() -> list[Visitor]:
    """All sentences of both lists."""
    rows = [*_rows("sentences"), *([KNOWN_WORDS, row[0]] for row in _rows("known_words"))]
    return [Visitor(kind=kind, sentence=sentence) for kind, sentence in rows]


def judgements() -> Mapping[tuple[str, str], bool]:
    """Whether a translation is right, by sentence and translation.

    Raises:
        ValueError: a line is not sentence, translation, right or wrong, and perhaps a reason; or
            a translation is judged twice and differently.
    """
    found: dict[tuple[str, str], bool] = {}
    for name in ("known_words", "judgements"):
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
