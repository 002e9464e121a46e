"""Heads built to look somewhere earn that name; a head that spreads its weight earns none."""

import pytest
import torch
from tiny import tiny_translator

from annotated_transformer import Translator
from annotated_transformer.lab.analysis.grammar_links import grammar_kinds
from annotated_transformer.lab.analysis.head_names import (
    head_names,
    head_scores,
    share_elsewhere,
    untrained,
)
from annotated_transformer.lab.analysis.teacher_forcing import teacher_forced_attention
from annotated_transformer.lab.corpora.english_korean import english_korean

ENCODER = "encoder.layers.0.self_attention"
SELF = "decoder.layers.0.self_attention"


@pytest.fixture(scope="module")
def pairs():
    return [pair for pair in english_korean("test") if pair.construction == "counting"][:6]


def shift(d, steps):
    """The matrix that turns the sinusoids of a position into those `steps` later."""
    matrix = torch.zeros(d, d)
    for i in range(d // 2):
        angle = torch.tensor(steps * 10_000 ** (-2 * i / d))
        sin, cos = angle.sin(), angle.cos()
        block = torch.stack([torch.stack([cos, sin]), torch.stack([-sin, cos])])
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block
    return matrix


def looking(pairs, steps):
    """A translator whose single heads look `steps` to the right, by their positions alone."""
    lines = [text for pair in pairs for text in (pair.source, pair.target)]
    translator = tiny_translator(lines, vocab_size=350, n_heads=1, d_model=32, d_ff=8)
    model = translator.model
    with torch.no_grad():
        model.source_embedding.weight.zero_()
        for module in (model.encoder.layers[0].self_attention,):
            module.w_query.weight.copy_(200 * shift(32, steps))
            module.w_key.weight.copy_(torch.eye(32))
    return translator


@pytest.mark.parametrize(("steps", "name"), [(-1, "previous"), (0, "same"), (1, "next")])
def test_a_head_that_looks_at_a_neighbour_is_called_so(pairs, steps, name):
    translator = looking(pairs, steps)
    scores = head_scores(translator, pairs, seeds=[1])
    assert head_names(scores)[ENCODER, 0] == [name]
    (share,) = [s["share"] for s in scores if (s["attention"], s["kind"]) == (ENCODER, name)]
    assert share > 99


def test_a_head_that_spreads_its_weight_has_no_name_and_no_surplus(pairs):
    translator = looking(pairs, 0)
    with torch.no_grad():
        for parameter in translator.model.parameters():
            parameter.zero_()
    scores = head_scores(translator, pairs, seeds=[1])
    for row in scores:
        assert row["share"] == pytest.approx(row["even"], abs=1e-4)
    assert set(map(tuple, head_names(scores).values())) == {()}


def row(**changed):
    found = {"attention": "a", "head": 0, "kind": "k", "share": 60.0, "even": 10.0}
    return found | {"untrained": 20.0, "elsewhere": None} | changed


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        ({}, ["k"]),
        ({"share": 50.0}, []),
        ({"even": 50.5}, []),
        ({"untrained": 51.0}, []),
        ({"elsewhere": 55.0}, []),
        ({"elsewhere": 50.0}, ["k"]),
    ],
)
def test_a_name_needs_half_of_the_weight_and_ten_points_above_each_baseline(changed, names):
    assert head_names([row(**changed)]) == {("a", 0): names}


def test_another_limit_and_another_margin_give_other_names():
    assert head_names([row()], most=65.0) == {("a", 0): []}
    assert head_names([row(share=45.0)], most=40.0) == {("a", 0): ["k"]}
    assert head_names([row()], margin=41.0) == {("a", 0): []}


def test_the_best_name_comes_first():
    rows = [row(), row(kind="better", share=70.0), row(kind="no", share=1.0)]
    assert head_names(rows) == {("a", 0): ["better", "k"]}


def test_elsewhere_is_what_a_loop_over_rows_finds(pairs):
    translator = Translator.load("english_korean")
    for name, kind in ((SELF, "counter"), (SELF, "particle")):
        linked, sums, rows = {}, {}, 0
        for pair in pairs:
            weights = teacher_forced_attention(translator, pair.source, pair.target)[name]
            marked = grammar_kinds(name, weights, translator, pair)[kind].tolist()
            for i, keys in enumerate(marked):
                rows += any(keys)
                for j, is_marked in enumerate(keys):
                    if any(keys):
                        linked[i - j] = linked.get(i - j, 0) + is_marked
                    else:
                        sums.setdefault(i - j, []).append(weights[2, i, j].item())
        expected = sum(
            count * sum(sums[d]) / len(sums[d]) for d, count in linked.items() if d in sums
        )
        found = share_elsewhere(translator, pairs)[2, name, kind]
        assert rows
        assert found == pytest.approx(100 * expected / rows, abs=1e-3)


def test_an_untrained_model_follows_from_its_seed(pairs):
    translator = Translator.load("english_korean")
    one, same, other = (untrained(translator, seed).model for seed in (1, 1, 2))
    state = one.state_dict()
    assert all(torch.equal(state[k], v) for k, v in same.state_dict().items())
    assert not torch.equal(one.output.weight, other.output.weight)
    assert one.config == translator.model.config
    with pytest.raises(ValueError, match="no seeds"):
        head_scores(translator, pairs, seeds=[])
