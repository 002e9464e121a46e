"""WMT 2014: the news translation task that the paper trains on (section 5.1).

The text comes from the data set wmt/wmt14 of the Hugging Face hub at one revision, through the
library `datasets` (an optional extra: `pip install "annotated-transformer[data]"`), as a stream.
It is written into two files per split, which later runs read. The terms are those of the corpora it
consists of: see https://www.statmt.org/wmt14/translation-task.html.

This has been tried with a stand-in for that library and not yet with the real source.
"""

import gzip
import importlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from annotated_transformer.corpora import Pairs
from annotated_transformer.corpora.files import iterate_parallel
from annotated_transformer.lab.corpora.downloads import partial_directory
from annotated_transformer.storage.machine import data_directory
from annotated_transformer.text import tidy

REPOSITORY = "wmt/wmt14"
REVISION = "64ea9e5eb2048938f4be7e450554bca8b0b154b0"
TERMS = "terms: https://www.statmt.org/wmt14/translation-task.html"
SPLITS = {"train": "train", "valid": "validation", "test": "test"}
"""The name of each split here and in the data set; valid is newstest2013, test newstest2014."""
PAIRS = {
    ("de-en", "train"): 4_508_785,
    ("fr-en", "train"): 40_836_715,
    **{(pair, "valid"): 3_000 for pair in ("de-en", "fr-en")},
    **{(pair, "test"): 3_003 for pair in ("de-en", "fr-en")},
}
"""Sentence pairs of each split, so that a stream that ends early is noticed."""
SIZES = {"de-en": "818 MB", "fr-en": "several GB, 30 Parquet files"}
"""How much is fetched for the training split."""


@dataclass(frozen=True)
class WMT14:
    """The corpus in one direction."""

    languages: tuple[str, ...]
    """Source and target, such as ("en", "de")."""

    def splits(self) -> tuple[str, ...]:
        """Return the names of its splits."""
        return tuple(SPLITS)

    def pairs(self, split: str) -> Pairs:
        """Return the pairs of a split, fetched if necessary. Raises as `wmt14_files` does."""
        files = wmt14_files(data_directory() / "wmt14", split, self.languages)
        return Pairs(partial(iterate_parallel, *files), files)


def wmt14_files(folder: Path, split: str, languages: Sequence[str]) -> tuple[Path, ...]:
    """Return the files of a split, one for each language, and fetch them if necessary.

    They are LANGUAGE.txt.gz in a directory PAIR.SPLIT of `folder` (de-en or fr-en; train, valid or
    test). Pairs with an empty side or a line break are left out; source.json beside the files says
    how many.

    Raises:
        OSError: network, hub, library or disk failed; no partial file is left.
        ValueError: the library is missing, or the stream ended early.
    """
    pair = "-".join(sorted(languages, key=lambda language: language == "en"))
    path = folder / f"{pair}.{split}"
    files = tuple(path / f"{language}.txt.gz" for language in languages)
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with partial_directory(path) as partial:
            (partial / path.name).mkdir()
            _write(partial / path.name, _stream(pair, split, path), pair, split)
            if not path.exists():  # another process may have been faster
                (partial / path.name).rename(path)
    for file in files:
        if not file.is_file():
            raise FileNotFoundError(f"{file} is missing; delete {path} to fetch it again")
    return files


def _stream(pair: str, split: str, path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the split as the library streams it; all errors of the library become an `OSError`."""
    try:
        # An extra that only this function needs.
        datasets = importlib.import_module("datasets")
    except ImportError as error:
        raise ValueError(
            f"WMT14 is fetched with the library datasets, which is not installed: "
            f'pip install "annotated-transformer[data]"; or put the text into {path} '
            "(one file per language, such as en.txt.gz)"
        ) from error
    size = SIZES[pair] if split == "train" else "less than 1 MB"
    print(
        f"fetching {PAIRS[pair, split]:,} pairs of {REPOSITORY} {pair} {split} at {REVISION[:12]}, "
        f"{size}, into {path} ({TERMS})",
        file=sys.stderr,
    )
    # Its errors come from several libraries (its own, the hub's, two of HTTP, one of Parquet) and
    # have no common base class. Errors of our own files are raised elsewhere.
    try:
        yield from datasets.load_dataset(
            REPOSITORY, pair, split=SPLITS[split], revision=REVISION, streaming=True
        )
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise OSError(
            f"{REPOSITORY} {pair} {split} at {REVISION[:12]} could not be fetched: {reason}; "
            f"try again, or put the text into {path} (one file per language, such as en.txt.gz)"
        ) from error


def _write(path: Path, rows: Iterable[Mapping[str, Any]], pair: str, split: str) -> None:
    """Write a stream of pairs into one file per language, and a description of both."""
    languages, expected = pair.split("-"), PAIRS[pair, split]
    seen = left_out = 0
    with (
        gzip.open(path / f"{languages[0]}.txt.gz", "wt", encoding="utf-8", newline="\n") as first,
        gzip.open(path / f"{languages[1]}.txt.gz", "wt", encoding="utf-8", newline="\n") as second,
    ):
        for row in tqdm(rows, f"{pair} {split}", expected, disable=not sys.stderr.isatty()):
            seen += 1
            texts = [row["translation"][language] for language in languages]
            if all(map(_fits_a_line, texts)):
                first.write(f"{texts[0]}\n")
                second.write(f"{texts[1]}\n")
            else:
                left_out += 1
    if seen != expected:
        raise ValueError(f"{REPOSITORY} {pair} {split} gave {seen:,} pairs, expected {expected:,}")
    source = {
        "repository": REPOSITORY,
        "revision": REVISION,
        "configuration": pair,
        "split": SPLITS[split],
        "pairs": seen - left_out,
        "left_out": left_out,
    }
    (path / "source.json").write_text(json.dumps(source, indent=2) + "\n", "utf-8")
    print(f"{pair} {split}: {seen - left_out:,} pairs, {left_out:,} left out", file=sys.stderr)


def _fits_a_line(text: str) -> bool:
    """Return whether a text is not blank, fits on one line, and the tokenizer can keep it."""
    if "\r" in text or "\n" in text:
        return False
    try:
        return bool(tidy(text)[0])
    except ValueError:
        return False
