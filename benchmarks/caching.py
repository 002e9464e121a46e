"""What the key/value cache gains: tokens per second with it and without, against length.

    python -m benchmarks.caching --size small

The same model writes the same number of tokens for the same sentences by the same greedy search,
once keeping keys and values and once decoding the whole prefix again for every token.
"""

import argparse
import statistics
from functools import partial
from typing import Any

import torch

from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.search import greedy_search
from annotated_transformer.lab.caching import Uncached
from annotated_transformer.lab.tables import Table
from annotated_transformer.tokenizer import EOS_ID, N_SPECIALS
from annotated_transformer.transformer import Transformer
from benchmarks import measure
from benchmarks.batches import SEED
from benchmarks.workers import Work, Worker
from experiments.study import Fields, Option

COLUMNS = {
    "tokens": "",
    "cached_tokens_per_second": ",.0f",
    "uncached_tokens_per_second": ",.0f",
    "ratio": ".2f",
    "same_translations": ".0%",
}
"""What is printed of a row."""


def make(name: str, config: TransformerConfig, sentences: int, source: int, seed: int) -> Work:
    """Greedy search over random sentences of `source` tokens."""
    torch.manual_seed(seed)
    model = Transformer(config).eval()
    ids = torch.randint(N_SPECIALS, config.vocab_size, (sentences, source))
    ids[:, -1] = EOS_ID
    searched = model if name == "cached" else Uncached(model)

    def work(tokens: int) -> list[tuple[int, ...]]:
        found = greedy_search(searched, ids, max_length=tokens, min_length=tokens)
        return [hypothesis.ids for hypothesis in found]

    return work


def rows_of(
    timed: dict[int, list[dict[str, float]]], sentences: int, same: dict[int, float]
) -> list[dict[str, Any]]:
    """One row per length."""
    rows = []
    for tokens, rounds in timed.items():
        row: dict[str, Any] = {"tokens": tokens}
        for name in ("cached", "uncached"):
            seconds = measure.median(rounds, name)
            row[f"{name}_tokens_per_second"] = round(sentences * tokens / seconds, 1)
        row["ratio"] = measure.ratio(rounds, "uncached", "cached")
        rows.append({**row, "same_translations": same[tokens]})
    return rows


def compared(options: argparse.Namespace) -> Fields:
    """Search with the cache and without, at each length."""
    config = measure.configuration(options.size)
    rest = (config, options.sentences, options.source, options.seed)
    makers = {
        name: partial(Worker, make, (name, *rest), threads=options.threads)
        for name in ("cached", "uncached")
    }
    timed, same = {}, {}
    for tokens in options.lengths:

        def compare(workers: Any, tokens: int = tokens) -> None:
            one, other = (workers[name].run(tokens)[1] for name in ("cached", "uncached"))
            same[tokens] = statistics.mean(a == b for a, b in zip(one, other, strict=True))

        # `compare` has warmed them up; the warm-up round itself is one token.
        timed[tokens], _ = measure.interleaved(
            makers, lambda n, t=tokens: (t if n >= 0 else 1,), options.rounds, first=compare
        )
    rows = rows_of(timed, options.sentences, same)
    print(Table(rows, COLUMNS))
    return {
        "size": options.size,
        "model": config.to_dict(),
        "data": {"sentences": options.sentences, "source_tokens": options.source},
        "rows": rows,
        "curve": [
            point
            for tokens, rounds in timed.items()
            for point in measure.curve_of(rounds, tokens=tokens)
        ],
    }


STUDY = measure.Benchmark(
    "caching",
    __doc__,
    compared,
    SEED,
    Option("--lengths", [8, 16, 32, 64, 128]),
    Option("--sentences", 8),
    Option("--source", 16, "tokens of each source sentence"),
    rounds=3,
)


if __name__ == "__main__":
    STUDY.main()
