"""The pictures of *Diffusion*: rows of small images, and walks of one pixel."""

from collections.abc import Sequence

from jaxtyping import Float
from matplotlib import pyplot as plt
from torch import Tensor

from annotated_transformer.lab.figures import PALETTE

_SIDE = 0.78  # inches of an image


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
    size = (n * _SIDE + 0.9, len(rows) * _SIDE + 0.3)
    _, panels = plt.subplots(len(rows), n, figsize=size, squeeze=False)
    for panel, image in zip(panels.flat, (image for row in rows for image in row), strict=True):
        panel.imshow(image.numpy(), cmap="gray", vmin=-1, vmax=1)
        panel.set(xticks=[], yticks=[])
        panel.grid(visible=False)
        panel.spines[:].set_visible(False)
    for panel, name in zip(panels[:, 0], names, strict=True):
        panel.set_ylabel(name, rotation=0, ha="right", va="center", fontsize=9)
    for panel, title in zip(panels[0], columns, strict=False):
        panel.set_title(title, fontsize=9)


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
    _, axes = plt.subplots(figsize=(6.4, 3.0))
    for walk in walks.tolist():
        white = walk[-1] > 0
        colour = PALETTE["query" if white else "key"]
        axes.plot(walk, color=colour, lw=0.7 if white else 1.5)
    axes.set(xlabel="steps taken back", ylabel="value of the pixel")
