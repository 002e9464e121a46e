"""Comparisons: what a run is given, and the command that its record has."""

import json
import os
from types import SimpleNamespace

import pytest

from annotated_transformer import Transformer, Translator, load_recipe
from annotated_transformer.lab.records import record
from annotated_transformer.storage.machine import DATA_VARIABLE
from annotated_transformer.training.schedule import noam_rate
from experiments import study, variants
from experiments.study import Option

SAME = {"recipe": "r", "parameters": 1, "settings": {}}


@pytest.fixture
def seen(monkeypatch):
    """Stand-ins for training: what each was asked."""
    asked = []

    def run_once(variant, seed, steps, *_):
        asked.append((variant.tags["a"], seed, steps))
        return {**SAME, "scores": [{**variant.tags, "seed": seed}], "curve": []}

    monkeypatch.setattr(variants, "run_once", run_once)
    return asked


BOTH = [variants.Variant({"a": 1}), variants.Variant({"a": 2}, ["seed=3"])]
MORE = Option("--more", [5, 6])


def test_all_variants_run_with_each_seed_and_steps_come_last_in_the_command(seen, tmp_path):
    path = tmp_path / "x.json"
    made = variants.Comparison("experiments.x", "", BOTH, MORE, updates=7)
    made.main(["--seeds", "3", "4", "--out", str(path)])
    assert seen == [(1, 3, 7), (2, 3, 7), (1, 4, 7), (2, 4, 7)]
    record = json.loads(path.read_text("utf-8"))
    assert record["command"] == (
        f"python -m experiments.x --seeds 3 4 --more 5 6 --steps 7 --out {path}"
    )
    assert [(s["a"], s["seed"]) for s in record["scores"]] == [(1, 3), (2, 3), (1, 4), (2, 4)]
    assert (record["benchmark"], record["recipe"]) == ("x", "r")


def test_another_rate_makes_another_record_of_the_same_runs(seen, tmp_path, monkeypatch):
    monkeypatch.setattr(study, "RESULTS", tmp_path)
    made = variants.Comparison("experiments.x", "", BOTH, updates=7)
    for words in ([], ["--rate", "half"], ["--rate", "twice"]):
        made.main(words)
    commands = {
        p.stem: json.loads(p.read_text("utf-8"))["command"] for p in tmp_path.glob("*.json")
    }
    assert commands == {
        "x": "python -m experiments.x --seeds 1 --steps 7",
        "x_half_rate": "python -m experiments.x --seeds 1 --rate half --steps 7",
        "x_twice_rate": "python -m experiments.x --seeds 1 --rate twice --steps 7",
    }
    assert len(seen) == 6


def test_a_contest_may_depend_on_the_options_and_a_variant_on_the_one_before(seen, tmp_path):
    def contest(given):
        def of_seed(seed):
            yield variants.Variant({"a": seed})
            yield variants.Variant({"a": seen[-1][0] + given.more[0]})

        return variants.Contest(of_seed, also=[{"metric": "floor"}])

    made = variants.Comparison("experiments.x", "", contest, MORE)
    made.main(["--seeds", "3", "4", "--out", f"{tmp_path}/x.json"])
    assert [a for a, *_ in seen] == [3, 8, 4, 9]
    scores = json.loads((tmp_path / "x.json").read_text("utf-8"))["scores"]
    assert [score.get("metric") for score in scores] == ["floor", *[None] * 4]


@pytest.mark.usefixtures("clean")
def test_runs_are_kept_by_what_the_variant_changes(seen, tmp_path):
    made = variants.Comparison("experiments.x", "", BOTH)
    words = ["--out", f"{tmp_path}/x.json"]
    for more in ([], ["--seeds", "1", "2"], ["--steps", "9"]):
        made.main([*more, *words])
    assert seen == [
        (1, 1, 1_000),
        (2, 1, 1_000),
        (1, 2, 1_000),
        (2, 2, 1_000),
        (1, 1, 9),
        (2, 1, 9),
    ]
    given = made.parser().parse_args([])
    other = [variants.Variant({"a": 1}, ["seed=4"]), variants.Variant({"a": 3})]
    places = {made.kept(variants.label(each, 1), given) for each in [*BOTH, *other]}
    assert len(places) == 4


def test_texts_of_a_program_are_tokenised_where_no_other_looks(seen, tmp_path, monkeypatch):
    monkeypatch.setenv(DATA_VARIABLE, "before")
    found = []

    def contest(_):
        found.append(os.environ[DATA_VARIABLE])
        return BOTH

    for own in (False, True):
        made = variants.Comparison("experiments.x", "", contest, own_corpus=own)
        made.main(["--out", f"{tmp_path}/x.json"])
    assert found[0] == os.environ[DATA_VARIABLE] == "before"
    assert found[1] != "before"
    assert not os.path.exists(found[1])


def test_a_run_gets_the_variant_s_model_schedule_and_settings(monkeypatch):
    class Other(Transformer):
        pass

    def rate(step, d_model, warmup_steps, scale):
        return noam_rate(step, d_model, warmup_steps, scale) / 2

    asked = {}

    def train(recipe, _out, **settings):
        asked.update(settings, recipe=recipe)
        score = {"metric": "exact_match", "value": 1.0}
        record = {**SAME, "scores": [score], "curve": [{"valid_loss": 1.0}]}
        shipped = Translator.load("english_korean")
        return SimpleNamespace(record=record, model=shipped.model, tokenizer=shipped.tokenizer)

    monkeypatch.setattr(variants, "train", train)
    variant = variants.Variant({"a": 1}, ["model.n_layers=1"], model=Other, schedule=rate)
    record = variants.run_once(variant, 5, 7, ["test"], lambda _: [{"metric": "m", "value": 2}])
    assert (asked["make_model"], asked["schedule"]) == (Other, rate)
    assert (asked["recipe"].seed, asked["recipe"].training.steps) == (5, 7)
    assert asked["recipe"].model.overrides["n_layers"] == 1
    tags = {"a": 1, "seed": 5}
    assert record["curve"] == [tags | {"valid_loss": 1.0}]
    assert record["scores"][1] == tags | {"metric": "m", "value": 2}


def test_a_rate_multiplies_what_the_variant_asks_for(monkeypatch):
    asked = []

    def train(recipe, *_, **__):
        asked.append(recipe.training.learning_rate_scale)
        raise InterruptedError

    monkeypatch.setattr(variants, "train", train)
    for overrides in ([], ["training.learning_rate_scale=0.3"]):
        for rate in variants.RATES.values():
            trained = variants.at_rate(variants.Variant({}, overrides), rate)
            with pytest.raises(InterruptedError):
                variants.run_once(trained, 1, 1, [])
    assert asked == pytest.approx([1.0, 0.5, 2.0, 0.3, 0.15, 0.6])


def settings(content, under=""):
    """Each setting of a recipe by its dotted name."""
    for name, value in content.items():
        if isinstance(value, dict):
            yield from settings(value, f"{under}{name}.")
        else:
            yield f"{under}{name}", value


def test_the_recipe_of_the_experiments_is_that_of_the_records_from_before_it_had_its_name():
    """What differs is what the experiment sets: the printed commands still make these records."""
    old = dict(settings(record("averaging")["settings"]))
    new = dict(settings(load_recipe("english_korean_small").to_dict()))
    training = {"steps", "log_every", "checkpoint_every", "keep_checkpoints"}
    set_there = {"name", "description", "evaluation.splits"} | {f"training.{x}" for x in training}
    assert {name for name in old | new if old.get(name) != new.get(name)} <= set_there
