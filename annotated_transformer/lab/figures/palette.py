"""The palette of the book, and matplotlib set to it.

Query, key and value have one colour each in every diagram, chart and formula, and so have source
and target. The colours are stated twice, here and in `book/_static/palette.css`, and a test keeps
them equal.
"""

from cycler import cycler
from IPython import get_ipython
from matplotlib import font_manager
from matplotlib import pyplot as plt
from matplotlib_inline.config import InlineBackend

from annotated_transformer.lab.figures.charts import FONT_DIRECTORY, FONT_FAMILY

PALETTE = {
    "query": "#0072B2",
    "key": "#D55E00",
    "value": "#009E73",
    "source": "#CC79A7",
    "target": "#903CFC",
    "neutral": "#7A7A7A",
}
"""Colours of lines and areas: at least 3:1 on white and on the dark page.

Blue, vermillion, bluish green and reddish purple are Okabe and Ito's (2008). Their other colours
are too light for white paper, so the violet of the target is ours; the tests measure that the
five stay apart under simulated protanopia, deuteranopia and tritanopia.
"""

COLOUR_OF = {
    "Transformer": "query",
    "labels only": "value",
    "belongs to a noun": "target",
    "belongs to the verb": "source",
    "1 layer": "query",
    "loss": "query",
    "gradient": "value",
    "greedy": "source",
    "chance": "neutral",
    "sinusoidal": "query",
    "learned": "key",
    "rotary": "value",
    "ALiBi": "source",
    "sinusoidal, trained to 25": "target",
    "BERT": "query",
    "GPT": "key",
    "BERT’s word": "value",
    "GPT’s word": "source",
    "ELECTRA": "target",
    "gaps alone": "neutral",
}
"""The colour of what several charts and pictures show: one name, one colour."""

TEXT_ON_LIGHT = {
    "query": "#0065A0",
    "key": "#B04600",
    "value": "#00724F",
    "source": "#A03C77",
    "target": "#7A22E6",
    "neutral": "#5F6368",
}
"""The same hues for words and formulas on a light page: at least 4.5:1."""

TEXT_ON_DARK = {
    "query": "#56B4E9",
    "key": "#FF9A52",
    "value": "#3CC79A",
    "source": "#E7A3CB",
    "target": "#C39BFF",
    "neutral": "#A9AFB7",
}
"""The same hues for words and formulas on a dark page: at least 4.5:1."""

PHONE_WIDTH = 3.6
"""Inches: a picture of matplotlib that is no wider needs no scrolling on a phone.

It is made a little smaller there, so its letters have at least 8.5 points.
"""


def use_book_style() -> None:
    """Set matplotlib to the book's font, which holds Korean, and to the palette's colours.

    Pictures have a white background. In the dark the book's pages turn the light of their colours
    round, so that white becomes the page (`book/_static/palette.css`). A notebook draws two pixels
    for one of the page, as the charts have, for the screens of phones and new computers.
    """
    if (shell := get_ipython()) is not None:
        InlineBackend.instance(parent=shell).figure_formats = {"retina"}
    for path in FONT_DIRECTORY.glob("*.otf"):
        font_manager.fontManager.addfont(path)
    plt.rcParams.update(
        {
            "font.family": [FONT_FAMILY, "DejaVu Sans"],
            "axes.prop_cycle": cycler(color=list(PALETTE.values())),
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "grid.alpha": 0.25,
            "legend.frameon": False,
            "figure.facecolor": "white",
            "savefig.facecolor": "white",
            "figure.constrained_layout.use": True,
            "figure.dpi": 110,
        }
    )
