"""Multi30k: 29,000 image captions in English and German, translated by professionals.

Source: Elliott et al. 2016, doi:10.18653/v1/W16-3210. The files come from the public repository
multi30k/dataset, folder data/task1, at one commit, and are checked by their sha256. The captions
derive from Flickr30k: use them for non-commercial research and education.

The downloads have been tried against a local server and not yet against the real one.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from annotated_transformer.corpora import Pairs
from annotated_transformer.corpora.files import iterate_parallel
from annotated_transformer.lab.corpora.downloads import RemoteFile, fetch
from annotated_transformer.storage.machine import data_directory

COMMIT = "2cc0f2d7c615b60e07e2d51bb5edc004444d7e0e"
REPOSITORY = f"https://raw.githubusercontent.com/multi30k/dataset/{COMMIT}/data/task1"
TERMS = "for non-commercial research and education; captions derive from Flickr30k"
SPLITS = {"train": "train", "valid": "val", "test_2016_flickr": "test_2016_flickr"}
"""The name of each split here and in the published files."""
CONTENT = {
    ("raw", "train", "de"): (
        "726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6",
        637_044,
    ),
    ("raw", "train", "en"): (
        "d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f",
        568_929,
    ),
    ("raw", "val", "de"): (
        "f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a",
        24_681,
    ),
    ("raw", "val", "en"): (
        "14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28",
        21_650,
    ),
    ("raw", "test_2016_flickr", "de"): (
        "9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8",
        22_890,
    ),
    ("raw", "test_2016_flickr", "en"): (
        "611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9",
        21_077,
    ),
    ("tok", "train", "de"): (
        "cb5a23529b65ec2061f1dc446192a9c37382b63cc75f81a0be59d34894b3a505",
        2_150_008,
    ),
    ("tok", "train", "en"): (
        "08925f8e0572bcd5a006702fc5fe20e2d77c6917d4eebd576fc20de6693c2119",
        1_837_696,
    ),
    ("tok", "val", "de"): (
        "97232bd273eceb7207f689527386a97e4be2616b18ada47576bdaf96c8ae1f00",
        77_273,
    ),
    ("tok", "val", "en"): (
        "46573ce391ae227f1c72f873392436a20ef18e0a6d518098cfbd70b77c8572ec",
        64_608,
    ),
    ("tok", "test_2016_flickr", "de"): (
        "c6a33d39d48f9f510de147651316cd9d918e09ad0219df734a2f16b6baccacc4",
        71_917,
    ),
    ("tok", "test_2016_flickr", "en"): (
        "5b7f32627cf99eced828311b955dae9800bb52bc8b91cf8b6526829e605b29d2",
        63_307,
    ),
}
"""The sha256 and the size in bytes of each file; those of `raw` are packed."""


@dataclass(frozen=True)
class Multi30k:
    """The corpus in one direction and one form of its text."""

    variant: str
    """`raw`, or `tok` for lower-cased and tokenized text."""
    languages: tuple[str, ...]
    """Source and target, such as ("en", "de")."""

    def splits(self) -> tuple[str, ...]:
        """Return the names of its splits."""
        return tuple(SPLITS)

    def pairs(self, split: str) -> Pairs:
        """Return the pairs of a split, fetched if necessary. Raises as `fetch` does."""
        folder = data_directory() / "multi30k"
        files = multi30k_files(folder, self.variant, split, self.languages)
        return Pairs(partial(iterate_parallel, *files), files)


def multi30k_file(variant: str, split: str, language: str) -> RemoteFile:
    """Return a file of the corpus: `raw` text, or `tok` for lower-cased and tokenized text."""
    sha256, size = CONTENT[variant, SPLITS[split], language]
    if variant == "raw":
        name = path = f"{SPLITS[split]}.{language}.gz"
    else:
        name, path = (f"{SPLITS[split]}.{language}", f"{SPLITS[split]}.lc.norm.tok.{language}")
    return RemoteFile(f"{variant}.{name}", f"{REPOSITORY}/{variant}/{path}", sha256, size)


def multi30k_files(
    folder: Path, variant: str, split: str, languages: Sequence[str]
) -> tuple[Path, ...]:
    """Return the files of a split, one for each language, and fetch them if necessary.

    Their names in `folder` are VARIANT.SPLIT.LANGUAGE.gz with the published names of the splits
    (train, val, test_2016_flickr); the ending may be missing for `tok`. Raises as `fetch` does.
    """
    files = [multi30k_file(variant, split, language) for language in languages]
    missing = [
        file
        for file in files
        if not any((folder / f"{file.name}{ending}").exists() for ending in ("", ".gz"))
    ]
    if missing:
        print(
            f"fetching {', '.join(file.name for file in missing)} of Multi30k from {REPOSITORY}, "
            f"{sum(file.size for file in missing):,} bytes, into {folder} ({TERMS})",
            file=sys.stderr,
        )
    return tuple(fetch(file, folder) for file in files)
