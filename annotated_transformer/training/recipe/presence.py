"""Whether the files of a corpus are there: seen in no time, before anything slow begins."""

from collections.abc import Sequence
from pathlib import Path

from annotated_transformer.corpora.files import iterate_parallel, iterate_tsv
from annotated_transformer.training.recipe.loading import load_recipe
from annotated_transformer.training.recipe.recipes import Recipe


def look(recipe: Path | str, overrides: Sequence[str]) -> None:
    """Refuse a recipe that cannot be read, or whose corpus is not there (`check_files`)."""
    check_files(load_recipe(recipe, overrides))


def check_files(recipe: Recipe) -> None:
    """Read the first pair of each split that a run of the recipe reads, if it is in files.

    Raises:
        OSError: a file is not there, is a directory, or may not be read.
        ValueError: it is empty, or its first line is not as it must be.
    """
    corpus = recipe.corpus
    for split in ("train", "valid", *recipe.evaluation.splits):
        files = corpus.splits.get(split)
        if files and corpus.kind == "files":
            next(iterate_parallel(*files))
        elif files and corpus.kind == "tsv":
            next(iterate_tsv(*files))
