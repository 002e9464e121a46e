"""What a page weighs: the bytes that a browser loads for its first view, compressed as sent."""

import gzip
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
KINDS = {".html": "html", ".css": "style", ".js": "script", ".woff2": "font", ".svg": "image"}
CHARTS = "vega-bundle.js"
COMPRESSED = {".woff2", ".png"}


@cache
def compressed_size(file: Path) -> int:
    """Return the bytes of a file on their way to the reader."""
    data = file.read_bytes()
    return len(data) if file.suffix in COMPRESSED else len(gzip.compress(data, mtime=0))


def page_kind(name: str, files: Iterable[Path]) -> str:
    """Return the kind of page that the budget has a table for, from what its first view loads."""
    if not (ROOT / f"{name}.ipynb").is_file():
        return "page"
    return "chapter_with_chart" if CHARTS in {file.name for file in files} else "chapter"


def budget() -> dict[str, dict[str, int]]:
    """Read how many bytes of each kind a page may have."""
    return tomllib.loads((ROOT / "book" / "budget.toml").read_text(encoding="utf-8"))


def over_budget(page: str, files: Iterable[Path], limits: dict[str, int]) -> list[str]:
    """Return where a page is heavier than its budget allows, with its heaviest files."""
    sizes = {file: compressed_size(file) for file in files}
    wrong = []
    for kind, limit in limits.items():
        some = {f: s for f, s in sizes.items() if kind in ("total", KINDS.get(f.suffix, "image"))}
        if (weight := sum(some.values())) > limit:
            heavy = sorted(some, key=some.__getitem__, reverse=True)[:3]
            names = ", ".join(f"{file.name} {some[file]:,}" for file in heavy)
            wrong.append(f"{page}: {kind} has {weight:,} bytes, more than {limit:,}: {names}")
    return wrong
