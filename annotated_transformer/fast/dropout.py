"""Dropout that costs less on a CPU (section 5.4)."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class Dropout(nn.Dropout):
    """In training, each value becomes 0 with probability p, and the others grow by 1 / (1 - p).

    On a GPU, and where it is compiled, this is PyTorch's own. On a CPU that one
    spends its time drawing a random number for each value; here one draw of 64
    bits serves four values. So p is rounded to a multiple of 2^-16 (0.1 to
    0.100006), and the scale is that of the rounded p, which keeps the
    expectation as well as the number format can (in bfloat16 to 0.2 %). The mask
    is made in the number format of what it multiplies, scale included: a product
    of equal formats takes no conversion, forward or backward. It takes the place
    of the random bits, so that a 16-bit format needs no further memory.
    """

    def forward(self, x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
        """Draw a mask from PyTorch's generator and apply it; in evaluation, do nothing."""
        if not self.training or self.p == 0:
            return x
        if x.device.type != "cpu" or self.p == 1 or torch.compiler.is_compiling():
            return super().forward(x)
        dropped = min(round(self.p * 2**16), 2**16 - 1)
        draws = torch.empty(-(-x.numel() // 4), dtype=torch.int64, device="cpu")
        draws.random_(-(2**63), None)
        bits = draws.view(torch.int16)[: x.numel()].view(x.shape)  # from -2^15 to 2^15 - 1
        keep = bits.ge_(dropped - 2**15)  # 1 or 0
        scale = torch.tensor(2**16 / (2**16 - dropped), dtype=x.dtype, device="cpu")
        if x.element_size() == 2:  # the bits of the scale, or none, which are the bits of 0
            return x * keep.mul_(int(scale.view(torch.int16))).view(x.dtype)
        return x * keep.to(x.dtype).mul_(scale)
