"""Hold what the book has against a file of lines, or add to it: one command for two stores."""

import argparse
import sys
from collections.abc import Callable, Set
from pathlib import Path

from rules import ROOT


def compare_or_add(
    description: str | None,
    stored: Path,
    now: Set[str],
    lost: Callable[[set[str], set[str]], list[str]],
) -> int:
    """Print a sentence for everything that `lost` names; with `--add` store what is new.

    Returns the status of the command: 1 if something is lost.
    """
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--add", action="store_true", help="store what is new")
    before = set(stored.read_text(encoding="utf-8").splitlines()) if stored.exists() else set()
    if parser.parse_args().add:
        stored.write_text("".join(f"{line}\n" for line in sorted(before | now)), encoding="utf-8")
        print(f"{stored.stem}: {len(now - before)} new in {stored.relative_to(ROOT)}")
        return 0
    wrong = lost(before, set(now))
    for sentence in wrong:
        print(f"{stored.stem}: {sentence}", file=sys.stderr)
    return 1 if wrong else 0
