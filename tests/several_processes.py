"""What the processes of tests/training/test_distributed.py do."""

import json

import numpy as np
import torch
from torch.nn.utils import parameters_to_vector

from annotated_transformer.config import TransformerConfig
from annotated_transformer.training.batching import IDLE, make_batch, share
from annotated_transformer.training.distributed import join_processes
from annotated_transformer.training.encoded import Example, TokenPairs
from annotated_transformer.training.recipe import TrainingRecipe
from annotated_transformer.training.step import BatchLoss, make_optimizer, train_step, validate
from annotated_transformer.transformer import Transformer

LENGTHS = [(4, 3), (2, 5), (3, 3), (6, 2), (5, 7)]
PAIRS = TokenPairs.of(
    Example((*range(4, 4 + source), 2), (1, *range(5, 5 + target), 2)) for source, target in LENGTHS
)
BATCHES = [np.array(batch) for batch in ([0, 1, 2], [3], [4, 0])]
"""Micro-batches of one update; of the second, one of two processes gets nothing."""
SETTINGS = TrainingRecipe(warmup_steps=3, clip_norm=0.5, precision="float32")


def updates(ranks, poisoned=None):
    """Three updates in float64, and what each reports."""
    torch.manual_seed(1)
    config = TransformerConfig(
        vocab_size=16, n_layers=1, d_model=12, d_ff=20, n_heads=3, max_length=10, dropout=0.0
    )
    model = Transformer(config).double()
    optimizer = make_optimizer(model, SETTINGS)
    loss_of = ranks.parallel(BatchLoss(model, SETTINGS), IDLE, 1)
    reports = []
    for step in (1, 2, 3):
        batches = [make_batch(PAIRS, share(batch, ranks.rank, ranks.size)) for batch in BATCHES]
        n_tokens = sum(make_batch(PAIRS, batch).n_tokens for batch in BATCHES)
        if step == poisoned and ranks.rank == ranks.size - 1:
            loss_of.register_forward_hook(lambda module, given, loss: loss + torch.inf)
        result = train_step(
            model,
            batches,
            optimizer,
            step,
            SETTINGS,
            n_tokens=n_tokens,
            loss_of=loss_of,
            ranks=ranks,
        )
        reports.append([result.loss, result.gradient_norm, result.n_tokens])
    found = validate(model, PAIRS, BATCHES[ranks.rank :: ranks.size], ranks)
    return reports, found, parameters_to_vector(model.parameters()).tolist()


def main(directory):
    """Train together, then once more with a loss that is not finite on the last rank alone."""
    with join_processes(torch.device("cpu")) as (ranks, _):
        results = updates(ranks)
        try:
            updates(ranks, poisoned=2)
        except FloatingPointError as error:
            failure = str(error)
        content = {"results": results, "failure": failure, "gathered": ranks.gather(ranks.rank)}
        (directory / f"{ranks.rank}.json").write_text(json.dumps(content))
