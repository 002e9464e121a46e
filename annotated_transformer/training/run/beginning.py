"""What a run does before its first update: it begins, from a model or not, or continues."""

import hashlib
import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import nn
from torch.optim import Optimizer

from annotated_transformer.saving import model_tensors, restore_tensors
from annotated_transformer.storage.atomic import PARTIAL, restore_set_aside, write_text
from annotated_transformer.text import TrainingText
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.data import (
    TrainingData,
    encode_corpus,
    make_tokenizer,
    open_corpus,
)
from annotated_transformer.training.distributed import Ranks
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.recipe.schema import dump
from annotated_transformer.training.run import checking
from annotated_transformer.training.run.checkpoints import (
    checkpoints,
    load_checkpoint,
    set_corrupt_aside,
    step_of,
)
from annotated_transformer.training.run.directory import RunDirectory
from annotated_transformer.training.run.identity import this_sitting
from annotated_transformer.training.run.manifest import Manifest, manifest_of, read_manifest
from annotated_transformer.training.run.states import Progress
from annotated_transformer.transformer import Transformer

MAY_DIFFER = frozenset({"dropout", "branch_gain"})
"""Fields of a model that decide how it is trained, or began, and not what its weights mean."""


@dataclass(frozen=True)
class Start:
    """Where a run starts that does not draw its weights: a trained model, and its tokenizer."""

    model: Transformer
    tokenizer: Tokenizer
    text: TrainingText | None  # what the text had that it was trained on, if that is known
    about: dict[str, str]  # what the manifest keeps of it


def prepare(
    run: RunDirectory,
    recipe: Recipe,
    ranks: Ranks,
    device: torch.device,
    *,
    resume: bool = False,
    new_sitting: bool = False,
    start: Start | None = None,
    tokenizer: Tokenizer | None = None,
) -> TrainingData:
    """Open the corpus, begin or continue the run, and encode all that it reads; see `train`.

    The manifest is written before the tokenizer is learned. What goes wrong afterwards takes a run
    with it that was only now begun. Raises as `check_run` and `begin_run` do, and for a corpus that
    is not as it must be.
    """
    checking.check_sitting(resume, new_sitting)
    checking.check_run(run, recipe, resume, ranks.rank)
    corpus = open_corpus(recipe)
    given, about = (start.tokenizer, start.about) if start else (tokenizer, None)
    begun: AbstractContextManager[None] = nullcontext()
    if ranks.main:
        sitting = this_sitting(recipe, device, ranks.size, run.commit)
        asked = manifest_of(run.path, recipe, corpus, sitting, start=about, tokenizer=given)
        begun = _begun(run, asked, resume, new_sitting)
    with begun:
        if ranks.main:
            own = given or make_tokenizer(corpus, recipe, run.tokenizer)
            run.keep_tokenizer(own)
        else:
            own = Tokenizer.load(run.tokenizer)
        data = encode_corpus(corpus, own, recipe)
    if start is None or data.text is None or not ranks.main:
        return data
    return replace(data, text=start.text and start.text.followed_by(data.text))


@contextmanager
def _begun(run: RunDirectory, asked: Manifest, resume: bool, new_sitting: bool) -> Iterator[None]:
    """Hold the lock of a run that begins or continues; take a new one back if the block fails."""
    above = [path for path in (run.path, *run.path.parents) if not path.exists()]
    locked_before = run.lock_file.exists()
    run.lock()
    fresh = not checking.other_files(run)
    try:
        begin_run(run, asked, resume, new_sitting)
        yield
    except (Exception, KeyboardInterrupt):
        if fresh:
            for path in (run.manifest, run.recipe, run.tokenizer):
                path.unlink(missing_ok=True)
        if not locked_before:
            run.lock_file.unlink(missing_ok=True)
        for path in above:
            if path.exists() and not any(path.iterdir()):
                path.rmdir()
        raise


def begin_run(run: RunDirectory, asked: Manifest, resume: bool, new_sitting: bool) -> None:
    """Compare with the manifest that is there; tidy the directory; write manifest and recipe.

    Raises `FileExistsError` if another process has trained here since `check_run` looked, and
    `ValueError` if text, conditions or starting point are not those of the run, or if there are
    checkpoints, but none is intact.
    """
    checking.check_content(run, asked.recipe, resume)
    manifest = asked
    if run.manifest.exists():
        there = read_manifest(run.manifest)
        checking.check_same(run, there, asked, new_sitting)
        _say_out_of_turn(run, there, asked)
        manifest = replace(
            there,
            recipe=asked.recipe,
            known_at=asked.known_at,
            corpus=there.corpus | asked.corpus,
            finished=None,
        )
    _remove_leftovers(run)
    restore_set_aside(run.best)
    for fault in set_corrupt_aside(run.checkpoints, manifest.checkpoints):
        print(fault, file=sys.stderr)
    last = max(map(step_of, checkpoints(run.checkpoints)), default=0)
    manifest.with_sitting(asked.first, last).write(run.manifest)
    if not manifest.tokenizer:  # whatever lies there is not from this run
        run.tokenizer.unlink(missing_ok=True)
    write_text(run.recipe, dump(asked.recipe))


def _say_out_of_turn(run: RunDirectory, there: Manifest, asked: Manifest) -> None:
    """Say that the update at which a finished run goes on was validated out of turn."""
    old, new = there.recipe["training"], asked.recipe["training"]
    last = max(map(step_of, checkpoints(run.checkpoints)), default=0)
    if last == old["steps"] < new["steps"] and last % new["validate_every"]:
        print(
            f"update {last:,} was validated because it was the last one: the weights will be "
            f"those of a run of {new['steps']:,} updates, the curve and perhaps checkpoints/best "
            "have this look besides",
            file=sys.stderr,
        )


def _remove_leftovers(run: RunDirectory) -> None:
    """Delete what a killed program had only half written."""
    for directory in (run.path, run.checkpoints):
        for leftover in directory.glob(f".*{PARTIAL}"):
            if leftover.is_dir():
                shutil.rmtree(leftover)
            else:
                leftover.unlink()


def restore_last(
    run: RunDirectory,
    model: nn.Module,
    optimizer: Optimizer,
    corpus: str,
    ranks: Ranks,
    *,
    start: Start | None = None,
) -> Progress:
    """Load the last checkpoint; if there is none, the run begins, with the weights of its start."""
    # Asked of rank 0: other machines may see a list of files that is some seconds old.
    [last, *_] = ranks.gather(checkpoints(run.checkpoints)[-1:])
    if last:
        return load_checkpoint(last[0], model, optimizer, corpus, rank=ranks.rank)
    if start:
        restore_tensors(model, model_tensors(start.model), Path(start.about["model"]))
    return Progress()


def start_from(name_or_path: Path | str, recipe: Recipe) -> Start:
    """Load a trained model to start from: of a run, saved, or in the package by its name.

    Raises `FileNotFoundError` or `ValueError` if there is no model, if it is damaged, or if the
    recipe asks for another model or another vocabulary.
    """
    # What reads a model by its name can also search with it; a run that draws its weights needs
    # neither.
    from annotated_transformer.translator import Translator  # noqa: PLC0415

    translator = Translator.load(name_or_path)
    model, tokenizer = translator.model, translator.tokenizer
    vocab_size = recipe.tokenizer.vocab_size
    if vocab_size != tokenizer.vocab_size:
        raise ValueError(
            f"tokenizer.vocab_size is {tokenizer.vocab_size} in {name_or_path} and {vocab_size} in "
            "the recipe; a run that starts from a model keeps its tokenizer, so set it to "
            f"{tokenizer.vocab_size}"
        )
    there = model.config.to_dict()
    here = recipe.model.config(tokenizer.vocab_size).to_dict()
    for name, value in there.items():
        if here[name] != value and name not in MAY_DIFFER:
            raise ValueError(
                f"model.{name} is {value!r} in {name_or_path} and {here[name]!r} in the recipe; "
                "a run that starts from a model keeps its sizes"
            )
    name = Path(name_or_path).absolute().name
    about = {"model": name, "weights": _digest(model), "tokenizer": tokenizer.fingerprint}
    return Start(model, tokenizer, translator.policy.training_text, about)


def _digest(model: nn.Module) -> str:
    """Return the sha256 of all weights."""
    digest = hashlib.sha256()
    for name, tensor in sorted(model_tensors(model).items()):
        about = [name, str(tensor.dtype), list(tensor.shape)]
        digest.update(json.dumps(about).encode())
        digest.update(tensor.detach().contiguous().numpy().tobytes())
    return digest.hexdigest()
