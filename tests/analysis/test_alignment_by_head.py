"""Alignment by head: the mean row is what `evaluate` scores, and a planted head is found."""

import dataclasses

import pytest
import torch

from annotated_transformer import Translator
from annotated_transformer.analysis.alignment_by_head import alignment_by_head
from annotated_transformer.corpora.english_korean import english_korean
from annotated_transformer.evaluation import evaluate


@pytest.fixture(scope="module")
def translator():
    return Translator.load("english_korean", beam_size=1)


@pytest.fixture(scope="module")
def pairs():
    return english_korean("test")[:12]


@pytest.mark.parametrize("layer", [0, 1])
@pytest.mark.parametrize("step", ["output", "input"])
def test_the_mean_of_the_heads_is_what_evaluate_scores(translator, pairs, layer, step):
    rows = alignment_by_head(translator, pairs)
    (mean,) = [
        row["AER"]
        for row in rows
        if (row["layer"], row["step"], row["head"]) == (layer, step, None)
    ]
    scores = evaluate(translator, pairs, split="test", layer=layer, step=step)
    (expected,) = [score["value"] for score in scores if score["metric"] == "AER"]
    assert mean == pytest.approx(expected, abs=0.005)


def test_one_head_changes_its_own_rows_and_the_mean_of_its_layer(pairs):
    translator = Translator.load("english_korean", beam_size=1)
    before = alignment_by_head(translator, pairs)
    last = translator.model.decoder.layers[-1].cross_attention
    with torch.no_grad():
        last.w_query.weight[32:64] = 0  # the second head of four then spreads evenly
    after = alignment_by_head(translator, pairs)
    changed = {
        (a["layer"], a["head"]) for a, b in zip(before, after, strict=True) if a["AER"] != b["AER"]
    }
    assert (1, 1) in changed
    assert changed <= {(1, 1), (1, None)}


def test_nothing_to_align_is_refused(translator, pairs):
    with pytest.raises(ValueError, match="no sentence pairs"):
        alignment_by_head(translator, [])
    unaligned = dataclasses.replace(pairs[0], alignment=None)
    with pytest.raises(ValueError, match="pair 2 has no gold"):
        alignment_by_head(translator, [pairs[0], unaligned])
