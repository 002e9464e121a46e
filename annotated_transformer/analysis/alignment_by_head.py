"""How well each single head of the cross-attention agrees with a gold word alignment.

Chapter: *Encoder and decoder*. `evaluation.py` scores the mean of a layer's heads; here each head
speaks for itself. Left out: combinations of heads of several layers.
"""

from collections.abc import Sequence
from typing import Any, get_args

import torch

from annotated_transformer.alignment import (
    Link,
    aligned_words,
    alignment_error_rate,
    word_attention,
)
from annotated_transformer.corpora import SentencePair
from annotated_transformer.inspection import evaluation_mode, record_attention
from annotated_transformer.translator import Step, Translator


def alignment_by_head(
    translator: Translator, pairs: Sequence[SentencePair]
) -> list[dict[str, Any]]:
    """Alignment error rate, in percent, of each head of each decoder layer, for both steps.

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
        dict(zip(names, key, strict=True))
        | {"AER": 100 * alignment_error_rate(links, gold)}
        for key, links in predicted.items()
    ]


def _links(
    translator: Translator, pair: SentencePair
) -> dict[tuple[int, str, int | None], set[Link]]:
    model, tokenizer = translator.model, translator.tokenizer
    device = next(model.parameters()).device
    source = torch.tensor([tokenizer.source_ids(pair.source)], device=device)
    target = torch.tensor(
        [tokenizer.target_ids(pair.target)[:-1]], device=device
    )
    spans = tokenizer.word_spans(pair.source), tokenizer.word_spans(pair.target)
    with evaluation_mode(model), record_attention(model) as record:
        model(source, target)
    found: dict[tuple[int, str, int | None], set[Link]] = {}
    for layer in range(model.config.n_layers):
        weights = (
            record[f"decoder.layers.{layer}.cross_attention"][0].float().cpu()
        )
        for shift, step in enumerate(get_args(Step)):
            for head, own in [(None, weights.mean(0)), *enumerate(weights)]:
                words = word_attention(own[shift:], *spans)
                found[layer, step, head] = aligned_words(words)
    return found
