"""A notebook in JupyterLab: pictures have their alternative text there, too."""

import base64

import nbformat
import pytest
from lab_server import jupyterlab

from rules import ROOT

EXTENSIONS = ROOT / "book" / "_lab"
ALTERNATIVES = "() => [...document.querySelectorAll('.jp-RenderedImage img')].map(({alt}) => alt)"
PIXEL = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
        "0000000a49444154789c6360000000020001e221bc330000000049454e44ae426082"
    )
).decode()


def picture(alt_of_output=None, alt_of_cell=None):
    """A cell with a picture whose text stands where a chart, or where matplotlib has it."""
    output = nbformat.v4.new_output("display_data", {"image/png": PIXEL})
    if alt_of_output:
        output.metadata = {"image/png": {"alt": alt_of_output}}
    metadata = {"mystnb": {"image": {"alt": alt_of_cell}}} if alt_of_cell else {}
    return nbformat.v4.new_code_cell("draw()", outputs=[output], metadata=metadata)


@pytest.fixture
def lab(tmp_path):
    """Open a notebook with three pictures, as `make lab` does it."""
    cells = [picture("A chart."), picture(alt_of_cell="A drawing."), picture()]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "pictures.ipynb")
    with jupyterlab(tmp_path, f"--LabApp.extra_labextensions_path={EXTENSIONS}") as open_notebook:
        yield open_notebook


def test_pictures_have_their_alternative_text(browser, lab):
    """The output's own text comes before the cell's; without any the attribute is empty."""
    page = browser.new_page()
    lab(page, "pictures.ipynb")
    page.wait_for_function("() => document.querySelectorAll('.jp-RenderedImage img').length === 3")
    assert page.evaluate(ALTERNATIVES) == ["A chart.", "A drawing.", ""]
    page.close()
