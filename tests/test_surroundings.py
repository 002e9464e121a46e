"""What surrounds the program: a shell, another system, modules of PyTorch around a model."""

import errno
import io
import os
import signal
import sys

import pytest
import torch
from family_tiny import TINY
from tiny import tiny_translator
from torch import nn
from typechecking import unchecked

from annotated_transformer.cli import commands, main
from annotated_transformer.decoding.search import beam_search
from annotated_transformer.evaluation import evaluate
from annotated_transformer.fast.int8 import in_precision
from annotated_transformer.lab.family.dit.model import DiT, DiTConfig
from annotated_transformer.lab.family.gpt.model import GPT, GPTConfig
from annotated_transformer.lab.family.gpt.sampling import most_probable
from annotated_transformer.saving import save_model
from annotated_transformer.storage import atomic
from annotated_transformer.translator import Translator

SOURCE, TARGET = torch.tensor([[5, 6, 2]]), torch.tensor([[1, 5]])


def fail(error):
    raise error


@pytest.mark.parametrize("mode", ["w", "a", "r+"])
def test_a_file_is_not_translated_into_itself(tmp_path, monkeypatch, capsys, mode):
    """With `>` it would be empty, with `>>` it would grow until the disk is full."""
    file = tmp_path / "lines.txt"
    file.write_text("I am a student\n")
    with file.open() as source, file.open(mode) as target, monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", source)
        patch.setattr(sys, "stdout", target)
        assert main(["translate", "english_korean"]) == 1
    assert "standard input and output are one file" in capsys.readouterr().err


def test_an_output_that_has_no_such_letters_is_named_with_what_to_set(monkeypatch, capsys):
    monkeypatch.setattr(commands, "translate", lambda **_: print("나는 학생이다"))
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "ascii"))
        assert main(["translate", "english_korean", "I am a student"]) == 1
    assert capsys.readouterr().err == (
        "annotated-transformer: error: standard output has the encoding ascii, which has no "
        "'\\ub098'; set the environment variable PYTHONIOENCODING=utf-8\n"
    )


def test_a_reader_that_stops_is_no_error_where_there_is_no_signal_for_it(monkeypatch):
    monkeypatch.delattr(signal, "SIGPIPE")  # as on Windows
    monkeypatch.setattr(os, "dup2", lambda *_: None)
    monkeypatch.setattr(commands, "describe", lambda **_: fail(BrokenPipeError()))
    assert main(["describe", "english_korean"]) == 128 + 13


def test_files_are_written_where_a_system_flushes_no_directory(tmp_path, monkeypatch):
    """Windows opens no directory, and flushes nothing that is open for reading."""
    monkeypatch.setattr(atomic.sys, "platform", "win32")
    monkeypatch.setattr(os, "open", lambda *_: fail(PermissionError(errno.EACCES, "a directory")))
    monkeypatch.setattr(os, "fsync", lambda _: fail(OSError(errno.EBADF, "for reading")))
    atomic.write_text(tmp_path / "a.txt", "text")
    assert (tmp_path / "a.txt").read_text() == "text"


@pytest.mark.parametrize("around", [nn.DataParallel, torch.optim.swa_utils.AveragedModel])
def test_what_only_holds_a_model_is_named_with_where_the_model_is(around):
    whole = tiny_translator()
    held = around(whole.model)
    message = rf"of type {type(held).__name__}; .*Transformer; its \.module is a model"
    with unchecked(), pytest.raises(ValueError, match=message):
        Translator(held, whole.tokenizer)
    assert Translator(held.module, whole.tokenizer)


def test_layers_are_counted_where_they_are():
    """A layer that somebody took away is not asked for what it attended to."""
    translator = tiny_translator(n_layers=3)
    del translator.model.decoder.layers[2]
    last = translator.attention("I am", "나는", layer=-1)
    assert last.weights.equal(translator.attention("I am", "나는", layer=1).weights)
    with pytest.raises(ValueError, match="layer is 2; expected -2 to 1"):
        translator.attention("I am", "나는", layer=2)


@pytest.mark.parametrize("part", ["encoder", "decoder"])
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_a_part_in_another_number_format_is_named(part, dtype):
    model = tiny_translator().model
    model.get_submodule(part).to(dtype)
    with pytest.raises(
        ValueError, match=rf"the input has dtype torch\.float32, the weights {dtype}"
    ):
        model(SOURCE, TARGET)


def test_arguments_in_another_order_are_named(tmp_path):
    whole = tiny_translator()
    with unchecked(), pytest.raises(ValueError, match="the model is of type Tokenizer; expected"):
        save_model(whole.model, whole.tokenizer, tmp_path)


def test_a_pair_that_has_no_source_is_named():
    with (
        unchecked(),
        pytest.raises(ValueError, match=r"pair 1 is \('I am', '나는'\); expected SentencePair"),
    ):
        evaluate(tiny_translator(), [("I am", "나는")], split="test")


def tanh_inside(model):
    model.decoder.layers[0].feed_forward.activate = torch.tanh


def method_of_its_own(model):
    model.encode = lambda source: source


def twice_the_queries(model):
    attention = model.encoder.layers[0].self_attention
    attention.__class__ = type(
        "Twice", (type(attention),), {"relate": lambda _, q, k, b: (2 * q, k, b)}
    )


def no_positions(model):
    model.target_positions = nn.Identity()


@pytest.mark.parametrize(
    "change", [tanh_inside, method_of_its_own, twice_the_queries, no_positions]
)
def test_what_a_file_of_tensors_would_lose_is_not_saved(tmp_path, change):
    whole = tiny_translator()
    change(whole.model)
    with pytest.raises(ValueError, match="computes otherwise than that of its configuration"):
        save_model(tmp_path / "model", whole.model, whole.tokenizer)
    assert not any(tmp_path.iterdir())


def test_a_model_with_another_dropout_is_saved(tmp_path):
    whole = tiny_translator()
    whole.model.dropout = nn.Dropout(0.3)
    save_model(tmp_path / "model", whole.model, whole.tokenizer)
    assert Translator.load(tmp_path / "model")


@pytest.mark.parametrize("name", ["output", "decoder.layers.0.self_attention.w_key"])
@pytest.mark.parametrize("later", [False, True])
def test_a_hook_is_called_in_a_rounded_model_too(name, later):
    model, calls = tiny_translator().model.eval(), []
    rounded = in_precision(model, "int8") if later else model
    rounded.get_submodule(name).register_forward_hook(lambda *_: calls.append(1))
    beam_search(rounded if later else in_precision(model, "int8"), SOURCE, max_length=3)
    assert calls


def test_what_a_member_wrote_can_be_learned_from():
    """Also while it is in training: dropout is off as long as it writes."""
    gpt = GPT(GPTConfig(**TINY["GPT"] | {"dropout": 0.5})).train()
    written = [gpt.generate(SOURCE, 5, most_probable) for _ in range(3)]
    assert written[0].equal(written[1])
    assert written[0].equal(written[2])
    assert gpt.training
    gpt.loss(written[0]).backward()
    dit = DiT(DiTConfig(**TINY["DiT"] | {"dropout": 0.5})).train()
    drawn = [
        dit.sample(torch.tensor([1]), n_jumps=2, generator=torch.Generator().manual_seed(0))
        for _ in range(2)
    ]
    assert drawn[0].equal(drawn[1])
    weight = torch.ones((), requires_grad=True)
    (weight * drawn[0]).sum().backward()
