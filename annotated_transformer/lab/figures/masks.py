"""Pictures of which positions may look at which, and of which influence which.

Chapter: *Masks*. A cell that is exactly zero looks different from a small one, because the chapter
is about that difference.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.colors import LinearSegmentedColormap
from numpy.typing import NDArray
from torch import Tensor

from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH, TEXT_ON_LIGHT

# The share of full colour for the smallest value above zero.
_FAINTEST = 0.15


def mask_panels(
    panels: Mapping[str, Tensor],
    words: Sequence[str] | Mapping[str, Sequence[str]],
    *,
    columns: int = 2,
) -> None:
    """Draw square (query, key) maps side by side: rows look or depend, columns are looked at.

    A boolean map shows True in full colour. In a map of numbers, each row is shaded from its
    smallest to its largest positive value on a logarithmic scale. Exact zeros are crossed out.
    `words` label both axes, or those of each panel by its title.

    Raises ValueError when there is no panel or no column; when words and sizes do not match; or
    when a number is negative or NaN.
    """
    if not panels or columns < 1:
        raise ValueError(f"mask_panels: {len(panels)} panels in {columns} columns; expected some")
    if isinstance(words, Mapping) and (bare := panels.keys() - words.keys()):
        raise ValueError(f"mask_panels: there are no words for {', '.join(sorted(bare))}")
    rows = -(-len(panels) // columns)
    size = (PHONE_WIDTH, 1.1 * PHONE_WIDTH * rows / columns)
    _, axes = plt.subplots(rows, columns, figsize=size, squeeze=False)
    for axis in axes.flat[len(panels) :]:
        axis.set_axis_off()
    for axis, (title, panel) in zip(axes.flat, panels.items(), strict=False):
        names = words[title] if isinstance(words, Mapping) else words
        _draw(axis, title, panel.detach().double().numpy(), list(names))


def _draw(axis: Any, title: str, panel: NDArray[Any], names: list[str]) -> None:
    if panel.shape != (len(names), len(names)):
        raise ValueError(
            f"mask_panels: {title!r} has shape {panel.shape}, but there are {len(names)} words"
        )
    if not (panel >= 0).all():
        raise ValueError(f"mask_panels: {title!r} holds a negative number or NaN")
    blues = LinearSegmentedColormap.from_list("", ["white", PALETTE["query"]])
    axis.imshow(_shades(panel), cmap=blues, vmin=0, vmax=1)
    for row, column in np.argwhere(panel == 0):
        axis.text(column, row, "×", ha="center", va="center", color=PALETTE["neutral"])
    ticks = range(len(names))
    axis.set_xticks(ticks, names, rotation=90, color=TEXT_ON_LIGHT["key"])
    axis.set_yticks(ticks, names, color=TEXT_ON_LIGHT["query"])
    axis.xaxis.tick_top()
    axis.tick_params(length=0, labelsize=9)
    axis.set_xlabel(title, labelpad=6)
    axis.set_xticks(np.arange(len(names) + 1) - 0.5, minor=True)
    axis.set_yticks(np.arange(len(names) + 1) - 0.5, minor=True)
    axis.grid(visible=False)
    axis.grid(which="minor", color="#d0d0d0", alpha=1)
    axis.tick_params(which="minor", length=0)
    axis.spines[:].set_visible(False)


def _shades(panel: NDArray[Any]) -> NDArray[Any]:
    """Map each row's positive values to [_FAINTEST, 1] by their logarithms, and zero to zero."""
    shades = np.zeros(panel.shape)
    for row, values in enumerate(panel):
        logs = np.log(values[values > 0])
        if logs.size:
            spread = np.ptp(logs)
            share = (logs - logs.min()) / spread if spread else np.ones_like(logs)
            shades[row, values > 0] = _FAINTEST + (1 - _FAINTEST) * share
    return shades
