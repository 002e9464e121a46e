"""Why a translation may be wrong: how much the model doubts it, and which words it leaves out.

The search knows already how much a model doubts what it wrote:

    doubt = -log P(translation | source) / (number of tokens, EOS included)

in nats a token. A model that was trained with label smoothing 0.1 never gives a token more than
about 0.9, so that even where it is sure its doubt is about 0.1. Above the threshold that is stored
with a model its translations were often wrong (`experiments/doubt.py`).

A source word that training nearly always translated has a few target tokens of which one was there.
If a translation has none of them, the word is lost: *She painted the fence green* became the Korean
of *She painted the fence*, with no doubt in any token that was written. Which words and tokens
these are is measured after training (`experiments/coverage.py`). Left out: what a translation adds.

Sources: Fomicheva et al. 2020 (TP, the doubt with the other sign); Tu et al. 2016, who keep count
of what was read while they translate.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from annotated_transformer.checks import is_whole, shown
from annotated_transformer.decoding.hypotheses import Hypothesis
from annotated_transformer.text import listed, words_of


def doubt(hypothesis: Hypothesis) -> float:
    """Return the negative log probability of a hypothesis per token, in nats: 0 or more."""
    tokens = len(hypothesis.ids) + hypothesis.finished
    return -hypothesis.log_probability / max(tokens, 1)


def about_doubt(value: float, threshold: float) -> str:
    """Return why a translation may be wrong, as a part of a sentence."""
    return (
        f"the model doubts it ({value:.2f} nats a token; above {threshold:.2f} it is often wrong)"
    )


@dataclass(frozen=True)
class Coverage:
    """What the translations of source words have."""

    tokens: Mapping[str, frozenset[int]]
    """For a source word in lower case, the ids of which its translation has at least one."""

    @classmethod
    def from_dict(cls, content: Mapping[str, Any], vocab_size: int) -> "Coverage":
        """Make what `to_dict` returned. Raises ValueError for anything else."""
        for word, ids in content.items():
            sound = isinstance(ids, list) and all(is_whole(word, i) for i in ids)
            if not (sound and ids and min(ids) >= 0 and max(ids) < vocab_size):
                raise ValueError(
                    f"{word!r} has the tokens {shown(ids)}; expected a list of whole numbers from "
                    f"0 to {vocab_size - 1}"
                )
        return cls({word: frozenset(ids) for word, ids in content.items()})

    def to_dict(self) -> dict[str, list[int]]:
        """Return plain values, for a file."""
        return {word: sorted(ids) for word, ids in sorted(self.tokens.items())}

    def left_out(self, sentence: str, ids: Collection[int]) -> list[str]:
        """Return the words of a sentence for which none of the ids of its translation stands."""
        here = ((word, self.tokens.get(word.lower())) for word in words_of(sentence))
        return [word for word, tokens in here if tokens and tokens.isdisjoint(ids)]


def about_left_out(words: Collection[str]) -> str:
    """Return why a translation may be wrong that leaves out words, as a part of a sentence."""
    return f"nothing in the translation stands for {listed(words)}"
