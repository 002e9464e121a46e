"""The small network with which members end that predict numbers, not words."""

from torch import nn


def three_layers(d_model: int, width: int, hidden: int = 0) -> nn.Sequential:
    """Map d_model to `width` numbers, through two ReLU layers of `hidden` units (0: d_model)."""
    hidden = hidden or d_model
    first, middle = nn.Linear(d_model, hidden), nn.Linear(hidden, hidden)
    last = nn.Linear(hidden, width)
    return nn.Sequential(first, nn.ReLU(), middle, nn.ReLU(), last)
