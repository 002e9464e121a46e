"""Rounded matrices against whole numbers written out, rounded models against their originals."""

import copy
import os
import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tiny import tiny_translator
from torch import nn

from annotated_transformer import Transformer, TransformerConfig, Translator
from annotated_transformer.decoding.cache import CachedPrefixes
from annotated_transformer.decoding.prefixes import WholePrefixes
from annotated_transformer.decoding.search import beam_search
from annotated_transformer.fast.int8 import (
    Int8Linear,
    in_precision,
    largest,
    quantised,
    rounded,
)
from annotated_transformer.fast.linear import Linear
from annotated_transformer.lab.caching import Uncached
from annotated_transformer.saving import save_model
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, PAD_ID

SHAPES = st.tuples(*[st.integers(1, 40)] * 3)
SEEDS = st.integers(0, 2**32 - 1)


def int8_linear(weight, bias=None):
    linear = nn.Linear(weight.size(1), len(weight), bias is not None).to(weight.dtype)
    linear.weight.data = weight
    if bias is not None:
        linear.bias.data = bias
    return Int8Linear.of(linear)


def draw(shape, seed):
    """Weights and inputs whose rows have sizes from 0.001 to 1000."""
    rows, width, outputs = shape
    torch.manual_seed(seed)
    x, weight = (torch.randn(n, width, dtype=torch.float64) for n in (rows, outputs))
    return [m * 10 ** torch.empty(len(m), 1).uniform_(-3, 3).double() for m in (x, weight)]


def tiny_model(dtype=torch.float64, **overrides):
    torch.manual_seed(0)
    sizes = {"n_layers": 2, "d_model": 16, "d_ff": 24, "n_heads": 2, "max_length": 48}
    model = Transformer(TransformerConfig(vocab_size=17, **(sizes | overrides))).to(dtype)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "w_" in name or name.startswith("output"):
                parameter.mul_(3)
    return model.eval()


SOURCE = torch.tensor([[5, 9, 3, 12, EOS_ID], [7, 4, EOS_ID, PAD_ID, PAD_ID], [8, EOS_ID, 0, 0, 0]])


# The rounding


@given(SHAPES, SEEDS)
def test_rounding_moves_a_value_by_half_a_step_at_most(shape, seed):
    x, _ = draw(shape, seed)
    whole, scale = rounded(x)
    assert whole.dtype == torch.int8
    assert ((whole * scale - x).abs() <= scale / 2 * (1 + 1e-12)).all()
    # The largest of each row takes the largest number: no part of the range lies idle.
    assert (whole.abs().amax(dim=1) == largest()).all()


def test_rounding_keeps_zeros_and_signs():
    whole, scale = rounded(torch.tensor([[0.0, 0.0], [3.0, -3.0], [1e-40, -1e-40]]))
    assert whole[:2].tolist() == [[0, 0], [largest(), -largest()]]
    assert scale.isfinite().all()
    assert (whole[2] * scale[2]).abs().max() < 1e-37


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_row_that_is_not_finite_gives_nothing_finite_and_the_others_do(value):
    found = Int8Linear.of(Linear(3, 2))(torch.tensor([[1.0, value, 2.0], [1.0, 2.0, 3.0]]))
    assert not found[0].isfinite().any()
    assert found[1].isfinite().all()


# The product


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("batch", [(7,), (1,), (0,), (2, 3), (2, 0, 3), ()])
def test_the_product_is_that_of_whole_numbers_written_out(batch, bias):
    linear = nn.Linear(33, 19, bias).double()
    x = torch.randn(*batch, 33, dtype=torch.float64)
    expected = np.empty((*batch, 19))
    weight = linear.weight.detach().numpy()
    for place in np.ndindex(batch):
        step = np.abs(x[place].numpy()).max() / largest()
        factors = np.rint(x[place].numpy() / step).astype(np.int64)
        for i, row in enumerate(weight):
            row_step = np.abs(row).max() / largest()
            total = factors @ np.rint(row / row_step).astype(np.int64)
            expected[(*place, i)] = total * step * row_step + (linear.bias[i].item() if bias else 0)
    found = Int8Linear.of(linear)(x)
    torch.testing.assert_close(found, torch.from_numpy(expected), rtol=1e-12, atol=1e-12)


@given(SHAPES, SEEDS)
def test_the_error_is_what_two_roundings_can_make_at_most(shape, seed):
    x, weight = draw(shape, seed)
    (_, step), (_, row_step) = rounded(x), rounded(weight)
    found = int8_linear(weight)(x)
    # (x + e)(w + f) - xw = xf + ew + ef, with |e| <= step / 2 and |f| <= row_step / 2.
    bound = (
        x.abs().sum(1, keepdim=True) * row_step.t() / 2
        + step / 2 * weight.abs().sum(1)
        + x.size(1) * step * row_step.t() / 4
    )
    assert ((found - x @ weight.t()).abs() <= bound * (1 + 1e-9)).all()


@given(SHAPES, SEEDS)
def test_a_row_does_not_depend_on_the_rest_of_the_batch(shape, seed):
    x, weight = (m.float() for m in draw(shape, seed))
    linear = int8_linear(weight, torch.randn(len(weight)))
    together = linear(x)
    assert all(torch.equal(linear(row[None])[0], y) for row, y in zip(x, together, strict=True))


@pytest.mark.parametrize("stride", [0, 1, 3, 8])
@pytest.mark.parametrize("width", [1, 8])
def test_the_stride_of_a_single_row_does_not_matter(width, stride):
    x, linear = torch.randn(1, width), Int8Linear.of(Linear(width, 5))
    assert torch.equal(linear(x.as_strided((1, width), (stride, 1))), linear(x))
    expected = x @ (linear.whole * linear.scale) + linear.bias
    torch.testing.assert_close(linear(x), expected, rtol=0, atol=0.1)


@pytest.mark.parametrize("bias", [False, True])
def test_three_joined_are_the_three_apart(bias):
    apart = [Int8Linear.of(Linear(16, outputs, bias)) for outputs in (5, 16, 9)]
    x = torch.randn(2, 3, 16)
    found = apart[0].joined(apart)(x)
    assert torch.equal(found, torch.cat([linear(x) for linear in apart], dim=-1))


EXACT = """
import torch
from annotated_transformer.fast.int8 import largest
n = largest()
for rows, width, outputs in ((1, 7, 3), (1, 512, 512), (4, 64, 32), (64, 513, 100), (9, 2048, 8)):
    for a, b in ((n, n), (n, -n), (-n, n), (-n, -n)):
        x, w = (torch.full((m, width), v, dtype=torch.int8) for m, v in ((rows, a), (outputs, b)))
        assert (torch._int_mm(x, w.t()) == a * b * width).all(), (n, rows, width, outputs)
if n == 63:  # rounded so coarsely only where it must be
    x = torch.full((4, 64), 127, dtype=torch.int8)
    assert not (torch._int_mm(x, x.t()) == 127 * 127 * 64).all()
print(n)
"""


@pytest.mark.parametrize("instructions", ["DEFAULT", "AVX512_CORE", "AVX2", "SSE41"])
def test_the_sums_are_exact_with_and_without_vnni(instructions):
    """oneDNN takes from its environment which of the processor's instructions it may use."""
    done = subprocess.run(
        [sys.executable, "-c", EXACT],
        env={**os.environ, "ONEDNN_MAX_CPU_ISA": instructions},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    # Which it is depends on the processor: PyTorch multiplies without oneDNN on some of them.
    assert int(done.stdout) in (127, 63)


# The model


def test_a_copy_is_rounded_and_the_model_is_left_alone():
    model = tiny_model()
    before = copy.deepcopy(model.state_dict())
    small = quantised(model)
    assert not any(isinstance(module, nn.Linear) for module in small.modules())
    assert model.state_dict().keys() == before.keys()
    assert all(torch.equal(model.state_dict()[name], before[name]) for name in before)
    assert torch.equal(small.source_embedding.weight, model.output.weight)
    assert model.output.weight is model.source_embedding.weight
    with torch.inference_mode():
        found = small(SOURCE, SOURCE)
        torch.testing.assert_close(found, model(SOURCE, SOURCE), rtol=0, atol=0.5)
        for same in (copy.deepcopy(small), quantised(small)):
            assert torch.equal(same(SOURCE, SOURCE), found)


@pytest.mark.parametrize(
    "overrides",
    [
        {},
        {"norm": "pre", "share_embeddings": False},
        {"positions": "rotary"},
        {"positions": "alibi"},
        {"bias": "all", "d_k": 3, "d_v": 10},
    ],
)
def test_a_search_with_the_cache_is_one_without(overrides):
    # In float64, where what comes to be rounded differs too little to be rounded otherwise.
    model = quantised(tiny_model(**overrides))
    with torch.inference_mode():
        whole, cached = WholePrefixes(model, SOURCE), CachedPrefixes(model, SOURCE)
        tokens = torch.full((3, 1), BOS_ID)
        for _ in range(6):
            logits = whole.step(tokens)
            torch.testing.assert_close(cached.step(tokens), logits, rtol=1e-9, atol=1e-9)
            tokens = 3 + logits[..., 3:].argmax(dim=-1)  # never padding, which attention skips
    found = beam_search(model, SOURCE, beam_size=3, n_best=3)
    expected = beam_search(Uncached(model), SOURCE, beam_size=3, n_best=3)
    assert [[h.ids for h in row] for row in found] == [[h.ids for h in row] for row in expected]


def test_the_step_of_a_search_multiplies_queries_keys_and_values_together(monkeypatch):
    widths = []
    forward = Int8Linear.forward
    monkeypatch.setattr(
        Int8Linear, "forward", lambda self, x: widths.append(self.out_features) or forward(self, x)
    )
    with torch.inference_mode():
        prefixes = CachedPrefixes(quantised(tiny_model()), SOURCE)
        widths.clear()
        prefixes.step(torch.full((3, 1), BOS_ID))
    # Of each layer: all three together, output, query and output of the other attention, network.
    assert widths == [48, 16, 16, 16, 24, 16] * 2 + [17]


def test_it_cannot_be_trained():
    model = quantised(tiny_model()).train()
    with pytest.raises(ValueError, match=r"have no gradient and cannot be trained.*inference_mode"):
        model(SOURCE, SOURCE)


def test_another_device_is_refused_by_its_name():
    with pytest.raises(ValueError, match="int8 is for the device cpu; this model is on meta"):
        quantised(tiny_model().to("meta"))
    moved = Int8Linear.of(Linear(4, 4)).to("meta")
    with pytest.raises(ValueError, match="int8 is for the device cpu; this model is on meta"):
        moved(torch.zeros(2, 4, device="meta"))


def test_a_pytorch_without_the_product_is_refused(monkeypatch):
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: False)
    with pytest.raises(ValueError, match="int8 needs a PyTorch with oneDNN"):
        quantised(tiny_model())


def test_it_is_not_saved(tmp_path):
    translator = tiny_translator()
    with pytest.raises(ValueError, match="in int8 is not saved: take the one that it was made"):
        save_model(tmp_path / "model", quantised(translator.model), translator.tokenizer)
    assert not (tmp_path / "model").exists()


def test_precision_is_one_of_two():
    model = tiny_model()
    assert in_precision(model, "float32") is model
    assert isinstance(in_precision(model, "int8").output, Int8Linear)
    with pytest.raises(ValueError, match="precision is 'int4'; expected one of float32, int8"):
        Translator.load("english_korean", precision="int4")
