"""SAM's decoder: tokens look at the image, and the image looks back at the tokens."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.lab.family.heads import three_layers
from annotated_transformer.layers import LayerNorm, residual
from annotated_transformer.transformer import DecoderLayer


class MapNorm(LayerNorm):
    """LayerNorm of the channels at each place of an image."""

    def forward(
        self, x: Float[Tensor, "batch channels height width"]
    ) -> Float[Tensor, "batch channels height width"]:
        """Put channels last, normalise, put channels first."""
        return super().forward(x.movedim(1, -1)).movedim(-1, 1)


def narrow(config: TransformerConfig) -> MultiHeadAttention:
    """Make attention between tokens and image, with heads of half the width."""
    half = config.d_k // 2
    return MultiHeadAttention(
        config.d_model, config.n_heads, half, half, bias=True
    )


class TwoWayLayer(DecoderLayer):
    """The paper's decoder layer, and a fourth part, by which the image changes too.

    In the first layer tokens are their own positions, so that they are neither
    added again nor carried past the self-attention.

    Source: Kirillov et al. 2023, appendix A, "Lightweight mask decoder".
    """

    def __init__(self, config: TransformerConfig, *, first: bool) -> None:
        super().__init__(config)
        self.first = first
        self.cross_attention = narrow(config)
        self.image_attention = narrow(config)
        self.after_image_attention = residual(config)

    def forward(  # type: ignore[override]
        self, x: Tensor, image: Tensor, token: Tensor, place: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Map (batch, token, width), (batch, place, width), given what both began with.

        `token` is what the tokens began with, `place` where the places of the
        image lie.
        """
        if self.first:
            x = self.after_attention.layer_norm(self.self_attention(x, x, x))
        else:
            x = self.after_attention(
                x, lambda y: self.self_attention(y + token, y + token, y)
            )
        x = self.after_cross_attention(
            x, lambda y: self.cross_attention(y + token, image + place, image)
        )
        x = self.after_feed_forward(x, self.feed_forward)
        image = self.after_image_attention(
            image, lambda y: self.image_attention(y + place, x + token, x)
        )
        return x, image


class MaskDecoder(nn.Module):
    """Masks for prompts on an encoded image, and how well it thinks that each fits.

    Source: Kirillov et al. 2023, section 3 and figure 14.
    """

    def __init__(
        self, config: TransformerConfig, n_masks: int, score_ff: int
    ) -> None:
        super().__init__()
        width = config.d_model
        self.score_token = nn.Parameter(torch.randn(1, width))
        self.mask_tokens = nn.Parameter(torch.randn(1 + n_masks, width))
        self.layers = nn.ModuleList(
            TwoWayLayer(config, first=i == 0) for i in range(config.n_layers)
        )
        self.last_look = narrow(config)
        self.after_last_look = residual(config)
        self.upscale = nn.Sequential(
            nn.ConvTranspose2d(width, width // 4, 2, stride=2),
            MapNorm(width // 4),
            nn.GELU(),
            nn.ConvTranspose2d(width // 4, width // 8, 2, stride=2),
            nn.GELU(),
        )
        self.filters = nn.ModuleList(
            three_layers(width, width // 8) for _ in range(1 + n_masks)
        )
        self.score = three_layers(width, 1 + n_masks, score_ff)

    def forward(
        self,
        image: Float[Tensor, "batch width rows columns"],
        place: Float[Tensor, "place width"],
        prompts: Float[Tensor, "batch prompt token width"],
    ) -> tuple[
        Float[Tensor, "batch prompt mask height_out width_out"],
        Float[Tensor, "batch prompt mask"],
    ]:
        """Return logits of all masks, four times as fine as the encoded image, and scores."""
        own = torch.cat((self.score_token, self.mask_tokens))
        own = own.expand(*prompts.shape[:2], -1, -1)
        tokens = torch.cat((own, prompts), dim=2).flatten(0, 1)
        spread = image.repeat_interleave(prompts.size(1), 0)
        x, y = tokens, spread.flatten(2).mT
        for layer in self.layers:
            x, y = layer(x, y, tokens, place)
        x = self.after_last_look(
            x, lambda z: self.last_look(z + tokens, y + place, y)
        )
        fine = self.upscale(y.mT.unflatten(-1, image.shape[2:]))
        filters = torch.stack(
            [filt(x[:, 1 + i]) for i, filt in enumerate(self.filters)], dim=1
        )
        masks = torch.einsum("bmc,bchw->bmhw", filters, fine)
        shape = prompts.shape[:2]
        return masks.unflatten(0, shape), self.score(x[:, 0]).unflatten(
            0, shape
        )
