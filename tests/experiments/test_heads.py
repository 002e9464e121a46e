"""The runs with more and more heads."""

import pytest

from annotated_transformer import count_parameters, load_recipe
from experiments import heads


def test_runs_differ_in_heads_and_in_nothing_else():
    variants = [heads.variant(n) for n in heads.HEADS]
    recipes = [load_recipe("english_korean_small", variant.overrides) for variant in variants]
    configs = [recipe.model.config(vocab_size=2_000) for recipe in recipes]
    assert len({count_parameters(config)["total"] for config in configs}) == 1
    assert [config.n_heads for config in configs] == list(heads.HEADS)
    assert [variant.tags["d_k"] for variant in variants] == [128 // n for n in heads.HEADS]
    with pytest.raises(ValueError, match="n_heads=3"):
        heads.variant(3)
