"""How well a model fills a gap of one word: from both sides, from the left, by Bayes' rule.

Chapter: *Language models*. A model that writes from left to right has an answer
to a gap as well: of all words, the one with which the whole text is most
probable. It needs as many readings of the text as there are words.
"""

import math
from collections.abc import Callable, Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor

from annotated_transformer.lab.family.words import FIRST, MASK, PAD, padded

LogitsOf = Callable[[Tensor], Tensor]
"""Ids (batch, length) to logits (batch, length, vocab)."""
ROWS = 128
"""Texts that are read at once."""


def each_gap(rows: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return (row, position) of every word."""
    return [
        (row, position)
        for row, ids in enumerate(rows)
        for position, number in enumerate(ids)
        if number >= FIRST
    ]


@torch.inference_mode()
def fill_from_both_sides(
    logits_of: LogitsOf, rows: Sequence[Sequence[int]], gaps: Sequence[tuple[int, int]]
) -> Int[Tensor, " gap"]:
    """Return the best word for each gap; every gap is alone in its text."""
    answers = []
    for start in range(0, len(gaps), ROWS):
        part = gaps[start : start + ROWS]
        ids = padded([rows[row] for row, _ in part])
        places = torch.arange(len(part)), torch.tensor([p for _, p in part])
        ids[places] = MASK
        answers.append(best_word(logits_of(ids)[places]))
    return torch.cat(answers)


@torch.inference_mode()
def fill_from_the_left(
    logits_of: LogitsOf, rows: Sequence[Sequence[int]], gaps: Sequence[tuple[int, int]]
) -> Int[Tensor, " gap"]:
    """Return the best next word after the words before each gap."""
    answers = []
    for start in range(0, len(gaps), ROWS):
        part = gaps[start : start + ROWS]
        ids = padded([rows[row][:position] for row, position in part])
        last = torch.tensor([position - 1 for _, position in part])
        answers.append(best_word(logits_of(ids)[torch.arange(len(part)), last]))
    return torch.cat(answers)


@torch.inference_mode()
def fill_by_bayes(
    logits_of: LogitsOf, rows: Sequence[Sequence[int]], gaps: Sequence[tuple[int, int]]
) -> Int[Tensor, " gap"]:
    """Return the word, of all words, with which the whole text is most probable.

    p(word | both sides) is proportional to p(text with the word), and that is
    the product of the probabilities of its tokens, each given those before.
    """
    answers = []
    for row, position in gaps:
        ids = torch.tensor(rows[row])[None]
        n_words = logits_of(ids[:, :1]).size(-1) - FIRST
        every = ids.repeat(n_words, 1)
        every[:, position] = FIRST + torch.arange(n_words)
        scores = [text_log_probability(logits_of, part) for part in every.split(ROWS)]
        answers.append(FIRST + torch.cat(scores).argmax())
    return torch.stack(answers)


def best_word(logits: Float[Tensor, "*any vocab"]) -> Int[Tensor, "*any"]:
    """Return the word of the highest logit, special tokens left out."""
    return FIRST + logits[..., FIRST:].argmax(dim=-1)


@torch.inference_mode()
def text_log_probability(
    logits_of: LogitsOf, ids: Int[Tensor, "batch length"]
) -> Float[Tensor, " batch"]:
    """Return log p of each text, in nats: its tokens after the first, padding not counted."""
    logs = logits_of(ids[:, :-1]).log_softmax(dim=-1)
    given = logs.gather(-1, ids[:, 1:, None])[..., 0]
    return given.masked_fill(ids[:, 1:] == PAD, 0.0).sum(dim=-1)


def perplexity(logits_of: LogitsOf, rows: Sequence[Sequence[int]]) -> float:
    """Return the perplexity of all tokens after the first of each text, ends included."""
    total = sum(
        text_log_probability(logits_of, padded(rows[start : start + ROWS])).double().sum().item()
        for start in range(0, len(rows), ROWS)
    )
    return math.exp(-total / sum(len(row) - 1 for row in rows))


def share_right(
    rows: Sequence[Sequence[int]], gaps: Sequence[tuple[int, int]], answers: Int[Tensor, " gap"]
) -> float:
    """Return how many gaps were filled with the original word, in per cent."""
    right = [
        rows[row][position] == answer
        for (row, position), answer in zip(gaps, answers.tolist(), strict=True)
    ]
    return 100 * sum(right) / len(right)
