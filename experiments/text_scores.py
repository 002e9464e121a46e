"""What a model makes of texts: the share translated exactly, and the loss of each token.

Both are told by the length of the text; the loss also by the way that a token's origin in the
source has to go through a recurrent network (`joined_texts.steps_to_the_end`).
"""

import statistics
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch.nn import functional as F

from annotated_transformer import Transformer, greedy_search
from annotated_transformer.corpora import SentencePair
from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.lab.baselines.recurrent import Recurrent
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.batching import collate
from annotated_transformer.training.data import encode
from experiments.joined_texts import LONGEST, steps_to_the_end

LENGTHS = ((2, 5), (6, 9), (10, 13), (14, 17), (18, LONGEST))
"""Source words of the shortest and the longest text of each group."""
LONG = 14
"""Source words from which on a text counts where the loss is told by the steps to the end."""
STEPS_TO_THE_END = ((0, 1), (2, 3), (4, 5), (6, 7), (8, LONGEST))
"""Fewest and most steps of each group."""
Model = Transformer | Recurrent


def scores(
    model: Model, tokenizer: Tokenizer, pairs: Sequence[SentencePair]
) -> list[dict[str, Any]]:
    """All entries of the record about one model."""
    found, losses = translated(model, tokenizer, pairs), token_losses(model, tokenizer, pairs)
    return [
        *exact_by_length(pairs, found),
        exact_of_other_length(pairs, found, tokenizer),
        *loss_by_length(pairs, losses),
        *loss_by_steps(pairs, losses, tokenizer),
    ]


def translated(
    model: Model, tokenizer: Tokenizer, pairs: Sequence[SentencePair], rows: int = 100
) -> list[str]:
    """Greedy translations."""
    found = []
    for start in range(0, len(pairs), rows):
        ids = [torch.tensor(tokenizer.source_ids(p.source)) for p in pairs[start : start + rows]]
        source = torch.nn.utils.rnn.pad_sequence(ids, batch_first=True)
        found += [tokenizer.decode(best.ids) for best in greedy_search(model, source)]
    return found


def exact_by_length(
    pairs: Sequence[SentencePair], found: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """The share translated exactly, of all and of each group of lengths, in percent."""
    right = [pair.target == text for pair, text in zip(pairs, found, strict=True)]
    for words, chosen in groups_by_length(pairs):
        hits = [right[number] for number in chosen]
        value = round(100 * sum(hits) / len(hits), 1) if hits else None
        yield {"split": "test", "metric": "exact_match", **words, "value": value} | {
            "signature": f"greedy|{len(hits)} texts"
        }


def exact_of_other_length(
    pairs: Sequence[SentencePair], found: Sequence[str], tokenizer: Tokenizer
) -> dict[str, Any]:
    """The share translated exactly of the texts that have more tokens on one side, in percent."""
    hits = [
        pair.target == text
        for pair, text in zip(pairs, found, strict=True)
        if len(tokenizer.encode(pair.source)) != len(tokenizer.encode(pair.target))
    ]
    value = round(100 * sum(hits) / len(hits), 1) if hits else None
    return {"split": "test", "metric": "exact_match_of_other_length", "value": value} | {
        "signature": f"greedy|{len(hits)} texts"
    }


def groups_by_length(
    pairs: Sequence[SentencePair],
) -> Iterator[tuple[dict[str, list[int]], list[int]]]:
    """What marks a group, nothing for all texts, and the numbers of its texts."""
    lengths = [len(pair.source.split(" ")) for pair in pairs]
    yield {}, list(range(len(pairs)))
    for shortest, longest in LENGTHS:
        chosen = [n for n, length in enumerate(lengths) if shortest <= length <= longest]
        yield {"words": [shortest, longest]}, chosen


@torch.inference_mode()
def token_losses(
    model: Model, tokenizer: Tokenizer, pairs: Sequence[SentencePair], rows: int = 100
) -> list[list[float]]:
    """Cross-entropy of each token of each translation, the true ones before it being given."""
    examples, found = list(encode(pairs, tokenizer, origin="test")), []
    with evaluation_mode(model):
        for start in range(0, len(examples), rows):
            chosen = examples[start : start + rows]
            batch = collate(chosen)
            logits = model(batch.source, batch.target_input).transpose(1, 2)
            losses = F.cross_entropy(logits, batch.target_output, reduction="none").tolist()
            for row, example in zip(losses, chosen, strict=True):
                found.append(row[: len(example.target) - 1])
    return found


def loss_by_length(
    pairs: Sequence[SentencePair], losses: Sequence[Sequence[float]]
) -> Iterator[dict[str, Any]]:
    """The mean loss of a token in all texts, and in those of each group of lengths."""
    for words, chosen in groups_by_length(pairs):
        yield mean_loss([x for number in chosen for x in losses[number]], **words)


def loss_by_steps(
    pairs: Sequence[SentencePair], losses: Sequence[Sequence[float]], tokenizer: Tokenizer
) -> Iterator[dict[str, Any]]:
    """The mean loss in long texts by the steps from a token's origin to the nearer end."""
    told = [
        (steps, loss)
        for pair, row in zip(pairs, losses, strict=True)
        if len(pair.source.split(" ")) >= LONG
        for steps, loss in zip(steps_to_the_end(pair, tokenizer), row, strict=True)
    ]
    for fewest, most in STEPS_TO_THE_END:
        chosen = [loss for steps, loss in told if steps is not None and fewest <= steps <= most]
        yield mean_loss(chosen, steps_to_the_end=[fewest, most])


def mean_loss(losses: Sequence[float], **group: Any) -> dict[str, Any]:
    """An entry of the record."""
    value = round(statistics.fmean(losses), 4) if losses else None
    return {"split": "test", "metric": "loss", **group, "value": value} | {
        "signature": f"nats per token, teacher forced|{len(losses)} tokens"
    }
