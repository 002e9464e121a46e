"""Decoding to an exact number of tokens: ours, MarianMTModel.generate, CTranslate2.

    python -m benchmarks.decoding --size small

128 sentences, sorted by length, in the same batches of 32 for everyone, from the same weights (they
are random: with the length fixed, time does not depend on them). Every contestant writes exactly
30 tokens for each sentence and may not end earlier, greedily and with a beam of 4. That they
mostly write the same is reported beside the times. `plain` and `ours uncached` decode the whole
prefix again for every token and only take part in the first round; `plain` is searched with our own
search. Of the peers only CTranslate2 has int8.
"""

import statistics
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from annotated_transformer.tables import Table
from benchmarks import measure
from benchmarks.searches import (
    BEAMS,
    CONTESTANTS,
    SLOW,
    add_search_options,
    environment,
    make,
    sentences_of,
)
from benchmarks.workers import Worker, busy_cores

NAME = "decoding"
COLUMNS = {
    "search": "",
    "contestant": "",
    "seconds": ".3f",
    "sentences_per_second": ".1f",
    "times_ours": ".2f",
    "same_as_ours": ".0%",
    "peak_mib": ",",
    "above_start_mib": ",",
}
"""What is printed of a row."""


def rows_of(
    search: str,
    timed: Sequence[Mapping[str, float]],
    memory: Mapping[str, Mapping[str, float]],
    sentences: int,
    same: Mapping[str, float],
) -> list[dict[str, Any]]:
    """One row per contestant; `times_ours` above 1 means faster than ours."""
    rows = []
    for name in memory:
        seconds = statistics.median(times[name] for times in timed if name in times)
        rows.append(
            {
                "search": search,
                "contestant": name,
                "seconds": round(seconds, 4),
                "sentences_per_second": round(sentences / seconds, 2),
                "times_ours": measure.ratio(timed, "ours", name, digits=3),
                "same_as_ours": round(same[name], 3),
                "peak_mib": round(memory[name]["peak"]),
                "above_start_mib": round(memory[name]["peak"] - memory[name]["start"]),
            }
        )
    return rows


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = measure.arguments(NAME, "Decoding to an exact length, ours and the peers.", rounds=3)
    add_search_options(parser)
    parser.add_argument("--contestants", nargs="+", choices=CONTESTANTS, default=CONTESTANTS[:-1])
    parser.add_argument("--searches", nargs="+", choices=list(BEAMS), default=list(BEAMS))
    parser.add_argument("--sentences", type=int, default=128)
    parser.add_argument("--busy", type=int, default=0, help="cores kept at other work meanwhile")
    options = measure.parsed(parser, argv, NAME)
    if "ours" not in options.contestants:
        parser.error("--contestants needs ours: the others are compared with it")
    if options.busy < 0:
        parser.error(f"--busy is a number of cores, 0 or more, not {options.busy}")
    benchmark = measure.Benchmark(NAME, options)
    config = measure.configuration(options.size)
    sources, data = sentences_of(options, options.sentences, config.vocab_size)
    rows, curve = [], []
    for search in options.searches:
        beam_size = BEAMS[search]
        names = [n for n in options.contestants if n not in SLOW or search == "greedy"]
        rest = (config, sources, options.seed, (options.tokens, beam_size))
        with busy_cores(options.busy):
            timed, memory, same = race(names, rest, options, len(sources))
        rows += rows_of(search, timed, memory, options.sentences, same)
        curve += [{"search": search, "round": i + 1, "seconds": t} for i, t in enumerate(timed)]
    print(Table(rows, COLUMNS))
    lengths = [len(ids) for batch in sources for ids in batch]
    benchmark.write(
        rows,
        curve,
        size=options.size,
        busy_cores=options.busy,
        model=config.to_dict(),
        data={
            **data,
            "batch_size": options.batch_size,
            "source_tokens": sum(lengths),
            "longest_source": max(lengths),
        },
        environment={name: environment(name) for name in options.contestants if environment(name)},
    )


def race(
    names: Sequence[str], rest: tuple[Any, ...], options: Any, count: int
) -> tuple[list[dict[str, float]], dict[str, dict[str, float]], dict[str, float]]:
    """Time them: seconds, memory, and the share of sentences translated as ours are."""
    makers = {
        name: partial(
            Worker,
            make,
            (name, *rest),
            threads=options.threads,
            environment=environment(name),
        )
        for name in names
    }
    same: dict[str, float] = {}

    def compare(workers: Mapping[str, Worker]) -> None:
        written = {name: worker.run(1)[1] for name, worker in workers.items()}
        for name, ids in written.items():
            if {len(row) for row in ids} != {options.tokens}:
                raise ValueError(f"{name} did not write exactly {options.tokens} tokens")
            pairs = zip(written["ours"], ids, strict=True)
            same[name] = statistics.mean(own == other for own, other in pairs)

    # The warm-up is one batch; `compare` is another.
    timed, memory = measure.interleaved(
        makers,
        lambda number: (count if number >= 0 else 1,),
        options.rounds,
        first=compare,
        once=SLOW,
    )
    return timed, memory, same


if __name__ == "__main__":
    measure.run(main)
