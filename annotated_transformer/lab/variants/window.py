"""Attention inside a window: each token looks at its neighbours and at nothing else.

Chapter: *The cost of n squared*. Paper: section 4 proposes it for long
sequences. With the mask it costs as much as full attention; in blocks it costs
what it sees. Left out: tokens that all others see, and windows with gaps.
"""

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.attention import attention
from annotated_transformer.checks import check_length, check_positive
from annotated_transformer.checks.tensors import check_mask, check_pairs


def window_mask(
    length: int, window: int, *, causal: bool = False, device: torch.device | None = None
) -> Bool[Tensor, "query key"]:
    """Mark with True each key at most `window` positions away, and not later if causal.

    So a token sees 2 window + 1 tokens, or window + 1, with itself.

    Raises:
        ValueError: the length is no whole number, or the window no positive
            one.

    Source: Vaswani et al. 2017, section 4 (there r counts all tokens seen).
    """
    check_length(length)
    window = check_positive("window", window)  # `near` negates it
    position = torch.arange(length, device=device)
    return near(position[:, None] - position, window, causal=causal)


def near(back: Tensor, window: int, *, causal: bool) -> Bool[Tensor, "query key"]:
    """Return whether a key `back` positions before its query is seen; a negative one is later."""
    return (back <= window) & (back >= (0 if causal else -window))


def window_attention(
    query: Float[Tensor, "*batch length d_k"],
    key: Float[Tensor, "*batch length d_k"],
    value: Float[Tensor, "*batch length d_v"],
    mask: Bool[Tensor, "*#batch 1 #length"] | None = None,
    *,
    window: int,
    causal: bool = False,
) -> Float[Tensor, "*batch length d_v"]:
    """Compute `attention` with `window_mask`, without the scores outside of it.

    Blocks of `window` queries meet their own block of keys and its neighbours:
    3 window scores for each token, 2 window if causal. A length that is no
    multiple of the window is filled up, a window longer than the text cut.

    Raises:
        ValueError: the window is not a positive whole number, there are not as
            many keys and values as queries, or the mask is not boolean and of
            keys alone.

    Source: blocks with their neighbours: Beltagy et al. 2020, appendix A.
    """
    window = check_window(query, key, value, mask, window)
    length = key.size(-2)
    size = max(1, min(window, length))
    if mask is None:
        mask = torch.ones_like(key[..., :1], dtype=torch.bool).mT
    after = 0 if causal else size
    fill = -length % size
    q = F.pad(query, (0, 0, 0, fill)).unflatten(-2, (-1, size))
    k, v = (
        F.pad(x, (0, 0, size, fill + after)).unfold(-2, 2 * size + after, size).mT
        for x in (key, value)
    )
    real = F.pad(mask.expand(*key.shape[:-2], 1, length), (size, fill + after))
    real = real.unfold(-1, 2 * size + after, size).squeeze(-3).unsqueeze(-2)
    rows = torch.arange(size, 2 * size, device=query.device)
    columns = torch.arange(2 * size + after, device=query.device)
    visible = near(rows[:, None] - columns, window, causal=causal)
    heads, _ = attention(q, k, v, real & visible)
    return heads.flatten(-3, -2)[..., :length, :]


def check_window(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, window: int
) -> int:
    """Refuse an impossible window, and queries, keys and values that do not fit each other."""
    window = check_positive("window", window)
    check_pairs(query, key, value)
    if query.size(-2) != key.size(-2):
        raise ValueError(
            f"{query.size(-2)} queries and {key.size(-2)} keys: a window is one of a text "
            "with itself"
        )
    check_mask(mask, (*key.shape[:-2], 1, key.size(-2)))
    return window
