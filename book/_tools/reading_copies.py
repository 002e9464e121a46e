"""Copy the notebooks that are read into a folder where a reader may change them.

    python book/_tools/reading_copies.py [--language ko] FOLDER

The built book has them (book/_ext/edition.py). A copy whose cells are as they were written is
replaced by a newer one; a copy in which somebody has changed or run a cell is theirs, and stays.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

import nbformat

HTML = Path(__file__).parents[2] / "_build" / "html"
EDITIONS = {
    "en": HTML / "_sources" / "book",
    "ko": HTML / "ko" / "_sources" / "book",
}
WRITTEN = ".written.json"


def copy_notebooks(edition: Path, folder: Path) -> list[str]:
    """Write the copies; return the names of those that stay and of which there is a newer one."""
    folder.mkdir(parents=True, exist_ok=True)
    note = folder / WRITTEN
    written = json.loads(note.read_text(encoding="utf-8")) if note.is_file() else {}
    older = []
    for source in sorted(edition.glob("*.ipynb")):
        copy, new = folder / source.name, digest(source)
        last = written.get(copy.name)
        if copy.is_file() and digest(copy) not in (last, new):
            older += [copy.name] if last != new else []
            continue
        copy.write_bytes(source.read_bytes())
        written[copy.name] = new
        note.write_text(json.dumps(written, indent=1), encoding="utf-8")
    return older


def digest(path: Path) -> str:
    """Return what tells the cells of one notebook from those of another.

    What an editor writes around them, only because it opened the notebook, is no change.
    """
    try:
        cells = nbformat.read(path, as_version=4).cells
    except (ValueError, AttributeError):  # no notebook, so it is a reader's
        return hashlib.sha256(path.read_bytes()).hexdigest()
    content = [(cell.cell_type, cell.source, cell.get("outputs")) for cell in cells]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def main() -> None:
    """Write the copies into the folder on the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--language", choices=EDITIONS, default="en")
    args = parser.parse_args()
    edition, folder = EDITIONS[args.language], args.folder
    if not any(edition.glob("*.ipynb")):
        sys.exit("There is no built book yet: make book")
    for name in copy_notebooks(edition, folder):
        print(
            f"{folder / name} has your changes and stays. Rename it to get the newer chapter too."
        )


if __name__ == "__main__":
    main()
