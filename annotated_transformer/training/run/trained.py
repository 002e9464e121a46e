"""A trained model and the run that it belongs to: its recipe, and the text that it is scored on."""

from dataclasses import dataclass, replace
from pathlib import Path

from annotated_transformer.corpora import SentencePair
from annotated_transformer.shipped import shipped_models
from annotated_transformer.storage.atomic import real
from annotated_transformer.training.data import read_split
from annotated_transformer.training.recipe import Recipe, load_recipe
from annotated_transformer.training.recipe.recipes import CorpusRecipe
from annotated_transformer.training.recipe.schema import abridged
from annotated_transformer.training.run.checking import check_copy
from annotated_transformer.training.run.directory import RunDirectory
from annotated_transformer.training.run.finish import chosen_length_penalty
from annotated_transformer.training.run.identity import another_recipe
from annotated_transformer.training.run.manifest import (
    SHOWN,
    Manifest,
    candidates,
    read_manifest,
    text_digest,
)


@dataclass(frozen=True)
class Trained:
    """What is known of how a model was trained."""

    recipe: Recipe
    run: Path | None = None
    """The directory of its run, if it lies in one."""
    manifest: Manifest | None = None  # older runs have none

    @property
    def length_penalty(self) -> float:
        """What the finished run chose on its validation split, or what its recipe says."""
        settings = self.recipe.evaluation
        if settings.length_penalties and self.manifest is not None:
            finished = self.manifest.finished or {}
            return float(finished.get("length_penalty", settings.length_penalty))
        record = self.run and self.run / "record.json"
        if settings.length_penalties and record and record.exists():
            return chosen_length_penalty(record)
        return settings.length_penalty

    def read_split(self, split: str) -> list[SentencePair]:
        """Read the pairs of a split, wherever the run, or its corpus, lies now.

        Raises `FileNotFoundError` for a file neither where the run's path leads to, nor where it
        was, `ValueError` if there is no such split, or the run was begun with another text.
        """
        if self.run is None or self.manifest is None:
            return read_split(self.recipe.corpus, split)
        missing, other = [], []
        splits = self.manifest.recipe["corpus"]["splits"]
        for files in candidates(self.run, splits, self.manifest.known_at):
            if absent := [p for p in files.get(split, ()) if not p.is_file()]:
                missing.append(absent[0])
                continue
            pairs = read_split(replace(self.recipe.corpus, splits=files), split)
            digest = text_digest(pairs)
            expected = self.manifest.corpus.get(split, digest)
            if expected == digest:
                return pairs
            other.append((expected[:SHOWN], digest[:SHOWN], files.get(split, ())))
        if other:
            expected, digest, paths = other[0]
            where = " and ".join(map(str, paths)) or "here"
            raise ValueError(
                f"{self.run}: the text of the split {split} is another one: sha256 {expected} in "
                f"manifest.json and {digest} in {where}; --source and --target score any text"
            )
        paths_tried = " and not at ".join(map(str, dict.fromkeys(missing)))
        raise FileNotFoundError(
            f"the split {split} is not at {paths_tried}; name the run's recipe where it is now "
            "(--recipe), or give the text with --source and --target"
        )


def run_of(model: Path, recipe: Path | str | None = None) -> Trained:
    """Find the run of a model by its directory, its model's, or the name of a shipped model.

    Of a model without a run it is assumed that it was trained on the embedded corpus. `recipe`, if
    given, says where the run's corpus is now. Raises `ValueError` if manifest or recipe of the run
    were changed, or if the given recipe is that of another run.
    """
    trained = _trained(model)
    if recipe is None:
        return trained
    current = load_recipe(recipe)
    if trained.manifest is None:
        return replace(trained, recipe=replace(trained.recipe, corpus=current.corpus))
    new, old = current.to_dict(), trained.manifest.recipe
    if changed := another_recipe(old, new):
        raise ValueError(f"{recipe} is not the recipe of {model}: {changed}")
    splits = new["corpus"]["splits"]
    # From the root of all directories, an absolute path leads where it says.
    content = {**old, "corpus": {**old["corpus"], "splits": splits}}
    manifest = replace(trained.manifest, recipe=content, known_at=splits)
    return replace(trained, manifest=manifest)


def _trained(model: Path) -> Trained:
    if not model.is_dir() and str(model) in shipped_models():
        # A shipped model has the name of its recipe.
        return Trained(load_recipe(str(model)))
    path = real(model)
    within = [path]
    if path.name == "model":
        within.append(path.parent)
    if path.name == "best" and path.parent.name == "checkpoints":
        within.append(path.parent.parent)
    for directory in within:
        run = RunDirectory(directory, commit="")
        if run.manifest.exists() or run.manifest.is_symlink():
            manifest = read_manifest(run.manifest)
            check_copy(run, manifest)
            return Trained(manifest.open_recipe(directory), directory, manifest)
        if run.recipe.exists():
            return Trained(load_recipe(run.recipe), directory)
    return Trained(
        Recipe(name=abridged(path.name) or "model", corpus=CorpusRecipe(kind="english_korean"))
    )
