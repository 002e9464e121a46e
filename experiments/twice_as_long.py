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
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.layers import Embedding, FeedForward
from annotated_transformer.masks import causal_mask
from annotated_transformer.records import RESULTS, Measurement
from annotated_transformer.transformer import Encoder
from annotated_transformer.variants import added_positions
from experiments.programs import command_of, parser_of, run

NAME = "twice_as_long"
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
def scores_of(model: Writer, task: str, number: int) -> list[dict[str, Any]]:
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


def options() -> argparse.ArgumentParser:
    """The options of the command."""
    found = parser_of(NAME, __doc__)
    found.add_argument("--seeds", type=int, nargs="+", default=[1])
    found.add_argument("--steps", type=int, default=2_000)
    found.add_argument("--texts", type=int, default=500, help="of each length in the test")
    return found


def main() -> None:
    """Train all models of each seed, and write the record after each."""
    given = options().parse_args()
    torch.set_num_threads(1)
    measurement = Measurement(NAME, out=given.out)
    scores: list[dict[str, Any]] = []
    curve: list[dict[str, Any]] = []
    every = max(1, given.steps // 20)
    for done, seed in enumerate(given.seeds, start=1):
        for task in TASKS:
            for kind in KINDS:
                model, losses = trained(task, kind, given.steps, seed)
                tags = {"task": task, "positions": kind, "seed": seed}
                scores += [tags | entry for entry in scores_of(model, task, given.texts)]
                curve += [
                    tags | {"step": end, "loss": round(sum(losses[end - every : end]) / every, 4)}
                    for end in range(every, len(losses) + 1, every)
                ]
                ends = {n: s["value"] for s in scores[-16::2] if (n := s["length"]) in SHOWN}
                print(f"{tags}: exact by length {ends}", flush=True)
        elsewhere = {} if given.out == RESULTS / f"{NAME}.json" else {"out": given.out}
        seeds = given.seeds[:done]
        measurement.write(
            given.out,
            command=command_of(
                NAME, seeds=seeds, steps=given.steps, texts=given.texts, **elsewhere
            ),
            seed=seeds,
            longest=LONGEST,
            model=Writer("sinusoidal").config.to_dict(),
            scores=scores,
            curve=curve,
        )


if __name__ == "__main__":
    run(main)
