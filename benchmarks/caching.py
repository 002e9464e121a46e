"""What the key/value cache gains: tokens per second with it and without, against length.

    python -m benchmarks.caching --size small

The same model writes the same number of tokens for the same sentences by the same greedy search,
once keeping keys and values and once decoding the whole prefix again for every token.
"""

import statistics
from collections.abc import Sequence
from functools import partial
from typing import Any

import torch

from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.prefixes import Uncached
from annotated_transformer.decoding.search import greedy_search
from annotated_transformer.tables import Table
from annotated_transformer.tokenizer import EOS_ID, N_SPECIALS
from annotated_transformer.transformer import Transformer
from benchmarks import measure
from benchmarks.workers import Work, Worker

NAME = "caching"
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
            seconds = statistics.median(times[name] for times in rounds)
            row[f"{name}_tokens_per_second"] = round(sentences * tokens / seconds, 1)
        row["ratio"] = measure.ratio(rounds, "uncached", "cached")
        rows.append({**row, "same_translations": same[tokens]})
    return rows


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = measure.arguments(NAME, "Greedy search with and without cache.", rounds=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lengths", type=int, nargs="+", default=[8, 16, 32, 64, 128])
    parser.add_argument("--sentences", type=int, default=8)
    parser.add_argument("--source", type=int, default=16, help="tokens of each source sentence")
    options = measure.parsed(parser, argv, NAME)
    benchmark = measure.Benchmark(NAME, options)
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
    benchmark.write(
        rows,
        [
            {"tokens": tokens, "round": i + 1, "seconds": seconds}
            for tokens, rounds in timed.items()
            for i, seconds in enumerate(rounds)
        ],
        size=options.size,
        model=config.to_dict(),
        data={"sentences": options.sentences, "source_tokens": options.source},
    )


if __name__ == "__main__":
    measure.run(main)
