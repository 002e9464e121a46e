"""A task with two right answers, for models that write their tokens together or in turn.

Chapter: *The cost of n squared*. A text is six different letters. Right is the
text itself, and right is the text with its first m letters in reverse; each
training pair has one of the two at random. A model that draws its tokens
independently mixes them.
"""

import torch
from jaxtyping import Int
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.config import TransformerConfig
from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.lab.variants.all_at_once import AllAtOnce
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, N_SPECIALS
from annotated_transformer.transformer import Transformer

LENGTH, LETTERS = 6, 8
ROWS, RATE = 64, 5e-3
"""Texts of an update, and the rate of Adam."""


def draw_answers(
    rows: int, m: int, draws: torch.Generator
) -> tuple[Int[Tensor, "rows 6"], Int[Tensor, "rows 6"]]:
    """Draw texts, and the same with the first m letters in reverse.

    Raises:
        ValueError: m is odd, when the middle letter would not change, or not
            from 2 to 6.
    """
    if m % 2 or not 2 <= m <= LENGTH:
        raise ValueError(f"m={m}; expected an even number from 2 to {LENGTH}")
    order = torch.rand(rows, LETTERS, generator=draws).argsort(dim=-1)
    text = order[:, :LENGTH] + N_SPECIALS
    return text, torch.cat([text[:, :m].flip(1), text[:, m:]], dim=1)


def framed(
    text: Int[Tensor, "rows letters"],
) -> tuple[Int[Tensor, "rows letters_and_1"], Int[Tensor, "rows letters_and_1"]]:
    """Put the sign of the beginning before a text, and that of the end behind it."""
    return F.pad(text, (1, 0), value=BOS_ID), F.pad(text, (0, 1), value=EOS_ID)


def train_writer(kind: type[Transformer], m: int, steps: int, seed: int = 0) -> Transformer:
    """Train a small model of this kind for `steps` updates."""
    torch.manual_seed(seed)
    draws = torch.Generator().manual_seed(seed + 1)
    model = kind(
        TransformerConfig(
            vocab_size=N_SPECIALS + LETTERS,
            n_layers=2,
            d_model=32,
            d_ff=64,
            n_heads=2,
            dropout=0.0,
            norm="pre",
            max_length=LENGTH + 1,
        )
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
    for _ in range(steps):
        text, other = draw_answers(ROWS, m, draws)
        coin = torch.rand(ROWS, 1, generator=draws) < 0.5
        given, wanted = framed(torch.where(coin, text, other))
        logits = model(framed(text)[1], given)
        optimizer.zero_grad()
        F.cross_entropy(logits.flatten(0, 1), wanted.flatten()).backward()
        optimizer.step()
    return model.eval()


def drawn_tokens(
    model: Transformer, text: Int[Tensor, "rows 6"], draws: torch.Generator
) -> Int[Tensor, "rows 6"]:
    """Draw six tokens for each text from the model's probabilities.

    All from one pass if it is an `AllAtOnce`, else each after those before it.
    """
    source = framed(text)[1]
    together = isinstance(model, AllAtOnce)
    written = text if together else text[:, :0]
    with evaluation_mode(model):
        memory = model.encode(source)
        while True:
            logits = model.decode(framed(written)[0], memory, source)
            p = logits[:, :LENGTH].softmax(dim=-1)
            tokens = torch.multinomial(p.flatten(0, 1), 1, generator=draws)
            tokens = tokens.view(p.shape[:2])
            if together:
                return tokens
            written = torch.cat([written, tokens[:, -1:]], dim=1)
            if written.size(1) == LENGTH:
                return written


def share_right(model: Transformer, m: int, texts: int = 1_000) -> float:
    """Return how often a drawn text is one of the two right answers."""
    draws = torch.Generator().manual_seed(0)
    text, other = draw_answers(texts, m, draws)
    drawn = drawn_tokens(model, text, draws)
    right = (drawn == text).all(dim=1) | (drawn == other).all(dim=1)
    return right.float().mean().item()
