"""The weights that a page gets, read by other code than the page's, and the model they make."""

import base64
import copy
import json
import re
from math import prod

import pytest
import torch

from annotated_transformer import Translator
from live_trace import STORED
from rules import ROOT

CALL = re.compile(r'AnnotatedTransformer\.receive\("(\w+)", (\d+), (\d+), "([\w+/=]*)"\);\n')


def read_scripts(scripts):
    """Return the header and the tensors, by name, of the scripts of a model."""
    calls = [CALL.fullmatch(script).groups() for script in scripts]
    assert {(name, int(count)) for name, _, count, _ in calls} == {(calls[0][0], len(scripts))}
    assert [int(number) for _, number, _, _ in calls] == [*range(len(scripts))]
    content = b"".join(base64.b64decode(text, validate=True) for *_, text in calls)
    end = 4 + int.from_bytes(content[:4], "little")
    header, tensors = json.loads(content[4:end]), {}
    for stored in header["tensors"]:
        shape = stored["shape"]
        sizes = [4 * shape[0], prod(shape)] if stored["bits"] == 8 else [4 * prod(shape)]
        parts = [bytearray(content[end + sum(sizes[:i]) :][:size]) for i, size in enumerate(sizes)]
        end += sum(sizes)
        first = torch.frombuffer(parts[0], dtype=torch.float32)
        if len(parts) == 2:
            whole = torch.frombuffer(parts[1], dtype=torch.int8).reshape(shape)
            tensors[stored["name"]] = first[:, None] * whole
        else:
            tensors[stored["name"]] = first.reshape(shape)
    assert end == len(content)
    return header, tensors


def model_of(figure, language="en"):
    """Return the name of the model that a live figure asks for on a page in a language."""
    return STORED[language].model if figure == "map" else "english_korean"


def tried(model):
    """Return the sentences that the map offers for a model."""
    folder = ROOT / "book/_static/live/figures/map"
    script = (folder / "directions.js").read_text("utf-8")
    (listed,) = re.findall(rf'model: "{model}".*?sentences: (\[.*?\])', script, re.DOTALL)
    return json.loads(listed)


def words_as_in_python(found):
    """Return the words of source and target and their attention, from what the map has of them.

    There a mark at the end is a word of its own, for `Translator.attention` a piece of the last.
    """
    source, places = [], []
    for word in found["source"][:-1]:  # the last is the end
        if word["name"] in (".", "?"):
            source[-1] += word["name"]
        else:
            source.append(word["name"])
        places.append(len(source) - 1)
    places = torch.tensor([*places, len(source)])
    names, rows = [], []
    for word, row in zip(found["target"], found["weights"], strict=True):
        tokens = [torch.tensor(row)] * (word["to"] - word["from"])
        if word["name"] in (".", "?"):
            names[-1] += word["name"]
            rows[-1] += tokens
        else:
            names.append(word["name"])
            rows.append(tokens)
    weights = torch.stack([torch.stack(tokens).mean(0) for tokens in rows])
    joined = torch.zeros(len(rows), len(source) + 1).index_add_(1, places, weights)
    return source, names, joined


def check_nearly_stored(made, stored):
    """Assert that two scripts of a run differ as two processors may, which round a last digit."""
    number = re.compile(r"-?\d+\.\d+")
    here, there = (list(map(float, number.findall(text))) for text in (made, stored))
    assert here == pytest.approx(there, abs=2e-4)
    here, there = number.sub("#", made), number.sub("#", stored)
    assert len(here) == len(there)
    others = sum(a != b for a, b in zip(here, there, strict=True))
    assert others <= len(there) / 2000, others  # one character is one number of a strip


def read_folder(folder, name="english_korean"):
    """Return the same of the scripts in a folder."""
    files = sorted(folder.glob(f"{name}-*.js"))
    return read_scripts([file.read_text("ascii") for file in files])


def translator_of(tensors, name="english_korean"):
    """Return a shipped translator with these weights."""
    shipped = Translator.load(name)
    model = copy.deepcopy(shipped.model)
    own = dict(model.named_parameters())  # a shared one once
    assert own.keys() == tensors.keys()
    with torch.no_grad():
        for key, parameter in own.items():
            parameter.copy_(tensors[key])
    return Translator(
        model,
        shipped.tokenizer,
        text=shipped.policy.training_text,
        threshold=shipped.threshold,
        coverage=shipped.coverage,
    )
