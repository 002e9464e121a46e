"""The tokenised corpus: encoded once, kept in a file that is mapped into memory and not read.

A cache is a directory named after what it was made of: the content of the corpus, the tokenizer
and the version of this layout. It holds the token ids of all rows one after another (ids.bin),
where each row begins (offsets.bin), and a description (cache.json) with the fingerprint of both.
Every opening computes the fingerprint anew, so that a file cut short or altered is never used.
"""

import hashlib
import json
import shutil
import sys
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from tqdm import tqdm

from annotated_transformer.corpora import SentencePair
from annotated_transformer.serving.atomic import new_directory
from annotated_transformer.serving.storage import read_json
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.batching import (
    Example,
    TokenPairs,
    fingerprint,
)

FORMAT = 1
"""Version of this layout."""
CACHE_FILES = frozenset({"ids.bin", "offsets.bin", "cache.json"})
"""What a cache consists of; a directory that holds anything else is never deleted."""
CHUNK = 2**20
"""Ids that are held back before they are written."""


@dataclass(frozen=True, kw_only=True)
class CacheKey:
    """What a cache was made of."""

    content: str
    """The sha256 of the text."""
    tokenizer: str
    """The tokenizer's fingerprint."""
    longest: int = 0
    """Pairs with a side of more tokens were left out; 0 for none."""
    format: int = FORMAT
    """Version of the layout."""

    @property
    def name(self) -> str:
        """The name of the cache's directory."""
        return hashlib.sha256(
            json.dumps(asdict(self), sort_keys=True).encode()
        ).hexdigest()[:32]


def encode_pairs(
    pairs: Iterable[SentencePair],
    tokenizer: Tokenizer,
    *,
    max_length: int,
    origin: str,
) -> TokenPairs:
    """Sentence pairs as token ids, in memory.

    ``origin`` names the pairs in messages (a split or a file). Raises ``ValueError`` for a
    sentence of more than ``max_length`` tokens: leaving it out or cutting it short would change
    the corpus behind the reader's back.
    """
    encoded = TokenPairs.of(_encoded(pairs, tokenizer, origin))
    check_lengths(encoded, max_length, origin=origin)
    return encoded


def check_lengths(pairs: TokenPairs, max_length: int, *, origin: str) -> None:
    """Raise ``ValueError`` for the first sentence of more than ``max_length`` tokens."""
    too_long = np.flatnonzero(pairs.lengths > max_length)
    if len(too_long):
        index = int(too_long[0])
        sides = (
            ("source", pairs.source_lengths),
            ("target", pairs.target_lengths),
        )
        side, length = next(
            (name, row[index]) for name, row in sides if row[index] > max_length
        )
        raise ValueError(
            f"{origin}, line {index + 1}: the {side} sentence has {length} tokens, "
            f"the model takes at most {max_length} (max_length)"
        )


def _encoded(
    pairs: Iterable[SentencePair], tokenizer: Tokenizer, origin: str
) -> Iterator[Example]:
    for number, pair in enumerate(pairs, start=1):
        try:
            source, target = (
                tokenizer.source_ids(pair.source),
                tokenizer.target_ids(pair.target),
            )
        except ValueError as error:
            raise ValueError(f"{origin}, line {number}: {error}") from error
        yield Example(tuple(source), tuple(target))


def cached_pairs(
    directory: Path,
    key: CacheKey,
    pairs: Iterable[SentencePair],
    tokenizer: Tokenizer,
    *,
    origin: str,
) -> TokenPairs:
    """Open the cache of this key in `directory`; if there is none, tokenise the pairs into one.

    The pairs are read one at a time and only where they are needed. A cache that is damaged is
    made anew, with a message on standard error. Processes that make the same cache at the same
    time do not disturb each other: the first one's is kept.

    Raises:
        OSError: the disk is full or not writable. Nothing half-written is left.
        ValueError: a sentence cannot be encoded, or no pair is short enough.
    """
    path = directory / key.name
    if path.exists():
        try:
            return open_cache(path, key)
        except (ValueError, FileNotFoundError) as error:
            print(f"{error}; tokenising {origin} again", file=sys.stderr)
            _remove(path)
    try:
        _write(
            path,
            key,
            _encoded(pairs, tokenizer, origin),
            tokenizer.vocab_size,
            origin,
        )
    except FileExistsError:
        pass  # another process has made it meanwhile; it is checked like any other
    except OSError as error:
        if isinstance(error, FileNotFoundError) or error.filename:
            raise
        raise OSError(
            error.errno, f"{error.strerror} (the tokenised {origin})", path
        ) from error
    return open_cache(path, key)


def open_cache(path: Path, key: CacheKey) -> TokenPairs:
    """The pairs of a cache, mapped from the disk.

    Raises:
        FileNotFoundError: a file of it is missing.
        ValueError: it was made of something else or by another version, is cut short or altered.
    """
    description = read_json(path / "cache.json")
    for name, wanted in asdict(key).items():
        if description.get(name) != wanted:
            raise ValueError(
                f"the cache {path} has {name} {description.get(name)!r}, not {wanted}"
            )
    dtype = np.dtype(
        np.uint16 if description.get("bytes_per_id") == 2 else np.int32
    )
    pairs = TokenPairs(
        _mapped(path / "ids.bin", dtype),
        _mapped(path / "offsets.bin", np.dtype(np.int64)),
    )
    if fingerprint(pairs) != description.get("fingerprint"):
        raise ValueError(f"the cache {path} is damaged")
    return pairs


def left_out(directory: Path, key: CacheKey) -> int:
    """How many pairs were too long for this cache."""
    return int(read_json(directory / key.name / "cache.json")["left_out"])


def _mapped(path: Path, dtype: np.dtype[np.generic]) -> np.memmap:
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing")
    try:
        return np.memmap(path, dtype, mode="r")
    except ValueError as error:  # of no bytes, or not of whole numbers
        raise ValueError(f"the cache {path} is cut short: {error}") from error


def _write(
    path: Path,
    key: CacheKey,
    examples: Iterable[Example],
    vocab_size: int,
    origin: str,
) -> None:
    small = vocab_size <= 2**16
    ids, offsets, place, skipped = (
        array("H" if small else "i"),
        array("q", [0]),
        0,
        0,
    )
    show = tqdm(
        examples,
        f"tokenising {origin}",
        unit=" pairs",
        disable=not sys.stderr.isatty(),
    )
    with new_directory(path) as partial:
        with (
            (partial / "ids.bin").open("wb") as rows,
            (partial / "offsets.bin").open("wb") as ends,
        ):
            for example in show:
                if key.longest and example.length > key.longest:
                    skipped += 1
                    continue
                for row in (example.source, example.target):
                    ids.extend(row)
                    place += len(row)
                    offsets.append(place)
                if len(ids) > CHUNK:
                    rows.write(ids.tobytes())
                    ends.write(offsets.tobytes())
                    del ids[:], offsets[:]
            rows.write(ids.tobytes())
            ends.write(offsets.tobytes())
        if not place:
            raise ValueError(
                f"{origin}: no pair of at most {key.longest} tokens is left"
            )
        dtype = np.dtype(np.uint16 if small else np.int32)
        written = TokenPairs(
            _mapped(partial / "ids.bin", dtype),
            _mapped(partial / "offsets.bin", np.dtype("q")),
        )
        description = asdict(key) | {
            "pairs": len(written),
            "left_out": skipped,
            "bytes_per_id": dtype.itemsize,
            "fingerprint": fingerprint(written),
        }
        (partial / "cache.json").write_text(
            json.dumps(description, indent=2) + "\n", "utf-8"
        )


def _remove(path: Path) -> None:
    """Delete a damaged cache; what is no cache is left as it is."""
    other = (
        {file.name for file in path.iterdir()} - CACHE_FILES
        if path.is_dir()
        else {path.name}
    )
    if other:
        raise FileExistsError(
            f"{path} holds something else than a cache: {min(other)}"
        )
    shutil.rmtree(path)
