"""The batches that all contestants get: lengths of Multi30k, or lengths drawn like them."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from annotated_transformer.corpora.files import read_parallel
from annotated_transformer.lab.run_data import padding_share
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, N_SPECIALS, Tokenizer
from annotated_transformer.training.batching import Batch, Example, collate, token_batches
from experiments.study import Option

VOCAB_SIZE = 8_000
N_DRAWN = 29_000
"""Pairs to draw where there is no data: as many as Multi30k has for training."""


SEED = Option("--seed", 0, "of weights and batches (default 0)")
DATA_OPTIONS = (
    Option(
        "--data-dir",
        type=Path,
        about="directory of downloads, or the one with Multi30k's training files (train.en.gz, "
        "train.de.gz); without it, lengths are drawn from a distribution like theirs, and tokens "
        "at random",
    ),
    SEED,
)
BATCH_OPTIONS = (
    *DATA_OPTIONS,
    Option("--tokens", 2048, "source and target tokens of a batch, at most"),
)
"""What `batches_of` needs."""


def batches_of(
    options: argparse.Namespace, *, vocab_size: int
) -> tuple[list[Batch], dict[str, Any]]:
    """A batch for each round, as the options ask for them, and what a record says of them."""
    found, origin = examples(options.data_dir, vocab_size=vocab_size, seed=options.seed)
    batches, description = spread_batches(
        found, tokens=options.tokens, count=options.rounds, seed=options.seed
    )
    return batches, {"origin": origin, **length_summary(found), **description}


def examples(data_dir: Path | None, *, vocab_size: int, seed: int) -> tuple[list[Example], str]:
    """Sentence pairs as token ids, and a line that says where they are from.

    Raises:
        FileNotFoundError: `data_dir` does not hold Multi30k's training files.
    """
    if data_dir is None:
        return drawn_examples(N_DRAWN, vocab_size=vocab_size, seed=seed), DRAWN
    pairs = read_parallel(_file(data_dir, "en"), _file(data_dir, "de"))
    lines = (line for pair in pairs for line in (pair.source, pair.target))
    tokenizer = Tokenizer.train(lines, vocab_size=vocab_size)
    found = [
        Example(tuple(tokenizer.source_ids(pair.source)), tuple(tokenizer.target_ids(pair.target)))
        for pair in pairs
    ]
    return found, f"Multi30k train, English to German, joint BPE of {vocab_size:,}"


DRAWN = (
    "drawn: source length log-normal with median 14.6 and sigma 0.30, target length that times a "
    "log-normal with median 1.02 and sigma 0.17, end of sentence included; uniform token ids"
)


def drawn_examples(n: int, *, vocab_size: int, seed: int) -> list[Example]:
    """Pairs of random tokens whose lengths are distributed about as in Multi30k (see `DRAWN`)."""
    random = np.random.default_rng(seed)
    source = np.exp(random.normal(np.log(14.6), 0.30, n))
    target = source * np.exp(random.normal(np.log(1.02), 0.17, n))

    def ids(length: float) -> tuple[int, ...]:
        size = max(1, round(length) - 1)
        return (*random.integers(N_SPECIALS, vocab_size, size).tolist(), EOS_ID)

    return [Example(ids(s), (BOS_ID, *ids(t))) for s, t in zip(source, target, strict=True)]


def spread_batches(
    found: Sequence[Example], *, tokens: int, count: int, seed: int
) -> tuple[list[Batch], dict[str, Any]]:
    """`count` batches of an epoch, evenly spread over its lengths, and what they are like."""
    plan = token_batches(found, tokens, seed=seed)
    plan.sort(key=lambda batch: max(found[index].length for index in batch))
    step = len(plan) / count
    chosen = [plan[int((i + 0.5) * step)] for i in range(count)]
    np.random.default_rng(seed).shuffle(chosen)
    batches = [collate([found[index] for index in indices]) for indices in chosen]
    return batches, {
        "tokens_per_batch": tokens,
        "batches": [
            {
                "sentences": len(batch.source),
                "source": batch.source.size(1),
                "target": batch.target_input.size(1),
                "target_tokens": batch.n_tokens,
            }
            for batch in batches
        ],
        "padding_share_of_epoch": round(padding_share(found, plan), 4),
    }


def length_summary(found: Sequence[Example]) -> dict[str, float]:
    """Mean and standard deviation of the lengths, end of sentence included."""
    sides = {
        "source": [len(example.source) for example in found],
        "target": [len(example.target) - 1 for example in found],
    }
    return {
        f"{side}_{name}": round(float(statistic(lengths)), 2)
        for side, lengths in sides.items()
        for name, statistic in (("mean", np.mean), ("deviation", np.std))
    }


def _file(directory: Path, language: str) -> Path:
    names = [f"train.{language}.gz", f"raw.train.{language}.gz", f"train.{language}"]
    # Downloads have a folder of their own.
    for folder in (directory, directory / "multi30k"):
        for name in names:
            if (folder / name).is_file():
                return folder / name
    raise FileNotFoundError(
        f"{directory} holds none of {', '.join(names)}, nor does a folder multi30k in it"
    )
