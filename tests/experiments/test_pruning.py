"""Orders that hold every head once, and a curve that ends in a model without attention."""

import json

import pytest
from tiny import tiny_translator

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.heads import attentions_of
from annotated_transformer.training.data import encode
from annotated_transformer.training.encoded import TokenPairs
from experiments import pruning

PAIRS = [SentencePair("I am a student", "나는 학생이다"), SentencePair("I am", "나는")]


@pytest.fixture
def few(monkeypatch):
    translator = tiny_translator(n_layers=1, dropout=0.0, search={"beam_size": 1})
    monkeypatch.setattr(pruning, "load_model", lambda *_, **__: translator)
    monkeypatch.setattr(pruning, "english_korean", lambda split, lexicon: PAIRS)
    return translator


def test_every_order_has_every_head_and_a_curve(few, tmp_path):
    out = tmp_path / "record.json"
    options = ["--sentences", "2", "--valid", "2", "--seeds", "1", "2"]
    options += ["--retrain", "0", "3", "--updates", "2"]
    pruning.STUDY.main([*options, "--out", str(out)])
    record = json.loads(out.read_text("utf-8"))
    assert record["command"].endswith("--seeds 1 2 --retrain 0 3 --updates 2")
    heads = [[name, head] for name in attentions_of(few.model) for head in range(2)]
    assert list(record["heads"]) == ["gradient", "loss", "chance 1", "chance 2"]
    for order in record["heads"].values():
        assert sorted(order) == sorted(heads)
    assert len(record["rows"]) == len(heads)
    for name in record["heads"]:
        curve = [entry for entry in record["curve"] if entry["order"] == name]
        assert [entry["removed"] for entry in curve] == list(range(7))
        parameters = [entry["parameters"] for entry in curve]
        assert parameters == sorted(parameters, reverse=True)
    runs = [(entry["removed"], entry["seed"]) for entry in record["retrained"]]
    assert runs == [(0, 1), (0, 2), (3, 1), (3, 2)]


def test_the_loss_goes_by_what_is_missed_least(few):
    found, rows = pruning.orders(few, PAIRS, seeds=[])
    missed = {(row["attention"], row["head"]): row["valid_loss"] for row in rows}
    losses = [missed[head] for head in found["loss"]]
    assert losses == sorted(losses)
    assert len(set(losses)) > 1
    first = found["loss"][0]
    assert pruning.loss_without(few, PAIRS, first) == pytest.approx(losses[0], abs=1e-5)


def test_a_model_trained_again_learns_and_its_rate_falls_to_nothing(few, monkeypatch):
    examples = TokenPairs.of(encode(PAIRS, few.tokenizer, origin="train"))
    recipe, rates = pruning.recipe_of("english_korean"), []
    real = pruning.train_step

    def train_step(*arguments, schedule, **options):
        rates.append(schedule(arguments[3], 0, 0, 0))
        return real(*arguments, schedule=schedule, **options)

    monkeypatch.setattr(pruning, "train_step", train_step)

    def loss():
        return sum(float(each.detach()) for each in pruning.losses(few, PAIRS))

    before = loss()
    pruning.retrain(few.model, examples, recipe, 30)
    assert loss() < before - 1
    assert rates[0] == pruning.RATE
    assert rates[-1] == pytest.approx(pruning.RATE / 30)
    assert not few.model.training


def test_more_sentences_than_there_are_are_refused(capsys, tmp_path):
    with pytest.raises(SystemExit):
        pruning.STUDY.main(["--sentences", "1001", "--out", str(tmp_path / "r.json")])
    assert "--sentences 1001: the split has 1,000 sentences" in capsys.readouterr().err


@pytest.mark.usefixtures("few")
def test_more_heads_than_there_are_cannot_be_removed(capsys, tmp_path):
    options = ["--sentences", "2", "--valid", "2", "--retrain", "7"]
    with pytest.raises(SystemExit):
        pruning.STUDY.main([*options, "--out", str(tmp_path / "r.json")])
    assert "--retrain 7: the model has 6 heads" in capsys.readouterr().err
