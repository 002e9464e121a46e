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
from urllib.parse import quote, urlencode

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError

from words import say

ROOT = Path(__file__).parents[2]
GITHUB = "https://github.com/"
BINDER = "https://mybinder.org"
ICONS = {"Colab": "fas fa-rocket", "Binder": "fas fa-cloud", "JupyterHub": "fas fa-server"}


@dataclass(frozen=True, kw_only=True)
class Repository:
    """The address of the repository, with the branches and the commit that the book links to."""

    url: str
    branch: str
    commit: str
    launch_branch: str
    pages: str | None = None
    binderhub: str | None = None
    jupyterhub: str | None = None

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
            pages=_address("PAGES_URL") or _github_pages(url),
            binderhub=_address("BINDERHUB_URL") or (BINDER if url.startswith(GITHUB) else None),
            jupyterhub=_address("JUPYTERHUB_URL"),
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

    def binder(self, notebook: str) -> str | None:
        """Return the address that opens the launch copy of a notebook on a BinderHub."""
        if self.binderhub is None:
            return None
        kind, name = "git", quote(self.url, safe="")
        if self.url.startswith(GITHUB):
            kind, name = "gh", self.url.removeprefix(GITHUB)
        path = f"{kind}/{name}/{quote(self.launch_branch, safe='')}"
        return f"{self.binderhub}/v2/{path}?{urlencode({'urlpath': f'lab/tree/{notebook}'})}"

    def hub(self, notebook: str) -> str | None:
        """Return the address that fetches the launch copies to a JupyterHub and opens one."""
        if self.jupyterhub is None:
            return None
        folder = self.url.rpartition("/")[2]
        wanted = {"repo": self.url, "branch": self.launch_branch}
        wanted["urlpath"] = f"lab/tree/{folder}/{notebook}"
        return f"{self.jupyterhub}/hub/user-redirect/git-pull?{urlencode(wanted)}"

    def launches(self, notebook: str) -> dict[str, str]:
        """Return the address of each service that runs a notebook, by its name."""
        found = {
            "Colab": self.colab(notebook),
            "Binder": self.binder(notebook),
            "JupyterHub": self.hub(notebook),
        }
        return {name: address for name, address in found.items() if address is not None}


def _address(variable: str) -> str | None:
    """Read an address from the environment; None when it is not set."""
    url = os.environ.get(variable, "").rstrip("/")
    if url and not url.startswith("https://"):
        raise ConfigError(f"{variable} is {url!r}, expected an address with https://")
    return url or None


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


def add_launch_buttons(
    app: Sphinx, page: str, _template: str, context: dict[str, object], _doctree: object
) -> None:
    """Add the buttons that open a chapter's launch copy where it can run.

    Those of the theme would open the source, from the branch that the edit button leads to.
    """
    repository = Repository.from_environment()
    if repository is None or not str(context.get("page_source_suffix", "")).endswith(".ipynb"):
        return
    buttons = [
        {
            "type": "link",
            "text": name,
            "icon": ICONS[name],
            "url": address,
            "label": f"launch-{name.lower()}",
            "tooltip": say("Run this chapter on {name}", name=name),
        }
        for name, address in repository.launches(f"{page}.ipynb").items()
    ]
    if buttons:
        menu = {"type": "group", "buttons": buttons, "label": "launch-buttons"}
        menu |= {"icon": "fas fa-rocket", "tooltip": say("Run this chapter")}
        context["header_buttons"].insert(0, menu)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("config-inited", set_address)
    # After the theme has made its list of buttons (501).
    app.connect("html-page-context", add_launch_buttons, priority=502)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
