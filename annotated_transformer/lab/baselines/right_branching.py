"""Parsing without looking at the words: each phrase is a word and all that follows it.

Chapter: *Parsing*. English mostly branches to the right, so this is the usual floor.
"""

from collections.abc import Sequence

from annotated_transformer.lab.analysis.bracket_score import IGNORED_TAGS
from annotated_transformer.lab.corpora.treebank import Tree


def right_branching(leaves: Sequence[Tree], *, top: str = "S", label: str = "VP") -> Tree:
    """Build (S w1 (VP w2 (VP w3 w4)) .): the mark at the end belongs to the whole sentence.

    Args:
        leaves: the words with their tags.
        top: the label of the sentence.
        label: that of every phrase in it.

    Raises:
        ValueError: there are no words.

    Source: Klein and Manning 2002.
    """
    if not leaves:
        raise ValueError("there are no words: an empty sentence has no tree")
    marked = len(leaves) > 1 and leaves[-1].label in IGNORED_TAGS
    *rest, inner = leaves[:-1] if marked else leaves
    for leaf in reversed(rest[1:]):
        inner = Tree(label, (leaf, inner))
    return Tree(top, (*rest[:1], inner, *leaves[-1:][:marked]))
