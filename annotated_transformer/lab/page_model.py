"""A trained model as scripts, for a page that translates without a server.

A page opened from a folder may run scripts and read nothing else, so the weights come as scripts:
each hands one part of the file, in base64, to the `receive` of `book/_static/live/live.js`. The
file is the length of a JSON header (uint32, little-endian), the header {config, pieces, text,
tables, threshold, coverage, tensors}, and the tensors in its order; `threshold` is that of the
doubt. Models with the same tokenizer may have its pieces in a script of its own: their headers have
`tokenizer`, its name, in place of `pieces`. A tensor of 8 bits is a float32 for each row and then
its whole numbers, of which each times that number is the weight; one of 32 bits is plain float32.
Matrices are rounded to 8 bits, each weight by at most a 254th of the largest of its row; vectors
are not.
"""

import base64
import json
import struct
from collections.abc import Sequence

import sentencepiece
import torch
from jaxtyping import Float, Int
from torch import Tensor

from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.doubt import Coverage
from annotated_transformer.saving import model_tensors
from annotated_transformer.text import TABLES, TrainingText
from annotated_transformer.tokenizer import N_FIXED, SPACE_MARK, Tokenizer
from annotated_transformer.transformer import Transformer

PARTS = 8
"""Scripts of a model: a page can show how many of them it has."""
LARGEST = 127
"""Weights of 8 bits are whole numbers from minus this to this, times a factor for each row."""
NEEDED = {
    "norm": "post",
    "positions": "sinusoidal",
    "activation": "relu",
    "bias": "feed_forward",
    "share_embeddings": True,
    "scale_embeddings": True,
}
"""The only model that `book/_static/live/transformer.js` knows: that of the paper."""


def model_scripts(
    name: str,
    model: Transformer,
    tokenizer: Tokenizer,
    text: TrainingText | None = None,
    *,
    threshold: float | None = None,
    coverage: Coverage | None = None,
    bits: int = 8,
    shared: str | None = None,
) -> list[str]:
    """Return the text of each of `PARTS` scripts; script i has to be called NAME-i.js.

    Args:
        name: what the page asks for.
        model: of the paper's kind.
        tokenizer: its tokenizer.
        text: what its training text had.
        threshold: above which doubt the page calls a translation doubtful.
        coverage: what tells the words that a translation leaves out.
        bits: of a weight, 8 or 32.
        shared: the name of the script that has the pieces of the tokenizer (`pieces_script`); with
            none the model's own scripts have them.

    Raises:
        ValueError: bits are neither 8 nor 32, the model has an option that the paper's has not, or
            the tokenizer is not the model's, changes text or is not one of byte pairs.
    """
    if bits not in (8, 32):
        raise ValueError(f"bits={bits!r}: a weight takes 8 or 32")
    tokenizer.check_size(model.config.vocab_size)
    _check_config(model.config)
    _check_tokenizer(tokenizer)
    stored = [
        (key, tensor.detach().cpu().float(), bits if tensor.dim() == 2 else 32)
        for key, tensor in model_tensors(model).items()
        if key != "output.weight"  # that of the embedding (section 3.4)
    ]
    header = {
        "config": model.config.to_dict(),
        **({"pieces": tokenizer.vocabulary()} if shared is None else {"tokenizer": shared}),
        "text": (text or TrainingText()).to_dict(),
        "tables": TABLES,
        "threshold": threshold,
        "coverage": coverage and coverage.to_dict(),
        "tensors": [
            {"name": key, "shape": list(tensor.shape), "bits": size} for key, tensor, size in stored
        ],
    }
    head = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    body = b"".join(_tensor_bytes(tensor, size) for _, tensor, size in stored)
    return _scripts(name, struct.pack("<I", len(head)) + head + body, PARTS)


def pieces_script(name: str, tokenizer: Tokenizer) -> str:
    """Return the script NAME-0.js with the pieces of a tokenizer that several models share."""
    pieces = json.dumps(tokenizer.vocabulary(), ensure_ascii=False, separators=(",", ":"))
    (script,) = _scripts(name, pieces.encode(), 1)
    return script


def rounded(
    weight: Float[Tensor, "row column"],
) -> tuple[Float[Tensor, " row"], Int[Tensor, "row column"]]:
    """Round a matrix of float32, row by row, to whole numbers times a factor.

    They are not those of `fast/int8.py`, whose range depends on the processor: a page is read on
    any processor.
    """
    factors = weight.abs().amax(dim=1) / LARGEST
    # A row of zeros has factor 0; any whole numbers would do.
    divisors = torch.where(factors > 0, factors, 1.0)
    return factors, (weight / divisors[:, None]).round().to(torch.int8)


def _tensor_bytes(tensor: Tensor, bits: int) -> bytes:
    parts = rounded(tensor) if bits == 8 else (tensor,)
    return b"".join(part.contiguous().numpy().tobytes() for part in parts)


def _scripts(name: str, content: bytes, count: int) -> list[str]:
    """Cut bytes into so many parts, and write each as a script."""
    size = -(-len(content) // count)
    size += -size % 3  # three bytes are four characters of base64
    parts: Sequence[bytes] = [
        content[start : start + size] for start in range(0, size * count, size)
    ]
    return [
        f"AnnotatedTransformer.receive({json.dumps(name)}, {number}, {count}, "
        f'"{base64.b64encode(part).decode()}");\n'
        for number, part in enumerate(parts)
    ]


def _check_config(config: TransformerConfig) -> None:
    for field, value in NEEDED.items():
        if getattr(config, field) != value:
            raise ValueError(
                f"{field}={getattr(config, field)!r}: the model in the page only knows {value!r}"
            )


def _check_tokenizer(tokenizer: Tokenizer) -> None:
    """Refuse what tokenizer.js does not do: it joins pieces in the order of their ids."""
    processor = sentencepiece.SentencePieceProcessor(model_proto=tokenizer.to_bytes())
    ids = range(N_FIXED, tokenizer.vocab_size)
    if any(processor.get_score(i) != N_FIXED - i for i in ids):
        raise ValueError("the tokenizer is not one of byte pairs: the page knows no other")
    # Every character of the basic plane, those with a canonical or compatible form among them, and
    # spaces in a row.
    plane = (chr(code) for code in range(0x20, 0xD800))
    text = "".join(c for c in plane if c != SPACE_MARK) + "  a  "
    if processor.normalize(text) != SPACE_MARK + text.replace(" ", SPACE_MARK):
        raise ValueError(
            "the tokenizer normalises text: train it with normalization_rule_name='identity'"
        )
