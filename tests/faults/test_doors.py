"""Every door with every fault of its file: one sentence with the file's name, and nothing is left.

The tests are the product of two tables, DOORS and FAULTS. Others see that no door is missing: a
command, a name of the package's front door that takes a path, a function that opens a file.
Deaths at any moment, full disks during a run and two runs at once need a run under way and are in
tests/training/test_resume.py and tests/test_cli.py (`ELSEWHERE`).
"""

import argparse
import ast
import inspect
import json
import re
import shutil
import tempfile
from pathlib import Path

import pytest
import torch
from faults.damages import DISKS, FAULTS, as_nobody
from faults.doors import DOORS, DOWNLOAD, KEY, SETTINGS, WRITERS
from tiny import tiny_translator
from tiny_run import WORDS, write_recipe
from typechecking import unchecked

import annotated_transformer
from annotated_transformer import cli, load_recipe, train
from annotated_transformer.cli import arguments
from annotated_transformer.decoding.doubt import Coverage
from annotated_transformer.lab.family import GPT, GPTConfig
from annotated_transformer.lab.measured import store_coverage
from annotated_transformer.saving import save_model
from annotated_transformer.text import TrainingText
from annotated_transformer.training.corpus_cache import cached_pairs
from annotated_transformer.training.encoded import Example
from rules import ROOT

PACKAGE = ROOT / "annotated_transformer"
LINES = [f"the {word} sees a {word}" for word in WORDS]
LONGEST = 700
"""Characters that a sentence may have, the folder's name included."""
ADVICE = re.compile(
    r"expected|;|missing|must|need|choose|did you mean|is not|too small|holds no|closed"
)
"""What a message says beside what is wrong."""


@pytest.fixture(scope="module")
def built():
    """A folder with one of every file, which others than its owner may read."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o755)
        recipe = load_recipe(write_recipe(place), SETTINGS)
        train(recipe, place / "run", progress=False, device="cpu")
        shutil.rmtree(place / "run/checkpoints")  # many files, which no door here reads
        shutil.rmtree(place / "run/tensorboard", ignore_errors=True)
        translator = tiny_translator()
        save_model(
            place / "model", translator.model, translator.tokenizer, text=TrainingText.of(LINES)
        )
        store_coverage(place / "model", Coverage({"cat": frozenset({4})}))
        (place / "words alone").mkdir()
        for file in ("config.json", "model.safetensors", "tokenizer.model"):
            shutil.copy(place / "model" / file, place / "words alone")
        (place / "words alone/words.txt").write_text("\n".join(WORDS), "utf-8")
        sizes = {"n_layers": 1, "d_model": 16, "d_ff": 16, "n_heads": 2, "max_length": 10}
        GPT(GPTConfig(vocab_size=12, **sizes)).save(place / "member")
        pairs = [Example((5, 2), (1, 6, 2)), Example((7, 8, 2), (1, 9, 2))]
        cached_pairs(place / "cache", KEY, pairs, 300, origin="train")
        record = json.loads((place / "run/record.json").read_text("utf-8"))
        del record["seal"]
        (place / "results").mkdir()
        (place / "results/multi30k_tiny_first.json").write_text(json.dumps(record), "utf-8")
        (place / "trees.mrg").write_text("(S (NP (NN time)) (VP (VBZ flies)))\n" * 3)
        (place / "pairs.tsv").write_text("".join(f"{line}\tit\n" for line in LINES), "utf-8")
        (place / "data").mkdir()
        (place / "data/words.en").write_bytes(DOWNLOAD)
        yield place


@pytest.fixture
def place(built):
    """A copy of that folder, which a test may damage."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(shutil.copytree(built, Path(name) / "place"))


def files(place):
    return sorted(str(path.relative_to(place)) for path in place.rglob("*"))


def through(door, place, capsys):
    """Go through a door: None if it opens, else the message; whatever else is a traceback."""
    with unchecked():
        if door.call:
            try:
                door.call(place)
            except (OSError, ValueError) as error:
                return cli._one_line(error) if isinstance(error, OSError) else str(error)
            return None
        capsys.readouterr()
        status = cli.main([text.replace("PLACE", str(place)) for text in door.arguments])
        if status == 0:
            return None
        lines = capsys.readouterr().err.splitlines()
        assert (status, len(lines)) == (1, 1), lines
        return lines[0].removeprefix("annotated-transformer: error: ")


def possible(door, fault):
    """Whether a fault can happen to the file of a door."""
    kind = door.kind in fault.kinds and (bool(door.key) or not fault.needs_key)
    return kind and all(FAULTS[name] is not fault for name in door.impossible)


PRODUCT = [
    (door, fault)
    for door in DOORS
    for fault in FAULTS
    if possible(DOORS[door], FAULTS[fault]) and fault not in DOORS[door].understood
]
UNDERSTOOD = [(door, fault) for door in DOORS for fault in sorted(DOORS[door].understood)]


@pytest.mark.parametrize("door", DOORS)
def test_a_door_opens_for_what_is_right(door, place, capsys):
    """Otherwise all that follows would prove nothing."""
    assert through(DOORS[door], place, capsys) is None


@pytest.mark.parametrize(("door", "fault"), PRODUCT)
def test_a_fault_is_one_sentence_and_leaves_nothing(door, fault, place, capsys):
    way = DOORS[door]
    FAULTS[fault].damage(place / way.file, way.kind, way.key)
    before = files(place)
    if fault == "unreadable":
        place.chmod(0o777)  # what is refused is the file, not where the output would go
        with as_nobody():
            message = through(way, place, capsys)
    else:
        message = through(way, place, capsys)
    assert message is not None, "it was taken for right"
    assert "\n" not in message
    assert len(message) <= LONGEST
    assert any(name in message for name in (Path(way.file).name, *way.also)), message
    assert ADVICE.search(message), message
    assert files(place) == before


@pytest.mark.parametrize(("door", "fault"), UNDERSTOOD)
def test_a_fault_that_changes_nothing_is_understood(door, fault, place, capsys):
    way = DOORS[door]
    assert possible(way, FAULTS[fault])
    FAULTS[fault].damage(place / way.file, way.kind, way.key)
    assert through(way, place, capsys) is None


@pytest.mark.parametrize("disk", DISKS)
@pytest.mark.parametrize("writer", WRITERS)
def test_what_cannot_be_written_is_said_and_leaves_nothing(writer, disk, place):
    out = place / "new" / "thing"
    out.parent.mkdir()
    with unchecked(), DISKS[disk](out.parent), pytest.raises(OSError, match=r"\w") as caught:
        WRITERS[writer](place, out)
    assert "\n" not in str(caught.value)
    assert files(out.parent) == []


@pytest.mark.parametrize("writer", WRITERS)
def test_a_writer_writes_where_it_can(writer, place):
    out = place / "new" / "thing"
    WRITERS[writer](place, out)
    assert out.exists()
    assert [path.name for path in out.parent.iterdir()] == ["thing"]


# That nothing is forgotten.


def test_every_command_is_a_door():
    [commands] = [
        action
        for action in arguments.parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    ]
    assert {door.arguments[0] for door in DOORS.values() if door.arguments} == {*commands.choices}


def takes_a_path(function):
    try:
        hints = inspect.signature(function).parameters.values()
    except ValueError:
        return False
    return any("Path" in str(hint.annotation) for hint in hints)


FRONT = {
    "Tokenizer.load": "translate: tokenizer.model",
    "Translator.load": "Translator.load: config.json",
    "load_recipe": "load_recipe",
    "train": "train: recipe",
}
"""What the front door of the package gives a path to, and the door that stands for it."""


def test_every_name_of_the_package_that_takes_a_path_is_a_door():
    found = set()
    for name in annotated_transformer.__all__:
        value = getattr(annotated_transformer, name)
        found |= {name} if takes_a_path(value) else set()
        if isinstance(value, type) and not issubclass(value, torch.nn.Module):
            found |= {
                f"{name}.{method}"
                for method, _ in inspect.getmembers(value, callable)
                if not method.startswith("_") and takes_a_path(getattr(value, method))
            }
    assert found == FRONT.keys()
    assert {*FRONT.values()} <= DOORS.keys()


def test_no_path_is_resolved_but_by_the_door_for_it():
    """`Path.resolve` raises a RuntimeError for a link to itself; `atomic.real` does not."""
    library = [path for path in PACKAGE.rglob("*.py") if "lab" not in path.parts]
    assert [path.name for path in library if ".resolve(" in path.read_text("utf-8")] == []


OPENS = {
    *("read_text", "read_bytes", "open", "memmap", "load_file", "safe_open", "load_tensors"),
    *("read_json", "read_toml", "regular_file", "TemporaryFile", "fromfile", "loadtxt"),
}
OPENERS = {
    # By the rules of reading.py; each has a door here.
    "lab.corpora.downloads._sha256": "download",
    "lab.corpora.downloads.fetch": "download",
    "lab.family.member.load": "member: config.json",
    "lab.records.record": "record of the book",
    "saving.load_model": "load_model: config.json",
    "saving.load_tensors": "load_model: model.safetensors",
    "shipped.load_coverage": "load_coverage",
    "saving.load_text": "load_text",
    "lab.measured.store_coverage": "load_coverage",
    "lab.measured.store_threshold": "load_threshold",
    "shipped.load_threshold": "load_threshold",
    "tokenizer.load": "load_model: tokenizer.model",
    "training.run.manifest.read_manifest": "read_manifest",
    "training.run.checking.check_copy": "translate: recipe of the run",
    "training.run.checking._check_tokenizer": "train: --from: tokenizer.model",
    "training.corpus_cache._mapped": "cache: ids.bin",
    "training.corpus_cache.left_out": "cache: left_out",
    "training.corpus_cache.open_cache": "cache: cache.json",
    "training.recipe.loading.load_recipe": "load_recipe",
    "training.run.directory.read_log": "log",
    "training.run.finish.chosen_length_penalty": "record of a run",
}
"""Each function of the package that opens a file to read it, and its door."""
WITHOUT = {
    "decoding.workers": "the files that a program writes for its own processes",
    "storage.reading": "what all others call",
    "corpora.files": "text in lines, with tests of its own: tests/corpora/test_files.py",
    "lab.corpora.english_korean.stored": "a copy that is made anew, whatever is wrong with it",
    "lab.corpora.english_korean.tables": "a part of the package",
    "export.formats": "the same",
    "decoding.threads": "what the system says of itself",
    "storage.machine": "the same",
    "storage.atomic": "it flushes and writes",
    "cli": "the system's null device",
    "lab.figures.charts": "a picture that was just drawn",
    "lab.corpora.wmt14": "it writes what others read by corpora.files",
    "training.run.checkpoints": "checked by sha256: tests/training/test_resume.py",
    "training.averaging": "the same",
    "training.data": "it asks whether a text can be opened; corpora.files reads it",
    "lab.evidence": "its own claims, and the pages beside its records: tests/lab/evidence",
    "lab.family.published": "tests/lab/family/test_published.py, with what the reference saved",
    "lab.family.published_tokenizer": "the same",
    "lab.family.sentences": "the same",
    "export.formats.export_model": "it copies what the package has",
    "text.policy.load": "an export reads its own copy of what load_text reads, without the package",
    "training.child": "it reads what its own child wrote",
    "lab.family.marian.tokenizer": "the same",
    "training.run.directory.append_log": "it writes",
    "training.corpus_cache._write": "it writes",
}
"""Modules, or functions, that need no door, and why."""


def opening_functions():
    """Return every function of the package in which a file is opened, by its dotted name."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        module = module.removesuffix(".__init__")
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Call):
                    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                    if name in OPENS:
                        found.add(f"{module}.{function.name}")
    return found


def test_every_function_that_opens_a_file_has_a_door_or_a_reason():
    functions = opening_functions()
    reasons = {
        name: why for name in functions for why in WITHOUT if f"{name}.".startswith(f"{why}.")
    }
    assert functions - reasons.keys() == OPENERS.keys() - {
        "cli.commands._length_penalty_of",
        "tokenizer.load",
    } | ({"tokenizer.load"} & functions)
    assert {*reasons.values()} == WITHOUT.keys()
    assert {*OPENERS.values()} <= DOORS.keys()


ELSEWHERE = {
    "tests/training/test_resume.py": (
        "test_death_at_any_moment_changes_nothing",
        "test_death_while_a_run_is_begun_changes_nothing",
        "test_a_run_in_progress_keeps_others_out_and_its_death_lets_them_in",
        "test_a_corrupt_last_checkpoint_falls_back_to_the_one_before_and_says_so",
    ),
    "tests/test_cli.py": ("test_full_disk_ends_the_run_and_keeps_the_last_checkpoint",),
}
"""Faults of a run under way, and the tests that bring them about."""


@pytest.mark.parametrize("file", ELSEWHERE)
def test_the_faults_of_a_run_under_way_are_tried_where_runs_are(file):
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert {*ELSEWHERE[file]} <= names
