"""What all members of the family share: how they are described, saved, loaded, trained."""

import dataclasses
import functools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import torch
from torch import Tensor, nn

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.checks import check_count, check_factor
from annotated_transformer.checks.state import Tied, check_loadable, without_numbers
from annotated_transformer.lab.family import published
from annotated_transformer.lab.family.reference import Reference, precision
from annotated_transformer.layers import FeedForward
from annotated_transformer.saving import (
    load_tensors,
    model_tensors,
    restore_tensors,
    save_tensors,
)
from annotated_transformer.storage.atomic import new_directory
from annotated_transformer.storage.reading import read_json

M = TypeVar("M", bound="Member")
FILES = frozenset({"config.json", "model.safetensors"})
"""What a saved member consists of."""


class Member(Tied):
    """A model of the family; a subclass builds its parts and names them."""

    Config: ClassVar[type[Any]]
    """The dataclass of its sizes and options."""
    source: ClassVar[str]
    """Who published it."""
    reference: ClassVar[Reference]
    """What the reference implementation calls its tensors and settings."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.config = config

    def initialise(self, gain: float = 1.0) -> None:
        """Draw the weights of every sublayer as the paper's model does.

        For a subclass to call when all its parts are there; `gain` as
        `branch_gain` of `TransformerConfig`.
        """
        for module in self.modules():
            if isinstance(module, MultiHeadAttention | FeedForward):
                module.initialise(gain)

    def __init_subclass__(cls, **options: Any) -> None:
        """Let `check_batch` see what each `loss` is given, so that pages show the formula alone."""
        super().__init_subclass__(**options)
        loss: Callable[..., Tensor] | None = vars(cls).get("loss")
        if loss is None:
            return

        @functools.wraps(loss)
        def checked(self: Member, *batch: Any, **given: Any) -> Tensor:
            self.check_batch(*batch, **given)
            return loss(self, *batch, **given)

        cls.loss = checked  # type: ignore[method-assign]

    def check_batch(self, *batch: Any, **options: Any) -> None:
        """Refuse arguments of `loss` that do not belong together; a subclass says which."""

    def loss(self, *batch: Any, **options: Any) -> Tensor:
        """Return what training makes small: one number for a batch."""
        raise NotImplementedError

    def describe(self) -> str:
        """Name, source, and the parameters of each part; shared ones are of the first."""
        parts: Counter[str] = Counter()
        for name, parameter in self.named_parameters():
            parts[name.partition(".")[0]] += parameter.numel()
        total = sum(p.numel() for p in self.parameters())
        lines = [f"{type(self).__name__} ({self.source}), {total:,} parameters"]
        lines += [f"  {name}: {n:,}" for name, n in parts.items() if n]
        return "\n".join(lines)

    def save(self, directory: Path | str) -> None:
        """Write config.json and model.safetensors, both or neither.

        Raises:
            FileExistsError: `directory` holds something else than a saved model.
            OSError: the disk is full or not writable.
            ValueError: the model could not be loaded again; see `check_loadable`.
        """
        tensors = model_tensors(self)
        with without_numbers():
            check_loadable(tensors, model_tensors(type(self)(self.config)))
        description = {"member": type(self).__name__, "config": dataclasses.asdict(self.config)}
        with new_directory(Path(directory), replaces=FILES) as partial:
            save_tensors(partial / "model.safetensors", tensors)
            text = json.dumps(description, indent=2) + "\n"
            (partial / "config.json").write_text(text, "utf-8")

    @classmethod
    def load(cls: type[M], directory: Path | str) -> M:
        """Read what `save` wrote; no code of it is run.

        Raises:
            FileNotFoundError: a file is missing.
            ValueError: it is another member, a field is unknown, or the tensors
                do not fit.
        """
        path = Path(directory) / "config.json"
        description = read_json(path)
        if description.get("member") != cls.__name__:
            raise ValueError(f"{path} is of {description.get('member')!r}, not of {cls.__name__!r}")
        try:
            settings = description["config"]
            for field in dataclasses.fields(cls.Config):
                if field.name not in settings:
                    raise ValueError(
                        f"it has no key {field.name!r}; take the file that was saved "
                        "with these weights"
                    )
            config = cls.Config(**settings)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path} describes no {cls.__name__}: {error}") from error
        model = cls(config)
        stored = path.with_name("model.safetensors")
        tensors = load_tensors(stored)
        model.to(precision(tensors))
        with torch.no_grad():
            restore_tensors(model, tensors, stored)
        return model.eval()

    @classmethod
    def from_pretrained(cls: type[M], directory: Path | str) -> M:
        """Read what the reference implementation saved: its config.json and model.safetensors.

        BERT, ELECTRA, GPT, LLaMA, BART, T5, ViT, DeiT, Swin, SegFormer, DETR
        and Deformable DETR have such files; Marian's are read by `load_marian`.
        The weights may be in several files with their list; numbers of 16 bits
        are computed with in float32. Pickles are not read.

        Raises:
            FileNotFoundError: a file is missing.
            ValueError: a setting is unknown or not built here, or a tensor is
                missing, left over, no floating point or has another shape; or
                there are no files of the reference for this member.
        """
        if cls.reference.unread:
            raise ValueError(f"{directory}: {cls.reference.unread}")
        settings, origin = published.settings(directory)
        config = cls.config_from(settings, origin)
        tensors, stored = published.weights(directory)
        model = cls(cls.fitted(config, tensors))
        model.to(precision(tensors))
        cls.reference.copy(model, tensors, stored)
        return model.eval()

    @classmethod
    def config_from(cls, settings: Mapping[str, Any], origin: Path | str) -> Any:
        """Read our configuration from the content of the reference's config.json."""
        return cls.built(cls.reference.fields(settings, origin), origin)

    @classmethod
    def built(cls, fields: Mapping[str, Any], origin: Path | str) -> Any:
        """Build our configuration of these fields; its errors name `origin`."""
        try:
            return cls.Config(**fields)
        except (TypeError, ValueError) as error:
            names = cls.reference.settings
            theirs = [
                f"; our {name} is {names[name]} there"
                for name in re.findall(r"\w+", str(error))[:1]
                if name in names
            ]
            raise ValueError(f"{origin}: {error}{''.join(theirs)}") from error

    @classmethod
    def fitted(cls, config: Any, tensors: Mapping[str, Tensor]) -> Any:
        """Fit the configuration where only the names in the file tell what it has."""
        return config


def fit(
    model: Member,
    batches: Iterable[tuple[Any, ...]],
    *,
    rate: float,
    warmup: int = 0,
    until: int | None = None,
    clip: float = 1.0,
    on_step: Callable[[int, float], None] = lambda step, loss: None,
) -> list[float]:
    """Train on batches, one update each, and return the loss of each before its update.

    Adam, with a rate that rises for `warmup` updates and then stays or, if the
    last update is number `until`, falls in a line towards zero. The norm of the
    gradient is clipped at `clip`.

    Raises:
        ValueError: there is no batch, or a setting makes no sense.
        FloatingPointError: a loss is not finite.
    """
    check_factor("rate", rate)
    check_count("warmup", warmup, least=0)
    if until is not None:
        check_count("until", until)
    check_factor("clip", clip)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, fused=True)
    losses: list[float] = []
    model.train()
    for step, batch in enumerate(batches, start=1):
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, step / max(1, warmup), falling(step, until, warmup))
        optimizer.zero_grad()
        loss = model.loss(*batch)
        if not loss.isfinite():
            raise FloatingPointError(f"update {step}: the loss is {loss.item()}")
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        losses.append(loss.item())
        on_step(step, losses[-1])
    if not losses:
        raise ValueError("there is no batch to learn from")
    model.eval()
    return losses


def falling(step: int, until: int | None, warmup: int) -> float:
    """Return 1 at the end of the warm-up, 0 after update `until`, and a line between.

    Without an end it stays 1.
    """
    if until is None:
        return 1.0
    return max(0.0, (until + 1 - step) / max(1, until + 1 - warmup))
