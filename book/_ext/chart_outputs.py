"""Make one figure of a chart's two outputs.

`show` stores a chart as a picture and as a script that replaces it, because a notebook is read in
many places. MyST-NB would give each output the caption and name of the cell. Here the picture moves
into the output with the script, with its alt text, before the notebook is parsed; the stored file
stays as it is.
"""

import json
from html import escape
from typing import Any

from sphinx.application import Sphinx

CHART = 'class="at-chart"'


def image_html(output: dict[str, Any]) -> str:
    """Write a stored PNG as an image with its alt text and width."""
    details = output["metadata"]["image/png"]
    data = "".join(output["data"]["image/png"]).replace("\n", "")
    return (
        f'<img class="at-picture" src="data:image/png;base64,{data}" '
        f'alt="{escape(details["alt"])}" width="{details["width"]}">\n'
    )


def merge_pictures(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the outputs of a cell with the picture of each chart moved into its HTML."""
    result: list[dict[str, Any]] = []
    for output in outputs:
        html = "".join(output.get("data", {}).get("text/html", ""))
        if CHART in html and result and "image/png" in result[-1].get("data", {}):
            data = {"text/html": image_html(result.pop()) + html}
            result.append({**output, "data": data})
        else:
            result.append(output)
    return result


def join_chart_outputs(app: Sphinx, page: str, source: list[str]) -> None:
    """Rewrite a notebook's source as it is read."""
    if not app.env.doc2path(page).endswith(".ipynb"):
        return
    notebook = json.loads(source[0])
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = merge_pictures(cell["outputs"])
    source[0] = json.dumps(notebook)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("source-read", join_chart_outputs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
