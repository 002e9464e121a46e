"""The programs behind *Why attention*: equal budgets, groups by length, and records of the book."""

import pytest
import torch

from annotated_transformer import load_recipe
from annotated_transformer.corpora import SentencePair
from annotated_transformer.records import RESULTS, record
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.data import TrainingData
from annotated_transformer.training.encoded import Example
from experiments import why_attention


def recipe():
    return load_recipe("english_korean_live", ["training.clip_norm=1.0"])


def example(tokenizer, pair):
    return Example(
        tuple(tokenizer.source_ids(pair.source)), tuple(tokenizer.target_ids(pair.target))
    )


def test_no_contestant_has_more_parameters_than_the_transformer_nor_half_a_percent_fewer():
    models = why_attention.contestants(recipe(), 2_000)
    sizes = {name: sum(p.numel() for p in model.parameters()) for name, model in models.items()}
    budget = sizes["Transformer"]
    assert len(sizes) == 3
    assert all(0.995 * budget < size <= budget for size in sizes.values())


def test_groups_hold_the_sentences_of_their_lengths():
    sources = ["a b c", "a b c d e", "a b c d e f", "a b c d e f g h i j k"]
    pairs = [SentencePair(source, "x") for source in sources]
    entries = why_attention.by_length(pairs, ["x", "y", "x", "x"])
    values = {tuple(e.get("words", ())): (e["value"], e["signature"]) for e in entries}
    assert values == {
        (): (75.0, "greedy|4 sentences"),
        (3, 5): (50.0, "greedy|2 sentences"),
        (6, 7): (100.0, "greedy|1 sentences"),
        (8, 9): (None, "greedy|0 sentences"),
        (10, 15): (100.0, "greedy|1 sentences"),
    }


def test_speed_is_a_ratio_of_medians():
    found = why_attention.speed({"Transformer": [1.0, 2.0, 9.0], "LSTM": [1.0, 1.0, 70.0]})
    assert [entry["steps_per_transformer_step"] for entry in found] == [1.0, 2.0]


def test_all_contestants_train_side_by_side():
    pairs = [SentencePair("I am a student", "나는 학생이다"), SentencePair("I am", "나는")] * 20
    tokenizer = Tokenizer.train([p.source + " " + p.target for p in pairs], vocab_size=300)
    encoded = why_attention.TokenPairs.of(example(tokenizer, pair) for pair in pairs)
    data = TrainingData(tokenizer, encoded, encoded, {}, "")
    models = why_attention.contestants(recipe(), tokenizer.vocab_size)
    stages = list(why_attention.stages(models, data, recipe(), steps=3, stage=2))
    assert [stage["step"] for stage in stages] == [2, 3]
    assert [(e["model"], e["step"]) for e in stages[-1]["curve"]] == [
        (name, step) for step in (2, 3) for name in models
    ]
    assert all(len(times) == 3 for times in stages[-1]["seconds"].values())
    picture = why_attention.shown(models["LSTM with attention"], tokenizer, pairs)
    weights = torch.tensor(picture["weights"])
    assert weights.shape == (len(picture["target"]), len(picture["source"]))
    assert torch.allclose(weights.sum(-1), torch.ones(len(weights)), atol=0.02)
    texts = why_attention.translated(models["LSTM"], tokenizer, pairs[:3], rows=2)
    assert len(texts) == 3


def test_the_command_names_the_file_only_where_one_was_given():
    def given(*words):
        return why_attention.options().parse_args(words)

    assert why_attention.place(given("--seed", "7")).name == "why_attention_seed_7.json"
    elsewhere = given("--seed", "2", "--out", "x.json")
    assert why_attention.place(elsewhere).name == "x.json"
    assert why_attention.command(elsewhere, 9).endswith(
        "--steps 9 --stage 250 --seed 2 --sentences 1000 --out x.json"
    )


@pytest.mark.parametrize("name", ["why_attention", "why_attention_seed_2"])
def test_a_record_s_command_writes_that_record_and_no_other(name):
    found = record(name)
    words = found.command.split(" ")
    assert words[:3] == ["python", "-m", "experiments.why_attention"]
    given = why_attention.options().parse_args(words[3:])
    assert why_attention.place(given) == RESULTS / f"{name}.json"
    assert (given.steps, given.seed) == (found["curve"][-1]["step"], found["seed"])
    assert why_attention.command(given, given.steps) == found.command
    assert found["machine"]["threads"] == 1
