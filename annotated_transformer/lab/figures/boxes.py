"""Words in boxes, for pictures of what a model reads and writes."""

from typing import Any

from matplotlib.patches import FancyBboxPatch

HEIGHT = 0.42
"""Of a box; from one word to the next it is 1."""
_WIDTH = 0.92
_STYLE = "round,pad=0,rounding_size=0.08"


def word_box(axes: Any, x: float, height: float, word: str, colour: str) -> None:
    """Draw a word in a white box with a coloured rim; x and height are its middle."""
    corner = x - _WIDTH / 2, height - HEIGHT / 2
    axes.add_patch(
        FancyBboxPatch(corner, _WIDTH, HEIGHT, boxstyle=_STYLE, fc="white", ec=colour, lw=1.6)
    )
    axes.text(x, height, word, ha="center", va="center", fontsize=8.5)
