"""What other settings make of the recipe `english_korean_live`, with as many operations.

    python -m experiments.live_recipe

Each run changes the recipe in one thing, and has as many updates as its products of matrices leave
it: half of the recipe's if an update costs twice as much. Sentences of the validation split are
translated greedily; the test splits are not looked at. The recipe's own settings were found by
trying, before this program was written: it says what speaks for them, and what does not.
"""

from annotated_transformer import load_recipe
from annotated_transformer.training.cost import LENGTH, step_flops
from annotated_transformer.training.recipe import Recipe
from experiments.study import Option
from experiments.variants import Comparison, Variant

RECIPE = "english_korean_live"
CHANGES = {
    "none": "",
    "batches of 1,024 tokens": "training.tokens_per_batch=1024",
    "four layers": "model.n_layers=4",
    "dropout 0.1": "model.dropout=0.1",
    "twice the rate": "training.learning_rate_scale=1.0",
    "branch gain 1": "model.branch_gain=1.0",
    "a vocabulary of 1,000": "tokenizer.vocab_size=1000",
    "the last weights": "training.average_checkpoints=0",
}
"""What a change sets, by its name."""


def update_flops(recipe: Recipe) -> float:
    """Floating-point operations of an update."""
    rows = recipe.training.tokens_per_batch // LENGTH
    return step_flops(recipe.model.config(recipe.tokenizer.vocab_size), rows, LENGTH, LENGTH)


def variant(change: str, steps: int) -> Variant:
    """The run with a change, which has the operations of so many updates of the recipe."""
    overrides = [CHANGES[change]] if CHANGES[change] else []
    changed = load_recipe(RECIPE, overrides)
    updates = round(steps * update_flops(load_recipe(RECIPE)) / update_flops(changed))
    return Variant(
        {"change": change, "updates": updates},
        [*overrides, f"training.steps={updates}"],
        recipe=RECIPE,
    )


STUDY = Comparison(
    "experiments.live_recipe",
    __doc__,
    lambda given: [variant(change, given.steps) for change in given.changes],
    Option("--changes", list(CHANGES), choices=CHANGES, repeated="changed", selects=True),
    updates=load_recipe(RECIPE).training.steps,
    splits=("valid",),
)


if __name__ == "__main__":
    STUDY.main()
