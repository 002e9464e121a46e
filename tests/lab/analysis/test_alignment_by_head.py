"""Alignment by head: the mean row is what `evaluate` scores, and a planted head is found."""

import dataclasses
import itertools

import pytest
import torch

from annotated_transformer import Translator
from annotated_transformer.alignment import alignment_error_rate
from annotated_transformer.corpora import SentencePair
from annotated_transformer.evaluation import evaluate
from annotated_transformer.lab.analysis.alignment_by_head import (
    alignment_by_head,
    even_alignment_error,
)
from annotated_transformer.lab.corpora.english_korean import english_korean


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


def test_links_drawn_evenly_are_as_wrong_as_expected(pairs):
    """Over all links that two sentences of few words can have, instead of by a formula."""
    short = [
        SentencePair("a b c", "x y", ((0, 0), (1, 1), (2, 1))),
        SentencePair("a b", "x", ((1, 0),)),
    ]
    choices = [
        (set(zip(first, range(2), strict=True)), {(second, 0)})
        for first in itertools.product(range(3), repeat=2)
        for second in range(2)
    ]
    gold = [set(pair.alignment) for pair in short]
    errors = [alignment_error_rate(links, gold) for links in choices]
    assert even_alignment_error(short) == pytest.approx(100 * sum(errors) / len(errors))
    with pytest.raises(ValueError, match="no sentence pairs"):
        even_alignment_error([])
    with pytest.raises(ValueError, match="pair 1 has no gold"):
        even_alignment_error([dataclasses.replace(pairs[0], alignment=None)])
