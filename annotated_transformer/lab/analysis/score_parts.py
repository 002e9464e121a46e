"""What content and position contribute to the scores of a first layer.

Paper: section 3.5. Chapter: *Positional encoding*. Into the first layer go a
token's embedding and its position, and a score is linear in both of its sides:
it is a sum of four parts. Left out: layers above the first, whose inputs are no
longer such sums.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.lab.checks import check_list
from annotated_transformer.translator import Translator

Parts = dict[str, Float[Tensor, "heads query key"]]


def score_parts(translator: Translator, text: str, side: str = "encoder") -> Parts:
    """Return the four parts of the scores of the first self-attention; their sum is the scores.

    "position-content" is what the query's position asks of the key's content.
    `text` is a source, or a target for the side "decoder", as training has it.

    Raises:
        ValueError: the text is longer than the model accepts, or `side` is
            neither "encoder" nor "decoder".
    """
    attention, content, places = _first_layer(translator, text, side)
    kinds = {"content": content, "position": places}
    return _products(attention, kinds, kinds)


def part_shares(
    translator: Translator, texts: Sequence[str], side: str = "encoder"
) -> dict[str, Float[Tensor, " heads"]]:
    """Return each part's share in the differences of scores within a row, by head.

    It is the covariance of the part with the whole score divided by the variance
    of the whole, over all keys that a query may see. Shares sum to one.

    Raises:
        ValueError: as `score_parts` does.
    """
    check_list("texts", texts)
    sums: dict[str, Tensor] = {}
    for text in texts:
        parts = score_parts(translator, text, side)
        whole = _centred(_whole(parts), side)
        for name, part in parts.items():
            added = (_centred(part, side) * whole).sum((1, 2))
            sums[name] = sums.get(name, torch.zeros_like(added)) + added
    total = torch.stack(list(sums.values())).sum(0)
    return {name: covariance / total for name, covariance in sums.items()}


def constant_query(
    translator: Translator,
    texts: Sequence[str],
    position: Float[Tensor, " d_model"],
    least: int = 15,
) -> tuple[Float[Tensor, " heads"], dict[int, Float[Tensor, " heads"]]]:
    """Return what is left of "position-content" in the encoder if all queries have one position.

    Returns the share of that part, by head, and what it adds to the score of
    each token that occurs at least `least` times, against the mean of its row.

    Raises:
        ValueError: as `score_parts` does.
    """
    check_list("texts", texts)
    left, total = [], []
    added: dict[int, list[Tensor]] = defaultdict(list)
    for text in texts:
        attention, content, _ = _first_layer(translator, text, "encoder")
        parts = score_parts(translator, text)
        whole = _centred(_whole(parts), "encoder")
        query = {"": position.expand_as(content)}
        [part] = _products(attention, query, {"": content}).values()
        part = _centred(part, "encoder")
        left.append((part * whole).sum((1, 2)))
        total.append((whole * whole).sum((1, 2)))
        ids = translator.tokenizer.source_ids(text)
        for column, token in enumerate(ids):
            added[token].append(part[:, 0, column])
    means = {
        token: torch.stack(rows).mean(0) for token, rows in added.items() if len(rows) >= least
    }
    return torch.stack(left).sum(0) / torch.stack(total).sum(0), means


def by_offset(
    translator: Translator, texts: Sequence[str], part: str = "position-position", reach: int = 4
) -> dict[int, Float[Tensor, " heads"]]:
    """Return the mean of one part by the offset from query to key, in the encoder, by head.

    Each row is taken against its own mean.

    Raises:
        ValueError: as `score_parts` does.
    """
    diagonals: dict[int, list[Tensor]] = defaultdict(list)
    for text in texts:
        scores = _centred(score_parts(translator, text)[part], "encoder")
        for offset in range(-reach, reach + 1):
            diagonals[offset].append(scores.diagonal(offset, 1, 2))
    return {offset: torch.cat(scores, dim=1).mean(1) for offset, scores in diagonals.items()}


def _first_layer(
    translator: Translator, text: str, side: str
) -> tuple[MultiHeadAttention, Float[Tensor, "length d_model"], Float[Tensor, "length d_model"]]:
    """Return the first self-attention of a side, and a text's embeddings and positions."""
    model, tokenizer = translator.model, translator.tokenizer
    if side == "encoder":
        ids = tokenizer.source_ids(text)
        embedding, positions = model.source_embedding, model.source_positions
    elif side == "decoder":
        ids = tokenizer.target_ids(text)[:-1]
        embedding, positions = model.target_embedding, model.target_positions
    else:
        raise ValueError(f"side={side!r}; expected 'encoder' or 'decoder'")
    places = positions.encoding
    if len(ids) > len(places):
        raise ValueError(f"{len(ids)} tokens, {len(places)} places: shorten the text")
    attention = model.get_submodule(f"{side}.layers.0.self_attention")
    assert isinstance(attention, MultiHeadAttention)
    content = embedding(torch.tensor([ids], device=places.device))[0]
    return attention, content.detach(), places[: len(ids)].detach()


def _products(
    attention: MultiHeadAttention,
    query: Mapping[str, Float[Tensor, "length d_model"]],
    key: Mapping[str, Float[Tensor, "length d_model"]],
) -> Parts:
    """Return the scores between each of the queries and each of the keys."""
    with torch.no_grad():
        q = {a: attention.split(attention.w_query(x[None])) for a, x in query.items()}
        k = {b: attention.split(attention.w_key(x[None])) for b, x in key.items()}
    return {f"{a}-{b}": (q[a] @ k[b].mT / math.sqrt(q[a].size(-1)))[0] for a in q for b in k}


def _whole(parts: Parts) -> Float[Tensor, "heads query key"]:
    return torch.stack(list(parts.values())).sum(0)


def _centred(
    scores: Float[Tensor, "heads query key"], side: str
) -> Float[Tensor, "heads query key"]:
    """Subtract from each row its mean over the keys that it may see; set the others to 0."""
    seen = torch.ones_like(scores[0])
    if side == "decoder":
        seen = seen.tril()
    mean = (scores * seen).sum(-1, keepdim=True) / seen.sum(-1, keepdim=True)
    return (scores - mean) * seen
