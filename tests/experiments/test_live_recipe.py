"""The runs beside the live recipe: one thing changed in each, with the same operations."""

import dataclasses

import pytest

from annotated_transformer import load_recipe
from experiments import live_recipe

STEPS = 1_800


def recipe_of(change):
    return load_recipe(live_recipe.RECIPE, live_recipe.variant(change, STEPS).overrides)


def settings(recipe):
    tables = ("tokenizer", "model", "training", "evaluation", "corpus")
    return {
        (table, field.name): getattr(getattr(recipe, table), field.name)
        for table in tables
        for field in dataclasses.fields(getattr(recipe, table))
    }


@pytest.mark.parametrize("change", [name for name in live_recipe.CHANGES if name != "none"])
def test_a_run_changes_one_setting_besides_the_number_of_updates(change):
    before, after = settings(load_recipe(live_recipe.RECIPE)), settings(recipe_of(change))
    changed = {key for key in before if before[key] != after[key]}
    assert len(changed - {("training", "steps")}) == 1


def test_without_a_change_it_is_the_recipe_itself():
    assert recipe_of("none") == load_recipe(live_recipe.RECIPE)


@pytest.mark.parametrize("change", live_recipe.CHANGES)
def test_a_run_has_the_operations_of_the_recipe(change):
    """Counted by the weights that a token passes: 6 operations each, and what attention adds."""
    recipe, own = recipe_of(change), load_recipe(live_recipe.RECIPE)

    def operations(recipe):
        model = recipe.model.config(recipe.tokenizer.vocab_size)
        d = model.d_model
        layer = 4 * d * d + 2 * d * model.d_ff  # the encoder's; the decoder's has 4 d^2 more
        length = live_recipe.LENGTH
        attention = 3 * 2 * d * length
        passed = model.n_layers * (2 * layer + 4 * d * d + attention) + d * model.vocab_size
        return 6 * passed * recipe.training.tokens_per_batch * recipe.training.steps

    assert operations(recipe) == pytest.approx(operations(own), rel=1e-3)
