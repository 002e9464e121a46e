"""What the model says comes next: the final projection and softmax of section 3.4.

Chapter: *Tokens and embeddings*. Left out: how sentences are made of such answers, which is
`decoding/search.py`.
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.translator import Translator


def next_token_distribution(
    translator: Translator, source: str, target: str = "", *, temperature: float = 1.0
) -> Float[Tensor, " vocab"]:
    """Return the probability of each token after the target text so far, given the source.

    The logits are divided by `temperature`: below 1 the likely becomes likelier, above 1 all
    tokens come closer to each other.

    Raises:
        ValueError: the temperature is not a positive number; a text that the tokenizer cannot keep
            or the model cannot hold; or an empty source.
    """
    if not (math.isfinite(temperature) and temperature > 0):
        raise ValueError(f"temperature={temperature} must be a positive number")
    if not source.strip():
        raise ValueError("the source is empty: there is nothing to translate")
    model, tokenizer = translator.model, translator.tokenizer
    device = next(model.parameters()).device
    written = tokenizer.target_ids(target)[:-1]  # the end is still to come
    source_ids = torch.tensor([tokenizer.source_ids(source)], device=device)
    target_ids = torch.tensor([written], device=device)
    with evaluation_mode(model):
        logits = model(source_ids, target_ids)[0, -1]
    # The largest becomes 0 before the division, or a small temperature would make all infinite.
    logits = logits.double() - logits.max()
    return (logits / temperature).softmax(-1).float()
