"""BART: the paper's whole model, which learns to write a spoilt text as it was.

Chapter: *Text to text*. The layers are the paper's, with biases everywhere and
GELU. What is new is one LayerNorm before the first layer of each stack, and the
exercise: any text becomes one with an answer (noise.py).
"""

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from annotated_transformer.config import (
    Activation,
    Bias,
    Positions,
    TransformerConfig,
)
from annotated_transformer.fast.dropout import Dropout
from annotated_transformer.lab.family.bart import names as bart
from annotated_transformer.lab.family.text_to_text import TextToText
from annotated_transformer.layers import LayerNorm
from annotated_transformer.transformer import Transformer


@dataclass(frozen=True, kw_only=True)
class BARTConfig(TransformerConfig):
    """The sizes of the paper's model, and what BART sets otherwise."""

    activation: Activation = "gelu"
    bias: Bias = "all"
    epsilon: float = 1e-5
    positions: Positions = "learned"
    scale_embeddings: bool = False


class AfterNorm(nn.Module):
    """A stack whose input is normalised first, and then falls to dropout."""

    def __init__(self, stack: nn.Module, config: TransformerConfig) -> None:
        super().__init__()
        self.embedding_norm = LayerNorm(config.d_model, config.epsilon)
        self.dropout = Dropout(config.dropout)
        self.stack = stack

    @property
    def layers(self) -> Any:
        """Those of the stack, for the cache of a search."""
        return self.stack.layers

    def forward(
        self,
        x: Float[Tensor, "batch length d_model"],
        *masks: Any,
        **options: Any,
    ) -> Float[Tensor, "batch length d_model"]:
        """Normalise, then run the stack."""
        return self.stack(
            self.dropout(self.embedding_norm(x)), *masks, **options
        )


class BART(TextToText, Transformer):
    """Logits of the next token of the original text of a spoilt one.

    In published models a target begins with end-of-sentence, and then
    begin-of-sentence.

    Source: Lewis et al. 2020, sections 2.1 and 2.2.
    """

    Config = BARTConfig
    source = "Lewis et al. 2020"
    reference = bart.REFERENCE

    def __init__(self, config: BARTConfig) -> None:
        Transformer.__init__(self, config)
        for name in ("encoder", "decoder"):
            stack = AfterNorm(self.get_submodule(name), config)
            self.add_module(name, stack)
        self.dropout = Dropout(0.0)  # that of the embeddings follows their norm
        # The reference has it as a constant, zero unless a file says otherwise.
        self.output.bias = nn.Parameter(
            torch.zeros(config.vocab_size), requires_grad=False
        )
