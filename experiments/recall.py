"""Exact recall: what a state of fixed size cannot keep, and attention over all that was read can.

    python -m experiments.recall

A text is n pairs of a key and a value, drawn at random, the keys all different. Then keys of the
text are asked for, and each has to be answered with its value. A pair is one vector, the sum of two
embeddings, so that one layer of attention with one head can do it, and what is compared is memory
alone. Softmax attention looks at all pairs again. Linear attention has read them into d x d numbers
and d more before the question comes. d is swept, and n across the size of the state; each model is
trained for its own n. Its accuracy is over questions about new texts.

The bound: a state of b bits has 2^b values, so it cannot tell more than 2^b contexts apart. Values
from a set of V make V^n contexts with different answers. If n log2(V) > b, two of them share a
state, and in one of the two some answer is wrong; how often answers can be right at best,
`best_accuracy` says. It holds for every network with such a state, however it was trained. 32-bit
numbers make b = 32 (d^2 + d), of which a network that was trained uses far fewer.

Chapter: *The cost of n squared*.
"""

import argparse
import math
from collections.abc import Iterator

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.attention import MultiHeadAttention, ScaledDotProductAttention
from annotated_transformer.lab.variants.linear import linear_attention
from annotated_transformer.layers import FeedForward
from experiments.study import Entry, Fields, Option, SeedStudy, curve_of, seeds, steps

KEYS, VALUES, D_MODEL = 512, 16, 64
TEXTS, QUESTIONS, RATE = 64, 32, 3e-3
"""Texts of an update, questions about each, and the highest rate of Adam."""
TESTED = 20
"""Batches of the test."""


class SummedUp(ScaledDotProductAttention):
    """Linear attention: the keys and values are summed up before any query is known."""

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None = None,
        attn_bias: Tensor | None = None,
    ) -> Tensor:
        """No mask: every question comes after all pairs."""
        return linear_attention(query, key, value)


class Recall(nn.Module):
    """One head of attention from questions to pairs, and a network that reads out the value."""

    def __init__(self, kind: str, d: int) -> None:
        super().__init__()
        self.keys, self.values = nn.Embedding(KEYS, D_MODEL), nn.Embedding(VALUES, D_MODEL)
        self.attention = MultiHeadAttention(D_MODEL, 1, d_k=d, d_v=d)
        if kind == "linear":
            self.attention.attend = SummedUp()
        self.network = FeedForward(D_MODEL, 4 * D_MODEL)
        self.output = nn.Linear(D_MODEL, VALUES)

    def forward(self, keys: Tensor, values: Tensor, asked: Tensor) -> Tensor:
        """Logits of the value of each key that is asked for: (texts, questions, VALUES)."""
        pairs = self.keys(keys) + self.values(values)
        found = self.attention(self.keys(asked), pairs, pairs)
        return self.output(found + self.network(found))


def texts(n: int, draws: torch.Generator) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Keys, values, keys asked for, and the answers, of a batch of texts."""
    keys = torch.rand(TEXTS, KEYS, generator=draws).argsort(dim=-1)[:, :n]
    values = torch.randint(VALUES, (TEXTS, n), generator=draws)
    places = torch.randint(n, (TEXTS, QUESTIONS), generator=draws)
    return keys, values, keys.gather(1, places), values.gather(1, places)


def trained(kind: str, d: int, n: int, steps: int, seed: int) -> tuple[Recall, list[float]]:
    """A model that has learned from texts of n pairs, and its losses."""
    torch.manual_seed(seed)
    model, draws = Recall(kind, d), torch.Generator().manual_seed(1_000 + seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    losses = []
    for _ in range(steps):
        *given, answers = texts(n, draws)
        loss = F.cross_entropy(model(*given).flatten(0, 1), answers.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    return model, losses


@torch.inference_mode()
def accuracy(model: Recall, n: int) -> float:
    """The share of questions about new texts that are answered rightly, in percent."""
    draws, right = torch.Generator().manual_seed(0), 0
    for _ in range(TESTED):
        *given, answers = texts(n, draws)
        right += int((model(*given).argmax(dim=-1) == answers).sum())
    return 100 * right / (TESTED * TEXTS * QUESTIONS)


def state_bits(d: int) -> int:
    """Bits of the state of linear attention in float32."""
    return 32 * (d * d + d)


def best_accuracy(bits: float, n: int) -> float:
    """The share of right answers that no state of so many bits can exceed, for n random values.

    Of the n log2(V) bits of the values the state tells `bits` at most, so of one value bits / n on
    average. Fano's inequality: an answer that is wrong with probability e leaves no more than
    h(e) + e log2(V - 1) bits of the value open (Cover and Thomas 2006, theorem 2.10.1).
    """
    unknown = math.log2(VALUES) - bits / n
    if unknown <= 0:
        return 1.0
    low, high = 0.0, 1 - 1 / VALUES
    for _ in range(60):  # what is left open grows with e up to here
        e = (low + high) / 2
        left_open = -e * math.log2(e) - (1 - e) * math.log2(1 - e) + e * math.log2(VALUES - 1)
        low, high = (e, high) if left_open < unknown else (low, e)
    return 1 - low


def measured(seed: int, given: argparse.Namespace) -> Iterator[tuple[Entry, list[float]]]:
    """The entry of each model of a seed, and its losses."""
    for kind, widths in (("softmax", given.softmax), ("linear", given.widths)):
        for d in widths:
            for n in given.pairs:
                model, losses = trained(kind, d, n, given.steps, seed)
                value = round(accuracy(model, n), 1)
                entry = {"attention": kind, "d": d, "pairs": n, "seed": seed, "split": "test"}
                entry |= {"metric": "accuracy", "value": value, "signature": "new texts"}
                print(entry, flush=True)
                yield entry, losses


def measure(seed: int, given: argparse.Namespace) -> Fields:
    """Train all models with one seed; beside them stands what a state can keep at most."""
    scores: list[Entry] = []
    curve: list[Entry] = []
    bounds = [
        {
            "d": d,
            "pairs": n,
            "bits": state_bits(d),
            "accuracy": 100 * best_accuracy(state_bits(d), n),
        }
        for d in given.widths
        for n in given.pairs
    ]
    for entry, lost in measured(seed, given):
        scores.append(entry)
        tags = {key: entry[key] for key in ("attention", "d", "pairs", "seed")}
        curve += curve_of(lost, 10, **tags)
    return {"keys": KEYS, "values": VALUES, "bounds": bounds, "scores": scores, "curve": curve}


def check(given: argparse.Namespace) -> None:
    """Refuse more pairs than there are keys."""
    if max(given.pairs) > KEYS:
        raise ValueError(f"--pairs {max(given.pairs)} needs as many keys, and there are {KEYS}")


STUDY = SeedStudy(
    "experiments.recall",
    __doc__,
    measure,
    seeds(1),
    steps(1_000),
    Option("--pairs", [4, 8, 16, 32, 64, 128, 256]),
    Option("--widths", [2, 8, 32]),
    Option("--softmax", [32], "its widths"),
    check=check,
    threads=1,
    names_out=True,
)


if __name__ == "__main__":
    STUDY.main()
