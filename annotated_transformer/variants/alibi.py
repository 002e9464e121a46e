"""Attention with linear biases (ALiBi): scores fall with the distance.

Chapter: *Positional encoding*. Like rotations (rotary.py), distances are those
within one sentence, so cross-attention stays as it is.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.checks import check_positive


def linear_bias(
    n_heads: int, query: Int[Tensor, " query"], key: Int[Tensor, " key"]
) -> Float[Tensor, "heads query key"]:
    """Return -2^(-8 h / n_heads) |query - key| for head h = 1, 2, ...; float64.

    The paper's models are decoders, where no key is later than its query. In an
    encoder keys stand on both sides, and we take the distance. For a number of
    heads that is no power of two the authors' code mixes two sequences of
    slopes; we keep to the formula.

    Raises:
        ValueError: no heads.

    Source: Press et al. 2022, section 3 (ALiBi).
    """
    check_positive("n_heads", n_heads)
    head = torch.arange(
        1, n_heads + 1, dtype=torch.float64, device=query.device
    )
    distance = (query[:, None] - key).abs()
    return -(2 ** (-8 * head / n_heads))[:, None, None] * distance


class LinearBiasAttention(MultiHeadAttention):
    """Attention whose scores fall with the distance, at a rate of each head.

    Source: Press et al. 2022.
    """

    def relate(
        self, query: Tensor, key: Tensor, attn_bias: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Add minus slope times distance to what else joins the scores."""
        rows, columns = (
            torch.arange(x.size(-2), device=x.device) for x in (query, key)
        )
        bias = linear_bias(self.n_heads, rows, columns).to(query.dtype)
        return query, key, bias if attn_bias is None else bias + attn_bias
