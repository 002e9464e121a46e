"""Decoding to an exact number of tokens: ours, MarianMTModel.generate, CTranslate2.

    python -m benchmarks.decoding --size small

128 sentences, sorted by length, in the same batches of 32 for everyone, from the same weights (they
are random: with the length fixed, time does not depend on them). Every contestant writes exactly
30 tokens for each sentence and may not end earlier, greedily and with a beam of 4. That they
mostly write the same is reported beside the times. `plain` and `ours uncached` decode the whole
prefix again for every token and only take part in the first round; `plain` is searched with our own
search. Of the peers only CTranslate2 has int8.
"""

import argparse
import statistics
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from annotated_transformer.lab.tables import Table
from benchmarks import measure
from benchmarks.searches import (
    BEAMS,
    CONTESTANTS,
    SEARCH_OPTIONS,
    SLOW,
    environment,
    make,
    sentences_of,
)
from benchmarks.workers import Worker, busy_cores
from experiments.study import Fields, Option

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
        seconds = measure.median(timed, name)
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


def compared(options: argparse.Namespace) -> Fields:
    """Race the contestants in each search."""
    config = measure.configuration(options.size)
    sources, data = sentences_of(options, options.sentences, config.vocab_size)
    rows, curve = [], []
    for search in options.searches:
        names = [n for n in options.contestants if n not in SLOW or search == "greedy"]
        rest = (config, sources, options.seed, (options.tokens, BEAMS[search]))
        with busy_cores(options.busy):
            timed, memory, same = race(names, rest, options, len(sources))
        rows += rows_of(search, timed, memory, options.sentences, same)
        curve += measure.curve_of(timed, search=search)
    print(Table(rows, COLUMNS))
    lengths = [len(ids) for batch in sources for ids in batch]
    return {
        "size": options.size,
        "busy_cores": options.busy,
        "model": config.to_dict(),
        "data": {
            **data,
            "batch_size": options.batch_size,
            "source_tokens": sum(lengths),
            "longest_source": max(lengths),
        },
        "environment": {
            name: environment(name) for name in options.contestants if environment(name)
        },
        "rows": rows,
        "curve": curve,
    }


def race(
    names: Sequence[str], rest: tuple[Any, ...], options: argparse.Namespace, count: int
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


def check(options: argparse.Namespace) -> None:
    """Refuse a race without ours, and fewer cores than none."""
    if "ours" not in options.contestants:
        raise ValueError("--contestants needs ours: the others are compared with it")
    if options.busy < 0:
        raise ValueError(f"--busy is a number of cores, 0 or more, not {options.busy}")


def record(options: argparse.Namespace) -> str:
    """Times beside other work have a record of their own."""
    return f"benchmark_decoding_{options.size}{'_busy' if options.busy else ''}"


STUDY = measure.Benchmark(
    "decoding",
    __doc__,
    compared,
    *SEARCH_OPTIONS,
    Option("--contestants", CONTESTANTS[:-1], choices=CONTESTANTS),
    Option("--searches", list(BEAMS), choices=list(BEAMS)),
    Option("--sentences", 128),
    Option("--busy", 0, "cores kept at other work meanwhile"),
    rounds=3,
    record=record,
    check=check,
)


if __name__ == "__main__":
    STUDY.main()
