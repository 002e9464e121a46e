"""Training (section 5): a run from its recipe to its record, and the loop in its middle."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch.optim import Optimizer
from tqdm import tqdm

from annotated_transformer.config import TransformerConfig
from annotated_transformer.storage.machine import keep_freed_memory
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.batching import IDLE, token_batches, updates
from annotated_transformer.training.data import TrainingData
from annotated_transformer.training.distributed import (
    ALONE,
    Ranks,
    choose_device,
    join_processes,
)
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.run.beginning import (
    prepare,
    restore_last,
    start_from,
)
from annotated_transformer.training.run.directory import RunDirectory
from annotated_transformer.training.run.finish import finish
from annotated_transformer.training.run.signals import (
    STOPPED_AFTER,
    STOPPED_BEFORE,
    StopRequest,
    TrainingStopped,
    stopping_with,
)
from annotated_transformer.training.run.states import Progress
from annotated_transformer.training.run.writer import RunWriter
from annotated_transformer.training.schedule import noam_rate
from annotated_transformer.training.step import (
    BatchLoss,
    Schedule,
    make_optimizer,
    train_step,
    validate,
)
from annotated_transformer.transformer import Transformer


@dataclass(frozen=True)
class Run:
    """A finished training run; of several processes, only rank 0 has its curve and record."""

    model: Transformer
    """The trained model, in evaluation mode."""
    tokenizer: Tokenizer
    """The tokenizer it was trained with."""
    record: dict[str, Any]
    """What `record.json` holds."""
    directory: Path
    """Where all of it lies."""

    @property
    def curve(self) -> list[dict[str, Any]]:
        """The log: an entry every `log_every` steps, with `valid_loss` every `validate_every`."""
        return self.record.get("curve", [])


def train(
    recipe: Recipe,
    out: Path | str,
    *,
    resume: bool = False,
    new_sitting: bool = False,
    start: Path | str | None = None,
    tokenizer: Tokenizer | None = None,
    progress: bool | None = None,
    device: str = "auto",
    command: str | None = None,
    make_model: Callable[[TransformerConfig], Transformer] = Transformer,
    schedule: Schedule = noam_rate,
) -> Run:
    """Carry out a recipe in the directory `out`, which is new or empty.

    With `resume`, a run that is there continues from its last checkpoint, also
    beyond its end where the recipe has more steps: on a CPU as if it had never
    stopped, to the bit. What would give other numbers, as another number of
    threads does, is refused or, with `new_sitting`, recorded. A run may `start`
    from a trained model, or take its `tokenizer` from elsewhere. Processes
    started by `torchrun` train one model together. `device` is `cpu`, `cuda`,
    or `auto`; `progress` shows a bar, by default on a terminal; the record
    gives `command` as the way to repeat the run. An experiment may give another
    `make_model` and another `schedule`.

    Raises:
        FileExistsError: `out` holds something else or is in use (`check_run`).
        ValueError: the corpus, or every checkpoint, is not as it must be, or
        what is asked for is not the run that is there.
        TrainingStopped, FloatingPointError: see `fit`.
        ConnectionError: another process of the run has died.
    """
    show = sys.stderr.isatty() if progress is None else progress
    with RunDirectory(Path(out)) as run:
        with join_processes(choose_device(device)) as (ranks, own_device):
            with ranks.main_first(), stopping_with(STOPPED_BEFORE):
                origin = None if start is None else start_from(start, recipe)
                data = prepare(
                    run,
                    recipe,
                    ranks,
                    own_device,
                    resume=resume,
                    new_sitting=new_sitting,
                    start=origin,
                    tokenizer=tokenizer,
                )
            torch.manual_seed(recipe.seed)
            config = recipe.model.config(data.tokenizer.vocab_size)
            model = make_model(config).to(own_device)
            optimizer = make_optimizer(model, recipe.training)
            ranks.seed(recipe.seed)
            state = restore_last(
                run, model, optimizer, data.fingerprint, ranks, start=origin
            )
            state = fit(
                model,
                optimizer,
                data,
                recipe,
                run,
                state=state,
                ranks=ranks,
                schedule=schedule,
                progress=show and ranks.main,
            )
        with stopping_with(STOPPED_AFTER.format(run.path)):
            record = finish(
                model.eval(),
                data,
                recipe,
                run,
                state,
                ranks=ranks,
                command=command,
                progress=show,
            )
    return Run(model, data.tokenizer, record, run.path)


def fit(
    model: Transformer,
    optimizer: Optimizer,
    data: TrainingData,
    recipe: Recipe,
    run: RunDirectory,
    *,
    state: Progress,
    ranks: Ranks = ALONE,
    schedule: Schedule = noam_rate,
    progress: bool = False,
) -> Progress:
    """Train from `state` to the last step; return the last state.

    Raises:
        TrainingStopped: SIGINT or SIGTERM came; a checkpoint has been saved.
        FloatingPointError: the loss is not finite; the last checkpoint is still
        there.
    """
    settings, device = recipe.training, next(model.parameters()).device
    if device.type == "cpu":
        keep_freed_memory()
    loss_of = ranks.parallel(BatchLoss(model, settings), IDLE.to(device), 1)
    stream = updates(
        data.train,
        recipe,
        epoch=state.epoch,
        batch=state.batch,
        rank=ranks.rank,
        world_size=ranks.size,
    )
    valid_plan = token_batches(
        data.valid, settings.tokens_per_batch, origin="valid"
    )
    valid_share = valid_plan[ranks.rank :: ranks.size]
    writer = RunWriter(
        run=run,
        model=model,
        optimizer=optimizer,
        data=data,
        settings=settings,
        ranks=ranks,
    )
    bar = tqdm(total=settings.steps, initial=state.step, disable=not progress)
    began = time.monotonic() - state.seconds
    with bar, StopRequest() as stop, writer.continued_from(state):
        while state.step < settings.steps:
            update = next(stream)
            result = train_step(
                model,
                [batch.to(device) for batch in update.batches],
                optimizer,
                state.step + 1,
                settings,
                n_tokens=update.n_tokens,
                loss_of=loss_of,
                ranks=ranks,
                schedule=schedule,
            )
            state = replace(
                state,
                step=state.step + 1,
                epoch=update.epoch,
                batch=update.next_batch,
                tokens=state.tokens + result.n_tokens,
                seconds=time.monotonic() - began,
            )
            bar.update()
            last = state.step == settings.steps
            validation: dict[str, float] = {}
            if last or state.step % settings.validate_every == 0:
                validation = validate(model, data.valid, valid_share, ranks)
            if validation or state.step % settings.log_every == 0:
                writer.write_entry(state, result, validation)
                bar.set_postfix(loss=f"{result.loss:.3f}")
            # All processes stop after the same update.
            signal = ranks.largest(stop.signal or 0)
            if last or signal or state.step % settings.checkpoint_every == 0:
                writer.write_checkpoint(state)
            if signal:
                raise TrainingStopped(
                    f"stopped after step {state.step}, saved in {run.path}; "
                    "--resume continues",
                    signal,
                )
    return state
