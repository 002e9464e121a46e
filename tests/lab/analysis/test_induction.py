"""Scores of heads on a model built by hand to copy, and moments in curves whose answer is known."""

import math

import pytest
import torch

from annotated_transformer.inspection import record_attention
from annotated_transformer.lab.analysis.heads import without_heads
from annotated_transformer.lab.analysis.induction import (
    foretold,
    formation,
    induction_scores,
    repeat_losses,
    repeated_texts,
    set_loss,
)
from annotated_transformer.lab.family.gpt.model import GPT, GPTConfig

VOCAB, LENGTH = 12, 16
PLACES = slice(0, LENGTH)
TOKENS = slice(LENGTH, LENGTH + VOCAB)
BEFORE = slice(LENGTH + VOCAB, LENGTH + 2 * VOCAB)
COPIED = slice(LENGTH + 2 * VOCAB, LENGTH + 3 * VOCAB)
WIDTH = LENGTH + 3 * VOCAB
LAYERS = [f"encoder.layers.{n}.self_attention" for n in range(2)]


def generator():
    return torch.Generator().manual_seed(0)


def drawn(periods=(3, 5, 7, 8)):
    return repeated_texts(periods, LENGTH, VOCAB, generator()), list(periods)


def add_block(linear, rows, columns, block):
    linear.weight[rows, columns] = block


@pytest.fixture
def copier():
    """Two heads as in a textbook: one tells each token the one before it, the other looks that up.

    The width has a room for each: position, token, the token before, the answer.
    """
    sizes = {"vocab_size": VOCAB, "n_layers": 2, "d_model": WIDTH, "n_heads": 1, "d_ff": 4}
    model = GPT(GPTConfig(**sizes, max_length=LENGTH, dropout=0.0, bias="none"))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        for name, module in model.named_modules():
            if name.endswith("layer_norm") or name.endswith("final_norm"):
                # Nothing is normalised: the rooms stay apart.
                module.forward = lambda x: x
        model.embedding.weight[:, TOKENS] = torch.eye(VOCAB)
        model.embedding.weight[:, COPIED] = 30 * torch.eye(VOCAB)
        model.positions.encoding[:LENGTH, PLACES] = torch.eye(LENGTH)
        first, second = (layer.self_attention for layer in model.encoder.layers)
        sharp = 100 * math.sqrt(WIDTH)
        back = torch.diag(torch.ones(LENGTH - 1), 1)  # row i asks for position i - 1
        add_block(first.w_query, PLACES, PLACES, sharp * back)
        add_block(first.w_key, PLACES, PLACES, torch.eye(LENGTH))
        add_block(first.w_value, TOKENS, TOKENS, torch.eye(VOCAB))
        add_block(first.w_output, BEFORE, TOKENS, torch.eye(VOCAB))
        add_block(second.w_query, TOKENS, TOKENS, sharp * torch.eye(VOCAB))
        add_block(second.w_key, TOKENS, BEFORE, torch.eye(VOCAB))
        second.w_key.weight[TOKENS, 0] = -1  # the first token has none before it
        add_block(second.w_value, TOKENS, TOKENS, torch.eye(VOCAB))
        add_block(second.w_output, COPIED, TOKENS, 100 * torch.eye(VOCAB))
    return model


def test_texts_begin_again_after_their_period_and_not_before():
    ids, periods = drawn()
    for row, period in zip(ids.tolist(), periods, strict=True):
        assert len(set(row[:period])) == period
        assert row[period:] == row[:-period]
        assert min(row) >= 1
        assert max(row) < VOCAB
    assert foretold(periods, LENGTH).sum(1).tolist() == [LENGTH - p for p in periods]


@pytest.mark.parametrize("period", [1, VOCAB, LENGTH])
def test_a_period_that_cannot_come_again_is_refused(period):
    with pytest.raises(ValueError, match=f"a period of {period} tokens: expected 2 to 11"):
        repeated_texts([3, period], LENGTH, VOCAB, generator())


def test_the_heads_of_a_model_built_to_copy_have_full_scores(copier):
    scores = induction_scores(copier, *drawn())
    assert scores[LAYERS[0]][0, 0] == pytest.approx(1, abs=1e-3)
    assert scores[LAYERS[1]][0, 1] == pytest.approx(1, abs=1e-3)
    assert scores[LAYERS[1]][0, 0] < 0.3
    assert scores[LAYERS[0]][0, 1] == pytest.approx(0, abs=1e-3)


def test_what_is_foretold_costs_nothing_until_one_of_the_two_heads_is_removed(copier):
    ids, periods = drawn()
    new, known = repeat_losses(copier, ids, periods)
    assert known < 1e-3
    assert new > 1
    for name in LAYERS:
        with without_heads(copier, {name: [0]}):
            assert repeat_losses(copier, ids, periods)[1] > 1


def test_scores_equal_a_loop_over_the_weights():
    torch.manual_seed(3)
    sizes = {"vocab_size": VOCAB, "n_layers": 1, "d_model": 8, "n_heads": 2, "d_ff": 4}
    model = GPT(GPTConfig(**sizes, max_length=LENGTH, dropout=0.0))
    ids, periods = drawn()
    with record_attention(model) as record:
        model.eval()(ids)
    (weights,) = record.values()
    found = {"previous": [], "successor": []}
    for text, row in enumerate(ids.tolist()):
        for i in range(LENGTH):
            if i:
                found["previous"].append(weights[text, 1, i, i - 1].item())
            after = [j + 1 for j in range(i) if row[j] == row[i]]
            if after:
                found["successor"].append(sum(weights[text, 1, i, j].item() for j in after))
    expected = [sum(values) / len(values) for values in found.values()]
    (scores,) = induction_scores(model, ids, periods).values()
    assert scores[1].tolist() == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([0, 0, 0.1, 0.9, 1], 3),
        ([0, 0.8, 0.1, 0.9, 1], 3),  # it fell back once: the later rise counts
        ([0, 0.1, 0.2, 0.1, 0.2], None),
        ([0, 0.9, 1, 0.2, 0.1], None),  # formed and lost
        ([0.5, 0.5, 0.5, 1, 1], 3),
    ],
)
def test_a_score_forms_where_it_passes_half_for_good(values, step):
    assert formation(dict(enumerate(values))) == step


def test_a_smaller_part_of_the_way_is_passed_earlier():
    curve = dict(enumerate([0.2, 0.3, 0.5, 0.8, 1.2]))
    assert [formation(curve, part) for part in (0.05, 0.2, 0.5, 0.9)] == [1, 2, 3, 4]


def test_a_curve_without_steps_is_refused():
    with pytest.raises(ValueError, match="the curve is empty"):
        formation({})


def test_who_knows_the_tokens_of_a_text_but_not_their_order_pays_the_log_of_the_period():
    ids, periods = drawn()
    losses = [
        math.log(len(set(row)))
        for row, period in zip(ids.tolist(), periods, strict=True)
        for place in range(1, LENGTH)
        if place > period
    ]
    assert set_loss(periods, LENGTH) == pytest.approx(sum(losses) / len(losses))
