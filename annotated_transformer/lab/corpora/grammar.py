"""Probabilistic context-free grammars: rules with probabilities, trees drawn from them or counted.

A rule rewrites a symbol as one or more others, or as a word; what a symbol may become has
probabilities that sum to one, and the probability of a tree is the product over its rules. A symbol
may say more than its label, behind "^": NP^person is a noun phrase (NP) about a person. What stands
behind is the grammar's own affair, a tree is shown without it (`visible`).
"""

import math
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import accumulate
from random import Random
from typing import Any

from annotated_transformer.lab.corpora.treebank import TOP, Tree, walk

Right = tuple[str, ...]


class Grammar:
    """A probabilistic context-free grammar.

    Args:
        rules: for each phrase's symbol, the sequences that it may become, with
            weights, which are divided by their sum.
        words: for each tag's symbol, its words, with weights.
        start: the symbol of a whole sentence.

    Raises:
        ValueError: a weight that is not positive, a symbol that becomes
            nothing, or one that has both words and rules; it is named.
    """

    def __init__(
        self,
        rules: Mapping[str, Mapping[Right, float]],
        words: Mapping[str, Mapping[str, float]],
        *,
        start: str,
    ) -> None:
        self.start = start
        self.rules = {left: _shares(left, made) for left, made in rules.items()}
        """Probability of each right side, by left side."""
        self.words = {tag: _shares(tag, known) for tag, known in words.items()}
        """Probability of each word, by tag."""
        if both := sorted(self.rules.keys() & self.words.keys()):
            raise ValueError(f"{both[0]} has both words and rules")
        used = {start} | {
            symbol for made in self.rules.values() for right in made for symbol in right
        }
        if lost := sorted(used - self.rules.keys() - self.words.keys()):
            raise ValueError(f"{lost[0]} has neither words nor rules")
        everything: dict[str, dict[Right | str, float]] = {
            **{left: {**made} for left, made in self.rules.items()},
            **{tag: {**known} for tag, known in self.words.items()},
        }
        self._choices = {
            symbol: (list(made), list(accumulate(made.values())))
            for symbol, made in everything.items()
        }

    @classmethod
    def from_trees(cls, trees: Iterable[Tree]) -> "Grammar":
        """Make a treebank grammar: each rule has its share of its left side in the trees.

        It starts from `TOP`, above the symbol of each tree.

        Raises:
            ValueError: there is no tree.

        Source: Charniak 1996.
        """
        rules: dict[str, Counter[Right]] = defaultdict(Counter)
        words: dict[str, Counter[str]] = defaultdict(Counter)
        for tree in trees:
            rules[TOP][tree.label,] += 1
            for event, node in walk(tree):
                if event == "word":
                    words[node.label][str(node.word)] += 1
                elif event == "open":
                    right = tuple(child.label for child in node.children)
                    rules[node.label][right] += 1
        if not rules:
            raise ValueError("there is no tree to read a grammar from")
        return cls(rules, words, start=TOP)

    def draw(self, random: Random) -> Tree:
        """Draw a tree, each with its probability; its labels are the symbols of the grammar."""
        return self._grown(self.start, random)

    def log_probability(self, tree: Tree) -> float:
        """Return log p of a tree of the grammar's symbols, in nats; -infinity if it has none."""
        total = 0.0
        for event, node in walk(tree):
            if event == "word":
                p = self.words.get(node.label, {}).get(str(node.word), 0.0)
            elif event == "open":
                right = tuple(child.label for child in node.children)
                p = self.rules.get(node.label, {}).get(right, 0.0)
            else:
                continue
            total += math.log(p) if p else -math.inf
        return total if tree.label == self.start else -math.inf

    def _grown(self, symbol: str, random: Random) -> Tree:
        made, below = self._choices[symbol]
        # The sums may end just below 1.
        choice = made[min(bisect(below, random.random()), len(made) - 1)]
        if isinstance(choice, str):
            return Tree(symbol, word=choice)
        return Tree(symbol, tuple(self._grown(each, random) for each in choice))


def visible(tree: Tree) -> Tree:
    """Return the tree with labels instead of symbols: without the part behind "^"."""
    label = tree.label.partition("^")[0]
    return Tree(label, tuple(map(visible, tree.children)), tree.word)


def _shares(symbol: str, weights: Mapping[Any, float]) -> dict[Any, float]:
    if not weights:
        raise ValueError(f"{symbol} becomes nothing: it has no rule or word")
    for made, weight in weights.items():
        if not 0 < weight < math.inf:
            right = made if isinstance(made, str) else " ".join(made)
            raise ValueError(
                f"{symbol} -> {right} has the weight {weight}; expected a positive number"
            )
    total = math.fsum(weights.values())
    return {made: weight / total for made, weight in weights.items()}
