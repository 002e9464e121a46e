"""1,797 handwritten digits of 8 x 8 pixels, which come with scikit-learn.

Source: the test part of the Optical Recognition of Handwritten Digits data
(Alpaydin and Kaynak 1998), CC BY 4.0. Nothing is downloaded. Needs the extra
`[family]`.
"""

from functools import cache

import torch
from jaxtyping import Float, Int
from torch import Tensor

SIDE = 8
"""Pixels of a side."""
TEST = 500
"""Images of the test split; the other 1,297 are for training."""


@cache
def _all_digits() -> tuple[Tensor, Tensor]:
    try:
        from sklearn.datasets import load_digits  # noqa: PLC0415  (an optional extra)
    except ImportError as error:
        raise ValueError(
            "the digits need the package scikit-learn: "
            "pip install 'annotated-transformer[family]' (or pip install scikit-learn)"
        ) from error
    data = load_digits()
    images = torch.tensor(data.images, dtype=torch.float32) / 16
    order = torch.randperm(len(images), generator=torch.Generator().manual_seed(0))
    return images[order][:, None], torch.tensor(data.target)[order]


def digits(
    split: str, n: int | None = None
) -> tuple[Float[Tensor, "image 1 8 8"], Int[Tensor, " image"]]:
    """Return images, 0 black and 1 white, and the digit that each shows.

    The order is shuffled once and fixed, so that the first `n` of the training
    split are a random choice and the same everywhere.

    Raises:
        ValueError: no such split, fewer images than `n`, or scikit-learn is
            not installed.
    """
    if split not in ("train", "test"):
        raise ValueError(f"no split {split!r}; choose train or test")
    part = slice(TEST) if split == "test" else slice(TEST, None)
    images, labels = (x[part] for x in _all_digits())
    if n is not None and not 0 < n <= len(images):
        raise ValueError(f"n={n}: the split {split} has {len(images)} images")
    return images[:n], labels[:n]
