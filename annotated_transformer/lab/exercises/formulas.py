"""Exercises with one right answer: a function that is compared with an oracle."""

import math
from typing import Any

import torch
from torch import Tensor

from annotated_transformer.lab.exercises.judging import (
    against,
    compare_lists,
    compare_numbers,
    compare_tensors,
    drawn_integer,
)


def _smoothing(generator: torch.Generator) -> dict[str, Any]:
    share = torch.rand((), generator=generator).item() / 2
    return {"smoothing": share, "vocab_size": drawn_integer(generator, 2, 50)}


def _wrong_share(smoothing: float, vocab_size: int) -> float:
    return smoothing * (vocab_size - 1) / vocab_size


def _probabilities(generator: torch.Generator) -> dict[str, Any]:
    logits = 2 * torch.randn(4, dtype=torch.float64, generator=generator)
    temperature = 0.3 + 3 * torch.rand((), generator=generator).item()
    return {"p": logits.softmax(-1), "temperature": temperature}


def _tempered(p: Tensor, temperature: float) -> Tensor:
    return (p.log() / temperature).softmax(-1)


def _sentences(generator: torch.Generator) -> dict[str, Any]:
    lengths = torch.randint(1, 4, (drawn_integer(generator, 2, 3),), generator=generator)
    return {"numbers": torch.arange(len(lengths)).repeat_interleave(lengths)}


def _within_sentences(numbers: Tensor) -> Tensor:
    rows = numbers.tolist()
    return torch.tensor([[one == other for other in rows] for one in rows])


def _far_rows(generator: torch.Generator) -> dict[str, Any]:
    noise = torch.randn(3, 64, dtype=torch.float64, generator=generator)
    return {"rows": (drawn_integer(generator, 100, 2000) + 0.01 * noise).float()}


def _variance(rows: Tensor) -> Tensor:
    return rows.double().var(-1, correction=0)


def _sizes(generator: torch.Generator) -> dict[str, Any]:
    width = 2 * drawn_integer(generator, 2, 8)
    return {"length": drawn_integer(generator, 2, 9), "d_model": width}


def _sines_first(length: int, d_model: int) -> Tensor:
    pairs = d_model // 2
    rates = [10_000 ** (-i / (pairs - 1)) for i in range(pairs)]
    table = [
        [turn(t * rate) for turn in (math.sin, math.cos) for rate in rates] for t in range(length)
    ]
    return torch.tensor(table, dtype=torch.float64)


def _words(generator: torch.Generator) -> dict[str, Any]:
    return {"n_words": drawn_integer(generator, 1, 12)}


def _binary_trees(n_words: int) -> int:
    return math.comb(2 * n_words - 2, n_words - 1) // n_words


def _models(generator: torch.Generator) -> dict[str, Any]:
    return {
        "parameters": 1000 * drawn_integer(generator, 100, 9999),
        "n_layers": drawn_integer(generator, 1, 12),
        "d_model": 64 * drawn_integer(generator, 1, 16),
    }


def _cached_tokens(parameters: int, n_layers: int, d_model: int) -> float:
    return parameters / (2 * n_layers * d_model)


def _broken_line(generator: torch.Generator) -> dict[str, Any]:
    """Draw a line of three phrases, some inside others, that has lost one or two symbols."""
    line, waiting = ["(S"], ["S"]
    for label in ("NP", "VP", "PP"):
        while len(waiting) > 1 and drawn_integer(generator, 0, 1):
            line.append(f"){waiting.pop()}")
        line += [f"({label}", "N"]
        waiting.append(label)
    line += [f"){label}" for label in reversed(waiting)]
    for _ in range(drawn_integer(generator, 1, 2)):
        line.pop(drawn_integer(generator, 0, len(line) - 1))
    return {"symbols": line}


def _closed(symbols: list[str]) -> list[str]:
    kept: list[str] = []
    waiting: list[str] = []
    for symbol in symbols:
        if symbol.startswith(")"):
            if waiting[-1:] != [symbol[1:]]:
                continue
            waiting.pop()
        elif symbol.startswith("("):
            waiting.append(symbol[1:])
        kept.append(symbol)
    return kept + [f"){label}" for label in reversed(waiting)]


def _layers(generator: torch.Generator) -> dict[str, Any]:
    return {"n_layers": drawn_integer(generator, 1, 12)}


def _rows_in_reach(n_layers: int) -> int:
    return 2 * n_layers


def _images(generator: torch.Generator) -> dict[str, Any]:
    window = 2 * drawn_integer(generator, 1, 6)
    return {"patches": window * drawn_integer(generator, 2, 9), "window": window}


def _layers_for_all(patches: int, window: int) -> int:
    return 2 * patches // window


def _causal_layers(generator: torch.Generator) -> dict[str, Any]:
    return {
        "x": torch.randn(12, 3, generator=generator),
        "weight": torch.randn(4, 3, 3, generator=generator),
        "dilation": 3 ** drawn_integer(generator, 0, 2),
    }


def _convolved_left(x: Tensor, weight: Tensor, dilation: int) -> Tensor:
    rows = torch.zeros(len(x), len(weight))
    for place in range(len(x)):
        for step in range(3):
            if (seen := place - step * dilation) >= 0:
                rows[place] += weight[..., 2 - step] @ x[seen]
    return rows


def _texts(generator: torch.Generator) -> dict[str, Any]:
    return {
        "n_tokens": 100 * drawn_integer(generator, 1, 9),
        "rate": drawn_integer(generator, 1, 6) / 10,
        "mean": float(drawn_integer(generator, 1, 5)),
    }


def _masks_and_idle(n_tokens: int, rate: float, mean: float) -> Tensor:
    masks = n_tokens * rate / mean
    return torch.tensor([masks, masks * math.exp(-mean)])


def _compare_estimates(returned: Any, expected: Tensor, given: dict[str, Any]) -> None:
    """Compare two numbers; each may be a tenth too large or too small."""
    if isinstance(returned, tuple | list):
        numbers = [float(part) for part in returned if isinstance(part, int | float)]
        returned = torch.tensor(numbers) if len(numbers) == len(returned) else returned
    compare_tensors(returned, expected, given, rtol=0.1)


JUDGES = {
    "ex-decoding-memory": against(_cached_tokens, _models, compare_numbers),
    "ex-embeddings-temperature": against(_tempered, _probabilities, compare_tensors),
    "ex-masks-packing": against(_within_sentences, _sentences, compare_tensors),
    "ex-masks-window": against(_rows_in_reach, _layers, compare_numbers),
    "ex-norm-shifted": against(_variance, _far_rows, compare_tensors, rtol=1e-3, atol=1e-9),
    "ex-parse-catalan": against(_binary_trees, _words, compare_numbers),
    "ex-parse-repair": against(_closed, _broken_line, compare_lists),
    "ex-positions-library": against(_sines_first, _sizes, compare_tensors, atol=1e-4),
    "ex-t2t-masks": against(_masks_and_idle, _texts, _compare_estimates),
    "ex-training-tensor2tensor": against(_wrong_share, _smoothing, compare_numbers),
    "ex-vision-layers": against(_layers_for_all, _images, compare_numbers),
    "ex-why-dilated": against(_convolved_left, _causal_layers, compare_tensors),
}
