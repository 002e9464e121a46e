"""Which settings of a recipe identify a run, and which may change when it is resumed."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from annotated_transformer.training.recipe import Recipe

Rule = Literal["identity", "free", "content", "resolved", "longer", "averaged"]
"""What a setting may do when a run is resumed.

identity: it stays, since weights, the best model or the loss depend on it;
free: it may change, since no weight depends on it; scores are computed anew;
content: it may change, as long as what it leads to is the same text;
resolved: what follows from it on this machine stays;
longer: it may grow, and shrink to what has been done;
averaged: free, unless the model is a mean of checkpoints.
"""

RULES: Mapping[str, Rule] = {
    "name": "free",
    "description": "free",
    "seed": "identity",
    "corpus.kind": "identity",
    "corpus.splits": "content",
    "corpus.languages": "identity",
    "corpus.variant": "identity",
    "corpus.lexicon": "identity",
    "corpus.reverse": "identity",
    "corpus.train_pairs": "identity",
    "corpus.longest": "identity",
    "tokenizer.kind": "identity",
    "tokenizer.vocab_size": "identity",
    "tokenizer.sample": "identity",
    "model.preset": "identity",
    "model.overrides": "identity",
    "training.steps": "longer",
    "training.tokens_per_batch": "identity",
    "training.accumulate": "identity",
    "training.warmup_steps": "identity",
    "training.learning_rate_scale": "identity",
    "training.adam_beta1": "identity",
    "training.adam_beta2": "identity",
    "training.adam_epsilon": "identity",
    "training.label_smoothing": "identity",
    "training.clip_norm": "identity",
    "training.precision": "resolved",
    "training.log_every": "free",
    # The best model is one of those that were validated.
    "training.validate_every": "identity",
    "training.checkpoint_every": "averaged",
    "training.keep_checkpoints": "free",
    "training.average_checkpoints": "identity",
    "evaluation.splits": "free",
    "evaluation.beam_size": "free",
    "evaluation.length_penalty": "free",
    "evaluation.length_penalties": "free",
    "evaluation.tokenize": "free",
}
"""The rule of each field of a recipe, by its name in the file."""


def another_recipe(old: Mapping[str, Any], new: Mapping[str, Any]) -> str | None:
    """The first setting that makes `new` another run than `old`, with both values, or None.

    Both are recipes as `Recipe.to_dict` gives them.
    """
    averaged = old["training"]["average_checkpoints"] > 1
    for key, there, here in differing(old, new):
        rule = rule_of(key)
        if rule == "identity" or (rule == "averaged" and averaged):
            return f"{key} is {there!r} there and {here!r} here"
    return None


def differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Every setting in which two recipes differ, with both values."""
    flat = [dict(_settings(recipe)) for recipe in (old, new)]
    for key in dict.fromkeys([*flat[0], *flat[1]]):
        there, here = (settings.get(key) for settings in flat)
        # In Python, True is 1.
        flags = [isinstance(value, bool) for value in (there, here)]
        if there != here or flags[0] != flags[1]:
            yield key, there, here


def rule_of(key: str) -> Rule:
    """The rule of a setting; in a recipe the model's fields stand beside its preset."""
    if key.startswith("model.") and key != "model.preset":
        return RULES["model.overrides"]
    return RULES[key]


def evaluated_alike(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether two recipes translate and score a model in the same way."""
    return all(not key.startswith("evaluation.") for key, _, _ in differing(old, new))


def _settings(recipe: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in recipe.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{key}", item) for key, item in value.items())
        else:
            yield name, value


def plain(recipe: Recipe) -> dict[str, Any]:
    """A recipe without its paths: for each split, the names of its files."""
    content = recipe.to_dict()
    content["corpus"]["splits"] = {
        split: [path.name for path in paths] for split, paths in recipe.corpus.splits.items()
    }
    return content
