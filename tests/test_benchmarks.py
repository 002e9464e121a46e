"""The benchmarks compare like with like, and every command ends in a record that a book can read.

Never a time: what a test machine does meanwhile is no property of the code. Hugging Face's peer
lives in an environment of its own (benchmarks/requirements.txt), so what is tested here is that its
absence is named; that it computes the same losses, `training_step` itself checks before it times.
"""

import importlib
import json
import math
import sys
from importlib.util import find_spec

import pytest
import torch

from annotated_transformer.config import TransformerConfig
from annotated_transformer.transformer import Transformer
from benchmarks import batches, decoding, measure, peers, training_step
from benchmarks.growth import exponent
from benchmarks.workers import ContestantError, Worker, peak, resident
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


def test_what_a_user_can_mend_is_one_line(capsys):
    def absent():
        raise peers.MissingPeerError("transformers")

    with pytest.raises(SystemExit, match=r"^benchmarks: error: transformers is not installed"):
        measure.run(absent)
