"""One update of the weights (section 5), and the validation beside it."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.optim import Optimizer

from annotated_transformer.config import TransformerConfig
from annotated_transformer.fast.projected_loss import CHUNK, projected_loss
from annotated_transformer.training.batching import Batch, collate
from annotated_transformer.training.distributed import (
    ALONE,
    Ranks,
    gradient_exchange,
)
from annotated_transformer.training.encoded import Array, Example
from annotated_transformer.training.recipe import TrainingRecipe
from annotated_transformer.training.schedule import noam_rate


@runtime_checkable
class Trainable(Protocol):
    """What is trained here: a `Transformer`, or another model that has these parts."""

    config: TransformerConfig
    output: nn.Linear

    def encode(self, source: Tensor, /) -> Tensor:
        """Return the memory of the source."""

    def decode_hidden(
        self, target: Tensor, memory: Tensor, source: Tensor, /
    ) -> Tensor:
        """Return the vectors that `output` turns into logits."""

    def train(self) -> object:
        """Turn dropout on."""

    def eval(self) -> object:
        """Turn dropout off."""

    def parameters(self) -> Iterator[nn.Parameter]:
        """Return the weights that are learned."""


Schedule = Callable[[int, int, int, float], float]
"""A learning rate of step, `d_model`, warm-up steps and scale."""


@dataclass(frozen=True)
class StepResult:
    """What one update reports."""

    loss: float
    """Smoothed cross-entropy before the update, in nats per target token."""
    gradient_norm: float
    """Euclidean norm of the whole gradient, before any clipping."""
    learning_rate: float
    """The rate that this update used."""
    n_tokens: int
    """Target tokens that it learned from, padding not counted."""


def make_optimizer(model: nn.Module, settings: TrainingRecipe) -> Optimizer:
    """Make Adam with the recipe's constants (5.3); each update sets its rate."""
    return torch.optim.Adam(
        model.parameters(),
        lr=0.0,
        betas=(settings.adam_beta1, settings.adam_beta2),
        eps=settings.adam_epsilon,
        fused=True,
    )


def uses_bfloat16(precision: str, device: torch.device) -> bool:
    """Return whether matrix products run in bfloat16: with `auto`, if the hardware can."""
    if precision != "auto":
        return precision == "bfloat16"
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    # AVX512-BF16 or AMX; a processor without them would compute it more slowly than float32.
    return device.type == "cpu" and torch.cpu._is_avx512_bf16_supported()


class BatchLoss(nn.Module):
    """The loss of a batch as a module, which DistributedDataParallel can wrap.

    Not compiled: on a CPU a compiled step took longer than ours (`python -m
    benchmarks.choices`, record `benchmark_choices_small.json`), and it needs a
    C++ compiler on the reader's machine. What it would gain on a GPU nobody has
    measured yet.

    Raises:
        ValueError: the output projection has a bias, as published Marian models
            have: the loss multiplies by the matrix alone.
    """

    def __init__(self, model: Trainable, settings: TrainingRecipe) -> None:
        super().__init__()
        if getattr(model.output, "bias", None) is not None:
            raise ValueError(
                "the output projection has a bias, which this loss would leave out; "
                "train the model with a loss of its own logits"
            )
        self.model = model
        self.settings = settings

    def forward(self, batch: Batch, n_tokens: int) -> Tensor:
        """Return this batch's part of the loss of an update of `n_tokens`."""
        device = batch.source.device
        low = uses_bfloat16(self.settings.precision, device)
        with torch.autocast(device.type, torch.bfloat16, enabled=low):
            memory = self.model.encode(batch.source)
            hidden = self.model.decode_hidden(
                batch.target_input, memory, batch.source
            )
            return projected_loss(
                hidden,
                self.model.output.weight,
                batch.target_output,
                smoothing=self.settings.label_smoothing,
                n_tokens=n_tokens,
                padding_id=self.model.config.padding_id,
            )


def train_step(
    model: Trainable,
    batches: Sequence[Batch],
    optimizer: Optimizer,
    step: int,
    settings: TrainingRecipe,
    *,
    n_tokens: int | None = None,
    loss_of: nn.Module | None = None,
    ranks: Ranks = ALONE,
    schedule: Schedule = noam_rate,
) -> StepResult:
    """Update number `step`, counted from 1, from all `batches` together.

    Where several processes train, `batches` are this one's share of an update
    of `n_tokens` target tokens, and `loss_of` is what `ranks.parallel` makes of
    the `BatchLoss`.

    Raises:
        FloatingPointError: loss or gradient is not finite; the weights are left
        as they were.
    """
    model.train()
    rate = schedule(
        step,
        model.config.d_model,
        settings.warmup_steps,
        settings.learning_rate_scale,
    )
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.zero_grad()
    loss_of = loss_of or BatchLoss(model, settings)
    n_tokens = n_tokens or sum(batch.n_tokens for batch in batches)
    losses = []
    for number, batch in enumerate(batches, start=1):
        with gradient_exchange(loss_of, enabled=number == len(batches)):
            # Divided by the tokens of the whole update: k small batches equal
            # one large one.
            loss = loss_of(batch, n_tokens)
        # DistributedDataParallel takes the mean over the processes; the sum
        # is what is wanted.
        (ranks.size * loss).backward()
        losses.append(loss.detach())
    # On a GPU, this is the first to wait for it.
    [total] = ranks.sum([torch.stack(losses).sum().item()])
    norm = gradient_norm(model, settings.clip_norm).item()
    if not math.isfinite(total + norm):
        raise FloatingPointError(
            f"step {step}: the loss is {total}, the gradient's norm {norm}"
        )
    optimizer.step()
    return StepResult(total, norm, rate, n_tokens)


def gradient_norm(model: Trainable, limit: float) -> Tensor:
    """Return the norm of the whole gradient; then clip it to `limit` (0: no limit)."""
    if limit:
        return nn.utils.clip_grad_norm_(model.parameters(), limit)
    # Clipping multiplies every gradient, by 1 where there is no limit.
    gradients = (parameter.grad for parameter in model.parameters())
    return nn.utils.get_total_norm(
        gradient for gradient in gradients if gradient is not None
    )


@torch.inference_mode()
def validate(
    model: Trainable,
    examples: Sequence[Example],
    plan: Iterable[Sequence[int] | Array],
    ranks: Ranks = ALONE,
) -> dict[str, float]:
    """Measure how well the model predicts each next token, given the true ones.

    Where several processes train, `plan` is this one's share of the batches.

    Returns:
        Two numbers. `valid_loss` is the cross-entropy without label smoothing,
        in nats per token, so that its exponential is the perplexity.
        `valid_accuracy` is the share of tokens ranked first.
    """
    model.eval()
    device = next(model.parameters()).device
    loss = correct = n_tokens = 0.0
    for indices in plan:
        batch = collate([examples[index] for index in indices]).to(device)
        hidden = model.decode_hidden(
            batch.target_input, model.encode(batch.source), batch.source
        )
        real = batch.target_output != model.config.padding_id
        both = (hidden[real], batch.target_output[real])
        chunks = (each.split(CHUNK) for each in both)
        for x, true in zip(*chunks, strict=True):
            logits = model.output(x)
            loss += F.cross_entropy(logits, true, reduction="sum").item()
            correct += (logits.argmax(dim=-1) == true).sum().item()
        n_tokens += batch.n_tokens
    loss, correct, n_tokens = ranks.sum([loss, correct, n_tokens])
    return {"valid_loss": loss / n_tokens, "valid_accuracy": correct / n_tokens}
