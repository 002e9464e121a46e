"""Whom a model takes "it" for, what carries that choice, and where heads look meanwhile.

Chapter: *Encoder and decoder*. A translation begins with the noun that "it" stands for, so the
choice is a comparison of two beginnings. Weights are described by `reach` and `following`; what
matters is found by changing something: rows of the memory (`transplanted`), or heads
(`without_heads` around `leaning`). Left out: changes inside the encoder between its layers.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from annotated_transformer.analysis.pronouns import WAYS, Span, Swap
from annotated_transformer.inspection import evaluation_mode, record_attention
from annotated_transformer.masks import causal_mask
from annotated_transformer.translator import Translator

PARTS = (
    "the subject's determiner",
    "the subject",
    "the verb",
    "the object's determiner",
    "the object",
    "because",
    "it",
    "was",
    "too, very",
    "the adjective",
    "the end",
)
"""What a *because* sentence consists of, in order; the end is its end-of-sentence token."""


def parts(translator: Translator, swap: Swap, way: int) -> dict[str, Span]:
    """Return the tokens [start, stop) of each part, in one of a swap's two sentences."""
    words = translator.tokenizer.word_spans(swap.sources[way])
    (_, subject_end), (thing, thing_end) = swap.nouns
    it = swap.pronoun[0]
    cuts = [
        0,
        1,
        subject_end,
        thing - 1,
        thing,
        thing_end,
        it,
        it + 1,
        it + 2,
        it + 3,
    ]
    ends = [words[cut - 1][1] for cut in cuts[1:]] + [
        words[-1][1],
        words[-1][1] + 1,
    ]
    starts = [0, *ends[:-1]]
    return dict(zip(PARTS, zip(starts, ends, strict=True), strict=True))


def leaning(
    translator: Translator, swaps: Sequence[Swap]
) -> Float[Tensor, "swaps 2"]:
    """How strongly each sentence of each swap is taken in the right way.

    The difference of two log-probabilities (nats), of the right opening and of the other one. The
    choice is right where it is positive; at 4.6 the right opening is a hundred times as likely.

    Raises:
        ValueError: no swaps.
    """
    return transplanted(translator, swaps, ())


def transplanted(
    translator: Translator,
    swaps: Sequence[Swap],
    taken: Collection[str],
    layers: Collection[int] | None = None,
) -> Float[Tensor, "swaps 2"]:
    """`leaning`, but the memory's rows of the parts `taken` come from the swap's other sentence.

    The decoder then reads a memory of two minds. With all parts taken, the sign is that of the
    other sentence; with none, nothing is changed. If `layers` are given, counted from 0, only
    these layers of the decoder read the exchanged rows.

    Raises:
        ValueError: no swaps, a part that is not one of `PARTS`, or a layer the decoder has not.

    Source: interchange of activations, Vig et al. 2020.
    """
    if not swaps:
        raise ValueError("there are no swaps to look at")
    if unknown := set(taken) - set(PARTS):
        raise ValueError(
            f"{unknown.pop()!r} is no part of a sentence; expected some of {PARTS}"
        )
    there = range(translator.model.config.n_layers)
    chosen = set(there if layers is None else layers)
    if unknown_layers := chosen.difference(there):
        raise ValueError(
            f"no layer {unknown_layers.pop()}: the decoder has {len(there)}, from 0"
        )
    by_layer = [taken if layer in chosen else () for layer in there]
    with evaluation_mode(translator.model):
        return torch.stack(
            [_leaning(translator, swap, by_layer) for swap in swaps]
        )


def _leaning(
    translator: Translator, swap: Swap, by_layer: Sequence[Collection[str]]
) -> Float[Tensor, " 2"]:
    memories = [_memory_by_part(translator, swap, way) for way in (0, 1)]
    odds = []
    for own in (0, 1):
        read = [
            torch.cat(
                [
                    memories[1 - own if part in taken else own][part]
                    for part in PARTS
                ]
            )
            for taken in by_layer
        ]
        opening = _log_probabilities(translator, read, swap.openings)
        odds.append(opening[own] - opening[1 - own])
    return torch.stack(odds)


def _memory_by_part(
    translator: Translator, swap: Swap, way: int
) -> dict[str, Float[Tensor, "rows d_model"]]:
    ids = translator.tokenizer.source_ids(swap.sources[way])
    memory = translator.model.encode(_batch(translator, [ids]))[0]
    return {
        part: memory[slice(*span)]
        for part, span in parts(translator, swap, way).items()
    }


def _log_probabilities(
    translator: Translator, memories: Sequence[Tensor], texts: Sequence[str]
) -> Float[Tensor, " texts"]:
    """Log-probability that the translation begins with each text; one memory for each layer."""
    model, found = translator.model, []
    for text in texts:
        ids = _batch(translator, [translator.tokenizer.target_ids(text)[:-1]])
        y = model.target_positions(model.target_embedding(ids[:, :-1]))
        causal = causal_mask(y.size(1), y.device)[None, None]
        for layer, memory in zip(model.decoder.layers, memories, strict=True):
            y = layer(
                y, memory[None], causal, causal.new_ones(1, 1, 1, len(memory))
            )
        logits = model.output(model.decoder.final_norm(y))
        chosen = logits[0].log_softmax(-1).gather(1, ids[:, 1:].mT)
        found.append(chosen.sum().double())
    return torch.stack(found).cpu()


def _batch(translator: Translator, ids: Sequence[Sequence[int]]) -> Tensor:
    return torch.tensor(ids, device=next(translator.model.parameters()).device)


def reach(
    translator: Translator, swaps: Sequence[Swap]
) -> list[dict[str, Any]]:
    """How much of its weight each head gives to each part, on average over the swaps, in percent.

    In the encoder the query is "it". In the cross-attention it is the first row of the decoder,
    which has seen nothing yet but the begin of the sentence and writes the first token.

    Returns one row per attention, head, part and reading ("it" is the "subject" or the "object"):
    {"attention", "head", "part", "reading", "share"}; heads count from 0.

    Raises:
        ValueError: no swaps.
    """
    if not swaps:
        raise ValueError("there are no swaps to look at")
    total: dict[tuple[str, int, str, str], float] = {}
    for swap in swaps:
        for way, reading in enumerate(WAYS):
            for (name, head, part), share in _shares(
                translator, swap, way
            ).items():
                key = name, head, part, reading
                total[key] = total.get(key, 0.0) + 100 * share / len(swaps)
    names = ("attention", "head", "part", "reading")
    return [
        dict(zip(names, key, strict=True)) | {"share": share}
        for key, share in total.items()
    ]


def following(
    translator: Translator, swaps: Sequence[Swap]
) -> list[dict[str, Any]]:
    """In how many swaps a head follows the pronoun: the right noun has more weight, both times.

    A mean may hide a head that points at the noun in some sentences, so each swap is asked: has
    the subject more weight than the object if "it" is the subject, and less if it is the object?
    Queries are those of `reach`.

    Returns one row per attention and head: {"attention", "head", "follows", "most"}, the share of
    swaps and the largest weight on either noun in any sentence, both in percent.

    Raises:
        ValueError: no swaps.
    """
    if not swaps:
        raise ValueError("there are no swaps to look at")
    rows: dict[tuple[str, int], dict[str, float]] = {}
    for swap in swaps:
        first, second = (_shares(translator, swap, way) for way in (0, 1))
        for name, head in dict.fromkeys(key[:2] for key in first):
            (a, b), (c, d) = (
                (
                    shares[name, head, "the subject"],
                    shares[name, head, "the object"],
                )
                for shares in (first, second)
            )
            row = rows.setdefault((name, head), {"follows": 0.0, "most": 0.0})
            row["follows"] += 100 * (a > b and c < d) / len(swaps)
            row["most"] = max(
                row["most"], *(100 * share for share in (a, b, c, d))
            )
    return [
        {"attention": name, "head": head} | row
        for (name, head), row in rows.items()
    ]


def _shares(
    translator: Translator, swap: Swap, way: int
) -> dict[tuple[str, int, str], float]:
    """Share of weight by attention, head and part, in one of a swap's two sentences."""
    spans = parts(translator, swap, way)
    return {
        (name, head, part): share
        for name, row in _rows(
            translator, swap.sources[way], spans["it"]
        ).items()
        for part, span in spans.items()
        for head, share in enumerate(row[:, slice(*span)].sum(1).tolist())
    }


def _rows(
    translator: Translator, source: str, pronoun: Span
) -> Mapping[str, Float[Tensor, "heads key"]]:
    """The weights of "it" in the encoder, and of the decoder's first row across."""
    ids = _batch(translator, [translator.tokenizer.source_ids(source)])
    begin = _batch(translator, [translator.tokenizer.target_ids("")[:1]])
    with (
        evaluation_mode(translator.model),
        record_attention(translator.model) as record,
    ):
        translator.model(ids, begin)
    start, stop = pronoun
    return {
        name: weights[0, :, start:stop].mean(1)
        if name.startswith("encoder")
        else weights[0, :, 0]
        for name, weights in record.items()
        if not name.startswith("decoder") or name.endswith("cross_attention")
    }
