"""The cache against the decoder that reads whole prefixes: logits, searches, memory."""

from itertools import pairwise

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from options import CHOICES
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from annotated_transformer.attention import MultiHeadAttention, attention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.cache import CachedPrefixes
from annotated_transformer.decoding.prefixes import WholePrefixes, start
from annotated_transformer.decoding.search import beam_search, greedy_search
from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.lab.caching import Uncached, cache_bytes
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, PAD_ID
from annotated_transformer.transformer import Transformer

VARIANTS = {
    "paper": {},
    **CHOICES,
    "ALiBi, three heads": {"positions": "alibi", "n_heads": 3, "d_k": 4, "d_v": 5},
    "d_k != d_v": {"d_k": 3, "d_v": 10},
    "one head": {"n_heads": 1},
    "separate embeddings": {"share_embeddings": False},
    "unscaled embeddings": {"scale_embeddings": False},
    "biases everywhere": {"bias": "all", "activation": "silu"},
}


def make_model(seed=0, vocab_size=17, **overrides):
    """A small random model in float64 that looks at its source and changes its mind often."""
    torch.manual_seed(seed)
    sizes = {"n_layers": 2, "d_model": 16, "d_ff": 24, "n_heads": 2, "max_length": 48}
    model = Transformer(TransformerConfig(vocab_size=vocab_size, **(sizes | overrides))).double()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() == 1:  # gains and biases, which begin as ones and zeros
                parameter.add_(0.3 * torch.randn_like(parameter))
            elif "w_" in name or name.startswith("output"):
                parameter.mul_(3)
    return model.eval()


def make_source(lengths, vocab_size=17):
    source = torch.full((len(lengths), max(lengths)), PAD_ID)
    for row, length in enumerate(lengths):
        source[row, : length - 1] = torch.randint(3, vocab_size, (length - 1,))
        source[row, length - 1] = EOS_ID
    return source


def assert_equal(found, expected):
    torch.testing.assert_close(found, expected, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("variant", VARIANTS)
def test_logits_of_each_step_are_those_of_teacher_forcing(variant):
    model, source = make_model(**VARIANTS[variant]), make_source([7, 2, 5])
    target = torch.randint(3, 17, (3, 40))  # more positions than a buffer has to begin with
    target[:, 0] = BOS_ID
    with evaluation_mode(model):
        expected = model(source, target)
        prefixes = start(model, source)
        assert isinstance(prefixes, CachedPrefixes)
        for position in range(40):
            found = prefixes.step(target[:, position, None])
            assert_equal(found[:, 0], expected[:, position])


@settings(max_examples=25)
@given(data=st.data(), variant=st.sampled_from(sorted(VARIANTS)))
def test_any_selection_gives_the_logits_of_the_whole_prefixes(data, variant):
    """Prefixes are kept, dropped, doubled and exchanged, and sentences leave, as chance has it."""
    seed = data.draw(st.integers(0, 2**16))
    model, source = make_model(seed, **VARIANTS[variant]), make_source([3, 8, 5, 6])
    with evaluation_mode(model):
        cached, whole = CachedPrefixes(model, source), WholePrefixes(model, source)
        sentences, width, tokens = 4, 1, torch.full((4, 1), BOS_ID)
        for _ in range(data.draw(st.integers(1, 20))):
            assert_equal(cached.step(tokens), whole.step(tokens))
            if data.draw(st.booleans()):
                kept = data.draw(st.permutations(range(sentences)))
                kept = kept[: data.draw(st.integers(1, sentences))]
            else:
                kept = list(range(sentences))
            new_width = data.draw(st.integers(1, 4))
            rows = st.lists(st.integers(0, width - 1), min_size=new_width, max_size=new_width)
            parents = [data.draw(rows) for _ in kept]
            for prefixes in (cached, whole):
                prefixes.select(kept, parents)
            sentences, width = len(kept), new_width
            tokens = torch.randint(3, 17, (sentences, width))


def same(found, expected):
    assert [(h.ids, h.finished) for h in found] == [(h.ids, h.finished) for h in expected]
    for name in ("score", "log_probability"):
        scores = [getattr(h, name) for h in found]
        assert scores == pytest.approx([getattr(h, name) for h in expected], rel=1e-10)


@settings(max_examples=15)
@given(
    seed=st.integers(0, 2**20),
    lengths=st.lists(st.integers(1, 9), min_size=1, max_size=6),
    beam_size=st.integers(1, 5),
    n_best=st.integers(1, 5),
    alpha=st.sampled_from([0.0, 0.6, 2.0]),
    max_length=st.none() | st.integers(3, 40),
    min_length=st.integers(0, 3),
    variant=st.sampled_from(sorted(VARIANTS)),
)
def test_searches_find_what_they_find_without_cache(
    seed, lengths, beam_size, n_best, alpha, max_length, min_length, variant
):
    model = make_model(seed, **VARIANTS[variant])
    source = make_source(lengths)
    limits = {"max_length": max_length, "min_length": min_length}
    options = {"beam_size": beam_size, "alpha": alpha, "n_best": min(n_best, beam_size)} | limits
    same(greedy_search(model, source, **limits), greedy_search(Uncached(model), source, **limits))
    found = beam_search(model, source, **options)
    for sentence, expected in zip(
        found, beam_search(Uncached(model), source, **options), strict=True
    ):
        same(sentence, expected)


def test_without_cache_the_decoder_reads_whole_prefixes():
    assert isinstance(start(Uncached(make_model()), make_source([3])), WholePrefixes)


def test_a_model_may_bring_prefixes_of_its_own():
    model, source, asked = make_model(), make_source([3, 2]), []

    class Own(Uncached):
        def prefixes(self, source):
            asked.append(source)
            return CachedPrefixes(model, source)

    assert greedy_search(Own(model), source) == greedy_search(model, source)
    (seen,) = asked
    assert seen is source
    assert isinstance(start(model, source), CachedPrefixes)


@pytest.mark.parametrize("variant", ["paper", "d_k != d_v", "one head"])
def test_memory_is_what_the_formula_says(variant):
    model, source = make_model(**VARIANTS[variant]), make_source([6, 4])
    with torch.inference_mode():
        prefixes = CachedPrefixes(model, source)
        prefixes.step(torch.full((2, 1), BOS_ID))
        for _ in range(4):
            prefixes.select([0, 1], [[0, 0, 0]] * 2)
            prefixes.step(torch.full((2, 3), 5))
    kept = [kept for layer in prefixes.caches for kept in layer]
    used = sum(view.numel() * view.itemsize for x in kept for view in x.views)
    per_sentence = cache_bytes(model.config, target=1 + 4 * 3, source=6, bytes_per_value=8)
    assert used == 2 * per_sentence


class Formula(nn.Module):
    """Equation 1: PyTorch's counter does not see into the fused kernel of a CPU."""

    def forward(self, query, key, value, mask, attn_bias=None):
        return attention(query, key, value, mask)[0]


def test_each_further_token_takes_more_operations():
    """By two products in each layer: one more score, and one more value in the blend."""
    model, source, counts = make_model(), make_source([6]), []
    for module in model.modules():
        if isinstance(module, MultiHeadAttention):
            module.attend = Formula()
    with torch.inference_mode():
        prefixes = CachedPrefixes(model, source)
        for _ in range(8):
            with FlopCounterMode(display=False) as counter:
                prefixes.step(torch.full((1, 1), BOS_ID))
            prefixes.select([0], [[0]])
            counts.append(counter.get_total_flops())
    config = model.config
    growth = 2 * config.n_layers * 2 * config.d_model  # a multiply-add is two operations
    assert [later - before for before, later in pairwise(counts)] == [growth] * 7


def test_memory_of_the_base_model_at_100_tokens():
    config = TransformerConfig.base(vocab_size=37_000)
    assert cache_bytes(config, target=100, source=0) == 2 * 6 * 512 * 4 * 100
    assert cache_bytes(config, target=0, source=30, bytes_per_value=2) == 2 * 6 * 512 * 2 * 30


def test_room_is_at_most_doubled_and_positions_stay_where_they_are():
    model, source, rooms = make_model(), make_source([4, 4]), set()
    with torch.inference_mode():
        prefixes = CachedPrefixes(model, source)
        for length in range(1, 48):
            before = prefixes.caches[0].own.views[0].clone()
            prefixes.step(torch.full((2, 1), 5))
            keys = prefixes.caches[0].own.views[0]
            assert torch.equal(keys[:, :, :-1], before)
            assert keys.size(2) == length
            rooms.add(prefixes.caches[0].own.buffers[0].size(2))
            assert max(rooms) <= max(2 * length, 32)
    assert len(rooms) == 2, "enough at first, and doubled once: a copy is rare"


def test_the_first_rotary_key_is_not_turned():
    """Scores depend on differences of positions alone, and would not tell another beginning."""
    model, source = make_model(positions="rotary"), make_source([4])
    bos = torch.full((1, 1), BOS_ID)
    with torch.inference_mode():
        prefixes = CachedPrefixes(model, source)
        prefixes.step(bos)
        attention = model.decoder.layers[0].self_attention
        key = attention.split(attention.w_key(model.target_embedding(bos)))
    assert_equal(prefixes.caches[0].own.views[0], key)


def test_sentences_that_keep_their_place_are_not_copied():
    model, source = make_model(), make_source([4, 5, 6])
    with torch.inference_mode():
        prefixes = CachedPrefixes(model, source)
        prefixes.step(torch.full((3, 1), BOS_ID))
        held = prefixes.caches[0].cross
        keys, before = held.buffers[0], held.buffers[0].clone()
        prefixes.select([0, 1, 2], [[0, 0], [0, 0], [0, 0]])
        assert torch.equal(keys, before)
        prefixes.select([2, 1], [[0], [0]])
    assert held.buffers[0] is keys
    assert torch.equal(keys, before[[2, 1, 2]])


def test_a_prefix_as_long_as_the_model_takes_cannot_grow():
    model, source = make_model(max_length=5), make_source([3])
    with torch.inference_mode():
        prefixes = CachedPrefixes(model, source)
        for _ in range(5):
            prefixes.step(torch.full((1, 1), 5))
        with pytest.raises(ValueError, match="a prefix has max_length=5 tokens and cannot grow"):
            prefixes.step(torch.full((1, 1), 5))
    with pytest.raises(ValueError, match="the source has 6 tokens, more than max_length=5"):
        greedy_search(model, make_source([6]))
