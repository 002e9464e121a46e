"""The four kinds of layers in the paper's Table 1, and what each of them costs.

Paper: section 4. Chapter: *Why attention*. Each layer maps (length, d_model) to (length, d_model)
with one head and no residual, LayerNorm or bias, so that only the mixing of positions is compared.
"""

from collections.abc import Iterable

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.flop_counter import FlopCounterMode

from annotated_transformer.attention import attention
from annotated_transformer.lab.analysis.influence import influence

_PRODUCTS = ("MmBackward", "BmmBackward", "AddmmBackward", "BaddbmmBackward", "ConvolutionBackward")
"""Autograd's names of the operations that are counted; others work on single numbers."""


def _check_width(d_model: int) -> None:
    if not isinstance(d_model, int) or d_model < 1:
        raise ValueError(f"d_model={d_model!r} must be a positive integer")


def _matrix(d_model: int) -> nn.Linear:
    _check_width(d_model)
    return nn.Linear(d_model, d_model, bias=False)


def _check_window(name: str, size: int) -> None:
    if not isinstance(size, int) or size < 1 or size % 2 == 0:
        raise ValueError(
            f"{name}={size!r} must be odd and positive: a centre and as many each side"
        )


class SelfAttentionLayer(nn.Module):
    """Every position looks at every other: `attention` of a sentence with itself.

    Table 1 counts it without `projections`: 2 n^2 d multiply-adds. The four matrices of a real
    layer add 4 n d^2.
    """

    def __init__(self, d_model: int, *, projections: bool = True) -> None:
        super().__init__()
        kinds = [_matrix(d_model) if projections else nn.Identity() for _ in range(4)]
        self.w_query, self.w_key, self.w_value, self.w_output = kinds

    def forward(self, x: Float[Tensor, "length d_model"]) -> Float[Tensor, "length d_model"]:
        """Attend."""
        return self.w_output(self.mix(self.w_query(x), self.w_key(x), self.w_value(x)))

    def mix(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """Attend."""
        return attention(query, key, value)[0]

    def multiply_adds(self, length: int, d_model: int) -> int:
        """Return the number for one sentence of this length."""
        projections = sum(p.numel() for p in self.parameters()) * length
        return projections + 2 * length * length * d_model


class RestrictedAttentionLayer(SelfAttentionLayer):
    """Every position looks at a `window` of positions around it; no other score is computed."""

    def __init__(self, d_model: int, window: int, *, projections: bool = True) -> None:
        super().__init__(d_model, projections=projections)
        _check_window("window", window)
        self.window = window

    def mix(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """Attend with separate keys and values for each query."""
        side = self.window // 2
        # For each position its neighbours: (length, window, d_model).
        keys, values = (
            F.pad(y, (0, 0, side, side)).unfold(0, self.window, 1).transpose(1, 2)
            for y in (key, value)
        )
        real = F.pad(torch.ones_like(key[:, 0], dtype=torch.bool), (side, side))
        mask = real.unfold(0, self.window, 1)[:, None]
        return attention(query[:, None], keys, values, mask)[0].squeeze(1)

    def multiply_adds(self, length: int, d_model: int) -> int:
        """Return the number for one sentence; padding at its ends is computed and masked."""
        projections = sum(p.numel() for p in self.parameters()) * length
        return projections + 2 * length * self.window * d_model


class RecurrentLayer(nn.Module):
    """h_t = tanh(W x_t + U h_(t-1)), one position after another, from h_0 = 0."""

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.w_input, self.w_state = _matrix(d_model), _matrix(d_model)

    def forward(self, x: Float[Tensor, "length d_model"]) -> Float[Tensor, "length d_model"]:
        """Compute one state after another."""
        states, state = [], torch.zeros_like(x[:1])
        for token in self.w_input(x).split(1):
            state = torch.tanh(token + self.w_state(state))
            states.append(state)
        return torch.cat(states)

    def multiply_adds(self, length: int, d_model: int) -> int:
        """Return the number for one sentence of this length."""
        return 2 * length * d_model * d_model


class RecurrentStep(nn.Module):
    """One sequential operation of a `RecurrentLayer`, at all positions at once.

    A row holds x_t and h_t. After m steps from h = 0, the first m states are those of the layer;
    the later ones are not finished.
    """

    def __init__(self, layer: RecurrentLayer) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, rows: Float[Tensor, "length twice"]) -> Float[Tensor, "length twice"]:
        """Move each state on by one position."""
        x, state = rows.chunk(2, dim=-1)
        before = F.pad(state, (0, 0, 1, 0))[:-1]
        moved = torch.tanh(self.layer.w_input(x) + self.layer.w_state(before))
        return torch.cat([x, moved], dim=-1)


class ConvolutionalLayer(nn.Module):
    """Every position mixes `kernel` positions around it, `dilation` apart, each with a matrix."""

    def __init__(self, d_model: int, kernel: int, dilation: int = 1) -> None:
        super().__init__()
        _check_width(d_model)
        _check_window("kernel", kernel)
        self.convolution = nn.Conv1d(
            d_model, d_model, kernel, padding="same", dilation=dilation, bias=False
        )

    def forward(self, x: Float[Tensor, "length d_model"]) -> Float[Tensor, "length d_model"]:
        """Convolve along the sentence."""
        return self.convolution(x.T).T

    def multiply_adds(self, length: int, d_model: int) -> int:
        """Return the number for one sentence, padding at its ends included."""
        return self.convolution.kernel_size[0] * length * d_model * d_model


def counted_multiply_adds(layer: nn.Module, x: Float[Tensor, "length d_model"]) -> int:
    """Count the multiply-adds of the matrix products and convolutions that PyTorch carries out."""
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        layer(x)
    return counter.get_total_flops() // 2


def sequential_products(layer: nn.Module, x: Float[Tensor, "length width"]) -> int:
    """Return the length of the longest chain of matrix products and convolutions.

    Each operation of a chain needs the result of the one before it. The chain is that of the
    autograd graph, so this measures the implementation. It is an upper bound on the sequential
    operations in the paper's Table 1, which assumes the best order.
    """
    with torch.enable_grad():
        end = layer(x.detach().requires_grad_()).grad_fn
    longest: dict[object, int] = {None: 0}
    unfinished = [end]
    while unfinished:
        node = unfinished[-1]
        before = [earlier for earlier, _ in node.next_functions] if node else []
        if waiting := [earlier for earlier in before if earlier not in longest]:
            unfinished += waiting
            continue
        own = bool(node) and node.name().startswith(_PRODUCTS)
        longest[unfinished.pop()] = own + max((longest[earlier] for earlier in before), default=0)
    return longest[end]


def path_length(layers: Iterable[nn.Module], x: Float[Tensor, "length width"]) -> int:
    """Return how many of these layers it takes until the last row depends on the first.

    The dependence is measured by gradients (`influence`).

    Raises:
        ValueError: all layers together do not connect the two.
    """
    stack = nn.Sequential()
    for number, layer in enumerate(layers, start=1):
        stack.append(layer)
        if influence(lambda y: stack(y)[-1:], x, probes=1)[0, 0] > 0:
            return number
    raise ValueError(f"{len(stack)} layers do not connect the ends of {len(x)} positions: add more")
