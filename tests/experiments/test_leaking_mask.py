"""Without the causal mask a model may look ahead, and nothing else about it changes."""

import torch

from annotated_transformer import Transformer, TransformerConfig, greedy_search
from experiments.leaking_mask import LookingAhead

SOURCE, TARGET = torch.tensor([[4, 5, 2], [4, 2, 0]]), torch.tensor([[1, 6, 7], [1, 6, 0]])


def made(kind):
    torch.manual_seed(0)
    return kind(TransformerConfig.tiny(vocab_size=9)).eval()


def test_the_first_logits_change_with_the_last_token_only_without_the_mask():
    other = TARGET.clone()
    other[0, 2] = 8
    for kind, looks_ahead in ((Transformer, False), (LookingAhead, True)):
        model = made(kind)
        one, two = model(SOURCE, TARGET)[0, 0], model(SOURCE, other)[0, 0]
        assert torch.equal(one, two) is not looks_ahead


def test_padding_stays_hidden():
    model = made(LookingAhead)
    short = model(SOURCE[1:], TARGET[1:, :2])[0]
    torch.testing.assert_close(model(SOURCE, TARGET)[1, :2], short)


def test_both_models_have_the_same_weights_and_agree_where_nothing_is_ahead():
    usual, leaking = made(Transformer), made(LookingAhead)
    for one, two in zip(usual.parameters(), leaking.parameters(), strict=True):
        assert torch.equal(one, two)
    assert torch.equal(usual(SOURCE, TARGET[:, :1]), leaking(SOURCE, TARGET[:, :1]))
    last = [model(SOURCE[:1], TARGET[:1, :1]) for model in (usual, leaking)]
    assert torch.equal(*last)


def test_a_search_computes_as_with_the_mask():
    usual, leaking = made(Transformer), made(LookingAhead)
    one, two = (greedy_search(model, SOURCE, max_length=6) for model in (usual, leaking))
    assert [found.ids for found in one] == [found.ids for found in two]
    assert len(one[0].ids) > 2
