"""What the runs differ in: how far a token sees, and nothing of the weights."""

import pytest
import torch

from annotated_transformer import Transformer, TransformerConfig, greedy_search
from annotated_transformer.lab.analysis.influence import influence
from annotated_transformer.lab.caching import Uncached
from experiments.short_sight import LinearAttention, WindowedAttention, variants

SOURCE = torch.tensor([[4, 5, 6, 7, 8, 9, 5, 4, 6, 7, 2], [5, 8, 4, 2, 0, 0, 0, 0, 0, 0, 0]])
MODELS = {variant.tags["self_attention"]: variant.model for variant in variants()}


def made(name, layers=2):
    torch.manual_seed(0)
    sizes = {"d_model": 16, "d_ff": 32, "n_heads": 2, "n_layers": layers}
    return MODELS[name](TransformerConfig.tiny(vocab_size=10, **sizes)).eval()


@pytest.mark.parametrize("name", MODELS)
def test_all_runs_begin_with_the_same_weights(name):
    ours, usual = made(name), made("full")
    assert isinstance(ours, Transformer)
    assert ours.state_dict().keys() == usual.state_dict().keys()
    for key, value in ours.state_dict().items():
        assert torch.equal(value, usual.state_dict()[key])


@pytest.mark.parametrize("name", MODELS)
def test_a_token_sees_in_a_layer_as_far_as_the_window_says(name):
    kind, _, window = name.partition(" ")
    window = int(window) if window else 100
    attend = made(name, layers=1).encoder.layers[0].self_attention.attend
    query, key, value = (torch.randn(1, 2, 11, 8) for _ in range(3))

    def mixed(x):
        return (
            attend(query, key, x.view(11, 2, 8).transpose(0, 1)[None], None)[0]
            .transpose(0, 1)
            .flatten(1)
        )

    seen = influence(mixed, value[0].transpose(0, 1).flatten(1), probes=1) > 0
    place = torch.arange(11)
    assert torch.equal(seen, (place[:, None] - place).abs() <= window)
    assert kind in ("full", "window", "linear")


@pytest.mark.parametrize("name", MODELS)
def test_a_search_with_the_cache_writes_what_a_search_without_it_writes(name):
    model = made(name)
    with_cache, without = (
        greedy_search(m, SOURCE, max_length=14, min_length=12) for m in (model, Uncached(model))
    )
    assert [found.ids for found in with_cache] == [found.ids for found in without]
    for one, other in zip(with_cache, without, strict=True):
        assert one.score == pytest.approx(other.score, rel=1e-4)


@pytest.mark.parametrize("kind", [lambda: WindowedAttention(2), LinearAttention])
def test_padding_stays_hidden(kind):
    attend = kind()
    query, key, value = (torch.randn(1, 2, 6, 8) for _ in range(3))
    mask = torch.tensor([1, 1, 1, 1, 0, 0]).bool()[None, None, None]
    short = attend(query[..., :4, :], key[..., :4, :], value[..., :4, :], None)
    torch.testing.assert_close(attend(query, key, value, mask)[..., :4, :], short)
