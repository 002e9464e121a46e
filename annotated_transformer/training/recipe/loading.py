"""From a recipe's file, and settings that change it, to the recipe."""

from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from annotated_transformer.checks import check_path, shown
from annotated_transformer.corpora import find_corpus
from annotated_transformer.storage.reading import read_toml
from annotated_transformer.training.recipe.recipes import Recipe, with_paths
from annotated_transformer.training.recipe.schema import abridged, build, parse_override

_SHIPPED = Path(str(resources.files("annotated_transformer") / "recipes"))


def load_recipe(source: Path | str, overrides: Sequence[str] = ()) -> Recipe:
    """Read a recipe from a file, or one that ships with the package by its name.

    Args:
        source: a path ending in `.toml`, or a name such as `english_korean`.
        overrides: settings such as `training.steps=200`, the value in TOML; a bare word is a
            string. Paths in them start from the current directory, paths in the file from the
            file's directory. The recipe must be valid with all of them, not after each.

    Raises:
        FileNotFoundError: no such file or name.
        ValueError: an unknown key, a value of the wrong type, or a value out of range; the
            message names file, key and value.
    """
    path = _recipe_path(check_path("the recipe", source))
    overrides = overrides if isinstance(overrides, str) else list(overrides)
    if isinstance(overrides, str) or not all(isinstance(text, str) for text in overrides):
        raise ValueError(
            f"the overrides are {shown(overrides)}; expected a list of texts, such as "
            "['training.steps=200']"
        )
    content = read_toml(path)
    recipe = recipe_from(content, path.parent, str(path))
    if not overrides:
        return recipe
    stated = content.get("evaluation", {})
    content = recipe.to_dict()
    if "splits" not in stated:
        del content["evaluation"]["splits"]  # it follows from the corpus
    for text in overrides:
        _override(content, text)
    origin = abridged(" ".join(f"--set {text}" for text in overrides))
    return recipe_from(content, Path.cwd(), origin)


def check_files(recipe: Recipe) -> None:
    """Read the first pair of each split that a run of the recipe reads, if it is in files.

    Seen in no time, before anything slow begins. Raises `OSError` if a file is not there, is a
    directory, or may not be read; `ValueError` if it is empty, or its first line is wrong.
    """
    corpus = recipe.corpus
    for split in ("train", "valid", *recipe.evaluation.splits):
        if split in corpus.splits:
            next(iter(find_corpus(corpus.kind, vars(corpus)).pairs(split)))


def shipped_recipes() -> list[str]:
    """Return the names of the recipes in the package, in alphabetical order."""
    return sorted(file.stem for file in _SHIPPED.glob("*.toml"))


def _recipe_path(source: Path | str) -> Path:
    path, names = Path(source), ", ".join(shipped_recipes())
    if path.suffix == ".toml":
        if not (path.exists() or path.is_symlink()):
            raise FileNotFoundError(
                f"there is no recipe file {path}; choose another, or one of {names} by its name"
            )
        return path
    if str(source) not in shipped_recipes():
        raise FileNotFoundError(
            f"there is no recipe {str(source)!r}: give a .toml file or one of {names}"
        )
    return _SHIPPED / f"{source}.toml"


def recipe_from(content: Mapping[str, Any], directory: Path, origin: str) -> Recipe:
    """Check and convert the content of a file; relative paths start from `directory`."""
    content = dict(content)
    if isinstance(content.get("model"), dict):
        model = dict(content["model"])
        preset = {"preset": model.pop("preset")} if "preset" in model else {}
        content["model"] = preset | {"overrides": model}
    if isinstance(content.get("corpus"), dict):
        content["corpus"] = with_paths(content["corpus"], directory)
    return build(Recipe, _with_scored_splits(content), origin)


def _with_scored_splits(content: dict[str, Any]) -> dict[str, Any]:
    """Score nothing where nothing is asked for and a corpus in files has no split `test`."""
    corpus, evaluation = content.get("corpus"), content.get("evaluation", {})
    splits = corpus.get("splits") if isinstance(corpus, dict) else None
    if not (isinstance(splits, dict) and isinstance(evaluation, dict)):
        return content  # the check of the types names it
    files = content["corpus"].get("kind") in ("files", "tsv")
    if "splits" in evaluation or "test" in splits or not files:
        return content
    return content | {"evaluation": {**evaluation, "splits": []}}


def _override(content: dict[str, Any], text: str) -> None:
    """Set one key anew."""
    key, value = parse_override(text)
    *sections, name = key.split(".")
    section = content
    for part in sections:
        section = section.setdefault(part, {})
        if not isinstance(section, dict):
            raise ValueError(f"--set {abridged(text)}: {part} is a value and has no keys")
    section[name] = value
