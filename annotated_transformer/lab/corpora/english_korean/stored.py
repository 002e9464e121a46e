"""The splits as they were derived once, in a file beside the downloads.

To read them is much faster than to derive them. The file is a copy and no source: it says which
code has derived it and what was asked of that code, and is made again where it is missing or
damaged or says something else.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.corpora.english_korean.derivation import without_collector
from annotated_transformer.storage.atomic import write_bytes
from annotated_transformer.storage.machine import data_directory
from annotated_transformer.storage.reading import parse_json, read_bytes

Splits = Mapping[str, Sequence[SentencePair]]


@cache
def code_digest(folder: Path = Path(__file__).parent) -> str:
    """The sha256 of all files of the grammar: its code and its lists of words."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.suffix in (".py", ".txt"):
            digest.update(f"{file.relative_to(folder).as_posix()}\0".encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def stored_pairs(
    name: str, asked: str, split: str, derive: Callable[[], Splits]
) -> Sequence[SentencePair]:
    """The pairs of a split, from the file of this name; where it is of no use, from `derive()`.

    All splits are then written to it, if that is possible. `asked` is what else they depend on.
    """
    path = data_directory() / f"{name}.jsonl"
    # A file that cannot be read, that is cut short, or that was made by other code.
    with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
        return _read(path, asked, split)
    splits = derive()
    with suppress(OSError):  # a disk that is full, a home that may not be written to
        _write(path, asked, splits)
    return splits[split]


def _head(asked: str, splits: Sequence[str], rest: bytes) -> dict[str, object]:
    return {
        "derived_by": code_digest(),
        "asked": asked,
        "splits": splits,
        "sha256": hashlib.sha256(rest).hexdigest(),
    }


def _read(path: Path, asked: str, split: str) -> Sequence[SentencePair]:
    head, _, rest = read_bytes(path, "tensor_bytes").partition(b"\n")
    about = parse_json(head, str(path))
    if about != _head(asked, about["splits"], rest):
        raise ValueError(f"{path} was derived by other code, holds something else or is damaged")
    with without_collector():
        rows = json.loads(rest.split(b"\n")[about["splits"].index(split)])
        return [
            SentencePair(source, target, _links(alignment), construction)
            for source, target, alignment, construction in rows
        ]


def _links(alignment: list[tuple[int, int]] | None) -> tuple[tuple[int, int], ...] | None:
    return None if alignment is None else tuple((here, there) for here, there in alignment)


def _write(path: Path, asked: str, splits: Splits) -> None:
    with without_collector():
        lines = [
            json.dumps(
                [(p.source, p.target, p.alignment, p.construction) for p in pairs],
                ensure_ascii=False,
                separators=(",", ":"),
            )
            for pairs in splits.values()
        ]
    rest = "\n".join(lines).encode()
    head = json.dumps(_head(asked, [*splits], rest)).encode()
    write_bytes(path, head + b"\n" + rest)
