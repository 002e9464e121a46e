import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from typechecking import unchecked

from annotated_transformer.attention import attention, attention_weights
from annotated_transformer.config import TransformerConfig
from annotated_transformer.lab.analysis.influence import influence
from annotated_transformer.masks import causal_mask, masked_softmax, padding_mask
from annotated_transformer.transformer import Transformer

PAD = 0
CONFIG = {"vocab_size": 20, "n_layers": 3, "d_model": 16, "d_ff": 24, "n_heads": 4}


def test_causal_mask_written_out():
    expected = [
        [1, 0, 0, 0, 0],
        [1, 1, 0, 0, 0],
        [1, 1, 1, 0, 0],
        [1, 1, 1, 1, 0],
        [1, 1, 1, 1, 1],
    ]
    assert causal_mask(5).tolist() == [[bool(x) for x in row] for row in expected]


def test_padding_mask_written_out():
    mask = padding_mask(torch.tensor([[5, 6, 2, 0], [7, 2, 0, 0]]))
    assert mask.shape == (2, 1, 1, 4)
    assert mask[:, 0, 0].tolist() == [[True, True, True, False], [True, True, False, False]]


def test_any_id_may_be_the_padding():
    mask = padding_mask(torch.tensor([[4, 6, 5, 5]]), padding_id=5)
    assert mask[0, 0].tolist() == [[True, True, False, False]]


def test_numbers_of_a_bias_are_added_and_minus_infinity_hides():
    query, key = torch.randn(2, 3, 4, 16, dtype=torch.float64).unbind()
    bias = torch.randn(3, 4, 4, dtype=torch.float64)
    bias[:, 1, 2:] = -math.inf
    bias[:, 2] = -math.inf
    powers = (query @ key.mT / 4 + bias).exp()
    expected = powers / powers.sum(dim=-1, keepdim=True).clamp_min(1e-300)
    found = attention_weights(query, key, None, bias)
    torch.testing.assert_close(found, expected)
    assert found[:, 2].eq(0).all()
    mask = causal_mask(4)
    both = attention_weights(query, key, mask, bias)
    torch.testing.assert_close(
        both, attention_weights(query, key, None, bias.masked_fill(~mask, -math.inf))
    )


def test_padding_and_causal_combine_by_and():
    mask = padding_mask(torch.tensor([[1, 5, 0]])) & causal_mask(3)
    assert mask[0, 0].int().tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 0]]


def test_an_empty_sentence_has_an_empty_mask():
    assert causal_mask(0).shape == (0, 0)
    assert padding_mask(torch.zeros(2, 0, dtype=torch.long)).shape == (2, 1, 1, 0)


def test_nonsense_is_answered_with_a_sentence():
    for length in (-1, 2.5, "3", True):
        with (
            unchecked(),
            pytest.raises(ValueError, match=f"length={length!r}: a mask needs a whole number"),
        ):
            causal_mask(length)
    with unchecked(), pytest.raises(ValueError, match=r"ids have shape \(3,\).*ids\[None\]"):
        padding_mask(torch.tensor([1, 2, 0]))


def test_additive_mask_is_refused_by_attention():
    x = torch.zeros(3, 4)
    with unchecked(), pytest.raises(ValueError, match=r"dtype torch\.float32; it must be torch\.b"):
        attention(x, x, x, torch.zeros(3, 3))
    with unchecked(), pytest.raises(ValueError, match=r"dtype torch\.float32; it must be torch\.b"):
        masked_softmax(x @ x.T, torch.zeros(3, 3))


# --- what finite numbers do in place of minus infinity


@settings(max_examples=50)
@given(st.integers(1, 6), st.integers(1, 6), st.floats(-20, 0), st.integers(0, 2**16))
def test_the_leak_of_a_finite_mask_is_bounded_as_the_chapter_proves(allowed, hidden, c, seed):
    torch.manual_seed(seed)
    scores = 3 * torch.randn(allowed + hidden, dtype=torch.float64)
    is_hidden = torch.arange(allowed + hidden) >= allowed
    most, worst = scores[~is_hidden].max(), scores[is_hidden].max()
    filled = scores.masked_fill(is_hidden, c).softmax(-1)[is_hidden].sum()
    added = (scores + c * is_hidden.double()).softmax(-1)[is_hidden].sum()
    assert filled <= hidden * (c - most).exp() * (1 + 1e-12)
    assert added <= hidden * (c + worst - most).exp() * (1 + 1e-12)


@settings(max_examples=50)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**16))
def test_a_finite_mask_in_an_empty_row_is_uniform_or_no_mask_at_all(n_query, n_key, seed):
    torch.manual_seed(seed)
    scores = torch.randn(n_query, n_key, dtype=torch.float64)
    nothing = torch.zeros(n_query, n_key, dtype=torch.bool)
    filled = scores.masked_fill(~nothing, -1e9).softmax(-1)
    torch.testing.assert_close(filled, torch.full_like(filled, 1 / n_key))
    added = (scores - 1e4).softmax(-1)
    torch.testing.assert_close(added, scores.softmax(-1), atol=1e-9, rtol=1e-9)


@settings(max_examples=50)
@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 2**16))
def test_attention_is_the_limit_of_a_vanishing_key_empty_rows_included(n_query, n_key, seed):
    torch.manual_seed(seed)
    query, key, value = (torch.randn(n, 4, dtype=torch.float64) for n in (n_query, n_key, n_key))
    mask = torch.rand(n_query, n_key) < 0.4
    output, _ = attention(query, key, value, mask)
    # One more key, open to all: a query with one more component, so that its score is as wished.
    wide = torch.cat([query, torch.ones(n_query, 1, dtype=torch.float64)], dim=-1)
    fading = torch.zeros(1, 5, dtype=torch.float64)
    fading[0, -1] = -60 * math.sqrt(5)
    keys = torch.cat([torch.nn.functional.pad(key * math.sqrt(5 / 4), (0, 1)), fading])
    values = torch.cat([value, torch.zeros(1, 4, dtype=torch.float64)])
    opened = torch.cat([mask, torch.ones(n_query, 1, dtype=torch.bool)], dim=-1)
    near, _ = attention(wide, keys, values, opened)
    torch.testing.assert_close(near, output, atol=1e-12, rtol=1e-9)


def test_an_added_minus_infinity_poisons_every_key_and_an_overwritten_score_none():
    torch.manual_seed(0)
    mask = causal_mask(3)
    mask[0] = False
    bias = torch.zeros(3, 3).masked_fill(~mask, -math.inf)
    for added in (True, False):
        query, key, value = (torch.randn(3, 4, requires_grad=True) for _ in range(3))
        if added:
            weights = (query @ key.T / 2 + bias).softmax(-1)
            weights = weights.masked_fill(~mask.any(-1, keepdim=True), 0.0)
        else:
            weights = attention_weights(query, key, mask)
        (weights @ value)[1:].sum().backward()
        assert query.grad.isnan().any(-1).tolist() == [added, False, False]
        assert key.grad.isnan().any(-1).tolist() == [added] * 3


# --- what flows


def linear(relation):
    """One layer whose row i is made of the rows that the relation names."""
    torch.manual_seed(0)
    weights = torch.randn(*relation.shape, 5, 5, dtype=torch.float64) * relation[..., None, None]
    return lambda x: torch.einsum("ijab,jb->ia", weights, x), weights


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    return Transformer(TransformerConfig.base(**CONFIG)).double().eval()


@pytest.fixture(scope="module")
def ids():
    source = torch.tensor([[5, 6, 7, 2, PAD, PAD]])
    return source, torch.tensor([[1, 8, 9, 10, PAD]])


def flows(model, ids, source_mask, target_mask):
    """Influence of the source on the memory, and of target and source on the decoder's rows."""
    source, target = ids
    x = model.source_positions(model.source_embedding(source))[0]
    y = model.target_positions(model.target_embedding(target))[0]
    memory = model.encoder(x[None], source_mask).detach()

    def decoder(y, memory):
        return model.decoder(y[None], memory, target_mask, padding_mask(source))[0]

    return (
        influence(lambda x: model.encoder(x[None], source_mask)[0], x),
        influence(lambda y: decoder(y, memory), y),
        influence(lambda memory: decoder(y.detach(), memory[None]), memory[0]),
    )


def test_exactly_the_allowed_positions_and_oneself_are_seen_at_any_depth(model, ids):
    source, target = ids
    real, mask = padding_mask(source), padding_mask(target) & causal_mask(5)
    encoder, decoder, cross = flows(model, ids, real, mask)
    assert torch.equal(encoder > 0, real[0, 0] | torch.eye(6, dtype=torch.bool))
    assert torch.equal(decoder > 0, mask[0, 0] | torch.eye(5, dtype=torch.bool))
    assert torch.equal(cross > 0, real[0, 0].expand(5, 6))


def test_a_padding_mask_on_query_rows_is_caught(model, ids):
    source, target = ids
    by_rows = padding_mask(target).mT & causal_mask(5)
    decoder = flows(model, ids, padding_mask(source), by_rows)[1]
    encoder = flows(model, ids, padding_mask(source).mT.expand(1, 1, 6, 6), by_rows)[0]
    assert (encoder[:4, 4:] > 0).all()  # every real row reads padding
    # Behind the real rows, padding is hidden from them by the causal mask all the same ...
    right = flows(model, ids, padding_mask(source), padding_mask(target) & causal_mask(5))[1]
    assert torch.equal(decoder[:4], right[:4])
    # ... and in front of them it is not.
    left = (source, target.roll(1, dims=1))
    by_rows = padding_mask(left[1]).mT & causal_mask(5)
    assert (flows(model, left, padding_mask(source), by_rows)[1][1:, 0] > 0).all()


def test_hiding_the_diagonal_hides_nobody_from_himself(model, ids):
    source, _ = ids
    strict = (causal_mask(5) & ~torch.eye(5, dtype=torch.bool))[None, None]
    assert (flows(model, ids, padding_mask(source), strict)[1].diagonal() > 0).all()


def test_one_pass_gives_the_logits_of_every_prefix(model, ids):
    source, target = ids[0], torch.tensor([[1, 8, 9, 10, 11]])
    with torch.no_grad():
        whole = model(source, target)[0]
        filled = torch.zeros_like(target)
        for t in range(5):
            filled[0, t] = target[0, t]
            prefix = model(source, target[:, : t + 1])[0, -1]
            torch.testing.assert_close(whole[t], prefix, atol=1e-12, rtol=0)
            # Padding in place of what is not yet written changes nothing.
            torch.testing.assert_close(model(source, filled)[0, t], prefix, atol=1e-12, rtol=0)
