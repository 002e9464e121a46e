"""The four runs of norm_order differ in the order and in the warm-up, and in nothing else."""

from itertools import product

import torch

from annotated_transformer import Transformer, TransformerConfig, load_recipe
from annotated_transformer.training.batching import collate
from annotated_transformer.training.encoded import Example
from annotated_transformer.training.schedule import noam_rate
from annotated_transformer.training.step import make_optimizer, train_step
from experiments.norm_order import STUDY, WARMUP_STEPS, rate_without_warmup, variant


def test_without_a_warmup_the_rate_starts_at_the_peak_and_is_the_same_after_it():
    usual = [noam_rate(n, 128, WARMUP_STEPS, 0.3) for n in range(1, 601)]
    cut = [rate_without_warmup(n, 128, WARMUP_STEPS, 0.3) for n in range(1, 601)]
    peak = max(usual)
    assert cut[: WARMUP_STEPS - 1] == [peak] * (WARMUP_STEPS - 1)
    assert cut[WARMUP_STEPS - 1 :] == usual[WARMUP_STEPS - 1 :]
    assert usual[0] < peak / 250


def test_the_training_step_really_uses_that_rate():
    recipe = load_recipe("english_korean_small", ["training.precision=float32"])
    torch.manual_seed(0)
    sizes = {"n_layers": 1, "d_model": 8, "d_ff": 8, "n_heads": 1, "dropout": 0.0}
    model = Transformer(TransformerConfig.tiny(vocab_size=9, **sizes))
    batch = collate([Example((4, 5, 2), (1, 6, 2))])
    optimizer = make_optimizer(model, recipe.training)

    first, second = (
        train_step(model, [batch], optimizer, step, recipe.training, schedule=schedule)
        for step, schedule in ((1, rate_without_warmup), (2, noam_rate))
    )
    assert first.learning_rate > 100 * second.learning_rate


def test_the_four_runs_differ_in_one_setting_and_the_schedule():
    given = STUDY.parser().parse_args(["--width", "32", "--scale", "0.3"])
    runs = {
        (norm, warmup): variant(norm, warmup, given)
        for norm, warmup in product(("post", "pre"), (True, False))
    }
    recipes = {key: load_recipe("english_korean_small", run.overrides) for key, run in runs.items()}
    for norm in ("post", "pre"):
        assert recipes[norm, True] == recipes[norm, False]
        model = recipes[norm, True].model.overrides
        assert (model["norm"], model["n_layers"], model["d_model"]) == (norm, 6, 32)
        assert recipes[norm, True].training.learning_rate_scale == 0.3
        assert runs[norm, False].schedule is rate_without_warmup
        assert runs[norm, True].schedule is noam_rate
    assert recipes["post", True].training == recipes["pre", True].training
