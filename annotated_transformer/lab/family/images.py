"""What the members that see have in common: patches, and what they refuse."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from annotated_transformer.checks import check_positive, set_field, settle_numbers
from annotated_transformer.checks.tensors import WHOLE, check_alike, described
from annotated_transformer.lab.checks import check_answers, check_pictures, has_values
from annotated_transformer.lab.family.member import Member
from annotated_transformer.lab.family.vit.names import n_classes


class ImageMember(Member):
    """A member whose files of Hugging Face name the classes."""

    @classmethod
    def config_from(cls, settings: Mapping[str, Any], origin: Path | str) -> Any:
        """Read as for all members, with as many classes as are named; none are if there are 2."""
        fields = cls.reference.fields(settings, origin)
        classes = {"n_classes": n_classes(settings, origin)}
        return cls.built(fields | classes, origin)

    def check_batch(self, images: Any, labels: Any, *_: Any, **__: Any) -> None:
        """Refuse labels that are not one for each image."""
        check_labelled(images, (labels,), self.config.n_channels)


class Patches(nn.Module):
    """Cuts an image into squares, and maps each by one matrix to a vector.

    A convolution that moves by its own width does just that.

    Source: Dosovitskiy et al. 2021, section 3.1 and equation 1.
    """

    def __init__(self, n_channels: int, patch_size: int, d_model: int) -> None:
        super().__init__()
        self.project = nn.Conv2d(n_channels, d_model, patch_size, patch_size)

    def forward(
        self, images: Float[Tensor, "batch channel height width"]
    ) -> Float[Tensor, "batch row column d_model"]:
        """Return one vector for each patch, where the patch is.

        Raises:
            ValueError: images of another type or device than the weights.
        """
        check_alike("the images", images, self.project.weight)
        return self.project(images).permute(0, 2, 3, 1)


def check_images(images: Any, n_channels: int, multiple: int) -> None:
    """Refuse anything but a batch of images, and sides that are not a multiple."""
    check_pictures(images, n_channels)
    height, width = images.shape[2:]
    if height % multiple or width % multiple:
        raise ValueError(
            f"images of {height} x {width} pixels do not divide evenly; "
            f"resize or pad them to multiples of {multiple}"
        )


def check_labelled(images: Any, labels: Sequence[Any], n_channels: int) -> None:
    """Refuse anything but a batch of images, and labels that are not one whole number for each."""
    check_pictures(images, n_channels)
    for each in labels:
        check_answers("the tensor of labels", each, images.shape[:1], images, WHOLE)


def check_side(images: Tensor, side: int) -> None:
    """Refuse images of another size than that of the learned positions."""
    height, width = images.shape[2:]
    if (height, width) != (side, side):
        raise ValueError(
            f"images of {height} x {width} pixels; this model was built for "
            f"image_size={side}: resize them to {side} x {side}"
        )


def check_labels(name: str, labels: Tensor, n_classes: int) -> None:
    """Refuse a label that is not a class, and labels that are no whole numbers of 64 bits."""
    if not isinstance(labels, Tensor) or labels.dtype != torch.int64:
        raise ValueError(f"{name}: {described(labels)}; expected torch.int64, such as x.long()")
    if not has_values(labels):
        return
    wrong = labels[(labels < 0) | (labels >= n_classes)]
    if wrong.numel():
        raise ValueError(
            f"{name} {wrong[0].item()} is no class: there are n_classes={n_classes}, "
            f"0 to {n_classes - 1}"
        )


def check_stages(config: Any, *names: str) -> None:
    """Refuse settings of stages that are not equally many, or not positive.

    A list, as JSON has it, becomes a tuple.
    """
    settle_numbers(config)
    stages = len(getattr(config, names[0]))
    for name in names:
        values = tuple(getattr(config, name))
        if not values or len(values) != stages:
            raise ValueError(
                f"{name}={values} has {len(values)} numbers, {names[0]} has {stages}: "
                "give one for each stage"
            )
        checked = (check_positive(f"{name}[{stage}]", x) for stage, x in enumerate(values))
        set_field(config, name, tuple(checked))
