"""The recurrent models: formulas by hand, PyTorch's layers, padding, causality, search, budgets."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import tiny_translator
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode
from typechecking import unchecked

from annotated_transformer import Translator, evaluate
from annotated_transformer.attention import attention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.corpora import SentencePair
from annotated_transformer.decoding.prefixes import EncoderDecoder
from annotated_transformer.decoding.search import beam_search, greedy_search
from annotated_transformer.lab.analysis.influence import influence
from annotated_transformer.lab.baselines.recurrent import (
    AdditiveAttention,
    Recurrent,
    additive_attention,
    hidden_width,
)
from annotated_transformer.training.batching import Batch
from annotated_transformer.training.recipe import TrainingRecipe
from annotated_transformer.training.step import make_optimizer, train_step
from annotated_transformer.transformer import Transformer

CONFIG = TransformerConfig(
    vocab_size=23, n_layers=1, d_model=6, d_ff=8, n_heads=2, dropout=0.0, max_length=20
)
SOURCE = torch.tensor([[5, 7, 11, 13, 2], [17, 19, 2, 0, 0]])
TARGET = torch.tensor([[1, 4, 8, 15], [1, 16, 0, 0]])


def model(*, attention=True, d_hidden=5, config=CONFIG):
    torch.manual_seed(0)
    return Recurrent(config, d_hidden, attention=attention).double().eval()


def lstm_cell(weights, x, h, c):
    """One step of an LSTM, written as its formulas (Hochreiter and Schmidhuber; forget gate)."""
    w, u, b, b2 = weights
    i, f, g, o = (w @ x + u @ h + b + b2).chunk(4)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


def weights_of(lstm, suffix=""):
    names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
    return [getattr(lstm, name + suffix) for name in names]


def by_hand(net, source, target):
    """Logits of one sentence without padding, token by token, number by number."""
    d = net.d_hidden
    table = net.embedding.weight * math.sqrt(net.config.d_model)
    x = table[source]
    forward, backward = [], []
    for states, order, suffix in (
        (forward, range(len(source)), ""),
        (backward, reversed(range(len(source))), "_reverse"),
    ):
        h = c = torch.zeros(d, dtype=torch.float64)
        for j in order:
            h, c = lstm_cell(weights_of(net.encoder, suffix), x[j], h, c)
            states.append(h)
    backward.reverse()
    states = [torch.cat(pair) for pair in zip(forward, backward, strict=True)]
    fixed = torch.cat([forward[-1], backward[0]])
    h, c = torch.tanh(net.first_state.weight @ backward[0] + net.first_state.bias).chunk(2)
    logits = []
    for token in target:
        context = fixed
        if net.attention is not None:
            scores = []
            for state in states:
                hidden = net.attention.w_query.weight @ h + net.attention.w_key.weight @ state
                scores.append(net.attention.v @ torch.tanh(hidden))
            exps = [math.exp(float(score)) for score in scores]
            context = sum(e / sum(exps) * s for e, s in zip(exps, states, strict=True))
        h, c = lstm_cell(weights_of(net.decoder), torch.cat([table[token], context]), h, c)
        read = torch.cat([h, context, table[token]])
        logits.append(
            net.embedding.weight @ torch.tanh(net.readout.weight @ read + net.readout.bias)
        )
    return torch.stack(logits)


@pytest.mark.parametrize("attention", [False, True])
def test_the_model_is_its_formulas(attention):
    net = model(attention=attention)
    with torch.no_grad():
        found = net(SOURCE[:1], TARGET[:1])[0]
        torch.testing.assert_close(found, by_hand(net, SOURCE[0], TARGET[0]))


@pytest.mark.parametrize("attention", [False, True])
def test_padding_and_neighbours_have_no_influence(attention):
    net = model(attention=attention)
    together = net(SOURCE, TARGET)
    alone = net(SOURCE[1:, :3], TARGET[1:, :2])
    torch.testing.assert_close(together[1, :2], alone[0])


@pytest.mark.parametrize("attention", [False, True])
def test_no_logit_depends_on_a_later_target_token(attention):
    net = model(attention=attention)
    changed = TARGET.clone()
    changed[0, 2] = 9
    before, after = net(SOURCE, TARGET)[0], net(SOURCE, changed)[0]
    assert torch.equal(before[:2], after[:2])
    assert not torch.allclose(before[2], after[2])


def test_the_memory_has_one_row_without_attention_and_one_per_token_with_it():
    assert model(attention=False).encode(SOURCE).shape == (2, 1, 10)
    assert model(attention=True).encode(SOURCE).shape == (2, 5, 10)


def test_attention_over_one_token_is_the_fixed_context():
    # One source token: its state is both the last of each reader and all there is to attend to.
    with_attention, without = model(attention=True), model(attention=False)
    shared = {k: v for k, v in with_attention.state_dict().items() if "attention" not in k}
    without.load_state_dict(shared)
    source = torch.tensor([[7], [9]])
    torch.testing.assert_close(with_attention(source, TARGET), without(source, TARGET))


def test_additive_attention_by_hand():
    query, key = torch.tensor([[1.0, -1.0]]), torch.tensor([[1.0, 1.0], [-1.0, 3.0]])
    value, v = torch.tensor([[10.0], [20.0]]), torch.tensor([1.0, 2.0])
    # scores: tanh(2) + 2 tanh(0), and tanh(0) + 2 tanh(2)
    e = [math.exp(math.tanh(2)), math.exp(2 * math.tanh(2))]
    share = e[0] / sum(e)
    output, weights = additive_attention(query, key, value, v)
    torch.testing.assert_close(weights, torch.tensor([[share, 1 - share]]))
    torch.testing.assert_close(output, torch.tensor([[10 * share + 20 * (1 - share)]]))


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 5), st.integers(1, 6), st.integers(0, 10_000))
def test_additive_attention_equals_a_loop_over_pairs(queries, keys, seed):
    torch.manual_seed(seed)
    query, key = (torch.randn(2, n, 3, dtype=torch.float64) for n in (queries, keys))
    value, v = torch.randn(2, keys, 7).double(), torch.randn(3).double()
    mask = torch.rand(2, queries, keys) > 0.3
    output, weights = additive_attention(query, key, value, v, mask)
    for b in range(2):
        for i in range(queries):
            allowed = [j for j in range(keys) if mask[b, i, j]]
            scores = [math.exp(v @ torch.tanh(query[b, i] + key[b, j])) for j in allowed]
            expected = torch.zeros(7, dtype=torch.float64)
            for j, score in zip(allowed, scores, strict=True):
                expected += score / sum(scores) * value[b, j]
            torch.testing.assert_close(output[b, i], expected)
    assert torch.equal(weights == 0, ~mask)


def test_additive_scores_need_the_width_times_the_memory_of_dot_products():
    """The largest tensor on the way to the weights: one number for each component of each pair."""
    queries, keys, width = 5, 7, 11

    class Largest(TorchDispatchMode):
        numbers = 0

        def __torch_dispatch__(self, function, types, arguments=(), options=None):
            result = function(*arguments, **(options or {}))
            if isinstance(result, torch.Tensor):
                self.numbers = max(self.numbers, result.numel())
            return result

    query, key = torch.randn(queries, width), torch.randn(keys, width)
    value, v = torch.randn(keys, 1), torch.randn(width)
    with Largest() as additive:
        additive_attention(query, key, value, v)
    with Largest() as product:
        attention(query, key, value)
    assert additive.numbers == queries * keys * width
    assert product.numbers == max(queries * keys, keys * width)


def test_a_row_without_keys_is_zero_and_has_finite_gradients():
    query = torch.randn(1, 2, requires_grad=True)
    mask = torch.zeros(1, 3, dtype=torch.bool)
    output, weights = additive_attention(
        query, torch.randn(3, 2), torch.randn(3, 4), query[0], mask
    )
    output.sum().backward()
    assert not output.any()
    assert not weights.any()
    assert query.grad.isfinite().all()


def test_the_weights_are_those_that_forward_uses():
    net = model()
    weights = net.alignment(SOURCE, TARGET)
    assert weights.shape == (2, 4, 5)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 4, dtype=torch.float64))
    assert not weights[1, :, 3:].any()
    # The first step's weights from the first state alone.
    memory = net.encode(SOURCE)
    state = torch.tanh(net.first_state(memory[:, 0, 5:]))[:, None, :5]
    part = net.attention
    scores = torch.tanh(part.w_query(state)[:, :, None] + part.w_key(memory)[:, None]) @ part.v
    torch.testing.assert_close(weights[0, 0], scores[0, 0].softmax(dim=-1))


@pytest.mark.parametrize("attention", [False, True])
def test_greedy_and_beam_search_work_with_it(attention):
    net = model(attention=attention)
    assert isinstance(net, EncoderDecoder)
    found = greedy_search(net, SOURCE, max_length=8)
    for row, best in zip(SOURCE, found, strict=True):
        source = row[row != 0][None]
        written = [1]
        while len(written) <= 8 and written[-1] != 2:
            logits = net(source, torch.tensor([written]))[0, -1]
            logits[[0, 1]] = -math.inf
            written.append(int(logits.argmax()))
        assert list(best.ids) == [token for token in written[1:] if token != 2]
    wide = beam_search(net, SOURCE, beam_size=3, alpha=0.0, max_length=8)
    assert all(
        b[0].log_probability >= g.log_probability - 1e-9
        for b, g in zip(wide, found, strict=True)
        if b[0].finished and g.finished
    )


@pytest.mark.parametrize("attention", [False, True])
def test_it_is_scored_as_a_transformer_is(attention):
    """It has no list of decoder layers; its configuration says how many there would be."""
    words = tiny_translator()
    net = Recurrent(words.model.config, 5, attention=attention).eval()
    pairs = [SentencePair("I am", "나는")]
    with unchecked():  # as `train` does with the model of its argument `make_model`
        scores = evaluate(Translator(net, words.tokenizer), pairs, split="test")
    assert [score["metric"] for score in scores] == ["BLEU", "chrF", "exact_match"]


@pytest.mark.parametrize("attention", [False, True])
def test_train_step_can_overfit_one_batch(attention):
    torch.manual_seed(0)
    net = Recurrent(CONFIG, 16, attention=attention)
    output = torch.tensor([[4, 8, 15, 2], [16, 2, 0, 0]])
    batch = Batch(SOURCE, TARGET, output, 6)
    recipe = TrainingRecipe(
        warmup_steps=20, label_smoothing=0.0, precision="float32", learning_rate_scale=0.3
    )
    optimizer = make_optimizer(net, recipe)
    losses = [train_step(net, [batch], optimizer, n, recipe).loss for n in range(1, 101)]
    assert losses[-1] < 0.1 < losses[0]
    assert [best.ids for best in greedy_search(net, SOURCE)] == [(4, 8, 15), (16,)]


def test_every_source_token_influences_every_output_without_attention():
    net = model(attention=False)
    table = net.embedding.weight.detach()

    def first_logits(x):
        states, (last, _) = net.encoder(x[None])
        assert states.shape == (1, 5, 10)
        return torch.cat([last[0], last[1]], dim=-1)

    assert (influence(first_logits, table[SOURCE[0]]) > 0).all()


@pytest.mark.parametrize("attention", [False, True])
def test_the_width_is_the_largest_within_the_budget(attention):
    budget = Transformer(CONFIG).count_parameters()["total"]
    width = hidden_width(CONFIG, budget, attention=attention)
    sizes = [
        sum(p.numel() for p in Recurrent(CONFIG, w, attention=attention).parameters())
        for w in (width, width + 1)
    ]
    assert sizes[0] <= budget < sizes[1]


def test_the_embedding_is_counted_once_and_shared():
    net = model()
    counts = net.count_parameters()
    assert net.output.weight is net.embedding.weight
    assert counts["embedding"] == 23 * 6
    assert counts["encoder"] == sum(
        p.numel() for p in nn.LSTM(6, 5, bidirectional=True).parameters()
    )
    assert counts["attention"] == 5 * 5 + 10 * 5 + 5
    assert counts["total"] == sum(p.numel() for p in net.parameters())


def test_dropout_acts_in_training_only():
    net = model(config=TransformerConfig(vocab_size=23, d_model=8, dropout=0.5))
    assert torch.equal(net(SOURCE, TARGET), net(SOURCE, TARGET))
    net.train()
    assert not torch.equal(net(SOURCE, TARGET), net(SOURCE, TARGET))


def test_invalid_arguments_are_refused():
    net = model()
    with unchecked():
        for width in (0, -3, 2.5):
            with pytest.raises(ValueError, match=f"d_hidden={width} must be a positive integer"):
                Recurrent(CONFIG, width, attention=True)
        with pytest.raises(ValueError, match="all padding, or has a token after its padding"):
            net.encode(torch.tensor([[0, 0]]))
        with pytest.raises(ValueError, match="all padding, or has a token after its padding"):
            net.encode(torch.tensor([[4, 0, 5]]))
        with pytest.raises(ValueError, match="the source has 21 tokens, more than max_length=20"):
            net.encode(torch.full((1, 21), 5))
        with pytest.raises(ValueError, match=r"the source has shape \(1, 0\)"):
            net.encode(torch.zeros(1, 0, dtype=torch.long))
        with pytest.raises(ValueError, match="token id 23 is outside the vocabulary of 23"):
            net.encode(torch.tensor([[23]]))
        with pytest.raises(ValueError, match="this model has no attention"):
            model(attention=False).alignment(SOURCE, TARGET)
        with pytest.raises(ValueError, match="10 parameters are too few"):
            hidden_width(CONFIG, 10, attention=True)
        with pytest.raises(ValueError, match=r"dtype torch\.float32"):
            AdditiveAttention(2, 2, 2)(*torch.zeros(3, 1, 1, 2), torch.ones(1, 1, 1))


@pytest.mark.parametrize("gain", [0.5, 1.0, 2.0])
def test_a_gradient_shrinks_or_grows_as_fast_when_each_step_has_weights_of_its_own(gain):
    """A product of many matrices does that; it does not matter that they are the same matrix."""
    steps, width, draws = 40, 64, torch.Generator().manual_seed(0)

    def rate(*, shared):
        """Mean logarithm of the factor per step, for a gradient through a linear recurrence."""
        found = []
        for _ in range(10):
            gradient = torch.randn(width, generator=draws).double()
            start = gradient.norm()
            for step in range(steps):
                if step == 0 or not shared:
                    weights = torch.randn(width, width, generator=draws).double()
                gradient = gain * width**-0.5 * weights.T @ gradient
            found.append((gradient.norm() / start).log().item() / steps)
        return sum(found) / len(found)

    for shared in (True, False):
        assert rate(shared=shared) == pytest.approx(math.log(gain), abs=0.1)
