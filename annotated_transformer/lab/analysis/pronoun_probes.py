"""Which noun a model takes "it" for, what carries that choice, and where the heads look.

Chapter: *Encoder and decoder*. A translation begins with the noun that "it" stands for, so the
choice shows in the log-probabilities of two beginnings (`antecedent_log_odds`). The weights of the
heads are described by `attention_by_part` and `pronoun_following`. What matters for the choice is
found by changing something: rows of the memory (`patched_log_odds`: activation patching) or heads
(`without_heads`). Left out: changes inside the encoder between its layers.
"""

from collections.abc import Collection, Sequence
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.lab.analysis.pronouns import ANTECEDENTS, Span, Swap
from annotated_transformer.lab.analysis.teacher_forcing import teacher_forced_attention
from annotated_transformer.lab.checks import check_list
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


def parts(translator: Translator, swap: Swap, side: int) -> dict[str, Span]:
    """Return the tokens [start, stop) of each part of a swap's sentence 0 or 1."""
    word_spans = translator.tokenizer.word_spans(swap.sources[side])
    (_, subject_end), (noun, noun_end) = swap.nouns
    it = swap.pronoun[0]
    # The word after the last one of each part but the last two, in the order of PARTS.
    word_ends = [1, subject_end, noun - 1, noun, noun_end, it, it + 1, it + 2, it + 3]
    last = word_spans[-1][1]
    ends = [*(word_spans[end - 1][1] for end in word_ends), last, last + 1]
    spans = zip([0, *ends[:-1]], ends, strict=True)
    return dict(zip(PARTS, spans, strict=True))


def antecedent_log_odds(translator: Translator, swaps: Sequence[Swap]) -> Float[Tensor, "swaps 2"]:
    """Return how strongly each sentence of each swap is understood in the right way.

    The value is the log-probability (in nats) that the translation begins with the right noun,
    minus that of the other noun. The choice is right where it is positive; at 4.6 the right noun is
    a hundred times as likely as the other.

    Raises:
        ValueError: no swaps.
    """
    return patched_log_odds(translator, swaps, ())


def patched_log_odds(
    translator: Translator,
    swaps: Sequence[Swap],
    taken: Collection[str],
    layers: Collection[int] | None = None,
) -> Float[Tensor, "swaps 2"]:
    """Return `antecedent_log_odds` with some rows of the memory from the swap's other sentence.

    The rows of the parts `taken` are exchanged. With all parts taken the sign is that of the other
    sentence; with none, nothing is changed. If `layers` of the decoder are given, counted from 0,
    only these read the exchanged rows.

    Raises:
        ValueError: no swaps, a part that is not one of `PARTS`, or no such layer.

    Source: interchange of activations, Vig et al. 2020; today called activation patching.
    """
    check_list("taken", taken)
    if not swaps:
        raise ValueError("there are no swaps to look at")
    if unknown := set(taken) - set(PARTS):
        raise ValueError(f"{unknown.pop()!r} is no part of a sentence; expected some of {PARTS}")
    all_layers = range(translator.model.config.n_layers)
    patched = set(all_layers if layers is None else layers)
    if unknown_layers := patched.difference(all_layers):
        raise ValueError(
            f"no layer {unknown_layers.pop()}: the decoder has {len(all_layers)}, from 0"
        )
    taken_by_layer = [taken if layer in patched else () for layer in all_layers]
    with evaluation_mode(translator.model):
        return torch.stack([_log_odds(translator, swap, taken_by_layer) for swap in swaps])


def _log_odds(
    translator: Translator, swap: Swap, taken_by_layer: Sequence[Collection[str]]
) -> Float[Tensor, " 2"]:
    memories = [_memory_by_part(translator, swap, side) for side in (0, 1)]
    odds = []
    for side in (0, 1):
        other = 1 - side
        read = [
            torch.cat([memories[other if p in taken else side][p] for p in PARTS])
            for taken in taken_by_layer
        ]
        opening = _log_probabilities(translator, read, swap.openings)
        odds.append(opening[side] - opening[other])
    return torch.stack(odds)


def _memory_by_part(
    translator: Translator, swap: Swap, side: int
) -> dict[str, Float[Tensor, "rows d_model"]]:
    ids = translator.tokenizer.source_ids(swap.sources[side])
    memory = translator.model.encode(_one_row(translator, ids))[0]
    return {part: memory[slice(*span)] for part, span in parts(translator, swap, side).items()}


def _log_probabilities(
    translator: Translator, memories: Sequence[Tensor], texts: Sequence[str]
) -> Float[Tensor, " texts"]:
    """Return log p that the translation begins with each text; one memory for each layer."""
    model = translator.model
    sums = []
    for text in texts:
        ids = _one_row(translator, translator.tokenizer.target_ids(text)[:-1])
        y = model.target_positions(model.target_embedding(ids[:, :-1]))
        causal = causal_mask(y.size(1), y.device)[None, None]
        for layer, memory in zip(model.decoder.layers, memories, strict=True):
            every_row = causal.new_ones(1, 1, 1, len(memory))
            y = layer(y, memory[None], causal, every_row)
        logits = model.output(model.decoder.final_norm(y))
        chosen = logits[0].log_softmax(-1).gather(1, ids[:, 1:].mT)
        sums.append(chosen.sum().double())
    return torch.stack(sums).cpu()


def _one_row(translator: Translator, ids: Sequence[int]) -> Tensor:
    return torch.tensor([ids], device=next(translator.model.parameters()).device)


def attention_by_part(translator: Translator, swaps: Sequence[Swap]) -> list[dict[str, Any]]:
    """Return the share of its weight that each head gives to each part, in percent.

    The shares are means over the swaps. In the encoder the query is "it". In the cross-attention it
    is the row of the decoder that writes the first token in which the two translations differ: of
    그 고양이가 and 그 쥐가 the row that has read 그.

    Returns one row per attention, head, part and reading ("it" is the "subject" or the "object"):
    {"attention", "head", "part", "reading", "share"}; heads count from 0.

    Raises:
        ValueError: no swaps.
    """
    if not swaps:
        raise ValueError("there are no swaps to look at")
    total: dict[tuple[str, int, str, str], float] = {}
    for swap in swaps:
        for side, reading in enumerate(ANTECEDENTS):
            shares = _shares(translator, swap, side)
            for (name, head, part), share in shares.items():
                key = name, head, part, reading
                total[key] = total.get(key, 0.0) + 100 * share / len(swaps)
    names = ("attention", "head", "part", "reading")
    return [dict(zip(names, key, strict=True)) | {"share": share} for key, share in total.items()]


def pronoun_following(translator: Translator, swaps: Sequence[Swap]) -> list[dict[str, Any]]:
    """Count the swaps in which a head follows the pronoun, in percent.

    A head follows the pronoun in a swap if, in both of its sentences, it gives the noun that "it"
    stands for, with its determiner, more weight than the other noun with its own. (A mean over
    swaps could hide a head that does so in some of them.) Queries are those of `attention_by_part`.

    Returns one row per attention and head: {"attention", "head", "follows", "most"}; "most" is the
    largest weight on either noun and its determiner in any sentence, in percent.

    Raises:
        ValueError: no swaps.
    """
    if not swaps:
        raise ValueError("there are no swaps to look at")
    rows: dict[tuple[str, int], dict[str, float]] = {}
    for swap in swaps:
        shares = [_shares(translator, swap, side) for side in (0, 1)]
        for name, head in dict.fromkeys(key[:2] for key in shares[0]):
            subject, object_ = (
                [
                    share[name, head, f"{noun}'s determiner"] + share[name, head, noun]
                    for share in shares
                ]
                for noun in ("the subject", "the object")
            )
            follows = subject[0] > object_[0] and subject[1] < object_[1]
            row = rows.setdefault((name, head), {"follows": 0.0, "most": 0.0})
            row["follows"] += 100 * follows / len(swaps)
            row["most"] = max(row["most"], 100 * max(subject + object_))
    return [{"attention": name, "head": head} | row for (name, head), row in rows.items()]


def _shares(translator: Translator, swap: Swap, side: int) -> dict[tuple[str, int, str], float]:
    """Share of weight by attention, head and part, in one of a swap's two sentences."""
    spans = parts(translator, swap, side)
    rows = _query_rows(translator, swap, side)
    return {
        (name, head, part): share
        for name, row in rows.items()
        for part, span in spans.items()
        for head, share in enumerate(row[:, slice(*span)].sum(1).tolist())
    }


def _query_rows(
    translator: Translator, swap: Swap, side: int
) -> dict[str, Float[Tensor, "heads key"]]:
    """Return the weights of "it" in the encoder, and of the row that chooses in cross-attention."""
    start, stop = parts(translator, swap, side)["it"]
    choosing = _choosing_row(translator, swap)
    rows = {}
    for name, weights in teacher_forced_attention(
        translator, swap.sources[side], swap.openings[side]
    ).items():
        if name.startswith("encoder"):
            rows[name] = weights[:, start:stop].mean(1)
        elif name.endswith("cross_attention"):
            rows[name] = weights[:, choosing]
    return rows


def _choosing_row(translator: Translator, swap: Swap) -> int:
    """Return the decoder's row that writes the first token in which the two openings differ."""
    one, other = map(translator.tokenizer.target_ids, swap.openings)
    written = zip(one[1:], other[1:], strict=False)
    return next(row for row, (a, b) in enumerate(written) if a != b)
