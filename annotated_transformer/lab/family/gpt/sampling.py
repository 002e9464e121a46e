"""How a token is chosen from the logits of the next one.

Chapter: *Language models*. A search looks for the text of highest probability;
whoever wants texts such as the model believes in must draw.
"""

import math
from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Tensor

from annotated_transformer.checks import check_count, check_factor, check_positive
from annotated_transformer.lab.checks import check_share


def most_probable(logits: Float[Tensor, "batch vocab"]) -> Int[Tensor, " batch"]:
    """Return the token of the highest logit, which greedy search takes."""
    return logits.argmax(dim=-1)


def sampler(
    *, temperature: float = 1.0, top_k: int | None = None, nucleus: float = 1.0, seed: int = 0
) -> Callable[[Tensor], Tensor]:
    """Make a function that draws a token from logits, after the filters below.

    Args:
        temperature: logits are divided by it; below 1 the probable becomes more
            probable.
        top_k: only so many tokens of highest probability stay.
        nucleus: of those, only the most probable that together have this
            probability.
        seed: of the draws.

    Raises:
        ValueError: a temperature that is not positive, a `top_k` below 1, or a
            `nucleus` outside (0, 1].
    """
    temperature = check_factor("temperature", temperature)
    if top_k is not None:
        top_k = check_positive("top_k", top_k)
    nucleus = check_share("nucleus", nucleus)
    if not nucleus:
        raise ValueError(f"nucleus={nucleus} must be above 0: no token would be left")
    generator = torch.Generator().manual_seed(check_count("seed", seed, least=0))

    def choose(logits: Tensor) -> Tensor:
        logits = logits / temperature
        if top_k is not None:
            logits = keep_top_k(logits, top_k)
        weights = keep_nucleus(logits, nucleus).softmax(dim=-1)
        return torch.multinomial(weights, 1, generator=generator)[:, 0]

    return choose


def keep_top_k(logits: Float[Tensor, "batch vocab"], k: int) -> Float[Tensor, "batch vocab"]:
    """Set all but the k highest logits of each row to -inf.

    Source: Fan et al. 2018, section 5.4.
    """
    k = min(k, logits.size(-1))
    filtered = torch.full_like(logits, -math.inf)
    highest, places = logits.topk(k, dim=-1)
    return filtered.scatter(-1, places, highest)


def keep_nucleus(
    logits: Float[Tensor, "batch vocab"], share: float
) -> Float[Tensor, "batch vocab"]:
    """Set all to -inf but the fewest most probable tokens whose probabilities reach `share`.

    Source: Holtzman et al. 2020, section 3.1 (nucleus, or top-p).
    """
    if share >= 1:
        return logits
    ordered, places = logits.sort(dim=-1, descending=True)
    probabilities = ordered.softmax(dim=-1)
    # What the more probable tokens have without this one: it stays if that is not enough.
    before = probabilities.cumsum(dim=-1) - probabilities
    ordered = ordered.masked_fill(before >= share, -math.inf)
    return torch.empty_like(logits).scatter(-1, places, ordered)
