"""The attention weights of a model that is fed a given translation instead of its own."""

import torch
from jaxtyping import Float
from torch import Tensor

from annotated_transformer.inspection import evaluation_mode, record_attention
from annotated_transformer.translator import Translator


def teacher_forced_attention(
    translator: Translator, source: str, target: str
) -> dict[str, Float[Tensor, "heads query key"]]:
    """Return the weights of each attention by its name, on the CPU.

    The decoder reads the begin of the sentence and then `target`; an empty target leaves it the
    begin alone. The model keeps its mode (training or evaluation).

    Raises:
        ValueError: a sentence that the tokenizer or the model does not accept.
    """
    tokenizer = translator.tokenizer
    device = next(translator.model.parameters()).device
    source_ids = tokenizer.source_ids(source)
    target_ids = tokenizer.target_ids(target)[:-1]
    with evaluation_mode(translator.model), record_attention(translator.model) as record:
        translator.model(
            torch.tensor([source_ids], device=device), torch.tensor([target_ids], device=device)
        )
    return {name: weights[0].cpu() for name, weights in record.items()}
