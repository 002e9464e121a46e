"""The other ways of the training step: the same function, and really other ways."""

import pytest
import torch

from annotated_transformer.config import TransformerConfig
from annotated_transformer.fast import projected_loss as loss_module
from benchmarks import choices, measure, training_step
from benchmarks.choices import fused


@pytest.fixture
def restored(monkeypatch):
    """What the contestants change in their own processes is as before after the test."""
    for module, name in ((choices.ATTENTION, "fast_attention"), (loss_module, "CHUNK")):
        monkeypatch.setattr(module, name, getattr(module, name))


def test_the_other_ways_learn_the_same(small_batches, restored):
    config = measure.configuration("tiny", dropout=0.0)
    arrays = training_step.as_arrays(small_batches)
    losses = {}
    for name in (choices.OURS, *choices.OTHERS):
        if name != choices.COMPILED:
            work = choices.make_step(name, config, arrays, 0, "float32")
            losses[name] = [work(0), work(1), work(0)]
    expected = losses[choices.OURS]
    for name, found in losses.items():
        assert found == pytest.approx(expected, rel=1e-5), name
    assert expected[2] < expected[0]


def test_each_other_way_is_another_one(small_batches, restored, monkeypatch, model):
    config = measure.configuration("tiny", dropout=0.4)
    arrays = training_step.as_arrays(small_batches)

    def first_loss(name):
        return choices.make_step(name, config, arrays, 0, "float32")(0)

    ours = first_loss(choices.OURS)
    assert first_loss(choices.OURS) == ours
    assert first_loss("no dropout") != pytest.approx(ours, rel=1e-4)
    assert first_loss("torch dropout") != pytest.approx(ours, rel=1e-4)
    calls = []
    monkeypatch.setattr(choices, "fused", lambda *a, **o: calls.append(1) or fused(*a, **o))
    first_loss("fused attention")
    assert len(calls) == 3 * config.n_layers
    choices.change("chunk 128", model())
    assert loss_module.CHUNK == 128


@pytest.mark.parametrize("kind", choices.KINDS)
def test_attention_alone_is_the_same_both_ways(kind, monkeypatch):
    outputs = []
    backward = torch.Tensor.backward

    def kept(self, *arguments):
        outputs.append(self.detach().float())
        backward(self, *arguments)

    monkeypatch.setattr(torch.Tensor, "backward", kept)
    for way in ("formula", "fused"):
        config = TransformerConfig.tiny(vocab_size=300)
        assert choices.make_attention(way, kind, config, 32, 0)(8) > 0
    torch.testing.assert_close(*outputs, rtol=0, atol=0.05 if kind == "bfloat16" else 1e-5)


def test_no_compiler_is_said_in_a_sentence(monkeypatch):
    monkeypatch.setattr(choices.shutil, "which", lambda name: None)
    assert "needs a C++ compiler" in choices.why_not_compiled()
    monkeypatch.setattr(choices.shutil, "which", lambda name: f"/usr/bin/{name}")
    assert choices.why_not_compiled() is None
