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
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotated_transformer import Translator
from annotated_transformer.lab.analysis.bracket_score import bracket_score
from annotated_transformer.lab.analysis.choices import choices_right
from annotated_transformer.lab.analysis.parsing import (
    EXTRA_LENGTH,
    FAULTS,
    tree_lines,
    trees_of,
    why_no_tree,
)
from annotated_transformer.lab.baselines.cky import CKY
from annotated_transformer.lab.baselines.right_branching import right_branching
from annotated_transformer.lab.corpora.english_trees import english_grammar, english_trees
from annotated_transformer.lab.corpora.grammar import Grammar
from annotated_transformer.lab.corpora.treebank import WORD, Tree, prepared, tree_pair
from annotated_transformer.tokenizer import N_FIXED, Tokenizer
from experiments.study import Option
from experiments.variants import Comparison, Contest, Variant

SETTINGS = (
    "corpus.kind=files",
    "training.tokens_per_batch=512",
    "training.learning_rate_scale=0.2",
    "model.dropout=0.1",
    "model.max_length=400",
    "training.warmup_steps=300",
    "training.checkpoint_every=100",
    "training.keep_checkpoints=5",
    "training.average_checkpoints=5",
)
"""Chosen with one seed, by trees of the validation split. Section 6.1 averages 5 checkpoints."""
SEARCH = {"beam_size": 21, "alpha": 0.3}
"""Section 6.3."""
Entry = dict[str, Any]


def write(trees: Sequence[Tree], folder: Path, *, tags: bool = True) -> str:
    """The corpus of a run in files; returns what the recipe says of them."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for split, some in (("train", trees), ("valid", english_trees("valid"))):
        pairs = [tree_pair(tree, tags=tags) for tree in some]
        for side in ("source", "target"):
            lines = "".join(f"{getattr(pair, side)}\n" for pair in pairs)
            (folder / f"{split}.{side}").write_text(lines, encoding="utf-8")
        rows.append(f'{split} = ["{folder}/{split}.source", "{folder}/{split}.target"]')
    return f"corpus.splits={{{', '.join(rows)}}}"


def shared_tokenizer(folder: Path) -> Path:
    """The file of a tokenizer with a token for each word and symbol of the training split.

    It has one for `WORD` too, so that the networks are of one size with tags and without.
    """
    pairs = map(tree_pair, english_trees("train"))
    lines = [WORD, *(line for pair in pairs for line in (pair.source, pair.target))]
    words = {word for line in lines for word in line.split()}
    tokenizer = Tokenizer.train(lines, vocab_size=N_FIXED + len(words), kind="word")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "tokenizer.model"
    path.write_bytes(tokenizer.to_bytes())
    return path


def entries(
    gold: Sequence[Tree], found: Sequence[Tree | None], signature: str, **tags: Any
) -> list[Entry]:
    """All scores of a parser's trees, as a record has them."""
    score = bracket_score(gold, found)
    values = {
        "exact_match": score.exact_match,
        "F1": score.f1,
        "precision": score.precision,
        "recall": score.recall,
        "no_tree": 100 * score.invalid / score.sentences,
    }
    notes = dict.fromkeys(
        values, f"EVALB counts|Collins|no tree: nothing found|n:{score.sentences}"
    )
    for kind, (right, every) in choices_right(gold, found).items():
        if every:
            values[kind] = 100 * right / every
            notes[kind] = f"right choices|of sentences with a tree|n:{every}"
    return [
        entry(name, value, f"{notes[name]}|{signature}", tags) for name, value in values.items()
    ]


def entry(name: str, value: float, signature: str, tags: Mapping[str, Any]) -> Entry:
    """One score, as a record has it."""
    return {
        **tags,
        "split": "test",
        "metric": name,
        "value": round(value, 2),
        "signature": signature,
    }


def faults(
    lines: Sequence[str | None], sentences: Sequence[Sequence[str]], signature: str, **tags: Any
) -> list[Entry]:
    """What is wrong with lines that are no trees, in percent of all."""
    found = Counter(map(why_no_tree, lines, sentences))
    signature = f"percent of n:{len(lines)}|{signature}"
    return [
        entry(f"no_tree: {why}", 100 * found[why] / len(lines), signature, tags) for why in FAULTS
    ]


def by_grammar(grammar: Grammar, gold: Sequence[Tree]) -> list[Tree | None]:
    """The most probable tree of each sentence, without `TOP`; None for what has no tree."""
    cky = CKY(grammar)
    found: list[Tree | None] = []
    for tree in gold:
        try:
            found.append(prepared(cky.parse(tree.words)))
        except ValueError:
            found.append(None)
    return found


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


def told(scores: Sequence[Entry]) -> str:
    """The scores of a parser in a line."""
    return ", ".join(f"{score['metric']} {score['value']}" for score in scores)


def best_label(trees: Sequence[Tree]) -> str:
    """The label with which right-branching trees score best."""

    def f1(label: str) -> float:
        found = [right_branching(tree.leaves, label=label) for tree in trees]
        return bracket_score(trees, found).f1

    return max(("NP", "PP", "S", "VP"), key=f1)


def tested(tests: Sequence[Tree], searched: int) -> Callable[[Translator], Iterator[Entry]]:
    """A measure: the model's trees, written greedily and by beam search."""

    def measure(translator: Translator) -> Iterator[Entry]:
        model, tokenizer = translator.model, translator.tokenizer
        searches: list[tuple[str, dict[str, Any], int]] = [("greedy", {"beam_size": 1}, len(tests))]
        if searched:
            searches += [
                ("greedy, searched", {"beam_size": 1}, searched),
                ("beam, searched", SEARCH, searched),
            ]
        for name, settings, n in searches:
            own = Translator(model, tokenizer, **settings)
            sentences = [tree.words for tree in tests[:n]]
            lines = tree_lines(own, sentences)
            told_by = [f"{key}:{value}" for key, value in settings.items()]
            signature = "|".join([*told_by, f"extra:{EXTRA_LENGTH}"])
            scores = entries(tests[:n], trees_of(lines, sentences), signature, search=name)
            print(f"{name}: {told(scores)}", flush=True)
            yield from scores
            yield from faults(lines, sentences, signature, search=name)

    return measure


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
