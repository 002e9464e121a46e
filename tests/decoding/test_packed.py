"""Packed matrices against the plain ones: logits, searches, hooks, and what is left alone."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from options import CHOICES
from torch.nn import functional as F

from annotated_transformer import Translator
from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding import packed as module
from annotated_transformer.decoding.cache import CachedPrefixes
from annotated_transformer.decoding.packed import (
    ROWS_WORTH_PACKING,
    Packed,
    PackedLinear,
    can_pack,
    packed,
)
from annotated_transformer.decoding.prefixes import WholePrefixes
from annotated_transformer.decoding.search import beam_search, greedy_search
from annotated_transformer.fast.int8 import Int8Linear, quantised
from annotated_transformer.fast.linear import Linear
from annotated_transformer.lab.caching import Uncached
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.tokenizer import BOS_ID
from annotated_transformer.transformer import Transformer

VARIANTS = {
    "paper": {},
    **CHOICES,
    "pre-LN, biases everywhere": {"norm": "pre", "bias": "all", "activation": "gelu"},
    "ALiBi, three heads": {"positions": "alibi", "n_heads": 3, "d_k": 5, "d_v": 7},
    "separate embeddings": {"share_embeddings": False, "positions": "learned"},
}
SOURCE = torch.tensor([[5, 9, 4, 2], [6, 2, 0, 0], [8, 7, 2, 0]] * 4)


def make_model(seed=0, **overrides):
    torch.manual_seed(seed)
    sizes = {"vocab_size": 23, "n_layers": 2, "d_model": 16, "d_ff": 24, "n_heads": 2}
    model = Transformer(TransformerConfig(**(sizes | {"max_length": 24} | overrides))).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model


def products_of(model):
    return [m.product for m in model.modules() if isinstance(m, PackedLinear)]


@settings(max_examples=40)
@given(
    rows=st.integers(1, 40),
    inside=st.integers(1, 70),
    outside=st.integers(1, 70),
    bias=st.booleans(),
    seed=st.integers(0, 99),
)
def test_a_product_of_any_size_is_that_of_the_formula(rows, inside, outside, bias, seed):
    torch.manual_seed(seed)
    weight, b = torch.randn(outside, inside), torch.randn(outside) if bias else None
    product = Packed(weight, b)
    for x in (torch.randn(rows, 1, inside), torch.randn(inside, rows).t()):
        with torch.inference_mode():
            found = product(x)
        expected = F.linear(x.double(), weight.double(), None if b is None else b.double())
        torch.testing.assert_close(found.double(), expected, rtol=1e-5, atol=1e-4)
    assert (product.blocks is None) == (rows < ROWS_WORTH_PACKING)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("width", [1, 3])
def test_logits_are_those_of_whole_prefixes(variant, width):
    model = make_model(**VARIANTS[variant])
    exact = make_model(**VARIANTS[variant]).double()
    with torch.inference_mode():
        cached, whole = CachedPrefixes(model, SOURCE), WholePrefixes(exact, SOURCE)
        tokens = torch.full((len(SOURCE), 1), BOS_ID)
        for _ in range(20):
            found, expected = cached.step(tokens), whole.step(tokens)
            torch.testing.assert_close(found.double(), expected, rtol=1e-3, atol=1e-3)
            parents = [[0] * width] * len(SOURCE)
            for prefixes in (cached, whole):
                prefixes.select(range(len(SOURCE)), parents)
            tokens = torch.randint(3, 23, (len(SOURCE), width))
    inner = cached.model.decoder.layers[0].feed_forward.inner
    assert inner.product.blocks is not None, "packed, and not the plain product"


def test_the_shipped_model_translates_as_without_packed_matrices(monkeypatch):
    texts = [pair.source for pair in english_korean("test")[:60]]
    found = {}
    for kind in ("packed", "plain"):
        if kind == "plain":
            monkeypatch.setattr(module, "can_pack", lambda _: False)
        translator = Translator.load("english_korean")
        [ids] = {tuple(h.ids for [h] in translator.hypotheses(texts))}
        source = translator._padded([translator.tokenizer.source_ids(text) for text in texts])
        greedy = [h.ids for h in greedy_search(translator.model, source)]
        found[kind] = [*ids, *greedy]
    assert found["packed"] == found["plain"]


def test_a_translator_packs_once_for_all_its_batches(monkeypatch):
    calls = []
    reorder = torch.ops.mkldnn._reorder_linear_weight
    monkeypatch.setattr(module, "in_blocks", lambda weight: calls.append(1) or reorder(weight))
    translator = Translator.load("english_korean", beam_size=1, batch_size=10)
    texts = [pair.source for pair in english_korean("test")[:30]]
    translator(texts)
    layers = translator.model.config.n_layers
    # Query, key and value together; three more of the attentions, two of the network.
    assert len(calls) == 6 * layers + 1


def test_few_rows_are_not_worth_packing():
    model = make_model()
    with torch.inference_mode():
        prefixes = CachedPrefixes(model, SOURCE[: ROWS_WORTH_PACKING - 1])
        prefixes.step(torch.full((ROWS_WORTH_PACKING - 1, 1), BOS_ID))
    assert all(product.blocks is None for product in products_of(prefixes.model))


def test_what_has_changed_between_two_searches_counts():
    model = make_model()
    before = greedy_search(model, SOURCE, max_length=8)
    with torch.no_grad():
        model.output.weight.data.copy_(model.output.weight.flip(0))
    after = greedy_search(model, SOURCE, max_length=8)
    assert [h.ids for h in after] != [h.ids for h in before]
    expected = greedy_search(Uncached(model), SOURCE, max_length=8)
    assert [h.ids for h in after] == [h.ids for h in expected]


def test_the_model_is_shared_and_stays_as_it_was():
    model = make_model()
    twin = packed(model)
    assert [*map(id, twin.parameters())] == [*map(id, model.parameters())]
    assert type(twin) is type(model)
    assert not products_of(model), "its own matrices are not replaced"
    assert len(products_of(twin)) == 2 * (4 + 4 + 2) + 1
    assert twin.encoder is model.encoder
    seen = []
    hook = model.decoder.layers[1].feed_forward.inner.register_forward_hook(
        lambda *_: seen.append(1)
    )
    beam_search(model, SOURCE, max_length=3)
    hook.remove()
    beam_search(model, SOURCE, max_length=3)
    assert len(seen) == 3, "hooks see a search, and no longer than they are there"


def test_with_a_gradient_the_product_is_the_plain_one():
    linear = Linear(16, 8)
    x = torch.randn(40, 16, requires_grad=True)
    own, other = PackedLinear.of(linear)(x), linear(x)
    for y in (own, other):
        y.sum().backward()
    assert torch.equal(own, other)
    assert linear.weight.grad is not None


def test_only_float32_on_a_cpu_is_packed():
    assert can_pack(make_model()) == torch.backends.mkldnn.is_available()
    for other in (make_model().double(), make_model().bfloat16(), make_model().to("meta")):
        assert not can_pack(other)
        assert packed(other) is other
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert not can_pack(make_model())


def test_rounded_matrices_stay_rounded():
    twin = packed(quantised(make_model()))
    assert not products_of(twin)
    assert isinstance(twin.decoder.layers[0].feed_forward.inner, Int8Linear)


@pytest.mark.parametrize("where", ["feed_forward.inner", "self_attention.w_key"])
def test_a_search_takes_a_parametrised_matrix_as_it_is(where):
    model = make_model()
    expected = greedy_search(model, SOURCE)
    linear = model.decoder.layers[1].get_submodule(where)
    torch.nn.utils.parametrizations.weight_norm(linear)
    found = greedy_search(model, SOURCE)
    assert [each.ids for each in found] == [each.ids for each in expected]
    scores = [each.score for each in expected]
    assert [each.score for each in found] == pytest.approx(scores, rel=1e-4)
