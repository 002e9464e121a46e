"""Recipes: everything that decides a training run, as one TOML file."""

from annotated_transformer.training.recipe.loading import difference, load_recipe, shipped_recipes
from annotated_transformer.training.recipe.recipes import (
    PRESETS,
    CorpusRecipe,
    EvaluationRecipe,
    ModelRecipe,
    Recipe,
    TokenizerRecipe,
    TrainingRecipe,
)

__all__ = [
    "PRESETS",
    "CorpusRecipe",
    "EvaluationRecipe",
    "ModelRecipe",
    "Recipe",
    "TokenizerRecipe",
    "TrainingRecipe",
    "difference",
    "load_recipe",
    "shipped_recipes",
]
