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
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any

import torch

from annotated_transformer import Translator, load_recipe
from annotated_transformer.corpora import SentencePair
from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.data import make_tokenizer, open_corpus
from experiments.study import Option
from experiments.variants import Comparison, Contest, Variant

TESTS = ((1, 16), (17, 19), (20, 22), (23, 25))
"""Tokens of the shortest and the longest text of each test, on both sides."""
LONGEST = TESTS[0][1]
"""Tokens of the longest text in training."""
SECOND = range(8, 10)
"""Tokens of a second sentence, on both sides and without the end."""
KINDS = ("sinusoidal", "learned", "rotary", "alibi")


@dataclass(frozen=True)
class Text:
    """A text and its tokens, source and target, without the end."""

    pair: SentencePair
    tokens: tuple[int, int]

    def __add__(self, other: "Text") -> "Text":
        source, target = (
            f"{getattr(self.pair, side)} {getattr(other.pair, side)}"
            for side in ("source", "target")
        )
        a, b = (sum(both) for both in zip(self.tokens, other.tokens, strict=True))
        return Text(SentencePair(source, target), (a, b))


def sentences(split: str, tokenizer: Tokenizer) -> list[Text]:
    """The sentences of a split that are short enough to stand alone in training."""
    pairs = english_korean(split)
    texts = [
        Text(pair, (len(tokenizer.encode(pair.source)), len(tokenizer.encode(pair.target))))
        for pair in pairs
    ]
    return [text for text in texts if max(text.tokens) < LONGEST]


def draw_texts(
    known: Sequence[Text],
    number: int,
    lengths: Sequence[tuple[int, int]],
    rng: random.Random,
    *,
    singles: bool = False,
) -> list[Text]:
    """`number` texts, pairs of each range of `lengths` in turn; or singles, every second.

    The second sentence is drawn first, without regard to the length of the text.
    """
    seconds = [text for text in known if all(n in SECOND for n in text.tokens)]

    @cache
    def firsts(tokens: tuple[int, int], shortest: int, most: int) -> list[Text]:
        return [
            first
            for first in known
            if all(shortest <= a + b + 1 <= most for a, b in zip(first.tokens, tokens, strict=True))
        ]

    drawn: list[Text] = []
    while len(drawn) < number:
        if singles and len(drawn) % 2:
            drawn.append(rng.choice(known))
            continue
        turn = len(drawn) // 2 if singles else len(drawn)
        second = rng.choice(seconds)
        drawn.append(rng.choice(firsts(second.tokens, *lengths[turn % len(lengths)])) + second)
    return drawn


def name_of(lengths: tuple[int, int]) -> str:
    """What the record calls a test: "tokens_17_19"."""
    return "tokens_{}_{}".format(*lengths)


def corpora(tokenizer: Tokenizer, number: int) -> dict[int, dict[str, list[Text]]]:
    """The splits of the runs and of the control, by the longest text that each trains on."""
    known = {split: sentences(split, tokenizer) for split in ("train", "valid", "test")}
    rng = random.Random(0)
    tests = {name_of(test): draw_texts(known["test"], number, [test], rng) for test in TESTS}
    found = {}
    for lengths in (TESTS[:1], TESTS):
        rng = random.Random(1)
        drawn = {
            split: draw_texts(known[split], size, lengths, rng, singles=True)
            for split, size in (("train", 60 * number), ("valid", number))
        }
        found[lengths[-1][1]] = drawn | tests
    return found


def write(splits: dict[str, list[Text]], folder: Path) -> str:
    """Two files for each split; returns what the recipe says of them."""
    folder.mkdir(parents=True, exist_ok=True)
    for split, texts in splits.items():
        for side in ("source", "target"):
            lines = "".join(f"{getattr(text.pair, side)}\n" for text in texts)
            (folder / f"{split}.{side}").write_text(lines, encoding="utf-8")
    rows = [f'{split} = ["{folder}/{split}.source", "{folder}/{split}.target"]' for split in splits]
    return f"corpus.splits={{{', '.join(rows)}}}"


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
