"""Serve Vega with the book, from an installed package; it is loaded when a chart comes into view.

A page asks no other host for anything, and nothing third-party is committed.
"""

import re
from pathlib import Path

import vl_convert
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from on_pages import load_where
from words import is_korean

VEGA = "vega-bundle.js"
COMPILE = re.compile(r"(\.compile\(\w+,\{config:\w+)(\}\)\.spec)")
CHART = 'class="at-chart"'


def vega_bundle() -> str:
    """Return Vega, Vega-Lite and vega-embed as one classic script, which charts.js loads."""
    bundle = vl_convert.javascript_bundle("window.vegaLoaded(vegaEmbed);")
    # vega-embed has no option for it.
    bundle, places = COMPILE.subn(r"\1, logger: window.vegaLogger\2", bundle)
    if places != 1:
        raise ExtensionError(f"vega-embed compiles in {places} places, expected 1: see COMPILE")
    # A classic script in a function: modules do not load from file:// pages.
    return "(() => {" + bundle + "})();"


def has_chart(doctree: nodes.document) -> bool:
    """Tell whether a page has an interactive chart."""
    return any(CHART in node.astext() for node in doctree.findall(nodes.raw))


def write_assets(app: Sphinx, error: Exception | None) -> None:
    """Write the Vega bundle into the built book."""
    if error is None and app.builder.format == "html" and not is_korean(app):
        (Path(app.outdir) / "_static" / VEGA).write_text(vega_bundle(), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    # Before Vega, what waits for the charts of a page to come into view.
    load_where(app, has_chart, "charts.js", priority=1)
    app.connect("build-finished", write_assets)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
