"""BART against Hugging Face's, on copied weights and on a directory that it saved itself."""

from dataclasses import replace
from itertools import pairwise

import pytest
import torch
from family_oracle import assert_same_gradients, copied, disturbed
from transformers import BartConfig, BartForConditionalGeneration
from transformers.models.bart.modeling_bart import BartDecoderLayer
from typechecking import unchecked

from annotated_transformer.decoding.search import beam_search, greedy_search
from annotated_transformer.lab.caching import Uncached
from annotated_transformer.lab.family import BART, BARTConfig, fit
from annotated_transformer.lab.family.bart.names import DECODER_LAYER
from annotated_transformer.lab.family.noise import infill
from annotated_transformer.lab.family.reference import Reference
from annotated_transformer.lab.family.words import padded
from annotated_transformer.masks import causal_mask
from annotated_transformer.transformer import DecoderLayer, Transformer

SETTINGS = {
    "vocab_size": 30,
    "d_model": 16,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 24,
    "decoder_ffn_dim": 24,
    "max_position_embeddings": 12,
}
SIZES = {"vocab_size": 20, "n_layers": 1, "d_model": 32, "d_ff": 64, "n_heads": 2, "dropout": 0.0}


def reference(**settings):
    torch.manual_seed(0)
    theirs = disturbed(BartForConditionalGeneration(BartConfig(**SETTINGS | settings)))
    theirs.final_logits_bias = torch.randn(1, 30, dtype=torch.float64)
    return theirs


def texts():
    source, target = torch.randint(3, 30, (3, 11)), torch.randint(3, 30, (3, 8))
    source[1, 6:] = 1
    target[2, 5:] = 1
    target[:, 0] = 2
    return source, target


def logits_of(theirs, source, target):
    return theirs(source, attention_mask=(source != 1).long(), decoder_input_ids=target).logits


@pytest.mark.parametrize("scaled", [False, True])
def test_it_is_the_reference_forward_and_gradient(scaled):
    theirs = reference(scale_embedding=scaled)
    ours = copied(BART, theirs)
    source, target = texts()
    real = target != 1
    found, expected = ours(source, target)[real], logits_of(theirs, source, target)[real]
    assert_same_gradients(ours, theirs, found, expected)


def test_it_reads_what_the_reference_saved(tmp_path):
    theirs = reference()
    theirs.save_pretrained(tmp_path)
    ours = BART.from_pretrained(tmp_path)
    source, target = texts()
    found, expected = ours(source, target), logits_of(theirs, source, target)
    torch.testing.assert_close(found[target != 1], expected[target != 1], rtol=1e-10, atol=1e-10)


def test_the_loss_is_that_of_the_reference():
    theirs = reference()
    source, target = texts()
    labels = target[:, 1:].masked_fill(target[:, 1:] == 1, -100)
    expected = theirs(source, attention_mask=(source != 1).long(), labels=labels).loss
    torch.testing.assert_close(copied(BART, theirs).loss(source, target), expected)


def test_a_decoder_layer_is_that_of_the_paper():
    config = BARTConfig(**SIZES, padding_id=1)
    settings = {"d_model": 32, "decoder_ffn_dim": 64, "decoder_attention_heads": 2}
    theirs = disturbed(BartDecoderLayer(BartConfig(**SETTINGS | settings)))
    theirs.self_attn.config._attn_implementation = "eager"
    ours = DecoderLayer(config).double()
    Reference(DECODER_LAYER, {}).copy(ours, theirs.state_dict(), "theirs")
    x, memory = torch.randn(2, 7, 32).double(), torch.randn(2, 9, 32).double()
    causal = torch.zeros(7, 7).double().masked_fill(~causal_mask(7), -torch.inf)
    expected = theirs(x, attention_mask=causal[None, None], encoder_hidden_states=memory)
    expected = expected[0] if isinstance(expected, tuple) else expected
    found = ours(x, memory, causal_mask(7)[None, None], None)
    torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-10)


def test_only_the_norms_before_the_stacks_are_new():
    """Against the paper's model: one LayerNorm for each stack, and the constant at the output."""
    config = BARTConfig(**SIZES)
    own = dict(BART(config).named_parameters())
    paper = {
        name.replace("coder.layers", "coder.stack.layers"): parameter
        for name, parameter in Transformer(config).named_parameters()
    }
    assert own.keys() - paper.keys() == {
        "output.bias",
        *(f"{s}.embedding_norm.{p}" for s in ("encoder", "decoder") for p in ("gain", "bias")),
    }
    assert not paper.keys() - own.keys()
    assert not own["output.bias"].requires_grad


def test_the_cache_of_a_search_knows_the_norm():
    model = BART(BARTConfig(**SIZES)).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    source = torch.randint(4, 20, (3, 6))
    for search, options in ((greedy_search, {}), (beam_search, {"beam_size": 3})):
        cached = search(model, source, max_length=8, **options)
        whole = search(Uncached(model), source, max_length=8, **options)
        if search is beam_search:
            cached, whole = [x[0] for x in cached], [x[0] for x in whole]
        assert [x.ids for x in cached] == [x.ids for x in whole]
        for one, other in zip(cached, whole, strict=True):
            assert one.log_probability == pytest.approx(other.log_probability)


def test_in_training_dropout_follows_the_norm_alone():
    model = BART(replace(BARTConfig(**SIZES), dropout=0.5)).train()
    source = torch.randint(4, 20, (2, 6))
    seen = []
    model.encoder.stack.register_forward_pre_hook(lambda module, inputs: seen.append(inputs[0]))
    model.encode(source)
    x = model.source_positions(model.source_embedding(source))
    normed = model.encoder.embedding_norm(x)
    kept = seen[0] != 0
    assert 0.3 < kept.float().mean() < 0.7
    torch.testing.assert_close(seen[0][kept], 2 * normed[kept])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"activation_function": "relu"}, "activation_function='relu' is not built here"),
        ({"decoder_layers": 1}, "encoder_layers=2 and decoder_layers=1; only equal ones"),
        ({"model_type": "mbart"}, "model_type='mbart' is not built here"),
    ],
)
def test_what_is_not_built_is_refused_by_name(settings, message):
    with pytest.raises(ValueError, match=message):
        BART.config_from(BartConfig(**SETTINGS).to_dict() | settings, "config.json")


def test_bad_texts_are_refused():
    model = BART(BARTConfig(**SIZES, max_length=6))
    ids = torch.randint(4, 20, (2, 5))
    with pytest.raises(ValueError, match="token id 20 is outside the vocabulary of 20"):
        model(ids, torch.full((2, 3), 20))
    with pytest.raises(ValueError, match="the source has 7 tokens, more than max_length=6"):
        model(torch.full((2, 7), 4), ids)
    with unchecked(), pytest.raises(ValueError, match="1 targets for 2 sources"):
        model(ids, ids[:1])
    with pytest.raises(ValueError, match="have nothing to learn"):
        model.loss(ids, ids[:, :1])
    with pytest.raises(ValueError, match="have nothing to learn"):
        model.loss(ids[:0], ids[:0])


def test_it_learns_to_fill_in_what_was_hidden():
    """Texts that count upwards; it soon counts where a mask stood."""
    torch.manual_seed(0)
    model = BART(BARTConfig(**SIZES))
    generator = torch.Generator().manual_seed(0)

    def batches(n):
        for _ in range(n):
            starts = torch.randint(4, 12, (32,), generator=generator).tolist()
            rows = [list(range(start, start + 8)) for start in starts]
            spoilt = [infill(row, mask_id=3, generator=generator) for row in rows]
            yield padded(spoilt), padded([[1, *row, 2] for row in rows])

    losses = fit(model, batches(100), rate=3e-3, warmup=20)
    assert sum(losses[-5:]) < 0.3 * sum(losses[:5])
    assert all(p.grad.isfinite().all() for p in model.parameters() if p.requires_grad)
    (found,) = greedy_search(model, torch.tensor([[6, 3, 10, 11, 12, 13]]))
    assert {one - before for before, one in pairwise(found.ids)} == {1}
