"""Section 6.3 in small: how well the Transformer parses, by the number of trees it learns from.

    python -m experiments.parsing

Sentences are those of `english_trees`. The runs differ in how many trees of the training split they
see; updates, network, vocabulary and tests are equal. The vocabulary has a token for each word and
each symbol of the whole training split, so that the networks are of one size. A line of a tree has
the tags of the words, as in the program of the paper's authors. For `--bare` trees there is a run
besides whose lines have XX for every tag, as in Vinyals et al. 2015 (`linearised`).

Scored is labelled F1 on the test split, as `bracket_score` counts it; what is no tree finds nothing
and is counted, with what is wrong with it. Of the sentences that got a tree, the choices are
counted apart (`choices_right`). Trees are written greedily, and for the first `--searched`
sentences by beam search with the settings of section 6.3 too, which were chosen for another corpus.

The floor is right-branching trees, with the label that scores best on the training split. Above it
stand grammars, whose most probable tree is found: for each number of trees the one that is read off
them, which knows labels only, and the true one, which knows the classes of the words. The true one
is the ceiling: nobody can expect more trees to be exactly right. Chapter: *Parsing*.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from annotated_transformer.lab.analysis.bracket_score import bracket_score
from annotated_transformer.lab.baselines.right_branching import right_branching
from annotated_transformer.lab.corpora.english_trees import english_grammar, english_trees
from annotated_transformer.lab.corpora.grammar import Grammar
from annotated_transformer.lab.corpora.treebank import Tree
from experiments.parsing_measures import (
    SETTINGS,
    by_grammar,
    entries,
    shared_tokenizer,
    tested,
    told,
    write,
)
from experiments.study import Entry, Option
from experiments.variants import Comparison, Contest, Variant


def without_a_network(tests: Sequence[Tree], sizes: Sequence[int]) -> list[Entry]:
    """The scores of the floor and of the grammars."""
    train = english_trees("train")
    label = best_label(train[:1_000])
    floor = [right_branching(tree.leaves, label=label) for tree in tests]
    scores = entries(tests, floor, f"label:{label}", parser="right-branching")
    for n in sizes:
        found = by_grammar(Grammar.from_trees(train[:n]), tests)
        scores += entries(tests, found, "-", parser="treebank grammar", train_pairs=n)
    found = by_grammar(english_grammar(), tests)
    scores += entries(tests, found, "classes known", parser="true grammar")
    for score in scores:
        if score["metric"] in ("F1", "exact_match"):
            print(score["parser"], score.get("train_pairs", ""), told([score]), flush=True)
    return scores


def best_label(trees: Sequence[Tree]) -> str:
    """The label with which right-branching trees score best."""

    def f1(label: str) -> float:
        found = [right_branching(tree.leaves, label=label) for tree in trees]
        return bracket_score(trees, found).f1

    return max(("NP", "PP", "S", "VP"), key=f1)


def contest(given: argparse.Namespace) -> Contest:
    """Networks by their number of trees; beside them the floor and the grammars."""
    folder = Path("runs/parsing/corpus")  # a fixed place, so that a stopped command can go on
    tokenizer, tests = shared_tokenizer(folder), english_trees("test")[: given.tests]
    variants = [
        Variant(
            {"parser": name, "train_pairs": n},
            [*SETTINGS, write(english_trees("train")[:n], folder / f"{n}_{tags}", tags=tags)],
            tokenizer=tokenizer,
        )
        for name, sizes, tags in (
            ("Transformer", given.pairs, True),
            ("Transformer, no tags", given.bare, False),
        )
        for n in sizes
    ]
    also = without_a_network(tests, given.pairs)
    return Contest(variants, tested(tests, given.searched), also)


STUDY = Comparison(
    "experiments.parsing",
    __doc__,
    contest,
    Option("--pairs", [200, 1_000, 5_700, 20_000], selects=True),
    Option("--bare", [5_700], "with XX for all tags", nargs="*", selects=True),
    Option("--tests", 1_000, "sentences of the test split"),
    Option("--searched", 200, "of them by beam search, too"),
    updates=4_000,
    splits=(),
    own_corpus=True,
)


if __name__ == "__main__":
    STUDY.main()
