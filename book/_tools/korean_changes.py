"""What changed in the English since a unit was translated: its old words, found in git's history.

A file of `book/ko/` keeps of the English that was translated only its hash. The text itself is in
the history of the page, so it is looked up there; a copy of the book without a history has none.
"""

import difflib
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import nbformat

import extensions  # noqa: F401
from korean_units import Unit, sections, units_of_cell

WORD = re.compile(r"\s+")
LIKE = 0.4  # of its words a unit has kept, if it is the old one changed


def git(folder: Path, *arguments: str) -> str:
    """Return what git says in a folder, nothing where it has no history."""
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def units_in(text: str, suffix: str) -> list[Unit]:
    """Return the units of a page's text."""
    if suffix != ".ipynb":
        return [Unit("text", part) for part in sections(text)]
    try:
        cells = nbformat.reads(text, as_version=4).cells
    except ValueError:  # a revision that was no notebook
        return []
    return [unit for cell in cells for unit in units_of_cell(cell)]


def old_english(page: Path, keys: set[str]) -> dict[str, Unit]:
    """Return the units with these keys that a page has had, newest first."""
    found: dict[str, Unit] = {}
    for revision in git(page.parent, "log", "--format=%H", "--", page.name).split():
        if keys <= found.keys():
            break
        text = git(page.parent, "show", f"{revision}:./{page.name}")
        found = {u.key: u for u in units_in(text, page.suffix) if u.key in keys} | found
    return found


def nearest(old: Unit, among: list[Unit]) -> Unit | None:
    """Return the unit that an old one has become, if there is one that is like it."""
    words = WORD.split(old.english)
    shares = [
        (difflib.SequenceMatcher(None, words, WORD.split(unit.english)).ratio(), unit)
        for unit in among
        if unit.kind == old.kind
    ]
    share, unit = max(shares, key=lambda each: each[0], default=(0.0, None))
    return unit if share >= LIKE else None


def changed_words(old: str, new: str) -> Iterator[str]:
    """Yield each change from one English to the other: `[-old words-]{+new words+}`."""
    a, b = WORD.split(old), WORD.split(new)
    for kind, a0, a1, b0, b1 in difflib.SequenceMatcher(None, a, b).get_opcodes():
        if kind == "equal":
            continue
        before = f"[-{' '.join(a[a0:a1])}-]" if a1 > a0 else ""
        after = f"{{+{' '.join(b[b0:b1])}+}}" if b1 > b0 else ""
        yield f"{' '.join(a[max(0, a0 - 3) : a0])} {before}{after}".strip()


def changes(page: Path, gone: list[str], new: list[Unit]) -> Iterator[str]:
    """Yield for each unit whose English is gone what has become of it."""
    known = old_english(page, set(gone))
    for key in gone:
        if key not in known:
            yield f"{page.stem} {key}: git has no English of it; compare with the page itself"
            continue
        now = nearest(known[key], new)
        if now is None:
            start = known[key].english.strip().split("\n")[0][:50]
            yield f"{page.stem} {key}: {start!r} is gone from the English"
            continue
        yield f"{page.stem} {key} is now {now.key}:"
        yield from (f"    {change}" for change in changed_words(known[key].english, now.english))
