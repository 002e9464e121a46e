"""The manifest of a run: what identifies it, in one file, wherever its directory lies.

It is written before the tokenizer is learned, and again whenever there is more to say: at the
beginning of each sitting, with each checkpoint, at the end. What resumes a run, evaluates it or
writes its record reads this and nothing else. A seal shows a change by hand.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from annotated_transformer.corpora import SentencePair
from annotated_transformer.storage.atomic import real, write_text
from annotated_transformer.storage.reading import read_json
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.recipe.loading import recipe_from
from annotated_transformer.training.recipe.schema import build
from annotated_transformer.training.run.identity import Sitting

Places = dict[str, list[str]]
"""For each split the paths of its files."""


def candidates(run: Path, relative: Places, known: Places) -> Iterator[dict[str, tuple[Path, ...]]]:
    """Yield where the files may be: as seen from the run, and where they were when it was begun."""
    start = real(run)
    yield {
        split: tuple(Path(os.path.normpath(start / path)) for path in paths)
        for split, paths in relative.items()
    }
    yield {split: tuple(map(Path, paths)) for split, paths in known.items()}


FORMAT = 1  # of this layout; a manifest of another version is refused
SHOWN = 12  # digits of a checksum that a message shows


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What identifies a run, and what it has come to."""

    recipe: dict[str, Any]  # as a file in the run's directory would have it
    known_at: Places
    """Where this machine had the files of the corpus: looked at where the paths of the recipe,
    which start from the run's directory, lead nowhere."""
    corpus: dict[str, str]  # the sha256 of the text of each split that was read (`text_digest`)
    start: dict[str, str] | None  # of a run that goes on from a model: its name and checksums
    sittings: tuple[Sitting, ...]  # those whose updates the weights have, the first one first
    tokenizer: str = ""  # its fingerprint, as soon as there is one
    checkpoints: dict[str, str] = field(default_factory=dict)
    """The sha256 of the checksums of each checkpoint, by its name."""
    finished: dict[str, Any] | None = None
    """Once a record was written: after how many steps, and with which length penalty."""

    @property
    def first(self) -> Sitting:
        """The first sitting, in which the run was begun."""
        return self.sittings[0]

    def open_recipe(self, run: Path) -> Recipe:
        """Return the recipe, with paths that start from where the run is now."""
        return recipe_from(self.recipe, real(run), str(run / "manifest.json"))

    def with_sitting(self, sitting: Sitting, step: int) -> "Manifest":
        """Return the manifest, continued by a sitting from update `step` on.

        A sitting of which no update is left, because it was killed before it saved any, is dropped.
        """
        earlier = tuple(each for each in self.sittings if each.from_step < step)
        return replace(self, sittings=(*earlier, replace(sitting, from_step=step)))

    def write(self, path: Path) -> None:
        """Write the manifest as a whole, or leave the one that is there."""
        content = {"format": FORMAT} | asdict(self)
        sealed = content | {"seal": _seal(content)}
        write_text(path, json.dumps(sealed, indent=2) + "\n")


def manifest_of(
    run: Path,
    recipe: Recipe,
    corpus: Mapping[str, Iterable[SentencePair]],
    sitting: Sitting,
    *,
    start: dict[str, str] | None = None,
    tokenizer: Tokenizer | None = None,
) -> Manifest:
    """Return the manifest of a run in the directory `run` as it is asked for now."""
    content, here = recipe.to_dict(), real(run)
    known_at = content["corpus"]["splits"]
    # As seen from the run's directory, past all links.
    content["corpus"]["splits"] = {
        split: [
            Path(os.path.relpath(real(path.parent) / path.name, here)).as_posix() for path in paths
        ]
        for split, paths in recipe.corpus.splits.items()
    }
    return Manifest(
        recipe=content,
        known_at=known_at,
        corpus={name: text_digest(split) for name, split in corpus.items()},
        start=start,
        sittings=(sitting,),
        tokenizer=tokenizer.fingerprint if tokenizer else "",
    )


def read_manifest(path: Path) -> Manifest:
    """Read what `Manifest.write` wrote.

    Raises `FileNotFoundError` if there is none, and `ValueError` if it is damaged, was changed by
    hand, or is of another version.
    """
    content = read_json(path)
    seal = content.pop("seal", None)
    if content.get("format") != FORMAT:
        raise ValueError(f"{path}: format is {content.get('format')!r}, expected {FORMAT}")
    if seal != _seal(content):
        raise ValueError(
            f"{path} was changed after the run wrote it: its seal does not belong to its "
            "content; put the original back"
        )
    del content["format"]
    sittings = content.pop("sittings")  # the seal says that they are those which were written
    sittings = tuple(build(Sitting, each, str(path), "sittings") for each in sittings)
    return Manifest(**content, sittings=sittings)


def _seal(content: Mapping[str, Any]) -> str:
    # Read back first: a tuple is a list in the file.
    text = json.dumps(json.loads(json.dumps(content)), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def text_digest(pairs: Iterable[SentencePair]) -> str:
    """Return the sha256 of the text of sentence pairs in their order, from which a model learns."""
    digest = hashlib.sha256()
    for pair in pairs:
        # No line of a corpus holds a line feed.
        text = f"{pair.source}\n{pair.target}\n"
        digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
