"""At which length attention costs more than the rest of a layer, counted.

Chapter: *The cost of n squared*. What is counted are the multiply-adds of
matrix products, for one token of an encoder layer over n tokens. Softmax,
LayerNorm, biases and sums are left out; so is what a causal mask would save,
because the products are computed for all keys.
"""

from typing import NamedTuple

from annotated_transformer.config import TransformerConfig


class LayerProducts(NamedTuple):
    """Multiply-adds for one token, by where they are."""

    attention: float
    """Scores and weighted values: n heads (d_k + d_v), the paper's 2 n d_model."""
    projections: float
    """Of queries, keys, values and output: 2 d_model heads (d_k + d_v), the
    paper's 4 d_model^2."""
    feed_forward: float
    """Two matrices: 2 d_model d_ff, the paper's 8 d_model^2."""


def layer_products(config: TransformerConfig, n: float) -> LayerProducts:
    """Count what a token of an encoder layer costs among n tokens.

    Source: Vaswani et al. 2017, Table 1 and section 3.3.
    """
    width = config.n_heads * (config.d_k + config.d_v)
    return LayerProducts(n * width, 2 * config.d_model * width, 2 * config.d_model * config.d_ff)


class EqualLengths(NamedTuple):
    """Lengths at which attention costs as much as something else; longer, it costs more."""

    projections: float
    """2 d_model, whatever the widths of the heads."""
    feed_forward: float
    """d_ff where the heads share d_model, as the paper's do."""
    rest_of_the_layer: float
    """The sum of the two, as costs add up: 2 d_model + d_ff."""


def equal_lengths(config: TransformerConfig) -> EqualLengths:
    """Return the lengths at which attention needs as many products as the other parts."""
    one, projections, feed_forward = layer_products(config, 1)
    rest = projections + feed_forward
    return EqualLengths(projections / one, feed_forward / one, rest / one)
