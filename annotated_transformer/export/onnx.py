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

README = """\
# A Transformer in ONNX

{n_layers} + {n_layers} layers, d_model {d_model}, {vocab_size:,} tokens; sentences of at most
{max_length} tokens. Opset 18, float32. Serve it with `pip install onnxruntime sentencepiece`; this
is a greedy search:

```python
import sys

import numpy
import onnxruntime
import sentencepiece

sys.path.insert(0, str(directory))
from text_policy import TextPolicy

policy = TextPolicy.load(f"{{directory}}/text.json")
readings = [policy.read(text) for text in texts]
sentences = [sentence for reading in readings for sentence in reading.sentences]

PAD, BOS, EOS = {padding_id}, 1, 2
tokenizer = sentencepiece.SentencePieceProcessor(model_file=f"{{directory}}/tokenizer.model")
encoder = onnxruntime.InferenceSession(f"{{directory}}/encoder.onnx")
decoder = onnxruntime.InferenceSession(f"{{directory}}/decoder.onnx")

rows = [[*tokenizer.encode(sentence), EOS] for sentence in sentences]
longest = max(map(len, rows))
source = numpy.array([row + [PAD] * (longest - len(row)) for row in rows])
memory_keys, memory_values = encoder.run(None, {{"source": source}})
kept = {{"source": source, "memory_keys": memory_keys, "memory_values": memory_values}}
keys, values = memory_keys[:, :, :, :0], memory_values[:, :, :, :0]  # of no token yet
written = numpy.full((len(rows), 1), BOS)
for _ in range(min(longest + 50, {max_length})):
    step = {{"tokens": written[:, -1:], "keys": keys, "values": values}}
    logits, keys, values = decoder.run(None, {{**step, **kept}})
    logits[:, :, [PAD, BOS]] = -numpy.inf  # neither is part of a translation
    written = numpy.append(written, logits.argmax(-1), axis=1)
    if (written == EOS).any(axis=1).all():
        break
ids = [row[1 : [*row, EOS].index(EOS)] for row in written.tolist()]
found = (tokenizer.decode(row) for row in ids)
translations = [" ".join(next(found) for _ in reading.sentences) for reading in readings]
```

The folder text_policy, which needs Python's standard library alone, reads a text for this model:
spaces of every kind become one, marks that training never had are exchanged or left out, capitals
are read in a spelling that training had, several sentences are told apart. `reading.changes`,
`reading.unknown_words` and `reading.unknown_characters` say what was found; a text with a
`reading.refusal` has no sentences, and its translation is empty. Doubt is not measured here: what
the package's own `Translator` calls doubtful looks like any other translation.

encoder.onnx reads `source` (batch, source) and gives `memory_keys` and `memory_values`, (layer,
batch, head, source, width). decoder.onnx reads these three, the newest `tokens` (batch, newest),
and the `keys` and `values` of those before, (layer, batch, head, past, width). It gives the
`logits` of what follows each token, (batch, newest, vocabulary), and `longer_keys` and
`longer_values`. Ids are int64. In a beam search, `keys[:, parents]` are the keys of the prefixes
that go on.
"""


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
