"""Files from the network: fetched once, checked by their sha256, complete or not there at all.

A file that is in the folder already is used if its content is right, also without a network; it may
be packed, with ".gz" added to its name.
"""

import gzip
import hashlib
import shutil
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, BinaryIO
from urllib.parse import urljoin

from annotated_transformer.storage.atomic import new_file, partial_name
from annotated_transformer.storage.reading import regular_file

PATIENCE = 10
"""Seconds until a server that says nothing is given up."""
REDIRECTS = 10
"""How often a download may be sent to another address."""


@dataclass(frozen=True)
class RemoteFile:
    """A file and the hash of its content."""

    name: str
    """The name in the folder."""
    url: str
    sha256: str
    """Of the content."""
    size: int
    """In bytes."""


def fetch(remote: RemoteFile, folder: Path) -> Path:
    """Return the path of a file in `folder`, and fetch it first if it is not there.

    Raises:
        OSError: the network or the disk failed; no partial file is left.
        ValueError: the file that is there, or that was fetched, has another sha256; more came
            than its size; or its name leads out of the folder.
    """
    _check_name(remote.name)
    for path in (folder / remote.name, folder / f"{remote.name}.gz"):
        if path.exists():
            regular_file(path, "tensor_bytes")
            digest = _sha256(path, remote.size, unpack=path.name != remote.name)
            if digest != remote.sha256:
                raise ValueError(
                    f"{path} is not the file that it should be: its sha256 is {digest}, expected "
                    f"{remote.sha256}; delete it to fetch it again from {remote.url}"
                )
            return path
    _download(remote, folder / remote.name)
    return folder / remote.name


def _check_name(name: str) -> None:
    """Refuse a name that is no plain one on some system. Raises `ValueError`."""
    plain = PurePosixPath(name).name == name == PureWindowsPath(name).name
    if not (plain and name.isprintable() and name not in ("", ".", "..")):
        raise ValueError(
            f"a download is named {name!r}; expected the name of a file, without folders"
        )


class _Measured:
    """Writes a download, knows its sha256, and takes no more than the bytes expected."""

    def __init__(self, file: BinaryIO, most: int) -> None:
        self.file, self.most, self.size = file, most, 0
        self.digest = hashlib.sha256()

    def write(self, chunk: bytes) -> None:
        """Add bytes. Raises `_WrongFileError`."""
        self.size += len(chunk)
        if self.size > self.most:
            raise _WrongFileError(f"more than {self.most:,} bytes")
        self.digest.update(chunk)
        self.file.write(chunk)

    def flush(self) -> None:
        """Leave that to the end."""


class _WrongFileError(ValueError):
    """What came is not the file, whatever its beginning."""


class _MovedError(Exception):
    """The answer names another address."""


class _Answers:
    """Looks at the head of each answer before any of its body is read."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.all: list[Any] = []

    def __call__(self, response: Any, *_: object, **__: object) -> None:
        """Raise `_MovedError` or `_WrongFileError` if something else than the file came."""
        self.all.append(response)
        if response.is_redirect:
            raise _MovedError(response.headers["Location"])
        packed = response.headers.get("Content-Encoding", "").lower()
        length = response.headers.get("Content-Length", "")
        if not response.ok:
            return  # an error, which has a page of any size
        # Packed twice, a few bytes would be unpacked to gigabytes at once.
        if packed not in ("", "identity", "gzip"):
            raise _WrongFileError(f"an answer packed as {packed[:40]!r}")
        if length.isdecimal() and int(length) > self.most:
            raise _WrongFileError(f"{int(length):,} bytes")

    def close(self) -> None:
        """End all connections; pooch leaves that to the garbage collector."""
        for response in self.all:
            response.close()


def _download(remote: RemoteFile, path: Path) -> None:
    """Write the file under its name if all of it came, and no byte more."""
    try:
        with new_file(path) as file:
            measured = _Measured(file, remote.size)
            _follow(remote, measured)
            if measured.digest.hexdigest() != remote.sha256:
                raise _WrongFileError(f"{measured.size:,} bytes with another sha256")
    except _WrongFileError as error:
        raise ValueError(
            f"what came from {remote.url} is not the expected file: {error}, where "
            f"{remote.size:,} bytes with the sha256 {remote.sha256} were expected; try again, or "
            f"put the file at {path}"
        ) from error
    except (OSError, ValueError) as error:
        # Of the disk, or of the network: requests' errors are of these kinds.
        raise OSError(
            f"{remote.url} could not be fetched: {error}; without a network, put it at {path}"
        ) from error


def _follow(remote: RemoteFile, measured: _Measured) -> None:
    """Fetch from the address, or from that to which it leads."""
    import pooch  # noqa: PLC0415  (imported in a notebook, it warns about its progress bar)

    # Packed for the way, a file may be a little larger than it is.
    answers = _Answers(remote.size + remote.size // 100 + 1_000)
    fetch_whole = pooch.HTTPDownloader(
        progressbar=sys.stderr.isatty(),
        timeout=PATIENCE,
        # requests itself would read all of an answer that leads elsewhere.
        allow_redirects=False,
        headers={"Accept-Encoding": "identity"},
        hooks={"response": answers},
    )
    url = remote.url
    try:
        for _ in range(REDIRECTS):
            try:
                fetch_whole(url, measured, None)
                return
            except _MovedError as moved:
                url = urljoin(url, str(moved))
        raise OSError(f"it leads elsewhere {REDIRECTS} times, last to {url}")
    finally:
        answers.close()


@contextmanager
def partial_directory(path: Path) -> Iterator[Path]:
    """Make a directory beside `path` for files that are being written, and delete it at the end."""
    partial = partial_name(path)
    partial.mkdir()
    try:
        yield partial
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _sha256(path: Path, size: int, *, unpack: bool = False) -> str:
    """Return the sha256 of a file, or of its unpacked content; stop after one byte too many."""
    digest = hashlib.sha256()
    left = size + 1
    try:
        with gzip.open(path) if unpack else path.open("rb") as file:
            while left and (chunk := file.read(min(left, 2**20))):
                digest.update(chunk)
                left -= len(chunk)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(
            f"{path}: not a gzip file, or a damaged one ({error}); delete it"
        ) from error
    return digest.hexdigest()
