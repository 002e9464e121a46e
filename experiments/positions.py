"""Ways to tell positions, on texts as long as those of training and on longer ones.

    python -m experiments.positions

A text is one sentence of the embedded corpus or two in a row, and its length is counted in tokens
of the tokenizer that all runs share, the end included, on both sides. Training sees texts of at
most 16 tokens: single sentences, and pairs of them. The tests are pairs, of at most 16 tokens and
of more, up to 25. Whatever its length, a pair ends with a sentence drawn in the same way, and
begins with one that may stand alone in training. So words, constructions and second sentences are
those of training, and what is new in the long tests is their length. A control, sinusoidal as
the first, trains on pairs of all these lengths, with as many texts in an update, and shows what can
be learned in this time. Chapter: *Positional encoding*.
"""

import argparse
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import torch

from annotated_transformer import Translator, load_recipe
from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.training.data import make_tokenizer, open_corpus
from experiments.own_texts import write_splits
from experiments.position_texts import LONGEST, TESTS, Text, corpora, name_of
from experiments.study import Option
from experiments.variants import Comparison, Contest, Variant

KINDS = ("sinusoidal", "learned", "rotary", "alibi")


def write(splits: dict[str, list[Text]], folder: Path) -> str:
    """Write the texts of each split; return what the recipe says of them."""
    return write_splits({split: [t.pair for t in texts] for split, texts in splits.items()}, folder)


def tokens_per_batch(training: Sequence[Text], usual: Sequence[Text], tokens: int) -> int:
    """Batches of so many tokens hold as many texts as batches of `tokens` hold of the usual ones.

    A text fills its row with the tokens of its longer side and the end.
    """
    mean_row, usual_row = (
        mean(max(text.tokens) + 1 for text in texts) for texts in (training, usual)
    )
    return round(tokens * mean_row / usual_row)


def variants(
    splits: dict[int, dict[str, list[Text]]], tokenizer: Path, folder: Path, tokens: int
) -> list[Variant]:
    """All ways to tell positions, and the control."""
    usual = splits[LONGEST]["train"]
    settings = {
        longest: [
            "corpus.kind=files",
            write(drawn, folder / f"up_to_{longest}"),
            f"training.tokens_per_batch={tokens_per_batch(drawn['train'], usual, tokens)}",
        ]
        for longest, drawn in splits.items()
    }
    runs = [*((kind, LONGEST) for kind in KINDS), (KINDS[0], max(splits))]
    return [
        Variant(
            {"positions": kind, "longest": longest},
            [f'model.positions="{kind}"', *settings[longest]],
            tokenizer=tokenizer,
        )
        for kind, longest in runs
    ]


def accuracy_by_position(tests: Sequence[Text]) -> Callable[..., Iterator[dict[str, Any]]]:
    """A measure: how many of the next tokens are predicted, at each position of the target.

    What was right is fed, so that an early slip does not spoil the rest.
    """

    def measure(translator: Translator) -> Iterator[dict[str, Any]]:
        right, total = torch.zeros(64), torch.zeros(64)
        model, tokenizer = translator.model, translator.tokenizer
        with evaluation_mode(model):
            for text in tests:
                source = tokenizer.source_ids(text.pair.source)
                target = tokenizer.target_ids(text.pair.target)
                logits = model(torch.tensor([source]), torch.tensor([target[:-1]]))[0]
                hits = logits.argmax(dim=-1) == torch.tensor(target[1:])
                right[: len(hits)] += hits
                total[: len(hits)] += 1
        for position in range(int((total >= len(tests) / 10).sum())):
            value = round(100 * (right[position] / total[position]).item(), 1)
            yield {"metric": "accuracy", "position": position, "value": value} | {
                "split": name_of(TESTS[-1]),
                "signature": f"next token, teacher forced|{int(total[position])} texts",
            }

    return measure


def contest(given: argparse.Namespace) -> Contest:
    """All ways with one tokenizer, which lies where a command that was stopped finds it again."""
    recipe, folder = load_recipe("english_korean_small"), Path("runs/positions/corpus")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        tokenizer = make_tokenizer(open_corpus(recipe), recipe, Path(scratch) / "tokenizer.model")
    path = folder / "tokenizer.model"
    path.write_bytes(tokenizer.to_bytes())
    splits = corpora(tokenizer, given.texts)
    return Contest(
        variants(splits, path, folder, recipe.training.tokens_per_batch),
        accuracy_by_position(splits[LONGEST][name_of(TESTS[-1])]),
    )


STUDY = Comparison(
    "experiments.positions",
    __doc__,
    contest,
    Option("--texts", 500, "of each test; default 500"),
    updates=1_200,
    splits=[name_of(test) for test in TESTS],
    own_corpus=True,
)


if __name__ == "__main__":
    STUDY.main()
