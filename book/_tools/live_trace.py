"""Write what the map of the model shows before its weights are there: `live_trace.py`.

A sentence goes through minimal.py with the shipped weights, rounded as the page has them, and
`figures/map/trace.js` keeps what the map draws of that run: the vectors as one character a number,
the units of the feed-forward networks that fire, the attention weights and the next tokens. On a
page in Korean `trace.ko.js` stands in its place, a run of the model that reads Korean.
`figures/journey/trace.js` keeps the two rows that *The whole model* follows at first.
"""

import copy
import json
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from annotated_transformer import Translator, minimal
from annotated_transformer.inspection import evaluation_mode, record_attention
from annotated_transformer.lab.page_model import rounded
from annotated_transformer.tokenizer import BOS_ID, EOS_ID
from rules import ROOT

FOLDER = ROOT / "book" / "_static" / "live" / "figures" / "map"
HEAD = "/** What the map shows before the weights are there: book/_tools/live_trace.py wrote it. */"
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
LEVELS = 31
"""A number of a strip is a whole one from minus this to this, times the scale of its matrix."""
SPREAD = 2.2
"""The scale of a matrix, times the root of its mean square: what is larger has the full colour."""
PARTS = {
    "encoder": ("attention", "feed_forward"),
    "decoder": ("attention", "cross_attention", "feed_forward"),
}
"""Of a layer of each side, what ends with a vector that the map draws."""
SHOWN = 6
"""Of the next tokens the most probable ones are kept, and the one that was written."""


@dataclass(frozen=True)
class Stored:
    """What the map of an edition begins with: a sentence, the model that translates it, a file."""

    model: str
    sentence: str
    script: Path


STORED = {
    "en": Stored("english_korean_open", "The doctor will buy a car", FOLDER / "trace.js"),
    "ko": Stored("korean_english", "나는 학생이다", FOLDER / "trace.ko.js"),
}
"""Language of the page to what its map begins with."""


def rounded_translator(name: str) -> Translator:
    """Return a shipped translator with the weights that a page gets."""
    shipped = Translator.load(name)
    model = copy.deepcopy(shipped.model)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 2:
                factors, numbers = rounded(parameter)
                parameter.copy_(factors[:, None] * numbers)
    return Translator(
        model,
        shipped.tokenizer,
        text=shipped.policy.training_text,
        threshold=shipped.threshold,
        coverage=shipped.coverage,
    )


@dataclass(frozen=True)
class Run:
    """A sentence and its translation on their way through minimal.py."""

    source: list[int]
    target: list[int]
    passed: dict[str, Tensor]
    """What each module gave; `heads` is what the first attention's heads gave together."""
    weights: dict[str, Tensor]
    """Of each attention, the mean of its heads."""
    logits: Tensor


def run(translator: Translator, sentence: str) -> Run:
    """Translate a sentence, and keep what passes through the model meanwhile."""
    model, tokenizer = translator.model, translator.tokenizer
    source = tokenizer.source_ids(sentence)
    target = tokenizer.target_ids(translator(sentence))
    simple = minimal.Transformer(model.config)
    simple.load_state_dict(model.state_dict())
    passed: dict[str, Tensor] = {}

    def keep(name: str, value: Tensor) -> None:
        passed.setdefault(name, value[0])  # one embedding serves both: the source comes first

    for name, module in simple.named_modules():
        module.register_forward_hook(lambda _m, _x, output, name=name: keep(name, output))
    first = simple.encoder.layers[0].self_attention
    first.w_output.register_forward_pre_hook(lambda _m, inputs: keep("heads", inputs[0]))
    ids = torch.tensor([source]), torch.tensor([target[:-1]])
    with torch.no_grad():
        logits = simple.eval()(*ids)[0]
    with evaluation_mode(model), record_attention(model) as attentions:
        model(*ids)
    weights = {name: each[0].mean(0) for name, each in attentions.items()}
    return Run(source, target, passed, weights, logits)


def characters(matrix: Tensor) -> dict[str, object]:
    """Return the scale of a matrix, and a character for each of its numbers."""
    scale = SPREAD * float(matrix.square().mean().sqrt())
    levels = (matrix / scale).clamp(-1, 1).mul(LEVELS).round().int() + LEVELS
    return {
        "scale": round(scale, 4),
        "rows": ["".join(DIGITS[n] for n in row) for row in levels.tolist()],
    }


def firing(matrix: Tensor) -> dict[str, object]:
    """Return the scale of units after ReLU and, for each row, those that fire: gap and strength."""
    scale = SPREAD * float(matrix.square().mean().sqrt())
    rows = []
    for row in (matrix / scale).clamp(max=1).mul(LEVELS).round().int().tolist():
        text, last = "", -1
        for place in (place for place, level in enumerate(row) if level):
            gap = place - last - 1
            text += DIGITS[63] * (gap // 63) + DIGITS[gap % 63] + DIGITS[row[place]]
            last = place
        rows.append(text)
    return {"scale": round(scale, 4), "width": matrix.size(1), "rows": rows}


def kept(what: Stored, found: Run, translator: Translator) -> dict[str, object]:
    """Return the run as it is kept, with names of the tokens in place of their ids."""
    n_layers = translator.model.config.n_layers
    layers = [(side, f"{side}.layers.{n}") for side in PARTS for n in range(n_layers)]
    ends = [f"{layer}.after_{part}" for side, layer in layers for part in PARTS[side]]
    inner = [f"{layer}.feed_forward.inner" for _, layer in layers]
    pieces = translator.tokenizer.vocabulary()
    named = {BOS_ID: "<start>", EOS_ID: "<end>"}

    def names(ids: list[int]) -> list[str]:
        return [named.get(i, pieces[i]) for i in ids]

    following = []
    for row, written in zip(found.logits.log_softmax(-1).exp(), found.target[1:], strict=True):
        best = row.topk(SHOWN).indices.tolist()
        kept = best if written in best else [*best[:-1], written]
        following.append([[names([i])[0], round(float(row[i]), 4)] for i in kept])
    return {
        "model": what.model,
        "text": what.sentence,
        "target": translator(what.sentence),
        "sourceIds": found.source,
        "ids": found.target,
        "sourceNames": names(found.source),
        "names": names(found.target),
        "vectors": {
            key: characters(found.passed[key])
            for key in ("source_positions", "target_positions", *ends)
        },
        "units": {key: firing(found.passed[key].relu()) for key in inner},
        "weights": {
            key: [[round(w, 4) for w in row] for row in x.tolist()]
            for key, x in found.weights.items()
        },
        "next": following,
    }


def script(head: str, figure: str, trace: dict[str, object]) -> str:
    """Return the script that keeps the trace of a figure."""
    text = json.dumps(trace, ensure_ascii=False, separators=(",", ":"))
    return f'{head}\n"use strict";\n\n(AnnotatedTransformer.{figure} ??= {{}}).trace = {text};\n'


def made(what: Stored) -> str:
    """Return a script anew."""
    translator = rounded_translator(what.model)
    return script(HEAD, "map", kept(what, run(translator, what.sentence), translator))


JOURNEY = FOLDER.parent / "journey" / "trace.js"
JOURNEY_HEAD = """/**
 * What *The whole model* draws of the two rows that it follows at first, before the weights are
 * there: book/_tools/live_trace.py wrote it.
 */"""
FOLLOWED = ("I am a student", 3, 1)
"""A sentence, its token that is followed, and the row of the decoder that looks at it most."""


def journey() -> dict[str, object]:
    """Return vectors, attention (mean of the heads) and the best next tokens of the two rows."""
    sentence, token, row = FOLLOWED
    run_of_it = run(rounded_translator("english_korean"), sentence)
    passed, logits = run_of_it.passed, run_of_it.logits[row]
    layer, lower = "encoder.layers.0", "decoder.layers.0"
    inside = f"{layer}.self_attention"
    found = {
        name: (passed[name], token)
        for name in (
            *("source_embedding", "source_positions", inside, f"{layer}.after_attention"),
            *(f"{layer}.feed_forward", f"{layer}.after_feed_forward", "encoder"),
        )
    }
    for part, name in (("q", "w_query"), ("k", "w_key"), ("v", "w_value")):
        found[f"{inside}.{part}"] = (passed[f"{inside}.{name}"], token)
    found[f"{inside}.heads"] = (passed["heads"], token)
    found[f"{layer}.feed_forward.inner"] = (passed[f"{layer}.feed_forward.inner"].relu(), token)
    ends = [f"{lower}.after_{part}" for part in ("attention", "cross_attention", "feed_forward")]
    found |= {name: (passed[name], row) for name in ("target_positions", *ends, "decoder")}
    looks = {
        inside: token,
        **dict.fromkeys((f"{lower}.self_attention", f"{lower}.cross_attention"), row),
        "decoder.layers.1.cross_attention": row,
    }
    best = logits.topk(5)
    return {
        "rows": {"encoder": token, "decoder": row},
        "vectors": {name: one_row(*where) for name, where in found.items()},
        "looks": {
            name: [round(w, 4) for w in run_of_it.weights[name][at].tolist()]
            for name, at in looks.items()
        },
        "output": {
            "logits": [round(x, 4) for x in best.values.tolist()],
            "shares": [round(x, 4) for x in logits.softmax(-1)[best.indices].tolist()],
        },
    }


def one_row(matrix: Tensor, row: int) -> dict[str, object]:
    """Return a row of a matrix as characters, and the scale of the whole."""
    kept = characters(matrix)
    return {"scale": kept["scale"], "row": kept["rows"][row]}


def journey_script() -> str:
    """Return the script of *The whole model* anew."""
    return script(JOURNEY_HEAD, "journey", journey())


def main() -> None:
    """Write the scripts."""
    torch.set_num_threads(1)
    JOURNEY.write_text(journey_script(), encoding="utf-8")
    print(f"{JOURNEY.relative_to(ROOT)}: {JOURNEY.stat().st_size:,} bytes")
    for what in STORED.values():
        what.script.write_text(made(what), encoding="utf-8")
        print(f"{what.script.relative_to(ROOT)}: {what.script.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
