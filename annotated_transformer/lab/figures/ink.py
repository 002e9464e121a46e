"""The ink of a number that stands on a shaded cell of a chart."""

from typing import Any

import altair as alt
from matplotlib.colors import to_rgb

from annotated_transformer.lab.figures.charts import CELL_INK
from annotated_transformer.lab.figures.palette import PALETTE


def number_ink(shade: str, *, full: float = 1) -> Any:
    """Choose for each number black or white, whichever has more contrast with its cell.

    The field `shade` says how opaque the cell's blue is on the page: not at all at 0, wholly at
    `full`. White paper needs black ink up to a deep shade. On a dark page white has more contrast
    with every shade, so the page's style sheet turns the black ink white there.
    """
    deep = f"datum.{shade} > {full * _deepest_under_black() / 100:g}"
    return alt.condition(deep, alt.value("white"), alt.value(CELL_INK))


def _deepest_under_black() -> int:
    """Return how much blue, in percent, white paper may have before white ink is the better one."""
    both_inks = 21  # the contrast of black with white: the product of their contrasts with a cell
    return max(shade for shade in range(101) if _contrast_with_black(shade) ** 2 >= both_inks)


def _contrast_with_black(shade: int) -> float:
    """Return the contrast ratio of WCAG 2 of black and white paper with so much blue over it."""
    parts = [1 - shade / 100 * (1 - part) for part in to_rgb(PALETTE["query"])]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return (luminance + 0.05) / 0.05
