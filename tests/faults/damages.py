"""What may be wrong with a file, one fault at a time: the second of the two tables."""

import contextlib
import json
import os
import random
import re
import resource
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

ANY = frozenset({"json", "lines", "toml", "text", "tensors", "tokenizer", "binary"})
TEXT = frozenset({"json", "lines", "toml", "text"})
TABLE = frozenset({"json", "lines", "toml"})
JSON = frozenset({"json", "lines"})
TENSORS = frozenset({"tensors"})
NOBODY = 65534


@dataclass(frozen=True)
class Fault:
    """One way in which a file is not what it should be."""

    damage: Callable[[Path, str, str], object]
    """Damages the file at a path, of a kind, at a key."""
    kinds: frozenset[str]
    """The kinds of file that it can happen to."""
    needs_key: bool = False
    """Whether the door must name a key, whose value is a whole number."""


def whole(change):
    """Damage that is a change of all bytes."""
    return lambda path, kind, key: path.write_bytes(change(path.read_bytes()))


def instead(make):
    """Damage that puts something else in the place of the file."""

    def damage(path, kind, key):
        path.unlink()
        make(path)

    return damage


def set_key(raw):
    """Damage that gives the key another value, as it is written in the file."""

    def damage(path, kind, key):
        text = path.read_text("utf-8")
        if kind == "toml":
            name = key.rpartition(".")[2]
            changed = re.sub(rf"(?m)^{name} = .*$", f"{name} = {raw}", text, count=1)
        else:
            first, *rest = [text] if kind == "json" else text.splitlines(keepends=True)
            content = json.loads(first)
            table, names = content, key.split(".")
            for name in names[:-1]:
                table = table[name]
            table[names[-1]] = "@value@"
            end = "\n" if kind == "lines" else ""
            changed = json.dumps(content).replace('"@value@"', raw) + end + "".join(rest)
        assert changed != text
        path.write_text(changed, "utf-8")

    return damage


def without_key(path, kind, key):
    set_key("@gone@")(path, kind, key)
    text = path.read_text("utf-8")
    name = key.rpartition(".")[2]
    gone = rf"(?m)^{name} = @gone@\n" if kind == "toml" else rf'"{name}": @gone@(, )?'
    changed = re.sub(gone, "", text)
    path.write_text(changed.replace(", }", "}"), "utf-8")


def front(json_text, toml_text):
    """Damage that puts something before all keys."""

    def damage(path, kind, key):
        text = path.read_text("utf-8")
        path.write_text(toml_text + text if kind == "toml" else text.replace("{", json_text, 1))

    return damage


def tensors(change):
    """Damage that changes the table of tensors."""

    def damage(path, kind, key):
        content = change(load_file(path))
        path.unlink()
        save_file(content, path)

    return damage


def first(content):
    return min(content)


def changed(content, change):
    return content | {first(content): change(content[first(content)])}


def hole(path):
    with path.open("wb") as file:
        file.truncate(2**42)  # more than any ceiling, and not a block of the disk


LIST = {"json": "[]", "lines": "[]\n"}
FAULTS = {
    # Whatever is in it.
    "missing": Fault(instead(lambda path: None), ANY),
    "empty": Fault(whole(lambda content: b""), ANY),
    "cut": Fault(whole(lambda content: content[: len(content) // 2]), ANY),
    "noise": Fault(whole(lambda content: random.Random(1).randbytes(3_000)), ANY),
    "directory": Fault(instead(lambda path: path.mkdir()), ANY),
    "link to nothing": Fault(instead(lambda path: path.symlink_to("nowhere")), ANY),
    "link to itself": Fault(instead(lambda path: path.symlink_to(path.name)), ANY),
    "pipe": Fault(instead(os.mkfifo), ANY),
    "huge": Fault(instead(hole), ANY - {"text", "lines"}),
    "unreadable": Fault(lambda path, kind, key: path.chmod(0), ANY),
    # Texts.
    "UTF-16": Fault(whole(lambda content: content.decode().encode("utf-16")), TEXT),
    "not UTF-8": Fault(whole(lambda content: content + b"\xfc\n"), TEXT - {"lines"}),
    "byte-order mark": Fault(whole(lambda content: b"\xef\xbb\xbf" + content), TEXT),
    "NUL": Fault(whole(lambda content: b"\0" + content), TABLE),
    # Tables.
    "list": Fault(lambda path, kind, key: path.write_text(LIST[kind]), JSON),
    "key twice": Fault(front('{"step": 1, "step": 2, ', 'name = "x"\n'), TABLE),
    "unknown key": Fault(front('{"unknown_key": 1, ', "unknown_key = 1\n"), TABLE),
    "deep": Fault(front('{"x": ' + "[" * 100_000 + ", ", "x = " + "[" * 50_000 + "\n"), TABLE),
    "deep and closed": Fault(
        front('{"x": ' + "[" * 500 + "]" * 500 + ", ", "x = " + "[" * 90 + "]" * 90 + "\n"), TABLE
    ),
    # A whole number of them.
    "no key": Fault(without_key, TABLE, needs_key=True),
    "string": Fault(set_key('"12"'), TABLE, needs_key=True),
    "truth value": Fault(set_key("true"), TABLE, needs_key=True),
    "list for a number": Fault(set_key("[1]"), TABLE, needs_key=True),
    "fraction": Fault(set_key("1.5"), TABLE, needs_key=True),
    "infinite": Fault(set_key("1e999"), TABLE, needs_key=True),
    "2^60": Fault(set_key(str(2**60)), TABLE, needs_key=True),
    "10^30": Fault(set_key(str(10**30)), TABLE, needs_key=True),
    "100,000 digits": Fault(set_key("9" * 60_000), TABLE, needs_key=True),
    "negative": Fault(set_key("-3"), TABLE, needs_key=True),
    "half a character": Fault(set_key('"\\ud800"'), JSON, needs_key=True),
    # Tensors.
    "whole numbers": Fault(tensors(lambda t: {k: v.long() for k, v in t.items()}), TENSORS),
    "truth values": Fault(tensors(lambda t: {k: v.bool() for k, v in t.items()}), TENSORS),
    "one of whole numbers": Fault(tensors(lambda t: changed(t, torch.Tensor.int)), TENSORS),
    "NaN": Fault(tensors(lambda t: changed(t, lambda v: v * torch.nan)), TENSORS),
    "infinity": Fault(tensors(lambda t: changed(t, lambda v: v + torch.inf)), TENSORS),
    "too large in float32": Fault(
        tensors(lambda t: {k: (v.double() + 1) * 1e300 for k, v in t.items()}), TENSORS
    ),
    "a tensor less": Fault(
        tensors(lambda t: {k: v for k, v in t.items() if k != first(t)}), TENSORS
    ),
    "a tensor more": Fault(tensors(lambda t: t | {"more": torch.ones(1)}), TENSORS),
    "another shape": Fault(tensors(lambda t: changed(t, lambda v: v[:1].clone())), TENSORS),
    "long header": Fault(whole(lambda content: struct.pack("<Q", 10**9) + content[8:]), TENSORS),
    "longer header": Fault(whole(lambda content: b"\xff" * 8 + content[8:]), TENSORS),
}
"""Each fault, and the kinds of file to which it can happen."""


@contextlib.contextmanager
def as_nobody():
    """Read and write as somebody who owns nothing, where root would be let through."""
    if os.geteuid():
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextlib.contextmanager
def read_only(folder):
    """Let nothing be written into a folder."""
    folder.chmod(0o555)
    try:
        with as_nobody():
            yield
    finally:
        folder.chmod(0o755)


@contextlib.contextmanager
def full_disk(folder):
    """Let no file grow beyond a few bytes; a full disk refuses in the same place."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


DISKS = {"read-only folder": read_only, "full disk": full_disk}
"""What may be wrong with the place that is written to."""
