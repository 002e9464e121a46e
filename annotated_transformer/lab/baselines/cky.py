"""Parsing without a network: the most probable tree that a grammar has for a sentence (CKY).

Chapter: *Parsing*. A table holds, for every stretch of words and every symbol,
the best log probability with which the symbol becomes the stretch. Short
stretches are filled in first: a rule joins two that lie side by side. With sums
of probabilities in place of the best one, the same table has the probability of
the sentence (the inside algorithm).

Rules of three symbols and more are split into rules of two, A -> B C D into
A -> B "C D" and "C D" -> C D, which changes no probability: the second rule has
probability one, and "C D" is no phrase of the tree. Rules of one symbol are
applied once those of two are, the lower symbols first.

Sources: Kasami 1965, Younger 1967; for the sums Baker 1979.
"""

import math
from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

import numpy as np
from numpy.typing import NDArray

from annotated_transformer.lab.checks import check_list
from annotated_transformer.lab.corpora.grammar import Grammar, Right, visible
from annotated_transformer.lab.corpora.treebank import Tree

Table = NDArray[np.float64]
Entry = tuple[int, int, int]
"""Words i to j, and a symbol's number."""


class CKY:
    """The parser of a grammar.

    Raises:
        ValueError: rules of one symbol lead from a symbol back to itself.
    """

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        rules = split_rules(grammar)
        symbols = _lower_first(rules, grammar)
        number = {symbol: n for n, symbol in enumerate(symbols)}
        coded = sorted(
            (number[left], [number[symbol] for symbol in right], math.log(p))
            for (left, right), p in rules.items()
        )
        self._symbols, self._start = symbols, number[grammar.start]
        self._unary = [
            (left, right[0], log_p)
            for left, right, log_p in coded
            if len(right) == 1
        ]
        joining = [rule for rule in coded if len(rule[1]) == 2]
        self._left = np.array([left for left, _, _ in joining], int)
        pairs = np.array([right for _, right, _ in joining], int)
        self._first, self._second = pairs.reshape(-1, 2).T
        self._log_p = np.array([log_p for _, _, log_p in joining], float)
        # Sorted by what they make, the rules of a symbol are side by side.
        self._made, self._begin = np.unique(self._left, return_index=True)
        self._tags = {
            word: [
                (number[tag], math.log(known[word]))
                for tag, known in grammar.words.items()
                if word in known
            ]
            for words in grammar.words.values()
            for word in words
        }

    def parse(self, words: Sequence[str]) -> Tree:
        """Return the most probable tree, with labels instead of the grammar's symbols.

        Raises:
            ValueError: the grammar has no tree for the sentence.
        """
        return visible(self.derivation(words))

    def derivation(self, words: Sequence[str]) -> Tree:
        """Return the most probable tree, of the grammar's symbols. Raises as `parse`."""
        check_list("words", words)
        table = self._table(words, np.maximum)
        return self._trees(table, words, (0, len(words), self._start))[0]

    def log_probability(self, words: Sequence[str]) -> float:
        """Return log p of all its trees together, in nats. Raises as `parse`."""
        check_list("words", words)
        table = self._table(words, np.logaddexp)
        return float(table[0, len(words), self._start])

    def _table(self, words: Sequence[str], plus: np.ufunc) -> Table:
        """Fill table[i, j, A]: log p of words[i:j] from A; `plus` joins the ways to get there."""
        n = len(words)
        table = np.full((n, n + 1, len(self._symbols)), -np.inf)
        for i, word in enumerate(words):
            for tag, log_p in self._tags.get(word, []):
                table[i, i + 1, tag] = log_p
            self._add_unary(table[i, i + 1], plus)
        for length in range(2, n + 1):
            for i in range(n - length + 1):
                cell = table[i, i + length]
                if len(self._left):
                    ways = plus.reduce(self._ways(table, i, i + length))
                    cell[self._made] = plus.reduceat(ways, self._begin)
                self._add_unary(cell, plus)
        if not n or table[0, n, self._start] == -np.inf:
            raise ValueError(self._why_not(words))
        return table

    def _ways(self, table: Table, i: int, j: int) -> Table:
        """Return log p of words[i:j] from each rule of two symbols (columns), by cut (rows)."""
        before, after = table[i, i + 1 : j], table[i + 1 : j, j]
        return before[:, self._first] + after[:, self._second] + self._log_p

    def _add_unary(self, cell: Table, plus: np.ufunc) -> None:
        for upper, lower, log_p in self._unary:
            if cell[lower] > -np.inf:
                cell[upper] = plus(cell[upper], cell[lower] + log_p)

    def _trees(
        self, table: Table, words: Sequence[str], entry: Entry
    ) -> list[Tree]:
        """Return an entry's tree, or the trees of its parts if it is no phrase."""
        i, _, symbol = entry
        label = self._symbols[symbol]
        if label in self.grammar.words:
            return [Tree(label, word=words[i])]
        parts = [
            tree
            for part in self._best_parts(table, entry)
            for tree in self._trees(table, words, part)
        ]
        phrase = label in self.grammar.rules
        return [Tree(label, tuple(parts))] if phrase else parts

    def _best_parts(self, table: Table, entry: Entry) -> list[Entry]:
        """Find the best parts of an entry anew: the same sums as when the table was filled."""
        i, j, symbol = entry
        candidates = [
            (table[i, j, lower] + log_p, [(i, j, lower)])
            for upper, lower, log_p in self._unary
            if upper == symbol
        ]
        rules = np.flatnonzero(self._left == symbol)
        if len(rules) and j > i + 1:
            ways = self._ways(table, i, j)[:, rules]
            row, column = np.unravel_index(ways.argmax(), ways.shape)
            cut, rule = i + 1 + int(row), rules[column]
            first, second = int(self._first[rule]), int(self._second[rule])
            candidates.append((ways.max(), [(i, cut, first), (cut, j, second)]))
        return max(candidates, key=lambda way: way[0])[1]

    def _why_not(self, words: Sequence[str]) -> str:
        sentence = repr(" ".join(words))
        for word in words:
            if word not in self._tags:
                return (
                    f"the grammar does not know the word {word!r} of {sentence}"
                )
        return f"the grammar has no tree for {sentence}"


def split_rules(grammar: Grammar) -> dict[tuple[str, Right], float]:
    """Return probabilities by left and right side, with at most two symbols on the right."""
    probabilities: dict[tuple[str, Right], float] = {}
    for left, made in grammar.rules.items():
        for right, p in made.items():
            upper, rest, share = left, right, p
            while len(rest) > 2:
                joined = " ".join(rest[1:])
                probabilities[upper, (rest[0], joined)] = share
                upper, rest, share = joined, rest[1:], 1.0
            probabilities[upper, rest] = share
    return probabilities


def _lower_first(
    rules: Mapping[tuple[str, Right], float], grammar: Grammar
) -> list[str]:
    """Sort all symbols, each after those that it becomes alone."""
    below: dict[str, set[str]] = {tag: set() for tag in grammar.words}
    for left, right in rules:
        below.setdefault(left, set())
        if len(right) == 1:
            below[left].add(right[0])
    try:
        return list(TopologicalSorter(below).static_order())
    except CycleError as error:
        circle = " -> ".join(reversed(error.args[1]))
        raise ValueError(
            f"rules of one symbol go round in a circle: {circle}"
        ) from error
