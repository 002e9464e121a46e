"""What all members share: descriptions, files, the table of names, training."""

import json

import pytest
import torch

from annotated_transformer.lab.family import BERT, BERTConfig, fit
from annotated_transformer.lab.family.reference import Made, Reference

SIZES = {"vocab_size": 20, "n_layers": 1, "d_model": 8, "d_ff": 12, "n_heads": 2, "max_length": 10}


@pytest.fixture
def bert():
    return BERT(BERTConfig(**SIZES, dropout=0.0)).eval()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"member": "GPT"}, "is of 'GPT', not of 'BERT'"),
        ({"config": {"vocab_size": 20, "layers": 2}}, "describes no BERT.*layers"),
        ({"config": {"n_heads": 0}}, "describes no BERT.*n_heads=0"),
    ],
)
def test_another_description_is_refused(bert, tmp_path, change, message):
    bert.save(tmp_path / "model")
    path = tmp_path / "model" / "config.json"
    content = json.loads(path.read_text())
    if "config" in change:
        change = {"config": content["config"] | change["config"]}
    path.write_text(json.dumps(content | change))
    with pytest.raises(ValueError, match=message):
        BERT.load(tmp_path / "model")


def test_a_directory_of_something_else_is_not_replaced(bert, tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(FileExistsError, match=r"thesis\.txt"):
        bert.save(tmp_path)


def test_a_missing_directory_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nothing.config\.json is missing"):
        BERT.load(tmp_path / "nothing")


class Small(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.left = torch.nn.Linear(2, 3)
        self.norms = torch.nn.ModuleList(torch.nn.LayerNorm(2) for _ in range(2))


TABLE = Reference(
    {
        "left.weight": Made("both.weight", lambda x: x[:, :3].T),
        "left.bias": "both.bias",
        "norms.{n}.{p}": "layer.{n}.norm.{p}",
    },
    {"d_model": "hidden"},
    expected={"act": "relu"},
    unused=(r"position_ids$",),
    aliases=(("^old_", ""),),
)


def theirs(**changes):
    tensors = {
        "both.weight": torch.arange(8.0).view(2, 4),
        "old_both.bias": torch.tensor([1.0, 2.0, 3.0]),
        "x.position_ids": torch.arange(4),
    }
    for n in range(2):
        tensors[f"layer.{n}.norm.weight"] = torch.full((2,), 5.0 + n)
        tensors[f"layer.{n}.norm.bias"] = torch.full((2,), 7.0 + n)
    tensors |= changes
    return {name: tensor for name, tensor in tensors.items() if tensor is not None}


def test_a_table_of_names_copies_and_makes_tensors():
    model = Small()
    TABLE.copy(model, theirs(), "file")
    assert model.left.weight.tolist() == [[0, 4], [1, 5], [2, 6]]
    assert model.left.bias.tolist() == [1, 2, 3]
    assert model.norms[1].weight.tolist() == [6, 6]
    assert model.norms[1].bias.tolist() == [8, 8]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"layer.1.norm.bias": None},
            r"file: layer\.1\.norm\.bias, our norms\.1\.bias, is missing",
        ),
        ({"pooler": torch.zeros(1)}, "file: pooler is left over"),
        ({"a": torch.zeros(1), "b": torch.zeros(1)}, "file: a and 1 more is left over"),
        (
            {"both.weight": torch.zeros(3, 4)},
            r"both\.weight gives shape \(3, 3\).*has \(3, 2\)",
        ),
    ],
)
def test_a_tensor_that_does_not_fit_is_named(changes, message):
    with pytest.raises(ValueError, match=message):
        TABLE.copy(Small(), theirs(**changes), "file")


def test_a_tensor_without_an_entry_is_a_mistake_of_the_table():
    with pytest.raises(ValueError, match=r"no entry for our right\.weight"):
        TABLE.source("right.weight")


def test_a_dot_of_a_name_is_a_dot():
    with pytest.raises(ValueError, match="no entry for our leftxweight"):
        TABLE.source("leftxweight")


def test_settings_that_are_not_built_or_missing_are_named():
    assert TABLE.fields({"hidden": 4, "act": "relu"}, "here") == {"d_model": 4}
    assert TABLE.fields({"hidden": 4}, "here") == {"d_model": 4}
    with pytest.raises(ValueError, match="here: act='tanh' is not built here; expected 'relu'"):
        TABLE.fields({"hidden": 4, "act": "tanh"}, "here")
    with pytest.raises(ValueError, match="here: the key 'hidden' is missing"):
        TABLE.fields({"act": "relu"}, "here")


def test_settings_that_must_be_alike_are_compared_if_both_are_there():
    table = TABLE._replace(alike=(("hidden", "other"),))
    for settings in ({"hidden": 4}, {"hidden": 4, "other": 4}, {"hidden": 4, "other": None}):
        assert table.fields(settings, "here") == {"d_model": 4}
    with pytest.raises(ValueError, match="here: hidden=4 and other=5; only equal ones are built"):
        table.fields({"hidden": 4, "other": 5}, "here")


def batches(n):
    generator = torch.Generator().manual_seed(3)
    for _ in range(n):
        original = torch.randint(2, 20, (8, 6), generator=generator)
        original[:, 1::2] = original[:, ::2]  # each token twice: a gap can be filled
        chosen = torch.zeros_like(original, dtype=torch.bool)
        chosen[:, 2] = True
        yield original.masked_fill(chosen, 1), original, chosen


def test_training_lowers_the_loss_and_says_each_one():
    model = BERT(BERTConfig(**SIZES | {"d_model": 32, "d_ff": 64}, dropout=0.0))
    seen = []
    losses = fit(
        model,
        batches(150),
        rate=3e-3,
        warmup=10,
        on_step=lambda step, loss: seen.append((step, loss)),
    )
    assert seen == list(enumerate(losses, start=1))
    assert sum(losses[-10:]) < 0.5 * sum(losses[:10])
    assert not model.training


@pytest.fixture
def rates(monkeypatch):
    """The rate of each update that Adam makes."""
    seen, step = [], torch.optim.Adam.step
    monkeypatch.setattr(
        torch.optim.Adam,
        "step",
        lambda self: (seen.append(self.param_groups[0]["lr"]), step(self))[1],
    )
    return seen


def test_the_rate_rises_while_it_warms_up(bert, rates):
    fit(bert, batches(4), rate=0.01, warmup=2)
    assert rates == [0.005, 0.01, 0.01, 0.01]


def test_the_rate_falls_to_the_end_if_there_is_one(bert, rates):
    fit(bert, batches(5), rate=0.8, warmup=2, until=5)
    assert rates == pytest.approx([0.4, 0.8, 0.6, 0.4, 0.2])


def test_a_loss_that_is_not_finite_stops_training(bert):
    with torch.no_grad():
        bert.head.bias.fill_(float("nan"))
    with pytest.raises(FloatingPointError, match="update 1: the loss is nan"):
        fit(bert, batches(3), rate=0.01)


def test_no_batch_is_refused(bert):
    with pytest.raises(ValueError, match="no batch to learn from"):
        fit(bert, [], rate=0.01)
