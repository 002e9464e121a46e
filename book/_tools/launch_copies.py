"""Write launch copies of the notebooks, which Colab, Binder and a JupyterHub open.

    python book/_tools/launch_copies.py FOLDER --repository URL --commit SHA

They are the notebooks that the built book offers for download (book/_ext/edition.py), in English in
`book/` and in Korean in `ko/book/`, each with one more cell at its beginning. It installs the
package from that repository at that commit and, if the chapter reads records of runs, copies them,
so that the notebook runs without the rest of the repository. Outputs stay. Beside them stands what
Binder installs: the package at that commit, with the versions that were tested. The program needs
nbformat and nothing else, and no other file of the tools: the workflow that publishes the copies
installs that alone.
"""

import argparse
from pathlib import Path

import nbformat
from nbformat import NotebookNode

ROOT = Path(__file__).parents[2]
HTML = ROOT / "_build" / "html"
EDITIONS = {"book": "_sources/book", "ko/book": "ko/_sources/book"}
"""Where the copies of an edition go, and where in a built book its notebooks are."""
PACKAGE = "annotated-transformer[book] @ git+{url}@{commit}"
INSTALL = f'%pip install --quiet "{PACKAGE}"'
RECORDS = (
    "\n!git clone --quiet {url} repository && git -C repository checkout --quiet {commit}"
    "\n!cp -r repository/book/results ."
)
READERS = ("annotated_transformer.lab.records", '"results/')
"""What a chapter that reads records has in one of its cells."""
COMMENT = "# Installs the code of this book, from the very commit that this copy was made of.\n"


def launch_copy(notebook: NotebookNode, *, url: str, commit: str) -> NotebookNode:
    """Return a copy of a notebook whose first cell installs the package from a commit."""
    copy = nbformat.from_dict(notebook)
    reads_records = any(way in cell.source for cell in notebook.cells for way in READERS)
    source = COMMENT + INSTALL + (RECORDS if reads_records else "")
    install = nbformat.v4.new_code_cell(source.format(url=url, commit=commit))
    install.id = "install"
    copy.cells = [install, *notebook.cells]
    return copy


def write_copies(
    folder: Path, *, url: str, commit: str, edition: Path, place: str = "book"
) -> list[Path]:
    """Write a launch copy of every notebook of an edition into a place below the folder."""
    written = []
    for path in sorted(edition.glob("*.ipynb")):
        copy = launch_copy(nbformat.read(path, as_version=4), url=url, commit=commit)
        target = folder / place / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(copy, target)
        written.append(target)
    if not written:
        raise FileNotFoundError(f"{edition} has no notebook: build the book first (make book)")
    return written


def write_binder(folder: Path, *, url: str, commit: str, root: Path = ROOT) -> None:
    """Write what Binder installs; the package comes from the commit, not from beside it."""
    (folder / "binder").mkdir(parents=True, exist_ok=True)
    for name, text in binder_files(root, url=url, commit=commit).items():
        (folder / "binder" / name).write_text(text, encoding="utf-8")


def binder_files(root: Path, *, url: str, commit: str) -> dict[str, str]:
    """Return the files of `binder/`, by name, as they are beside the launch copies."""
    files = {f.name: f.read_text(encoding="utf-8") for f in (root / "binder").iterdir()}
    for here, there in (
        ("-e .[book]", PACKAGE.format(url=url, commit=commit)),
        ("-c ../requirements.txt", "-c constraints.txt"),
    ):
        if files["requirements.txt"].count(f"{here}\n") != 1:
            raise ValueError(f"binder/requirements.txt has no line {here!r}")
        files["requirements.txt"] = files["requirements.txt"].replace(here, there)
    pins = (root / "requirements.txt").read_text(encoding="utf-8")
    return files | {"constraints.txt": pins}


def main() -> None:
    """Write the copies for the repository and commit on the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--repository", required=True, metavar="URL")
    parser.add_argument("--commit", required=True, metavar="SHA")
    parser.add_argument("--built", type=Path, metavar="FOLDER", default=HTML)
    arguments = parser.parse_args()
    at = {"url": arguments.repository.rstrip("/"), "commit": arguments.commit}
    for place, notebooks in EDITIONS.items():
        edition = arguments.built / notebooks
        for path in write_copies(arguments.folder, edition=edition, place=place, **at):
            print(path)
    write_binder(arguments.folder, **at)


if __name__ == "__main__":
    main()
