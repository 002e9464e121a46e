"""Seven ways to say which source tokens a written token rests on, by one measure.

    python -m experiments.attributions

Sentences of the test split of the lexicon "small" that the model translates as the reference does;
of each, one token of the translation, drawn by a seed. The methods rank the source tokens. Measured
are the area under the deletion curve and the rank correlation of every two methods. The shipped
model is one model: the seeds draw sentences and tokens, they do not train. Chapter: *Reading
attention*.
"""

import argparse
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from annotated_transformer import Translator
from annotated_transformer.corpora import SentencePair
from annotated_transformer.inspection import record_attention
from annotated_transformer.lab.analysis.attention_paths import (
    attention_flow,
    attention_rollout,
    mixing_layers,
)
from annotated_transformer.lab.analysis.attribution import (
    Choice,
    gradient_times_input,
    integrated_gradients,
    leave_one_out,
    of_embeddings,
    of_kept,
)
from annotated_transformer.lab.analysis.deletion import (
    deletion_area,
    deletion_curve,
    greedy_order,
    rank_correlation,
)
from annotated_transformer.lab.corpora.english_korean import english_korean
from experiments.given_model import MODEL, load_model
from experiments.study import Entry, Fields, Option, Study, seeds

GREEDY = "greedy"
POINTS = 11
"""Places of the curve that are recorded: 0, 10 ... 100 percent deleted."""


def choices(
    translator: Translator, pairs: Sequence[SentencePair], n: int, seed: int
) -> list[Choice]:
    """One token each of `n` sentences that the model, fed the reference, writes as it is there.

    Raises:
        ValueError: there are fewer such sentences.
    """
    generator, tokenizer = torch.Generator().manual_seed(seed), translator.tokenizer
    found: list[Choice] = []
    for number in torch.randperm(len(pairs), generator=generator).tolist():
        source = tokenizer.source_ids(pairs[number].source)
        target = tokenizer.target_ids(pairs[number].target)
        with torch.no_grad():
            logits = translator.model(torch.tensor([source]), torch.tensor([target[:-1]]))
        if logits[0].argmax(-1).tolist() != target[1:]:
            continue
        # Not the end of the sentence.
        row = int(torch.randint(1, len(target) - 1, (), generator=generator))
        found.append(Choice(tuple(source), tuple(target[:row]), target[row]))
        if len(found) == n:
            return found
    raise ValueError(f"{len(found)} of {len(pairs)} sentences are translated right; wanted {n}")


def relevances(translator: Translator, choice: Choice, seed: int) -> dict[str, Tensor]:
    """How much each source token matters, by method."""
    model, n = translator.model, len(choice.source)
    source, written = torch.tensor([choice.source]), torch.tensor([choice.written])
    with torch.no_grad(), record_attention(model) as record:
        vectors = model.source_embedding(source)[0]
        model(source, written)
    layers = mixing_layers({k: w[0] for k, w in record.items()}, model.config.n_layers)
    last = record[f"decoder.layers.{model.config.n_layers - 1}.cross_attention"]
    function = of_embeddings(model, choice)
    generator = torch.Generator().manual_seed(seed)
    return {
        "attention of the last layer": last[0, :, -1].mean(0),
        "rollout": attention_rollout(layers)[-1, :n],
        "flow": attention_flow(layers, len(layers[0]) - 1)[:n],
        "gradient times input": gradient_times_input(function, vectors),
        "integrated gradients": integrated_gradients(function, vectors),
        "leave-one-out": leave_one_out(of_kept(model, choice), n),
        "random": torch.rand(n, generator=generator),
    }


def compared(translator: Translator, choice: Choice, seed: int) -> dict[str, Any]:
    """Areas and curves by method, and correlations by pair of methods, of one choice."""
    function = of_kept(translator.model, choice)
    found = relevances(translator, choice, seed)
    orders = {name: values.argsort(descending=True) for name, values in found.items()}
    orders[GREEDY] = greedy_order(function, len(choice.source))
    curves = {name: deletion_curve(function, order) for name, order in orders.items()}
    pairs = itertools.combinations(found, 2)
    return {
        "area": {name: deletion_area(curve) for name, curve in curves.items()},
        "curve": {name: resampled(curve) for name, curve in curves.items()},
        "correlation": {pair: rank_correlation(found[pair[0]], found[pair[1]]) for pair in pairs},
    }


def resampled(log_probabilities: Tensor) -> Tensor:
    """The relative probability at `POINTS` equal places; straight lines join what is measured."""
    relative = (log_probabilities - log_probabilities[0]).exp()
    return torch.nn.functional.interpolate(
        relative[None, None], size=POINTS, mode="linear", align_corners=True
    )[0, 0]


def summary(cases: Sequence[dict[str, Any]], seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Means over the choices of a seed, each with the field of the record that it belongs to."""
    signature = f"choices:{len(cases)}"
    for name in cases[0]["area"]:
        tags = {"seed": seed, "method": name, "split": "test", "signature": signature}
        area = sum(case["area"][name] for case in cases) / len(cases)
        yield "scores", tags | {"metric": "deletion_area", "value": round(area, 4)}
        curve = torch.stack([case["curve"][name] for case in cases]).mean(0)
        yield (
            "curve",
            {
                "seed": seed,
                "method": name,
                "left": [round(value, 4) for value in curve.tolist()],
            },
        )
    for one, other in cases[0]["correlation"]:
        values = [case["correlation"][one, other] for case in cases]
        mean = round(sum(values) / len(values), 4)
        yield "rows", {"seed": seed, "method": one, "other": other, "correlation": mean}


def measure(given: argparse.Namespace) -> Fields:
    """Measure with each seed."""
    translator, pairs = load_model(given.model), english_korean("test")
    fields: dict[str, list[Entry]] = {"scores": [], "rows": [], "curve": []}
    for seed in given.seeds:
        drawn = choices(translator, pairs, given.sentences, seed)
        cases = [
            compared(translator, choice, seed * given.sentences + number)
            for number, choice in enumerate(drawn)
        ]
        for field, entry in summary(cases, seed):
            fields[field].append(entry)
            if field == "scores":
                print(seed, entry["method"], entry["value"], flush=True)
    return {"model": given.model, "seed": given.seeds, **fields}


def check(given: argparse.Namespace) -> None:
    """Refuse to measure on nothing."""
    if given.sentences < 1:
        raise ValueError(f"--sentences {given.sentences}: expected at least 1")


STUDY = Study(
    "experiments.attributions",
    __doc__,
    measure,
    MODEL,
    Option("--sentences", 200, "of the test split, by seed"),
    seeds(1, 2, 3, about="draw sentences"),
    check=check,
    threads=1,
)


if __name__ == "__main__":
    STUDY.main()
