"""The rows of Table 3 that we repeat in small change what they say, and nothing else."""

import dataclasses

import pytest

from annotated_transformer import Transformer, count_parameters, load_recipe
from experiments import dropout, key_width


def recipe_of(variant):
    return load_recipe("english_korean_small", variant.overrides)


def config_of(variant):
    return recipe_of(variant).model.config(vocab_size=2_000)


def test_narrow_keys_leave_heads_and_values_as_they_are():
    """Row (B): 6 attentions, each with two matrices of 128 x 4 heads x d_k."""
    configs = [config_of(key_width.variant(d_k)) for d_k in key_width.WIDTHS]
    usual = configs[-1]
    assert usual == load_recipe("english_korean_small").model.config(vocab_size=2_000)
    for d_k, config in zip(key_width.WIDTHS, configs, strict=True):
        assert config == dataclasses.replace(usual, d_k=d_k)
        assert (config.n_heads, config.d_v) == (4, 32)
        fewer = count_parameters(usual)["total"] - count_parameters(config)["total"]
        assert fewer == 6 * 2 * 128 * 4 * (32 - d_k)
    assert Transformer(configs[0]).count_parameters() == count_parameters(configs[0])


def test_runs_with_and_without_dropout_differ_in_it_alone():
    without, with_it = (recipe_of(dropout.variant(rate, 3_000)) for rate in dropout.RATES)
    assert without.corpus.train_pairs == 3_000
    rates = [recipe.model.config(vocab_size=2_000).dropout for recipe in (without, with_it)]
    assert rates == [0.0, 0.1]
    same = dataclasses.replace(without, model=with_it.model)
    assert same == with_it
    assert dataclasses.replace(
        config_of(dropout.variant(0.0, 3_000)), dropout=0.1
    ) == with_it.model.config(vocab_size=2_000)


@pytest.mark.parametrize("d_k", [0, -4])
def test_a_width_that_is_none_is_refused(d_k):
    with pytest.raises(ValueError, match=f"d_k={d_k}"):
        recipe_of(key_width.variant(d_k))
