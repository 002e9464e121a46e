"""A chapter in JupyterLab: every picture has its alternative text there, too."""

import shutil
import socket
import subprocess
import sys

import pytest

from rules import CHART_TYPES, ROOT, code_cells, read

CHAPTER = ROOT / "book" / "masks.ipynb"
EXTENSIONS = ROOT / "book" / "_lab"
PICTURES = "() => [...document.querySelectorAll('.jp-RenderedImage img')].map(({alt}) => alt)"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def lab(tmp_path):
    """The address of a JupyterLab that shows a copy of the chapter and keeps nothing at home."""
    shutil.copy(CHAPTER, tmp_path)
    port = free_port()
    folders = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "HOME")
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}"]
    command += ["--ServerApp.port_retries=0", "--IdentityProvider.token=", "--expose-app-in-browser"]
    command += [f"--ServerApp.root_dir={tmp_path}", f"--LabApp.extra_labextensions_path={EXTENSIONS}"]
    environment = dict.fromkeys(folders, str(tmp_path / "home")) | {"PATH": "/usr/bin:/bin"}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as server:
        for line in server.stderr:
            if "Jupyter Server" in line and "is running" in line:
                break
        yield f"http://127.0.0.1:{port}"
        server.terminate()
        server.stderr.read()
