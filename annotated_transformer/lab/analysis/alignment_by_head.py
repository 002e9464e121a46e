"""How well each single head of the cross-attention agrees with a gold word alignment.

Chapter: *Encoder and decoder*. `evaluation.py` scores the mean of a layer's heads, this module each
head by itself. Left out: combinations of heads of several layers.
"""

from collections.abc import Sequence
from typing import Any, get_args

from annotated_transformer.alignment import (
    Link,
    aligned_words,
    alignment_error_rate,
    word_attention,
)
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.teacher_forcing import teacher_forced_attention
from annotated_transformer.translator import Step, Translator


def alignment_by_head(
    translator: Translator, pairs: Sequence[SentencePair]
) -> list[dict[str, Any]]:
    """Return the alignment error rate, in percent, of each decoder layer's heads, for both steps.

    The decoder is fed the reference translations. Returns one row per layer, step and head:
    {"layer", "step", "head", "AER"}, counted from 0; head None is the mean of the layer's heads.
    Steps are those of `Translator.attentions`.

    Raises:
        ValueError: no pairs, or a pair without a gold alignment.
    """
    if not pairs:
        raise ValueError("there are no sentence pairs to align")
    predicted: dict[tuple[int, str, int | None], list[set[Link]]] = {}
    gold = []
    for number, pair in enumerate(pairs, start=1):
        if pair.alignment is None:
            raise ValueError(f"sentence pair {number} has no gold alignment")
        gold.append(set(pair.alignment))
        for key, links in _links(translator, pair).items():
            predicted.setdefault(key, []).append(links)
    names = ("layer", "step", "head")
    return [
        dict(zip(names, key, strict=True)) | {"AER": 100 * alignment_error_rate(links, gold)}
        for key, links in predicted.items()
    ]


def even_alignment_error(pairs: Sequence[SentencePair]) -> float:
    """Return the alignment error rate, in percent, to expect of links that are drawn evenly.

    Each target word is linked to one source word, all equally likely: of the gold links of a pair,
    one in as many as it has source words is hit.

    Raises:
        ValueError: no pairs, or a pair without a gold alignment.
    """
    if not pairs:
        raise ValueError("there are no sentence pairs to align")
    hits, links = 0.0, 0
    for number, pair in enumerate(pairs, start=1):
        if pair.alignment is None:
            raise ValueError(f"sentence pair {number} has no gold alignment")
        hits += len(pair.alignment) / len(pair.source.split(" "))
        links += len(pair.alignment) + len(pair.target.split(" "))
    return 100 * (1 - 2 * hits / links)


def _links(
    translator: Translator, pair: SentencePair
) -> dict[tuple[int, str, int | None], set[Link]]:
    """Return the links of one pair by layer, step and head."""
    source_spans = translator.tokenizer.word_spans(pair.source)
    target_spans = translator.tokenizer.word_spans(pair.target)
    recorded = teacher_forced_attention(translator, pair.source, pair.target)
    links: dict[tuple[int, str, int | None], set[Link]] = {}
    for layer in range(translator.model.config.n_layers):
        weights = recorded[f"decoder.layers.{layer}.cross_attention"].float()
        for shift, step in enumerate(get_args(Step)):
            for head, rows in [(None, weights.mean(0)), *enumerate(weights)]:
                words = word_attention(rows[shift:], source_spans, target_spans)
                links[layer, step, head] = aligned_words(words)
    return links
