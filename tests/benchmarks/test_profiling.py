"""Shares of a profile add up, and operations find their groups."""

from functools import partial

import pytest

from annotated_transformer.training.recipe import TrainingRecipe
from annotated_transformer.transformer import Transformer
from benchmarks import measure, profile_step, profiling
from benchmarks.profiling import SEARCH, STEP
from benchmarks.searches import make_ours


def profile_of_a_step(config, batches, precision):
    model, settings = Transformer(config), TrainingRecipe(precision=precision)
    works = profile_step.updates(model, batches, settings)
    return profiling.profiled(works, STEP, partial(profiling.labelled, model))


def test_shares_of_a_profile_add_up_and_find_their_groups(small_batches):
    config = measure.configuration("tiny", dropout=0.2)
    events, timed = profile_of_a_step(config, small_batches[:1], "float32")
    assert all(seconds > 0 for seconds in timed[0].values())
    groups, time_of, calls = profiling.shares(events, STEP)
    [whole] = [event for event in events if event.name == STEP]
    assert groups.total() == pytest.approx(whole.cpu_time_total, rel=0.01)
    assert time_of.total() == pytest.approx(groups.total())
    assert {"products", "optimizer", "dropout", "softmax and loss", "normalisation"} <= set(groups)
    drops = 2 + 5 * config.n_layers  # of both embeddings and of every sublayer
    assert calls["aten::random_ (dropout)"] == drops
    assert calls["aten::mul (dropout)"] >= 2 * drops  # forward and backward


def test_bfloat16_brings_conversions(small_batches):
    config = measure.configuration("tiny")
    shares = {}
    for precision in ("float32", "bfloat16"):
        events, _ = profile_of_a_step(config, small_batches[:1], precision)
        calls = profiling.shares(events, STEP)[2]
        shares[precision] = calls["aten::copy_ (conversions)"]
    assert shares["bfloat16"] > 20 + shares["float32"]


def test_a_search_is_profiled_as_a_whole():
    model = Transformer(measure.configuration("tiny")).eval()
    search = partial(make_ours(model, [[(5, 6, 2), (7, 2)]], 4, 2), 1)
    events, timed = profiling.profiled([search] * 2, SEARCH)
    rows, _ = profiling.tables(events, 2, SEARCH)
    assert len(timed) == 2
    assert sum(row["share"] for row in rows) == pytest.approx(1, abs=0.01)
    assert {"products", "softmax and loss", "between operations"} <= {r["group"] for r in rows}
    calls = profiling.shares(events, SEARCH)[2]
    # Two for each of four steps: the best groups of a row, then the best tokens in them.
    assert sum(n for name, n in calls.items() if name.startswith("aten::topk ")) == 2 * 4 * 2
