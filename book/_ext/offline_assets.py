"""Serve MathJax, Vega and the Korean font with the book, from installed packages.

The files are copied into the built book, so that a page asks no other host for anything and nothing
third-party is committed. Only pages with a chart load Vega.
"""

from importlib.metadata import files
from pathlib import Path
from shutil import copytree

import vl_convert
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.fileutil import copy_asset

FONTS = Path(__file__).parents[2] / "annotated_transformer" / "fonts"
MATHJAX = "mathjax/tex-chtml.js"
UNUSED_MATHJAX = (
    "*-svg*.js",
    "mml-*.js",
    "tex-mml-*.js",
    "*-full*.js",
    "node-main.js",
    "svg",
    "adaptors",
)
VEGA = "vega-bundle.js"
# A chart then waits for the event vega-ready instead of loading Vega from a CDN.
MARK_AS_BOOK = "window.annotatedTransformerBook = true;"
CHART = 'class="at-chart"'


def mathjax_folder() -> Path:
    """Return the folder of the MathJax that sphinx-mathjax-offline carries."""
    for file in files("sphinx-mathjax-offline") or []:
        if file.name == "tex-chtml.js":
            return Path(str(file.locate())).parent
    raise FileNotFoundError("sphinx-mathjax-offline holds no tex-chtml.js")


def vega_bundle() -> str:
    """Return Vega, Vega-Lite and vega-embed as one classic script that sets window.vegaEmbed."""
    announce = 'window.vegaEmbed = vegaEmbed; document.dispatchEvent(new Event("vega-ready"));'
    # A classic script in a function: modules do not load from file:// pages.
    return "(() => {" + vl_convert.javascript_bundle(announce) + "})();"


def has_chart(doctree: nodes.document) -> bool:
    """Tell whether a page has an interactive chart."""
    return any(CHART in node.astext() for node in doctree.findall(nodes.raw))


def add_scripts(
    app: Sphinx,
    _page: str,
    _template: str,
    _context: dict[str, object],
    doctree: nodes.document | None,
) -> None:
    """Add the chart library to pages with charts; tell every page that it is in the book."""
    app.add_js_file(None, body=MARK_AS_BOOK, priority=1)
    if doctree is not None and has_chart(doctree):
        app.add_js_file(VEGA, defer="defer")


def write_assets(app: Sphinx, error: Exception | None) -> None:
    """Copy MathJax and the fonts into the built book and write the Vega bundle there."""
    if error is not None or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    if not (static / MATHJAX).exists():
        copytree(mathjax_folder(), static / "mathjax", ignore=_ignored, dirs_exist_ok=True)
    (static / VEGA).write_text(vega_bundle(), encoding="utf-8")
    copy_asset(str(FONTS), str(static / "fonts"))


def _ignored(folder: str, names: list[str]) -> list[str]:
    return [n for n in names if any(Path(n).match(pattern) for pattern in UNUSED_MATHJAX)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.config.mathjax_path = MATHJAX
    app.connect("html-page-context", add_scripts)
    app.connect("build-finished", write_assets)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
