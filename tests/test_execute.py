"""`make outputs` stores what notebooks print, in a form that does not change from run to run."""

import base64
import io
import subprocess
import sys

import nbformat
import pytest
from PIL import Image

from execute import normalise
from rules import FOLDED, ROOT, executed_in_order


@pytest.fixture
def store(tmp_path):
    """Write a notebook of the given cells; run the tool on it."""
    path = tmp_path / "chapter.ipynb"

    def runner(*sources):
        cells = [nbformat.v4.new_code_cell(s, metadata={"tags": ["a"], "x": 1}) for s in sources]
        nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"toc": {"x": 1}}), path)
        return execute(path)

    return path, runner


def execute(path):
    tool = ROOT / "book" / "_tools" / "execute.py"
    return subprocess.run([sys.executable, tool, path], capture_output=True, text=True, check=False)


def test_a_second_run_changes_nothing(store):
    path, runner = store
    done = runner("print('나는', flush=True)\nprint('학생이다')", "", "6 * 7")
    assert done.returncode == 0, done.stderr
    first = path.read_text(encoding="utf-8")
    again = execute(path)
    assert "unchanged" in again.stdout
    assert path.read_text(encoding="utf-8") == first

    notebook = nbformat.reads(first, as_version=4)
    assert executed_in_order(notebook) == []
    assert [cell.id for cell in notebook.cells] == ["cell-000", "cell-001"]
    assert [cell.metadata for cell in notebook.cells] == [{"tags": ["a"]}] * 2
    assert notebook.cells[0].outputs[0].text == "나는\n학생이다\n"
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert notebook.metadata.kernelspec.name == "python3"


def test_a_cell_that_fails_leaves_the_notebook_as_it_was(store):
    path, runner = store
    done = runner("1 + 1", "1 / 0")
    assert done.returncode == 1
    assert "was left as it was" in done.stderr
    assert "ZeroDivisionError" in done.stderr
    assert nbformat.read(path, as_version=4).cells[0].execution_count is None


def test_a_notebook_that_is_not_there_is_named(tmp_path):
    done = execute(tmp_path / "gone.ipynb")
    assert done.returncode == 1
    assert done.stderr == f"execute: there is no notebook {tmp_path / 'gone.ipynb'}\n"


def test_a_picture_is_stored_with_the_text_of_its_cell(tmp_path):
    """A chart brings its own text; what matplotlib draws has that of the cell's metadata."""
    path = tmp_path / "chapter.ipynb"
    draw = "from IPython.display import Image\nImage(bytes(8), format='png')"
    alt = {"mystnb": {"image": {"alt": "A line that rises."}}}
    cells = [nbformat.v4.new_code_cell(draw, metadata=metadata) for metadata in (alt, {})]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    assert execute(path).returncode == 0
    stored = [cell.outputs[0].metadata for cell in nbformat.read(path, as_version=4).cells]
    assert stored == [{"image/png": {"alt": "A line that rises."}}, {}]


def test_a_picture_has_two_pixels_for_one_of_the_page_and_few_colours(tmp_path):
    path = tmp_path / "chapter.ipynb"
    draw = (
        "from matplotlib import pyplot as plt\n"
        "from annotated_transformer.lab.figures import use_book_style\n"
        "use_book_style()\nplt.figure(figsize=(3, 2))\nplt.plot([0, 1]);"
    )
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(draw)]), path)
    done = execute(path)
    assert done.returncode == 0, done.stderr
    [picture] = nbformat.read(path, as_version=4).cells[0].outputs
    with Image.open(io.BytesIO(base64.b64decode(picture.data["image/png"]))) as image:
        assert image.mode == "P"
        # 3 inches at 110 pixels; what is blank at the sides is cut off, some of it is put there.
        assert image.width == pytest.approx(2 * 3 * 110, rel=0.1)
        assert picture.metadata["image/png"] == {"width": image.width // 2}


def test_what_folds_a_section_in_jupyterlab_stays():
    cell = nbformat.v4.new_markdown_cell("### A proof", metadata={FOLDED: True, "x": 1})
    notebook = nbformat.v4.new_notebook(cells=[cell])
    normalise(notebook)
    assert notebook.cells[0].metadata == {FOLDED: True}
