"""What is the same for every format: nothing half written, nothing of others replaced."""

import stat
import sys
from types import SimpleNamespace

import pytest
import torch
from strong_models import small, tokenizer_of

from annotated_transformer.cli import main
from annotated_transformer.config import TransformerConfig
from annotated_transformer.export.formats import FORMATS, POLICY, SHARED, export_model
from annotated_transformer.fast.int8 import quantised
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.saving import save_model
from annotated_transformer.transformer import Transformer

FILES = FORMATS["ctranslate2"].FILES | SHARED | POLICY


@pytest.fixture(scope="module")
def tokenizer():
    return tokenizer_of(english_korean("valid")[:1000])


def names(directory):
    return {file.name for file in directory.iterdir()}


def test_the_directory_is_whole_and_replaces_only_an_export(tokenizer, tmp_path):
    place = tmp_path / "export"
    for seed in (1, 2):
        model = small(tokenizer, d_ff=16 * seed)
        export_model(model, tokenizer, place)
        assert names(place) == FILES
    assert stat.S_IMODE(place.stat().st_mode) == 0o755
    assert (place / "tokenizer.model").read_bytes() == tokenizer.to_bytes()
    (place / "notes.txt").write_text("mine")
    with pytest.raises(FileExistsError, match=r"notes\.txt"):
        export_model(model, tokenizer, place)
    assert names(tmp_path) == {"export"}


def test_one_format_does_not_replace_another(tokenizer, tmp_path):
    model = small(tokenizer)
    export_model(model, tokenizer, tmp_path / "export")
    with pytest.raises(FileExistsError, match=r"config\.json; it is left as it is"):
        export_model(model, tokenizer, tmp_path / "export", file_format="onnx")
    assert names(tmp_path / "export") == FILES


def test_other_formats_and_rounded_models_are_refused(tokenizer, tmp_path):
    model = small(tokenizer)
    with pytest.raises(ValueError, match=r"format 'ONNX' is unknown.*ctranslate2, onnx$"):
        export_model(model, tokenizer, tmp_path / "export", file_format="ONNX")
    with pytest.raises(ValueError, match="int8 is not exported"):
        export_model(quantised(model), tokenizer, tmp_path / "export")
    assert names(tmp_path) == set()


class Doubled(Transformer):
    def decode_hidden(self, *arguments):
        return 2 * super().decode_hidden(*arguments)


def another_activation(model):
    model.decoder.layers[0].feed_forward.activate = torch.tanh


def a_bias_more(model):
    model.output.bias = torch.nn.Parameter(torch.ones(model.config.vocab_size))


def no_number(model):
    with torch.no_grad():
        model.output.weight[7] = torch.nan


OTHERWISE = {
    "class": (lambda model: setattr(model, "__class__", Doubled), "its method decode_hidden would"),
    "activation": (another_activation, "feed_forward computes otherwise than that of its config"),
    "bias": (a_bias_more, r"output\.bias is missing, left over"),
    "NaN": (no_number, "has numbers that are infinite or none"),
    "layers": (lambda model: model.decoder.layers.pop(1), r"decoder\.layers\.1.* is missing"),
    "meta": (lambda model: model.to("meta"), "which has no numbers"),
}


@pytest.mark.parametrize("file_format", FORMATS)
@pytest.mark.parametrize("name", OTHERWISE)
def test_what_a_file_would_lose_is_not_exported(name, file_format, tokenizer, tmp_path):
    change, message = OTHERWISE[name]
    model = small(tokenizer)
    change(model)
    with pytest.raises(ValueError, match=message):
        export_model(model, tokenizer, tmp_path / "export", file_format=file_format)
    assert names(tmp_path) == set()


@pytest.mark.parametrize("file_format", FORMATS)
def test_another_tokenizer_is_refused(file_format, tokenizer, tmp_path):
    model = Transformer(TransformerConfig.tiny(vocab_size=999))
    with pytest.raises(ValueError, match="1000 tokens, the model 999"):
        export_model(model, tokenizer, tmp_path / "export", file_format=file_format)
    assert names(tmp_path) == set()


@pytest.mark.parametrize(
    ("file_format", "package"),
    [("ctranslate2", "ctranslate2"), ("onnx", "onnx"), ("onnx", "onnxscript")],
)
def test_without_the_extra_the_message_says_what_to_install(
    file_format, package, tokenizer, tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, package, None)
    needed = rf"needs the package.*{package}.*: pip install .*{package}"
    with pytest.raises(ValueError, match=needed):
        export_model(small(tokenizer), tokenizer, tmp_path / "a" / "b", file_format=file_format)
    assert names(tmp_path) == set()


def test_ctrl_c_in_the_middle_leaves_nothing(tokenizer, tmp_path, monkeypatch, capsys):
    written = []

    def save(path):
        path.write_bytes(b"half of it")
        written.append(path)

    def exporter(*arguments, **options):
        if written:
            raise KeyboardInterrupt
        return SimpleNamespace(model=SimpleNamespace(graph=[]), save=save)

    monkeypatch.setattr(torch.onnx, "export", exporter)
    save_model(tmp_path / "model", small(tokenizer), tokenizer)
    command = ["export", str(tmp_path / "model"), str(tmp_path / "served"), "--format", "onnx"]
    assert main(command) == 130
    assert capsys.readouterr().err == "annotated-transformer: interrupted\n"
    assert len(written) == 1
    assert names(tmp_path) == {"model"}


def test_the_command_writes_it(tokenizer, tmp_path, capsys):
    save_model(tmp_path / "model", small(tokenizer), tokenizer)
    assert main(["export", str(tmp_path / "model"), str(tmp_path / "export")]) == 0
    assert names(tmp_path / "export") == FILES
    assert main(["export", str(tmp_path / "model"), str(tmp_path / "b"), "--format", "tflite"]) == 1
    expected = "format 'tflite' is unknown; choose one of ctranslate2, onnx"
    assert expected in capsys.readouterr().err
    assert main(["export", str(tmp_path / "none"), str(tmp_path / "b")]) == 1
    (tmp_path / "model" / "model.safetensors").unlink()
    assert main(["export", str(tmp_path / "model"), str(tmp_path / "b"), "--format", "onnx"]) == 1
    assert "model.safetensors" in capsys.readouterr().err
    assert not (tmp_path / "b").exists()
