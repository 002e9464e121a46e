"""Buttons and permalinks for the repository that the environment names, and none without it.

REPOSITORY_URL (or GITHUB_SERVER_URL and GITHUB_REPOSITORY, as GitHub Actions sets them),
REPOSITORY_BRANCH, REPOSITORY_COMMIT (or GITHUB_SHA), LAUNCH_BRANCH and PAGES_URL are read, and the
addresses of BINDERHUB_URL and JUPYTERHUB_URL. A fork therefore builds links to itself without an
edit, and a build at home shows no broken button.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError

ROOT = Path(__file__).parents[2]
GITHUB = "https://github.com/"


@dataclass(frozen=True, kw_only=True)
class Repository:
    """The address of the repository, with the branches and the commit that the book links to."""

    url: str
    branch: str
    commit: str
    launch_branch: str
    pages: str | None = None

    @classmethod
    def from_environment(cls) -> "Repository | None":
        """Read the address from the environment; None when it is not set."""
        url = os.environ.get("REPOSITORY_URL", "")
        if not url and os.environ.get("GITHUB_REPOSITORY"):
            server = os.environ.get("GITHUB_SERVER_URL", GITHUB)
            url = f"{server.rstrip('/')}/{os.environ['GITHUB_REPOSITORY']}"
        if not url:
            return None
        if not url.startswith("https://"):
            raise ConfigError(f"REPOSITORY_URL is {url!r}, expected an address with https://")
        return cls(
            url=url.rstrip("/").removesuffix(".git"),
            branch=os.environ.get("REPOSITORY_BRANCH", "main"),
            commit=os.environ.get("REPOSITORY_COMMIT") or os.environ.get("GITHUB_SHA") or _head(),
            launch_branch=os.environ.get("LAUNCH_BRANCH", "launch"),
            pages=os.environ.get("PAGES_URL", "").rstrip("/") or _github_pages(url),
        )

    def permalink(self, file: str, first: int, last: int) -> str:
        """Return the address of lines of a file at the commit that the book was built from."""
        return f"{self.url}/blob/{self.commit}/{quote(file)}#L{first}-L{last}"

    def colab(self, notebook: str) -> str | None:
        """Return the address that opens the launch copy of a notebook in Colab (GitHub only)."""
        if not self.url.startswith(GITHUB):
            return None
        name = self.url.removeprefix(GITHUB)
        base = "https://colab.research.google.com/github"
        return f"{base}/{name}/blob/{self.launch_branch}/{quote(notebook)}"


def _github_pages(url: str) -> str | None:
    """Return the address at which GitHub publishes the pages of a repository."""
    found = re.fullmatch(rf"{GITHUB}([^/]+)/([^/]+?)(?:\.git)?/?", url)
    if found is None:
        return None
    owner, name = found[1].lower(), found[2]
    site = f"https://{owner}.github.io"
    return site if name.lower() == f"{owner}.github.io" else f"{site}/{name}"


def _head() -> str:
    return subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=ROOT, text=True).strip()


def set_address(_app: Sphinx, config: Config) -> None:
    """Turn on the repository and edit buttons when the address is known."""
    repository = Repository.from_environment()
    if repository is not None:
        config.html_theme_options |= {
            "repository_url": repository.url,
            "repository_branch": repository.branch,
            "path_to_docs": "",
            "use_repository_button": True,
            "use_edit_page_button": True,
        }


def add_colab_button(
    app: Sphinx, page: str, _template: str, context: dict[str, object], _doctree: object
) -> None:
    """Add the button that opens a chapter's launch copy in Colab."""
    repository = Repository.from_environment()
    if repository is None or not str(context.get("page_source_suffix", "")).endswith(".ipynb"):
        return
    if address := repository.colab(f"{page}.ipynb"):
        button = {"type": "link", "text": "Colab", "icon": "fas fa-rocket", "url": address}
        button |= {"label": "launch-colab", "tooltip": "Run this chapter in Colab"}
        context["header_buttons"].insert(0, button)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("config-inited", set_address)
    # After the theme has made its list of buttons (501).
    app.connect("html-page-context", add_colab_button, priority=502)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
