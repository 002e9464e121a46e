"""Whether a run may begin or continue in a directory: the refusals, each with both values."""

import hashlib
from collections.abc import Mapping
from typing import Any

from annotated_transformer.checks import check_path
from annotated_transformer.storage.atomic import PARTIAL, check_folder
from annotated_transformer.storage.reading import read_toml
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.run.checkpoints import checkpoints, step_of
from annotated_transformer.training.run.directory import RunDirectory
from annotated_transformer.training.run.identity import another_recipe, differing, other_conditions
from annotated_transformer.training.run.manifest import SHOWN, Manifest, read_manifest


def check_sitting(resume: bool, new_sitting: bool) -> None:
    """Refuse a new sitting of a run that is not resumed. Raises `ValueError`."""
    if new_sitting and not resume:
        raise ValueError(
            "a new sitting (--as-new-sitting) is one of a run that is resumed (--resume)"
        )


def check_run(run: RunDirectory, recipe: Recipe, resume: bool, rank: int = 0) -> None:
    """Check that a run of this recipe may begin in the directory or, with `resume`, continue.

    Nothing is read but its manifest, and nothing is written. With `resume`, a directory in which
    nothing was saved yet will do as well, so that the same command serves before and after a kill
    at any moment. Rank 0 decides; the others must see what it has written.

    Raises `FileExistsError` if another process is training in the directory, or it holds a finished
    run, an unfinished one while `resume` was not asked for, a run of another recipe or of an older
    version, or something else; `FileNotFoundError` if another machine than that of rank 0 has other
    files; `ValueError` if the manifest was changed, or more updates have been made.
    """
    if rank:
        if not run.manifest.exists():
            raise FileNotFoundError(
                f"rank {rank} does not see {run.manifest}, which rank 0 has written: "
                f"{run.path} must lie on a file system that all machines share"
            )
        return
    if run.path.exists() and not run.path.is_dir():
        raise FileExistsError(f"{run.path} is a file, a run needs a directory")
    check_path("the run's directory", run.path.absolute())
    check_folder(run.path)
    if run.lock_file.exists():
        run.lock()
        run.unlock()
    check_content(run, recipe.to_dict(), resume)


def check_content(run: RunDirectory, asked: Mapping[str, Any], resume: bool) -> None:
    """Refuse a directory in which this run may neither begin nor continue."""
    if run.manifest.exists():
        _check_unfinished(run, asked, resume)
    elif run.recipe.exists():
        raise FileExistsError(
            f"{run.path} holds a run of an older version, without {run.manifest.name}: it can "
            "be translated with and evaluated, not continued; train into another directory"
        )
    elif other := other_files(run):
        raise FileExistsError(f"{run.path} holds no run but other files, such as {other[0]}")


def other_files(run: RunDirectory) -> list[str]:
    """List the files here that are not left over from a run that was killed before it began.

    The manifest is written right after the lock.
    """
    if not run.path.exists():
        return []
    own = {run.lock_file, *run.path.glob(f".{run.manifest.name}.*{PARTIAL}")}
    return sorted(file.name for file in run.path.iterdir() if file not in own)


def _check_unfinished(run: RunDirectory, asked: Mapping[str, Any], resume: bool) -> None:
    there = read_manifest(run.manifest)
    if changed := another_recipe(there.recipe, asked):
        raise FileExistsError(
            f"{run.path} holds a run of another recipe: {changed}; it is left as it is, train "
            "into another directory (--from starts from its model)"
        )
    steps, reached = asked["training"]["steps"], 0
    if there.finished:
        reached = there.finished["steps"]
        what = "a finished run of this recipe"
        more = f"--resume with training.steps above {reached:,} continues it"
        others = (key for key, _, _ in differing(there.recipe, asked))
        done = steps == reached and not any(key.startswith("evaluation.") for key in others)
    else:
        what, more = ("an unfinished run of this recipe", "add --resume to continue it")
        done = False
    if done or not resume:
        raise FileExistsError(f"{run.path} holds {what}; {more}")
    saved = checkpoints(run.checkpoints)
    if there.finished and not saved:
        raise ValueError(
            f"{run.path} holds a finished run without its checkpoints, which cannot go on; "
            "another may start from its model (--from)"
        )
    reached = max(map(step_of, saved), default=reached)
    if steps < reached:
        raise ValueError(
            f"training.steps is {steps:,}, but the run in {run.path} has made {reached:,} "
            "updates already"
        )


def check_same(run: RunDirectory, there: Manifest, asked: Manifest, new_sitting: bool) -> None:
    """Refuse to join two runs into one: another text, start, conditions, or copies."""
    check_copy(run, there)
    for split, digest in asked.corpus.items():
        if there.corpus.get(split, digest) != digest:
            raise ValueError(
                f"{run.path}: the text of the split {split} is another one: sha256 "
                f"{there.corpus[split][:SHOWN]} there and {digest[:SHOWN]} here; put the old text "
                "back, or train into another directory"
            )
    old, new = (
        f"a trained model with the weights {each.start['weights'][:SHOWN]}"
        if each.start
        else "weights that were drawn"
        for each in (there, asked)
    )
    if old != new:
        raise ValueError(
            f"{run.path}: the run starts from {old} there and from {new} here (--from)"
        )
    _check_tokenizer(run, there.tokenizer, asked.tokenizer)
    reached = max(map(step_of, checkpoints(run.checkpoints)), default=0)
    trained = [each for each in there.sittings if each.from_step < reached]
    if new_sitting or not trained:
        return
    if other := other_conditions(trained[-1], asked.first):
        raise ValueError(f"{run.path}: {other}")


def _check_tokenizer(run: RunDirectory, known: str, given: str) -> None:
    """Refuse a tokenizer other than the manifest's, in the directory or from elsewhere."""
    fingerprints = [(given, "the one that is given")] if given else []
    if run.tokenizer.exists():
        own = hashlib.sha256(run.tokenizer.read_bytes()).hexdigest()
        fingerprints.append((own, str(run.tokenizer)))
    for fingerprint, name in fingerprints:
        if known and fingerprint != known:
            raise ValueError(
                f"{run.path}: the run was begun with the tokenizer {known[:SHOWN]}, {name} is "
                f"{fingerprint[:SHOWN]} (sha256); put the old one back"
            )


def check_copy(run: RunDirectory, manifest: Manifest) -> None:
    """Check that recipe.toml says what the manifest says: a change there would have no effect.

    Raises `ValueError` if it says something else, or is damaged.
    """
    if not run.recipe.exists():
        return
    try:
        content = read_toml(run.recipe)
        changed = next(differing(manifest.recipe, content), None)
    except (ValueError, KeyError) as error:
        raise ValueError(f"{run.recipe} is damaged: {error}") from error
    if changed:
        key, there, here = changed
        raise ValueError(
            f"{run.recipe} was changed: {key} is {here!r}, and {there!r} in {run.manifest.name}, "
            "which counts; put it back, or say on the command line what is to change"
        )
