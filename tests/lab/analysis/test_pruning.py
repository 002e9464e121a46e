"""A pruned model against the masked one, and importance against a difference quotient."""

import pytest
import torch

from annotated_transformer import Transformer, TransformerConfig
from annotated_transformer.decoding.search import greedy_search
from annotated_transformer.lab.analysis.heads import attentions_of, without_heads
from annotated_transformer.lab.analysis.pruning import gradient_importance, least_first, pruned

ENCODER, CROSS = "encoder.layers.1.self_attention", "decoder.layers.0.cross_attention"
SELF = "decoder.layers.1.self_attention"
REMOVED = {ENCODER: [0, 2], CROSS: [1], SELF: [0, 1, 2]}


def made(**changed):
    torch.manual_seed(0)
    sizes = {"n_layers": 2, "d_model": 12, "n_heads": 3, "d_k": 5, "d_v": 7, "d_ff": 20}
    config = TransformerConfig.base(vocab_size=30, dropout=0.0, **{**sizes, **changed})
    model = Transformer(config).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model


@pytest.fixture
def ids():
    torch.manual_seed(1)
    return torch.randint(3, 30, (2, 6)), torch.randint(3, 30, (2, 5))


@pytest.mark.parametrize("changed", [{}, {"bias": "all"}, {"norm": "pre"}, {"positions": "none"}])
@torch.no_grad()
def test_a_pruned_model_gives_what_the_masked_one_gives(ids, changed):
    model = made(**changed)
    smaller, whole = pruned(model, REMOVED), model(*ids)
    with without_heads(model, REMOVED):
        torch.testing.assert_close(smaller(*ids), model(*ids), atol=1e-10, rtol=0)
        assert not torch.allclose(smaller(*ids), whole)
    assert torch.equal(model(*ids), whole)


@torch.no_grad()
def test_a_pruned_model_translates_as_the_masked_one_does(ids):
    model = made()
    smaller = pruned(model, REMOVED)
    with without_heads(model, REMOVED):
        expected = greedy_search(model, ids[0], max_length=8, min_length=8)
    found = greedy_search(smaller, ids[0], max_length=8, min_length=8)
    assert [one.ids for one in found] == [one.ids for one in expected]


def test_a_pruned_model_is_smaller_by_the_matrices_of_its_heads():
    model = made()
    smaller = pruned(model, REMOVED)
    gone = (2 + 1 + 3) * 12 * (5 + 5 + 7 + 7)
    kept = 12 * 4  # the width 1 that stands in for an attention without heads
    sizes = [m.count_parameters()["total"] for m in (model, smaller)]
    assert sizes[0] - sizes[1] == gone - kept
    assert smaller.output.weight is smaller.source_embedding.weight
    assert attentions_of(smaller)[CROSS].n_heads == 2


def losses_of(model, ids):
    for source, target in zip(*ids, strict=True):
        yield model(source[None], target[None])[0, -1].log_softmax(-1)[7]


def test_importance_is_the_slope_when_a_head_is_turned_down(ids):
    model = made()
    found = gradient_importance(model, losses_of(model, ids))
    assert {name: len(values) for name, values in found.items()} == dict.fromkeys(
        attentions_of(model), 3
    )
    step = 1e-5
    for name, head in ((ENCODER, 1), (CROSS, 2), (SELF, 0)):
        columns = slice(7 * head, 7 * head + 7)
        weight = model.get_submodule(name).w_output.weight
        moved = []
        with torch.no_grad():
            for factor in (1 + step, (1 - step) / (1 + step)):
                weight[:, columns] *= factor
                moved.append(torch.stack(list(losses_of(model, ids))))
            weight[:, columns] /= 1 - step
        slope = (moved[0] - moved[1]).abs().mean() / (2 * step)
        assert found[name][head].item() == pytest.approx(slope.item(), rel=1e-3)


def test_a_head_that_adds_nothing_has_no_importance_and_goes_first(ids):
    model = made()
    with torch.no_grad():
        model.get_submodule(CROSS).w_output.weight[:, 7:14] = 0
    found = gradient_importance(model, losses_of(model, ids))
    assert found[CROSS][1] == 0
    order = least_first(found)
    assert order[0] == (CROSS, 1)
    assert sorted(order) == sorted((name, h) for name in found for h in range(3))


def test_layers_are_compared_after_their_length_is_taken_out():
    importance = {"large": torch.tensor([30.0, 40.0]), "small": torch.tensor([0.8, 0.6])}
    order = least_first(importance)
    assert set(order[:2]) == {("large", 0), ("small", 1)}  # 0.6 of their layer each


def test_what_cannot_be_pruned_is_refused(ids):
    model = made()
    with pytest.raises(ValueError, match="has no head 3"):
        pruned(model, {CROSS: [3]})
    with pytest.raises(ValueError, match="positions='alibi'"):
        pruned(made(positions="alibi"), REMOVED)
    with pytest.raises(ValueError, match="no losses"):
        gradient_importance(model, iter(()))
