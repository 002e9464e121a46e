"""The training loop (section 5): a run from its recipe to its record."""

import re
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch
from torch.optim import Optimizer
from tqdm import tqdm

from annotated_transformer.config import TransformerConfig
from annotated_transformer.evaluation import evaluate
from annotated_transformer.fast.memory import keep_freed_memory
from annotated_transformer.records import write_record
from annotated_transformer.serving.machine import commit
from annotated_transformer.serving.storage import save_model
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.averaging import average_checkpoints
from annotated_transformer.training.batching import IDLE, token_batches
from annotated_transformer.training.data import (
    TrainingData,
    prepare_data,
    updates,
)
from annotated_transformer.training.distributed import ALONE, Ranks, joined
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.run.checkpoints import (
    Progress,
    checkpoints,
    due_checkpoints,
    intact,
    load_checkpoint,
    set_corrupt_aside,
    step_of,
)
from annotated_transformer.training.run.directory import (
    RunDirectory,
    begin_run,
    open_run,
)
from annotated_transformer.training.run.keeper import Keeper
from annotated_transformer.training.run.record import make_record
from annotated_transformer.training.run.signals import (
    STOPPED_BEFORE,
    StopRequest,
    TrainingStopped,
    stopping_with,
)
from annotated_transformer.training.schedule import noam_rate
from annotated_transformer.training.step import (
    BatchLoss,
    Schedule,
    StepResult,
    make_optimizer,
    train_step,
    validate,
)
from annotated_transformer.transformer import Transformer
from annotated_transformer.translator import Translator


def log_entry(state: Progress, result: StepResult) -> dict[str, Any]:
    """Describe an update in the log: the tokens are those since the beginning of the run."""
    return {
        "step": state.step,
        "epoch": state.epoch,
        "tokens": state.tokens,
        "seconds": round(state.seconds, 3),
        "loss": result.loss,
        "gradient_norm": result.gradient_norm,
        "learning_rate": result.learning_rate,
    }


def fit(
    model: Transformer,
    optimizer: Optimizer,
    data: TrainingData,
    *,
    recipe: Recipe,
    run: RunDirectory,
    state: Progress,
    bar: tqdm,
    ranks: Ranks = ALONE,
    schedule: Schedule = noam_rate,
) -> None:
    """Train from where `state` stands to the recipe's last step, with log and checkpoints.

    Raises:
        TrainingStopped: SIGINT or SIGTERM came; a checkpoint has been saved.
        FloatingPointError: the loss is not finite; the last checkpoint is still there.
    """
    settings, device = recipe.training, next(model.parameters()).device
    loss_of = ranks.parallel(BatchLoss(model, settings), IDLE.to(device), 1)
    stream = updates(
        data.train, recipe, state, rank=ranks.rank, world_size=ranks.size
    )
    valid_plan = token_batches(
        data.valid, settings.tokens_per_batch, origin="valid"
    )
    keeper = Keeper(
        run=run,
        model=model,
        optimizer=optimizer,
        data=data,
        settings=settings,
        ranks=ranks,
    )
    began = time.monotonic() - state.seconds
    with StopRequest() as stop, keeper.begin(state):
        while state.step < settings.steps:
            batches, n_tokens = next(stream)
            result = train_step(
                *(model, [batch.to(device) for batch in batches], optimizer),
                *(state.step + 1, settings),
                n_tokens=n_tokens,
                loss_of=loss_of,
                ranks=ranks,
                schedule=schedule,
            )
            state.step += 1
            state.tokens += result.n_tokens
            state.seconds = time.monotonic() - began
            bar.update()
            last = state.step == settings.steps
            entry = log_entry(state, result)
            if last or state.step % settings.validate_every == 0:
                entry |= validate(
                    model,
                    data.valid,
                    valid_plan[ranks.rank :: ranks.size],
                    ranks,
                )
            if "valid_loss" in entry or state.step % settings.log_every == 0:
                keeper.note(entry)
                bar.set_postfix(loss=f"{result.loss:.3f}")
            signal = ranks.largest(
                stop.signal or 0
            )  # all stop after the same update
            if last or signal or state.step % settings.checkpoint_every == 0:
                keeper.save(state)
            if signal:
                raise TrainingStopped(
                    f"stopped after step {state.step}, saved in {run.path}; --resume continues",
                    signal,
                )


@dataclass(frozen=True)
class Run:
    """A finished training run; of several processes, only rank 0 has its curve and record."""

    model: Transformer
    """The trained model, in evaluation mode."""
    tokenizer: Tokenizer
    """The tokenizer it was trained with."""
    curve: list[dict[str, Any]]
    """The log: an entry every `log_every` steps, with `valid_loss` every `validate_every`."""
    record: dict[str, Any]
    """What `record.json` holds."""
    directory: Path
    """Where all of it lies."""


def train(
    recipe: Recipe,
    out: Path | str,
    *,
    resume: bool = False,
    progress: bool | None = None,
    device: str = "auto",
    command: str | None = None,
    make_model: Callable[[TransformerConfig], Transformer] = Transformer,
    schedule: Schedule = noam_rate,
) -> Run:
    """Carry out a recipe: corpus, tokenizer, training, scores, and a record of it all in `out`.

    Started by `torchrun`, all its processes train the one model together; rank 0 scores it.

    Args:
        recipe: what to do, as `load_recipe` gives it.
        out: a directory that is new or empty or, with `resume`, holds this run unfinished.
        resume: continue from the last checkpoint that is intact. On the same machine with the
            same number of threads, a CPU run continues as if it had never stopped, to the bit.
        progress: show a progress bar; by default only where the output is a terminal.
        device: `cpu`, `cuda`, or `auto` for a GPU if there is one.
        command: what the record gives as the way to repeat the run.
        make_model: makes the model; an experiment may give another one.
        schedule: the learning rate; an experiment may give another one.

    Raises:
        FileExistsError: `out` holds something else or is in use (see `open_run`).
        ValueError: the corpus, or every checkpoint, is not as it must be.
        TrainingStopped, FloatingPointError: see `fit`; before and after it a signal stops at once.
        ConnectionError: another process of the run has died.
    """
    chosen, version = choose_device(device), commit()
    show = sys.stderr.isatty() if progress is None else progress
    command = command or f"train(load_recipe({recipe.name!r}), {str(out)!r})"
    with ExitStack() as held:
        with joined(chosen) as (ranks, place):
            run, data = ranks.main_first(
                lambda: prepare(recipe, out, resume, ranks, held)
            )
            if place.type == "cpu":
                keep_freed_memory()
            torch.manual_seed(recipe.seed)
            config = recipe.model.config(data.tokenizer.vocab_size)
            model = make_model(config).to(place)
            optimizer = make_optimizer(model, recipe.training)
            ranks.seed(recipe.seed)
            state = restore_last(run, model, optimizer, data, ranks)
            steps, hidden = recipe.training.steps, not (show and ranks.main)
            with tqdm(total=steps, initial=state.step, disable=hidden) as bar:
                work = {
                    "recipe": recipe,
                    "run": run,
                    "state": state,
                    "bar": bar,
                    "ranks": ranks,
                    "schedule": schedule,
                }
                fit(model, optimizer, data, **work)
        model.eval()
        if not ranks.main:
            return Run(model, data.tokenizer, [], {}, run.path)
        about = {
            "command": command,
            "version": version,
            "processes": ranks.size,
        }
        stopped = (
            f"stopped after training, before the record; saved in {run.path}; "
        )
        with stopping_with(stopped + "--resume continues"):
            return finish(
                recipe,
                run,
                model,
                data,
                state=state,
                about=about,
                progress=show,
            )


def prepare(
    recipe: Recipe, out: Path | str, resume: bool, ranks: Ranks, held: ExitStack
) -> tuple[RunDirectory, TrainingData]:
    """The run's directory, locked as long as `held` is open and tidied by rank 0, and its data."""
    if not ranks.main:
        run = RunDirectory(Path(out))
        if not run.recipe.exists():
            raise FileNotFoundError(
                f"rank {ranks.rank} does not see {run.recipe}, which rank 0 has written: "
                f"{out} must lie on a file system that all machines share"
            )
        return run, prepare_data(recipe, run.tokenizer)
    with stopping_with(STOPPED_BEFORE):
        run = open_run(recipe, out, resume=resume)
        data = prepare_data(recipe, run.tokenizer)
        held.enter_context(
            run.locked()
        )  # only now: input that is refused leaves no trace
        begin_run(run, recipe, data.tokenizer, resume=resume)
        for fault in set_corrupt_aside(run.checkpoints):
            print(fault, file=sys.stderr)
    return run, data


def restore_last(
    run: RunDirectory,
    model: Transformer,
    optimizer: Optimizer,
    data: TrainingData,
    ranks: Ranks,
) -> Progress:
    """Load the last checkpoint, or say that the run stands at its beginning if there is none."""
    # Asked of rank 0: other machines may see a list of files that is some seconds old.
    [last, *_] = ranks.gather(checkpoints(run.checkpoints)[-1:])
    if not last:
        return Progress(started=datetime.now(UTC).isoformat(timespec="seconds"))
    return load_checkpoint(
        last[0],
        model,
        optimizer,
        data.fingerprint,
        rank=ranks.rank,
        world_size=ranks.size,
    )


def finish(
    recipe: Recipe,
    run: RunDirectory,
    model: Transformer,
    data: TrainingData,
    *,
    state: Progress,
    about: dict[str, Any],
    progress: bool,
) -> Run:
    """Save the trained model, score it and write the record."""
    averaged = average_last(recipe, run, model, data)
    steps = averaged["steps"] if averaged else [state.step]
    save_model(run.model, model, data.tokenizer, training={"steps": steps})
    record = make_record(
        recipe,
        **about,
        device=next(model.parameters()).device,
        started=state.started,
        wall_seconds=state.seconds,
        curve=run.read_log(),
        best={name: run.best_entry()[name] for name in ("step", "valid_loss")},
        averaged=averaged,
        scores=score(recipe, model, data, progress=progress),
        parameters=model.count_parameters()["total"],
    )
    write_record(run.record, record)
    return Run(model, data.tokenizer, record["curve"], record, run.path)


def average_last(
    recipe: Recipe, run: RunDirectory, model: Transformer, data: TrainingData
) -> dict[str, Any] | None:
    """Put the mean of the last checkpoints into the model if the recipe wants it, and validate it.

    Of the last few, one that is damaged is set aside, with a message, and the others are averaged.

    Returns:
        The steps that were averaged, `valid_loss` and `valid_accuracy`.
    """
    settings = recipe.training
    if settings.average_checkpoints < 2:
        return None
    chosen = due_checkpoints(run.checkpoints, settings.checkpoint_every)
    chosen, faults = intact(chosen[-settings.average_checkpoints :])
    for fault in faults:
        print(f"{fault}, and {len(chosen)} are averaged", file=sys.stderr)
    average_checkpoints(model, chosen)
    plan = token_batches(data.valid, settings.tokens_per_batch, origin="valid")
    return {
        "steps": [step_of(path) for path in chosen],
        **validate(model, data.valid, plan),
    }


def score(
    recipe: Recipe, model: Transformer, data: TrainingData, *, progress: bool
) -> list[dict[str, str | float]]:
    """Translate the recipe's splits and score the result, in the form of a record."""
    settings = recipe.evaluation
    translator = Translator(
        model,
        data.tokenizer,
        beam_size=settings.beam_size,
        alpha=settings.length_penalty,
    )
    return [
        found
        for split, pairs in data.scored.items()
        for found in evaluate(
            translator,
            pairs,
            split=split,
            tokenize=settings.tokenize,
            progress=progress,
        )
    ]


def choose_device(name: str) -> torch.device:
    """The device of that name, or for `auto` a GPU if there is one.

    Raises:
        ValueError: there is no such device here.
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if not re.fullmatch(r"cpu|cuda(:(0|[1-9][0-9]*))?", name):
        raise ValueError(
            f"device {name!r} is none of auto, cpu, cuda, cuda:NUMBER"
        )
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise ValueError(f"device {name!r}: PyTorch finds no GPU here")
    number, count = name.partition(":")[2], torch.cuda.device_count()
    if number and int(number) >= count:
        raise ValueError(
            f"device {name!r}: the last GPU here is cuda:{count - 1}"
        )
    return torch.device(name)
