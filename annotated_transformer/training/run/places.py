"""Where a run finds its corpus again, wherever both have been moved."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from annotated_transformer.training.recipe import Recipe

Places = dict[str, list[str]]
"""For each split the paths of its files."""


def from_run(run: Path, recipe: Recipe) -> Places:
    """The files of the corpus as seen from the run's directory, past all links."""
    start = run.resolve()
    return {
        split: [
            Path(os.path.relpath(path.parent.resolve() / path.name, start)).as_posix()
            for path in paths
        ]
        for split, paths in recipe.corpus.splits.items()
    }


def absolute(recipe: Recipe) -> Places:
    """The files of the corpus as this machine knows them."""
    return {split: [str(path) for path in paths] for split, paths in recipe.corpus.splits.items()}


def candidates(
    run: Path, relative: Mapping[str, list[str]], known: Mapping[str, list[str]]
) -> Iterator[dict[str, tuple[Path, ...]]]:
    """Where the files may be: as seen from the run, and where they were when it was begun."""
    start = run.resolve()
    yield {
        split: tuple(Path(os.path.normpath(start / path)) for path in paths)
        for split, paths in relative.items()
    }
    yield {split: tuple(map(Path, paths)) for split, paths in known.items()}


def with_files(recipe: Recipe, files: Mapping[str, tuple[Path, ...]]) -> Recipe:
    """The recipe with its corpus in other files."""
    return replace(recipe, corpus=replace(recipe.corpus, splits=dict(files)))
