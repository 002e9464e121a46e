"""Search for a translation: greedy search and beam search (paper section 6.1).

Both write one token per step and know the model as `Prefixes` (prefixes.py), which give the logits
of the next token; next_tokens.py makes candidates of them. Scores are sums of log probabilities,
divided by the length penalty of Wu et al. 2016 when the search compares whole translations. Left
out on purpose: the coverage penalty of the same paper (the Transformer paper does not use it), and
sampling.
"""

import math
from dataclasses import dataclass, field

import torch
from jaxtyping import Int
from torch import Tensor

from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.candidates import (
    best_tokens,
    next_log_probs,
)
from annotated_transformer.decoding.prefixes import (
    EncoderDecoder,
    start,
)
from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.tokenizer import BOS_ID, EOS_ID

EXTRA_LENGTH = 50
"""Section 6.1: the maximum output length is the input length plus this many tokens."""


@dataclass(frozen=True, kw_only=True)
class Hypothesis:
    """One translation that a search proposes, and what the model thinks of it."""

    ids: tuple[int, ...]
    """Token ids, without beginning and end of sentence."""
    log_probability: float
    """Natural logarithm, summed over the tokens; a finished hypothesis includes its EOS."""
    score: float
    """`log_probability` divided by the length penalty; greedy search uses no penalty."""
    finished: bool
    """Whether it ends in EOS; if not, the maximum length cut it off and it is only a prefix."""


def length_penalty(length: int, alpha: float) -> float:
    """Return the divisor of a log probability, ((5 + length) / 6) ** alpha.

    `length` counts output tokens, EOS included. alpha = 0 compares plain log probabilities; larger
    values favour longer translations.

    Source: Wu et al. 2016, equation 14.
    """
    return float(((5 + length) / 6) ** alpha)


def greedy_search(
    model: EncoderDecoder,
    source: Int[Tensor, "batch source"],
    *,
    max_length: int | None = None,
    min_length: int = 0,
) -> list[Hypothesis]:
    """Write each sentence by always taking the most probable next token.

    Of equally probable tokens the lowest id is taken. The score is the log probability. Arguments
    and errors are those of `beam_search`.
    """
    limits = _length_limits(model.config, source, max_length, min_length)
    written: list[list[int]] = [[] for _ in limits]
    totals = [0.0] * len(limits)
    rows = list(
        range(len(limits))
    )  # sentences that go on, in the order of the prefixes
    if not rows:
        return []
    with evaluation_mode(model):
        prefixes, tokens = (
            start(model, source),
            source.new_full((len(rows), 1), BOS_ID),
        )
        for length in range(1, max(limits) + 1):
            best = next_log_probs(model, prefixes, tokens, length, min_length)[
                :, 0
            ].max(dim=-1)
            for row, total, token in zip(
                rows, best.values.tolist(), best.indices.tolist(), strict=True
            ):
                totals[row] += total
                written[row].append(token)
            kept = _kept(
                [
                    written[row][-1] != EOS_ID and length < limits[row]
                    for row in rows
                ]
            )
            if not kept:
                break
            tokens = best.indices[:, None]
            if len(kept) < len(rows):
                rows, tokens = [rows[i] for i in kept], tokens[kept]
                prefixes.select(kept, [[0]] * len(kept))
    return [
        _hypothesis(ids, total, alpha=0.0)
        for ids, total in zip(written, totals, strict=True)
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
    """Return for each sentence its `n_best` translations, best first (fewer if fewer exist).

    In each step the continuations of a sentence's prefixes are ranked by log probability. Of those
    that do not end in EOS, the best `beam_size` are the next prefixes. Of those that do, the ones
    among the best `beam_size` of all are finished: they are set aside, take no prefix's place, and
    neither their ids nor their scores ever change. A log probability can only fall, so
    log_probability / length_penalty(maximum length) is the most that a prefix can still score.
    Once there are `n_best` finished hypotheses, prefixes that cannot score more than the last of
    the best `n_best` are dropped; all that could follow from a dropped prefix, or be displaced by
    it, would lose as well. The search ends when no prefix is left or the maximum length is reached.

    With `beam_size=1` and alpha = 0 this is greedy search: no prefix can overtake the first
    finished hypothesis. With alpha > 0 a longer one may, so that the result scores as much as the
    greedy one, or more.

    Finished hypotheses rank before unfinished ones whatever their scores: an unfinished one is a
    prefix, and the probability of a prefix is that of all its continuations together. Equal scores
    rank by who finished first, then by the rank of the prefix, then by the lower token id. PAD and
    BOS are never written; the other log probabilities are the model's own, not renormalised.

    Args:
        model: a `Transformer`, or whatever encodes and decodes like one.
        source: token ids with EOS at the end of each row, padded on the right. The other rows of
            the batch have no influence on a row's result.
        beam_size: prefixes kept in each step.
        alpha: exponent of the length penalty, 0 or more; the bound above needs that.
        max_length: longest output in tokens, EOS included. None means each sentence's source
            length + 50, at most `model.config.max_length`, which no decoder input can exceed.
        min_length: shortest output in tokens, EOS included; before that EOS is not written.
        n_best: hypotheses to return, at most `beam_size`.

    Raises:
        ValueError: a parameter is out of range, a source row is all padding or longer than
            `model.config.max_length`, or logits leave no token to choose (NaN, for instance).

    Source: paper section 6.1; Wu et al. 2016, section 7, for the score. How prefixes and finished
    hypotheses share a beam, the papers leave open.
    """
    _check_parameters(beam_size, alpha, n_best)
    limits = _length_limits(model.config, source, max_length, min_length)
    beams = [
        _Beam(size=beam_size, alpha=alpha, n_best=n_best, limit=limit)
        for limit in limits
    ]
    if not beams:
        return []
    with evaluation_mode(model):
        prefixes, tokens = (
            start(model, source),
            source.new_full((len(beams), 1), BOS_ID),
        )
        searching = beams  # those that go on, in the order of the prefixes
        for length in range(1, max(limits) + 1):
            log_probs = next_log_probs(
                model, prefixes, tokens, length, min_length
            )
            # One more than the places: EOS may be among them, and is never part of a prefix.
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
                [beam.last_tokens(width) for beam in searching],
                device=source.device,
            )
    return [beam.best() for beam in beams]


@dataclass(frozen=True, kw_only=True)
class _Prefix:
    """A translation so far, its log probability, and its place among those of the step before."""

    ids: list[int]
    total: float
    parent: int


@dataclass(kw_only=True)
class _Beam:
    """The search for one sentence: prefixes and the n_best finished hypotheses, best first."""

    size: int
    alpha: float
    n_best: int
    limit: int
    prefixes: list[_Prefix] = field(
        default_factory=lambda: [_Prefix(ids=[], total=0.0, parent=0)]
    )
    finished: list[Hypothesis] = field(default_factory=list)

    def extend(self, candidates: list[list[tuple[int, float]]]) -> None:
        """Take one step; candidates[i] are tokens with log probabilities for prefix i.

        They are sorted by id. Candidates beyond the number of prefixes are those of fillers.
        """
        extended = [
            (prefix.total + log_p, parent, token)
            for parent, prefix in enumerate(self.prefixes)
            for token, log_p in candidates[parent]
        ]
        extended.sort(
            key=lambda candidate: -candidate[0]
        )  # stable: ties keep rank and token order
        for total, parent, token in extended[: self.size]:
            if token == EOS_ID:
                ids = [*self.prefixes[parent].ids, token]
                self.finished.append(_hypothesis(ids, total, self.alpha))
        self.finished = _ranked(self.finished)[: self.n_best]
        growing = [
            candidate for candidate in extended if candidate[2] != EOS_ID
        ][: self.size]
        self.prefixes = [
            _Prefix(
                ids=[*self.prefixes[parent].ids, token],
                total=total,
                parent=parent,
            )
            for total, parent, token in growing
            if self._can_win(total)
        ]

    def goes_on(self) -> bool:
        """Return whether a prefix is worth another step."""
        return bool(self.prefixes) and len(self.prefixes[0].ids) < self.limit

    def parents(self, width: int) -> list[int]:
        """Return where each prefix came from; the first one fills up the width."""
        return self._filled([prefix.parent for prefix in self.prefixes], width)

    def last_tokens(self, width: int) -> list[int]:
        """Return the last token of each prefix; the first one fills up the width."""
        return self._filled([prefix.ids[-1] for prefix in self.prefixes], width)

    def best(self) -> list[Hypothesis]:
        """Return the n_best hypotheses, best first."""
        unfinished = [
            _hypothesis(p.ids, p.total, self.alpha) for p in self.prefixes
        ]
        return (self.finished + _ranked(unfinished))[: self.n_best]

    def _can_win(self, total: float) -> bool:
        if len(self.finished) < self.n_best:
            return True
        return (
            total / length_penalty(self.limit, self.alpha)
            > self.finished[-1].score
        )

    def _filled(self, row: list[int], width: int) -> list[int]:
        return row + row[:1] * (width - len(row))


def _ranked(hypotheses: list[Hypothesis]) -> list[Hypothesis]:
    return sorted(hypotheses, key=lambda hypothesis: -hypothesis.score)


def _kept(goes_on: list[bool]) -> list[int]:
    """Return the places of what goes on, in an order that moves little: the last fill the gaps."""
    places = [place for place, going in enumerate(goes_on) if going]
    gaps = [
        place for place, going in enumerate(goes_on[: len(places)]) if not going
    ]
    kept = [place for place in places if place < len(places)]
    for gap, place in zip(gaps, places[len(kept) :], strict=True):
        kept.insert(gap, place)
    return kept


def _hypothesis(
    ids: list[int], log_probability: float, alpha: float
) -> Hypothesis:
    """Make a hypothesis of output tokens; the last of them is EOS if it is finished."""
    finished = ids[-1] == EOS_ID
    return Hypothesis(
        ids=tuple(ids[:-1] if finished else ids),
        log_probability=log_probability,
        score=log_probability / length_penalty(len(ids), alpha),
        finished=finished,
    )


def _length_limits(
    config: TransformerConfig,
    source: Int[Tensor, "batch source"],
    max_length: int | None,
    min_length: int,
) -> list[int]:
    """Return the maximum output length of each sentence, EOS included."""
    lengths = (source != config.padding_id).sum(dim=1).tolist()
    if 0 in lengths:
        raise ValueError(
            f"row {lengths.index(0)} of the source is all padding (or has no tokens)"
        )
    if max_length is None:
        limits = [
            min(length + EXTRA_LENGTH, config.max_length) for length in lengths
        ]
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
    if not 1 <= n_best <= beam_size:
        raise ValueError(
            f"n_best is {n_best}; expected 1 to {beam_size}, the beam_size"
        )
    if not 0 <= alpha < math.inf:
        raise ValueError(
            f"alpha is {alpha}; expected a finite number, 0 or more"
        )
