"""The pictures of *Diffusion*: rows of small images, and walks of one pixel."""

from collections.abc import Sequence

from jaxtyping import Float
from matplotlib import pyplot as plt
from torch import Tensor

from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH

_LARGEST = 0.5
"""Inches of an image: of more than six in a row each is smaller."""
_NAMES = 0.5
"""Inches that are left for the names of rows."""
_GREY = "#767676"
"""Of names and frames. They stand on the page itself, because the paper of these pictures is left
out: black and white, of which they tell, stay what they are on a light page and on a dark one, and
so does this grey, which is read on both (tests/test_dark_pictures.py)."""


def images_picture(
    rows: Sequence[Float[Tensor, "image height width"]],
    names: Sequence[str],
    columns: Sequence[str] = (),
) -> None:
    """Draw images from -1 black to 1 white, a row for each name. Call `use_book_style` first.

    `columns` are the titles above the first row. Numbers beyond -1 and 1 are drawn as black
    and white.

    Raises:
        ValueError: there is no row, rows differ in length, or names or titles are not as many as
            rows or images.
    """
    widths = {len(row) for row in rows}
    if len(widths) != 1:
        raise ValueError(
            f"images_picture: rows have {sorted(widths)} images; expected one number for all"
        )
    n = widths.pop()
    if len(names) != len(rows) or len(columns) not in (0, n):
        raise ValueError(
            f"images_picture: {len(names)} names and {len(columns)} titles "
            f"for {len(rows)} rows of {n}"
        )
    side = min(_LARGEST, (PHONE_WIDTH - _NAMES) / n)
    size = (n * side + _NAMES, len(rows) * side + 0.3)
    _, panels = plt.subplots(len(rows), n, figsize=size, squeeze=False, facecolor="none")
    for panel, image in zip(panels.flat, (image for row in rows for image in row), strict=True):
        panel.imshow(image.numpy(), cmap="gray", vmin=-1, vmax=1)
        panel.set(xticks=[], yticks=[])
        panel.grid(visible=False)
        panel.spines[:].set(visible=True, color=_GREY, linewidth=0.6)
    for panel, name in zip(panels[:, 0], names, strict=True):
        panel.set_ylabel(name, rotation=0, ha="right", va="center", fontsize=9, color=_GREY)
    for panel, title in zip(panels[0], columns, strict=False):
        panel.set_title(title, fontsize=9, color=_GREY)


def walks_picture(walks: Float[Tensor, "walk step"]) -> None:
    """Draw the value of a pixel at each step of its way from noise. Call `use_book_style` first.

    Walks that end above 0 have one colour and thin lines, the others another and thick ones.

    Raises:
        ValueError: there is no walk, or one without a step.
    """
    if not walks.numel() or walks.size(1) < 2:
        raise ValueError(
            f"walks_picture: shape {tuple(walks.shape)}; expected one walk or more, each of two "
            "values or more"
        )
    _, axes = plt.subplots(figsize=(PHONE_WIDTH, 2.8))
    for walk in walks.tolist():
        white = walk[-1] > 0
        colour = PALETTE["query" if white else "key"]
        axes.plot(walk, color=colour, lw=0.7 if white else 1.5)
    axes.set(xlabel="steps taken back", ylabel="value of the pixel")
