"""What the parsing experiments share: texts, settings, searches, and the scores of trees."""

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
from annotated_transformer.lab.corpora.english_trees import english_trees
from annotated_transformer.lab.corpora.grammar import Grammar
from annotated_transformer.lab.corpora.treebank import WORD, Tree, prepared, tree_pair
from annotated_transformer.tokenizer import N_FIXED, Tokenizer
from experiments.own_texts import write_splits
from experiments.study import Entry

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


def write(trees: Sequence[Tree], folder: Path, *, tags: bool = True) -> str:
    """Write the corpus of a run in files; return what the recipe says of them."""
    splits = {"train": trees, "valid": english_trees("valid")}
    return write_splits(
        {split: [tree_pair(tree, tags=tags) for tree in some] for split, some in splits.items()},
        folder,
    )


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


def told(scores: Sequence[Entry]) -> str:
    """The scores of a parser in a line."""
    return ", ".join(f"{score['metric']} {score['value']}" for score in scores)


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
