"""T5 against Hugging Face's, on copied weights and on directories that it saved itself."""

import pytest
import torch
from family_oracle import assert_same_gradients, copied, disturbed
from torch.nn import functional as F
from transformers import T5Config as TheirConfig
from transformers import T5ForConditionalGeneration
from transformers.models.t5.modeling_t5 import T5Attention, T5LayerNorm
from typechecking import unchecked

from annotated_transformer.decoding.search import greedy_search
from annotated_transformer.lab.family import T5, T5Config, fit
from annotated_transformer.lab.family.t5.distances import RelativeBias, bucket
from annotated_transformer.lab.family.t5.parts import GatedFeedForward, RMSNorm, UndividedAttention
from annotated_transformer.layers import LayerNorm

SETTINGS = {
    "vocab_size": 30,
    "d_model": 16,
    "d_kv": 6,
    "d_ff": 24,
    "num_layers": 2,
    "num_heads": 3,
    "relative_attention_num_buckets": 8,
    "relative_attention_max_distance": 12,
    "decoder_start_token_id": 0,
}
V11 = {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}
SIZES = {"vocab_size": 20, "n_layers": 2, "d_model": 16, "d_ff": 24, "n_heads": 2, "dropout": 0.0}


@pytest.fixture
def in_float64(monkeypatch):
    """Let the reference normalise in the precision of its input.

    It computes the mean of squares in float32 whatever it is given: to 1e-10, that is another
    function. The formula here is theirs without the conversion.
    """

    def forward(self, x):
        variance = x.pow(2).mean(-1, keepdim=True)
        return self.weight * (x * torch.rsqrt(variance + self.variance_epsilon))

    monkeypatch.setattr(T5LayerNorm, "forward", forward)


def reference(**settings):
    torch.manual_seed(0)
    theirs = T5ForConditionalGeneration(TheirConfig(**SETTINGS | settings))
    if "tie_word_embeddings" in settings:  # 1.1 has a matrix of its own, which their class ties
        theirs.lm_head.weight = torch.nn.Parameter(torch.randn(30, 16))
    return disturbed(theirs)


def texts():
    source, target = torch.randint(2, 30, (3, 17)), torch.randint(2, 30, (3, 15))
    source[1, 6:] = 0
    target[:, 0] = 0
    target[2, 9:] = 0
    return source, target


def logits_of(theirs, source, target):
    return theirs(source, attention_mask=(source != 0).long(), decoder_input_ids=target).logits


@pytest.mark.parametrize("settings", [{}, V11], ids=["1.0", "1.1"])
def test_it_is_the_reference_forward_and_gradient(settings, in_float64):
    theirs = reference(**settings)
    ours = copied(T5, theirs)
    assert ours.config.gated == ours.decoder.layers[1].feed_forward.__class__.__name__.startswith(
        "G"
    )
    assert ours.config.share_embeddings != hasattr(ours, "output")
    source, target = texts()
    assert_same_gradients(ours, theirs, ours(source, target), logits_of(theirs, source, target))


def test_the_untouched_reference_agrees_to_the_precision_of_its_norms():
    theirs = reference()
    source, target = texts()
    found, expected = copied(T5, theirs)(source, target), logits_of(theirs, source, target)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("settings", [{}, V11], ids=["1.0", "1.1"])
def test_it_reads_what_the_reference_saved(settings, tmp_path, in_float64):
    theirs = reference(**settings)
    theirs.save_pretrained(tmp_path)
    ours = T5.from_pretrained(tmp_path)
    source, target = texts()
    expected = logits_of(theirs, source, target)
    torch.testing.assert_close(ours(source, target), expected, rtol=1e-10, atol=1e-10)


def test_the_loss_is_that_of_the_reference(in_float64):
    theirs = reference()
    source, target = texts()
    wanted = target[:, 1:].masked_fill(target[:, 1:] == 0, -100)
    expected = theirs(source, attention_mask=(source != 0).long(), labels=wanted).loss
    torch.testing.assert_close(copied(T5, theirs).loss(source, target), expected)


@pytest.mark.parametrize("is_decoder", [False, True])
def test_an_attention_with_its_biases_is_the_reference_s_alone(is_decoder):
    config = TheirConfig(**SETTINGS, is_decoder=is_decoder)
    theirs = disturbed(T5Attention(config, has_relative_attention_bias=True, layer_idx=0))
    ours = UndividedAttention(16, 3, 6, 6).double()
    bias = RelativeBias(3, 8, 12, both_sides=not is_decoder).double()
    with torch.no_grad():
        bias.weight.copy_(theirs.relative_attention_bias.weight)
        for name in ("query", "key", "value", "output"):
            getattr(ours, f"w_{name}").weight.copy_(getattr(theirs, name[0]).weight)
    x = torch.randn(2, 15, 16, dtype=torch.float64)
    found, expected = ours(x, x, x, attn_bias=bias(15)), theirs(x)[0]
    torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-10)


def bucket_by_hand(distance, n_buckets, max_distance, both_sides):
    """Bucket k of the far ones begins where distance / exact = (max / exact)^(k / far)."""
    first = 0
    if both_sides:
        n_buckets //= 2
        first = n_buckets if distance > 0 else 0
        distance = abs(distance)
    else:
        distance = max(-distance, 0)
    exact = n_buckets // 2
    if distance < exact:
        return first + distance
    far = n_buckets - exact
    # Whole numbers, so that no rounding decides at a border.
    begun = [k for k in range(far) if distance**far * exact**k >= max_distance**k * exact**far]
    return first + exact + max(begun)


@pytest.mark.parametrize("both_sides", [True, False])
@pytest.mark.parametrize("sizes", [(32, 128), (8, 12), (10, 40)])
def test_buckets_are_those_of_the_reference_and_of_the_formula(sizes, both_sides):
    distances = torch.arange(-600, 601)
    found = bucket(distances, *sizes, both_sides=both_sides)
    expected = T5Attention._relative_position_bucket(distances, both_sides, *sizes)
    assert torch.equal(found, expected)
    assert found.tolist() == [bucket_by_hand(d, *sizes, both_sides) for d in range(-600, 601)]


def test_near_distances_have_buckets_of_their_own_and_far_ones_share_one():
    near = bucket(torch.arange(-7, 8), 32, 128, both_sides=True)
    assert near.unique().numel() == 15
    far = bucket(torch.tensor([128, 500, 10**6]), 32, 128, both_sides=True)
    assert far.tolist() == [31, 31, 31]
    later = bucket(torch.tensor([1, 5, 500]), 32, 128, both_sides=False)
    assert later.tolist() == [0, 0, 0]


def test_the_biases_are_of_the_distance_alone_and_of_each_head():
    bias = RelativeBias(3, 8, 12, both_sides=True)(20)
    torch.testing.assert_close(bias[..., 1:, 1:], bias[..., :-1, :-1])
    assert not torch.allclose(bias[:, 0], bias[:, 1])


def test_rms_norm_is_layer_norm_without_the_mean():
    x = torch.randn(4, 16, dtype=torch.float64) + 3
    rms, layer = RMSNorm(16, 1e-6).double(), LayerNorm(16, 1e-6).double()
    with torch.no_grad():
        rms.gain.normal_()
        layer.gain.copy_(rms.gain)
    by_hand = rms.gain * x / (x.pow(2).mean(-1, keepdim=True) + 1e-6).sqrt()
    torch.testing.assert_close(rms(x), by_hand, rtol=1e-12, atol=1e-12)
    centred = x - x.mean(-1, keepdim=True)
    torch.testing.assert_close(rms(centred), layer(x), rtol=1e-12, atol=1e-12)
    assert not torch.allclose(rms(x), layer(x))


def test_the_gate_multiplies_what_was_activated():
    network = GatedFeedForward(4, 6, "gelu_tanh").double()
    x = torch.randn(2, 4, dtype=torch.float64)
    gate = x @ network.gate.weight.T
    inner = F.gelu(x @ network.inner.weight.T, approximate="tanh")
    torch.testing.assert_close(network(x), (inner * gate) @ network.outer.weight.T)


def test_the_first_scores_have_the_variance_of_the_paper_s():
    """Queries begin sqrt(d_k) times smaller in place of the division."""
    torch.manual_seed(0)
    attention = UndividedAttention(64, 4)
    attention.initialise()
    x = torch.randn(1, 200, 64)
    query, key, _ = attention.project(x, x, x)
    assert (query @ key.transpose(-2, -1)).var().item() == pytest.approx(1, rel=0.3)


@pytest.fixture
def small():
    return T5(T5Config(**SIZES)).double().eval()


def test_the_decoder_is_causal_and_the_encoder_is_not(small):
    source, target = torch.randint(3, 20, (2, 8)), torch.randint(3, 20, (2, 7))
    changed = target.clone()
    changed[:, 4] = (changed[:, 4] - 2) % 17 + 3
    before, after = small(source, target), small(source, changed)
    assert torch.equal(before[:, :4], after[:, :4])
    assert (before[:, 4:] != after[:, 4:]).any(-1).all()
    other = source.clone()
    other[:, -1] = (other[:, -1] - 2) % 17 + 3
    assert (small.encode(source) != small.encode(other)).any(-1).all()


def test_what_fills_up_a_source_changes_nothing(small):
    source, target = torch.randint(3, 20, (2, 8)), torch.randint(3, 20, (2, 7))
    longer = F.pad(source, (0, 5))
    torch.testing.assert_close(small(longer, target), small(source, target))
    assert small(torch.zeros_like(source), target).isfinite().all()


def test_without_the_biases_the_order_of_the_source_is_lost(small):
    source, target = torch.randint(3, 20, (1, 8)), torch.randint(3, 20, (1, 4))
    mixed = source[:, torch.randperm(8)]
    assert not torch.allclose(small(source, target), small(mixed, target))
    torch.nn.init.zeros_(small.encoder_bias.weight)
    torch.testing.assert_close(small(source, target), small(mixed, target))


def test_it_has_no_bias_but_those_of_distances(small):
    names = [name for name, _ in small.named_parameters() if "bias" in name]
    assert names == ["encoder_bias.weight", "decoder_bias.weight"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"feed_forward_proj": "gated-silu"}, "feed_forward_proj='gated-silu' is not built here"),
        ({"num_decoder_layers": 1}, "num_layers=2 and num_decoder_layers=1; only equal"),
    ],
)
def test_what_is_not_built_is_refused_by_name(settings, message):
    with pytest.raises(ValueError, match=message):
        T5.config_from(TheirConfig(**SETTINGS).to_dict() | settings, "config.json")


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"n_buckets": 7}, "n_buckets=7 must be even and 4 or more"),
        ({"n_buckets": 2}, "n_buckets=2 must be even and 4 or more"),
        ({"max_distance": 16}, "max_distance=16 must be more than 16"),
    ],
)
def test_sizes_without_buckets_are_refused(sizes, message):
    with pytest.raises(ValueError, match=message):
        T5Config(**SIZES | sizes)


def test_bad_texts_are_refused(small):
    ids = torch.randint(3, 20, (2, 5))
    with pytest.raises(ValueError, match="token id 20 is outside the vocabulary of 20"):
        small(ids, torch.full((2, 3), 20))
    with unchecked(), pytest.raises(ValueError, match="1 targets for 2 sources"):
        small(ids, ids[:1])
    for target in (ids[:, :1], torch.zeros_like(ids), ids[:0]):
        with pytest.raises(ValueError, match="have nothing to learn"):
            small.loss(ids[: len(target)], target)


def test_it_learns_to_write_a_text_backwards():
    torch.manual_seed(0)
    model = T5(T5Config(**SIZES | {"n_layers": 1, "d_model": 32}))
    generator = torch.Generator().manual_seed(0)

    def batches(n):
        for _ in range(n):
            source = 3 + torch.rand(32, 5, generator=generator).argsort(-1)[:, :3]
            start = torch.ones(32, 1, dtype=torch.long)
            yield source, torch.cat([start, source.flip(1), 2 * start], dim=1)

    losses = fit(model, batches(150), rate=5e-3, warmup=20)
    assert losses[-1] < 0.3 * losses[0]
    assert all(p.grad.isfinite().all() for p in model.parameters())


def test_the_search_of_the_book_writes_its_most_probable_tokens(small):
    source = torch.randint(4, 20, (3, 6))
    for row, found in zip(source, greedy_search(small, source, max_length=5), strict=True):
        target = torch.tensor([[1, *found.ids]])
        logits = small(row[None], target)[0].index_fill(-1, torch.tensor([0, 1]), -torch.inf)
        wanted = [*found.ids, 2][:5]
        assert logits.argmax(-1).tolist()[: len(wanted)] == wanted
