"""What a run writes while it trains: log, curves, the best model and checkpoints."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from torch.optim import Optimizer

from annotated_transformer.saving import save_model
from annotated_transformer.training.data import TrainingData
from annotated_transformer.training.distributed import Ranks
from annotated_transformer.training.recipe import TrainingRecipe
from annotated_transformer.training.run.checkpoints import checkpoints, remove_old, save_checkpoint
from annotated_transformer.training.run.directory import RunDirectory, best_entry, log_digest
from annotated_transformer.training.run.manifest import read_manifest
from annotated_transformer.training.run.states import Progress, random_states
from annotated_transformer.training.step import StepResult
from annotated_transformer.transformer import Transformer


@dataclass(kw_only=True)
class RunWriter:
    """Writes what a run leaves on the disk; of several processes, only rank 0 does."""

    run: RunDirectory
    model: Transformer
    optimizer: Optimizer
    data: TrainingData
    settings: TrainingRecipe
    ranks: Ranks
    _least: float = field(default=math.inf, init=False)

    @contextmanager
    def continued_from(self, state: Progress) -> Iterator[None]:
        """Continue log and curves from where the run stands; at the end the curves are closed."""
        if not self.ranks.main:
            yield
            return
        entries = self.run.cut_log(state.step, state.log)
        self._least = best_entry(entries)["valid_loss"]
        with tensorboard(self.run.tensorboard, state.step) as self._draw:
            yield

    def write_entry(
        self, state: Progress, result: StepResult, validation: dict[str, float]
    ) -> None:
        """Add an update to log and curves; save the model if no validation loss was smaller."""
        if not self.ranks.main:
            return
        entry = {
            "step": state.step,
            "epoch": state.epoch,
            "tokens": state.tokens,  # since the beginning of the run
            "seconds": round(state.seconds, 3),
            "loss": result.loss,
            "gradient_norm": result.gradient_norm,
            "learning_rate": result.learning_rate,
            **validation,
        }
        self.run.append_log(entry)
        self._draw(entry)
        if entry.get("valid_loss", math.inf) < self._least:
            self._least = entry["valid_loss"]
            about = {"step": state.step, "valid_loss": self._least}
            best, data = self.run.best, self.data
            save_model(
                best, self.model, data.tokenizer, training=about, text=data.text, of_run=True
            )

    def write_checkpoint(self, state: Progress) -> None:
        """Write a checkpoint, with the random states of all processes; delete old ones."""
        random = self.ranks.gather(random_states())
        if self.ranks.main:
            directory, settings = self.run.checkpoints, self.settings
            save_checkpoint(
                directory,
                self.model,
                self.optimizer,
                replace(state, log=log_digest(self.run.read_log())),
                self.data.fingerprint,
                random=random,
                announce=self._announce,
            )
            remove_old(directory, settings.keep_checkpoints, settings.checkpoint_every)

    def _announce(self, name: str, digest: str) -> None:
        """Announce a checkpoint in the manifest before it appears, and drop those that are gone."""
        there = {path.name for path in checkpoints(self.run.checkpoints)}
        known = read_manifest(self.run.manifest).checkpoints
        remaining = {old: known[old] for old in known if old in there}
        self.run.update_manifest(checkpoints=remaining | {name: digest})


@contextmanager
def tensorboard(directory: Path, step: int) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Give a function that adds an entry of the log to the event files in `directory`.

    The run stands after update `step`: TensorBoard forgets what an earlier sitting wrote of later
    ones. Without the package `tensorboard`, which is optional, nothing is written.
    """
    if find_spec("tensorboard") is None:
        yield lambda entry: None
        return
    from torch.utils.tensorboard import SummaryWriter  # noqa: PLC0415  (needs the optional package)

    with SummaryWriter(directory, purge_step=step + 1) as writer:

        def add(entry: dict[str, Any]) -> None:
            for name, value in entry.items():
                if name != "step":
                    writer.add_scalar(name, value, entry["step"])
            writer.flush()

        yield add
