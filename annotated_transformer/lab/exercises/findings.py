"""Exercises with many right answers: an answer is tested for the property that was asked for."""

import math
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from annotated_transformer.attention import attention
from annotated_transformer.decoding.search import beam_search
from annotated_transformer.lab.analysis.small_models import TableModel
from annotated_transformer.lab.exercises.judging import (
    Wrong,
    called,
    compare_tensors,
    drawn_integer,
    for_inputs,
    shown,
    tensors_of_shapes,
)
from annotated_transformer.masks import causal_mask
from annotated_transformer.tokenizer import EOS_ID

LONGEST = 8
"""How many tokens a sentence of a reader's table may have, its end included."""


def table_for_three(answer: object, _generator: torch.Generator) -> str:
    """Judge a table whose most probable sentence a beam of three reaches and one of two misses."""
    model = TableModel(_probability_table(answer))
    everything = model.sentences(LONGEST)
    if not math.isclose(sum(everything.values()), 1, abs_tol=1e-6):
        raise Wrong(f"it has sentences of more than {LONGEST} tokens")
    best = max(everything, key=lambda ids: everything[ids])
    source = torch.tensor([[EOS_ID]])
    for size, finds in ((2, False), (3, True)):
        [[hypothesis]] = beam_search(model, source, beam_size=size, alpha=0.0)
        if (everything[hypothesis.ids] >= everything[best] - 1e-9) != finds:
            verb = "misses" if finds else "finds"
            raise Wrong(f"a beam of {size} {verb} the most probable sentence, {model.text(best)}")
    return "for beams of two and three"


def _probability_table(answer: object) -> Mapping[tuple[str, ...], Mapping[str, float]]:
    if not isinstance(answer, Mapping) or () not in answer:
        raise Wrong("expected a table, as in the example, with a row for ()")
    for prefix, row in answer.items():
        if not isinstance(prefix, tuple) or not isinstance(row, Mapping):
            raise Wrong(
                f"the row {prefix!r} should give, for a tuple of words, a table of what may follow"
            )
        if min(row.values()) < 0 or not math.isclose(sum(row.values()), 1, abs_tol=1e-6):
            raise Wrong(
                f"the probabilities after {prefix} are {list(row.values())}, "
                "expected positive numbers with sum 1"
            )
    return answer


def costs_that_mislead(answer: object, _generator: torch.Generator) -> str:
    """Judge costs, two by two, for which greedy matching pays a hundred times the least."""
    cost = _numbers(answer)
    if cost.shape != (2, 2):
        raise Wrong(f"the costs have the shape {tuple(cost.shape)}, expected (2, 2)")
    pairings = (cost.trace().item(), (cost.sum() - cost.trace()).item())
    least = cost == cost.min()
    if cost.min() < 0 or min(pairings) <= 0:
        raise Wrong(
            "a cost is negative, or the best matching costs nothing: then no ratio says anything"
        )
    if least.sum() > 1:
        raise Wrong("two pairs are the cheapest, so greedy may begin with either")
    greedy = pairings[0] if least.diagonal().any() else pairings[1]
    if greedy < 100 * min(pairings) * (1 - 1e-6):
        raise Wrong(f"greedy pays {shown(greedy)}, the best matching {shown(min(pairings))}")
    return f"greedy pays {shown(greedy / min(pairings))} times as much"


def relu_affine(answer: object, generator: torch.Generator) -> str:
    """Judge matrices and vectors whose network is a given affine map, on rows of any size."""
    for _ in range(20):
        width = drawn_integer(generator, 1, 6)
        matrix = torch.randn(width, width, generator=generator).double()
        offset = torch.randn(width, generator=generator).double()
        given = {"matrix": matrix, "offset": offset}
        returned = called(answer, given)
        shapes: dict[str, tuple[int, ...]] = {
            "w1": (width, 2 * width),
            "b1": (2 * width,),
            "w2": (2 * width, width),
            "b2": (width,),
        }
        w1, b1, w2, b2 = tensors_of_shapes(returned, shapes, given)
        size = 10.0 ** drawn_integer(generator, 0, 6)
        rows = size * torch.randn(4, width, generator=generator).double()
        given |= {"rows": rows}
        network = torch.relu(rows @ w1 + b1) @ w2 + b2
        compare_tensors(network / size, (rows @ matrix + offset) / size, given)
    return "for 20 random maps, on rows of any size"


def uneven_biases(answer: object, generator: torch.Generator) -> str:
    """Judge biases that differ between left and right and depend on the offset alone."""
    for _ in range(20):
        n_heads = 2 ** drawn_integer(generator, 0, 3)
        places = torch.arange(drawn_integer(generator, 2, 6))
        length = len(places)
        given = {"n_heads": n_heads, "query": places, "key": places}
        here = called(answer, given)
        compare_tensors(here, _like(here, (n_heads, length, length)), given)
        later = {**given, "query": places + 100, "key": places + 100}
        if not torch.allclose(called(answer, later), here):
            raise Wrong(f"{for_inputs(later)} the biases are not those for places from 0 on")
        for offset in range(1, length):
            right, left = (here.diagonal(offset, 1, 2), here.diagonal(-offset, 1, 2))
            if not torch.allclose(right, right[:, :1].expand_as(right)):
                raise Wrong(f"{for_inputs(given)} keys {offset} to the right differ in their bias")
            if torch.allclose(right[:, 0], left[:, 0]):
                raise Wrong(
                    f"{for_inputs(given)} keys {offset} to the left and to the right "
                    "have the same bias"
                )
    return "for 20 random lengths and numbers of heads"


def _like(returned: Any, shape: tuple[int, ...]) -> Tensor:
    """Return the answer if it is finite and of this shape, zeros of the shape otherwise."""
    if isinstance(returned, Tensor) and returned.shape == shape and returned.isfinite().all():
        return returned
    return torch.zeros(shape)


def scores_that_overflow(answer: object, _generator: torch.Generator) -> str:
    """Judge finite scores whose softmax without the maximum goes wrong in float32."""
    scores = _numbers(answer)
    if not scores.numel() or not scores.isfinite().all():
        raise Wrong("the scores themselves should be finite numbers")
    terms = scores.float().exp()
    weights = (terms / terms.sum(-1, keepdim=True)).double()
    right = scores.softmax(-1)
    if torch.allclose(weights, right, atol=1e-3):
        raise Wrong(f"for the scores {shown(scores)} the weights {shown(weights)} are right")
    return f"the weights come out as {shown(weights)}"


def sharp_attention(answer: object, generator: torch.Generator) -> str:
    """Judge queries and keys in two dimensions with which each query picks its own key."""
    for _ in range(10):
        given = {"n": drawn_integer(generator, 2, 16)}
        returned = called(answer, given)
        shape = (given["n"], 2)
        query, key = tensors_of_shapes(returned, {"query": shape, "key": shape}, given)
        weights = (query @ key.T / math.sqrt(2)).softmax(-1).diagonal()
        if not weights.min() > 0.999:
            worst = int(weights.nan_to_num(nan=0.0).argmin())
            raise Wrong(
                f"{for_inputs(given)} query {worst} gives its own key "
                f"the weight {weights[worst]:.3f}, expected at least 0.999"
            )
    return "for 10 random numbers of keys"


def a_cut_that_leaks(answer: object, generator: torch.Generator) -> str:
    """Judge a cut into heads with which an earlier row of causal attention sees the last token."""
    for _ in range(10):
        width = 4 * (n_heads := drawn_integer(generator, 2, 4))
        length = n_heads * drawn_integer(generator, 2, 3)
        x = torch.randn(1, length, width, generator=generator)
        later = x.clone()
        later[:, -1] += 1
        first, second = (_attended(answer, rows, n_heads) for rows in (x, later))
        if torch.allclose(first[:, :-1], second[:, :-1]):
            given = {"x": x, "n_heads": n_heads}
            raise Wrong(f"{for_inputs(given)} no row before the last one notices the last token")
    return "for 10 random sizes a row before the last one sees the last token"


def _attended(answer: object, x: Tensor, n_heads: int) -> Tensor:
    """Attend causally with the heads that a reader's cut gives, and put them side by side again."""
    given = {"x": x, "n_heads": n_heads}
    heads = called(answer, given)
    _, length, width = x.shape
    shape = (1, n_heads, length, width // n_heads)
    actual = heads.shape if isinstance(heads, Tensor) else None
    if actual != shape:
        raise Wrong(
            f"{for_inputs(given)} it returns {actual and tuple(actual)}, expected the shape {shape}"
        )
    if not torch.equal(heads.flatten().sort()[0], x.flatten().sort()[0]):
        raise Wrong(f"{for_inputs(given)} the heads have other numbers than x")
    output, _ = attention(heads, heads, heads, causal_mask(length))
    return output.transpose(1, 2).flatten(2)


def _numbers(answer: object) -> Tensor:
    try:
        return torch.as_tensor(answer).double()
    except (TypeError, ValueError, RuntimeError) as error:
        raise Wrong(f"expected a tensor of numbers, got {shown(answer)}") from error


JUDGES = {
    "ex-decoding-third": table_for_three,
    "ex-dp-greedy": costs_that_mislead,
    "ex-ffn-identity": relu_affine,
    "ex-heads-view": a_cut_that_leaks,
    "ex-long-break": scores_that_overflow,
    "ex-long-rank": sharp_attention,
    "ex-positions-open": uneven_biases,
}
