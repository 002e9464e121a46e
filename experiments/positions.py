"""Five ways to tell positions, on texts as long as those of training and on longer ones.

    python -m experiments.positions

A text is one sentence of the embedded corpus or two in a row. Training sees texts of at most 10
words; what it is tested on is two sentences, from 3 words to 20 in all, each of which by itself is
short enough for training. So neither a word nor a construction is new, and neither is a second
sentence: only positions are. A sixth run, sinusoidal as the first, trains on texts of up to 20
words and shows what the long tests ask for. Chapter: *Positional encoding*.
"""

import os
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

import torch

from annotated_transformer import Translator
from annotated_transformer.config import Positions
from annotated_transformer.corpora import SentencePair
from annotated_transformer.corpora.downloads import DATA_VARIABLE
from annotated_transformer.corpora.english_korean import english_korean
from annotated_transformer.inspection import evaluation_mode
from experiments.programs import run
from experiments.variants import Variant, compare, parser

LONGEST, DOUBLE = 10, 20
"""Words of the longest text in training, and in the training of the sixth run."""
LENGTHS = ((3, 10), (11, 13), (14, 16), (17, 20))
"""Words of the shortest and the longest text of each test."""


def words(text: str) -> int:
    """How many words a text has."""
    return len(text.split(" "))


def texts(
    split: str, number: int, allowed: range, rng: random.Random, *, singles: bool = False
) -> list[SentencePair]:
    """`number` texts of two sentences whose words together are `allowed`; or singles, every second.

    No sentence has more than `LONGEST` words.
    """
    known = [pair for pair in english_korean(split) if words(pair.source) <= LONGEST]
    found: list[SentencePair] = []
    while len(found) < number:
        chosen = rng.sample(known, 1 if singles and len(found) % 2 else 2)
        source, target = (
            " ".join(getattr(p, side) for p in chosen) for side in ("source", "target")
        )
        if words(source) in allowed:
            found.append(SentencePair(source, target))
    return found


def name_of(lengths: tuple[int, int]) -> str:
    """What the record calls a test: "words_11_13"."""
    return "words_{}_{}".format(*lengths)


def corpus(longest: int, number: int) -> dict[str, list[SentencePair]]:
    """All splits: training and validation up to `longest` words, and the tests."""
    rng, short = random.Random(0), range(1, longest + 1)
    splits = {
        "train": texts("train", 30 * number, short, rng, singles=True),
        "valid": texts("valid", number, short, rng, singles=True),
    }
    rng = random.Random(1)  # the tests are the same whatever the training
    for shortest, most in LENGTHS:
        splits[name_of((shortest, most))] = texts("test", number, range(shortest, most + 1), rng)
    return splits


def write(splits: dict[str, list[SentencePair]], folder: Path) -> str:
    """Two files for each split; returns what the recipe says of them."""
    folder.mkdir()
    for split, pairs in splits.items():
        for side in ("source", "target"):
            lines = "".join(f"{getattr(pair, side)}\n" for pair in pairs)
            (folder / f"{split}.{side}").write_text(lines, encoding="utf-8")
    rows = [f'{split} = ["{folder}/{split}.source", "{folder}/{split}.target"]' for split in splits]
    return f"corpus.splits={{{', '.join(rows)}}}"


def accuracy_by_position(tests: Sequence[SentencePair]) -> Callable[..., Iterator[dict[str, Any]]]:
    """A measure: how many of the next tokens are predicted, at each position of the target.

    What was right is fed, so that an early slip does not spoil the rest.
    """

    def measure(translator: Translator) -> Iterator[dict[str, Any]]:
        right, total = torch.zeros(64), torch.zeros(64)
        model, tokenizer = translator.model, translator.tokenizer
        with evaluation_mode(model):
            for pair in tests:
                source, target = (
                    tokenizer.source_ids(pair.source),
                    tokenizer.target_ids(pair.target),
                )
                logits = model(torch.tensor([source]), torch.tensor([target[:-1]]))[0]
                hits = logits.argmax(dim=-1) == torch.tensor(target[1:])
                right[: len(hits)] += hits
                total[: len(hits)] += 1
        for position in range(int((total >= len(tests) / 10).sum())):
            value = round(100 * (right[position] / total[position]).item(), 1)
            yield {"metric": "accuracy", "position": position, "value": value} | {
                "split": name_of(LENGTHS[-1]),
                "signature": f"next token, teacher forced|{int(total[position])} texts",
            }

    return measure


@contextmanager
def caching_in(folder: Path) -> Iterator[None]:
    """Tokenised files go into `folder`, and with it."""
    os.environ[DATA_VARIABLE] = str(folder)
    try:
        yield
    finally:
        del os.environ[DATA_VARIABLE]


def main() -> None:
    """Carry out all runs and write their record."""
    options = parser("positions", __doc__)
    options.add_argument("--texts", type=int, default=1_000, help="of each test; default 1,000")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as directory, caching_in(Path(directory)):
        short, double = corpus(LONGEST, given.texts), corpus(DOUBLE, given.texts)
        settings = {
            longest: ["corpus.kind=files", write(splits, Path(directory) / str(longest))]
            for longest, splits in ((LONGEST, short), (DOUBLE, double))
        }
        runs = [(kind, LONGEST) for kind in get_args(Positions)] + [("sinusoidal", DOUBLE)]
        variants = [
            Variant(
                {"positions": kind, "longest": longest},
                [f'model.positions="{kind}"', *settings[longest]],
            )
            for kind, longest in runs
        ]
        tests = [name_of(lengths) for lengths in LENGTHS]
        measure = accuracy_by_position(short[tests[-1]])
        compare(
            "positions",
            variants,
            given,
            splits=tests,
            measure=measure,
            options={"texts": given.texts},
        )


if __name__ == "__main__":
    run(main)
