"""Search for a translation: greedy search and beam search (paper section 6.1).

Both write one token per step and call the model through one function, `_step`. Scores are sums of
log probabilities, divided by the length penalty of Wu et al. 2016 when the search compares whole
translations. Left out on purpose: the coverage penalty of the same paper (the Transformer paper
does not use it), and sampling.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from annotated_transformer.config import TransformerConfig
from annotated_transformer.tokenizer import BOS_ID, EOS_ID

EXTRA_LENGTH = 50
"""Section 6.1: the maximum output length is the input length plus this many tokens."""


@runtime_checkable
class EncoderDecoder(Protocol):
    """What a search needs of a model; `Transformer` has it."""

    config: TransformerConfig

    def encode(self, source: Int[Tensor, "batch source"], /) -> Float[Tensor, "batch source _"]:
        """Return the memory of padded source ids."""

    def decode(
        self,
        target: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch source _"],
        source: Int[Tensor, "batch source"],
        /,
    ) -> Float[Tensor, "batch target vocab"]:
        """Return the logits that follow each position of the decoder input."""

    def modules(self) -> Iterator[nn.Module]:
        """Return the model and all modules in it, as `nn.Module` does."""

    def eval(self) -> nn.Module:
        """Switch dropout off, as `nn.Module` does."""


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
    model: EncoderDecoder, source: Int[Tensor, "batch source"], *, max_length: int | None = None
) -> list[Hypothesis]:
    """Write each sentence by always taking the most probable next token.

    Of equally probable tokens the lowest id is taken. The score is the log probability. Arguments
    and errors are those of `beam_search`.
    """
    limits = _length_limits(model.config, source, max_length)
    written: list[list[int]] = [[] for _ in limits]
    totals = [0.0] * len(limits)
    rows = list(range(len(limits)))
    if not rows:
        return []
    with evaluation_mode(model):
        memory = model.encode(source)
        while rows:
            prefixes = _decoder_input([written[row] for row in rows], source.device)
            best = _step(model, memory[rows], source[rows], prefixes).max(dim=-1)
            for row, log_p, token in zip(
                rows, best.values.tolist(), best.indices.tolist(), strict=True
            ):
                totals[row] += log_p
                written[row].append(token)
            rows = [row for row in rows if _goes_on(written[row], limits[row])]
    return [_hypothesis(ids, total, alpha=0.0) for ids, total in zip(written, totals, strict=True)]


def beam_search(
    model: EncoderDecoder,
    source: Int[Tensor, "batch source"],
    *,
    beam_size: int = 4,
    alpha: float = 0.6,
    max_length: int | None = None,
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
        n_best: hypotheses to return, at most `beam_size`.

    Raises:
        ValueError: a parameter is out of range, a source row is all padding or longer than
            `model.config.max_length`, or logits leave no token to choose (NaN, for instance).

    Source: paper section 6.1; Wu et al. 2016, section 7, for the score. How prefixes and finished
    hypotheses share a beam, the papers leave open.
    """
    _check_parameters(beam_size, alpha, n_best)
    beams = [
        _Beam(size=beam_size, alpha=alpha, n_best=n_best, limit=limit)
        for limit in _length_limits(model.config, source, max_length)
    ]
    if not beams:
        return []
    with evaluation_mode(model):
        memory = model.encode(source)
        while rows := [row for row, beam in enumerate(beams) for _ in beam.open_prefixes()]:
            prefixes = [ids for beam in beams for ids, _ in beam.open_prefixes()]
            log_probs = _step(
                model, memory[rows], source[rows], _decoder_input(prefixes, source.device)
            )
            # One more than the places: EOS may be among them, and is never part of a prefix.
            candidates = iter(_best_tokens(log_probs, beam_size + 1))
            for beam in beams:
                beam.extend([next(candidates) for _ in beam.open_prefixes()])
    return [beam.best() for beam in beams]


_Prefix = tuple[list[int], float]


@dataclass(kw_only=True)
class _Beam:
    """The search for one sentence: prefixes and the n_best finished hypotheses, best first."""

    size: int
    alpha: float
    n_best: int
    limit: int
    prefixes: list[_Prefix] = field(default_factory=lambda: [([], 0.0)])
    finished: list[Hypothesis] = field(default_factory=list)

    def open_prefixes(self) -> list[_Prefix]:
        """Return the prefixes worth another step; none when the search is over."""
        return [prefix for prefix in self.prefixes if len(prefix[0]) < self.limit]

    def extend(self, candidates: list[list[tuple[int, float]]]) -> None:
        """Take one step; candidates[i] are tokens with log probabilities for open prefix i."""
        if not candidates:
            return
        extended = [
            ([*ids, token], total + log_p)
            for (ids, total), tokens in zip(self.prefixes, candidates, strict=True)
            for token, log_p in tokens
        ]
        extended.sort(key=lambda prefix: -prefix[1])  # stable: ties keep rank and token order
        ended = [prefix for prefix in extended[: self.size] if prefix[0][-1] == EOS_ID]
        newly_finished = [_hypothesis(ids, total, self.alpha) for ids, total in ended]
        self.finished = _ranked(self.finished + newly_finished)[: self.n_best]
        growing = [prefix for prefix in extended if prefix[0][-1] != EOS_ID]
        self.prefixes = [prefix for prefix in growing[: self.size] if self._can_win(prefix)]

    def best(self) -> list[Hypothesis]:
        """Return the n_best hypotheses, best first."""
        unfinished = [_hypothesis(ids, total, self.alpha) for ids, total in self.prefixes]
        return (self.finished + _ranked(unfinished))[: self.n_best]

    def _can_win(self, prefix: _Prefix) -> bool:
        if len(self.finished) < self.n_best:
            return True
        best_possible = prefix[1] / length_penalty(self.limit, self.alpha)
        return best_possible > self.finished[-1].score


def _ranked(hypotheses: list[Hypothesis]) -> list[Hypothesis]:
    return sorted(hypotheses, key=lambda hypothesis: -hypothesis.score)


def _goes_on(ids: Sequence[int], limit: int) -> bool:
    return len(ids) < limit and not (ids and ids[-1] == EOS_ID)


def _hypothesis(ids: list[int], log_probability: float, alpha: float) -> Hypothesis:
    """Make a hypothesis of output tokens; the last of them is EOS if it is finished."""
    finished = ids[-1] == EOS_ID
    return Hypothesis(
        ids=tuple(ids[:-1] if finished else ids),
        log_probability=log_probability,
        score=log_probability / length_penalty(len(ids), alpha),
        finished=finished,
    )


def _step(
    model: EncoderDecoder,
    memory: Float[Tensor, "hypothesis source _"],
    source: Int[Tensor, "hypothesis source"],
    prefixes: Int[Tensor, "hypothesis target"],
) -> Float[Tensor, "hypothesis vocab"]:
    """Return the log probability of each next token, in float32 or better; -inf for PAD and BOS."""
    logits = model.decode(prefixes, memory, source)[:, -1]
    log_probs = logits.to(torch.promote_types(logits.dtype, torch.float32)).log_softmax(dim=-1)
    log_probs[:, [model.config.padding_id, BOS_ID]] = -math.inf
    if not (log_probs.amax(dim=-1) > -math.inf).all():  # a NaN fails the comparison too
        raise ValueError(
            f"the model's logits after {prefixes.shape[1] - 1} tokens leave no token to choose: "
            "they are NaN or infinite, or all probability is on PAD and BOS"
        )
    return log_probs


def _best_tokens(
    log_probs: Float[Tensor, "hypothesis vocab"], k: int
) -> list[list[tuple[int, float]]]:
    """Return each row's k best tokens with their log probabilities, by ascending id.

    All tokens as good as the k-th are included, because `topk` alone picks among equals arbitrarily
    and a tie would then depend on the batch and the device.
    """
    k = min(k, log_probs.shape[-1])
    threshold = log_probs.topk(k, dim=-1).values[:, -1:]
    rows, tokens = torch.where((log_probs >= threshold) & (log_probs > -math.inf))
    best: list[list[tuple[int, float]]] = [[] for _ in range(len(log_probs))]
    values = log_probs[rows, tokens].tolist()
    for row, token, value in zip(rows.tolist(), tokens.tolist(), values, strict=True):
        best[row].append((token, value))
    return best


def _decoder_input(
    written: Sequence[Sequence[int]], device: torch.device
) -> Int[Tensor, "hypothesis target"]:
    """Put BOS before what is written; all hypotheses of a step have the same length."""
    return torch.tensor([[BOS_ID, *ids] for ids in written], device=device)


@contextmanager
def evaluation_mode(model: EncoderDecoder | nn.Module) -> Iterator[None]:
    """Run without dropout and gradients, then put each module back into the mode it was in."""
    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        for module in training:
            module.training = True


def _length_limits(
    config: TransformerConfig, source: Int[Tensor, "batch source"], max_length: int | None
) -> list[int]:
    """Return the maximum output length of each sentence, EOS included."""
    lengths = (source != config.padding_id).sum(dim=1).tolist()
    if 0 in lengths:
        raise ValueError(f"row {lengths.index(0)} of the source is all padding (or has no tokens)")
    if max_length is None:
        return [min(length + EXTRA_LENGTH, config.max_length) for length in lengths]
    if not 1 <= max_length <= config.max_length:
        raise ValueError(
            f"max_length is {max_length}; expected 1 to {config.max_length}, the model's max_length"
        )
    return [max_length] * len(lengths)


def _check_parameters(beam_size: int, alpha: float, n_best: int) -> None:
    if beam_size < 1:
        raise ValueError(f"beam_size is {beam_size}; expected at least 1")
    if not 1 <= n_best <= beam_size:
        raise ValueError(f"n_best is {n_best}; expected 1 to {beam_size}, the beam_size")
    if not 0 <= alpha < math.inf:
        raise ValueError(f"alpha is {alpha}; expected a finite number, 0 or more")
