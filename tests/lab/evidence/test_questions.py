"""Records say whether their networks had stopped, and which learning rates were tried."""

import pytest

from annotated_transformer.lab import records
from annotated_transformer.lab.evidence import rates, stopped, two_questions
from annotated_transformer.lab.records import Record, record


def curve(*losses, key="valid_loss", **where):
    return [where | {"step": 100 * (n + 1), key: loss} for n, loss in enumerate(losses)]


def made(*curves, **fields):
    every = [entry for one in curves for entry in one]
    return Record("it", {"curve": every, "scores": [], "seed": [1, 2]} | fields)


FALLING, STILL = (5.0, 4.0, 3.0, 2.5, 2.0), (5.0, 3.0, 2.0, 2.0, 1.99)


def test_each_seed_of_each_side_says_whether_it_had_stopped():
    found = stopped(
        made(
            curve(*FALLING, model="a", seed=1),
            curve(*STILL, model="a", seed=2),
            curve(*STILL, model="b", seed=1),
            curve(*STILL, model="b", seed=2),
        )
    )
    assert [ending.stopped for ending in found.endings] == [False, True, True, True]
    assert found.stopped is False
    one, other = found.lines()
    assert one.startswith("model a: stopped in one of two seeds; over the last fifth")
    assert "2.500 to 2.000, 2.000 to 1.990 (-20.0% to -0.5%)" in one
    assert other.startswith("model b: stopped in each of two seeds")


def test_average_precision_is_read_as_a_loss_is_and_rises():
    rising, still = (5.0, 20.0, 40.0, 50.0, 54.0), (5.0, 50.0, 54.0, 54.0, 54.5)
    falling = (5.0, 50.0, 54.0, 54.0, 50.0)
    sides = {"a": rising, "b": still, "c": falling}
    found = stopped(made(*(curve(*sides[m], key="AP50", model=m, seed=1) for m in sides)))
    assert [ending.stopped for ending in found.endings] == [False, True, True]
    assert found.lines()[0] == (
        "model a: had not stopped; over the last fifth AP50 went from 50.0 to 54.0 (+8.0%)."
    )
    assert (
        "1 of 2 runs"
        in stopped(
            made(*(curve(*one, key="AP50", seed=n) for n, one in enumerate((rising, still))))
        ).brief()
    )


def test_the_better_rate_by_average_precision_is_the_one_with_the_higher():
    found = rates(
        made(
            curve(10.0, 30.0, 20.0, key="AP50", model="a", rate=0.1, seed=1),
            curve(10.0, 25.0, 28.0, key="AP50", model="a", rate=0.2, seed=1),
        )
    )
    assert str(found) == "model a: 0.1 was the best of 2 rates (30.0 at 0.1, 28.0 at 0.2)."


def test_detectors_had_not_stopped():
    for name in ("family_detr", "family_deformable_detr"):
        found = stopped(record(name))
        assert len(found.endings) == 12
        assert not any(ending.stopped for ending in found.endings)


@pytest.mark.parametrize(
    ("curves", "words"),
    [
        ([], "keeps no curve of a training run"),
        ([curve(*FALLING, key="loss", seed=1)], "loss of training alone, whose mean was lower"),
        ([curve(1.0, seed=1)], "keeps one validation loss a run"),
    ],
)
def test_a_record_that_cannot_say_says_so(curves, words):
    found = stopped(made(*curves))
    assert found.stopped is None
    assert words in str(found)


def test_the_better_rate_of_each_side_is_found():
    found = rates(
        made(
            curve(*FALLING, model="a", rate=0.1, seed=1),
            curve(*STILL, model="a", rate=0.2, seed=1),
            curve(*STILL, model="b", rate=0.1, seed=1),
        )
    )
    assert str(found).splitlines() == [
        "model a: 0.2 was the best of 2 rates (2.000 at 0.1, 1.990 at 0.2).",
        "model b: 0.1.",
    ]


def test_a_record_at_half_the_rate_answers_for_the_usual_one(tmp_path, monkeypatch):
    (tmp_path / "it_half_rate.json").touch()
    half = made(curve(*FALLING, heads=1, seed=1), curve(*STILL, heads=2, seed=1))
    monkeypatch.setattr(records, "RESULTS", tmp_path)
    monkeypatch.setattr(two_questions, "read_record", {"it_half_rate": half}.get)
    usual = made(curve(*STILL, heads=1, seed=1), curve(*FALLING, heads=2, seed=1))
    assert str(rates(usual)).splitlines() == [
        "heads 1: usual was the best of 2 rates (1.990 at usual, 2.000 at half).",
        "heads 2: half was the best of 2 rates (2.000 at usual, 1.990 at half).",
    ]


def test_runs_with_two_rates_end_each_by_itself():
    found = stopped(
        made(
            curve(*FALLING, model="a", rate=0.1, seed=1),
            curve(*STILL, model="a", rate=0.2, seed=1),
        )
    )
    assert [(ending.where["rate"], ending.stopped) for ending in found.endings] == [
        (0.1, False),
        (0.2, True),
    ]


def test_one_rate_is_called_one():
    schedule = {"learning_rate_scale": 0.5, "warmup_steps": 300}
    found = str(rates(made(settings={"training": schedule})))
    assert "schedule times 0.5 with 300 updates of warm-up; no other was tried" in found
    assert "one rate, 0.001" in str(rates(made(settings={"rate": 0.001})))
    assert "does not say" in str(rates(made()))


def test_a_rate_that_was_chosen_is_read_from_its_signature():
    scores = [{"model": "ViT", "signature": "50 images|rate 0.003 of 3"}]
    assert "ViT: 0.003 was chosen of 3 rates." in str(rates(made(scores=scores)))


def test_networks_of_the_order_of_layers_had_not_stopped():
    found = stopped(record("norm_order"))
    assert len(found.endings) == 12
    assert found.stopped is False


def test_the_part_that_is_looked_at_is_named_where_it_is_not_a_fifth():
    points = [{"step": step, "valid_loss": 3 - step / 1000, "seed": 1} for step in (250, 500, 600)]
    found = stopped(made(points))
    assert "; over the last 58% of the updates the validation loss" in found.brief()
    assert "; over the last 58% of the updates the validation loss" in str(found)
