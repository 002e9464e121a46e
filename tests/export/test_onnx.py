"""What onnxruntime computes with the written graphs is what the model computes."""

import random

import onnx
import onnxruntime
import pytest
import torch
from strong_models import padded, small, tokenizer_of
from typechecking import unchecked

from annotated_transformer.config import OPTIONS, TransformerConfig
from annotated_transformer.export.formats import POLICY, SHARED, export_model
from annotated_transformer.export.onnx import FILES, LARGE, OPSET
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.tokenizer import EOS_ID, N_SPECIALS
from rules import ROOT

TOLERANCE = 1e-4
# What there is to choose in a configuration, each choice in one of these. One layer suffices: how
# layers follow each other is no choice.
VARIANTS = {
    "the paper's": {"n_layers": 2},
    "learned positions": {
        **{"positions": "learned", "norm": "pre", "activation": "gelu"},
        **{"share_embeddings": False, "scale_embeddings": False},
    },
    "rotary positions": {
        **{"positions": "rotary", "bias": "all", "activation": "silu"},
        **{"d_k": 6, "d_v": 10},
    },
    "linear biases": {"positions": "alibi", "activation": "gelu_tanh", "epsilon": 1e-3},
    "no positions": {"positions": "none", "bias": "none", "activation": "none"},
}


def test_each_choice_of_each_option_is_in_a_variant():
    tried = [TransformerConfig(vocab_size=9, **overrides) for overrides in VARIANTS.values()]
    for option, choices in OPTIONS.items():
        assert {getattr(config, option) for config in tried} == set(choices)


SOURCES = {"one": [9], "shortest": [1], "several": [6, 2, 11], "equal": [5, 5]}
PARTS = {"token by token": [1] * 7, "at once": [7], "prefix first": [4, 1, 2]}


class Served:
    """An exported model in onnxruntime."""

    def __init__(self, model, directory):
        self.model = model
        self.directory = directory
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.encoder, self.decoder = (
            onnxruntime.InferenceSession(directory / f"{name}.onnx", options)
            for name in ("encoder", "decoder")
        )

    def start(self, source):
        """What goes into the first step, but its tokens."""
        names = ("memory_keys", "memory_values")
        ids = source.numpy()
        inputs = dict(zip(names, self.encoder.run(None, {"source": ids}), strict=True))
        empty = {name: inputs[f"memory_{name}"][:, :, :, :0] for name in ("keys", "values")}
        return {"source": ids, **inputs, **empty}

    def step(self, inputs, tokens):
        """Logits; keys and values among the inputs become the longer ones."""
        step = {**inputs, "tokens": tokens.numpy()}
        logits, inputs["keys"], inputs["values"] = self.decoder.run(None, step)
        return torch.from_numpy(logits)


def export(model, tokenizer, directory):
    """Without the checks of shapes: what they ask of a length would be recorded as its value."""
    with unchecked():
        export_model(model, tokenizer, directory, file_format="onnx")


@pytest.fixture(scope="module")
def tokenizer():
    return tokenizer_of(english_korean("valid")[:1000])


@pytest.fixture(scope="module", params=VARIANTS)
def served(request, tokenizer, tmp_path_factory):
    model = small(tokenizer, **{"n_layers": 1, **VARIANTS[request.param]})
    directory = tmp_path_factory.mktemp("onnx") / "export"
    export(model, tokenizer, directory)
    return Served(model, directory)


def random_ids(model, lengths):
    """A sentence of each length, its end included."""
    generator = random.Random(sum(lengths))
    ids = range(N_SPECIALS, model.config.vocab_size)
    return padded([[*generator.choices(ids, k=length - 1), EOS_ID] for length in lengths])


@torch.no_grad()
def difference(model, source, target, logits):
    """The largest difference from the logits of the model, which sees the whole target at once."""
    expected = model(source, target)
    assert logits.shape == expected.shape
    assert expected.std() > 0.5, "small logits differ little whatever they are"
    return (logits - expected).abs().max()


@pytest.mark.parametrize("parts", PARTS.values(), ids=PARTS)
@pytest.mark.parametrize("lengths", SOURCES.values(), ids=SOURCES)
def test_logits_are_those_of_the_model(served, lengths, parts):
    source = random_ids(served.model, lengths)
    target = random_ids(served.model, [sum(parts)] * len(lengths))
    inputs = served.start(source)
    logits = [served.step(inputs, tokens) for tokens in target.split(parts, dim=1)]
    assert difference(served.model, source, target, torch.cat(logits, dim=1)) < TOLERANCE


def test_a_beam_goes_on_with_the_rows_of_its_parents(served):
    source = random_ids(served.model, [5, 5, 5])
    source[:] = source[0]
    target = random_ids(served.model, [6, 6, 6])
    parents = [2, 0, 2]
    inputs = served.start(source)
    served.step(inputs, target[:, :4])
    for name in ("keys", "values"):
        inputs[name] = inputs[name][:, parents]
    logits = served.step(inputs, target[:, 4:])
    whole = torch.cat([target[parents, :4], target[:, 4:]], dim=1)
    with torch.no_grad():
        expected = served.model(source, whole)[:, 4:]
    assert (logits - expected).abs().max() < TOLERANCE


def test_the_files_say_what_they_are_and_not_where_they_were_made(served):
    assert {file.name for file in served.directory.iterdir()} == FILES | SHARED | POLICY
    readme = (served.directory / "README.md").read_text("utf-8")
    assert f"Opset {OPSET}," in readme
    for name in FILES:
        file = served.directory / name
        onnx.checker.check_model(file, full_check=True)
        (operators,) = onnx.load(file).opset_import
        assert (operators.domain, operators.version) == ("", OPSET)
        assert str(ROOT).encode() not in file.read_bytes()
        for inside in map("`{0.name}`".format, onnx.load(file).graph.input):
            assert inside in readme


def test_weights_that_a_file_cannot_hold_are_beside_it(tokenizer, tmp_path, monkeypatch):
    exporter = "torch.onnx._internal.exporter._onnx_program"
    monkeypatch.setattr(f"{exporter}._LARGE_MODEL_THRESHOLD", 0)
    earlier = FILES | SHARED | {"encoder.onnx.data"}
    for name in earlier:
        (tmp_path / name).touch()
    model = small(tokenizer, n_layers=1)
    export(model, tokenizer, tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == FILES | SHARED | POLICY | LARGE
    assert Served(model, tmp_path).start(random_ids(model, [3]))["keys"].shape[0] == 1
