"""Charts drawn for a test, with their sliders moved."""

import vl_convert

from annotated_transformer.lab.figures.charts import specification


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
