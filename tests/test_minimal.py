"""minimal.py is the model: its weights, logits, gradients and translations are the same."""

import pytest
import torch

from annotated_transformer import minimal
from annotated_transformer.config import TABLE3, TransformerConfig
from annotated_transformer.decoding.search import beam_search
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.transformer import Transformer
from annotated_transformer.translator import Translator

VOCAB_SIZE = 31
SOURCE = torch.tensor([[5, 9, 30, 7, 2], [8, 12, 2, 0, 0]])
TARGET = torch.tensor([[1, 11, 4, 29], [1, 6, 0, 0]])


def in_float64(build, config):
    default = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        return build(config)
    finally:
        torch.set_default_dtype(default)


def pair(config):
    """The model and the minimal one, the weights of the first in both, none of them as it began."""
    torch.manual_seed(0)
    full, plain = (in_float64(kind, config).eval() for kind in (Transformer, minimal.Transformer))
    with torch.no_grad():
        for parameter in full.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    plain.load_state_dict(full.state_dict())
    return full, plain


def assert_equal(found, expected):
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-12 * max(1, expected.abs().max()))


def assert_same_function(full, plain):
    results = []
    for model in (full, plain):
        logits = model(SOURCE, TARGET)
        logits.log_softmax(dim=-1)[TARGET > 0].square().mean().backward()
        gradients = {name: p.grad for name, p in model.named_parameters()}
        results.append((logits.detach(), gradients))
    (ours, our_gradients), (theirs, their_gradients) = results
    assert_equal(theirs, ours)
    assert our_gradients.keys() == their_gradients.keys()
    for name, gradient in our_gradients.items():
        assert_equal(their_gradients[name], gradient)


@pytest.mark.parametrize("preset", ["tiny", "base"])
def test_the_presets_give_equal_logits_and_gradients(preset):
    config = getattr(TransformerConfig, preset)(vocab_size=VOCAB_SIZE, max_length=8)
    assert_same_function(*pair(config))


@pytest.mark.parametrize("row", [row for row in TABLE3 if row != "base"])
def test_rows_a_to_e_give_equal_logits_and_gradients(row):
    """And the big model. Widths divided by four, so that a test takes no longer than it must."""
    config = TransformerConfig.table3(row, vocab_size=VOCAB_SIZE).to_dict()
    for name in ("d_model", "d_ff", "d_k", "d_v"):
        config[name] //= 4
    assert_same_function(*pair(TransformerConfig(**(config | {"max_length": 8}))))


def test_odd_widths_and_one_head():
    sizes = {"n_layers": 1, "d_model": 7, "d_ff": 5, "n_heads": 1, "d_k": 3, "d_v": 4}
    assert_same_function(*pair(TransformerConfig(vocab_size=VOCAB_SIZE, max_length=5, **sizes)))


def test_dropout_sits_at_the_same_places():
    full, plain = pair(TransformerConfig.tiny(vocab_size=VOCAB_SIZE, dropout=0.2))
    places = [
        {name for name, module in model.named_modules() if isinstance(module, torch.nn.Dropout)}
        for model in (full, plain)
    ]
    assert places[0] == places[1]
    assert len(places[0]) == 4 * 2 + 4 * 3 + 1


def test_it_starts_as_the_model_does():
    """Weights of the same size, so that it can be trained from its own start."""
    config = TransformerConfig.tiny(vocab_size=500, positions="learned")
    full, plain = Transformer(config), minimal.Transformer(config)
    assert plain.state_dict().keys() == full.state_dict().keys()
    for name, weight in full.state_dict().items():
        if weight.dim() > 1:
            ratio = plain.state_dict()[name].std() / weight.std()
            assert 0.9 < ratio < 1.1, name


def test_the_shipped_model_translates_the_same_through_it():
    translator = Translator.load("english_korean")
    plain = minimal.Transformer(translator.model.config).eval()
    plain.load_state_dict(translator.model.state_dict())
    pairs = english_korean("test")[:40]
    tokenizer = translator.tokenizer
    rows = [tokenizer.source_ids(pair.source) for pair in pairs]
    longest = max(map(len, rows))
    source = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
    found = beam_search(plain, source, beam_size=4, alpha=0.6)
    texts = [tokenizer.decode(best.ids) for best, *_ in found]
    assert texts == translator([pair.source for pair in pairs])
