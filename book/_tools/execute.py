"""Run the book's notebooks in place and store their outputs in one canonical form.

    python book/_tools/execute.py [NOTEBOOK ...]     (`make outputs`)

Without arguments every notebook of book/ runs. A second run changes nothing: metadata that a front
end adds (versions, timestamps, widget state) is dropped and cell ids follow from the position.
"""

import argparse
import base64
import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from light_pictures import light
from rules import CHART_TYPES, FOLDED

BOOK = Path(__file__).parents[1]
CELL_TIMEOUT = 7200  # seconds; only for a cell that never ends
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
KEPT_CELL_METADATA = ("tags", "mystnb", "slides", "jupyter", FOLDED)


def normalise(notebook: NotebookNode) -> None:
    """Bring a notebook into the canonical form, without a change of its content."""
    notebook.metadata = NotebookNode(kernelspec=KERNEL, language_info={"name": "python"})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    count = 0
    for position, cell in enumerate(notebook.cells):
        cell.id = f"cell-{position:03d}"
        cell.metadata = NotebookNode(
            {key: cell.metadata[key] for key in KEPT_CELL_METADATA if cell.metadata.get(key)}
        )
        if cell.cell_type != "code":
            continue
        count += 1
        cell.execution_count = count
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count
            store_picture(output)
            describe(output, cell)
        cell.outputs = merge_streams(cell.outputs)


def store_picture(output: NotebookNode) -> None:
    """Take the greater part of its weight from a picture of matplotlib; its height follows."""
    details = output.get("metadata", {}).get("image/png", {})
    if details.pop("height", None) is not None:
        png = base64.b64decode(output.data["image/png"])
        output.data["image/png"] = base64.b64encode(light(png)).decode()


def describe(output: NotebookNode, cell: NotebookNode) -> None:
    """Store the cell's alternative text with its pictures, where front ends look for it."""
    text = cell.metadata.get("mystnb", {}).get("image", {}).get("alt")
    for kind in CHART_TYPES:
        if text and kind in output.get("data", {}):
            output.metadata.setdefault(kind, NotebookNode())["alt"] = text


def merge_streams(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join neighbouring pieces of the same stream, whose borders differ from run to run."""
    merged: list[NotebookNode] = []
    for output in outputs:
        last = merged[-1] if merged else None
        if last and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            merged.append(output)
    return merged


def execute(path: Path) -> bool:
    """Run one notebook in its folder and store it; return whether the file changed."""
    before = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(before, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.source.strip()]
    NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT,
        kernel_name=KERNEL["name"],
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
    ).execute()
    normalise(notebook)
    nbformat.validate(notebook)
    after = nbformat.writes(notebook) + "\n"
    path.write_text(after, encoding="utf-8")
    return after != before


def main() -> int:
    """Run the notebooks named on the command line, or all of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK")
    # The last chapter trains; stored outputs are those of the CPU run, on a machine with a GPU too.
    os.environ["ANNOTATED_TRANSFORMER_RECIPE"] = "english_korean_live"
    paths = parser.parse_args().notebooks or sorted(BOOK.glob("*.ipynb"))
    for path in paths:
        if not path.is_file():
            print(f"execute: there is no notebook {path}", file=sys.stderr)
            return 1
        print(f"{path.name}: running", flush=True)
        try:
            changed = execute(path)
        except CellExecutionError as error:
            print(
                f"execute: {path} stopped at a cell and was left as it was\n{error}",
                file=sys.stderr,
            )
            return 1
        print(f"{path.name}: {'outputs stored' if changed else 'unchanged'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
