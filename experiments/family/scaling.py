"""Scaling in miniature: the loss of GPT against its parameters and its texts.

    python -m experiments.family.scaling

GPT in five widths, each on four amounts of text, every run of the same number of updates, which
read the largest amount almost twice. The loss is that on the valid split at the end, where the rate
has fallen to zero. Chapter: *Language models*.
"""

import argparse
import math
from collections.abc import Iterator
from typing import Any

import torch

from annotated_transformer.lab.analysis.gap_filling import perplexity
from annotated_transformer.lab.family import GPT
from annotated_transformer.lab.family.words import batches
from experiments.family import language
from experiments.family.study import FamilyStudy, score
from experiments.study import Entry, Option

WIDTHS = (8, 16, 32, 64, 128)


def sizes(width: int) -> dict[str, Any]:
    """A GPT of this width: two layers, heads of 16 or the width, an inner width of four times."""
    return {"n_layers": 2, "d_model": width, "d_ff": 4 * width, "n_heads": max(1, width // 16)}


def parameters(model: GPT) -> int:
    """Those of the layers: without the embeddings of words and positions (Kaplan et al. 2020)."""
    return sum(p.numel() for p in model.encoder.parameters())


def measure(seed: int, given: argparse.Namespace) -> Iterator[Entry]:
    """Train every width on every amount with one seed."""
    rows, valid = language.rows("train"), language.rows("valid")
    order = torch.randperm(len(rows), generator=torch.Generator().manual_seed(seed)).tolist()
    for texts in given.texts:
        part = [rows[number] for number in order[:texts]]
        words = sum(len(row) - 1 for row in part)
        for width in given.widths:
            model = language.make_gpt(seed, dropout=0.0, **sizes(width))
            language.pretrain(model, batches(part, given.steps, seed), given.steps)
            loss = math.log(perplexity(model, valid))
            tags = {"width": width, "parameters": parameters(model), "texts": texts}
            yield score("valid", "loss", loss, "nats a token", words=words, **tags)


STUDY = FamilyStudy(
    "scaling",
    __doc__,
    measure,
    Option("--widths", WIDTHS),
    Option("--texts", [1_000, 4_000, 16_000, 60_000]),
    updates=800,
    settings=lambda _: language.SETTINGS,
)


if __name__ == "__main__":
    STUDY.main()
