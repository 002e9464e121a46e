"""Four ways to tell positions, on texts of up to twice the length of those in training.

    python -m experiments.twice_as_long

A text is a string of letters that are all different, drawn at random, then a sign, then the string
again, or from its end to its beginning. A model of a decoder alone reads it from left to right, and
learns the part after the sign. Training has strings of 1 to 8 letters, each length as often; the
tests have up to 16. Letters and rule are those of training, so what is new is the length.
Sinusoids, rotations and linear biases are formulas and have values at any position. Learned vectors
beyond the longest text of training exist too, but no update has reached them: they are as they were
drawn. A text counts as exact if every letter of the answer is the most probable after the right
ones before it; then the model would write it by itself.

Chapter: *The cost of n squared*.
"""

import argparse
from itertools import product

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.layers import Embedding, FeedForward
from annotated_transformer.masks import causal_mask
from annotated_transformer.transformer import Encoder
from annotated_transformer.variants import added_positions
from experiments.study import Entry, Fields, Option, SeedStudy, curve_of, seeds, steps

KINDS = ("sinusoidal", "learned", "rotary", "alibi")
TASKS = ("copy", "reverse")
SIGN, FIRST, LETTERS = 1, 2, 32
"""The sign between string and answer, and the letters."""
LONGEST = 8
"""Letters of the longest string in training; the tests go to twice as many."""
SHOWN = (LONGEST, LONGEST + 2, 2 * LONGEST)
"""Lengths of which a line is printed."""
TOKENS, RATE, WARMUP = 1_024, 1e-3, 100
"""Tokens of an update, the highest rate of Adam, and updates until it is reached."""


class Writer(nn.Module):
    """A decoder without a source: layers of an encoder with the causal mask, LayerNorm before."""

    def __init__(self, positions: str) -> None:
        super().__init__()
        self.config = TransformerConfig(
            vocab_size=FIRST + LETTERS,
            n_layers=2,
            d_model=64,
            d_ff=256,
            n_heads=4,
            dropout=0.0,
            norm="pre",
            positions=positions,  # type: ignore[arg-type]
            max_length=4 * LONGEST,  # two strings of the longest test, with the sign, less the last
        )
        self.embedding = Embedding(self.config.vocab_size, self.config.d_model)
        self.positions = added_positions(self.config)
        self.layers = Encoder(self.config)
        for module in self.modules():
            if isinstance(module, MultiHeadAttention | FeedForward):
                module.initialise()

    def forward(self, ids: Tensor) -> Tensor:
        """Logits of the next token after each."""
        x = self.positions(self.embedding(ids))
        hidden = self.layers(x, causal_mask(ids.size(1))[None, None])
        return F.linear(hidden, self.embedding.weight)


def texts(task: str, n: int, rows: int, draws: torch.Generator) -> Tensor:
    """Strings of n letters, the sign, and the answers."""
    letters = torch.rand(rows, LETTERS, generator=draws).argsort(dim=-1)[:, :n] + FIRST
    answer = letters.flip(1) if task == "reverse" else letters
    return torch.cat([letters, torch.full((rows, 1), SIGN), answer], dim=1)


def answered(model: Writer, ids: Tensor) -> tuple[Tensor, Tensor]:
    """Logits of the answer's letters, and the letters."""
    n = ids.size(1) // 2
    return model(ids[:, :-1])[:, -n:], ids[:, -n:]


def trained(task: str, positions: str, steps: int, seed: int) -> tuple[Writer, list[float]]:
    """A model that has learned from strings of up to `LONGEST` letters, and its losses."""
    torch.manual_seed(seed)
    model, draws = Writer(positions), torch.Generator().manual_seed(1_000 + seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, RATE, total_steps=steps, pct_start=min(0.5, WARMUP / steps)
    )
    losses = []
    for _ in range(steps):
        n = int(torch.randint(1, LONGEST + 1, (), generator=draws))
        logits, letters = answered(model, texts(task, n, TOKENS // (2 * n + 1), draws))
        loss = F.cross_entropy(logits.flatten(0, 1), letters.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
    return model, losses


@torch.inference_mode()
def scores_of(model: Writer, task: str, number: int) -> list[Entry]:
    """For each length the share of strings, and that of letters, that are right, in percent."""
    scores = []
    for n in range(2, 2 * LONGEST + 1, 2):
        draws = torch.Generator().manual_seed(n)
        logits, letters = answered(model, texts(task, n, number, draws))
        right = logits.argmax(dim=-1) == letters
        shares = {"exact_match": right.all(dim=-1), "accuracy": right}
        for metric, share in shares.items():
            value = round(100 * share.float().mean().item(), 1)
            scores.append({"length": n, "split": f"length_{n}", "metric": metric, "value": value})
    return [entry | {"signature": f"teacher forced|{number} texts"} for entry in scores]


def measure(seed: int, given: argparse.Namespace) -> Fields:
    """Train all models with one seed."""
    scores: list[Entry] = []
    curve: list[Entry] = []
    for task, kind in product(TASKS, KINDS):
        model, lost = trained(task, kind, given.steps, seed)
        tags = {"task": task, "positions": kind, "seed": seed}
        found = scores_of(model, task, given.texts)
        scores += [tags | entry for entry in found]
        curve += curve_of(lost, **tags)
        ends = {n: s["value"] for s in found[::2] if (n := s["length"]) in SHOWN}
        print(f"{tags}: exact by length {ends}", flush=True)
    config = Writer("sinusoidal").config.to_dict()
    return {"longest": LONGEST, "model": config, "scores": scores, "curve": curve}


STUDY = SeedStudy(
    "experiments.twice_as_long",
    __doc__,
    measure,
    seeds(1),
    steps(2_000),
    Option("--texts", 500, "of each length in the test"),
    threads=1,
    names_out=True,
)


if __name__ == "__main__":
    STUDY.main()
