"""The ablation has every case, and removes heads one after another, greedily."""

import pytest

from annotated_transformer import Translator
from annotated_transformer.lab.analysis.heads import attentions_of
from annotated_transformer.lab.corpora.english_korean import english_korean
from experiments import head_ablation
from experiments.given_model import SPLIT

N_HEADS = {"a": 2, "b": 3}


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
def test_the_ablation_refuses_nonsense_in_a_line(capsys, tmp_path, arguments, message):
    with pytest.raises(SystemExit) as stopped:
        head_ablation.STUDY.main([*arguments, "--out", str(tmp_path)])
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err.splitlines()[-1]


def test_the_splits_have_as_many_sentences_as_the_ablation_says():
    assert {len(english_korean(name)) for name in ("test", "valid")} == {SPLIT}
