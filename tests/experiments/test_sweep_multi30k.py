"""Rows of the sweep: each changes one thing, and dropout inside is all that its model changes."""

from dataclasses import replace

import pytest
import torch

from annotated_transformer import Transformer, TransformerConfig, load_recipe
from annotated_transformer.training.schedule import noam_rate
from experiments import sweep_multi30k as sweep

CONFIG = TransformerConfig(vocab_size=20, n_layers=1, d_model=16, d_ff=32, n_heads=2)


def recipe_of(row):
    return load_recipe("multi30k_tiny", sweep.CHANGES[row])


def pair(dropout=0.0):
    """The paper's model and the one with dropout inside, with equal weights; and their input."""
    config = replace(CONFIG, dropout=dropout)
    torch.manual_seed(0)
    plain = Transformer(config)
    other = sweep.dropped(config)
    other.load_state_dict(plain.state_dict())
    source = torch.tensor([[4, 5, 6, 7], [8, 9, 0, 0]])
    return plain, other, source, torch.tensor([[1, 5, 6], [1, 7, 0]])


@pytest.mark.parametrize("row", sweep.CHANGES)
def test_a_row_changes_one_thing_in_the_training_and_nothing_else(row):
    recipe, base = recipe_of(row), load_recipe("multi30k_tiny")
    assert replace(recipe, training=base.training) == base
    ours, theirs = vars(recipe.training), vars(base.training)
    changed = {name for name in theirs if ours[name] != theirs[name]}
    assert len(changed) == (row not in ("recipe", *sweep.MODELS))


def test_the_peak_is_that_of_the_published_command():
    training = recipe_of("rate").training
    peak = noam_rate(
        training.warmup_steps, 128, training.warmup_steps, training.learning_rate_scale
    )
    assert peak == pytest.approx(0.005, rel=1e-4)


def test_dropout_inside_changes_nothing_but_training():
    plain, other, source, target = pair()
    plain.eval(), other.eval()
    torch.testing.assert_close(other(source, target), plain(source, target))


def test_dropout_inside_is_on_the_weights_and_in_the_inner_layer(monkeypatch):
    plain, other, source, target = pair()
    plain.train(), other.train()
    expected = plain(source, target)
    assert not torch.allclose(other(source, target), expected, atol=1e-4)
    monkeypatch.setattr(sweep, "RATE", 0.0)
    torch.testing.assert_close(other(source, target), expected)


def test_no_row_reads_a_test_split():
    assert sweep.STUDY.splits == ("valid",)
