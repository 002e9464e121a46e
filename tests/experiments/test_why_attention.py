"""The comparison behind *Why attention*: equal budgets, when a run ends, and the book's record."""

import json
import sys

import pytest
import torch

from annotated_transformer import Translator, load_recipe
from experiments import why_attention


def recipe(*changes):
    return load_recipe("english_korean_small", ["training.clip_norm=1.0", *changes])


def test_no_contestant_has_more_parameters_than_the_transformer_nor_half_a_percent_fewer():
    models = why_attention.contestants(recipe(), 2_000)
    sizes = {name: sum(p.numel() for p in model.parameters()) for name, model in models.items()}
    budget = sizes["Transformer"]
    assert len(sizes) == 3
    assert all(0.995 * budget < size <= budget for size in sizes.values())


@pytest.mark.parametrize(
    ("losses", "stopped"),
    [
        ([1.0, 1.0, 1.0], False),  # nothing before the last three
        ([1.0, 1.0, 1.0, 1.0], True),
        ([1.0, 1.1, 1.2, 0.97], False),  # a gain of 3 %
        ([1.0, 1.1, 1.2, 0.99], True),  # a gain of 1 %
        ([1.0, 0.97, 1.3, 1.3, 1.3], True),
        ([1.0, 0.97, 0.8, 1.3, 1.3], False),
        ([2.0 * 0.99**n for n in range(9)], False),  # slowly, but by 3 % in three validations
    ],
)
def test_a_model_has_stopped_when_three_validations_brought_no_gain(losses, stopped):
    assert why_attention.has_stopped(losses) is stopped


def test_speed_is_a_ratio_of_medians():
    found = why_attention.speed({"Transformer": [1.0, 2.0, 9.0], "LSTM": [1.0, 1.0, 70.0]})
    assert [entry["steps_per_transformer_step"] for entry in found] == [1.0, 2.0]


@pytest.fixture(scope="module")
def small():
    tokenizer = Translator.load("english_korean").tokenizer
    changes = ["model.d_model=16", "model.d_ff=16", "training.validate_every=2"]
    chosen = recipe(*changes, "model.n_layers=1")
    return chosen, tokenizer, why_attention.data_of(chosen, tokenizer, 60, 20)


def training_of(small):
    chosen, tokenizer, data = small
    models = why_attention.contestants(chosen, tokenizer.vocab_size)
    return why_attention.Training(models, data, chosen)


def test_all_contestants_take_the_same_batches(small, monkeypatch):
    seen = []

    def step(model, batches, *_):
        seen.append((type(model).__name__, batches[0].source.sum().item()))

    monkeypatch.setattr(why_attention, "train_step", step)
    training = training_of(small)
    training.run(3)
    kinds = ["Transformer", "Recurrent", "Recurrent"]
    assert [kind for kind, _ in seen] == kinds * 3
    batches = [batch for _, batch in seen]
    assert all(len(set(batches[start : start + 3])) == 1 for start in (0, 3, 6))
    assert [(e["model"], e["step"]) for e in training.curve] == [
        (name, step) for step in (2, 3) for name in training.models
    ]
    assert all(len(times) == 3 for times in training.seconds.values())


def test_who_has_stopped_makes_no_more_updates_and_the_others_go_on(small, monkeypatch):
    training = training_of(small)
    names = list(training.models)
    order = {id(model): name for name, model in training.models.items()}
    made = dict.fromkeys(names, 0)

    def step(model, *_):
        made[order[id(model)]] += 1

    def validate(model, *_):
        name = order[id(model)]
        gain = 0.5 if name == "Transformer" else 1.0
        return {"valid_loss": 2.0 * gain ** made[name], "valid_accuracy": 0.0}

    monkeypatch.setattr(why_attention, "train_step", step)
    monkeypatch.setattr(why_attention, "validate", validate)
    training.run(16)
    # One validation, and three without a gain, one after every second update.
    assert made == {"Transformer": 16, "LSTM": 8, "LSTM with attention": 8} == training.updates
    assert all(len(times) == 8 for times in training.seconds.values())


def test_the_weights_that_are_tested_are_those_of_the_lowest_loss(small, monkeypatch):
    training = training_of(small)
    model = training.models["LSTM"]
    made = []

    def step(stepped, *_):
        if stepped is model:
            made.append(1)
            with torch.no_grad():
                model.first_state.bias.fill_(float(len(made)))

    def validate(*_):
        return {"valid_loss": abs(len(made) - 4.0) + 1, "valid_accuracy": 0.0}

    monkeypatch.setattr(why_attention, "train_step", step)
    monkeypatch.setattr(why_attention, "validate", validate)
    training.run(8)
    assert model.first_state.bias.eq(4.0).all()


def test_the_command_writes_a_record_with_every_seed(small, monkeypatch, tmp_path, capsys):
    chosen, tokenizer, _ = small
    monkeypatch.setattr(why_attention, "load_recipe", lambda *_: chosen)
    prepared = type("Data", (), {"tokenizer": tokenizer})
    monkeypatch.setattr(why_attention, "prepare_data", lambda *_: prepared)
    out = tmp_path / "x.json"
    words = ["--seeds", "4", "5", "--steps", "2", "--texts", "20", "--tests", "8"]
    monkeypatch.setattr(sys, "argv", ["x", *words, "--out", str(out)])
    threads = torch.get_num_threads()
    why_attention.STUDY.main()
    torch.set_num_threads(threads)
    found = json.loads(out.read_text("utf-8"))
    assert found["command"].endswith(
        f"why_attention --seeds 4 5 --steps 2 --texts 20 --tests 8 --out {out}"
    )
    assert found["seed"] == [4, 5]
    assert [(e["seed"], e["step"]) for e in found["curve"]] == [(4, 2)] * 3 + [(5, 2)] * 3
    assert [(entry["stopped"], entry["updates"]) for entry in found["ends"]] == [(False, 2)] * 6
    assert len({s["model"] for s in found["scores"]}) == 3
    weights = torch.tensor(found["attention"]["weights"])
    assert torch.allclose(weights.sum(-1), torch.ones(len(weights)), atol=0.02)
    assert capsys.readouterr().out


@pytest.mark.parametrize(("rate", "factor"), [("usual", 1.0), ("half", 0.5), ("twice", 2.0)])
def test_all_three_are_trained_at_the_rate_that_is_asked_for(rate, factor, monkeypatch):
    def training(models, data, recipe):
        raise InterruptedError(recipe.training.learning_rate_scale)

    prepared = type("Data", (), {"tokenizer": type("Tokenizer", (), {"vocab_size": 50})})
    monkeypatch.setattr(why_attention, "Training", training)
    monkeypatch.setattr(why_attention, "prepare_data", lambda *_: prepared)
    monkeypatch.setattr(why_attention, "data_of", lambda *_: None)
    given = why_attention.STUDY.parser().parse_args(["--rate", rate])
    usual = load_recipe("english_korean_small").training.learning_rate_scale
    with pytest.raises(InterruptedError) as told:
        why_attention.measure(1, given)
    assert told.value.args == (factor * usual,)
    name = "why_attention" if rate == "usual" else f"why_attention_{rate}_rate"
    assert why_attention.STUDY.place(given).stem == name
