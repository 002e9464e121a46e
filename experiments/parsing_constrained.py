"""The networks of `parsing`, told to write trees only, and asked about one noun exchanged.

    python -m experiments.parsing_constrained

Networks, trees, updates and tests are those of `parsing`. Each network writes its lines twice:
freely, and with a search that lets only those symbols through with which a line can still become a
tree of its sentence (`trees_only`). It does so greedily, and for the first `--searched` sentences
with the beam of section 6.3 too. In a free line that is no tree nothing is found; in the record the
hard choices are those of all sentences ("of all"), with the choices of such lines counted as wrong.

Then one noun is exchanged in each of `--exchanged` sentences, drawn anew from the true
grammar, so that its most probable tree has the prepositional phrase elsewhere (`exchanges`). A
parser that looks at labels alone cannot follow: as the control stands beside the networks the
grammar that is read off all their trees.

The weights are rounded to 16 bits before anything is measured, because so they are shipped:
the network of the first seed and the most trees, with the first of the `--rates`, is what
*Parsing* loads, and this program leaves it in `runs/parsing_constrained/parser`. With the other
rates only the first seed is trained, and its lines are written greedily. Chapter: *Parsing*.
"""

import argparse
import copy
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import torch

from annotated_transformer import Translator
from annotated_transformer.lab.analysis.choices import KINDS, choices_right, open_choices
from annotated_transformer.lab.analysis.exchanged_words import Exchange
from annotated_transformer.lab.analysis.parsing import EXTRA_LENGTH, parsed, tree_lines, trees_of
from annotated_transformer.lab.corpora.english_trees import english_trees
from annotated_transformer.lab.corpora.grammar import Grammar
from annotated_transformer.lab.corpora.treebank import Tree
from annotated_transformer.saving import save_model
from annotated_transformer.storage.machine import commit
from experiments.parsing_exchanged import followed, noun_pairs
from experiments.parsing_measures import (
    SEARCH,
    SETTINGS,
    by_grammar,
    entries,
    entry,
    faults,
    shared_tokenizer,
    told,
    write,
)
from experiments.study import Entry, Option
from experiments.variants import Comparison, Contest, Variant

FOLDER = Path("runs/parsing_constrained")
"""A fixed place, so that a stopped command can go on."""
PARSER = FOLDER / "parser"
"""The network that ships."""
ALLOWED = {"everything": False, "trees only": True}
"""What a search lets through, as a record names it, and whether that is trees only."""


def of_all(
    gold: Sequence[Tree], found: Sequence[Tree | None], signature: str, **tags: str
) -> list[Entry]:
    """The hard choices that are right, in percent of all there are."""
    right = choices_right(gold, found)
    there = [kind for tree in gold for kind, _ in open_choices(tree)]
    return [
        entry(
            f"{kind}, of all",
            100 * right[kind][0] / there.count(kind),
            f"right choices|no tree: wrong|n:{there.count(kind)}|{signature}",
            tags,
        )
        for kind in KINDS.values()
        if kind in there
    ]


class Measured:
    """A measure: the lines of a network, free and trees only, and the nouns that it follows.

    Where `kept` says of which seed and how many updates the network is, it is saved besides.
    """

    def __init__(
        self,
        tests: Sequence[Tree],
        searched: int,
        pairs: Sequence[Exchange],
        kept: Mapping[str, int] | None = None,
    ) -> None:
        self.tests, self.searched, self.pairs, self.kept = tests, searched, pairs, kept

    def __call__(self, translator: Translator) -> Iterator[Entry]:
        """All scores of a network, whose weights are rounded to 16 bits first."""
        round_weights(translator.model)
        if self.kept is not None:
            made = {"record": STUDY.name, "commit": commit(), **self.kept}
            half = copy.deepcopy(translator.model).half()
            save_model(PARSER, half, translator.tokenizer, training=made)
        for allowed, trees_only in ALLOWED.items():
            greedy = Translator(translator.model, translator.tokenizer, beam_size=1)
            beam = Translator(translator.model, translator.tokenizer, **SEARCH)
            lines = tree_lines(greedy, words_of(self.tests), trees_only=trees_only)
            few = self.tests[: self.searched]
            searches = {"greedy": (lines, "beam_size:1")}
            if few:
                own = tree_lines(beam, words_of(few), trees_only=trees_only)
                told_by = "|".join(f"{key}:{value}" for key, value in SEARCH.items())
                searches["greedy, searched"] = lines[: len(few)], "beam_size:1"
                searches["beam, searched"] = own, told_by
            for name, (some, settings) in searches.items():
                signature = f"{settings}|extra:{EXTRA_LENGTH}"
                yield from self.scores(some, signature, search=name, allowed=allowed)
            parse = partial(parsed_trees, greedy, trees_only=trees_only)
            nouns = followed(self.pairs, parse, "beam_size:1", search="greedy", allowed=allowed)
            print(f"{allowed}: {told(nouns)}", flush=True)
            yield from nouns

    def scores(self, lines: Sequence[str | None], signature: str, **tags: str) -> list[Entry]:
        """The scores of the lines of the first tests."""
        some = self.tests[: len(lines)]
        found = trees_of(lines, words_of(some))
        scores = [*entries(some, found, signature, **tags), *of_all(some, found, signature, **tags)]
        print(f"{tags}: {told(scores)}", flush=True)
        return scores + faults(lines, words_of(some), signature, **tags)


def words_of(trees: Sequence[Tree]) -> list[tuple[str, ...]]:
    """The sentences of trees."""
    return [tree.words for tree in trees]


def parsed_trees(
    translator: Translator, trees: Sequence[Tree], *, trees_only: bool
) -> list[Tree | None]:
    """The network's own trees for the sentences of trees."""
    return parsed(translator, words_of(trees), trees_only=trees_only)


def round_weights(model: torch.nn.Module) -> None:
    """Round all weights to the numbers that 16 bits hold."""
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(weight.half())


def contest(given: argparse.Namespace) -> Contest:
    """Networks by their number of trees, and the grammar of labels that cannot follow a noun."""
    tests, train = english_trees("test")[: given.tests], english_trees("train")
    tokenizer, pairs = shared_tokenizer(FOLDER / "corpus"), noun_pairs(given.exchanged)
    corpora = {n: write(train[:n], FOLDER / f"corpus/{n}") for n in given.pairs}
    first = given.rates[0]

    def variants(seed: int) -> Iterator[Variant]:
        for rate in given.rates if seed == given.seeds[0] else [first]:
            for n in sorted(given.pairs, reverse=True):
                ships = (n, rate, seed) == (max(given.pairs), first, given.seeds[0])
                kept = {"seed": seed, "steps": given.steps} if ships else None
                searched = given.searched if rate == first else 0
                yield Variant(
                    {"train_pairs": n, "rate": rate},
                    [*SETTINGS, corpora[n], f"training.learning_rate_scale={rate}"],
                    tokenizer=tokenizer,
                    measure=Measured(tests, searched, pairs, kept),
                )

    grammar = Grammar.from_trees(train[: max(given.pairs)])
    labels = followed(pairs, partial(by_grammar, grammar), "-", parser="treebank grammar")
    print(told(labels), flush=True)
    return Contest(variants, also=labels)


STUDY = Comparison(
    "experiments.parsing_constrained",
    __doc__,
    contest,
    Option("--pairs", [1_000, 5_700, 20_000], selects=True),
    Option(
        "--rates", [0.2, 0.4], "times the paper's; the first is that of all seeds", selects=True
    ),
    Option("--tests", 1_000, "sentences of the test split"),
    Option("--searched", 200, "of them by beam search, too"),
    Option("--exchanged", 200, "sentences with a noun exchanged"),
    updates=4_000,
    splits=(),
    own_corpus=True,
)


if __name__ == "__main__":
    STUDY.main()
