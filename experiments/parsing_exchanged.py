"""Pairs of sentences with one noun exchanged, and what a parser makes of them."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random

from annotated_transformer.lab.analysis.exchanged_words import Exchange, exchanges, verdicts
from annotated_transformer.lab.baselines.cky import CKY
from annotated_transformer.lab.corpora.english_trees import (
    LONGEST,
    SPLITS,
    english_grammar,
    english_trees,
)
from annotated_transformer.lab.corpora.grammar import visible
from annotated_transformer.lab.corpora.treebank import Tree
from experiments.parsing_measures import entry
from experiments.study import Entry

FOLLOWED = {
    "follows": "noun: follows the noun",
    "stays": "noun: stays",
    "contrary": "noun: contrary",
    "neither": "noun: neither",
}
"""What a record calls the verdicts on a pair with one noun exchanged."""


def drawn(seed: int = len(SPLITS)) -> Iterator[Tree]:
    """Draw trees of the true grammar without end, no sentence twice or of a split."""
    random = Random(seed)
    known = {tree.words for split in SPLITS for tree in english_trees(split)}
    while True:
        tree = english_grammar().draw(random)
        if len(tree.words) <= LONGEST and tree.words not in known:
            known.add(tree.words)
            yield visible(tree)


def noun_pairs(n: int) -> list[Exchange]:
    """The first pairs of sentences with one noun exchanged, none of a split."""
    known = {tree.words for split in SPLITS for tree in english_trees(split)}
    return [*islice(exchanges(drawn(), CKY(english_grammar()), known=known), n)]


def followed(
    pairs: Sequence[Exchange],
    parse: Callable[[Sequence[Tree]], Sequence[Tree | None]],
    signature: str,
    **tags: str,
) -> list[Entry]:
    """What a parser does with the pairs, in percent of them."""
    both = parse([tree for pair in pairs for tree in pair.trees])
    found = verdicts(pairs, list(zip(both[::2], both[1::2], strict=True)))
    signature = f"percent of pairs|n:{len(pairs)}|{signature}"
    return [
        entry(metric, 100 * found[name] / len(pairs), signature, tags)
        for name, metric in FOLLOWED.items()
    ]
