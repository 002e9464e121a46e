"""A trained model in ONNX, for serving.

ONNX is a file format for the operations of a network and their weights; programs for many machines
and languages run it. PyTorch's exporter writes it: it runs the model once and records what is
computed. It needs two packages, and only to export (`annotated-transformer[export]`); what is
written needs neither this package nor PyTorch. Weights stay in float32. A search is not written;
the README has a greedy one, with the translations of this package's own.

encoder.onnx gives what stays the same in all steps of a search: the keys and values that the layers
of the decoder have of the memory. decoder.onnx is one step: the newest tokens go in with the keys
and values so far, and the logits come out with the longer keys and values.
"""

import copy
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import torch
from torch import Tensor, nn

from annotated_transformer.config import TransformerConfig
from annotated_transformer.export.onnx_graphs import DecoderGraph, EncoderGraph
from annotated_transformer.tokenizer import EOS_ID, Tokenizer
from annotated_transformer.transformer import Transformer

OPSET = 18
"""The version of ONNX's operators: the one that PyTorch's exporter writes without converting."""
ITS_OWN_CLASS = "`isinstance(treespec, LeafSpec)` is deprecated"
"""How the exporter's warning of a class of PyTorch begins; we can do nothing about it."""
NAMED = torch.export.Dim.DYNAMIC
AXES = {
    "source": {0: "batch", 1: "source"},
    "memory_keys": {1: NAMED, 3: NAMED},
    "memory_values": {1: NAMED, 3: NAMED},
    "tokens": {0: NAMED, 1: "newest"},
    "keys": {1: NAMED, 3: "past"},
    "values": {1: NAMED, 3: NAMED},
}
"""What goes in, and the axes whose lengths are left open; NAMED ones have a name further up."""
OUTPUTS = {
    "encoder.onnx": ["memory_keys", "memory_values"],
    "decoder.onnx": ["logits", "longer_keys", "longer_values"],
}
"""What comes out of each file."""
FILES = frozenset(OUTPUTS)
"""What is written beside the tokenizer and the README."""
LARGE = frozenset(f"{name}.data" for name in FILES)
"""Where the exporter puts weights of over 1.5 GiB, because an ONNX file ends at 2 GiB."""


def check(config: TransformerConfig) -> None:
    """Raise a `ValueError` if the exporter is not installed; ONNX keeps every configuration."""
    try:
        import onnx  # noqa: F401, PLC0415  (an optional extra)
        import onnxscript  # noqa: F401, PLC0415
    except ImportError as error:
        raise ValueError(
            "exporting to onnx needs the packages onnx and onnxscript: pip install onnx onnxscript"
        ) from error


def write(model: Transformer, tokenizer: Tokenizer, directory: Path) -> None:
    """Write FILES into `directory`."""
    model = copy.deepcopy(model).cpu().float()
    encoder, decoder = EncoderGraph(model).eval(), DecoderGraph(model).eval()
    # Lengths that are equal in an example would be taken for the same length.
    source, past = (torch.full((2, n), EOS_ID) for n in (3, 5))
    with torch.no_grad():
        memory_keys, memory_values = encoder(source)
        keys, values = encoder(past)
    step = {
        "source": source,
        "memory_keys": memory_keys,
        "memory_values": memory_values,
        "tokens": torch.full((2, 4), EOS_ID),
        "keys": keys,
        "values": values,
    }
    _export(encoder, {"source": source}, directory / "encoder.onnx")
    _export(decoder, step, directory / "decoder.onnx")


def _export(graph: nn.Module, example: dict[str, Tensor], path: Path) -> None:
    """Let PyTorch's exporter write a graph that takes inputs like these, of any lengths."""
    with _quiet():
        exported = torch.onnx.export(
            graph,
            kwargs=example,
            input_names=list(example),
            output_names=OUTPUTS[path.name],
            opset_version=OPSET,
            dynamo=True,
            dynamic_shapes={name: AXES[name] for name in example},
            verbose=False,
        )
    program = cast("torch.onnx.ONNXProgram", exported)
    # The exporter notes for each operation the lines of code it is from, with this machine's paths.
    for node in program.model.graph:
        node.metadata_props.clear()
    program.save(path)


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence what PyTorch 2.13's exporter says about itself, whatever it exports.

    It warns about a class of PyTorch whenever it copies what it recorded, and logs that operators
    of torchvision are missing.
    """
    log = logging.getLogger("torch.onnx._internal.exporter._registration")
    log.addFilter(_not_of_torchvision)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")  # errors would stop the exporter
            yield
    finally:
        log.removeFilter(_not_of_torchvision)
    for each in caught:
        if not str(each.message).startswith(ITS_OWN_CLASS):
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)


def _not_of_torchvision(record: logging.LogRecord) -> bool:
    return "torchvision is not installed" not in record.getMessage()
