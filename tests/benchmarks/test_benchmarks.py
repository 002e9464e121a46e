"""The benchmarks compare like with like, and every command ends in a record that a book can read.

Never a time: what a test machine does meanwhile is no property of the code. Hugging Face's peer
lives in an environment of its own (benchmarks/requirements.txt), so what is tested here is that its
absence is named; that it computes the same losses, `training_step` itself checks before it times.
"""

import argparse
import importlib
import json
import math
import os
import sys
from importlib.util import find_spec

import numpy as np
import pytest
import torch
from tiny_run import write_recipe
from torch.utils.flop_counter import FlopCounterMode

from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.cache import CachedPrefixes
from annotated_transformer.fast import projected_loss as loss_module
from annotated_transformer.training.encoded import TokenPairs
from annotated_transformer.training.recipe import TrainingRecipe
from annotated_transformer.transformer import Transformer
from benchmarks import (
    batches,
    choices,
    decoding,
    measure,
    peers,
    profile_decoding,
    profile_step,
    training_step,
)
from benchmarks.choices import fused
from benchmarks.growth import exponent
from benchmarks.workers import ContestantError, Worker, peak, resident
from experiments import padding
from rules import ROOT

PAD = 0


def model(**overrides):
    torch.manual_seed(0)
    sizes = {"n_layers": 2, "d_model": 24, "n_heads": 3, "d_ff": 40, "dropout": 0.0}
    built = Transformer(TransformerConfig.base(vocab_size=60, **{**sizes, **overrides}))
    with torch.no_grad():  # gains and biases that are all alike would hide a mix-up
        for parameter in built.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return built


@pytest.fixture
def ids():
    torch.manual_seed(1)
    source, target = torch.randint(4, 60, (3, 9)), torch.randint(4, 60, (3, 7))
    source[1, 6:] = PAD
    target[2, 5:] = PAD
    return source, target


@pytest.mark.parametrize("name", ["torch.nn", "plain"])
@pytest.mark.parametrize("training", [False, True])
def test_a_peer_computes_our_function(name, training, ids):
    own = model().train(training)
    peer = peers.PEERS[name](own).train(training)
    source, target = ids
    real = target != PAD
    torch.testing.assert_close(
        peer(source, target)[real], own(source, target)[real], rtol=1e-4, atol=1e-5
    )
    memory = peer.encode(source)
    torch.testing.assert_close(
        peer.decode(target, memory, source)[real], own(source, target)[real], rtol=1e-4, atol=1e-5
    )


@pytest.mark.parametrize("name", ["torch.nn", "plain"])
def test_a_peer_has_our_parameters_and_biases_of_projections(name):
    own = model()
    peer = peers.PEERS[name](own)
    attentions = 3 * own.config.n_layers
    biases = attentions * 4 * own.config.d_model
    assert sum(p.numel() for p in peer.parameters()) == own.count_parameters()["total"] + biases


@pytest.mark.parametrize(
    "field", [{"norm": "pre"}, {"positions": "learned"}, {"activation": "gelu"}, {"d_k": 5}]
)
def test_what_a_peer_lacks_is_named(field):
    with pytest.raises(ValueError, match=next(iter(field))):
        peers.torch_nn(model(**field))


def test_an_absent_peer_is_named_with_its_requirements():
    if find_spec("transformers") is None:
        with pytest.raises(peers.MissingPeerError, match=r"benchmarks/requirements\.txt"):
            peers.marian(model())
    else:  # the environment of the peers
        assert peers.marian(model()).config.vocab_size == 60
    pins = (ROOT / "benchmarks" / "requirements.txt").read_text("utf-8").splitlines()
    names = [pin.partition("==")[0] for pin in pins if not pin.startswith("#")]
    assert names == ["transformers", "ctranslate2"]


def test_drawn_lengths_are_as_stated():
    found = batches.drawn_examples(20_000, vocab_size=300, seed=0)
    source = torch.tensor([len(example.source) for example in found], dtype=torch.float64)
    target = torch.tensor([len(example.target) - 1 for example in found], dtype=torch.float64)
    assert source.median() == pytest.approx(14.6, abs=0.5)
    assert source.log().std() == pytest.approx(0.30, abs=0.02)
    assert (target / source).log().median() == pytest.approx(math.log(1.02), abs=0.02)
    assert (target / source).log().std() == pytest.approx(0.17, abs=0.02)
    assert batches.drawn_examples(9, vocab_size=300, seed=3)[5].source[-1] == 2


def test_a_directory_without_the_data_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"train\.en\.gz"):
        batches.examples(tmp_path, vocab_size=300, seed=0)


def test_ratios_are_taken_within_a_round():
    timed = [{"a": 2.0, "b": 1.0}, {"a": 30.0, "b": 10.0}, {"b": 1.0}]
    assert measure.ratio(timed, "a", "b") == {"median": 2.5, "lowest": 2.0, "highest": 3.0}


def test_the_exponent_of_a_power_law_is_found():
    x = [64, 128, 256, 2048]
    assert exponent(x, [3 * n**1.7 for n in x]) == pytest.approx(1.7)


def test_a_contestant_that_is_another_function_is_refused():
    class Fixed:
        def __init__(self, loss):
            self.loss = loss

        def run(self, task, index):
            assert (task, index) == ("loss", 0)
            return 0.0, self.loss

    assert training_step.check_losses({"a": Fixed(5.0), "b": Fixed(5.01)}) == {"a": 5.0, "b": 5.01}
    with pytest.raises(ValueError, match=r"b begins with a loss of 6\.0"):
        training_step.check_losses({"a": Fixed(5.0), "b": Fixed(6.0)})


def test_decoding_counts_the_same_tokens_for_everyone():
    own = model()
    sources = [[(5, 6, 7, 2), (9, 2)], [(8, 8, 2)]]
    found = {
        name: decoding.make(name, own.config, sources, 0, (6, beam_size))(2)
        for name in ("ours", "ours uncached", "plain", "ctranslate2 float32")
        for beam_size in (1, 4)
    }
    for rows in found.values():
        assert [len(row) for row in rows] == [6, 6, 6]
    assert found["ours"] == found["ours uncached"] == found["plain"]
    assert found["ours"] == found["ctranslate2 float32"]


def failing(message):
    raise ValueError(message)


def allocate(mebibytes):
    held = []

    def work():
        held.append(torch.ones(mebibytes * 2**18))
        return len(held)

    return work


def test_a_worker_reports_memory_of_its_own_and_its_errors():
    worker = Worker(allocate, (64,), threads=1)
    seconds, count = worker.run()
    assert seconds > 0
    assert count == 1
    assert worker.run()[1] == 2
    memory = worker.memory()
    assert 128 <= memory["peak"] - memory["made"] < 160
    assert memory["start"] <= memory["made"] <= memory["peak"]
    worker.close()
    with pytest.raises(ContestantError, match="ValueError: no such size"):
        Worker(failing, ("no such size",), threads=1)
    assert 0 < resident() <= peak()


COMMANDS = {
    "training_step": [
        *("--tokens", "128", "--contestants", "ours float32", "plain", "torch.nn"),
        *("--allocators", "default"),
    ],
    "decoding": [
        *("--sentences", "5", "--batch-size", "2", "--tokens", "4"),
        *("--contestants", "ours", "ctranslate2 int8"),
    ],
    "utilisation": ["--tokens", "128", "--contestants", "ours float32"],
    "growth": ["--lengths", "8", "16", "--tokens", "16", "32", "--sentence", "8"],
    "caching": ["--lengths", "3", "5", "--sentences", "2"],
    "choices": [
        *("--tokens", "128", "--keys", "4", "--others", "chunk 128", "memory given back"),
    ],
    "profile_step": ["--tokens", "128", "--precision", "float32"],
    "profile_decoding": ["--batch-size", "3", "--tokens", "4"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_ends_in_a_record(name, tmp_path, monkeypatch, capsys):
    out = tmp_path / "record.json"
    options = ["--size", "tiny", "--rounds", "2", "--threads", "1", "--out", str(out)]
    monkeypatch.setattr(sys, "argv", [f"{name}.py", *options, *COMMANDS[name]])
    importlib.import_module(f"benchmarks.{name}").main()
    record = json.loads(out.read_text("utf-8"))
    wanted = {"benchmark", "command", "commit", "machine", "seed", "started", "wall_seconds"}
    assert wanted | {"curve", "scores", "rows"} <= record.keys()
    assert record["benchmark"] == name
    assert record["command"].startswith(f"python -m benchmarks.{name} --size tiny")
    assert str(tmp_path) not in out.read_text("utf-8")
    assert record["machine"]["threads"] == 1
    assert record["rows"]
    assert record["curve"]
    for entry in record["curve"]:
        assert all(seconds > 0 for seconds in entry["seconds"].values())
    assert str(out) in capsys.readouterr().out


# The choices inside a step.


@pytest.fixture
def small_batches():
    options = argparse.Namespace(data_dir=None, seed=0, tokens=128, rounds=2)
    return batches.batches_of(options, vocab_size=300)[0]


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


def test_each_other_way_is_another_one(small_batches, restored, monkeypatch):
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


# The profile of a step.


def test_shares_of_a_profile_add_up_and_find_their_groups(small_batches):
    config = measure.configuration("tiny", dropout=0.2)
    settings = TrainingRecipe(precision="float32")
    events, timed = profile_step.profiled(Transformer(config), small_batches[:1], settings)
    assert all(seconds > 0 for seconds in timed[0].values())
    groups, time_of, calls = profile_step.shares(events)
    [whole] = [event for event in events if event.name == profile_step.STEP]
    assert groups.total() == pytest.approx(whole.cpu_time_total, rel=0.01)
    assert time_of.total() == pytest.approx(groups.total())
    assert {"products", "optimizer", "dropout", "softmax and loss", "normalisation"} <= set(groups)
    assert "conversions" not in groups or groups["conversions"] < 0.05 * groups.total()
    drops = 2 + 5 * config.n_layers  # of both embeddings and of every sublayer
    assert calls["aten::random_ (dropout)"] == drops
    assert calls["aten::mul (dropout)"] >= 2 * drops  # forward and backward


def test_bfloat16_brings_conversions(small_batches):
    config = measure.configuration("tiny")
    shares = {}
    for precision in ("float32", "bfloat16"):
        settings = TrainingRecipe(precision=precision)
        events, _ = profile_step.profiled(Transformer(config), small_batches[:1], settings)
        calls = profile_step.shares(events)[2]
        shares[precision] = calls["aten::copy_ (conversions)"]
    assert shares["bfloat16"] > 20 + shares["float32"]


# The profile of a search.


def test_the_products_of_a_step_are_all_that_it_multiplies_with_weights():
    model = Transformer(measure.configuration("tiny", n_layers=2)).eval()
    source, tokens = torch.randint(4, 300, (3, 5)), torch.full((3, 1), 4)
    with torch.inference_mode():
        prefixes = CachedPrefixes(model, source)
        with FlopCounterMode(display=False) as counter:
            prefixes.step(tokens)
    counted = counter.get_flop_counts()["Global"]
    with_weights = counted[torch.ops.aten.mm] + counted[torch.ops.aten.addmm]
    gflop, seconds = profile_decoding.step_products(model, rows=3, repeats=2)
    assert gflop == pytest.approx(with_weights / 1e9)
    assert seconds > 0


def test_a_search_is_profiled_as_a_whole():
    model = Transformer(measure.configuration("tiny")).eval()
    events, timed = profile_decoding.profiled(model, [(5, 6, 2), (7, 2)], 4, 2, rounds=2)
    rows, _ = profile_step.tables(events, 2, label=profile_step.SEARCH, unit="search")
    assert len(timed) == 2
    assert sum(row["share"] for row in rows) == pytest.approx(1, abs=0.01)
    assert {"products", "softmax and loss", "between operations"} <= {r["group"] for r in rows}
    calls = profile_step.shares(events, profile_step.SEARCH)[2]
    assert sum(n for name, n in calls.items() if name.startswith("aten::topk ")) == 2 * 4


# Padding.


def test_padding_is_counted_and_recorded(tmp_path, monkeypatch, capsys):
    out = tmp_path / "padding.json"
    path = write_recipe(tmp_path)
    options = ["--recipes", str(path), "--tokens", "60", "200", "--epochs", "2", "--out", str(out)]
    padding.main(options)
    few, many = json.loads(out.read_text("utf-8"))["rows"]
    assert (few["tokens_per_batch"], many["tokens_per_batch"]) == (60, 200)
    assert few["batches"] > many["batches"] > 1
    for row in (few, many):
        assert 0 <= row["lowest"] <= row["padding"] <= row["highest"] < 0.3
        assert row["padding"] < row["padding_in_random_order"]
    assert "padding_in_random_order" in capsys.readouterr().out


def test_padding_in_random_order_is_that_of_a_brute_count():
    found = batches.drawn_examples(100, vocab_size=300, seed=0)
    order = np.random.default_rng(3).permutation(100)
    filled = positions = 0
    for start in range(0, 100, 8):
        rows = [found[i] for i in order[start : start + 8]]
        for lengths in ([len(e.source) for e in rows], [len(e.target) - 1 for e in rows]):
            filled, positions = filled + sum(lengths), positions + max(lengths) * len(rows)
    share = padding.random_share(TokenPairs.of(found), 8, 3)
    assert share == pytest.approx(1 - filled / positions)


# CTranslate2's instructions.


def variable(name):
    return lambda: os.environ.get(name)


def test_ctranslate2_is_told_what_the_processor_has(monkeypatch):
    for capability, expected in (("AVX512", {"CT2_FORCE_CPU_ISA": "AVX512"}), ("AVX2", {})):
        monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda c=capability: c)
        assert decoding.environment("ctranslate2 int8") == expected
        assert decoding.environment("ours") == {}


def test_a_worker_gets_its_variables():
    worker = Worker(variable, ("A_NAME",), threads=1, environment={"A_NAME": "a value"})
    assert worker.run()[1] == "a value"
    worker.close()
    assert "A_NAME" not in os.environ


def test_what_a_user_can_mend_is_one_line(capsys):
    def absent():
        raise peers.MissingPeerError("transformers")

    with pytest.raises(SystemExit, match=r"^benchmarks: error: transformers is not installed"):
        measure.run(absent)
