"""A JupyterLab for a test: on a free port, in a folder, with nothing of whoever runs the tests."""

import contextlib
import json
import os
import socket
import subprocess
import sys

from playwright.sync_api import Error

# It would draw only the cells in view.
SETTINGS = {"tracker": {"windowingMode": "none"}}


@contextlib.contextmanager
def jupyterlab(folder, *options):
    """Start it; yield a function that opens a notebook of the folder in a page."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    home = folder / ".home"
    settings = home / "settings" / "@jupyterlab" / "notebook-extension"
    settings.mkdir(parents=True)
    for name, text in SETTINGS.items():
        (settings / f"{name}.jupyterlab-settings").write_text(json.dumps(text))
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [f"--port={port}", "--IdentityProvider.token=", f"--ServerApp.root_dir={folder}"]
    names = ["HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"]
    variables = dict.fromkeys(names, str(home)) | {
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings")
    }
    with (
        (home / "log.txt").open("w", encoding="utf-8") as log,
        subprocess.Popen([*command, *options], env=os.environ | variables, stderr=log) as server,
    ):
        # Each in a workspace of its own: one that is shared opens what was open before, too.
        def open_notebook(page, name):
            address = f"http://127.0.0.1:{port}/lab/workspaces/{name.partition('.')[0]}"
            page.set_default_timeout(0)
            while server.poll() is None:
                try:
                    page.goto(f"{address}/tree/{name}")
                    break
                except Error:  # it does not answer yet
                    page.wait_for_timeout(200)

        try:
            yield open_notebook
        finally:
            server.kill()
