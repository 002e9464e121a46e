"""Units of the feed-forward networks: what is read is what the formula gives, without padding."""

import pytest
import torch
from tiny import device_of_ids, tiny_translator
from typechecking import unchecked

from annotated_transformer import Translator
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.units import Reading, read_units, without_units
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.tokenizer import BOS_ID, EOS_ID

PAIRS = [("a b c", "c b"), ("a", "b b b b a"), ("c c c c c c", "a")]


@pytest.fixture(scope="module")
def translator():
    sizes = {"n_layers": 2, "d_model": 8, "d_ff": 13, "dropout": 0.5, "max_length": 512}
    lines = ["a b c", "c b", "b b b b a"]
    made = tiny_translator(lines, vocab_size=265, search={"batch_size": 2}, **sizes)
    made.model.double()
    return made


def test_inputs_and_values_are_those_of_each_pair_alone(translator):
    """The oracle reads one pair at a time, what goes into the first matrix and what comes out."""
    found, tokenizer = read_units(translator, PAIRS), translator.tokenizer
    model = translator.model.eval()
    assert list(found) == [f"{s}.layers.{i}" for s in ("encoder", "decoder") for i in range(2)]
    for layer, reading in found.items():
        network, seen = model.get_submodule(f"{layer}.feed_forward"), []
        hook = network.inner.register_forward_hook(
            lambda _, inputs, output, seen=seen: seen.append((inputs[0][0], output[0].clone()))
        )
        for source, target in PAIRS:
            ids = torch.tensor([tokenizer.source_ids(source)])
            model(ids, torch.tensor([tokenizer.target_ids(target)[:-1]]))
        hook.remove()
        inputs, values = (torch.cat(rows) for rows in zip(*seen, strict=True))
        torch.testing.assert_close(reading.inputs, inputs.detach())
        torch.testing.assert_close(reading.values, values.detach())
        assert len(reading.tokens) == len(values)
    assert found["encoder.layers.0"].tokens.count(EOS_ID) == len(PAIRS)
    assert found["decoder.layers.1"].tokens.count(BOS_ID) == len(PAIRS)


def test_reading_leaves_mode_and_hooks_as_they_were(translator):
    translator.model.train()
    read_units(translator, PAIRS)
    assert all(module.training for module in translator.model.modules())
    assert not any(m._forward_hooks or m._forward_pre_hooks for m in translator.model.modules())


def test_a_unit_is_dead_if_it_is_positive_on_no_token():
    values = torch.tensor([[1.0, -1.0, 0.0], [-2.0, -3.0, 0.0], [4.0, -5.0, 1e-9]])
    reading = Reading(tokens=(7, 9, 7), inputs=torch.zeros(3, 2), values=values)
    assert reading.dead.tolist() == [False, True, False]
    assert reading.fired.sum() == 3


def test_an_emoji_is_text_like_any_other(translator):
    found = read_units(translator, [("😀 a", "b")])
    length = len(translator.tokenizer.source_ids("😀 a"))
    assert len(found["encoder.layers.1"].tokens) == length > 3


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([], "no sentence pairs"),
        ([("a", "b"), (" ", "b")], r"pair 2 has a blank sentence: \(' ', 'b'\)"),
        ([("a", "b"), ("a", "")], "pair 2 has a blank sentence"),
        ([("a " * 2000, "b")], r"the source has \d+ tokens, more than max_length=512"),
        ([("a", "b " * 2000)], r"the target has \d+ tokens, more than max_length=512"),
        ([("a", "b"), "ab"], "pair 2 is 'ab'; expected a source and a target text"),
        ([SentencePair("a", "b")], "pair 1 is SentencePair.*; expected a source and a target"),
        ([("a", 7)], r"pair 1 is \('a', 7\)"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(translator, pairs, message):
    with unchecked(), pytest.raises(ValueError, match=message):
        read_units(translator, pairs)


def test_ids_are_made_where_the_model_is(monkeypatch):
    def read(translator):
        read_units(translator, PAIRS)

    assert device_of_ids(tiny_translator(), monkeypatch, read) == ["meta"]


def test_a_silenced_network_adds_its_second_bias_alone(translator):
    """The oracle takes the place of the network; afterwards the weights are as they were."""
    model, tokenizer = translator.model.eval(), translator.tokenizer
    ids = torch.tensor([tokenizer.source_ids("a b c")]), torch.tensor([tokenizer.target_ids("c")])
    layer = "decoder.layers.1"
    network = model.get_submodule(f"{layer}.feed_forward")
    with torch.no_grad():
        network.outer.bias.normal_()
        before = model(*ids)
        hook = network.register_forward_hook(lambda part, x, y: part.outer.bias.expand_as(y))
        expected = model(*ids)
        hook.remove()
        with without_units(model, [layer]):
            silenced = model(*ids)
        assert torch.equal(silenced, expected)
        assert not torch.allclose(silenced, before)
        assert torch.equal(model(*ids), before)
    with pytest.raises(ValueError, match=r"no layer is called 'decoder.layers.7'; there are enc"):
        without_units(model, ["decoder.layers.7"]).__enter__()


def test_the_attentions_choose_the_particle_where_every_network_is_silent():
    """Far more often right than the more frequent particle, while most other tokens are lost."""
    shipped = Translator.load("english_korean")
    model, tokenizer = shipped.model.eval(), shipped.tokenizer
    eul, reul = map(tokenizer.vocabulary().index, ("을", "를"))
    layers = [f"{side}.layers.{i}" for side in ("encoder", "decoder") for i in (0, 1)]
    chosen, wanted, tokens = [], [], []
    with torch.no_grad(), without_units(model, layers):
        for pair in english_korean("test")[:300]:
            target = torch.tensor(tokenizer.target_ids(pair.target))
            source = torch.tensor([tokenizer.source_ids(pair.source)])
            logits, due = model(source, target[None, :-1])[0], target[1:]
            places = (due == eul) | (due == reul)
            chosen.append(logits[places, eul] > logits[places, reul])
            wanted.append(due[places] == eul)
            tokens.append(logits.argmax(-1) == due)
    chosen, wanted, right = torch.cat(chosen), torch.cat(wanted), torch.cat(tokens)
    often = wanted.double().mean()
    assert (chosen == wanted).double().mean() > max(often, 1 - often) + 0.1
    assert right.double().mean() < 0.5
