"""The beam of one sentence: its prefixes, and the finished translations.

How prefixes and finished hypotheses share a beam, the papers leave open. Here
the best `size` continuations that do not end in EOS are the next prefixes.
Those that do, and are among the best `size` of all, are finished: they are set
aside, leave the beam's room to prefixes, and neither their ids nor their scores
ever change. A log probability can only fall, so log_probability /
length_penalty(limit) is the most that a prefix can still score. Once there are
`n_best` finished hypotheses, prefixes that cannot score more than the last of
the best `n_best` are dropped; all that could follow from a dropped prefix, or
be displaced by it, would lose as well.
"""

from dataclasses import dataclass, field

from annotated_transformer.decoding.hypotheses import (
    Hypothesis,
    length_penalty,
    make_hypothesis,
)
from annotated_transformer.tokenizer import EOS_ID


@dataclass(frozen=True, kw_only=True)
class Prefix:
    """A translation so far, its log probability, and its parent's index."""

    ids: list[int]
    total: float
    parent: int


@dataclass(kw_only=True)
class Beam:
    """The search for one sentence: prefixes and the best finished hypotheses."""

    size: int
    alpha: float
    n_best: int
    limit: int
    prefixes: list[Prefix] = field(
        default_factory=lambda: [Prefix(ids=[], total=0.0, parent=0)]
    )
    finished: list[Hypothesis] = field(default_factory=list)

    def extend(self, candidates: list[list[tuple[int, float]]]) -> None:
        """Take a step; candidates[i]: tokens and log probabilities of prefix i.

        They are sorted by id. Candidates beyond the number of prefixes are
        those of fillers.
        """
        extended = [
            (prefix.total + log_p, parent, token)
            for parent, prefix in enumerate(self.prefixes)
            for token, log_p in candidates[parent]
        ]
        # Stable: ties keep rank and token order.
        extended.sort(key=lambda candidate: -candidate[0])
        for total, parent, token in extended[: self.size]:
            if token == EOS_ID:
                ids = [*self.prefixes[parent].ids, token]
                self.finished.append(make_hypothesis(ids, total, self.alpha))
        self.finished = ranked(self.finished)[: self.n_best]
        growing = [
            candidate for candidate in extended if candidate[2] != EOS_ID
        ][: self.size]
        self.prefixes = [
            Prefix(
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
        """Return the index of each prefix's parent; the first fills up the width."""
        return self._fill_up([prefix.parent for prefix in self.prefixes], width)

    def last_tokens(self, width: int) -> list[int]:
        """Return the last token of each prefix; the first fills up the width."""
        return self._fill_up(
            [prefix.ids[-1] for prefix in self.prefixes], width
        )

    def best(self) -> list[Hypothesis]:
        """Return the n_best hypotheses, best first."""
        unfinished = [
            make_hypothesis(p.ids, p.total, self.alpha) for p in self.prefixes
        ]
        return (self.finished + ranked(unfinished))[: self.n_best]

    def _can_win(self, total: float) -> bool:
        if len(self.finished) < self.n_best:
            return True
        return (
            total / length_penalty(self.limit, self.alpha)
            > self.finished[-1].score
        )

    def _fill_up(self, values: list[int], width: int) -> list[int]:
        return values + values[:1] * (width - len(values))


def ranked(hypotheses: list[Hypothesis]) -> list[Hypothesis]:
    """Sort by score, best first; equal ones keep the order given."""
    return sorted(hypotheses, key=lambda hypothesis: -hypothesis.score)
