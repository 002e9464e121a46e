"""Recipes: everything that decides a training run, as one TOML file."""

from annotated_transformer.training.recipe.loading import load_recipe, shipped_recipes
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
    "load_recipe",
    "shipped_recipes",
]
