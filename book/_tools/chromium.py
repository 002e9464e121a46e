"""Find the Chromium that the page tests drive."""

import os
import shutil
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
    "install the package chromium, or set CHROMIUM to its path"
)


def find_chromium() -> str:
    """Return the path of a Chromium or Chrome: $CHROMIUM, one on PATH, or Playwright's own.

    Raises FileNotFoundError when there is none, naming the package to install.
    """
    if named := os.environ.get("CHROMIUM"):
        if path := shutil.which(named):
            return path
        raise FileNotFoundError(f"CHROMIUM={named} is not a program that can be run")
    for name in NAMES:
        if path := shutil.which(name):
            return path
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    if not Path(path).exists():
        raise FileNotFoundError(MISSING)
    return path


if __name__ == "__main__":
    try:
        find_chromium()
    except FileNotFoundError as error:
        sys.exit(f"make test: {error}")
