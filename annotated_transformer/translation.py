"""Texts before their translation, read and encoded, and their translations."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotated_transformer.checks import shown
from annotated_transformer.decoding.doubt import Coverage, about_doubt, about_left_out, doubt
from annotated_transformer.decoding.hypotheses import Hypothesis
from annotated_transformer.text import Reading, TextPolicy, tidy
from annotated_transformer.tokenizer import Tokenizer

_log = logging.getLogger(__name__)

Encode = Callable[[str], list[int]]


@dataclass(frozen=True, kw_only=True)
class Translation:
    """The translation of a text, and what may be wrong with it."""

    text: str
    """Empty if the text was refused."""
    finished: bool = True
    """False if the maximum length cut it off."""
    unknown_words: tuple[str, ...] = ()
    """Words of the source that the model was not trained on, if it came with its words."""
    unknown_characters: tuple[str, ...] = ()
    """Characters that it was not trained on and did not see."""
    changes: tuple[str, ...] = ()
    """What was read in another way that means the same, such as a no-break space."""
    refusal: str | None = None
    """Why the text cannot be translated, in one sentence."""
    doubt: float | None = None
    """Of the sentence that the model doubts most (decoding/doubt.py); None if it was refused."""
    doubts: tuple[str, ...] = ()
    """Why it may be wrong although all is known: it leaves out words, the doubt is over the model's
    threshold, or a sentence is longer than all that training had."""

    @property
    def doubtful(self) -> bool:
        """Whether it may be wrong: there is a doubt, something is unknown, or it is cut off."""
        unknown = self.unknown_words or self.unknown_characters
        return bool(self.doubts or unknown or not self.finished)


@dataclass(frozen=True)
class PreparedText:
    """A text as the model gets it: its reading, and the ids of each of its sentences."""

    reading: Reading
    ids: list[list[int]]

    def translated(
        self,
        best: Sequence[Hypothesis],
        tokenizer: Tokenizer,
        threshold: float | None = None,
        longest: int = 0,
        coverage: Coverage | None = None,
    ) -> Translation:
        """Return the translation, from the best hypothesis of each sentence.

        Its `doubts` name words that it leaves out by `coverage`, a doubt over `threshold` and a
        sentence of more than `longest` tokens. What is not given is not checked.
        """
        most = max(map(doubt, best), default=None)
        doubts = []
        if coverage is not None:
            pairs = zip(self.reading.sentences, best, strict=False)  # nothing of a refused text
            lost = [word for text, one in pairs for word in coverage.left_out(text, one.ids)]
            if lost:
                doubts.append(about_left_out(dict.fromkeys(lost)))
        if most is not None and threshold is not None and most > threshold:
            doubts.append(about_doubt(most, threshold))
        n_tokens = max(map(len, self.ids), default=0)
        if n_tokens > longest > 0:
            doubts.append(
                f"a sentence has {n_tokens} tokens, and none in training had more than {longest}"
            )
        return Translation(
            text=" ".join(tokenizer.decode(each.ids) for each in best),
            finished=all(each.finished for each in best),
            unknown_words=self.reading.unknown_words,
            unknown_characters=self.reading.unknown_characters,
            changes=self.reading.changes,
            refusal=self.reading.refusal,
            doubt=most,
            doubts=tuple(doubts),
        )


def prepare_texts(
    texts: Sequence[str], policy: TextPolicy, encode: Encode, name: str, limit: int
) -> list[PreparedText]:
    """Read and encode texts; one with a sentence of more than `limit` tokens is refused.

    Raises as `checked_texts` does.
    """
    prepared = []
    for text in checked_texts(texts, name):
        reading = policy.read(text)
        ids = [encode(sentence) for sentence in reading.sentences]
        reading = reading.within(map(len, ids), limit)
        prepared.append(PreparedText(reading, [] if reading.refusal else ids))
    return prepared


def checked_texts(texts: Sequence[str], name: str) -> Sequence[str]:
    """Return texts as a list. Raises ValueError for one string, or naming one that is none."""
    if isinstance(texts, str):
        raise ValueError(
            f"one string was given, {texts[:40]!r}; expected a list of them, such as [text]"
        )
    # A set has no order in which its texts could meet others; a table's keys are no list of texts.
    if not isinstance(texts, Iterable) or isinstance(texts, set | frozenset | Mapping):
        raise ValueError(f"{shown(texts)} was given; expected a list of texts, such as [text]")
    listed = list(texts)  # what can be read once is read here
    for number, text in enumerate(listed, start=1):
        if not isinstance(text, str):
            raise ValueError(f"{name} {number} is {shown(text)}; expected a sentence, in quotes")
    return listed


def check_accepted(texts: Sequence[PreparedText], name: str) -> None:
    """Raise ValueError for the first text that is refused, with its number from 1."""
    for number, each in enumerate(texts, start=1):
        if each.reading.refusal:
            raise ValueError(f"{name} {number}: {each.reading.refusal}")


def token_ids(texts: Sequence[str], encode: Encode, name: str, limit: int) -> list[list[int]]:
    """Return the ids of tidy texts; `name` is what a text is called in messages.

    Raises `ValueError` for a text that is blank, has more than `limit` tokens or a character that
    the tokenizer cannot keep, named by its number from 1, and for one string.
    """
    prepared = prepare_texts(texts, TextPolicy(), encode, name, limit)
    check_accepted(prepared, name)
    return [each.ids[0] for each in prepared]


def warn_of_unfinished(translations: Sequence[Translation]) -> None:
    """Log how many translations the maximum length cut off."""
    if unfinished := sum(not each.finished for each in translations):
        _log.warning(
            "%d of %d translations reached the maximum length without an end and are cut off",
            unfinished,
            len(translations),
        )


def prepare_pairs(
    pairs: Sequence[tuple[str, str]], policy: TextPolicy, tokenizer: Tokenizer, limit: int
) -> tuple[list[tuple[str, str]], list[list[int]], list[list[int]]]:
    """Return pairs of source and target as the model reads them, with the ids of both sides.

    The sentences of a text stay together; a target is only tidied. Raises `ValueError` if the pairs
    are none, or a text is refused or too long; it is named.
    """
    expected = "expected a list of pairs (source, target)"
    if not isinstance(pairs, Iterable):
        raise ValueError(f"{shown(pairs)} was given; {expected}")
    one_string = isinstance(pairs, str)
    pairs = list(pairs)  # what can be read once is read here
    for number, pair in enumerate(pairs, start=1):
        if one_string or not isinstance(pair, tuple | list) or len(pair) != 2:
            raise ValueError(f"pair {number} is {shown(pair)}; {expected}")
    encode_source = tokenizer.source_ids
    raw_sources = [source for source, _ in pairs]
    prepared = prepare_texts(raw_sources, policy, encode_source, "source line", limit)
    check_accepted(prepared, "source line")
    # The attention of a text is one matrix, so its sentences are read as one.
    sources = [" ".join(each.reading.sentences) for each in prepared]
    source_ids = token_ids(sources, encode_source, "source line", limit)

    def encode_target(text: str) -> list[int]:
        return tokenizer.target_ids(text)[:-1]

    targets = [target for _, target in pairs]
    target_ids = token_ids(targets, encode_target, "target line", limit)
    texts = [(source, tidy(target)[0]) for source, target in zip(sources, targets, strict=True)]
    return texts, source_ids, target_ids
