"""Attributions of functions whose answer is known, and completeness on a whole model."""

import pytest
import torch

from annotated_transformer import Transformer, TransformerConfig
from annotated_transformer.lab.analysis.attribution import (
    Choice,
    gradient_times_input,
    integrated_gradients,
    leave_one_out,
    of_embeddings,
    of_kept,
)

TOKENS, WIDTH = 5, 4
CHOICE = Choice(source=(7, 5, 9, 2), written=(1, 6), token=8)


@pytest.fixture
def vectors():
    return torch.randn(TOKENS, WIDTH, dtype=torch.float64)


@pytest.fixture
def model():
    torch.manual_seed(0)
    sizes = {"n_layers": 2, "d_model": 8, "n_heads": 2, "d_ff": 16, "dropout": 0.0}
    return Transformer(TransformerConfig.base(vocab_size=12, **sizes)).double().eval()


def test_all_agree_on_a_linear_function(vectors):
    weight = torch.randn(TOKENS, WIDTH, dtype=torch.float64)
    parts = (weight * vectors).sum(1)

    def linear(x):
        return (x * weight).sum((1, 2)) + 3

    def kept(mask):
        return (mask.double() * parts).sum(1) + 3

    torch.testing.assert_close(gradient_times_input(linear, vectors), parts)
    torch.testing.assert_close(integrated_gradients(linear, vectors, steps=1), parts)
    torch.testing.assert_close(leave_one_out(kept, TOKENS), parts)


def test_a_function_that_is_full_has_an_integral_and_no_gradient(vectors):
    """1 - exp(-50 s): at the end nothing changes any more, on the way everything did."""

    def saturated(x):
        return 1 - torch.exp(-50 * x.sum((1, 2)))

    x = vectors.abs()
    assert gradient_times_input(saturated, x).abs().max() < 1e-9
    found = integrated_gradients(saturated, x, steps=5000)
    assert found.sum().item() == pytest.approx(1, abs=1e-2)
    torch.testing.assert_close(found / found.sum(), x.sum(1) / x.sum())


def test_integrated_gradients_of_a_model_are_complete(model):
    function = of_embeddings(model, CHOICE)
    x = model.source_embedding(torch.tensor([CHOICE.source]))[0].detach()
    with torch.no_grad():
        whole, empty = function(torch.stack([x, torch.zeros_like(x)]))
    found = integrated_gradients(function, x, steps=4096)
    assert found.sum().item() == pytest.approx((whole - empty).item(), abs=1e-4)
    assert abs((whole - empty).item()) > 0.1
    few = integrated_gradients(function, x, steps=2)
    assert abs(few.sum() - (whole - empty)) > 10 * abs(found.sum() - (whole - empty))


def test_the_embeddings_of_a_choice_give_what_the_model_says(model):
    x = model.source_embedding(torch.tensor([CHOICE.source]))
    logits = model(torch.tensor([CHOICE.source]), torch.tensor([CHOICE.written]))
    expected = logits[0, -1].log_softmax(-1)[CHOICE.token]
    torch.testing.assert_close(of_embeddings(model, CHOICE)(x)[0], expected)
    whole = torch.ones(1, 4, dtype=torch.bool)
    torch.testing.assert_close(of_kept(model, CHOICE)(whole)[0], expected)


def test_what_is_not_kept_can_be_any_token(model):
    """A hidden last token is as if it had never been there; a hidden first one leaves its place."""
    kept = torch.tensor([[False, True, True, True]])
    other = CHOICE._replace(source=(11, *CHOICE.source[1:]))
    found = of_kept(model, CHOICE)(kept)
    torch.testing.assert_close(found, of_kept(model, other)(kept))
    assert not torch.allclose(found, of_kept(model, CHOICE)(~torch.zeros_like(kept)))
    shorter = CHOICE._replace(source=CHOICE.source[:3])
    first_three = torch.tensor([[True, True, True, False]])
    torch.testing.assert_close(
        of_kept(model, CHOICE)(first_three), of_kept(model, shorter)(first_three[:, :3])
    )


def test_no_steps_are_refused(vectors):
    with pytest.raises(ValueError, match="steps=0: expected at least 1"):
        integrated_gradients(lambda x: x.sum((1, 2)), vectors, steps=0)
