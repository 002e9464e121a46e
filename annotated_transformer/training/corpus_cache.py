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
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from tqdm import tqdm

from annotated_transformer.checks import shown
from annotated_transformer.storage.atomic import new_directory
from annotated_transformer.storage.reading import entry, read_json, regular_file
from annotated_transformer.training.encoded import Example, TokenPairs, fingerprint

FORMAT = 1  # of this layout
CACHE_FILES = frozenset({"ids.bin", "offsets.bin", "cache.json"})
"""What a cache consists of; a directory that holds anything else is never deleted."""
CHUNK = 2**20  # ids that are held back before they are written


@dataclass(frozen=True, kw_only=True)
class CacheKey:
    """What a cache was made of."""

    content: str  # the sha256 of the text
    tokenizer: str  # its fingerprint
    longest: int = 0  # pairs with a side of more tokens were left out; 0 for none
    format: int = FORMAT

    @property
    def name(self) -> str:
        """The name of the cache's directory."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:32]


def cached_pairs(
    directory: Path, key: CacheKey, examples: Iterable[Example], vocab_size: int, *, origin: str
) -> TokenPairs:
    """Open the cache of this key in `directory`; if there is none, write the examples into one.

    They are taken one at a time and only where they are needed: `encode` makes them meanwhile. A
    cache that is damaged is made anew, with a message on standard error. Processes that make the
    same cache at the same time do not disturb each other: the first one's is kept.

    Raises `OSError` if the disk is full or not writable, when nothing half-written is left, and
    `ValueError` if a sentence cannot be encoded, or no pair is short enough.
    """
    path = directory / key.name
    if path.exists():
        try:
            return open_cache(path, key)
        except (ValueError, FileNotFoundError) as error:
            print(f"{error}; tokenising {origin} again", file=sys.stderr)
            _remove(path)
    try:
        _write(path, key, examples, vocab_size, origin)
    except FileExistsError:
        pass  # another process has made it meanwhile; it is checked like any other
    except OSError as error:
        if isinstance(error, FileNotFoundError) or error.filename not in (None, str(path)):
            raise
        raise OSError(error.errno, f"{error.strerror} (the tokenised {origin})", path) from error
    return open_cache(path, key)


def open_cache(path: Path, key: CacheKey) -> TokenPairs:
    """Open the pairs of a cache, mapped from the disk.

    Raises `FileNotFoundError` if a file of it is missing, and `ValueError` if it was made of
    something else or by another version, is cut short or altered.
    """
    description = read_json(path / "cache.json")
    for name, expected in asdict(key).items():
        stored = description.get(name)
        if type(stored) is not type(expected) or stored != expected:
            raise ValueError(f"the cache {path} has {name} {shown(stored)}; expected {expected}")
    dtype = np.dtype(np.uint16 if description.get("bytes_per_id") == 2 else np.int32)
    pairs = TokenPairs(
        _mapped(path / "ids.bin", dtype), _mapped(path / "offsets.bin", np.dtype(np.int64))
    )
    if fingerprint(pairs) != description.get("fingerprint"):
        raise ValueError(
            f"the cache {path} is damaged: its ids must have the fingerprint in cache.json"
        )
    return pairs


def left_out(directory: Path, key: CacheKey) -> int:
    """Return how many pairs were too long for this cache."""
    origin = directory / key.name / "cache.json"
    return entry(read_json(origin), "left_out", int, origin)


def _mapped(path: Path, dtype: np.dtype[np.generic]) -> np.memmap:
    try:
        return np.memmap(regular_file(path, "tensor_bytes"), dtype, mode="r")
    except ValueError as error:  # of no bytes, or not of whole numbers
        raise ValueError(
            f"the cache {path} is cut short: {error}; expected whole numbers"
        ) from error


def _write(
    path: Path, key: CacheKey, examples: Iterable[Example], vocab_size: int, origin: str
) -> None:
    small = vocab_size <= 2**16
    ids, offsets = array("H" if small else "i"), array("q", [0])
    end = skipped = 0
    show = tqdm(examples, f"tokenising {origin}", unit=" pairs", disable=not sys.stderr.isatty())
    with new_directory(path) as partial:
        with (partial / "ids.bin").open("wb") as rows, (partial / "offsets.bin").open("wb") as ends:
            for example in show:
                if key.longest and example.length > key.longest:
                    skipped += 1
                    continue
                for row in (example.source, example.target):
                    ids.extend(row)
                    end += len(row)
                    offsets.append(end)
                if len(ids) > CHUNK:
                    rows.write(ids.tobytes())
                    ends.write(offsets.tobytes())
                    del ids[:], offsets[:]
            rows.write(ids.tobytes())
            ends.write(offsets.tobytes())
        if not end:
            raise ValueError(f"{origin}: no pair of at most {key.longest} tokens is left")
        dtype = np.dtype(np.uint16 if small else np.int32)
        written = TokenPairs(
            _mapped(partial / "ids.bin", dtype), _mapped(partial / "offsets.bin", np.dtype("q"))
        )
        description = asdict(key) | {
            "pairs": len(written),
            "left_out": skipped,
            "bytes_per_id": dtype.itemsize,
            "fingerprint": fingerprint(written),
        }
        (partial / "cache.json").write_text(json.dumps(description, indent=2) + "\n", "utf-8")


def _remove(path: Path) -> None:
    """Delete a damaged cache, and nothing that is not a cache."""
    other = {file.name for file in path.iterdir()} - CACHE_FILES if path.is_dir() else {path.name}
    if other:
        raise FileExistsError(f"{path} holds something else than a cache: {min(other)}")
    shutil.rmtree(path)
