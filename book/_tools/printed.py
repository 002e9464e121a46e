"""List the modules that pages print, or the notebooks that print modules.

    python book/_tools/printed.py                                   # the modules
    python book/_tools/printed.py annotated_transformer/layers.py   # the notebooks that print it

`make lint` formats these modules at the 80 columns which a page shows, and all others at 100;
`pyproject.toml` has the list for editors, and a test compares it with what the chapters print.
"""

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path

from rules import ROOT

HEADING = re.compile(r"(?:^# |→ )(annotated_transformer/\S+\.py)", re.MULTILINE)


def modules_of(notebook: Path) -> set[str]:
    """Return the files, from the root of the repository, of which a notebook prints code."""
    texts = (
        "".join(output.get("data", {}).get("text/plain", ""))
        for cell in json.loads(notebook.read_text("utf-8"))["cells"]
        for output in cell.get("outputs", [])
    )
    return {file for text in texts for file in HEADING.findall(text)}


def printed(book: Path = ROOT / "book") -> list[str]:
    """Return all files of which a chapter prints code."""
    return sorted(set().union(*map(modules_of, book.glob("*.ipynb"))))


def notebooks_with(modules: Sequence[str], book: Path = ROOT / "book") -> list[str]:
    """Return the notebooks, from the root of the repository, that print one of the modules."""
    found = [path for path in sorted(book.glob("*.ipynb")) if modules_of(path) & set(modules)]
    return [path.relative_to(book.parent).as_posix() for path in found]


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("modules", nargs="*", help="annotated_transformer/layers.py, for instance")
    modules = parser.parse_args().modules
    unknown = [name for name in modules if not (ROOT / name).is_file()]
    if unknown:
        parser.error(f"{unknown[0]} is no file of this repository")
    print(*(notebooks_with(modules) if modules else printed()))


if __name__ == "__main__":
    main()
