"""Gradients before the first step: against a formula, and layer by layer as autograd has them."""

import torch
from torch.nn.functional import cross_entropy

from annotated_transformer.config import TransformerConfig
from annotated_transformer.lab.analysis.gradients import feed_forward_gradients, score_gradients
from annotated_transformer.transformer import Transformer

SIZES = {"vocab_size": 50, "n_layers": 2, "d_model": 16, "d_ff": 32, "n_heads": 2, "dropout": 0.0}


def test_what_arrives_is_the_jacobian_of_the_softmax_and_then_the_keys():
    for scaled, factor in ((True, 3.0), (False, 1.0)):
        at_scores, at_queries = score_gradients(9, scaled=scaled, queries=20, keys=5)
        torch.manual_seed(9)
        query, key, arriving = torch.randn(20, 1, 9), torch.randn(20, 5, 9), torch.randn(20, 1, 5)
        weights = (query @ key.mT / factor).softmax(-1)
        jacobian = torch.diag_embed(weights[:, 0]) - weights.mT @ weights
        expected = arriving @ jacobian
        torch.testing.assert_close(at_scores, expected.norm(dim=-1)[:, 0])
        torch.testing.assert_close(at_queries, (expected @ key / factor).norm(dim=-1)[:, 0])


def test_norms_are_those_of_the_layers_encoder_first():
    config = TransformerConfig(**SIZES)
    torch.manual_seed(3)
    model = Transformer(config)
    source, target = torch.randint(4, 50, (2, 16, 12))
    cross_entropy(model(source, target[:, :-1]).mT, target[:, 1:]).backward()
    for row, stack in enumerate((model.encoder, model.decoder)):
        for number, layer in enumerate(stack.layers):
            norm = layer.feed_forward.outer.weight.grad.norm()
            torch.testing.assert_close(feed_forward_gradients(config, 3)[row, number], norm)


def test_a_silenced_decoder_sends_the_encoder_nothing():
    encoder, decoder = feed_forward_gradients(TransformerConfig(**SIZES), 0, silenced=True)
    assert not encoder.any()
    assert decoder.all()


def test_the_callers_random_numbers_stay_as_they_were():
    torch.manual_seed(1)
    expected = torch.rand(3)
    torch.manual_seed(1)
    score_gradients(4, scaled=True)
    feed_forward_gradients(TransformerConfig(**SIZES), 0)
    assert torch.equal(torch.rand(3), expected)
