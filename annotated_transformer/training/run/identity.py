"""What makes a run this run and no other: settings of its recipe, conditions of its sittings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

import torch

from annotated_transformer import __version__
from annotated_transformer.storage.machine import machine
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.step import uses_bfloat16

Rule = Literal["identity", "free", "content", "resolved", "longer", "averaged"]
"""What a setting may do when a run is resumed.

identity: it stays, since weights, the best model or the loss depend on it;
free: it may change, since no weight depends on it; scores are computed anew;
content: it may change, as long as what it leads to is the same text;
resolved: what follows from it on this machine stays;
longer: it may grow, and shrink to what has been done;
averaged: free, unless the model is a mean of checkpoints.
"""

FIELDS: Mapping[Rule, str] = {
    # The best model is one of those that were validated.
    "identity": """
        seed
        corpus.kind corpus.languages corpus.variant corpus.lexicon corpus.reverse
        corpus.train_pairs corpus.longest
        tokenizer.kind tokenizer.vocab_size tokenizer.sample
        model.preset model.overrides
        training.tokens_per_batch training.accumulate training.warmup_steps
        training.learning_rate_scale training.adam_beta1 training.adam_beta2 training.adam_epsilon
        training.label_smoothing training.clip_norm training.validate_every
        training.average_checkpoints
    """,
    "free": """
        name description training.log_every training.keep_checkpoints
        evaluation.splits evaluation.beam_size evaluation.length_penalty
        evaluation.length_penalties evaluation.tokenize
    """,
    "content": "corpus.splits",
    "resolved": "training.precision",
    "longer": "training.steps",
    "averaged": "training.checkpoint_every",
}
RULES = {name: rule for rule, names in FIELDS.items() for name in names.split()}
"""The rule of each field of a recipe, by its name in the file."""


def another_recipe(old: Mapping[str, Any], new: Mapping[str, Any]) -> str | None:
    """Return the first setting that makes `new` another run than `old`, with both values, or None.

    Both are recipes as `Recipe.to_dict` gives them.
    """
    averaged = old["training"]["average_checkpoints"] > 1
    for key, there, here in differing(old, new):
        rule = rule_of(key)
        if rule == "identity" or (rule == "averaged" and averaged):
            return f"{key} is {there!r} there and {here!r} here"
    return None


def differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Yield every setting in which two recipes differ, with both values."""
    flat = [dict(_settings(recipe)) for recipe in (old, new)]
    for key in dict.fromkeys([*flat[0], *flat[1]]):
        there, here = (settings.get(key) for settings in flat)
        # In Python, True is 1.
        flags = [isinstance(value, bool) for value in (there, here)]
        if there != here or flags[0] != flags[1]:
            yield key, there, here


def rule_of(key: str) -> Rule:
    """Return the rule of a setting; in a recipe the model's fields stand beside its preset."""
    if key.startswith("model.") and key != "model.preset":
        return RULES["model.overrides"]
    return RULES[key]


def _settings(recipe: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in recipe.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{key}", item) for key, item in value.items())
        else:
            yield name, value


ADVICE = {
    "device": "say --device {there}",
    "threads": "set OMP_NUM_THREADS={there}",
    "processes": "start {there} of them with torchrun",
    "precision": "set training.precision={there}",
    "torch": "install that version",
    "processor": "go on there",
    "gpu": "go on there",
}
"""How to go on under the conditions of before."""


@dataclass(frozen=True, kw_only=True)
class Sitting:
    """Where and by what a run was trained from one update on."""

    from_step: int  # updates that had been made when it began
    started: str  # in UTC
    commit: str  # of the code
    package: str  # the version of this package
    python: str  # versions, too
    torch: str
    device: str  # `cpu` or `cuda`
    processor: str
    gpu: str  # that trained, if one did
    cores: int  # that the program may use
    threads: int  # of each process
    processes: int  # that trained together
    precision: str  # of matrix products

    def conditions(self) -> dict[str, str | int]:
        """Return what decides the last digits of the numbers, besides the recipe and the code."""
        conditions = {name: getattr(self, name) for name in ADVICE}
        # What prepares batches beside a GPU decides no number.
        for name in ("threads", "processor") if self.gpu else ("gpu",):
            del conditions[name]
        return conditions

    def machine(self) -> dict[str, Any]:
        """Describe the same machine as a record does."""
        names = ("processor", "cores", "threads", "gpu", "torch", "python", "processes")
        return {name: getattr(self, name) for name in names} | {"gpu": self.gpu or None}


def this_sitting(recipe: Recipe, device: torch.device, processes: int, commit: str) -> Sitting:
    """Describe the sitting that begins now, from the first update on."""
    here = machine(device)
    low = uses_bfloat16(recipe.training.precision, device)
    return Sitting(
        from_step=0,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        commit=commit,
        package=__version__,
        device=device.type,
        processes=processes,
        precision="bfloat16" if low else "float32",
        **here | {"gpu": here["gpu"] or ""},
    )


def other_conditions(old: Sitting, new: Sitting) -> str | None:
    """Return the first condition in which they differ, with both values and what to do, or None."""
    there, here = old.conditions(), new.conditions()
    for name, advice in ADVICE.items():
        if name in there and name in here and there[name] != here[name]:
            return (
                f"{name} {there[name]} there and {here[name]} here give other numbers; "
                f"{advice.format(there=there[name])}, or add --as-new-sitting to go on "
                "under both, which the record will say"
            )
    return None
