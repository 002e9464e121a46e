"""List the modules that pages print: they wrap at the 80 columns which a page shows.

`make lint` formats these at 80 columns and all others at 100; `pyproject.toml` has the list for
editors, and a test compares it with what the stored outputs of the chapters print.
"""

import json
import re
from pathlib import Path

from rules import ROOT

HEADING = re.compile(r"^# (annotated_transformer/\S+\.py)", re.MULTILINE)


def printed(book: Path = ROOT / "book") -> list[str]:
    """Return the files, from the root of the repository, of which a chapter prints code."""
    texts = (
        "".join(output.get("data", {}).get("text/plain", ""))
        for path in sorted(book.glob("*.ipynb"))
        for cell in json.loads(path.read_text("utf-8"))["cells"]
        for output in cell.get("outputs", [])
    )
    return sorted({file for text in texts for file in HEADING.findall(text)})


if __name__ == "__main__":
    print(*printed())
