"""Heads that share keys and values: grouped-query and multi-query attention.

Chapter: *The cost of n squared*. A search keeps the keys and values of all
tokens so far and reads them again for each new one. With fewer heads of keys
and values than of queries there is less to keep and to read; the products of
scores and values are as many as before. One group is multi-query attention, as
many groups as heads is the paper's. Left out: the search with such a cache, and
how the heads of a trained model are merged into groups.
"""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from annotated_transformer.attention import attention
from annotated_transformer.checks import check_count, check_positive, check_sizes
from annotated_transformer.checks.tensors import check_mask, check_vectors
from annotated_transformer.config import TransformerConfig, head_width
from annotated_transformer.fast.linear import Linear
from annotated_transformer.lab.checks import check_heads


def grouped_attention(
    query: Float[Tensor, "batch heads query d_k"],
    key: Float[Tensor, "batch groups key d_k"],
    value: Float[Tensor, "batch groups key d_v"],
    mask: Bool[Tensor, "*#heads #query #key"] | None = None,
) -> Float[Tensor, "batch heads query d_v"]:
    """Attend with one set of keys and values for each group of heads.

    Head h reads those of group h // (heads / groups). The heads of a group are
    so many more queries to the same keys, and no key is copied.

    Raises:
        ValueError: the groups do not divide the heads, or what `attention`
            refuses.

    Source: Ainslie et al. 2023, section 2.2; one group: Shazeer 2019.
    """
    check_heads(query, key, value)
    batch, heads, length, _ = query.shape
    check_groups(heads, key.size(1))
    groups = (key.size(1), heads // key.size(1))
    shape = (batch, heads, length, key.size(-2))
    check_mask(mask, shape)
    if mask is not None:
        mask = mask.expand(shape).unflatten(1, groups).flatten(2, 3)
    queries = query.unflatten(1, groups).flatten(2, 3)
    output, _ = attention(queries, key, value, mask)
    return output.unflatten(2, (groups[1], length)).flatten(1, 2)


class GroupedQueryAttention(nn.Module):
    """Multi-head attention whose `n_heads` heads share `n_groups` keys and values.

    Raises:
        ValueError: d_model / n_heads is no whole number, or the groups do not
            divide the heads.

    Source: Ainslie et al. 2023, section 2.2; one group: Shazeer 2019.
    """

    def __init__(self, d_model: int, n_heads: int, n_groups: int) -> None:
        super().__init__()
        width = head_width(d_model, n_heads)
        d_model, n_heads = check_sizes(d_model=d_model, n_heads=n_heads)
        n_groups = check_groups(n_heads, n_groups)
        self.n_heads, self.n_groups = n_heads, n_groups
        self.w_query = Linear(d_model, d_model, bias=False)
        self.w_key = Linear(d_model, n_groups * width, bias=False)
        self.w_value = Linear(d_model, n_groups * width, bias=False)
        self.w_output = Linear(d_model, d_model, bias=False)

    def forward(
        self,
        x: Float[Tensor, "batch query d_model"],
        memory: Float[Tensor, "batch key d_model"],
        mask: Bool[Tensor, "*#heads #query #key"] | None = None,
    ) -> Float[Tensor, "batch query d_model"]:
        """Attend with queries from x, keys and values from memory; join the heads.

        Raises:
            ValueError: not (batch, length, d_model), or what `attention` refuses.
        """
        check_vectors(self.w_query.in_features, x=x, memory=memory)

        def split(y: Tensor, number: int) -> Tensor:
            return y.unflatten(-1, (number, -1)).transpose(1, 2)

        query = split(self.w_query(x), self.n_heads)
        key = split(self.w_key(memory), self.n_groups)
        value = split(self.w_value(memory), self.n_groups)
        heads = grouped_attention(query, key, value, mask)
        return self.w_output(heads.transpose(1, 2).flatten(-2))


def grouped_cache_bytes(
    config: TransformerConfig, n_groups: int, *, tokens: int, bytes_per_value: int = 4
) -> int:
    """Count the bytes of the keys and values that a decoder stores for its own tokens.

    With as many groups as heads this is `cache_bytes` without a source.

    Raises:
        ValueError: the groups do not divide the heads, or what is counted is no
            whole number.
    """
    n_groups = check_groups(config.n_heads, n_groups)
    tokens = check_count("tokens", tokens, least=0)
    bytes_per_value = check_count("bytes_per_value", bytes_per_value)
    per_token = config.n_layers * n_groups * (config.d_k + config.d_v)
    return tokens * per_token * bytes_per_value


def check_groups(n_heads: int, n_groups: int) -> int:
    """Refuse groups that do not divide the heads.

    Raises:
        ValueError: naming both.
    """
    n_groups = check_positive("n_groups", n_groups)
    if n_heads % n_groups:
        raise ValueError(
            f"n_groups={n_groups} does not divide n_heads={n_heads}: every group must serve "
            "the same number of heads"
        )
    return n_groups
