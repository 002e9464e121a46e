"""Section 6.3's second setting in small: few gold trees, and many that a parser made.

    python -m experiments.parsing_self_training

The paper adds 17 million trees that other parsers made of plain text. Here the first `--gold` trees
of the training split are gold, and the `--more` sentences after them are plain text. Four networks
learn from equal numbers of updates and differ in their trees:

- "gold": the gold trees alone;
- "self": the gold trees, and those that the network "gold" of the same seed writes for the text;
- "grammar": the gold trees, and the most probable ones of a grammar read off the gold trees, which
  is another parser, as in the paper;
- "all gold": the gold trees, and the gold trees of the text.

Sentences for which a parser has no tree are left out; how many, and how good the others are, the
record says (split "text"). Tests are those of `parsing`, written greedily. Chapter: *Parsing*.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from annotated_transformer import Translator
from annotated_transformer.lab.analysis.parsing import parsed
from annotated_transformer.lab.corpora.english_trees import english_trees
from annotated_transformer.lab.corpora.grammar import Grammar
from annotated_transformer.lab.corpora.treebank import Tree, read_trees, write_trees
from experiments.parsing_measures import (
    SETTINGS,
    by_grammar,
    entries,
    shared_tokenizer,
    tested,
    write,
)
from experiments.study import Entry, Option
from experiments.variants import Comparison, Contest, Measure, Variant, label


def keep(path: Path, found: Sequence[Tree | None]) -> None:
    """Write the trees that a parser has found."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_trees(path, [tree for tree in found if tree])


def of_text(text: Sequence[Tree], found: Sequence[Tree | None], **tags: str) -> list[Entry]:
    """How good a parser's trees of the text are."""
    scores = entries(text, found, "-", **tags)
    return [score | {"split": "text"} for score in scores]


class Contestants:
    """The networks of a seed, one after another: the second learns from what the first wrote."""

    def __init__(self, given: argparse.Namespace, folder: Path) -> None:
        self.given, self.folder = given, folder
        train = english_trees("train")
        self.gold = train[: given.gold]
        self.text = train[given.gold :][: given.more]
        if len(self.text) < given.more:
            raise ValueError(
                f"--gold {given.gold} and --more {given.more} are more than "
                f"the {len(train)} trees there are"
            )
        self.tokenizer = shared_tokenizer(folder)
        self.by_grammar = by_grammar(Grammar.from_trees(self.gold), self.text)

    def __call__(self, seed: int) -> Iterator[Variant]:
        """The four, the teacher first."""
        alone = self._variant("gold", ())
        kept = STUDY.kept(label(alone, seed), self.given)
        # The teacher's trees lie beside its result, so that both are of the same run.
        path = kept.with_suffix(".trees") if kept else self.folder / "self.trees"

        def teach(translator: Translator) -> Iterator[Entry]:
            own = Translator(translator.model, translator.tokenizer, beam_size=1)
            found = parsed(own, [tree.words for tree in self.text])
            keep(path, found)
            yield from of_text(self.text, found, trees="self")

        yield self._variant("gold", (), teach)
        own = read_trees(path) if path.stat().st_size else ()
        yield self._variant("self", tuple(own))
        silver = [tree for tree in self.by_grammar if tree]
        yield self._variant("grammar", silver)
        yield self._variant("all gold", self.text)

    def _variant(self, name: str, more: Sequence[Tree], measure: Measure | None = None) -> Variant:
        corpus = write([*self.gold, *more], self.folder / name.replace(" ", "_"))
        return Variant(
            {"trees": name}, [*SETTINGS, corpus], tokenizer=self.tokenizer, measure=measure
        )


def contest(given: argparse.Namespace) -> Contest:
    """The networks of a seed, one resting on another, and how good the grammar's trees are."""
    tests = english_trees("test")[: given.tests]
    contestants = Contestants(given, Path("runs/parsing_self_training/corpus"))
    also = of_text(contestants.text, contestants.by_grammar, trees="grammar")
    return Contest(contestants, tested(tests, 0), also)


STUDY = Comparison(
    "experiments.parsing_self_training",
    __doc__,
    contest,
    Option("--gold", 500),
    Option("--more", 4_000),
    Option("--tests", 1_000, "sentences of the test split"),
    updates=3_000,
    splits=(),
    own_corpus=True,
)


if __name__ == "__main__":
    STUDY.main()
