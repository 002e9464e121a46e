"""Where a parser has to choose: what a prepositional phrase belongs to, and what `and` joins.

    he saw the man with the telescope       the noun, or the verb
    he fed the dog and the cat with a hat   the cat, or both

Chapter: *Parsing*. F1 counts every phrase, and most are easy. These counts look at the hard ones
alone. A prepositional phrase (PP) counts if a noun stands before it and a verb phrase is open, so
that both might have it. It is right if the phrase above it has the label and the first word that it
has in the gold tree; where that phrase ends may be another mistake. A conjunction (CC) is right if
the phrase above it has the label and the words that it has in the gold tree.
"""

from collections import Counter
from collections.abc import Iterable

from annotated_transformer.lab.corpora.treebank import Tree, walk

NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
"""Tags of nouns."""
KINDS = {"NP": "PP to a noun", "VP": "PP to a verb", "CC": "conjunction"}
Above = tuple[str, int, int]
"""A phrase: its label, its first word, and the word after its last."""


def above(tree: Tree) -> tuple[dict[int, Above], dict[int, Above]]:
    """Return the phrase above each word, and above each PP, by the number of its first word."""
    of_words: dict[int, Above] = {}
    of_pps: dict[int, Above] = {}
    waiting: list[tuple[str, int, list[int], list[int]]] = []
    n = 0
    for event, node in walk(tree):
        if event == "word":
            if waiting:
                waiting[-1][2].append(n)
            n += 1
        elif event == "open":
            if node.label == "PP" and waiting:
                waiting[-1][3].append(n)
            waiting.append((node.label, n, [], []))
        else:
            label, start, words, pps = waiting.pop()
            of_words |= dict.fromkeys(words, (label, start, n))
            of_pps |= dict.fromkeys(pps, (label, start, n))
    return of_words, of_pps


def open_choices(gold: Tree) -> list[tuple[str, int]]:
    """List a parser's choices in a sentence: the kind, of `KINDS`, and the number of the word."""
    tags = [leaf.label for leaf in gold.leaves]
    words, pps = above(gold)
    inside = {n for label, start, end in words.values() if label == "VP" for n in range(start, end)}
    attachments = [
        (KINDS[label], n)
        for n, (label, _, _) in pps.items()
        if label in ("NP", "VP") and n in inside and tags[n - 1] in NOUNS
    ]
    return attachments + [(KINDS["CC"], n) for n in words if tags[n] == "CC"]


def choices_right(
    gold: Iterable[Tree], predicted: Iterable[Tree | None]
) -> dict[str, tuple[int, int]]:
    """Count how many choices are right, and of how many, for each of `KINDS`.

    A sentence that got no tree is left out.
    """
    right: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for gold_tree, predicted_tree in zip(gold, predicted, strict=True):
        if predicted_tree is None:
            continue
        (words, pps), (own_words, own_pps) = above(gold_tree), above(predicted_tree)
        for kind, n in open_choices(gold_tree):
            every[kind] += 1
            if kind == KINDS["CC"]:
                right[kind] += own_words.get(n) == words[n]
            else:
                right[kind] += own_pps.get(n, ("", 0, 0))[:2] == pps[n][:2]
    return {kind: (right[kind], every[kind]) for kind in KINDS.values()}
