"""Files from the network: fetched once, checked by their sha256, complete or not there at all.

A file that is in the folder already is used if its content is right, also without a network; it may
be packed, with ".gz" added to its name.
"""

import gzip
import hashlib
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path

DATA_VARIABLE = "ANNOTATED_TRANSFORMER_DATA"
"""Environment variable that names the directory of downloads and caches."""


def data_directory() -> Path:
    """Where downloads, and corpora that were generated or tokenised, lie.

    The directory that the environment variable ANNOTATED_TRANSFORMER_DATA names, else the usual
    place for caches on this system.
    """
    if folder := os.environ.get(DATA_VARIABLE):
        return Path(folder)
    return user_cache_path("annotated_transformer")


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
        ValueError: the file that is there, or that was fetched, has another sha256.
    """
    for path in (folder / remote.name, folder / f"{remote.name}.gz"):
        if path.exists():
            found = _sha256(path, unpack=path.name != remote.name)
            if found != remote.sha256:
                raise ValueError(
                    f"{path} is not the file that it should be: its sha256 is {found}, expected "
                    f"{remote.sha256}; delete it to fetch it again from {remote.url}"
                )
            return path
    _download(remote, folder / remote.name)
    return folder / remote.name


def _download(remote: RemoteFile, path: Path) -> None:
    import pooch  # noqa: PLC0415  (imported in a notebook, it warns about its progress bar)

    pooch.get_logger().setLevel("WARNING")  # whoever fetches says it
    fetch_whole = pooch.HTTPDownloader(progressbar=sys.stderr.isatty())
    size = 0

    def fetch_and_measure(url: str, output_file: str, _: object) -> None:
        nonlocal size
        fetch_whole(url, output_file, None)
        size = Path(output_file).stat().st_size

    try:
        # Into a temporary file beside the path, which gets its name if its sha256 is right.
        pooch.retrieve(
            remote.url,
            f"sha256:{remote.sha256}",
            path.name,
            path.parent,
            downloader=fetch_and_measure,
        )
    except OSError as error:  # of the disk, or of the network: requests' errors are of this kind
        if (response := getattr(error, "response", None)) is not None:
            response.close()  # pooch leaves that to the garbage collector
        raise OSError(
            f"{remote.url} could not be fetched: {error}; without a network, put it at {path}"
        ) from error
    except ValueError as error:
        raise ValueError(
            f"what came from {remote.url} is not the expected file: {size:,} bytes with another "
            f"sha256 than that of the {remote.size:,} bytes expected ({remote.sha256})"
        ) from error


@contextmanager
def partial_directory(path: Path) -> Iterator[Path]:
    """A directory beside `path` for files that are being written; it is deleted at the end."""
    partial = Path(
        tempfile.mkdtemp(
            dir=path.parent, prefix=f".{path.name}.", suffix=".partial"
        )
    )
    try:
        yield partial
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _sha256(path: Path, *, unpack: bool = False) -> str:
    """The sha256 of a file, or of its unpacked content."""
    digest = hashlib.sha256()
    try:
        with gzip.open(path) if unpack else path.open("rb") as file:
            while chunk := file.read(2**20):
                digest.update(chunk)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(
            f"{path}: not a gzip file, or a damaged one ({error})"
        ) from error
    return digest.hexdigest()
