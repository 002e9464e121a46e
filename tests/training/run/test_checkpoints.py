"""A checkpoint holds all that continues a run exactly, and a bad one is refused with its name."""

import errno
import hashlib
import json
import math
import shutil

import hypothesis
import pytest
import torch
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file

from annotated_transformer.config import TransformerConfig
from annotated_transformer.training.batching import collate
from annotated_transformer.training.encoded import Example
from annotated_transformer.training.recipe import TrainingRecipe
from annotated_transformer.training.run import checkpoints as module
from annotated_transformer.training.run import states
from annotated_transformer.training.run.checkpoints import (
    checkpoints,
    load_checkpoint,
    remove_old,
    save_checkpoint,
    set_corrupt_aside,
    step_of,
    verify,
)
from annotated_transformer.training.run.states import Progress, random_states
from annotated_transformer.training.step import make_optimizer, train_step
from annotated_transformer.transformer import Transformer

SETTINGS = TrainingRecipe(warmup_steps=3)
BATCH = collate([Example((5, 6, 7, 2), (1, 8, 9, 2)), Example((6, 2), (1, 9, 2))])

NAMES = ["model.safetensors", "optimizer.safetensors", "random.safetensors", "state.json"]


def make_model(**overrides):
    sizes = {"n_layers": 1, "d_model": 12, "d_ff": 20, "n_heads": 3, "max_length": 8}
    return Transformer(TransformerConfig(vocab_size=10, **{**sizes, **overrides}))


def steps(model, optimizer, first, last):
    return [
        train_step(model, [BATCH], optimizer, step, SETTINGS).loss
        for step in range(first, last + 1)
    ]


@pytest.fixture
def run(tmp_path):
    """A model after three updates, its optimizer, and the checkpoint of that moment."""
    model = make_model()
    optimizer = make_optimizer(model, SETTINGS)
    steps(model, optimizer, 1, 3)
    progress = Progress(step=3, epoch=1, batch=2, tokens=15, seconds=0.5, log="sum")
    path = save_checkpoint(tmp_path, model, optimizer, progress, "corpus")
    return model, optimizer, path


def test_training_goes_on_as_if_it_had_never_stopped(run):
    model, optimizer, path = run
    uninterrupted = steps(model, optimizer, 4, 8)
    torch.manual_seed(99)
    resumed = make_model()
    its_optimizer = make_optimizer(resumed, SETTINGS)
    progress = load_checkpoint(path, resumed, its_optimizer, "corpus")
    assert progress == Progress(step=3, epoch=1, batch=2, tokens=15, seconds=0.5, log="sum")
    assert steps(resumed, its_optimizer, 4, 8) == uninterrupted
    for ours, theirs in zip(resumed.parameters(), model.parameters(), strict=True):
        assert torch.equal(ours, theirs)


@pytest.mark.parametrize("missing", ["moments", "random states"])
def test_each_part_of_the_checkpoint_matters(run, monkeypatch, missing):
    model, optimizer, path = run
    uninterrupted = steps(model, optimizer, 4, 8)
    torch.manual_seed(99)
    resumed = make_model()
    its_optimizer = make_optimizer(resumed, SETTINGS)
    name = "restore_moments" if missing == "moments" else "restore_random_states"
    monkeypatch.setattr(states, name, lambda *arguments, **options: None)
    load_checkpoint(path, resumed, its_optimizer, "corpus")
    assert steps(resumed, its_optimizer, 4, 8) != uninterrupted


def test_it_is_tensors_and_json_only(run):
    *_, path = run
    assert {file.name for file in path.iterdir()} == {
        "model.safetensors",
        "optimizer.safetensors",
        "random.safetensors",
        "state.json",
        "SHA256SUMS",
    }
    assert json.loads((path / "state.json").read_text())["progress"]["step"] == 3


def test_checkpoints_are_listed_by_step_and_half_written_ones_are_not(tmp_path):
    for name in ("step_000010", "step_000009", "step_1000000", ".step_000011.x.partial", "step_x"):
        (tmp_path / name).mkdir()
    assert [path.name for path in checkpoints(tmp_path)] == [
        "step_000009",
        "step_000010",
        "step_1000000",
    ]
    assert checkpoints(tmp_path / "nothing here") == []


@pytest.mark.parametrize(
    ("saved", "kept"),
    [
        ((4, 8, 12, 16), [12, 16]),
        ((4, 8, 12, 14), [12, 14]),  # the last step, or one at which the run was stopped
        ((4, 8, 10, 11, 12), [8, 12]),  # stopped twice and continued: as if it never had been
        ((3,), [3]),
    ],
)
def test_only_the_last_ones_that_were_due_are_kept(tmp_path, saved, kept):
    (tmp_path / "best").mkdir()
    for step in saved:
        (tmp_path / f"step_{step:06d}").mkdir()
        remove_old(tmp_path, keep=2, every=4)
    assert [step_of(path) for path in checkpoints(tmp_path)] == kept
    assert sorted(path.name for path in tmp_path.iterdir())[0] == "best"
    assert len(list(tmp_path.iterdir())) == len(kept) + 1


def test_checksums_are_those_that_sha256sum_reads(run):
    *_, path = run
    lines = (path / "SHA256SUMS").read_text().splitlines()
    assert lines == [
        f"{hashlib.sha256((path / name).read_bytes()).hexdigest()}  {name}" for name in NAMES
    ]
    verify(path)


@given(place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7), name=st.integers(0, 4))
@hypothesis.settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_any_flipped_bit_is_noticed(run, place, bit, name):
    *_, path = run
    file = path / [*NAMES, "SHA256SUMS"][name]
    content = file.read_bytes()
    number = int(place * len(content))
    file.write_bytes(content[:number] + bytes([content[number] ^ 1 << bit]) + content[number + 1 :])
    with pytest.raises(ValueError, match=r"is corrupt: its checksum is not that in SHA256SUMS"):
        verify(path)
    file.write_bytes(content)
    verify(path)


def damaged(path, damage):
    """Damage a checkpoint in one of the ways that a disk or a person can."""
    file = path / "optimizer.safetensors"
    content = file.read_bytes()
    if damage == "cut":
        file.write_bytes(content[:-1])
    elif damage == "flipped":
        file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    else:
        file.unlink()


@pytest.mark.parametrize("damage", ["cut", "flipped", "removed"])
def test_corrupt_checkpoints_are_set_aside_up_to_the_last_that_is_intact(run, tmp_path, damage):
    model, optimizer, path = run
    paths = [path]
    for step in (4, 5):
        steps(model, optimizer, step, step)
        saved = save_checkpoint(tmp_path, model, optimizer, Progress(step=step), "corpus")
        damaged(saved, damage)
        paths.append(saved)
    faults = set_corrupt_aside(tmp_path)
    assert checkpoints(tmp_path) == [path]
    assert [fault.partition(" ")[0] for fault in faults] == [
        f"{corrupt / 'optimizer.safetensors'}" for corrupt in (paths[2], paths[1])
    ]
    assert all("continuing from step_000003, this one is now corrupt_step" in f for f in faults)
    assert (tmp_path / "corrupt_step_000005").is_dir()
    # The step can be saved anew, and be damaged again.
    damaged(save_checkpoint(tmp_path, model, optimizer, Progress(step=5), "corpus"), damage)
    assert len(set_corrupt_aside(tmp_path)) == 1
    assert set_corrupt_aside(tmp_path) == []


def test_without_an_intact_checkpoint_nothing_is_renamed(run, tmp_path):
    *_, path = run
    damaged(path, "cut")
    with pytest.raises(ValueError, match=r"no checkpoint is intact: .*optimizer\.safetensors"):
        set_corrupt_aside(tmp_path)
    assert checkpoints(tmp_path) == [path]
    assert set_corrupt_aside(tmp_path / "nothing here") == []


def test_world_size_and_rank_belong_to_the_checkpoint(run, tmp_path):
    model, optimizer, _ = run
    random = []
    for seed in (1, 2):
        torch.manual_seed(seed)
        random.append(random_states())
    path = save_checkpoint(tmp_path, model, optimizer, Progress(step=4), "corpus", random=random)
    for rank, seed in enumerate((1, 2)):
        load_checkpoint(path, model, optimizer, "corpus", rank=rank)
        drawn = torch.rand(3)
        torch.manual_seed(seed)
        assert torch.equal(drawn, torch.rand(3))
    torch.manual_seed(3)
    load_checkpoint(path, model, optimizer, "corpus", rank=2)  # new: it has no state to go back to
    drawn = torch.rand(3)
    torch.manual_seed(3)
    assert torch.equal(drawn, torch.rand(3))


@pytest.mark.parametrize("n_files", [0, 1, 2])
@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()]
)
def test_full_disk_or_interrupt_in_the_middle_keeps_the_previous_one(
    run, tmp_path, monkeypatch, error, n_files
):
    model, optimizer, path = run
    before = {file.name: file.read_bytes() for file in path.iterdir()}
    written = []

    def fails_after_some(target, tensors):
        if len(written) == n_files:
            target.write_bytes(b"half a fi")
            raise error
        written.append(target)
        save(target, tensors)

    save = module.save_tensors
    monkeypatch.setattr(module, "save_tensors", fails_after_some)
    with pytest.raises(type(error)):
        save_checkpoint(tmp_path, model, optimizer, Progress(step=4), "corpus")
    assert list(tmp_path.iterdir()) == [path]
    assert {file.name: file.read_bytes() for file in path.iterdir()} == before


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("damage", ["cut", "emptied", "removed"])
def test_damaged_file_is_named(run, name, damage):
    model, optimizer, path = run
    content = (path / name).read_bytes()
    if damage == "removed":
        (path / name).unlink()
    else:
        (path / name).write_bytes(content[: len(content) // 2] if damage == "cut" else b"")
    error = FileNotFoundError if damage == "removed" else ValueError
    with pytest.raises(error, match=name):
        load_checkpoint(path, model, optimizer, "corpus")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda state: state.update(format=7), "format 7 is not 5"),
        (lambda state: state.pop("progress"), "is corrupt: it has no table 'progress'"),
        (lambda state: state["progress"].update(stepp=3), "stepp"),
        (lambda state: state["progress"].pop("batch"), "state.json is corrupt: .*'batch'"),
        (lambda state: state["progress"].update(step="x"), "state.json.*step = 'x'.*whole number"),
        (lambda state: state["progress"].update(epoch=1.5), "state.json.*epoch = 1.5"),
        (lambda state: state["progress"].update(tokens=True), "state.json.*tokens = True"),
        (lambda state: state["progress"].update(batch=-1), "state.json.*batch.*at least 0: -1"),
        (lambda state: state["progress"].update(seconds=math.nan), "state.json.*seconds.*nan"),
        (lambda state: state["progress"].update(log=None), "state.json.*log = None"),
        (lambda state: state.update(progress=[1]), "state.json is corrupt"),
    ],
)
def test_wrong_state_is_named(run, change, message):
    model, optimizer, path = run
    state = json.loads((path / "state.json").read_text())
    change(state)
    (path / "state.json").write_text(json.dumps(state))
    with pytest.raises(ValueError, match=message):
        load_checkpoint(path, model, optimizer, "corpus")


@pytest.mark.parametrize("kind", ["frozen", "unused"])
def test_a_parameter_without_gradient_is_a_checkpoint_like_any_other(tmp_path, kind):
    def model_of_this_kind():
        model = make_model()
        if kind == "unused":
            model.more = torch.nn.Parameter(torch.ones(2))
        for parameter in model.encoder.parameters():
            parameter.requires_grad = kind == "unused"
        return model, make_optimizer(model, SETTINGS)

    torch.manual_seed(1)
    model, optimizer = model_of_this_kind()
    steps(model, optimizer, 1, 2)
    path = save_checkpoint(tmp_path, model, optimizer, Progress(step=2), "corpus")
    idle = json.loads((path / "state.json").read_text())["without_moments"]
    inside = [f"encoder.{name}" for name, _ in model.encoder.named_parameters()]
    assert idle == (["more"] if kind == "unused" else inside)
    ends = []
    for resumed in (False, True):
        if resumed:
            model, optimizer = model_of_this_kind()
            load_checkpoint(path, model, optimizer, "corpus")
        for parameter in model.parameters():
            parameter.requires_grad = True  # what is thawed begins with fresh moments
        ends.append((steps(model, optimizer, 3, 4), list(model.parameters())))
    assert ends[0][0] == ends[1][0]
    for one, other in zip(ends[0][1], ends[1][1], strict=True):
        assert torch.equal(one, other)


def change_tensors(path, change):
    tensors = load_file(path)
    change(tensors)
    save_file(tensors, path)


@pytest.mark.parametrize(
    "change",
    [
        lambda moments: moments.clear(),
        lambda moments: [moments.pop(name) for name in list(moments) if name.endswith("exp_avg")],
        lambda moments: [moments.pop(name) for name in list(moments) if "exp_avg_sq" in name],
        lambda moments: [moments.pop(name) for name in list(moments) if name.endswith("/step")],
        lambda moments: moments.update({"output.weight/max_exp_avg_sq": torch.zeros(10, 12)}),
        lambda moments: moments.update({next(iter(moments)): torch.zeros(3)}),
        lambda moments: moments.update(
            {name: torch.tensor(0.0) for name in moments if name.endswith("exp_avg")}
        ),
    ],
)
def test_incomplete_moments_are_refused(run, change):
    model, optimizer, path = run
    change_tensors(path / "optimizer.safetensors", change)
    with pytest.raises(ValueError, match=r"optimizer\.safetensors does not fit the model"):
        load_checkpoint(path, model, optimizer, "corpus")


@pytest.mark.parametrize(
    "change",
    [
        lambda states: states.clear(),
        lambda states: states.update({"0/cpu": states["0/cpu"][:9]}),
        lambda states: states.update({"0/cpu": states["0/cpu"].float()}),
    ],
)
def test_wrong_random_states_are_refused(run, change):
    model, optimizer, path = run
    change_tensors(path / "random.safetensors", change)
    with pytest.raises(ValueError, match=r"random\.safetensors holds no state .*\bcpu\b"):
        load_checkpoint(path, model, optimizer, "corpus")


def test_checkpoint_of_another_corpus_is_refused(run):
    model, optimizer, path = run
    with pytest.raises(ValueError, match="training data or its tokenizer has changed"):
        load_checkpoint(path, model, optimizer, "another corpus")


def test_checkpoint_of_another_model_is_refused(run):
    *_, path = run
    other = make_model(d_ff=24)
    with pytest.raises(ValueError, match=r"feed_forward.*shape"):
        load_checkpoint(path, other, make_optimizer(other, SETTINGS), "corpus")


def test_moments_of_another_model_are_refused(run, tmp_path):
    model, optimizer, path = run
    other = make_model(d_ff=24)
    other_optimizer = make_optimizer(other, SETTINGS)
    steps(other, other_optimizer, 1, 1)
    foreign = save_checkpoint(tmp_path, other, other_optimizer, Progress(step=1), "corpus")
    shutil.copy(foreign / "optimizer.safetensors", path / "optimizer.safetensors")
    with pytest.raises(ValueError, match=r"optimizer\.safetensors does not fit"):
        load_checkpoint(path, model, optimizer, "corpus")
