"""Which source word a target word attends to, and how far that is from a word alignment.

Attention between tokens becomes attention between words, this becomes a set of links, and the links
are compared with a gold alignment by the alignment error rate. Words are split at single spaces.
Left out: learned combinations of heads, and links that need both directions of translation.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from annotated_transformer.tokenizer import Tokenizer

Link = tuple[int, int]
"""(source word, target word), counted from 0."""


@dataclass(frozen=True, kw_only=True)
class WordAttention:
    """The cross-attention of a model, averaged over its heads, between words.

    Nothing is renormalised: each row of `weights` and its value in `end_of_source` sum to 1.
    """

    source_words: tuple[str, ...]
    target_words: tuple[str, ...]
    weights: Float[Tensor, "target_words source_words"]
    end_of_source: Float[Tensor, " target_words"]
    """The attention to the end-of-sentence token of the source."""


def word_attention(
    weights: Float[Tensor, "target source"],
    source_spans: Sequence[tuple[int, int]],
    target_spans: Sequence[tuple[int, int]],
) -> Float[Tensor, "target_words source_words"]:
    """Merge attention between tokens into attention between words.

    A word is a span [start, stop) of tokens. The attention paid to a source word is the sum over
    its tokens; the attention a target word pays is the mean over its tokens, so that rows which
    sum to 1 still do when the source words cover all tokens.

    Raises:
        ValueError: a span is empty or reaches beyond the matrix.
    """
    columns = _membership(source_spans, weights.shape[1], "source").to(weights)
    rows = _membership(target_spans, weights.shape[0], "target").to(weights)
    return (rows / rows.sum(dim=1, keepdim=True)) @ weights @ columns.T


def between_words(
    tokenizer: Tokenizer, source: str, target: str, weights: Float[Tensor, "target source"]
) -> WordAttention:
    """Merge token attention, whose last column is the source's EOS, into word attention."""
    source_spans = tokenizer.word_spans(source)
    target_spans = tokenizer.word_spans(target)
    end = [(weights.shape[1] - 1, weights.shape[1])]
    return WordAttention(
        source_words=tuple(source.split(" ")),
        target_words=tuple(target.split(" ")),
        weights=word_attention(weights, source_spans, target_spans),
        end_of_source=word_attention(weights, end, target_spans)[:, 0],
    )


def _membership(
    spans: Sequence[tuple[int, int]], length: int, side: str
) -> Bool[Tensor, "words {length}"]:
    """Mark which tokens belong to which word."""
    for start, stop in spans:
        if not 0 <= start < stop <= length:
            raise ValueError(
                f"the {side} span ({start}, {stop}) holds no token or reaches beyond the "
                f"{length} {side} tokens of the attention matrix"
            )
    positions = torch.arange(length)
    bounds = torch.tensor(spans, dtype=torch.long).reshape(-1, 2)
    return (bounds[:, :1] <= positions) & (positions < bounds[:, 1:])


def aligned_words(attention: Float[Tensor, "target_words source_words"]) -> set[Link]:
    """Link each target word to the source word it attends to most, the first if several do.

    Each target word gets exactly one link. A word that the gold alignment leaves unaligned or
    aligns with two words therefore costs some alignment error.

    Raises:
        ValueError: there is no source word.
    """
    if attention.shape[1] == 0:
        raise ValueError("there are no source words to align with")
    best: list[int] = attention.argmax(dim=1).tolist()
    return {(source, target) for target, source in enumerate(best)}


def alignment_error_rate(
    predicted: Sequence[AbstractSet[Link]], gold: Sequence[AbstractSet[Link]]
) -> float:
    """Return 1 - 2 |A and S| / (|A| + |S|), counted over all sentences: 0 is perfect, 1 disjoint.

    All gold links S are sure ones. (With sure and possible links S and P the formula is
    1 - (|A and S| + |A and P|) / (|A| + |S|); here P = S.)

    Raises:
        ValueError: the numbers of sentences differ, or there is no link at all.

    Source: Och and Ney 2003.
    """
    if len(predicted) != len(gold):
        raise ValueError(f"{len(predicted)} predicted alignments for {len(gold)} gold alignments")
    both = sum(len(a & s) for a, s in zip(predicted, gold, strict=True))
    total = sum(map(len, predicted)) + sum(map(len, gold))
    if total == 0:
        raise ValueError("neither the predicted nor the gold alignments have a link")
    return 1 - 2 * both / total
