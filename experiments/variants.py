"""Equal runs that differ in one thing: train each, measure each, and write one record of all.

The programs that compare variants of the model declare a `Comparison`. Each run is a recipe, most
often `english_korean_small`, shortened, with what the variant changes in it; sentences are
translated with a beam of one and the recipe's length penalty. The record is written anew after each
seed, with the command that repeats what it holds by then.
"""

import argparse
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
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
from annotated_transformer.storage.machine import DATA_VARIABLE
from annotated_transformer.training.schedule import noam_rate
from experiments.study import RATE, RATES, Entry, Fields, Option, Study, joined, seeds, steps

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


@dataclass(frozen=True)
class Contest:
    """Who is compared, and by what, where that depends on the options."""

    variants: Sequence[Variant] | Callable[[int], Iterable[Variant]]
    """All of them; or those of a seed one by one, where one rests on what another has found."""
    measure: Measure | None = None
    """What is measured on all, besides the scores of the splits."""
    also: Sequence[Mapping[str, Any]] = ()
    """Scores that no run changes."""


class Comparison(Study):
    """A study of equal runs that differ in one thing; its record is written after each seed.

    Args:
        module: as of `Study`.
        doc: as of `Study`.
        contest: the variants; or what takes the options and gives them, or a whole `Contest`.
        options: those besides `--seeds`, `--rate` and `--steps`, which stand around them.
        updates: of each run, if `--steps` does not say.
        splits: what each model translates at the end.
        measure: takes each translator at the end, and gives further scores.
        own_corpus: whether the texts are the program's own, so that what is kept of them is not for
            other programs.
        check: as of `Study`.
    """

    def __init__(
        self,
        module: str,
        doc: str | None,
        contest: Sequence[Variant] | Callable[[argparse.Namespace], Contest | Sequence[Variant]],
        *options: Option,
        updates: int = 1_000,
        splits: Sequence[str] = ("test",),
        measure: Measure | None = None,
        own_corpus: bool = False,
        check: Callable[[argparse.Namespace], Any] = lambda _: None,
    ) -> None:
        every = (seeds(1), *options, RATE, steps(updates))
        made = contest if callable(contest) else lambda _: contest
        super().__init__(module, doc, made, *every, check=check, names_out=True)
        self.splits, self.measure_each, self.own_corpus = splits, measure, own_corpus

    def records(self, given: argparse.Namespace) -> Iterator[Fields]:
        """The record with one seed more each time."""
        with caches_of_its_own() if self.own_corpus else nullcontext():
            contest = self.measure(given)
            if not isinstance(contest, Contest):
                contest = Contest(contest, self.measure_each)
            results: list[Fields] = []
            for done, seed in enumerate(given.seeds, start=1):
                every = contest.variants
                for variant in every(seed) if callable(every) else every:
                    trained = at_rate(variant, RATES[given.rate])
                    results.append(self.result(trained, seed, given, contest.measure))
                fields = joined(results)
                yield {
                    "recipe": fields["recipe"],
                    "seed": given.seeds[:done],
                    "parameters": fields["parameters"],
                    "settings": fields["settings"],
                    "scores": [*contest.also, *fields["scores"]],
                    "curve": fields["curve"],
                }

    def result(
        self, variant: Variant, seed: int, given: argparse.Namespace, measure: Measure | None
    ) -> Fields:
        """The result of one run."""

        def work() -> Fields:
            return run_once(variant, seed, given.steps, self.splits, measure)

        return self.run(label(variant, seed), given, work)


def label(variant: Variant, seed: int) -> dict[str, Any]:
    """What tells a run of a comparison from the others."""
    return {"tags": variant.tags, "overrides": [*variant.overrides], "seed": seed}


def at_rate(variant: Variant, rate: float) -> Variant:
    """The same variant with its learning rate, its own or its recipe's, times `rate`."""
    if rate == 1.0:
        return variant
    scale = load_recipe(variant.recipe, variant.overrides).training.learning_rate_scale * rate
    overrides = [*variant.overrides, f"training.learning_rate_scale={scale}"]
    return replace(variant, overrides=overrides)


def run_once(
    variant: Variant, seed: int, steps: int, splits: Sequence[str], measure: Measure | None = None
) -> Entry:
    """Train a variant once; its curve and scores say which run they belong to.

    `measure` may add entries to the scores, from the model as it is at the end.
    """
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
    scores = [tags | entry for entry in [*record["scores"], *more]]
    curve = [tags | entry for entry in record["curve"]]
    exact = next(s["value"] for s in scores if s["metric"] == "exact_match")
    print(f"{tags}: {exact} % exact, {curve[-1]['valid_loss']:.3f} nats", flush=True)
    same = {key: record[key] for key in ("recipe", "parameters", "settings")}
    return same | {"scores": scores, "curve": curve}


@contextmanager
def caches_of_its_own() -> Iterator[None]:
    """Let what is kept of texts go with this program."""
    before = os.environ.get(DATA_VARIABLE)
    with tempfile.TemporaryDirectory() as folder:
        os.environ[DATA_VARIABLE] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ[DATA_VARIABLE]
            else:
                os.environ[DATA_VARIABLE] = before
