"""Equal runs that differ in one thing: train each, measure each, and write one record of all.

The programs that compare variants of the model on the embedded corpus build on this module. Each
run is a recipe, most often `english_korean_small`, shortened, with what the variant changes in it;
sentences are translated with a beam of one and the recipe's length penalty. The record is written
anew after each seed, with the command that repeats what it holds by then.
"""

import argparse
import hashlib
import json
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotated_transformer import (
    Tokenizer,
    Transformer,
    TransformerConfig,
    Translator,
    load_recipe,
    train,
)
from annotated_transformer.records import RESULTS, Measurement, write_record
from annotated_transformer.storage.machine import commit
from annotated_transformer.storage.provenance import is_clean
from annotated_transformer.training.schedule import noam_rate
from experiments.programs import command_of, parser_of

Measure = Callable[[Translator], Iterable[Mapping[str, Any]]]


@dataclass(frozen=True)
class Variant:
    """One contestant."""

    tags: Mapping[str, Any]
    """What marks its entries in the record, such as {"positions": "rotary"}."""
    overrides: Sequence[str] = ()
    """What it changes in the recipe, as for `--set`."""
    model: Callable[[TransformerConfig], Transformer] = Transformer
    """Makes its model, for a change that no recipe offers."""
    schedule: Callable[[int, int, int, float], float] = noam_rate
    """Its learning rate, with the arguments of `noam_rate`."""
    tokenizer: Path | None = None
    """A tokenizer that it shares with others; without one it learns its own."""
    measure: Measure | None = None
    """What is measured on it alone, besides what is measured on all."""
    recipe: str = "english_korean_small"
    """The recipe in which it changes something."""


def run_once(
    variant: Variant,
    seed: int,
    steps: int,
    splits: Sequence[str],
    measure: Measure | None = None,
    *,
    kept: Path | None = None,
) -> dict[str, Any]:
    """Train a variant once; its curve and scores say which run they belong to.

    `measure` may add entries to the scores, from the model as it is at the end. What comes out is
    kept in the file `kept`; a run that is there already is not done again.
    """
    if kept and kept.exists():
        return dict(json.loads(kept.read_text("utf-8")))
    began = time.monotonic()
    recipe = load_recipe(
        variant.recipe,
        [
            f"seed={seed}",
            f"training.steps={steps}",
            "training.log_every=250",
            f"evaluation.splits={list(splits)}".replace("'", '"'),
            "evaluation.beam_size=1",
            *variant.overrides,
        ],
    )
    with tempfile.TemporaryDirectory() as directory:
        shared = variant.tokenizer and Tokenizer.load(variant.tokenizer)
        result = train(
            recipe,
            Path(directory) / "run",
            tokenizer=shared,
            progress=False,
            device="cpu",
            make_model=variant.model,
            schedule=variant.schedule,
        )
    record = result.record
    translator = Translator(result.model.eval(), result.tokenizer, beam_size=1)
    measures = [each for each in (measure, variant.measure) if each]
    more = [dict(entry) for each in measures for entry in each(translator)]
    tags = {**variant.tags, "seed": seed}
    record["scores"] = [tags | entry for entry in [*record["scores"], *more]]
    record["curve"] = [tags | entry for entry in record["curve"]]
    record["wall_seconds"] = time.monotonic() - began
    exact = next(s["value"] for s in record["scores"] if s["metric"] == "exact_match")
    print(f"{tags}: {exact} % exact, {record['curve'][-1]['valid_loss']:.3f} nats", flush=True)
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_record(kept, record)
    return record


def kept_run(name: str, variant: Variant, seed: int, given: argparse.Namespace) -> Path | None:
    """Where a run of a clean commit is kept, so that a comparison that was stopped can go on."""
    version = commit()
    if not is_clean(version):
        return None
    # Which runs are asked for, and where the record goes, says nothing about one of them.
    asked = ("out", "seeds", "rows")
    options = {key: value for key, value in vars(given).items() if key not in asked}
    told = {"overrides": list(variant.overrides), "tags": variant.tags, "options": options}
    digest = hashlib.sha256(json.dumps([told, seed], sort_keys=True).encode()).hexdigest()[:12]
    return Path("runs") / name / version[:12] / f"{digest}.json"


def parser(name: str, doc: str | None, *, steps: int = 1_000) -> argparse.ArgumentParser:
    """A parser with the options that every comparison has; `doc` is the module's docstring."""
    options = parser_of(name, doc)
    options.add_argument("--seeds", type=int, nargs="+", default=[1])
    options.add_argument("--steps", type=int, default=steps, help=f"default {steps}")
    return options


def compare(
    name: str,
    variants: Sequence[Variant] | Callable[[int], Iterable[Variant]],
    given: argparse.Namespace,
    *,
    splits: Sequence[str] = ("test",),
    measure: Measure | None = None,
    options: Mapping[str, Any] | None = None,
    also: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Carry out all runs and write their record; `options` are further ones of the command.

    Where a variant rests on what another one found, `variants` gives those of a seed one by one.
    `also` are scores that no run changes.
    """
    measurement = Measurement(name, out=given.out)
    results: list[dict[str, Any]] = []
    for done, seed in enumerate(given.seeds, start=1):
        for variant in variants(seed) if callable(variants) else variants:
            kept = kept_run(name, variant, seed, given)
            is_done = kept is not None and kept.exists()
            result = run_once(variant, seed, given.steps, splits, measure, kept=kept)
            if is_done:
                measurement.count(result["started"], result["wall_seconds"])
            results.append(result)
        seeds = given.seeds[:done]
        elsewhere = {} if given.out == RESULTS / f"{name}.json" else {"out": given.out}
        measurement.write(
            given.out,
            recipe=results[0]["recipe"],
            command=command_of(
                name, seeds=seeds, **(options or {}), steps=given.steps, **elsewhere
            ),
            seed=seeds,
            parameters=results[0]["parameters"],
            settings=results[0]["settings"],
            scores=[*also, *(score for result in results for score in result["scores"])],
            curve=[entry for result in results for entry in result["curve"]],
        )
