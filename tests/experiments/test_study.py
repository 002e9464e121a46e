"""One study: its options, the command of its record, what is refused, how a stopped one goes on."""

import argparse
import json
import os
import shlex
import signal
from pathlib import Path

import pytest
import torch
from forked import Forked

from annotated_transformer.lab import measurement
from annotated_transformer.lab.records import RESULTS
from experiments import study
from experiments.given_model import check_sentences, lexicon_of, load_model
from experiments.study import (
    DATA_DIR,
    Option,
    SeedStudy,
    Study,
    UsageError,
    curve_of,
    joined,
    mending,
    seeds,
    steps,
)

FOLDERS = Option("--folder", type=Path, repeated="by name", selects=True)


def measured(given):
    return {"seed": getattr(given, "seeds", None), "rows": [{"n": 1}], "curve": []}


def command(option, *words):
    """Return what the command of a record says of one option, given these words."""
    made = Study("experiments.some", "", measured, option)
    return made.command(made.parser().parse_args(words)).removeprefix("python -m experiments.some")


def test_the_parser_has_the_program_s_name_and_the_first_line_of_its_docstring(capsys):
    made = Study("experiments.family.some", "What it measures.\n\nMore.", measured, steps(5))
    with pytest.raises(SystemExit) as ended:
        made.main(["--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert text.startswith("usage: python -m experiments.family.some ")
    assert "What it measures." in text
    assert "More." not in text
    assert "--out" in text
    assert "--steps" in text


def test_a_record_is_named_like_its_program():
    assert Study("experiments.some", "", measured).place(None) == RESULTS / "some.json"
    family = Study("experiments.family.some", "", measured)
    assert family.place(None) == RESULTS / "family_some.json"


def test_a_command_can_be_run_as_it_is_written():
    options = (seeds(1), Option("--rows", nargs="+"), Option("--d-model", 4))
    made = Study("experiments.some", "", measured, *options)
    given = made.parser().parse_args(["--d-model", "8", "--rows", "A: h=1", "B"])
    written = made.command(given)
    assert written == "python -m experiments.some --seeds 1 --rows 'A: h=1' B --d-model 8"
    assert made.parser().parse_args(shlex.split(written)[3:]) == given
    assert made.command(given, seeds=[3, 4]).startswith("python -m experiments.some --seeds 3 4 ")


@pytest.mark.parametrize(
    ("option", "words", "said"),
    [
        (Option("--some", [1], nargs="*"), ["--some"], " --some"),
        (Option("--some", 1, repeated="changed"), [], ""),
        (Option("--some", 1, repeated="changed"), ["--some", "1"], ""),
        (Option("--some", 1, repeated="changed"), ["--some", "2"], " --some 2"),
        (Option("--some", action="store_true", repeated="never"), ["--some"], ""),
        (FOLDERS, ["--folder", "/there/data set"], " --folder 'data set'"),
        (FOLDERS, [], ""),
    ],
)
def test_a_command_repeats_an_option_as_it_is_told_to(option, words, said):
    assert command(option, *words) == said


def test_a_command_says_where_its_record_is_unless_that_is_its_place(tmp_path):
    for names_out, said in ((True, f" --out {tmp_path}/x.json"), (False, "")):
        made = Study("experiments.some", "", measured, names_out=names_out)
        made.main(["--out", f"{tmp_path}/x.json"])
        record = json.loads((tmp_path / "x.json").read_text("utf-8"))
        assert record["command"] == f"python -m experiments.some{said}"
        given = argparse.Namespace(out=RESULTS / "some.json")
        assert made.command(given) == "python -m experiments.some"


def test_a_record_has_what_every_record_has_and_then_the_fields_in_their_order(tmp_path):
    made = Study(
        "experiments.some", "", lambda _: {"model": 1, "seed": 2, "scores": [], "rows": []}
    )
    made.main(["--out", f"{tmp_path}/x.json"])
    assert list(json.loads((tmp_path / "x.json").read_text("utf-8"))) == [
        *("benchmark", "command", "commit", "machine", "started", "wall_seconds"),
        *("model", "seed", "rows", "scores", "seal", "curve"),
    ]


def test_the_threads_are_set_before_the_machine_is_recorded(tmp_path):
    before = torch.get_num_threads()
    try:
        Study("experiments.some", "", measured, threads=2).main(["--out", f"{tmp_path}/x.json"])
        assert json.loads((tmp_path / "x.json").read_text("utf-8"))["machine"]["threads"] == 2
    finally:
        torch.set_num_threads(before)


def test_a_record_of_the_book_is_refused_with_changes_before_anything_is_measured(
    monkeypatch, tmp_path
):
    for module in (study, measurement):
        monkeypatch.setattr(module, "RESULTS", tmp_path)
    monkeypatch.setattr(measurement, "commit", lambda: "0" * 40 + "-dirty")
    asked = []
    made = Study("experiments.some", "", asked.append)
    with pytest.raises(SystemExit, match=r"^experiments: error: .*begins on a clean commit"):
        made.main([])
    assert asked == []


def refused(error):
    def work(_):
        raise error

    return work


@pytest.mark.parametrize(
    "made",
    [
        Study("experiments.some", "", measured, check=refused(ValueError("--n 0: too few"))),
        Study("experiments.some", "", refused(UsageError("--n 0: too few"))),
    ],
)
def test_an_option_with_a_wrong_value_ends_with_the_usage(made, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        made.main(["--out", f"{tmp_path}/x.json"])
    assert ended.value.code == 2
    first, *_, last = capsys.readouterr().err.splitlines()
    assert first.startswith("usage: python -m experiments.some")
    assert last == "python -m experiments.some: error: --n 0: too few"


@pytest.mark.parametrize("error", [OSError("disk"), ValueError("disk")])
def test_an_error_that_a_user_can_mend_is_a_line(error, tmp_path):
    with pytest.raises(SystemExit, match=r"^experiments: error: disk$"):
        Study("experiments.some", "", refused(error)).main(["--out", f"{tmp_path}/x.json"])
    with pytest.raises(SystemExit, match=r"^tools: error: disk$"), mending("tools", type(error)):
        raise error


def test_an_error_that_is_ours_is_not_hidden(tmp_path):
    with pytest.raises(ZeroDivisionError):
        Study("experiments.some", "", lambda _: 1 / 0).main(["--out", f"{tmp_path}/x.json"])


def of_seed(calls):
    """Return a study that counts its runs in a list and adds a line to a file."""

    def measure(seed, given):
        calls.append(seed)
        rows = [{"seed": seed, "n": given.pairs}]
        return {"first": calls[0], "rows": rows, "curve": []}

    return SeedStudy("experiments.some", "", measure, seeds(1), Option("--pairs", type=int))


def test_the_record_grows_with_the_seeds_and_always_says_what_it_holds(tmp_path):
    seen, path = [], tmp_path / "x.json"

    def measure(seed, given):
        seen.append(json.loads(path.read_text("utf-8")) if path.exists() else None)
        return {"rows": [{"seed": seed}], "curve": []}

    made = SeedStudy("experiments.some", "", measure, seeds(1), Option("--pairs", type=int))
    made.main(["--seeds", "3", "4", "--pairs", "7", "--out", str(path)])
    assert [record and record["seed"] for record in seen] == [None, [3]]
    assert seen[1]["command"] == "python -m experiments.some --seeds 3 --pairs 7"
    record = json.loads(path.read_text("utf-8"))
    assert record["command"] == "python -m experiments.some --seeds 3 4 --pairs 7"
    assert record["rows"] == [{"seed": 3}, {"seed": 4}]


@pytest.mark.usefixtures("clean")
def test_a_run_that_is_kept_is_not_done_again_and_its_time_counts(tmp_path, monkeypatch):
    calls, words = [], ["--pairs", "7", "--out", f"{tmp_path}/x.json"]
    made = of_seed(calls)
    made.main(["--seeds", "5", *words])
    [kept] = study.RUNS.rglob("*.json")
    content = json.loads(kept.read_text("utf-8"))
    began = "2001-01-01T00:00:00+00:00"
    kept.write_text(json.dumps(content | {"started": began, "wall_seconds": 5_000.0}))
    made.main(["--seeds", "5", "6", *words])
    assert calls == [5, 6]
    record = json.loads((tmp_path / "x.json").read_text("utf-8"))
    assert record["rows"] == [{"seed": 5, "n": 7}, {"seed": 6, "n": 7}]
    assert record["started"] == began
    assert 5_000 <= record["wall_seconds"] < 5_100


def test_a_kept_run_is_of_one_commit_label_and_options(monkeypatch):
    def place(*words, version="0" * 40, **label):
        monkeypatch.setattr(study, "commit", lambda: version)
        made = Study("experiments.some", "", measured, seeds(1), steps(5), DATA_DIR)
        return made.kept(label, made.parser().parse_args(words))

    others = [place(version="1" * 40), place("--steps", "8"), place(seed=2)]
    assert len({place(), *others}) == 4
    # Which runs are asked for, and where anything lies, says nothing about one of them.
    for words in (["--seeds", "1", "2"], ["--out", "x.json"], ["--data-dir", "there"]):
        assert place(*words) == place()
    assert place(version="0" * 40 + "-dirty") is None


def test_on_a_commit_that_is_not_clean_nothing_is_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(study, "commit", lambda: "0" * 40 + "-dirty")
    calls = []
    for _ in range(2):
        of_seed(calls).main(["--pairs", "7", "--out", f"{tmp_path}/x.json"])
    assert calls == [1, 1]
    assert not study.RUNS.exists()


def killed_in_its_second_seed(folder, *, kill):
    """Carry out a study of three seeds; in the second the process may be killed."""
    os.chdir(folder)
    study.commit = lambda: "0" * 40
    study.RUNS = Path("kept")

    def measure(seed, given):
        with open("calls", "a", encoding="utf-8") as file:
            file.write(f"{seed} ")
        if seed == 2 and kill:
            os.kill(os.getpid(), signal.SIGKILL)
        # What a file of JSON gives back as something else: a tuple, a key that is a number.
        rows = [{"seed": seed, "value": seed / 3, "place": (seed, 1), "by": {seed: None}}]
        return {"longest": {8: (1, 2)}, "rows": rows, "curve": []}

    made = SeedStudy("experiments.some", "", measure, seeds(1, 2, 3))
    made.main(["--out", "record.json"])


def test_after_a_kill_the_command_goes_on_and_its_record_is_that_of_one_run(tmp_path):
    texts = []
    for name, kills in (("whole", [False]), ("killed", [True, False])):
        folder = tmp_path / name
        folder.mkdir()
        for kill in kills:
            status, errors = Forked(stopped_study, str(folder), kill).end()
            assert status == (-signal.SIGKILL if kill else 0), errors
            if kill:
                assert json.loads((folder / "record.json").read_text("utf-8"))["seed"] == [1]
        record = json.loads((folder / "record.json").read_text("utf-8"))
        clocks = ("started", "wall_seconds", "seal", "commit")
        texts.append(json.dumps({key: x for key, x in record.items() if key not in clocks}))
    assert texts[0] == texts[1]
    assert (tmp_path / "whole/calls").read_text("utf-8") == "1 2 3 "
    assert (tmp_path / "killed/calls").read_text("utf-8") == "1 2 2 3 "


def stopped_study(folder, kill):
    """Do this in a process of its own."""
    killed_in_its_second_seed(folder, kill=kill)


def test_entries_that_name_their_seed_go_on_and_all_else_is_of_the_first_run():
    results = [
        {"model": "a", "bounds": [{"d": 1}], "texts": ["seed"], "rows": [{"seed": n}], "curve": []}
        for n in (1, 2)
    ]
    assert joined(results) == results[0] | {"rows": [{"seed": 1}, {"seed": 2}]}


def test_a_curve_has_the_mean_loss_of_each_part():
    assert curve_of([1.0, 2.0, 3.0, 4.0, 9.0], 2, model="m") == [
        {"model": "m", "step": 2, "loss": 1.5},
        {"model": "m", "step": 4, "loss": 3.5},
    ]


def test_a_missing_model_is_the_user_s_mistake():
    with pytest.raises(UsageError, match="there is no model directory nonsense"):
        load_model("nonsense")


def test_the_lexicon_of_a_model_is_that_of_its_recipe(tmp_path):
    assert lexicon_of("english_korean") == "large"
    text = 'name = "own"\n[corpus]\nkind = "english_korean"\nlexicon = "small"\n'
    (tmp_path / "recipe.toml").write_text(text, "utf-8")
    assert lexicon_of(str(tmp_path)) == "small"
    with pytest.raises(FileNotFoundError, match="there is no recipe 'nonsense'"):
        lexicon_of("nonsense")
    with pytest.raises(ValueError, match="multi30k_tiny was trained on multi30k"):
        lexicon_of("multi30k_tiny")


@pytest.mark.parametrize("number", [0, 1_001])
def test_a_split_has_a_thousand_sentences(number):
    check_sentences(valid=1, test=1_000)
    with pytest.raises(ValueError, match=f"--valid {number}: the split has 1,000 sentences, from"):
        check_sentences(valid=number)
