"""Offer the other forms of the book in the download menu: its PDF, and the slides of a chapter.

`make pdf` and `make slides` write them into the built book. Only what is there is offered, so a
book without them has no broken link.
"""

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config

from words import say

PDF = "downloads/annotated-transformer.pdf"
SLIDES = "slides/{}.html"


def find_forms(app: Sphinx, config: Config) -> None:
    """Note which forms have been built: when that changes, Sphinx writes all pages again."""
    built = [*Path(app.outdir).glob(PDF), *Path(app.outdir).glob(SLIDES.format("*"))]
    config.other_forms = sorted(file.relative_to(app.outdir).as_posix() for file in built)


def offer_forms(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: object
) -> None:
    """Add the forms to the download menu, below the formats of the page itself."""
    menus = [b for b in context["header_buttons"] if b.get("label") == "download-buttons"]
    forms = {
        PDF: (
            say("Whole book (.pdf)"),
            say("Download the book as PDF"),
            "fas fa-book",
        ),
        SLIDES.format(page.rpartition("/")[2]): (
            say("Slides"),
            say("Slides of this chapter"),
            "fas fa-chalkboard",
        ),
    }
    for menu in menus:
        menu["buttons"] += [
            {"type": "link", "url": context["pathto"](file, 1), "label": f"download-{icon[7:]}"}
            | {"text": text, "tooltip": tooltip, "icon": icon}
            for file, (text, tooltip, icon) in forms.items()
            if file in app.config.other_forms
        ]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_config_value("other_forms", [], "html")
    app.connect("config-inited", find_forms)
    # After the theme has made its list of buttons (501).
    app.connect("html-page-context", offer_forms, priority=502)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
