"""What can be known of a source: the exact chances of its next word and of a word in a gap.

Chapter: *Language models*. The source is a grammar whose sentences are drawn
again while they are longer than `longest` words: each tree keeps its chance,
divided by Z, that of all sentences which are short enough.

Inside: the chance that a symbol becomes a stretch of words, the sum over its
trees. Outside: the chance of everything around that stretch. A place whose word
is unknown takes every word, so its inside chance is one for every tag. A prefix
is then a sentence that is unknown from some place on, in each of its lengths;
as these are finitely many, rules that lead back to their own left side need no
infinite sum. Rules of one symbol are summed in all chains at once.

Sources: Baker 1979; chances of a prefix in other ways: Jelinek and Lafferty
1991, Stolcke 1995.
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from annotated_transformer.checks import check_positive
from annotated_transformer.lab.baselines.cky import split_rules
from annotated_transformer.lab.checks import check_list
from annotated_transformer.lab.corpora.grammar import Grammar

Table = NDArray[np.float64]
Known = Sequence[str | None]
"""Words of a sentence; None is a place whose word is unknown."""


class Source:
    """The sentences of a grammar that have at most `longest` words.

    Raises:
        ValueError: `longest` is no positive integer, no sentence is as short, a
            rule has nothing on its right, or rules of one symbol go round in a
            circle that is never left.
    """

    def __init__(self, grammar: Grammar, longest: int) -> None:
        check_positive("longest", longest)
        self.longest = longest
        self.words = tuple(
            sorted({w for t in grammar.words.values() for w in t})
        )
        """All words of the grammar: the columns of every answer."""
        self._number = {word: n for n, word in enumerate(self.words)}
        rules = split_rules(grammar)
        symbols = sorted({left for left, _ in rules} | grammar.words.keys())
        number = {symbol: n for n, symbol in enumerate(symbols)}
        self._start, self._n = number[grammar.start], len(symbols)
        self._emits = np.zeros((self._n, len(self.words)))
        for tag, known in grammar.words.items():
            for word, p in known.items():
                self._emits[number[tag], self._number[word]] = p
        if empty := [left for left, right in rules if not right]:
            raise ValueError(
                f"{empty[0]} -> nothing: a rule needs a symbol on its right"
            )
        self._alone = np.zeros((self._n, self._n))
        for (left, right), p in rules.items():
            if len(right) == 1:
                self._alone[number[left], number[right[0]]] = p
        # Of all chains only those of one rule and more are kept, without empty
        # rows and columns.
        chains = _all_chains(self._alone) - np.eye(self._n)
        self._upper = np.flatnonzero(chains.any(axis=1))
        self._lower = np.flatnonzero(chains.any(axis=0))
        self._chains = chains[np.ix_(self._upper, self._lower)]
        joining = [
            (left, *right, p)
            for (left, right), p in rules.items()
            if len(right) == 2
        ]
        coded = np.array(
            [[number[s] for s in rule[:3]] for rule in joining], int
        )
        self._left, self._first, self._second = coded.reshape(-1, 3).T
        self._p = np.array([rule[3] for rule in joining])
        self._any = self._inside([None] * longest)
        lengths = self._any[0, 1:, self._start]
        self.share = float(lengths.sum())
        """Share of the grammar's sentences that are short enough: Z."""
        if not self.share:
            raise ValueError(
                f"the grammar has no sentence of at most {longest} words"
            )
        self.lengths = lengths / self.share
        """Chance of a sentence of 1 ... `longest` words."""

    @property
    def mean_length(self) -> float:
        """Words of a sentence in the mean."""
        return float(self.lengths @ np.arange(1, self.longest + 1))

    def log_probability(self, words: Sequence[str]) -> float:
        """Return log p of a sentence, the sum over its trees, in nats.

        Raises:
            ValueError: it is no sentence of the source.
        """
        known = self._checked(words)
        chance = (
            self._inside(known)[0, len(known), self._start] if known else 0.0
        )
        if not chance:
            raise ValueError(f"the grammar has no tree for {_shown(known)}")
        return math.log(chance) - math.log(self.share)

    def next_word(self, prefix: Sequence[str]) -> Table:
        """Return the chance of each of `words` after the prefix, and last that of its end.

        Raises:
            ValueError: no sentence of the source begins like this.
        """
        known = self._checked(prefix)
        k, n = len(known), self.longest
        chances = np.zeros(len(self.words) + 1)
        inside = self._inside([*known, *[None] * (n - k)])
        chances[-1] = inside[0, k, self._start] if k else 0.0
        if k < n:
            outside = self._outside(inside, range(k + 1, n + 1), place=k)
            chances[:-1] = outside[k, k + 1] @ self._emits
        if not chances.sum():
            raise ValueError(f"no sentence begins with {_shown(known)}")
        return chances / chances.sum()

    def gaps(self, words: Known) -> Table:
        """Return for each place the chance of each of `self.words` there, given all other places.

        Raises:
            ValueError: no sentence of the source is like this.
        """
        known = self._checked(words)
        inside, n = self._inside(known), len(known)
        if not n or not inside[0, n, self._start]:
            raise ValueError(f"no sentence is {_shown(known)}")
        outside = self._outside(inside, [n])
        places = np.arange(n)
        chances = outside[places, places + 1] @ self._emits
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))

    def tree_entropy(self) -> float:
        """Return the entropy of a tree of the source, in nats.

        Each use of a rule costs -log p; how often each is used in the mean
        follows from inside and outside. A sentence may have several trees, so
        that the entropy of sentences is at most this.
        """
        inside, n = self._any, self.longest
        outside = self._outside(inside, range(1, n + 1))
        total = math.log(self.share)
        ways = np.zeros(len(self._p))
        for i in range(n):
            for j in range(i + 2, n + 1):
                ways += outside[i, j, self._left] * self._ways(inside, i, j)
        cells = [(i, j) for i in range(n) for j in range(i + 1, n + 1)]
        alone = (
            sum(np.outer(outside[cell], inside[cell]) for cell in cells)
            * self._alone
        )
        tags = sum(outside[i, i + 1] for i in range(n))
        for times, p in ((ways, self._p), (alone, self._alone)):
            total -= float((times * _logs(p)).sum()) / self.share
        spoken = (self._emits * _logs(self._emits)).sum(axis=1)
        return total - float(tags @ spoken) / self.share

    def _checked(self, words: Known) -> Known:
        check_list("words", words)
        if len(words) > self.longest:
            raise ValueError(
                f"{_shown(words)} has {len(words)} words; the source has sentences of at most "
                f"{self.longest}"
            )
        for word in words:
            if word is not None and word not in self._number:
                raise ValueError(
                    f"the grammar does not know the word {word!r} of {_shown(words)}"
                )
        return words

    def _inside(self, words: Known) -> Table:
        """Fill inside[i, j, A]: the chance that A becomes words[i:j]."""
        n = len(words)
        inside = np.zeros((n, n + 1, self._n))
        for i, word in enumerate(words):
            emits = self._emits
            chances = (
                emits.sum(axis=1)
                if word is None
                else emits[:, self._number[word]]
            )
            inside[i, i + 1] = self._raised(chances)
        for length in range(2, n + 1):
            for i in range(n - length + 1):
                ways = self._ways(inside, i, i + length)
                made = self._summed(self._left, ways)
                inside[i, i + length] = self._raised(made)
        return inside

    def _summed(self, symbols: NDArray[np.int_], ways: Table) -> Table:
        """Return for each symbol the sum of the ways that are its own."""
        # Of no ways at all, NumPy counts in integers.
        return np.bincount(symbols, ways, self._n).astype(float)

    def _raised(self, cell: Table) -> Table:
        """Return chances of symbols with those that they have through rules of one symbol."""
        raised = cell.copy()
        raised[self._upper] += self._chains @ cell[self._lower]
        return raised

    def _ways(self, inside: Table, i: int, j: int) -> Table:
        """Return the chance of words[i:j] from each rule of two symbols, all cuts together."""
        before, after = inside[i, i + 1 : j], inside[i + 1 : j, j]
        both = before[:, self._first] * after[:, self._second]
        return np.asarray(both.sum(axis=0) * self._p)

    def _outside(
        self, inside: Table, ends: Iterable[int], place: int | None = None
    ) -> Table:
        """Fill outside[i, j, A]: the chance of all around words[i:j], if that is an A.

        The sentence ends after one of `ends` words. With a place, only what has
        it inside is filled in.
        """
        n, last = len(inside), set(ends)
        outside = np.zeros_like(inside)
        for length in range(n, 0, -1):
            for i in range(n - length + 1):
                j = i + length
                if place is not None and not i <= place < j:
                    continue
                cell = np.zeros(self._n)
                if j < n:  # with a partner on the right, up to each of its ends
                    ways = (
                        outside[i, j + 1 :][:, self._left]
                        * inside[j, j + 1 :][:, self._second]
                    )
                    cell += self._summed(self._first, ways.sum(0) * self._p)
                if i > 0:  # with one on the left
                    ways = (
                        outside[:i, j][:, self._left]
                        * inside[:i, i][:, self._first]
                    )
                    cell += self._summed(self._second, ways.sum(0) * self._p)
                if i == 0 and j in last:
                    cell[self._start] += 1
                cell[self._lower] += cell[self._upper] @ self._chains
                outside[i, j] = cell
        return outside


def _all_chains(alone: Table) -> Table:
    """Sum the chains of rules of one symbol, of every length: 1 + U + U^2 + ... = (1 - U)^-1."""
    one = np.eye(len(alone))
    if np.abs(np.linalg.eigvals(alone)).max() >= 1 - 1e-12:
        raise ValueError(
            "rules of one symbol go round in a circle that is never left"
        )
    return np.asarray(np.linalg.inv(one - alone))


def _logs(p: Table) -> Table:
    return np.log(p, where=p > 0, out=np.zeros_like(p))


def _shown(words: Known) -> str:
    return repr(" ".join("..." if word is None else word for word in words))
