"""Files and directories that appear whole or not at all.

What is written is completed under another name, flushed to the disk, and only then renamed.
"""

import errno
import os
import secrets
import shutil
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

PARTIAL = ".partial"
"""Suffix of a file that is still being written; a killed program's leftover may be deleted."""
_TAKEN = (errno.EEXIST, errno.ENOTEMPTY)


@contextmanager
def new_directory(
    path: Path, *, replaces: Collection[str] = (), optional: Collection[str] = ()
) -> Iterator[Path]:
    """Yield a directory to fill; at the end it becomes `path`, at an error it disappears.

    A directory that was at `path` before is replaced only when the new one is on the disk. Raises
    `FileExistsError` if `path` is a file or a directory that is not empty, except one that holds
    exactly the names in `replaces`, and perhaps some of those in `optional`.
    """
    path = real(path)  # through a link, to what it leads to
    old = set_aside(path)
    _check_replaceable(path, replaces, optional)
    _check_replaceable(old, replaces, optional)
    path.parent.mkdir(parents=True, exist_ok=True)
    restore_set_aside(path)
    partial = partial_name(path)
    partial.mkdir()
    try:
        with naming(path):
            yield partial
            for file in partial.rglob("*"):
                _flush(file)
            _flush(partial)
        _check_replaceable(path, replaces, optional)
        _rename(partial, path)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def real(path: Path) -> Path:
    """Return where a path leads, past all links; one that leads to itself stays as it is.

    `Path.resolve` raises a RuntimeError for that one, which names no file that its user knows.
    """
    return Path(os.path.realpath(path))


def check_folder(path: Path) -> None:
    """Refuse a folder that is none, or that cannot be made or written into. Raises `OSError`."""
    if path.is_symlink() and not path.exists():
        raise FileNotFoundError(f"{path} is a link to {path.readlink()}, which is not there")
    if path.exists() and not path.is_dir():
        raise NotADirectoryError(f"{path} is a file; expected a folder, or nothing yet")
    there = next(each for each in (path, *path.absolute().parents) if each.exists())
    if not there.is_dir():
        raise NotADirectoryError(f"{path} cannot be made: {there} is a file; choose another place")
    effective = {"effective_ids": True} if os.access in os.supports_effective_ids else {}
    if not os.access(there, os.W_OK | os.X_OK, **effective):
        raise PermissionError(f"you may not write into {there}; choose another place than {path}")


def _check_replaceable(path: Path, replaces: Collection[str], optional: Collection[str]) -> None:
    """Refuse to delete files that this program has not written."""
    if path.exists() and not path.is_dir():
        raise FileExistsError(f"{path} is a file; expected a directory, or nothing yet")
    names = {file.name for file in path.iterdir()} if path.exists() else set()
    if names and names - set(optional) != set(replaces):
        content = "something else than a saved model" if replaces else "something already"
        foreign = names - set(replaces) - set(optional)
        example = min(foreign, default=min(names))
        raise FileExistsError(f"{path} holds {content}, such as {example}; it is left as it is")


def set_aside(path: Path) -> Path:
    """Return where a directory waits while its successor gets its name: whole, never deleted."""
    path = path.absolute()
    return path.with_name(f".{path.name}.old")


def restore_set_aside(path: Path) -> None:
    """Rename a directory back that a program was about to replace when it was killed."""
    old = set_aside(path)
    if old.exists() and not path.exists():
        old.rename(path)


def _rename(partial: Path, path: Path) -> None:
    """Move a finished directory to its name; an old one is put back if that fails."""
    old = set_aside(path)
    _discard(old)
    try:
        if path.exists():
            path.rename(old)
        partial.rename(path)
    except BaseException as error:
        if old.exists() and not path.exists():
            old.rename(path)
        if isinstance(error, OSError) and error.errno in _TAKEN:
            raise FileExistsError(
                f"{path} was made by another process meanwhile; it is left as it is"
            ) from error
        raise
    _flush(path.parent)
    _discard(old)


def _discard(old: Path) -> None:
    """Delete the directory that was set aside, if there is one: its successor has its name."""
    if old.exists():
        doomed = old.with_name(f"{old.name}{PARTIAL}")
        shutil.rmtree(doomed, ignore_errors=True)
        # Renamed first: half of a directory must not look like one that was set aside.
        shutil.rmtree(old.rename(doomed))


def write_text(path: Path, text: str) -> None:
    """Write a small text file as a whole, or leave the one that is there."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a small file as a whole, or leave the one that is there."""
    with new_file(path) as file:
        file.write(content)


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a file to write; at the end it becomes `path`, at an error it disappears.

    Its permissions are those that the umask leaves, as if it were opened under its name.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = partial_name(path)
    try:
        with naming(path):
            with partial.open("xb") as file:
                yield file
            _flush(partial)
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    _flush(path.parent)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name the file in an error of the system: a disk that is full does not say for which it is."""
    try:
        yield
    except OSError as error:
        if error.strerror:  # one of ours says it in its own words
            error.filename = error.filename or str(path)
        raise


def partial_name(path: Path) -> Path:
    """Return a name beside `path` that nobody else has, for a file that will replace it.

    The module tempfile would also make the file or directory, for its owner alone whatever the
    umask says.
    """
    return path.with_name(f".{path.name}.{secrets.token_hex(8)}{PARTIAL}")


def _flush(path: Path) -> None:
    """Wait until a file, or a directory's list of names, has reached the disk."""
    if sys.platform == "win32":  # which flushes neither a directory nor what is open for reading
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
