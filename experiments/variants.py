"""Equal runs that differ in one thing: train each, measure each, and write one record of all.

The ground of the programs that compare variants of the model on the embedded corpus. Each run is
the recipe `english_korean_live`, shortened, with what the variant changes in it; sentences are
translated greedily. The record is written anew after each seed, with the command that repeats what
it holds by then.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch

from annotated_transformer import Translator, load_recipe, train
from annotated_transformer.records import write_record
from annotated_transformer.serving.machine import commit, machine

RESULTS = Path(__file__).parents[1] / "book" / "results"
Measure = Callable[[Translator], Iterable[Mapping[str, Any]]]


@dataclass(frozen=True)
class Variant:
    """One contestant."""

    tags: Mapping[str, Any]
    """What marks its entries in the record, such as {"positions": "rotary"}."""
    overrides: Sequence[str] = ()
    """What it changes in the recipe, as for `--set`."""
    around: Callable[[], AbstractContextManager[Any]] = nullcontext
    """Makes what surrounds its training, for a change that no recipe offers."""


def run_once(
    variant: Variant, seed: int, steps: int, splits: Sequence[str], measure: Measure | None = None
) -> dict[str, Any]:
    """Train a variant once; its curve and scores say which run they belong to.

    `measure` may add entries to the scores, from the model as it is at the end.
    """
    recipe = load_recipe(
        "english_korean_live",
        [
            f"seed={seed}",
            f"training.steps={steps}",
            "training.log_every=250",
            f"evaluation.splits={list(splits)}".replace("'", '"'),
            "evaluation.beam_size=1",
            *variant.overrides,
        ],
    )
    with variant.around(), tempfile.TemporaryDirectory() as directory:
        result = train(recipe, Path(directory) / "run", progress=False, device="cpu")
    record = result.record
    translator = Translator(result.model.eval(), result.tokenizer, beam_size=1)
    more = [dict(entry) for entry in measure(translator)] if measure else []
    tags = {**variant.tags, "seed": seed}
    record["scores"] = [tags | entry for entry in [*record["scores"], *more]]
    record["curve"] = [tags | entry for entry in record["curve"]]
    exact = next(s["value"] for s in record["scores"] if s["metric"] == "exact_match")
    print(f"{tags}: {exact} % exact, {record['curve'][-1]['valid_loss']:.3f} nats", flush=True)
    return record


def parser(name: str, description: str, *, steps: int = 1_000) -> argparse.ArgumentParser:
    """A parser with the options that every comparison has."""
    options = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}", description=description)
    options.add_argument("--seeds", type=int, nargs="+", default=[1])
    options.add_argument("--steps", type=int, default=steps, help=f"default {steps}")
    options.add_argument("--out", type=Path, default=RESULTS / f"{name}.json")
    return options


def compare(
    name: str,
    variants: Sequence[Variant],
    given: argparse.Namespace,
    *,
    splits: Sequence[str] = ("test",),
    measure: Measure | None = None,
    options: Mapping[str, Sequence[Any]] | None = None,
) -> None:
    """Carry out all runs and write their record; `options` are further ones of the command."""
    version, started, began = commit(), datetime.now(UTC), time.monotonic()
    results: list[dict[str, Any]] = []
    for done, seed in enumerate(given.seeds, start=1):
        results += [run_once(v, seed, given.steps, splits, measure) for v in variants]
        all_options = {"seeds": given.seeds[:done], **(options or {}), "steps": [given.steps]}
        if given.out != RESULTS / f"{name}.json":
            all_options["out"] = [given.out]
        words = [f"--{key} {' '.join(map(str, values))}" for key, values in all_options.items()]
        record = {
            "benchmark": name,
            "recipe": results[0]["recipe"],
            "command": " ".join([f"python -m benchmarks.{name}", *words]),
            "commit": version,
            "machine": machine(torch.device("cpu")),
            "seed": given.seeds[:done],
            "started": started.isoformat(timespec="seconds"),
            "wall_seconds": round(time.monotonic() - began, 1),
            "parameters": results[0]["parameters"],
            "scores": [score for result in results for score in result["scores"]],
            "settings": results[0]["settings"],
            "curve": [entry for result in results for entry in result["curve"]],
        }
        write_record(given.out, record)
