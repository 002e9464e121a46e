"""What a run writes while it trains: log, curves, the best model and checkpoints."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch.optim import Optimizer

from annotated_transformer.serving.storage import save_model
from annotated_transformer.training.data import TrainingData
from annotated_transformer.training.distributed import Ranks
from annotated_transformer.training.recipe import TrainingRecipe
from annotated_transformer.training.run.checkpoints import (
    Progress,
    remove_old,
    save_checkpoint,
)
from annotated_transformer.training.run.directory import RunDirectory
from annotated_transformer.training.run.states import random_states
from annotated_transformer.training.run.tensorboard import tensorboard
from annotated_transformer.transformer import Transformer


class Keeper:
    """Keeps a run on the disk; of several processes, only rank 0 writes."""

    def __init__(
        self,
        *,
        run: RunDirectory,
        model: Transformer,
        optimizer: Optimizer,
        data: TrainingData,
        settings: TrainingRecipe,
        ranks: Ranks,
    ) -> None:
        self.run = run
        self.model = model
        self.optimizer = optimizer
        self.data = data
        self.settings = settings
        self.ranks = ranks
        self._least = math.inf

    @contextmanager
    def begin(self, state: Progress) -> Iterator[None]:
        """Take up log and curves where the run stands; at the end the curves are closed."""
        if not self.ranks.main:
            yield
            return
        self.run.cut_log(state.step)
        self._least = self.run.best_entry()["valid_loss"]
        with tensorboard(self.run.tensorboard, state.step) as self._draw:
            yield

    def note(self, entry: dict[str, Any]) -> None:
        """Add an entry to log and curves; save the model if no validation loss was smaller."""
        if not self.ranks.main:
            return
        self.run.append_log(entry)
        self._draw(entry)
        if entry.get("valid_loss", math.inf) < self._least:
            self._least = entry["valid_loss"]
            about = {name: entry[name] for name in ("step", "valid_loss")}
            save_model(
                self.run.best, self.model, self.data.tokenizer, training=about
            )

    def save(self, state: Progress) -> None:
        """Write a checkpoint, with the random states of all processes; delete old ones."""
        random = self.ranks.gather(random_states())
        if self.ranks.main:
            directory, settings = self.run.checkpoints, self.settings
            save_checkpoint(
                *(
                    directory,
                    self.model,
                    self.optimizer,
                    state,
                    self.data.fingerprint,
                ),
                random=random,
            )
            remove_old(
                directory, settings.keep_checkpoints, settings.checkpoint_every
            )
