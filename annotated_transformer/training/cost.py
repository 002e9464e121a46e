"""What a run costs, before it starts: parameters, tokens, floating-point operations, time.

A product of a matrix with n weights and the vector of one token takes 2n
operations, forward, and twice that backward: once for the gradient of the
vector and once for that of the weights. So each weight costs 6 operations per
token that passes it. Attention adds the products of queries with keys and of
weights with values, which no parameters take part in. Looking up an embedding
is no product and costs nothing here; the projection onto the vocabulary, with
the same matrix, is one.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch

from annotated_transformer.config import TransformerConfig
from annotated_transformer.tokenizer import N_SPECIALS
from annotated_transformer.training.batching import Batch
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.step import (
    make_optimizer,
    train_step,
    uses_bfloat16,
)
from annotated_transformer.transformer import Transformer, count_parameters

LENGTH = 32
"""Tokens of a sentence, on both sides, where the corpus has not been read: only the products of
attention depend on it, a few percent of the whole."""
SECONDS = 1.0
"""About how long one timed step may take."""


@dataclass(frozen=True)
class Cost:
    """What a run costs on one machine."""

    parameters: int
    """Weights of the model."""
    tokens_per_update: int
    """Most source, and most target, tokens that an update learns from, padding included."""
    flops_per_update: float
    """Floating-point operations of an update of that size, forward and backward."""
    flops: float
    """The same for all updates of the run."""
    matmul_flops_per_second: float
    """Rate at which this machine multiplies large matrices, in the precision of the run."""
    seconds_per_update: float
    """Estimated from timed steps of this model."""
    seconds: float
    """The same for all updates, without validation, checkpoints and translation."""


def forward_flops(
    config: TransformerConfig, rows: int, source: int, target: int
) -> int:
    """Count the operations of the matrix products for `rows` pairs of these lengths, forward.

    Every position counts, padding too, and every key of an attention, also
    those that the causal mask hides: the products are computed for all of them.
    """
    query_key = config.n_heads * config.d_k
    value = config.n_heads * config.d_v
    feed_forward = 2 * config.d_model * config.d_ff
    # The projections of queries and of outputs; those of keys and of values.
    on_queries = config.d_model * (query_key + value)
    on_keys = config.d_model * (query_key + value)
    # For each pair of a query and a key.
    pairs = query_key + value
    encoder = source * (on_queries + on_keys + feed_forward + source * pairs)
    decoder = (
        target * (on_queries + on_keys + feed_forward + target * pairs)
        + target * (on_queries + source * pairs)
        + source * on_keys
    )
    projection = target * config.d_model * config.vocab_size
    return 2 * rows * (config.n_layers * (encoder + decoder) + projection)


def step_flops(
    config: TransformerConfig, rows: int, source: int, target: int
) -> int:
    """Count the operations of a training step: three times those of the forward."""
    return 3 * forward_flops(config, rows, source, target)


def matmul_rate(
    device: torch.device, dtype: torch.dtype, *, seconds: float = 0.3
) -> float:
    """Measure the best operations per second of a square matrix product."""
    size = 4096 if device.type == "cuda" else 1024
    left = torch.randn(size, size, device=device, dtype=dtype)
    right = torch.randn(size, size, device=device, dtype=dtype)
    best = float("inf")
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or best == float("inf"):
        best = min(best, _seconds(lambda: left @ right, device))
    return 2 * size**3 / best


def estimate(
    recipe: Recipe, device: torch.device, *, world_size: int = 1
) -> Cost:
    """Estimate what a recipe costs, from a few timed steps of its model on this machine.

    A batch that would take more than seconds is timed at two smaller sizes and
    continued in a straight line, no faster than large products of matrices run;
    several processes are taken to share the work without loss. The vocabulary
    is taken to be as large as the recipe asks for. The generators of random
    numbers are left alone.
    """
    settings = recipe.training
    config = recipe.model.config(recipe.tokenizer.vocab_size)
    low = uses_bfloat16(settings.precision, device)
    length = min(LENGTH, config.max_length, settings.tokens_per_batch)
    rows = max(1, settings.tokens_per_batch // length)
    per_batch = step_flops(config, rows, length, length)
    devices = [device] if device.type == "cuda" else []
    with torch.random.fork_rng(devices=devices):
        rate = matmul_rate(device, torch.bfloat16 if low else torch.float32)
        # A step runs at perhaps a third of the rate of a product.
        affordable = max(1, int(rows * SECONDS * rate / 3 / per_batch))
        time_step = _step_timer(recipe, config, device, length)
        time_step(1)  # what is set up once is not counted
        if rows <= affordable:
            seconds = time_step(rows)
        else:
            few = max(1, affordable // 2)
            short, long = time_step(few), time_step(2 * few)
            # In a large model the update of the weights hides what a few more
            # pairs take; the products of matrices take this at least.
            each = max((long - short) / few, per_batch / rows / rate)
            seconds = long + each * (rows - 2 * few)
    per_update = settings.accumulate * seconds / world_size
    return Cost(
        parameters=count_parameters(config)["total"],
        tokens_per_update=settings.tokens_per_batch * settings.accumulate,
        flops_per_update=settings.accumulate * per_batch,
        flops=settings.steps * settings.accumulate * per_batch,
        matmul_flops_per_second=rate,
        seconds_per_update=per_update,
        seconds=settings.steps * per_update,
    )


def _step_timer(
    recipe: Recipe, config: TransformerConfig, device: torch.device, length: int
) -> Callable[[int], float]:
    """Make a model, and a function that times its step on so many pairs."""
    model = Transformer(config).to(device)
    optimizer = make_optimizer(model, recipe.training)

    lowest = min(N_SPECIALS, config.vocab_size - 1)  # no token is padding

    def time_step(n: int) -> float:
        source, target = torch.randint(
            lowest, config.vocab_size, (2, n, length), device=device
        )
        batches = [Batch(source, target, target, n * length)]
        step = partial(
            train_step, model, batches, optimizer, 1, recipe.training
        )
        return min(_seconds(step, device) for _ in range(2))

    return time_step


def _seconds(work: Callable[[], object], device: torch.device) -> float:
    """Measure how long a call takes."""
    began = time.perf_counter()
    work()
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return time.perf_counter() - began


def cost_lines(cost: Cost, steps: int, *, done: int = 0) -> list[str]:
    """Describe a cost, one line each; of a run that has `done` some steps, what remains."""
    share = (steps - done) / steps
    updates = f"{steps:,} updates"
    if done:
        updates = f"{steps - done:,} of {updates} remain,"
    return [
        f"{cost.parameters:,} parameters",
        f"{updates} of at most {cost.tokens_per_update:,} target tokens, padding included",
        f"{_scaled(cost.flops_per_update)}FLOP an update, {_scaled(share * cost.flops)}FLOP "
        f"{'for those that remain' if done else 'in all'}",
        f"about {_duration(share * cost.seconds)} of training {'remain ' if done else ''}on this "
        f"machine: an estimate from timed steps, {cost.seconds_per_update:.3g} s an update; matrix "
        f"products run at {_scaled(cost.matmul_flops_per_second)}FLOP/s",
    ]


def _scaled(value: float) -> str:
    """Write a number with a prefix of the metric system."""
    for power, prefix in ((18, "E"), (15, "P"), (12, "T"), (9, "G"), (6, "M")):
        if value >= 10**power:
            return f"{value / 10**power:.3g} {prefix}"
    return f"{value:.3g} "


def _duration(seconds: float) -> str:
    """Write a time in the largest unit of which it has at least two."""
    for size, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.1f} seconds"
