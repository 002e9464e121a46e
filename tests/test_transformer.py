import math

import pytest
import torch
from options import CHOICES
from torch import nn
from torch.nn import functional as F
from typechecking import unchecked

from annotated_transformer.attention import MultiHeadAttention, attention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.inspection import record_attention
from annotated_transformer.layers import LayerNorm, Residual
from annotated_transformer.masks import causal_mask, padding_mask
from annotated_transformer.transformer import (
    DecoderLayer,
    EncoderLayer,
    Transformer,
    count_parameters,
)

D_MODEL, D_FF, HEADS = 12, 20, 3


def small(**overrides):
    sizes = {"n_layers": 2, "d_model": D_MODEL, "d_ff": D_FF, "n_heads": HEADS, "max_length": 20}
    return TransformerConfig(vocab_size=23, **{**sizes, "dropout": 0.0, **overrides})


def copy_attention(ours, theirs):
    theirs.in_proj_weight.copy_(
        torch.cat([ours.w_query.weight, ours.w_key.weight, ours.w_value.weight])
    )
    theirs.in_proj_bias.zero_()
    theirs.out_proj.weight.copy_(ours.w_output.weight)
    theirs.out_proj.bias.zero_()


def copy_rest(ours, theirs):
    norms = [theirs.norm1, theirs.norm2, *([theirs.norm3] if hasattr(theirs, "norm3") else [])]
    residuals = [part for part in ours.children() if isinstance(part, Residual)]
    for residual, norm in zip(residuals, norms, strict=True):
        nn.init.normal_(residual.layer_norm.gain)
        nn.init.normal_(residual.layer_norm.bias)
        norm.weight.copy_(residual.layer_norm.gain)
        norm.bias.copy_(residual.layer_norm.bias)
    theirs.linear1.load_state_dict(ours.feed_forward.inner.state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward.outer.state_dict())


def options(norm):
    epsilon = LayerNorm(1).epsilon
    return {
        "dropout": 0.0,
        "batch_first": True,
        "norm_first": norm == "pre",
        "layer_norm_eps": epsilon,
        "dtype": torch.float64,
    }


def random(*shape):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def twin(x):
    return x.detach().clone().requires_grad_()


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_encoder_layer_equals_torch_forward_and_gradient(norm):
    torch.manual_seed(0)
    ours = EncoderLayer(small(norm=norm)).double()
    theirs = nn.TransformerEncoderLayer(D_MODEL, HEADS, D_FF, **options(norm))
    with torch.no_grad():
        copy_attention(ours.self_attention, theirs.self_attn)
        copy_rest(ours, theirs)
    ids = torch.tensor([[5, 6, 7, 8, 9], [5, 6, 7, 0, 0]])
    real = (ids != 0)[..., None]
    x = random(2, 5, D_MODEL)
    y = twin(x)
    ours_out = ours(x, padding_mask(ids))
    # PyTorch's mask says which keys are to be left out.
    theirs_out = theirs(y, src_key_padding_mask=ids == 0)
    torch.testing.assert_close(ours_out * real, theirs_out * real)
    (ours_out * real).pow(3).sum().backward()
    (theirs_out * real).pow(3).sum().backward()
    torch.testing.assert_close(x.grad, y.grad)
    torch.testing.assert_close(ours.feed_forward.inner.weight.grad, theirs.linear1.weight.grad)
    torch.testing.assert_close(
        ours.self_attention.w_key.weight.grad,
        theirs.self_attn.in_proj_weight.grad[D_MODEL : 2 * D_MODEL],
    )


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_decoder_layer_equals_torch_forward_and_gradient(norm):
    torch.manual_seed(0)
    ours = DecoderLayer(small(norm=norm)).double()
    theirs = nn.TransformerDecoderLayer(D_MODEL, HEADS, D_FF, **options(norm))
    with torch.no_grad():
        copy_attention(ours.self_attention, theirs.self_attn)
        copy_attention(ours.cross_attention, theirs.multihead_attn)
        copy_rest(ours, theirs)
    source = torch.tensor([[5, 6, 7, 8], [5, 6, 0, 0]])
    x, memory = random(2, 5, D_MODEL), random(2, 4, D_MODEL)
    y, memory_twin = twin(x), twin(memory)
    ours_out = ours(x, memory, causal_mask(5)[None, None], padding_mask(source))
    theirs_out = theirs(
        y, memory_twin, tgt_mask=~causal_mask(5), memory_key_padding_mask=source == 0
    )
    torch.testing.assert_close(ours_out, theirs_out)
    ours_out.pow(3).sum().backward()
    theirs_out.pow(3).sum().backward()
    torch.testing.assert_close(x.grad, y.grad)
    torch.testing.assert_close(memory.grad, memory_twin.grad)
    torch.testing.assert_close(
        ours.cross_attention.w_query.weight.grad,
        theirs.multihead_attn.in_proj_weight.grad[:D_MODEL],
    )


SOURCE = torch.tensor([[4, 5, 6, 7, 2], [8, 9, 2, 0, 0]])
TARGET = torch.tensor([[1, 10, 11, 12], [1, 13, 14, 0]])


@pytest.fixture(params=CHOICES)
def model(request):
    torch.manual_seed(0)
    return Transformer(small(**CHOICES[request.param])).double()


def test_no_leak_from_the_future(model):
    """Change every later target token: the logits up to here stay the same to the bit."""
    before = model(SOURCE, TARGET)
    for cut in range(1, 4):
        changed = TARGET.clone()
        changed[:, cut:] = 22
        after = model(SOURCE, changed)
        assert torch.equal(before[:, :cut], after[:, :cut])
        assert not torch.equal(before[:, cut:], after[:, cut:])


def test_the_future_has_no_gradient(model):
    embedded = []
    handle = model.target_positions.register_forward_hook(
        lambda _module, _args, output: (output.retain_grad(), embedded.append(output))[0]
    )
    model(SOURCE, TARGET)[:, 1].sum().backward()
    handle.remove()
    gradient = embedded[0].grad
    assert gradient[:, :2].ne(0).any()
    assert gradient[:, 2:].eq(0).all()


def test_no_leak_from_padding(model):
    """More padding on either side changes real outputs by rounding at most."""
    plain = model(SOURCE, TARGET)
    padded = model(
        torch.cat([SOURCE, torch.zeros(2, 3, dtype=torch.long)], dim=1),
        torch.cat([TARGET, torch.zeros(2, 2, dtype=torch.long)], dim=1),
    )[:, :4]
    real = (TARGET != 0)[..., None]
    torch.testing.assert_close(plain * real, padded * real, rtol=0, atol=1e-13)


def test_memory_of_padding_is_never_read(model):
    memory = model.encode(SOURCE)
    spoiled = memory.clone()
    spoiled[1, 3:] = 1e3
    assert torch.equal(model.decode(TARGET, memory, SOURCE), model.decode(TARGET, spoiled, SOURCE))


def test_a_batch_is_its_rows(model):
    together = model(SOURCE, TARGET)
    alone = model(SOURCE[1:, :3], TARGET[1:, :3])
    torch.testing.assert_close(together[1:, :3], alone, rtol=0, atol=1e-13)


def test_fused_attention_equals_the_oracle_throughout(model):
    """Run the whole model with every attention replaced by the formula."""
    plain = model(SOURCE, TARGET)

    def oracle(module, args, output):
        return attention(*args)[0]

    for module in model.modules():
        if isinstance(module, MultiHeadAttention):
            module.attend.register_forward_hook(oracle)
    torch.testing.assert_close(model(SOURCE, TARGET), plain)


def test_recorder_names_every_attention(model):
    with record_attention(model) as record:
        model(SOURCE, TARGET)
    assert set(record) == {
        f"{part}.layers.{i}.{kind}"
        for part, kinds in {
            "encoder": ["self_attention"],
            "decoder": ["self_attention", "cross_attention"],
        }.items()
        for kind in kinds
        for i in range(2)
    }
    assert record["decoder.layers.1.cross_attention"].shape == (2, HEADS, 4, 5)
    assert record["decoder.layers.1.cross_attention"][1, :, :, 3:].eq(0).all()


def test_three_matrices_are_one():
    model = Transformer(small())
    assert model.output.weight is model.source_embedding.weight
    assert model.target_embedding.weight is model.source_embedding.weight
    apart = Transformer(small(share_embeddings=False))
    shared = count_parameters(small())["total"]
    assert apart.count_parameters()["total"] == shared + 2 * 23 * D_MODEL


def test_the_factor_of_the_embedding_can_be_moved_into_separate_matrices():
    """Unscaled, with matrices sqrt(d_model) times as large on the way in: the same function."""
    scaled = Transformer(small(share_embeddings=False)).double()
    unscaled = Transformer(small(share_embeddings=False, scale_embeddings=False)).double()
    unscaled.load_state_dict(scaled.state_dict())
    source, target = torch.tensor([[5, 6, 2]]), torch.tensor([[1, 7, 8]])
    assert not torch.allclose(unscaled(source, target), scaled(source, target))
    with torch.no_grad():
        for embedding in (unscaled.source_embedding, unscaled.target_embedding):
            embedding.weight.mul_(D_MODEL**0.5)
    torch.testing.assert_close(unscaled(source, target), scaled(source, target))


def test_parameter_count_by_formula():
    """6 layers, weights counted by hand: attention 4 d^2, feed-forward 2 d d_ff + d_ff + d."""
    d, d_ff, n, vocab = 512, 2048, 6, 37_000
    attention, feed_forward, norm = 4 * d * d, 2 * d * d_ff + d_ff + d, 2 * d
    encoder = n * (attention + feed_forward + 2 * norm)
    decoder = n * (2 * attention + feed_forward + 3 * norm)
    counts = count_parameters(TransformerConfig.base(vocab_size=vocab))
    assert counts["total"] == vocab * d + encoder + decoder
    assert counts["encoder.self_attention"] == n * attention
    assert counts["total"] == sum(value for key, value in counts.items() if key != "total")


def test_dropout_zero_in_training_is_evaluation():
    model = Transformer(small())
    assert torch.equal(model.train()(SOURCE, TARGET), model.eval()(SOURCE, TARGET))


def test_dropout_sits_where_section_5_4_puts_it():
    """On every sublayer's output and on both sums of embedding and position; nowhere else."""
    model = Transformer(small(dropout=0.3))
    places = [name for name, module in model.named_modules() if isinstance(module, nn.Dropout)]
    sublayers = 2 * 2 + 2 * 3
    assert len(places) == sublayers + 1
    assert all(name == "dropout" or ".after_" in name for name in places)
    assert all(m.p == 0.3 for m in model.modules() if isinstance(m, nn.Dropout))


@pytest.mark.parametrize(("norm", "kind"), [("pre", LayerNorm), ("post", nn.Identity)])
def test_final_norm_belongs_to_pre_alone(norm, kind):
    model = Transformer(small(norm=norm))
    assert type(model.encoder.final_norm) is type(model.decoder.final_norm) is kind


def test_learned_positions_run():
    model = Transformer(small(positions="learned"))
    assert model(SOURCE, TARGET).shape == (2, 4, 23)
    assert model.count_parameters()["source_positions"] == 20 * D_MODEL


def test_matrices_start_glorot_uniform_and_embeddings_normal():
    torch.manual_seed(0)
    model = Transformer(TransformerConfig.tiny(vocab_size=500))
    projections = [m for m in model.modules() if isinstance(m, nn.Linear) and m is not model.output]
    for linear in projections:
        bound = math.sqrt(6 / (linear.in_features + linear.out_features))
        assert 0.99 * bound < linear.weight.abs().max().item() <= bound
        assert linear.weight.std().item() == pytest.approx(bound / math.sqrt(3), rel=0.05)
        assert linear.bias is None or not linear.bias.any()
    assert len(projections) == 4 * (4 + 2) + 4 * (8 + 2)
    embedding = model.source_embedding.weight
    assert embedding.std().item() == pytest.approx(model.config.d_model**-0.5, rel=0.02)


def test_separate_matrices_all_start_as_an_embedding_does():
    model = Transformer(TransformerConfig.tiny(vocab_size=500, share_embeddings=False))
    for module in (model.source_embedding, model.target_embedding, model.output):
        assert module.weight.std().item() == pytest.approx(model.config.d_model**-0.5, rel=0.02)


def test_branch_gain_scales_what_a_sublayer_adds_and_nothing_else():
    torch.manual_seed(0)
    plain = Transformer(small())
    torch.manual_seed(0)
    quiet = Transformer(small(branch_gain=0.25))  # a power of two: the products are exact
    branches = {"w_value", "w_output", "inner", "outer"}
    for (name, before), after in zip(plain.named_parameters(), quiet.parameters(), strict=True):
        *_, owner, kind = name.split(".")
        scaled = kind == "weight" and owner in branches
        assert torch.equal(after, before * (0.25 if scaled else 1)), name


def test_a_smaller_branch_gain_keeps_the_rows_of_the_memory_apart():
    source = torch.randint(4, 500, (8, 14), generator=torch.Generator().manual_seed(1))
    alike = {}
    for gain in (1.0, 0.5, 0.25):
        torch.manual_seed(0)
        model = Transformer(TransformerConfig.tiny(vocab_size=500, branch_gain=gain)).eval()
        rows = F.normalize(model.encode(source).detach(), dim=-1)
        between = rows @ rows.mT
        alike[gain] = ((between.sum() - 8 * 14) / (8 * 14 * 13)).item()
    assert alike[1.0] > 0.7
    assert 0.5 > alike[0.5] > alike[0.25]


def test_queries_keys_and_values_start_uncorrelated():
    torch.manual_seed(0)
    attention = Transformer(TransformerConfig.tiny(vocab_size=500)).encoder.layers[0].self_attention
    x = torch.randn(500, attention.w_query.in_features)
    projections = (attention.w_query, attention.w_key, attention.w_value)
    three = torch.stack([linear(x).detach().flatten() for linear in projections])
    between = torch.corrcoef(three)[*torch.triu_indices(3, 3, offset=1)]
    assert between.abs().max() < 0.05


def test_every_decoder_layer_reads_the_last_encoder_layer(model):
    read, last = [], []
    model.encoder.layers[-1].register_forward_hook(lambda _module, _args, out: last.append(out))
    for layer in model.decoder.layers:
        layer.cross_attention.register_forward_hook(lambda _m, args, _out: read.append(args[1:3]))
    model(SOURCE, TARGET)
    assert len(read) == len(model.decoder.layers) > 1
    memory = model.encoder.final_norm(last[0])
    assert all(torch.equal(rows, memory) for pair in read for rows in pair)


def test_initial_logits_are_near_one_in_size():
    torch.manual_seed(0)
    model = Transformer(TransformerConfig.tiny(vocab_size=500, dropout=0.0))
    logits = model(torch.randint(3, 500, (4, 9)), torch.randint(3, 500, (4, 7)))
    assert 0.5 < logits.std().item() < 2


def test_max_length_is_the_longest_that_the_model_takes():
    longest, long = (torch.ones(1, length, dtype=torch.long) for length in (20, 21))
    model = Transformer(small())
    assert model(longest, longest).shape == (1, 20, 23)
    with pytest.raises(ValueError, match="the source has 21 tokens, more than max_length=20"):
        model(long, TARGET[:1])
    with pytest.raises(ValueError, match="the target has 21 tokens, more than max_length=20"):
        model(SOURCE[:1], long)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (torch.tensor([4, 5, 2]), r"has shape \(3,\) and dtype torch.int64; .* ids\[None\]"),
        (torch.zeros(1, 0, dtype=torch.long), r"has shape \(1, 0\)"),
        (torch.zeros(1, 3), r"has shape .* and dtype torch.float32; expected whole numbers"),
    ],
)
def test_ids_that_are_no_batch_of_sentences(wrong, message):
    model = Transformer(small())
    with unchecked(), pytest.raises(ValueError, match=f"the source {message}"):
        model(wrong, TARGET[:1])
    with unchecked(), pytest.raises(ValueError, match=f"the target {message}"):
        model(SOURCE[:1], wrong)


def test_as_many_targets_as_sources():
    with unchecked(), pytest.raises(ValueError, match="2 targets for 1 sources"):
        Transformer(small())(SOURCE[:1], TARGET[:2])


def test_the_same_seed_gives_the_same_model():
    states = []
    for _ in range(2):
        torch.manual_seed(7)
        states.append(Transformer(small()).state_dict())
    torch.testing.assert_close(states[0], states[1], rtol=0, atol=0)
