"""SAM: an image is encoded once, then each click on it asks for the mask of what lies there.

Chapter: *Detection and prompts*. The image encoder is the paper's
(image_encoder.py); new is the decoder (mask_decoder.py). A single click may
mean a part, a thing or a group, so there are three answers, and the loss asks
the best one alone. Left out: windows and relative positions in the image
encoder; boxes, masks and texts as prompts.
"""

from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.checks.tensors import described, is_traced
from annotated_transformer.lab.checks import check_marks, check_pictures
from annotated_transformer.lab.family.losses import dice_loss, focal_loss
from annotated_transformer.lab.family.member import Member
from annotated_transformer.lab.family.sam import names as sam
from annotated_transformer.lab.family.sam.clicks import (
    ClickEncoder,
    check_clicks,
)
from annotated_transformer.lab.family.sam.image_encoder import (
    ImageEncoder,
    SAMConfig,
)
from annotated_transformer.lab.family.sam.mask_decoder import MaskDecoder

FOCAL_WEIGHT = 20.0
"""How much the focal loss counts against the dice loss."""


class SAM(Member):
    """Logits of masks, and a score for each, for every prompt of clicks on an image.

    Source: Kirillov et al. 2023, section 3 and appendix A.
    """

    Config = SAMConfig
    source = "Kirillov et al. 2023"
    reference = sam.REFERENCE

    def __init__(self, config: SAMConfig) -> None:
        super().__init__(config)
        self.image_encoder = ImageEncoder(config)
        self.no_mask = nn.Parameter(torch.randn(1, config.width))
        self.clicks = ClickEncoder(config.width, config.side)
        self.decoder = MaskDecoder(
            config.decoder, config.n_masks, config.score_ff
        )
        self.initialise(config.branch_gain)

    def encode(
        self, images: Float[Tensor, "batch channels height width"]
    ) -> Float[Tensor, "batch d_model rows rows"]:
        """Encode an image: what all prompts on it share, and what costs nearly all the time.

        Raises:
            ValueError: images of another size.
        """
        side, channels = self.config.side, self.config.channels
        if (
            not isinstance(images, Tensor)
            or images.shape[1:] != (channels, side, side)
            or not len(images)
        ):
            raise ValueError(
                f"images {described(images)}; expected (batch, {channels}, {side}, {side}), "
                "one at least"
            )
        check_pictures(images, channels, self.no_mask)
        return self.image_encoder(images)

    def decode(
        self,
        image: Float[Tensor, "batch width rows rows"],
        clicks: Float[Tensor, "batch prompt click 2"],
        labels: Int[Tensor, "batch prompt click"],
    ) -> tuple[Tensor, Tensor]:
        """Return logits (batch, prompt, mask, height, width) and scores (batch, prompt, mask).

        A click is (x, y) in pixels, its label 1 on the object and 0 beside it.
        One click has `n_masks` answers, more than one have one.

        Raises:
            ValueError: see `check_clicks`.
        """
        check_clicks(clicks, labels, image, self.config.side)
        place = self.clicks.places(image.size(-1))
        prompts = self.clicks(clicks, labels)
        dense = image + self.no_mask[..., None, None]
        masks, scores = self.decoder(dense, place, prompts)
        answers = slice(1, None) if clicks.size(2) == 1 else slice(1)
        return masks[:, :, answers], scores[:, :, answers]

    def forward(
        self, images: Tensor, clicks: Tensor, labels: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return `decode` of `encode`."""
        return self.decode(self.encode(images), clicks, labels)

    def check_batch(
        self, images: Any, clicks: Any, labels: Any, gold: Any
    ) -> None:
        """Refuse gold that is not True or False for each pixel and each prompt."""
        check_pictures(images, self.config.channels)
        check_clicks(clicks, labels, images, self.config.side)
        if not isinstance(gold, Tensor) or gold.dim() != 4:
            raise ValueError(
                f"gold is {described(gold)}; expected (batch, prompt, height, width)"
            )
        check_marks("gold", gold, (*clicks.shape[:2], *gold.shape[2:]), images)

    def loss(
        self,
        images: Float[Tensor, "batch channels side side"],
        clicks: Float[Tensor, "batch prompt click 2"],
        labels: Int[Tensor, "batch prompt click"],
        gold: Bool[Tensor, "batch prompt side side"],
    ) -> Float[Tensor, ""]:
        """Return 20 focal + dice of the best answer to each prompt, and scores' squared error.

        Raises:
            ValueError: a gold mask is empty.
        """
        if not is_traced(gold) and not gold.flatten(2).any(-1).all():
            raise ValueError("a gold mask is empty; expected an object to find")
        masks, scores = self(images, clicks, labels)
        side = gold.shape[-2:]
        masks = F.interpolate(
            masks.flatten(0, 1), side, mode="bilinear"
        ).unflatten(0, gold.shape[:2])
        target = gold[:, :, None].to(masks.dtype)
        focal = focal_loss(masks, target.expand_as(masks)).mean((-2, -1))
        each = FOCAL_WEIGHT * focal + dice_loss(masks, target)
        fit = F.mse_loss(scores, mask_iou(masks, gold))
        return self.of_answers(each).mean() + fit

    def of_answers(
        self, losses: Float[Tensor, "batch prompt mask"]
    ) -> Float[Tensor, "batch prompt"]:
        """Return the loss of the best answer: from this prompt the others learn nothing."""
        return losses.amin(-1)


def mask_iou(
    logits: Float[Tensor, "batch prompt mask height width"],
    gold: Bool[Tensor, "batch prompt height width"],
) -> Float[Tensor, "batch prompt mask"]:
    """Return the IoU of each mask with the gold one: what a score has to say."""
    predicted, gold = logits > 0, gold[:, :, None]
    common, union = (predicted & gold), (predicted | gold)
    return common.sum((-2, -1)) / union.sum((-2, -1)).to(logits.dtype)
