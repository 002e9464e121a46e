"""The programs about heads: equal runs, every case of the ablation, and an order that is greedy."""

import json

import pytest

from annotated_transformer import Translator, count_parameters, load_recipe
from annotated_transformer.analysis.heads import attentions_of
from annotated_transformer.corpora.english_korean import english_korean
from annotated_transformer.records import write_record
from experiments import head_ablation, heads

N_HEADS = {"a": 2, "b": 3}


def test_runs_differ_in_heads_and_in_nothing_else():
    variants = [heads.variant(n) for n in heads.HEADS]
    recipes = [load_recipe("english_korean_live", variant.overrides) for variant in variants]
    configs = [recipe.model.config(vocab_size=2_000) for recipe in recipes]
    assert len({count_parameters(config)["total"] for config in configs}) == 1
    assert [config.n_heads for config in configs] == list(heads.HEADS)
    assert [variant.tags["d_k"] for variant in variants] == [128 // n for n in heads.HEADS]
    with pytest.raises(ValueError, match="n_heads=3"):
        heads.variant(3)


def test_the_cases_are_each_head_its_others_and_each_attention():
    found = list(head_ablation.cases(N_HEADS))
    assert len(found) == 1 + 2 * 5 + 2
    assert found[0] == ({"case": "whole model"}, {})
    removed = {
        (tags["case"], tags["attention"], tags.get("head")): {k: list(v) for k, v in gone.items()}
        for tags, gone in found[1:]
    }
    assert removed["without", "b", 1] == {"b": [1]}
    assert removed["alone", "b", 1] == {"b": [0, 2]}
    assert removed["none left", "a", None] == {"a": [0, 1]}


def test_heads_go_one_after_another_until_none_is_left():
    translator = Translator.load("english_korean", beam_size=1)
    n_heads = {name: part.n_heads for name, part in attentions_of(translator.model).items()}
    some = {name: n_heads[name] for name in list(n_heads)[-1:]}
    steps = [
        (entry, {name: list(heads) for name, heads in gone.items()})
        for entry, gone in head_ablation.one_after_another(
            translator, english_korean("valid")[:4], some
        )
    ]
    (name,) = some
    order = [entry["head"] for entry, _ in steps]
    assert sorted(order) == [0, 1, 2, 3]
    assert [gone[name] for _, gone in steps] == [order[: n + 1] for n in range(4)]
    assert steps[-1][0]["valid_loss"] > 2 * steps[0][0]["valid_loss"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sentences", "0"], "--sentences 0: the split has 1,000 sentences, from 1 on"),
        (["--valid", "-5"], "--valid -5"),
        (["--sentences", "1001"], "--sentences 1001"),
        (["--model", "nonsense"], "there is no model directory nonsense"),
    ],
)
def test_the_ablation_refuses_nonsense_in_a_line(capsys, arguments, message):
    with pytest.raises(SystemExit) as stopped:
        head_ablation.main(arguments)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err.splitlines()[-1]


def test_the_splits_have_as_many_sentences_as_the_ablation_says():
    assert {len(english_korean(name)) for name in ("test", "valid")} == {head_ablation.SPLIT}


def test_a_record_can_be_read_wherever_its_curve_stands(tmp_path):
    for record in ({"curve": [{"a": 1}, {"a": 2}], "wall_seconds": 3}, {"b": 1, "curve": []}):
        write_record(tmp_path / "record.json", record)
        assert json.loads((tmp_path / "record.json").read_text("utf-8")) == record
