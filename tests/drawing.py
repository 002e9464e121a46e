"""Charts: drawn for a test, with their sliders moved, and those that the book has stored."""

import nbformat
import vl_convert

from annotated_transformer.lab.figures.charts import specification
from korean_charts import specification_of
from rules import ROOT


def stored_charts():
    """Yield the place of every chart that a chapter has stored, and its specification."""
    for path in sorted((ROOT / "book").glob("*.ipynb")):
        for number, cell in enumerate(nbformat.read(path, as_version=4).cells):
            for output in cell.get("outputs", []):
                spec = specification_of("".join(output.get("data", {}).get("text/html", "")))
                if spec is not None:
                    yield f"{path.stem}, cell {number}", spec


def drawn(chart, **chosen):
    """The picture as text."""
    specified = specification(chart, "a chart")
    for parameter in specified.get("params", []):
        if parameter["name"] in chosen:
            parameter["value"] = chosen.pop(parameter["name"])
    assert not chosen, "no such slider"
    return vl_convert.vegalite_to_svg(specified)


def number(text):
    """A number as a chart writes it."""
    return float(text.replace("\N{MINUS SIGN}", "-"))
