"""Write launch copies of the notebooks, which the Colab buttons open.

    python book/_tools/launch_copies.py FOLDER --repository URL --commit SHA

A copy has one more cell at its beginning. It installs the package from that repository at that
commit and, if the chapter reads records of runs, copies them, so that the notebook runs without the
rest of the repository. Outputs stay, and Colab too folds the sections that JupyterLab folds. The
program needs nbformat and nothing else, and no other file of the tools: the workflow that publishes
the copies installs that alone.
"""

import argparse
from pathlib import Path

import nbformat
from nbformat import NotebookNode

ROOT = Path(__file__).parents[2]
INSTALL = '%pip install --quiet "annotated-transformer[book] @ git+{url}@{commit}"'
RECORDS = (
    "\n!git clone --quiet {url} repository && git -C repository checkout --quiet {commit}"
    "\n!cp -r repository/book/results ."
)
READERS = ("annotated_transformer.records", '"results/')
"""What a chapter that reads records has in one of its cells."""
FOLDED = "jp-MarkdownHeadingCollapsed"
COMMENT = "# Installs the code of this book, from the very commit that this copy was made of.\n"


def launch_copy(notebook: NotebookNode, *, url: str, commit: str) -> NotebookNode:
    """Return a copy of a notebook whose first cell installs the package from a commit."""
    copy = nbformat.from_dict(notebook)
    reads_records = any(way in cell.source for cell in notebook.cells for way in READERS)
    source = COMMENT + INSTALL + (RECORDS if reads_records else "")
    install = nbformat.v4.new_code_cell(source.format(url=url, commit=commit))
    install.id = "install"
    copy.cells = [install, *copy.cells]
    fold_in_colab(copy)
    return copy


def fold_in_colab(notebook: NotebookNode) -> None:
    """Name the folded sections as Colab does: in a list, by ids that stand in their cells."""
    folded = [cell for cell in notebook.cells if cell.metadata.get(FOLDED)]
    for cell in folded:
        cell.metadata["id"] = cell.id
    if folded:
        notebook.metadata["colab"] = {"collapsed_sections": [cell.id for cell in folded]}


def write_copies(folder: Path, *, url: str, commit: str, root: Path = ROOT) -> list[Path]:
    """Write a launch copy of every notebook of the book, at the same path below the folder."""
    written = []
    for path in sorted((root / "book").glob("*.ipynb")):
        copy = launch_copy(nbformat.read(path, as_version=4), url=url, commit=commit)
        target = folder / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(copy, target)
        written.append(target)
    return written


def main() -> None:
    """Write the copies for the repository and commit on the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--repository", required=True, metavar="URL")
    parser.add_argument("--commit", required=True, metavar="SHA")
    arguments = parser.parse_args()
    url = arguments.repository.rstrip("/")
    for path in write_copies(arguments.folder, url=url, commit=arguments.commit):
        print(path)


if __name__ == "__main__":
    main()
