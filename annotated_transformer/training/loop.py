"""The training loop (section 5): a run from its recipe to its record."""

import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch.optim import Optimizer
from tqdm import tqdm

from annotated_transformer.evaluation import evaluate
from annotated_transformer.storage import save_model
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.batching import token_batches
from annotated_transformer.training.checkpoints import (
    Progress,
    remove_old,
    restore_last,
    save_checkpoint,
)
from annotated_transformer.training.data import TrainingData, prepare_data, updates
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.record import commit, make_record, write_record
from annotated_transformer.training.runs import RunDirectory, begin_run, open_run
from annotated_transformer.training.signals import StopRequest, TrainingStopped
from annotated_transformer.training.step import (
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
) -> None:
    """Train from where `state` stands to the recipe's last step, with log and checkpoints.

    Raises:
        TrainingStopped: SIGINT or SIGTERM came; a checkpoint has been saved.
        FloatingPointError: the loss is not finite; the last checkpoint is still there.
    """
    settings, device = recipe.training, next(model.parameters()).device
    stream = updates(data.train, recipe, state)
    valid_plan = token_batches(data.valid, settings.tokens_per_batch, origin="valid")
    began = time.monotonic() - state.seconds
    with StopRequest() as stop:
        while state.step < settings.steps:
            batches = [batch.to(device) for batch in next(stream).batches]
            result = train_step(model, batches, optimizer, state.step + 1, settings)
            state.step += 1
            state.tokens += result.n_tokens
            state.seconds = time.monotonic() - began
            bar.update()
            last = state.step == settings.steps
            entry = log_entry(state, result)
            if last or state.step % settings.validate_every == 0:
                entry |= validate(model, data.valid, valid_plan)
            if "valid_loss" in entry or state.step % settings.log_every == 0:
                run.append_log(entry)
                bar.set_postfix(loss=f"{result.loss:.3f}")
            signal = stop.signal
            if last or signal or state.step % settings.checkpoint_every == 0:
                save_checkpoint(run.checkpoints, model, optimizer, state, data.fingerprint)
                remove_old(run.checkpoints, settings.keep_checkpoints)
            if signal:
                raise TrainingStopped(
                    f"stopped after step {state.step}, saved in {run.path}; --resume continues",
                    signal,
                )


@dataclass(frozen=True)
class Run:
    """A finished training run."""

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
) -> Run:
    """Carry out a recipe: corpus, tokenizer, training, scores, and a record of it all in `out`.

    Args:
        recipe: what to do, as `load_recipe` gives it.
        out: a directory that is new or empty or, with `resume`, holds this run unfinished.
        resume: continue from the last checkpoint. On the same machine with the same number of
            threads, a CPU run continues as if it had never stopped, to the bit.
        progress: show a progress bar; by default only where the output is a terminal.
        device: `cpu`, `cuda`, or `auto` for a GPU if there is one.
        command: what the record gives as the way to repeat the run.

    Raises:
        FileExistsError: `out` holds something else (see `open_run`).
        ValueError: the corpus, or a checkpoint, is not as it must be.
        TrainingStopped, FloatingPointError: see `fit`.
    """
    place, version = choose_device(device), commit()
    show = sys.stderr.isatty() if progress is None else progress
    run = open_run(recipe, out, resume=resume)
    data = prepare_data(recipe, run.tokenizer)
    torch.manual_seed(recipe.seed)
    model = Transformer(recipe.model.config(data.tokenizer.vocab_size)).to(place)
    optimizer = make_optimizer(model, recipe.training)
    begin_run(run, recipe, data.tokenizer)  # only now: input that is refused leaves no trace
    state = restore_last(run.checkpoints, model, optimizer, data.fingerprint)
    run.cut_log(state.step)
    with tqdm(total=recipe.training.steps, initial=state.step, disable=not show) as bar:
        fit(model, optimizer, data, recipe=recipe, run=run, state=state, bar=bar)
    save_model(run.model, model.eval(), data.tokenizer)
    record = make_record(
        recipe,
        command=command or f"train(load_recipe({recipe.name!r}), {str(out)!r})",
        version=version,
        device=place,
        started=state.started,
        wall_seconds=state.seconds,
        curve=run.read_log(),
        scores=score(recipe, model, data, progress=show),
        parameters=model.count_parameters()["total"],
    )
    write_record(run.record, record)
    return Run(model, data.tokenizer, record["curve"], record, run.path)


def score(
    recipe: Recipe, model: Transformer, data: TrainingData, *, progress: bool
) -> list[dict[str, str | float]]:
    """Translate the recipe's splits and score the result, in the form of a record."""
    settings = recipe.evaluation
    translator = Translator(
        model, data.tokenizer, beam_size=settings.beam_size, alpha=settings.length_penalty
    )
    return [
        found
        for split, pairs in data.scored.items()
        for found in evaluate(
            translator, pairs, split=split, tokenize=settings.tokenize, progress=progress
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
        raise ValueError(f"device {name!r} is none of auto, cpu, cuda, cuda:NUMBER")
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise ValueError(f"device {name!r}: PyTorch finds no GPU here")
    number, count = name.partition(":")[2], torch.cuda.device_count()
    if number and int(number) >= count:
        raise ValueError(f"device {name!r}: the last GPU here is cuda:{count - 1}")
    return torch.device(name)
