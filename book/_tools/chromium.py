"""Find the Chromium that the page tests drive."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
MISSING = (
    "no Chromium was found to open the pages with; "
    "install the package chromium (Debian) or Google Chrome's own package (Ubuntu, whose chromium "
    "is a snap), or set CHROMIUM to its path"
)


def runs(path: str) -> bool:
    """Whether a program starts and prints that it is Chromium or Chrome; Ubuntu's stub does not."""
    try:
        done = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and "Chrom" in done.stdout


def find_chromium() -> str:
    """Return the path of a Chromium or Chrome that runs: $CHROMIUM, one on PATH, or Playwright's.

    Raises FileNotFoundError when there is none, naming the package to install.
    """
    if named := os.environ.get("CHROMIUM"):
        path = shutil.which(named)
        if path and runs(path):
            return path
        raise FileNotFoundError(f"CHROMIUM={named} is no Chromium or Chrome that can be run")
    for name in NAMES:
        path = shutil.which(name)
        if path and runs(path):
            return path
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    if not (Path(path).exists() and runs(path)):
        raise FileNotFoundError(MISSING)
    return path


if __name__ == "__main__":
    try:
        find_chromium()
    except FileNotFoundError as error:
        sys.exit(f"make test: {error}")
