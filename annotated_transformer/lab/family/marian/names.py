"""What Hugging Face calls the tensors and settings of Marian, and how they become the paper's.

Two orders differ. Components: Marian's sinusoids have all sines first and then
all cosines, ours alternate. One permutation of the axis d_model, applied to
every tensor that reads or writes it, changes nothing else. Tokens: Marian ends
a text with id 0, knows id 1 as unknown, and fills up and begins with its last
id. Ours are moved by two, and the last comes first, twice: as padding (0) and
as begin-of-sentence (1), because our decoder never attends to padding.
"""

import torch
from torch import Tensor

from annotated_transformer.lab.family.bart import names as bart
from annotated_transformer.lab.family.reference import Made, Reference, only, same

NEVER = -1e4
"""What is added to the logit of begin-of-sentence: exp(-10,000) is 0 in every precision."""


def alternated(x: Tensor) -> Tensor:
    """Alternate components: first of the first half, first of the second, second of the first."""
    return x.unflatten(0, (2, -1)).transpose(0, 1).flatten(0, 1)


def inputs(x: Tensor) -> Tensor:
    """Alternate the columns of a matrix that reads vectors."""
    return alternated(x.transpose(0, 1)).transpose(0, 1)


def moved(x: Tensor) -> Tensor:
    """Put tokens in our order: the last of theirs twice, then the others."""
    return torch.cat([x[-1:], x[-1:], x[:-1]])


def embedding(x: Tensor) -> Tensor:
    """Return an alternated row for each of our tokens."""
    return inputs(moved(x))


def output_bias(x: Tensor) -> Tensor:
    """Return a number for each token of ours; begin-of-sentence is never written."""
    bias = moved(only(x))
    bias[1] = NEVER
    return bias


WHAT = {
    "w_query.weight": inputs,
    "w_key.weight": inputs,
    "w_value.weight": inputs,
    "w_output.weight": alternated,
    "w_output.bias": alternated,
    "inner.weight": inputs,
    "outer.weight": alternated,
    "outer.bias": alternated,
    "layer_norm.{g}": alternated,
}
"""By the end of our name: what becomes of a tensor; others stay as they are."""


def _entries() -> dict[str, str | Made]:
    found: dict[str, str | Made] = {}
    for stack, layer in bart.STACKS.items():
        for ours, theirs in layer.items():
            for part in ("weight", "bias") if "{p}" in ours else ("",):
                name = ours.replace("{p}", part)
                made = next((WHAT[end] for end in WHAT if name.endswith(end)), same)
                found[f"{stack}.layers.{{n}}.{name}"] = Made(
                    f"model.{stack}.layers.{{n}}.{theirs.replace('{p}', part)}", made
                )
    return found


POSITIONS = r"^model\.(en|de)coder\.embed_positions\.weight$"
REFERENCE = Reference(
    _entries()
    | {
        "source_embedding.weight": Made("model.shared.weight", embedding),
        "output.bias": Made("final_logits_bias", output_bias),
    },
    bart.SETTINGS | {"padding_id": "pad_token_id", "activation": "activation_function"},
    expected=bart.POST_NORM
    | {
        "model_type": "marian",
        "share_encoder_decoder_embeddings": True,
        "normalize_embedding": False,
        "static_position_embeddings": True,
        "eos_token_id": 0,
    },
    alike=(
        *bart.ALIKE,
        ("pad_token_id", "decoder_start_token_id"),
        ("vocab_size", "decoder_vocab_size"),
    ),
    harmless=bart.HARMLESS,
    repeated=dict.fromkeys(bart.EMBEDDINGS, "source_embedding.weight"),
    unused=(POSITIONS,),  # sinusoids, which are computed
)
