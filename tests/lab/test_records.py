"""Records: what every one has, how it is written and read, and commands that still run."""

import json
import re
import runpy
import shlex
import sys

import pytest
import repeatable
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from annotated_transformer.lab import measurement as measuring
from annotated_transformer.lab import records
from annotated_transformer.lab.measurement import Measurement
from annotated_transformer.lab.provenance import UNSEALED, objection
from annotated_transformer.lab.records import MOVED, RESULTS, record
from annotated_transformer.storage.machine import commit, machine
from annotated_transformer.storage.records import seal, write_record
from annotated_transformer.training.recipe import load_recipe
from rules import ROOT

NAMES = sorted(path.stem for path in RESULTS.glob("*.json"))
FIELDS = {"command", "commit", "machine", "seed", "started", "wall_seconds", "scores", "curve"}


@pytest.mark.parametrize("name", NAMES)
def test_every_record_of_the_book_says_how_it_was_made(name):
    found = record(name)
    assert found.keys() >= FIELDS
    assert {"benchmark", "recipe"} & found.keys()
    assert re.fullmatch("[0-9a-f]{40}", found["commit"])
    html = found._repr_html_()
    assert found["commit"][:7] in html
    assert found["commit"][:7] in repr(found)
    assert name in html
    assert "/tmp" not in html
    assert html == record(name)._repr_html_()


def commands():
    """Every command of the records, with the module that it runs under its name of today."""
    for name in NAMES:
        for command in record(name).command.split(" && "):
            words = shlex.split(command)
            ours = words[0] == "annotated-transformer"
            yield ("annotated_transformer", *words[1:]) if ours else words[2:]


@pytest.mark.parametrize("words", sorted({tuple(words) for words in commands()}), ids=" ".join)
def test_every_command_of_a_record_still_runs(words, monkeypatch, capsys):
    module, *rest = words
    command = [word for word in rest[:1] if not word.startswith("-")]
    monkeypatch.setattr(sys, "argv", [module, *command, "--help"])
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(module, run_name="__main__")
    assert not ended.value.code
    text = capsys.readouterr().out
    known = {word for word in rest if word.startswith("--")}
    assert known <= set(re.findall("--[a-z-]+", text))
    if module != "annotated_transformer":
        assert text.startswith(f"usage: python -m {module} [-h]")


def test_a_moved_program_is_shown_with_both_names():
    old = "python -m benchmarks.norm_order --seeds 1"
    found = records.Record("some", ENTRIES | {"command": old})
    assert found.command == old.replace("benchmarks", "experiments")
    assert "\nnow      python -m experiments.norm_order" in repr(found)
    assert "<dt>now</dt><dd>python -m experiments.norm_order" in found._repr_html_()
    assert "now " not in repr(records.Record("some", ENTRIES))


def test_every_new_name_is_a_module_and_no_old_name_is():
    root = RESULTS.parents[1]
    for old, new in MOVED.items():
        assert not (root / (old.replace(".", "/") + ".py")).exists()
        assert (root / (new.replace(".", "/") + ".py")).is_file()


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("benchmark_cashing_small", "benchmark_caching_small"), ("head", "heads")],
)
def test_an_unknown_record_is_named_with_the_nearest(name, nearest):
    with pytest.raises(FileNotFoundError) as raised:
        record(name)
    assert str(raised.value) == f"there is no record {name!r}; the nearest is {nearest!r}"


def test_a_record_lies_beside_the_notebook_where_the_package_is_installed(tmp_path, monkeypatch):
    monkeypatch.setattr(records, "RESULTS", tmp_path / "site-packages" / "book" / "results")
    monkeypatch.chdir(tmp_path)
    wanted = f"there is no record 'x'; {tmp_path / 'results'} has none: copy book/results of the "
    with pytest.raises(FileNotFoundError, match=re.escape(wanted)):
        record("x")
    (tmp_path / "results").mkdir()
    written = write_record(tmp_path / "results" / "x.json", SOUND)
    assert dict(record("x")) == written
    with pytest.raises(FileNotFoundError, match="the nearest is 'x'"):
        record("../x")


ENTRIES = {
    "command": "python -m benchmarks.some",
    "commit": "0123456789",
    "machine": {"processor": "P", "threads": 1, "gpu": "G", "torch": "2", "cores": 1},
    "seed": [1],
    "started": "2026-11-20T23:03:46+00:00",
    "wall_seconds": 1234.5,
    "rows": [{"n": 1, "ratio": {"median": 2.0}}, {"n": 2, "ratio": {"median": 3.0}}],
    "scores": [
        {"metric": "BLEU", "value": 1.0, "run": "a"},
        {"metric": "BLEU", "value": 2.0, "run": "b", "words": 3},
        {"metric": "chrF", "value": 3.0, "run": "b"},
    ],
    "curve": [],
}


def test_entries_are_chosen_by_their_values():
    found = records.Record("some", ENTRIES)
    assert found.scores("BLEU") == [1.0, 2.0]
    assert found.scores("BLEU", run="b") == [2.0]
    assert found.scores("BLEU", words=None) == [1.0]
    assert found.scores("BLEU", run="c") == []
    both = found.entries("scores", metric=("BLEU", "chrF"), run="b")
    assert [entry["value"] for entry in both] == [2.0, 3.0]


def test_a_table_shows_chosen_columns_and_where_they_are_from():
    found = records.Record("some", ENTRIES)
    table = found.table("n", ratio=".1f")
    assert str(table).splitlines() == [
        *("n  ratio", "1    2.0", "2    3.0"),
        "(some: python -m benchmarks.some)",
    ]
    html = table._repr_html_()
    assert html.startswith("<table")
    assert html.endswith(found._repr_html_())
    wide = found.table("run", value=".0f", across="metric", of=found["scores"])
    assert wide.cells == [["a", "1", ""], ["b", "2", "3"]]
    assert found.table("run", of="scores").cells == [["a"], ["b"], ["b"]]


def test_the_origin_is_told_in_text_and_html():
    found = records.Record("some", ENTRIES)
    assert repr(found).splitlines() == [
        "record   some",
        "command  python -m benchmarks.some",
        "commit   0123456",
        "machine  P, G, 1 thread, torch 2",
        "seed     [1]",
        "when     2026-11-20, 1,234 s",
    ]


@pytest.mark.parametrize(
    "fields",
    [{"curve": [{"a": 1}, {"a": "ü"}], "wall_seconds": 3}, {"b": "ü", "curve": []}],
)
def test_what_is_written_is_read(tmp_path, fields):
    path = tmp_path / "record.json"
    written = write_record(path, fields)
    assert json.loads(path.read_text("utf-8")) == written == {**fields, "seal": seal(fields)}
    assert path.read_text("utf-8").count('{"a"') == len(fields["curve"])


def test_the_commit_is_the_one_at_the_start(tmp_path, monkeypatch):
    monkeypatch.setattr(measuring, "commit", lambda: "first")
    measurement = Measurement("some", threads=7)
    monkeypatch.setattr(measuring, "commit", lambda: "second")
    measurement.write(tmp_path / "a.json", command="c", seed=3, rows=[1])
    found = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert found.pop("wall_seconds") >= 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", found.pop("started"))
    assert found.pop("machine")["threads"] == 7
    assert found.pop("seal")
    assert found == {
        **{"benchmark": "some", "command": "c", "commit": "first", "seed": 3},
        **{"rows": [1], "scores": [], "curve": []},
    }


SOUND = {"command": "c", "commit": "0" * 40, "curve": []}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"commit": "0" * 40 + "-dirty"}, "made with changes that commit 0000000 does not have"),
        ({"commit": "unknown"}, "its commit is 'unknown'"),
        ({"continued_on": ["1" * 40]}, "began on commit 0000000 and was continued on 1111111"),
    ],
)
def test_a_record_that_nobody_can_make_again_is_refused(change, reason, tmp_path, monkeypatch):
    monkeypatch.setattr(records, "RESULTS", tmp_path)
    write_record(tmp_path / "sound.json", SOUND)
    record("sound")
    write_record(tmp_path / "x.json", SOUND | change)
    with pytest.raises(ValueError, match=f"the record 'x' is refused: .*{reason}"):
        record("x")


@settings(max_examples=40)
@given(
    st.dictionaries(
        st.text(),
        st.recursive(
            st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
        ),
    ),
    st.text(min_size=1),
)
def test_a_record_changed_by_hand_is_refused(fields, text):
    fields = json.loads(json.dumps({**fields, "commit": "0" * 40}))
    whole = {**fields, "seal": seal(fields)}
    assert objection("x", json.loads(json.dumps(whole))) is None
    for key in fields.keys() - {"commit", "continued_on", "seal"}:
        changed = {**whole, key: [fields[key], text]}
        assert objection("x", changed).startswith("its seal does not belong to its content")
        less = {name: value for name, value in whole.items() if name != key}
        assert objection("x", less).startswith("its seal does not belong to its content")


def test_a_record_of_the_book_begins_on_a_clean_commit(tmp_path, monkeypatch):
    monkeypatch.setattr(measuring, "commit", lambda: "0" * 40 + "-dirty")
    Measurement("x", out=tmp_path / "x.json")
    with pytest.raises(ValueError, match=r"begins on a clean commit, not on '0000000.*-dirty'"):
        Measurement("x", out=RESULTS / "x.json")
    monkeypatch.setattr(measuring, "commit", lambda: "0" * 40)
    Measurement("x", out=RESULTS / "x.json")


def sealed():
    return {name: record(name) for name in NAMES if name not in UNSEALED}


def test_the_commit_of_a_record_is_one_that_readers_get():
    assert {
        name: repeatable.reachable(made, ROOT) for name, made in sealed().items()
    } == dict.fromkeys(sealed())


def test_the_settings_of_a_run_are_those_of_its_recipe_and_command():
    runs = {name: made for name, made in sealed().items() if "benchmark" not in made}
    assert {
        name: repeatable.settings_of_recipe(made, ROOT) for name, made in runs.items()
    } == dict.fromkeys(runs)


def test_a_commit_that_nobody_gets_is_named():
    assert repeatable.reachable({"commit": commit().removesuffix("-dirty")}, ROOT) is None
    found = repeatable.reachable({"commit": "0" * 40}, ROOT)
    assert found == "commit 0000000 is no ancestor of HEAD"


def test_a_record_whose_recipe_says_something_else_is_named_with_both_values():
    """As multi30k_tiny.json was: the recipe was changed under the running run."""
    steps = "training.steps=70"
    made = {
        "commit": commit().removesuffix("-dirty"),
        "command": f"annotated-transformer train multi30k_tiny --out runs/x --set {steps}",
        "settings": load_recipe("multi30k_tiny", [steps]).to_dict(),
    }
    assert repeatable.settings_of_recipe(made, ROOT) is None
    made["settings"]["evaluation"]["beam_size"] = 6
    assert repeatable.settings_of_recipe(made, ROOT) == (
        "in the recipe and in the record: evaluation.beam_size is 5 there and 6 here"
    )
    made["command"] = made["command"].replace("multi30k_tiny", "nothing")
    assert repeatable.settings_of_recipe(made, ROOT) == (
        "there is no annotated_transformer/recipes/nothing.toml at commit " + made["commit"][:7]
    )


def test_only_records_from_before_the_seals_have_none():
    assert set(NAMES) >= UNSEALED
    for name in NAMES:
        assert ("seal" in record(name)) != (name in UNSEALED)


def test_the_machine_and_commit_are_those_of_this_checkout():
    found = machine(torch.device("cpu"))
    assert found["torch"] == torch.__version__
    assert found["threads"] == torch.get_num_threads()
    assert found["gpu"] is None
    assert re.fullmatch("[0-9a-f]{40}(-dirty)?", commit())
