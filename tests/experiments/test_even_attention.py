"""Even weights: the mean of what the mask allows, in the layers that are named and in no other."""

import pytest
import torch

from annotated_transformer import Transformer, TransformerConfig
from annotated_transformer.attention import ScaledDotProductAttention
from annotated_transformer.decoding.search import beam_search
from annotated_transformer.lab.caching import Uncached
from experiments.even_attention import EvenAttention, EvenInEveryLayer, EvenInLastLayer

SIZES = {"n_layers": 3, "d_model": 16, "d_ff": 24, "n_heads": 2, "dropout": 0.0}
CONFIG = TransformerConfig.tiny(vocab_size=20, **SIZES)
SOURCE = torch.tensor([[5, 6, 7, 2], [8, 9, 2, 0]])


def test_the_output_is_the_mean_of_the_allowed_values():
    torch.manual_seed(1)
    query, key, value = (torch.randn(2, 3, n, 4) for n in (5, 6, 6))
    allowed = torch.tensor([True, True, False, True, False, True])
    found = EvenAttention()(query, key, value, allowed.expand(2, 1, 5, 6))
    expected = value[:, :, allowed].mean(dim=2, keepdim=True)
    torch.testing.assert_close(found, expected.expand_as(found))


@pytest.mark.parametrize(("model", "even"), [(EvenInLastLayer, {2}), (EvenInEveryLayer, {0, 1, 2})])
def test_only_cross_attentions_of_these_layers_are_even(model, even):
    made = model(CONFIG)
    kinds = {
        name: type(module)
        for name, module in made.named_modules()
        if isinstance(module, ScaledDotProductAttention)
    }
    found = {name for name, kind in kinds.items() if kind is EvenAttention}
    assert found == {f"decoder.layers.{n}.cross_attention.attend" for n in even}
    assert len(kinds) == 9


@pytest.mark.parametrize("model", [EvenInLastLayer, EvenInEveryLayer])
def test_the_initial_weights_are_those_of_the_usual_model(model):
    torch.manual_seed(3)
    usual = Transformer(CONFIG).state_dict()
    torch.manual_seed(3)
    made = model(CONFIG).state_dict()
    assert usual.keys() == made.keys()
    assert all(torch.equal(usual[name], made[name]) for name in usual)


def test_queries_and_keys_of_an_even_attention_have_a_gradient_of_0_and_values_do_not():
    torch.manual_seed(2)
    made = EvenInLastLayer(CONFIG)
    made(SOURCE, torch.tensor([[1, 5, 6], [1, 7, 0]])).sum().backward()
    even = made.decoder.layers[2].cross_attention
    for part in (even.w_query, even.w_key):
        assert not part.weight.grad.any()  # one that is None would have no place in a checkpoint
    assert even.w_value.weight.grad.any()
    assert made.decoder.layers[1].cross_attention.w_query.weight.grad.any()


def test_a_search_with_the_cache_writes_the_same_as_without_it():
    torch.manual_seed(4)
    made = EvenInEveryLayer(CONFIG).eval()
    cached, whole = (
        beam_search(model, SOURCE, beam_size=3, max_length=8) for model in (made, Uncached(made))
    )
    assert [h.ids for (h,) in cached] == [h.ids for (h,) in whole]
