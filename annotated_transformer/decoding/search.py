"""Search for a translation: greedy search and beam search (paper section 6.1).

Both write one token in each step. They ask `Prefixes` (prefixes.py) for the logits of the next
token, and choose the best among those. Scores are sums of log probabilities, divided by the length
penalty of Wu et al. 2016 when the search compares whole translations. Left out on purpose: the
coverage penalty of the same paper (the Transformer paper does not use it), and sampling.
"""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor

from annotated_transformer.checks import check_count, check_number, is_whole, shown
from annotated_transformer.checks.state import check_model
from annotated_transformer.checks.tensors import check_sentences
from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.beam import Beam
from annotated_transformer.decoding.hypotheses import Hypothesis, make_hypothesis
from annotated_transformer.decoding.prefixes import EncoderDecoder, Prefixes, start
from annotated_transformer.fast.largest import first_largest, largest
from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.tokenizer import BOS_ID, EOS_ID

EXTRA_LENGTH = 50
"""Section 6.1: the maximum output length is the input length plus this many tokens."""


def greedy_search(
    model: EncoderDecoder,
    source: Int[Tensor, "batch source"],
    *,
    max_length: int | None = None,
    min_length: int = 0,
) -> list[Hypothesis]:
    """Write each sentence by always taking the most probable next token.

    Of equally probable tokens the lowest id is taken. The score is the log
    probability. Arguments and errors are those of `beam_search`.
    """
    check_model(model)
    limits = _length_limits(model.config, source, max_length, min_length)
    written: list[list[int]] = [[] for _ in limits]
    totals = [0.0] * len(limits)
    active = list(range(len(limits)))  # unfinished sentences, in the order of the prefixes
    if not active:
        return []
    with evaluation_mode(model):
        prefixes = start(model, source)
        tokens = source.new_full((len(active), 1), BOS_ID)
        for length in range(1, max(limits) + 1):
            log_probs = next_log_probs(model, prefixes, tokens, length, min_length)
            best, tokens = first_largest(log_probs[:, 0])
            for i, [log_p], [token] in zip(active, best.tolist(), tokens.tolist(), strict=True):
                totals[i] += log_p
                written[i].append(token)
            unfinished = [written[i][-1] != EOS_ID and length < limits[i] for i in active]
            slots = _unfinished_slots(unfinished)
            if not slots:
                break
            if len(slots) < len(active):
                active = [active[slot] for slot in slots]
                tokens = tokens[slots]
                prefixes.select(slots, [[0]] * len(slots))
    return [
        make_hypothesis(ids, total, alpha=0.0) for ids, total in zip(written, totals, strict=True)
    ]


def beam_search(
    model: EncoderDecoder,
    source: Int[Tensor, "batch source"],
    *,
    beam_size: int = 4,
    alpha: float = 0.6,
    max_length: int | None = None,
    min_length: int = 0,
    n_best: int = 1,
) -> list[list[Hypothesis]]:
    """Return for each sentence its `n_best` translations, best first (beam.py).

    Unfinished ones rank last, equal ones by who finished first, by prefix, then
    by id. PAD and BOS are never written. `source` is (batch, source) ids, each
    row ended by EOS and padded; `beam_size` the prefixes kept in each step;
    `alpha` the exponent of the length penalty; `max_length` and `min_length`
    count EOS (None: source length + 50, at most `config.max_length`).

    Raises:
        ValueError: a parameter is out of range, a source row is all padding or
            too long, or logits leave no token to choose (NaN, for instance).

    Source: section 6.1; for the score Wu et al. 2016, section 7.
    """
    check_model(model)
    beam_size = check_count("beam_size", beam_size)
    n_best = check_count("n_best", n_best, least=0)
    if not 1 <= n_best <= beam_size:
        raise ValueError(f"n_best is {n_best}; expected 1 to {beam_size}, the beam_size")
    alpha = check_number("alpha", alpha)
    limits = _length_limits(model.config, source, max_length, min_length)
    beams = [Beam(size=beam_size, alpha=alpha, n_best=n_best, limit=limit) for limit in limits]
    if not beams:
        return []
    with evaluation_mode(model):
        prefixes = start(model, source)
        tokens = source.new_full((len(beams), 1), BOS_ID)
        active = beams  # unfinished searches, in the order of the prefixes
        for length in range(1, max(limits) + 1):
            log_probs = next_log_probs(model, prefixes, tokens, length, min_length)
            # One candidate more than the beam holds: EOS may be among them, and a
            # hypothesis that ends leaves the beam.
            best = best_tokens(log_probs, beam_size + 1)
            for beam, candidates in zip(active, best, strict=True):
                beam.extend(candidates)
            slots = _unfinished_slots([beam.goes_on() for beam in active])
            if not slots:
                break
            active = [active[slot] for slot in slots]
            # Beams may hold different numbers of prefixes; a tensor needs one width.
            width = max(len(beam.prefixes) for beam in active)
            prefixes.select(slots, [beam.parents(width) for beam in active])
            last_tokens = [beam.last_tokens(width) for beam in active]
            tokens = torch.tensor(last_tokens, device=source.device)
    return [beam.best() for beam in beams]


def _unfinished_slots(unfinished: list[bool]) -> list[int]:
    """Return which old slot fills each new slot, so that as few sentences as possible move.

    A sentence that can stay where it is stays; the last ones fill the gaps that finished ones
    leave. A cache then copies the keys and values of those alone.
    """
    slots = [slot for slot, active in enumerate(unfinished) if active]
    gaps = [slot for slot, active in enumerate(unfinished[: len(slots)]) if not active]
    order = [slot for slot in slots if slot < len(slots)]
    for gap, slot in zip(gaps, slots[len(order) :], strict=True):
        order.insert(gap, slot)
    return order


def _length_limits(
    config: TransformerConfig,
    source: Int[Tensor, "batch source"],
    max_length: int | None,
    min_length: int,
) -> list[int]:
    """Return the maximum output length of each sentence, EOS included."""
    check_sentences(source)
    if source.is_meta:  # a search looks at each token that it writes
        raise ValueError(
            'the source is on the device "meta", which has no numbers; load model and source on '
            '"cpu" or "cuda"'
        )
    for name, value in (("max_length", max_length), ("min_length", min_length)):
        if value is not None and not is_whole(name, value):
            raise ValueError(f"{name} is {shown(value)}; expected a whole number of tokens")
    lengths = (source != config.padding_id).sum(dim=1).tolist()
    if 0 in lengths:
        raise ValueError(f"row {lengths.index(0)} of the source is all padding (or has no tokens)")
    if max_length is None:
        limits = [min(length + EXTRA_LENGTH, config.max_length) for length in lengths]
    elif 1 <= max_length <= config.max_length:
        limits = [int(max_length)] * len(lengths)
    else:
        raise ValueError(
            f"max_length is {max_length}; expected 1 to {config.max_length}, the model's max_length"
        )
    shortest = min(limits, default=min_length)
    if not 0 <= min_length <= shortest:
        raise ValueError(
            f"min_length is {min_length}; expected 0 to {shortest}, the maximum length"
        )
    return limits


def next_log_probs(
    model: EncoderDecoder,
    prefixes: Prefixes,
    tokens: Int[Tensor, "sentence prefix"],
    length: int,
    min_length: int,
) -> Float[Tensor, "sentence prefix vocab"]:
    """Write the tokens and return the log probability of each next one, in float32 or better.

    PAD and BOS are never written, so they get -inf. So does EOS while the output, which this
    step makes `length` tokens long, would end below `min_length`.
    """
    logits = prefixes.step(tokens)
    log_probs = logits.to(torch.promote_types(logits.dtype, torch.float32)).log_softmax(dim=-1)
    for token in (model.config.padding_id, BOS_ID, *([EOS_ID] if length < min_length else [])):
        log_probs[..., token] = -math.inf
    if not (log_probs.amax(dim=-1) > -math.inf).all():  # a NaN fails the comparison too
        raise ValueError(
            f"the model's logits after {length - 1} tokens leave no token to choose: "
            "they are NaN or infinite, or all probability is on PAD and BOS"
        )
    return log_probs


def best_tokens(
    log_probs: Float[Tensor, "sentence prefix vocab"], k: int
) -> list[list[list[tuple[int, float]]]]:
    """Return each prefix's k best tokens with their log probabilities, by ascending id.

    Of equal tokens those with the lowest ids are taken. `largest` alone picks among them
    arbitrarily, so that the result of a tie would depend on the batch and the device. It is asked
    for k + 1 tokens: only if the last two are equal can there be a tie for place k, and then
    all tokens are sorted.
    """
    vocab = log_probs.size(-1)
    values, tokens = largest(log_probs, min(k + 1, vocab))
    if k < vocab and (values[..., k] == values[..., k - 1]).any():
        tokens = log_probs.sort(dim=-1, descending=True, stable=True).indices
    tokens = tokens[..., :k].sort(dim=-1).values
    values = log_probs.gather(-1, tokens)
    return [
        [
            [(token, value) for token, value in zip(*row, strict=True) if value > -math.inf]
            for row in zip(*sentence, strict=True)
        ]
        for sentence in zip(tokens.tolist(), values.tolist(), strict=True)
    ]
