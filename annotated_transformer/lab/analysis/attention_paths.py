"""Attention followed through all layers: rollout, and flow.

Chapter: *Reading attention*. Both take the mean of the heads and count the residual connection as
attention of a token to itself, half of the whole. Source and target rows are the nodes of one
graph, so that a path leads from a word of the translation through decoder and encoder to a word of
the source. Left out: the values, the feed-forward networks and the normalisation, about which
weights of attention say nothing.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from jaxtyping import Float
from scipy.sparse import coo_array
from scipy.sparse.csgraph import maximum_flow
from torch import Tensor

UNIT = 2**20
"""The capacity of a pipe with weight 1, in the whole numbers in which scipy measures a flow."""


def mixing_layers(
    recorded: Mapping[str, Float[Tensor, "heads query key"]], n_layers: int
) -> list[Float[Tensor, "token token"]]:
    """Return a matrix for each attention: what every token of both texts mixes.

    Its rows have the sum 1. Tokens are those of the source, then those that the decoder has read.
    `recorded` has the weights by name, as `teacher_forced_attention` gives them.

    Source: Abnar and Zuidema 2020 (half of the weight for the residual connection).
    """
    means = {name: w.double().mean(0) for name, w in recorded.items()}
    n_source = len(means["encoder.layers.0.self_attention"])
    n_tokens = n_source + len(means["decoder.layers.0.self_attention"])
    source, target = slice(0, n_source), slice(n_source, n_tokens)
    sublayers = [("encoder", n, "self", source) for n in range(n_layers)]
    for n in range(n_layers):
        sublayers += [("decoder", n, "self", target)]
        sublayers += [("decoder", n, "cross", source)]
    layers = []
    for stack, n, kind, keys in sublayers:
        rows = source if stack == "encoder" else target
        mixed = torch.eye(n_tokens, dtype=torch.float64)
        mixed[rows] /= 2
        mixed[rows, keys] += means[f"{stack}.layers.{n}.{kind}_attention"] / 2
        layers.append(mixed)
    return layers


def attention_rollout(
    layers: Sequence[Float[Tensor, "token token"]],
) -> Float[Tensor, "token token"]:
    """Multiply all layers: of which inputs each output would be mixed, if layers only mixed.

    Each entry is the sum, over all paths from an output back to an input, of the product of the
    weights along the path.

    Source: Abnar and Zuidema 2020.
    """
    product = torch.eye(len(layers[0]), dtype=layers[0].dtype)
    for layer in layers:
        product = layer @ product
    return product


def attention_flow(
    layers: Sequence[Float[Tensor, "token token"]], row: int
) -> Float[Tensor, " token"]:
    """Return how much can flow from one output back to each input through the weights.

    Every weight is the width of a pipe. The flow is the greatest one to each input by itself; the
    values need not sum to 1. They are exact to about a millionth for each layer, because scipy
    counts in whole numbers.

    Source: Abnar and Zuidema 2020; the greatest flow: Ford and Fulkerson 1956.
    """
    n, depth = len(layers[0]), len(layers)
    start, stop, capacity = [], [], []
    for level, layer in enumerate(reversed(layers)):
        above, below = layer.nonzero(as_tuple=True)
        start.append(above + level * n)
        stop.append(below + (level + 1) * n)
        capacity.append((layer[above, below] * UNIT).round())
    edges = [torch.cat(part).numpy().astype(np.int32) for part in (start, stop)]
    values = torch.cat(capacity).numpy().astype(np.int32)
    size = (depth + 1) * n
    graph = coo_array((values, tuple(edges)), shape=(size, size)).tocsr()
    flows = [maximum_flow(graph, row, depth * n + end) for end in range(n)]
    return torch.tensor([flow.flow_value / UNIT for flow in flows])
