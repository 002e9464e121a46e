"""A notebook in JupyterLab: pictures have their alternative text there, too."""

import base64
import os
import socket
import subprocess
import sys

import nbformat
import pytest
from playwright.sync_api import Error

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


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def lab(tmp_path):
    """The address of a JupyterLab, started as `make lab` does it, that keeps nothing at home."""
    cells = [picture("A chart."), picture(alt_of_cell="A drawing."), picture()]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "pictures.ipynb")
    address = f"http://127.0.0.1:{(port := free_port())}"
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [f"--port={port}", "--IdentityProvider.token=", f"--ServerApp.root_dir={tmp_path}"]
    command += [f"--LabApp.extra_labextensions_path={EXTENSIONS}"]
    home = dict.fromkeys(["HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"], str(tmp_path))
    with (
        (tmp_path / "log.txt").open("w+", encoding="utf-8") as log,
        subprocess.Popen(command, env=os.environ | home, stderr=log) as server,
    ):
        yield f"{address}/lab/tree/pictures.ipynb", server
        server.kill()


def test_pictures_have_their_alternative_text(browser, lab):
    """The output's own text comes before the cell's; without any the attribute is empty."""
    address, server = lab
    page = browser.new_page()
    page.set_default_timeout(0)
    while server.poll() is None:
        try:
            page.goto(address)
            break
        except Error:  # it does not answer yet
            page.wait_for_timeout(200)
    page.wait_for_function("() => document.querySelectorAll('.jp-RenderedImage img').length === 3")
    assert page.evaluate(ALTERNATIVES) == ["A chart.", "A drawing.", ""]
    page.close()
