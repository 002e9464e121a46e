"""What every comparison of trained networks is asked: has it stopped, and is it the rate."""

import re
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotated_transformer.lab.evidence.watched import LOSS, WATCHED, Watch, better, watch
from annotated_transformer.lab.evidence.words import in_words
from annotated_transformer.lab.records import Record, is_recorded
from annotated_transformer.lab.records import record as read_record

STILL = 0.01
"""A network has stopped if what is watched improved by less than this share of itself."""
LAST = 0.2
"""The share of a run that is looked at: its last fifth."""
MEASURED = (
    *("step", "epoch", "tokens", "seconds", "seed", "updates", "checkpoint", "rate"),
    *("loss", "gradient_norm", "learning_rate", "valid_loss", "valid_accuracy", "AP50"),
)
"""What an entry of a curve says of a run under way; its other plain values say which run."""
OTHER_RATES = ("half", "twice")
"""What a record of the same comparison at another rate is named for, `heads_half_rate`."""
CHOSEN = re.compile(r"rate ([\d.e+-]+)(?: of (\d+))?")


@dataclass(frozen=True)
class Ending:
    """What the validation loss of one run did over its last fifth, or since the check before it.

    `begins` and `ends` are the loss there (or the AP50), `over` is the share of all
    steps that lies between them; `where` says which run it was.
    """

    where: Mapping[str, Any]
    seed: Any
    begins: float
    ends: float
    over: float
    of: Watch = LOSS

    @property
    def fell(self) -> float:
        """By which share of itself it fell; below 0 it rose."""
        return (self.begins - self.ends) / abs(self.begins) if self.begins else 0.0

    @property
    def stopped(self) -> bool:
        """Whether it improved by next to nothing."""
        return (-self.fell if self.of.rises else self.fell) < STILL


@dataclass(frozen=True)
class Stopped:
    """The answer of a record to the question whether its networks had stopped.

    `endings` is empty, and `why` says the reason, where the record cannot say.
    """

    name: str
    endings: Sequence[Ending]
    why: str = ""

    @property
    def stopped(self) -> bool | None:
        """Whether all runs had; None if the record cannot say."""
        return all(e.stopped for e in self.endings) if self.endings else None

    def lines(self) -> list[str]:
        """Return a sentence for each kind of run."""
        if not self.endings:
            return [f"{self.name} cannot say whether its networks had stopped: {self.why}."]
        kinds: dict[str, list[Ending]] = {}
        for ending in self.endings:
            kinds.setdefault(_named(ending.where), []).append(ending)
        return [f"{kind or self.name}: {_sentence(found)}." for kind, found in kinds.items()]

    def brief(self) -> str:
        """Return all runs in one sentence."""
        if not self.endings:
            return self.lines()[0]
        falls = [ending.fell for ending in self.endings]
        still = sum(ending.stopped for ending in self.endings)
        return (
            f"{self.name}: {still} of {len(falls)} runs had stopped; over {_span(self.endings)} "
            f"{self.endings[0].of.name} changed by {-max(falls):+.0%} to {-min(falls):+.0%}."
        )

    def __str__(self) -> str:
        return "\n".join(self.lines())

    __repr__ = __str__


def stopped(record: Record) -> Stopped:
    """Say what the validation loss, or AP50, of each run did over its last fifth."""
    runs, of = _runs(record), watch(record)
    if not runs:
        return Stopped(record.name, (), "it keeps no curve of a training run")
    endings = [
        ending
        for (where, seed), entries in runs.items()
        if (ending := _ending(dict(where), seed, entries, of)) is not None
    ]
    if endings:
        return Stopped(record.name, endings)
    if any(of.field in entry for entries in runs.values() for entry in entries):
        name = of.name.removeprefix("the ")
        return Stopped(record.name, (), f"it keeps one {name} a run in the last fifth")
    fifths = [pair for entries in runs.values() if (pair := _training(entries)) is not None]
    if not fifths:
        return Stopped(record.name, (), "its curve is too short")
    lower = sum(near < far for far, near in fifths)
    return Stopped(
        record.name,
        (),
        "it keeps the loss of training alone, whose mean was lower in the last fifth than in the "
        f"fifth before in {lower} of {len(fifths)} runs",
    )


@dataclass(frozen=True)
class Rates:
    """The answer of a record to the question whether a comparison hangs on the learning rate.

    `tried` has for each side the rates and the best validation loss with each,
    or AP50 (`of`), None where the record does not keep it;
    `why` says what the record lacks.
    """

    name: str
    tried: Mapping[str, Mapping[str, float | None]]
    why: str = ""
    of: Watch = LOSS

    def lines(self) -> list[str]:
        """Return a sentence for each side."""
        found = []
        for side, rates in self.tried.items():
            kept = {rate: loss for rate, loss in rates.items() if loss is not None}
            if len(kept) > 1:
                best = (max if self.of.rises else min)(kept, key=lambda rate: kept[rate])
                told = (f"{loss:{self.of.kind}} at {rate}" for rate, loss in kept.items())
                listed = ", ".join(told)
                found.append(f"{side}: {best} was the best of {len(kept)} rates ({listed}).")
            else:
                found.append(f"{side}: {', '.join(rates)}.")
        return [*found, *([f"{self.name}: {self.why}."] if self.why else [])]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    __repr__ = __str__


def rates(record: Record) -> Rates:
    """Say which learning rates each side of a comparison was tried with, and which was better."""
    tried: dict[str, dict[str, float | None]] = {}
    of = watch(record)
    for entry in record["curve"]:
        if "rate" in entry:
            side = _named(_settings(entry, leave=("rate",))) or record.name
            losses = tried.setdefault(side, {})
            name = f"{entry['rate']:g}"
            losses[name] = better(of, losses.get(name), entry.get(of.field))
    if tried:
        return Rates(record.name, tried, of=of)
    for entry in record["scores"]:
        if found := CHOSEN.search(str(entry.get("signature", ""))):
            rate, choice = found.groups()
            side = str(entry.get("model", record.name))
            chosen = f"{rate} was chosen of {choice} rates" if choice else f"one rate, {rate}"
            tried.setdefault(side, {})[chosen] = None
    if tried:
        return Rates(record.name, tried, "the losses with the other rates are not in the record")
    settings = record.get("settings", {})
    training = settings.get("training", settings)
    if others := _at_other_rates(record):
        by_rate = {"usual": record, **others}
        for rate, one in by_rate.items():
            for side, loss in _best(one, of).items():
                tried.setdefault(side, {})[rate] = loss
        return Rates(record.name, tried, of=of)
    if "warmup_steps" in training:
        said = (
            f"one rate, the paper's schedule times {training['learning_rate_scale']:g} "
            f"with {training['warmup_steps']} updates of warm-up"
        )
    elif "rate" in training:
        said = f"one rate, {training['rate']:g}"
    else:
        return Rates(record.name, {}, "the record does not say which learning rates were tried")
    return Rates(record.name, {}, f"every side had {said}; no other was tried")


def _at_other_rates(record: Record) -> dict[str, Record]:
    """Return the records of the same comparison at half and at twice its rate that there are."""
    named = {rate: f"{record.name}_{rate}_rate" for rate in OTHER_RATES}
    return {rate: read_record(name) for rate, name in named.items() if is_recorded(name)}


def _best(record: Record, of: Watch) -> dict[str, float | None]:
    """Return the lowest validation loss of each side, or the best of what else is watched."""
    found: dict[str, float | None] = {}
    for entry in record["curve"]:
        if of.field in entry:
            side = _named(_settings(entry)) or record.name
            found[side] = better(of, found.get(side), entry[of.field])
    return found


def is_training(record: Record) -> bool:
    """Return whether a record compares trained networks: its curve has steps and a loss."""
    return bool(_runs(record))


def _runs(record: Record) -> dict[tuple[tuple[tuple[str, Any], ...], Any], list[Any]]:
    runs: dict[tuple[tuple[tuple[str, Any], ...], Any], list[Any]] = {}
    fields = [of.field for of in WATCHED]
    for entry in record["curve"]:
        if "step" in entry and any(key in entry for key in ("loss", *fields)):
            # Runs that differ in nothing but their rate are different runs.
            rate = {"rate": entry["rate"]} if "rate" in entry else {}
            where = tuple((_settings(entry) | rate).items())
            key = where, entry.get("seed", _one_seed(record))
            runs.setdefault(key, []).append(entry)
    return runs


def _one_seed(record: Record) -> Any:
    seed = record.get("seed")
    return None if isinstance(seed, list) else seed


def _settings(entry: Mapping[str, Any], leave: Iterable[str] = ()) -> dict[str, Any]:
    unread = {*MEASURED, *leave}
    return {
        key: value
        for key, value in entry.items()
        if key not in unread and (value is None or isinstance(value, str | int | float))
    }


def _ending(
    where: Mapping[str, Any], seed: Any, entries: Sequence[Any], of: Watch
) -> Ending | None:
    points = sorted((e["step"], e[of.field]) for e in entries if of.field in e)
    last = max(entry["step"] for entry in entries)
    before = [point for point in points if point[0] <= (1 - LAST) * last]
    after = [point for point in points if point[0] > (1 - LAST) * last]
    if not before or not after:
        return None
    (since, begins), (until, ends) = before[-1], after[-1]
    return Ending(where, seed, begins, ends, (until - since) / last, of)


def _span(endings: Sequence[Ending]) -> str:
    """Say over which part of the updates it is compared."""
    over = max(ending.over for ending in endings)
    return "the last fifth" if over < LAST + 0.02 else f"the last {over:.0%} of the updates"


def _training(entries: Sequence[Any]) -> tuple[float, float] | None:
    """Return the mean training loss of the fifth before the last, and of the last."""
    points = sorted((e["step"], e["loss"]) for e in entries if "loss" in e)
    last = points[-1][0] if points else 0
    near = [loss for step, loss in points if step > (1 - LAST) * last]
    far = [loss for step, loss in points if (1 - 2 * LAST) * last < step <= (1 - LAST) * last]
    return (statistics.fmean(far), statistics.fmean(near)) if near and far else None


def _named(where: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in where.items())


def _sentence(endings: Sequence[Ending]) -> str:
    falls = [ending.fell for ending in endings]
    still = sum(ending.stopped for ending in endings)
    of = endings[0].of
    changes = ", ".join(f"{e.begins:{of.kind}} to {e.ends:{of.kind}}" for e in endings)
    verdict = (
        f"stopped {in_words(still, len(endings), 'seed')}"
        if len(endings) > 1
        else ("stopped" if still else "had not stopped")
    )
    low, high = f"{-max(falls):+.1%}", f"{-min(falls):+.1%}"
    span = low if low == high else f"{low} to {high}"
    over = f"over {_span(endings)} {of.name} went from {changes} ({span})"
    return f"{verdict}; {over}"
