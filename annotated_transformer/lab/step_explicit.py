"""One update of the weights in plain steps (section 5): what `step.train_step` is compared with."""

from torch.optim import Optimizer

from annotated_transformer.training.batching import Batch
from annotated_transformer.training.loss import label_smoothing_loss_explicit
from annotated_transformer.training.recipe import TrainingRecipe
from annotated_transformer.training.schedule import noam_rate
from annotated_transformer.training.step import Trainable


def train_step_explicit(
    model: Trainable,
    batch: Batch,
    optimizer: Optimizer,
    step: int,
    settings: TrainingRecipe,
) -> float:
    """Carry out update number `step` in plain steps, one after the other.

    One process and one batch, without autocast, clipping or a check of the
    numbers. Returns the loss before the update.
    """
    model.train()
    memory = model.encode(batch.source)
    hidden = model.decode_hidden(batch.target_input, memory, batch.source)
    loss = label_smoothing_loss_explicit(
        model.output(hidden),
        batch.target_output,
        smoothing=settings.label_smoothing,
    )
    optimizer.zero_grad()
    loss.backward()
    warmup, scale = settings.warmup_steps, settings.learning_rate_scale
    rate = noam_rate(step, model.config.d_model, warmup, scale)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    return loss.item()
