"""A saved model comes back the same, appears whole or not at all, and nothing wrong is loaded."""

import contextlib
import copy
import errno
import json
import re
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from options import CHOICES
from safetensors.torch import load_file, save_file
from torch.nn.utils import prune
from typechecking import unchecked

import annotated_transformer
from annotated_transformer import saving as storage
from annotated_transformer.config import TransformerConfig
from annotated_transformer.saving import (
    MODEL_FILES,
    load_model,
    load_text,
    save_model,
)
from annotated_transformer.storage import atomic
from annotated_transformer.storage.atomic import PARTIAL, new_directory, write_text
from annotated_transformer.text import TrainingText
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.transformer import Transformer

LINES = ["a cat sat on a mat", "고양이가 매트에 앉았다"]


@pytest.fixture(scope="module")
def tokenizer():
    return Tokenizer.train(LINES, vocab_size=290)


def make_model(tokenizer, **overrides):
    sizes = {"n_layers": 2, "d_model": 12, "d_ff": 20, "n_heads": 3, "max_length": 17}
    config = TransformerConfig(vocab_size=tokenizer.vocab_size, **{**sizes, **overrides})
    return Transformer(config)


@pytest.fixture
def saved(tmp_path, tokenizer):
    save_model(tmp_path / "model", make_model(tokenizer), tokenizer)
    return tmp_path / "model"


def files(directory: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("overrides", [{}, {"share_embeddings": False}, *CHOICES.values()])
def test_loaded_model_is_the_saved_one(tmp_path, tokenizer, overrides):
    model = make_model(tokenizer, **overrides).eval()
    save_model(tmp_path / "model", copy.deepcopy(model), tokenizer)  # a copy is no other model
    loaded, its_tokenizer = load_model(tmp_path / "model")
    assert loaded.config == model.config
    assert not loaded.training
    assert its_tokenizer.fingerprint == tokenizer.fingerprint
    source = torch.tensor([tokenizer.source_ids("a cat")])
    target = torch.tensor([tokenizer.target_ids("매트")])
    assert torch.equal(loaded(source, target), model(source, target))


def test_shared_weights_are_stored_once_and_shared_again(tmp_path, tokenizer):
    save_model(tmp_path / "model", make_model(tokenizer), tokenizer)
    stored = load_file(tmp_path / "model" / "model.safetensors")
    size = (tokenizer.vocab_size, 12)
    assert sum(tensor.shape == size for tensor in stored.values()) == 1
    loaded, _ = load_model(tmp_path / "model")
    assert loaded.output.weight is loaded.source_embedding.weight


def test_what_the_training_text_had_comes_with_the_model(tmp_path, tokenizer):
    text = TrainingText.of(["the man don't, see", "고양이 (2)"], longest_tokens=7)
    save_model(tmp_path / "model", make_model(tokenizer), tokenizer, text=text)
    assert load_text(tmp_path / "model") == text
    save_model(tmp_path / "model", make_model(tokenizer), tokenizer)
    assert "text.json" not in {path.name for path in (tmp_path / "model").iterdir()}
    assert load_text(tmp_path / "model") is None


def test_a_model_of_before_has_its_words_alone(tmp_path, tokenizer):
    save_model(tmp_path / "model", make_model(tokenizer), tokenizer)
    (tmp_path / "model" / "words.txt").write_text("don't\nthe\n고양이\n", "utf-8")
    assert load_text(tmp_path / "model") == TrainingText(
        words=frozenset({"the", "don't", "고양이"})
    )
    save_model(tmp_path / "model", make_model(tokenizer), tokenizer)
    assert load_text(tmp_path / "model") is None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("words.txt", b"\xff\xfe"),
        ("text.json", b"\xff\xfe"),
        ("text.json", b"{"),
        ("text.json", b"[]"),
        ("text.json", b'{"words": 3}'),
        ("text.json", b'{"other": 3}'),
    ],
)
def test_a_damaged_description_of_the_text_is_refused(tmp_path, tokenizer, name, content):
    save_model(tmp_path / "model", make_model(tokenizer), tokenizer)
    (tmp_path / "model" / name).write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(f"{name} is corrupt")):
        load_text(tmp_path / "model")


def test_the_directory_of_a_run_will_do(tmp_path, tokenizer):
    save_model(tmp_path / "run" / "model", make_model(tokenizer), tokenizer)
    loaded, _ = load_model(tmp_path / "run")
    assert loaded.config.d_model == 12


def test_saving_again_replaces_the_model_and_leaves_nothing_else(saved, tokenizer):
    save_model(saved, make_model(tokenizer, d_ff=24), tokenizer)
    assert load_model(saved)[0].config.d_ff == 24
    assert [path.name for path in saved.parent.iterdir()] == ["model"]


@pytest.mark.parametrize(
    "names", [["precious.txt"], [*MODEL_FILES, "precious.txt"], ["config.json"]]
)
def test_saving_over_anything_but_a_model_is_refused(tmp_path, tokenizer, names):
    place = tmp_path / "thesis"
    place.mkdir()
    for name in names:
        (place / name).write_text("precious")
    before = files(tmp_path)
    with pytest.raises(FileExistsError, match="thesis holds something else than a saved model"):
        save_model(place, make_model(tokenizer), tokenizer)
    with pytest.raises(FileExistsError, match=r"config\.json|precious\.txt"):
        save_model(place / names[-1], make_model(tokenizer), tokenizer)
    assert files(tmp_path) == before
    assert list(tmp_path.iterdir()) == [place]


def test_what_appears_while_saving_is_not_replaced(tmp_path):
    def write_while_another_does():
        with new_directory(tmp_path / "thing") as partial:
            (partial / "ours").touch()
            (tmp_path / "thing").mkdir()
            (tmp_path / "thing" / "theirs").touch()

    with pytest.raises(FileExistsError, match="something already, such as theirs"):
        write_while_another_does()
    assert list(files(tmp_path)) == ["thing/theirs"]


def test_saving_into_an_empty_directory_or_through_a_link(tmp_path, tokenizer):
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "empty")
    for d_ff in (20, 24):
        save_model(tmp_path / "link", make_model(tokenizer, d_ff=d_ff), tokenizer)
        assert load_model(tmp_path / "empty")[0].config.d_ff == d_ff
    assert (tmp_path / "link").is_symlink()
    assert {path.name for path in tmp_path.iterdir()} == {"empty", "link"}


def test_a_tokenizer_of_another_size_is_not_saved_with_a_model(tmp_path, tokenizer):
    config = TransformerConfig.tiny(vocab_size=tokenizer.vocab_size - 1)
    with pytest.raises(ValueError, match="has 290 tokens, the model 289"):
        save_model(tmp_path / "model", Transformer(config), tokenizer)
    assert not list(tmp_path.iterdir())


def test_missing_directory_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no model directory .*nowhere"):
        load_model(tmp_path / "nowhere")


def test_directory_without_a_model_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"holds no model: config\.json is missing"):
        load_model(tmp_path)


def test_unfinished_run_says_how_to_finish_it(tmp_path):
    (tmp_path / "recipe.toml").touch()
    with pytest.raises(FileNotFoundError, match=r"unfinished training run.*--resume"):
        load_model(tmp_path)


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.model"])
def test_missing_file_is_named(saved, name):
    (saved / name).unlink()
    with pytest.raises(FileNotFoundError, match=name):
        load_model(saved)


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.model"])
@pytest.mark.parametrize("damage", ["cut", "emptied", "overwritten"])
def test_corrupt_file_is_named(saved, name, damage):
    content = (saved / name).read_bytes()
    half = len(content) // 2
    damaged = {"cut": content[:half], "emptied": b"", "overwritten": b"\x80\x02}q\x00." * 50}
    (saved / name).write_bytes(damaged[damage])
    with pytest.raises(ValueError, match=name):
        load_model(saved)


def change_config(saved, change):
    path = saved / "config.json"
    description = json.loads(path.read_text())
    change(description)
    path.write_text(json.dumps(description))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(format=99), "format is 99, this program reads 2"),
        (lambda d: d.pop("model"), "config.json is corrupt: it has no key 'model'"),
        (lambda d: d["model"].update(d_modle=3), "'d_modle'.*did you mean 'd_model'"),
        (lambda d: d["model"].update(n_heads=5, d_k=None), "not divisible"),
        (lambda d: d["model"].update(d_ff=21), r"feed_forward.*shape"),
        (lambda d: d["model"].update(n_layers=3), "tensors differ, such as .*layers.2"),
        (lambda d: d.update(tokenizer="0" * 64), "does not belong to this model"),
    ],
)
def test_parts_that_do_not_fit_are_named(saved, change, message):
    change_config(saved, change)
    with unchecked(), pytest.raises(ValueError, match=message):
        load_model(saved)


def test_another_tokenizer_does_not_belong(saved):
    other = Tokenizer.train([line + " 그리고 and" for line in LINES], vocab_size=290)
    (saved / "tokenizer.model").write_bytes(other.to_bytes())
    with pytest.raises(ValueError, match=r"tokenizer\.model does not belong to this model"):
        load_model(saved)


def fail_with(error):
    def fail(*arguments, **options):
        raise error

    return fail


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()]
)
@pytest.mark.parametrize(
    ("place", "name"),
    [(storage, "save_tensors"), (atomic.os, "fsync"), (Path, "write_text"), (Path, "rename")],
)
def test_failure_while_saving_leaves_the_old_model_whole(
    saved, tokenizer, monkeypatch, error, place, name
):
    before = files(saved.parent)
    with monkeypatch.context() as patch:
        patch.setattr(place, name, fail_with(error))
        with pytest.raises(type(error)):
            save_model(saved, make_model(tokenizer, d_ff=24), tokenizer)
    assert files(saved.parent) == before
    assert [path.name for path in saved.parent.iterdir()] == ["model"]


def test_failure_of_the_second_rename_puts_the_old_model_back(saved, tokenizer, monkeypatch):
    before, calls = files(saved), []
    rename = Path.rename

    def second_fails(path, target):
        calls.append(target)
        if len(calls) == 2:
            raise OSError(errno.EIO, "Input/output error")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", second_fails)
    with pytest.raises(OSError, match="Input/output error"):
        save_model(saved, make_model(tokenizer, d_ff=24), tokenizer)
    assert files(saved) == before


KILLED_IN = """
import os, signal, sys
from pathlib import Path
from annotated_transformer import saving as storage
rename, deadly = Path.rename, int(sys.argv[2])
calls = []
def killed(path, target):
    calls.append(target)
    if len(calls) == deadly:
        os.kill(os.getpid(), signal.SIGKILL)
    return rename(path, target)
Path.rename = killed
model, tokenizer = storage.load_model(sys.argv[1])
storage.save_model(sys.argv[1], model, tokenizer)
"""


@pytest.mark.parametrize("deadly", [1, 2, 3])
def test_a_kill_while_the_names_change_loses_no_model(tmp_path, tokenizer, deadly):
    place = tmp_path / "run" / "model"
    save_model(place, make_model(tokenizer), tokenizer)
    before = files(place)
    program = [sys.executable, "-c", KILLED_IN, str(place), str(deadly)]
    assert subprocess.run(program, check=False).returncode == -signal.SIGKILL
    for partial in place.parent.glob(f".*{PARTIAL}"):  # what is known as deletable is deleted
        shutil.rmtree(partial)
    assert load_model(place)[0].config == load_model(place.parent)[0].config
    kept = place if place.exists() else place.parent / ".model.old"
    assert files(kept) == before
    save_model(place, make_model(tokenizer, d_ff=24), tokenizer)
    assert load_model(place)[0].config.d_ff == 24
    assert [path.name for path in place.parent.iterdir()] == ["model"]


def test_the_copy_set_aside_survives_a_failed_save(saved, tokenizer, monkeypatch):
    before = files(saved)
    saved.rename(saved.with_name(".model.old"))  # as a kill between the two renames leaves it
    monkeypatch.setattr(storage, "save_tensors", fail_with(OSError(errno.ENOSPC, "full")))
    with pytest.raises(OSError, match="full"):
        save_model(saved, make_model(tokenizer), tokenizer)
    assert files(saved) == before


@contextlib.contextmanager
def small_files():
    """Let the operating system refuse files of more than 4 kB: the closest to a full disk.

    Not a fixture, which would hold while pytest reports: its own log may be a file.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_what_the_system_refuses_to_write_is_an_os_error(saved, tokenizer):
    before = files(saved.parent)
    with small_files(), pytest.raises(OSError, match=r"model\.safetensors could not be written"):
        save_model(saved, make_model(tokenizer), tokenizer)
    assert files(saved.parent) == before


def test_small_file_is_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "deep" / "note.txt"
    write_text(path, "old")
    assert path.read_text() == "old"
    monkeypatch.setattr(atomic.os, "fsync", fail_with(OSError(errno.ENOSPC, "full")))
    with pytest.raises(OSError, match="full"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert [file.name for file in path.parent.iterdir()] == ["note.txt"]


def test_everything_is_flushed_before_it_gets_its_name(tmp_path, monkeypatch):
    events = []
    fsync, rename = atomic.os.fsync, Path.rename

    def seen_fsync(handle):
        events.append(Path(f"/proc/self/fd/{handle}").readlink().name)
        fsync(handle)

    def seen_rename(path, target):
        events.append("rename")
        return rename(path, target)

    monkeypatch.setattr(atomic.os, "fsync", seen_fsync)
    monkeypatch.setattr(Path, "rename", seen_rename)
    with new_directory(tmp_path / "thing") as partial:
        (partial / "a").write_text("1")
        (partial / "b").mkdir()
        (partial / "b" / "c").write_text("2")
    assert set(events[:3]) == {"a", "b", "c"}
    assert events[3] == partial.name
    assert events[4:] == ["rename", tmp_path.name]


def test_foreign_tensor_file_is_refused(saved):
    save_file({"weight": torch.zeros(3)}, saved / "model.safetensors")
    with pytest.raises(ValueError, match=r"model\.safetensors does not fit the model"):
        load_model(saved)


DESCRIBED = """
import sys
from annotated_transformer.config import OPTIONS, TransformerConfig
from annotated_transformer.transformer import Transformer, count_parameters
for name, values in OPTIONS.items():
    for value in values:
        config = TransformerConfig.tiny(vocab_size=20, **{name: value})
        count = count_parameters(config)
        if "torch._dynamo" in sys.modules:
            sys.exit(f"{name}: {value}")
        assert count == Transformer(config).count_parameters()
"""


def test_a_model_that_is_only_described_needs_no_compiler():
    """PyTorch would import it to draw, or to compute, on the device "meta": ten seconds."""
    subprocess.run([sys.executable, "-c", DESCRIBED], check=True)


def test_nothing_in_the_package_can_load_a_pickle():
    sources = list(Path(annotated_transformer.__file__).parent.rglob("*.py"))
    assert len(sources) > 20
    for path in sources:
        text = path.read_text("utf-8")
        for word in (
            "torch.load",
            "torch.save",
            "import pickle",
            "from pickle",
            "joblib",
            "allow_pickle",
        ):
            assert word not in text, f"{path.name}: {word}"


class OtherForward(Transformer):
    def encode(self, source):
        return -super().encode(source)


def with_nan(model):
    with torch.no_grad():
        model.output.weight[3, 2] = float("nan")


def untied(model):
    model.output.weight = torch.nn.Parameter(model.output.weight.detach().clone())


def parametrised(model):
    torch.nn.utils.parametrizations.weight_norm(model.encoder.layers[0].feed_forward.inner)


def pruned(model):
    prune.l1_unstructured(model.encoder.layers[0].feed_forward.inner, "weight", 0.5)


NOT_SAVED = {
    "NaN": (with_nan, r"weight has numbers that are infinite or none \(NaN\)"),
    "a tie that was cut": (untied, r"output\.weight is missing, left over"),
    "a parametrised weight": (parametrised, r"feed_forward\.inner\..* is missing, left over"),
    "a pruned weight": (pruned, r"feed_forward\.inner\.weight.* is missing, left over"),
    "no numbers": (lambda model: model.to("meta"), 'on the device "meta", which has no numbers'),
    "another class": (
        lambda model: setattr(model, "__class__", OtherForward),
        "a OtherForward is not saved: its method encode would be lost",
    ),
}


@pytest.mark.parametrize("name", NOT_SAVED)
def test_a_model_that_could_not_be_loaded_is_not_saved_over_a_good_one(name, saved, tokenizer):
    change, message = NOT_SAVED[name]
    before = {path.name: path.read_bytes() for path in saved.iterdir()}
    model = make_model(tokenizer)
    change(model)
    with pytest.raises(ValueError, match=message):
        save_model(saved, model, tokenizer)
    assert {path.name: path.read_bytes() for path in saved.iterdir()} == before


def test_a_model_of_a_run_that_computes_otherwise_is_not_loaded_as_a_transformer(
    tmp_path, tokenizer
):
    model = OtherForward(make_model(tokenizer).config)
    save_model(tmp_path / "model", model, tokenizer, of_run=True)
    with pytest.raises(ValueError, match=r"config\.json: a 'OtherForward' was saved here, which"):
        load_model(tmp_path / "model")


def test_to_save_a_model_draws_no_random_numbers(tmp_path, tokenizer):
    model = make_model(tokenizer)
    before = torch.get_rng_state()
    save_model(tmp_path / "model", model, tokenizer)
    assert torch.equal(torch.get_rng_state(), before)
