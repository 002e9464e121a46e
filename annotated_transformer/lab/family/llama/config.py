"""The sizes and options of LLaMA."""

from dataclasses import dataclass

from annotated_transformer.checks import check_factor, follow
from annotated_transformer.config import Activation, Bias, Norm, Positions
from annotated_transformer.lab.family.gpt.model import GPTConfig
from annotated_transformer.lab.variants.grouped import check_groups

ONLY = {"norm": "pre", "bias": "none", "positions": "rotary"}
"""Options of a stack whose other values would be built in silence as these."""


@dataclass(frozen=True, kw_only=True)
class LLaMAConfig(GPTConfig):
    """The sizes of the paper's model, and what LLaMA sets otherwise."""

    norm: Norm = "pre"
    activation: Activation = "silu"
    bias: Bias = "none"
    epsilon: float = 1e-6
    positions: Positions = "rotary"
    dropout: float = 0.0
    share_embeddings: bool = False
    n_groups: int = None  # type: ignore[assignment]
    """Heads of keys and values, which the heads of queries share; None becomes `n_heads`."""
    rope_base: float = 10_000.0
    """Of the wavelengths of the rotations."""
    stretch: float = 1.0
    """Positions are divided by it, so that a longer text has positions that training knew (Chen et
    al. 2023, position interpolation)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, only in ONLY.items():
            if getattr(self, name) != only:
                raise ValueError(
                    f"{name}={getattr(self, name)!r} is not built here: LLaMA has {only!r}"
                )
        follow(self, "n_groups", lambda: self.n_heads)
        check_groups(self.n_heads, self.n_groups)
        for name in ("rope_base", "stretch"):
            check_factor(name, getattr(self, name))
