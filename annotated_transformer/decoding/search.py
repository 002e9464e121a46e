"""Search for a translation: greedy search and beam search (paper section 6.1).

Both write one token per step and know the model as `Prefixes` (prefixes.py),
which give the logits of the next token; candidates.py makes candidates of
them. Scores are sums of log probabilities, divided by the length penalty of Wu
et al. 2016 when the search compares whole translations. Left out on purpose:
the coverage penalty of the same paper (the Transformer paper does not use it),
and sampling.
"""

import math

import torch
from jaxtyping import Int
from torch import Tensor

from annotated_transformer.checks import check_ceiling
from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.beam import Beam
from annotated_transformer.decoding.candidates import best_tokens, next_log_probs
from annotated_transformer.decoding.hypotheses import Hypothesis, make_hypothesis
from annotated_transformer.decoding.prefixes import EncoderDecoder, start
from annotated_transformer.fast.largest import first_largest
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
    limits = _length_limits(model.config, source, max_length, min_length)
    written: list[list[int]] = [[] for _ in limits]
    totals = [0.0] * len(limits)
    rows = list(range(len(limits)))  # sentences that go on, in the order of the prefixes
    if not rows:
        return []
    with evaluation_mode(model):
        prefixes, tokens = (start(model, source), source.new_full((len(rows), 1), BOS_ID))
        for length in range(1, max(limits) + 1):
            log_probs = next_log_probs(model, prefixes, tokens, length, min_length)
            best, tokens = first_largest(log_probs[:, 0])
            for row, [total], [token] in zip(rows, best.tolist(), tokens.tolist(), strict=True):
                totals[row] += total
                written[row].append(token)
            kept = _kept([written[row][-1] != EOS_ID and length < limits[row] for row in rows])
            if not kept:
                break
            if len(kept) < len(rows):
                rows, tokens = [rows[i] for i in kept], tokens[kept]
                prefixes.select(kept, [[0]] * len(kept))
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
    _check_parameters(beam_size, alpha, n_best)
    limits = _length_limits(model.config, source, max_length, min_length)
    beams = [Beam(size=beam_size, alpha=alpha, n_best=n_best, limit=limit) for limit in limits]
    if not beams:
        return []
    with evaluation_mode(model):
        prefixes, tokens = (start(model, source), source.new_full((len(beams), 1), BOS_ID))
        searching = beams  # those that go on, in the order of the prefixes
        for length in range(1, max(limits) + 1):
            log_probs = next_log_probs(model, prefixes, tokens, length, min_length)
            # One more than the places: EOS, which may be among them, takes none.
            for beam, candidates in zip(
                searching, best_tokens(log_probs, beam_size + 1), strict=True
            ):
                beam.extend(candidates)
            kept = _kept([beam.goes_on() for beam in searching])
            if not kept:
                break
            searching = [searching[i] for i in kept]
            width = max(len(beam.prefixes) for beam in searching)
            prefixes.select(kept, [beam.parents(width) for beam in searching])
            tokens = torch.tensor(
                [beam.last_tokens(width) for beam in searching], device=source.device
            )
    return [beam.best() for beam in beams]


def _kept(goes_on: list[bool]) -> list[int]:
    """Return the places of what goes on, in an order that moves little: the last fill the gaps."""
    places = [place for place, going in enumerate(goes_on) if going]
    gaps = [place for place, going in enumerate(goes_on[: len(places)]) if not going]
    kept = [place for place in places if place < len(places)]
    for gap, place in zip(gaps, places[len(kept) :], strict=True):
        kept.insert(gap, place)
    return kept


def _length_limits(
    config: TransformerConfig,
    source: Int[Tensor, "batch source"],
    max_length: int | None,
    min_length: int,
) -> list[int]:
    """Return the maximum output length of each sentence, EOS included."""
    lengths = (source != config.padding_id).sum(dim=1).tolist()
    if 0 in lengths:
        raise ValueError(f"row {lengths.index(0)} of the source is all padding (or has no tokens)")
    if max_length is None:
        limits = [min(length + EXTRA_LENGTH, config.max_length) for length in lengths]
    elif 1 <= max_length <= config.max_length:
        limits = [max_length] * len(lengths)
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


def _check_parameters(beam_size: int, alpha: float, n_best: int) -> None:
    if beam_size < 1:
        raise ValueError(f"beam_size is {beam_size}; expected at least 1")
    check_ceiling("beam_size", beam_size)
    if not 1 <= n_best <= beam_size:
        raise ValueError(f"n_best is {n_best}; expected 1 to {beam_size}, the beam_size")
    if not 0 <= alpha < math.inf:
        raise ValueError(f"alpha is {alpha}; expected a finite number, 0 or more")
    check_ceiling("alpha", alpha)
