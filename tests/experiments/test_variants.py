"""Comparisons: what a run is given, and the command that its record has."""

import json
from types import SimpleNamespace

import pytest

from annotated_transformer import Transformer, Translator, load_recipe
from annotated_transformer.records import record, write_record
from annotated_transformer.training.schedule import noam_rate
from experiments import programs, variants

RUN = {"recipe": "r", "parameters": 1, "scores": [], "settings": {}, "curve": []}


@pytest.mark.parametrize("elsewhere", [True, False])
def test_a_command_says_where_its_record_is_unless_that_is_its_place(
    elsewhere, monkeypatch, tmp_path
):
    for module in (variants, programs):
        monkeypatch.setattr(module, "RESULTS", tmp_path)
    monkeypatch.setattr(variants, "run_once", lambda *_args, **_: RUN)
    path = tmp_path / ("second.json" if elsewhere else "heads.json")
    words = ["--seeds", "2", *(["--out", str(path)] if elsewhere else [])]
    variants.compare(
        "heads", [variants.Variant({})], variants.parser("heads", "").parse_args(words)
    )
    expected = "python -m experiments.heads --seeds 2 --steps 1000"
    expected += f" --out {path}" if elsewhere else ""
    assert json.loads(path.read_text("utf-8"))["command"] == expected


def test_the_record_grows_with_the_seeds_and_always_says_what_it_holds(monkeypatch, tmp_path):
    path, seen = tmp_path / "x.json", []

    def run_once(variant, seed, *_, **__):
        seen.append(json.loads(path.read_text("utf-8")) if path.exists() else None)
        return {**RUN, "scores": [{**variant.tags, "seed": seed}]}

    monkeypatch.setattr(variants, "run_once", run_once)
    given = variants.parser("x", "").parse_args(["--seeds", "3", "4", "--out", str(path)])
    both = [variants.Variant({"a": 1}), variants.Variant({"a": 2})]
    variants.compare("x", both, given, options={"more": [5, 6]})
    assert [record and record["seed"] for record in seen] == [None, None, [3], [3]]
    assert " --seeds 3 --more 5 6 --steps 1000 " in seen[-1]["command"]
    record = json.loads(path.read_text("utf-8"))
    assert " --seeds 3 4 --more 5 6 --steps 1000 " in record["command"]
    assert [(s["a"], s["seed"]) for s in record["scores"]] == [(1, 3), (2, 3), (1, 4), (2, 4)]
    assert (record["benchmark"], record["recipe"]) == ("x", "r")


def test_a_run_gets_the_variant_s_model_schedule_and_settings(monkeypatch):
    class Other(Transformer):
        pass

    def rate(step, d_model, warmup_steps, scale):
        return noam_rate(step, d_model, warmup_steps, scale) / 2

    asked = {}

    def train(recipe, _out, **settings):
        asked.update(settings, recipe=recipe)
        score = {"metric": "exact_match", "value": 1.0}
        record = {"scores": [score], "curve": [{"valid_loss": 1.0}]}
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


def test_a_run_that_is_kept_is_not_done_again(monkeypatch, tmp_path):
    kept = tmp_path / "runs/one.json"
    kept.parent.mkdir()
    written = write_record(kept, RUN)
    monkeypatch.delattr(variants, "train")
    assert variants.run_once(variants.Variant({}), 1, 2, ["test"], kept=kept) == written


def test_a_kept_run_is_of_one_commit_variant_seed_and_options(monkeypatch):
    def place(version="0" * 40, overrides=(), seed=1, steps="7"):
        monkeypatch.setattr(variants, "commit", lambda: version)
        given = variants.parser("x", "").parse_args(["--steps", steps])
        return variants.kept_run("x", variants.Variant({"a": 1}, overrides), seed, given)

    assert place() == place()
    others = [place("1" * 40), place(overrides=["seed=3"]), place(seed=2), place(steps="8")]
    assert len({place(), *others}) == 5
    assert place("0" * 40 + "-dirty") is None


def test_a_comparison_that_goes_on_counts_the_time_of_runs_that_are_kept(monkeypatch, tmp_path):
    kept = tmp_path / "one.json"
    write_record(kept, {**RUN, "started": "2001-01-01T00:00:00+00:00", "wall_seconds": 5_000.0})
    monkeypatch.setattr(variants, "kept_run", lambda *_: kept)
    given = variants.parser("x", "").parse_args(
        ["--seeds", "3", "4", "--out", f"{tmp_path}/x.json"]
    )
    variants.compare("x", [variants.Variant({})], given)
    record = json.loads((tmp_path / "x.json").read_text("utf-8"))
    assert record["started"] == "2001-01-01T00:00:00+00:00"
    assert 10_000 <= record["wall_seconds"] < 10_100


def test_a_kept_run_is_good_for_whoever_asks_for_it(monkeypatch):
    monkeypatch.setattr(variants, "commit", lambda: "0" * 40)
    options = variants.parser("x", "")
    options.add_argument("--rows", nargs="+")
    places = {
        variants.kept_run("x", variants.Variant({"row": "a"}), 1, options.parse_args(words))
        for words in ([], ["--rows", "a"], ["--seeds", "1", "2"], ["--out", "elsewhere.json"])
    }
    assert len(places) == 1


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
