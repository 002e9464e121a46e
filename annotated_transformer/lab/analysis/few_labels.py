"""Does *it* mean the subject or the object? A question with few labelled answers.

Chapter: *Language models*. "The goat did not cross the road because it was too
tired" is about the goat; with "slippery" it is about the road. Sentences come in
twos that differ in the last word alone, so whoever does not understand that word
is right in half of them. And the words of the test occur in no labelled sentence:
what is to be known about them must come from texts without labels.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.pronouns import swaps


class Task(NamedTuple):
    """Sentences with their answers: 0, *it* is the subject; 1, the object."""

    texts: list[str]
    answers: Bool[Tensor, " text"]
    test_texts: list[str]
    test_answers: Bool[Tensor, " test"]


def twins(pairs: Sequence[SentencePair]) -> list[tuple[str, str]]:
    """Return sentences that differ in the last word: in the first, *it* is the subject.

    Raises:
        ValueError: there is none.
    """
    return sorted({swap.sources for swap in swaps(pairs)})


def few_labels(
    given: Sequence[tuple[str, str]], n_labels: int, seed: int, n_test: int = 400
) -> Task:
    """Draw labelled sentences, and test sentences whose last words occur in none of them.

    `given` are `twins`, or some of them.
    The adjectives are halved at random by `seed`. Both sentences of a twin have
    their adjective in the same half; of sentences that differ in the adjective
    alone, one twin is taken.

    Raises:
        ValueError: there are not enough sentences.
    """
    random = Random(seed)
    adjectives = sorted({last(text) for twin in given for text in twin})
    random.shuffle(adjectives)
    labelled = set(adjectives[: len(adjectives) // 2])
    shuffled = random.sample(given, len(given))
    halves: tuple[list[str], list[str]] = ([], [])
    taken: set[str] = set()
    for twin in shuffled:
        inside = {last(text) in labelled for text in twin}
        before, _ = twin[0].rsplit(" ", 1)
        if len(inside) == 1 and before not in taken:
            halves[inside.pop()].extend(twin)
            taken.add(before)
    test, train = halves
    wanted = n_labels, n_test
    for name, half, n in zip(("labelled", "test"), (train, test), wanted, strict=True):
        if n < 2 or n % 2 or n > len(half):
            raise ValueError(
                f"{n} {name} sentences: expected an even number up to {len(half)}, "
                "as they come in twos"
            )
    return Task(train[:n_labels], _answers(n_labels), test[:n_test], _answers(n_test))


def last(text: str) -> str:
    """Return the last word."""
    return text.rsplit(" ", 1)[1]


def _answers(n: int) -> Bool[Tensor, " text"]:
    return (torch.arange(n) % 2).bool()


def vector_of_last_word(
    x: Float[Tensor, "text length d"], real: Bool[Tensor, "text length"]
) -> Float[Tensor, "text d"]:
    """Return the vector of a text's last word, before its end: one read-out for every model.

    All that may decide has been read there, from whichever side a model reads.
    """
    return x[torch.arange(len(x)), real.sum(dim=1) - 2]


def bag_of_words(ids: Int[Tensor, "text length"], vocab_size: int) -> Float[Tensor, "text vocab"]:
    """Count each token in each text: what can be known without order or training."""
    return F.one_hot(ids, vocab_size).sum(dim=1).to(torch.get_default_dtype())


def probe(
    train: Float[Tensor, "text d"],
    answers: Bool[Tensor, " text"],
    test: Float[Tensor, "test d"],
    penalty: float = 0.1,
) -> Bool[Tensor, " test"]:
    """Fit logistic regression to the labelled vectors; return its answers for the others.

    Each component is first shifted and scaled by mean and deviation of the
    labelled vectors. The loss is the mean cross-entropy plus `penalty` times
    the squared norm of the weights, which makes its minimum unique; Newton's
    method finds it. Computed in float64.
    """
    mean = train.double().mean(dim=0)
    deviation = train.double().std(dim=0, correction=0)
    scale = torch.where(deviation > 1e-12, deviation, 1.0)
    x, new = ((v.double() - mean) / scale for v in (train, test))
    # With a penalty, the weights are a combination of the labelled vectors.
    kernel, target = x @ x.T, answers.double()
    n = len(target)
    dual, bias = torch.zeros(n, dtype=torch.float64), torch.zeros(1).double()
    for _ in range(50):
        p = (kernel @ dual + bias).sigmoid()
        gradient = (p - target) / n + 2 * penalty * dual
        curvature = p * (1 - p) / n
        # Rows: stationarity of the weights, in the span of the vectors; and of the bias.
        system = torch.zeros(n + 1, n + 1, dtype=torch.float64)
        system[:n, :n] = curvature[:, None] * kernel + 2 * penalty * torch.eye(n)
        system[:n, n] = curvature
        system[n, :n] = curvature @ kernel
        system[n, n] = curvature.sum() + 1e-12
        right = torch.cat([gradient, ((p - target) / n).sum()[None]])
        step = torch.linalg.solve(system, right)
        dual, bias = dual - step[:n], bias - step[n]
        if step.abs().max() < 1e-10:
            break
    return (new @ (x.T @ dual) + bias) > 0
