"""Where each head of a trained model looks: the share of its weight on keys of several kinds.

Chapter: *Multi-head attention*. The kinds follow from positions or from the gold alignment; kinds
of grammar are marked by `grammar_links.py`.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.heads import (
    attention_named,
    head_contributions,
    head_matrices,
)
from annotated_transformer.lab.analysis.teacher_forcing import teacher_forced_attention
from annotated_transformer.translator import Translator

Kinds = Callable[[str, Tensor, Translator, SentencePair], dict[str, Bool[Tensor, "query key"]]]
"""Marks the keys of each kind, given the name of an attention and its weights for a pair."""


def head_profile(
    translator: Translator, pairs: Sequence[SentencePair], kinds: Kinds | None = None
) -> list[dict[str, Any]]:
    """Return the share of its weight that each head puts on keys of each kind, in percent.

    Kinds in self-attention: the "previous", the "same" and, in the encoder, the "next" token. In
    cross-attention: the source words that the gold alignment gives to the target word which the row
    is about to write ("writing") or has just read ("reading"). In both: the "end" of the source
    sentence or the "begin" of the target. Kinds may overlap and do not cover all keys. A share is
    the mean over the rows that have such a key and at least two keys to choose from; a kind without
    such rows is left out. `kinds` may mark others than these.

    Returns one row per attention, head and kind: {"attention", "head", "kind", "share", "even"};
    "even" is the share that a head would give if it spread its weight evenly over all keys.

    Raises:
        ValueError: no pairs, a blank sentence or one that the model does not accept, or a pair
            without a gold alignment of its words.
    """
    _check_pairs(pairs)
    for number, pair in enumerate(pairs, start=1):
        _check_alignment(number, pair)
    shares: dict[tuple[str, int, str], float] = defaultdict(float)
    even: dict[tuple[str, str], float] = defaultdict(float)
    rows: dict[tuple[str, str], int] = defaultdict(int)
    for pair in pairs:
        for name, weights in _weights(translator, pair).items():
            allowed = torch.ones(weights.shape[1:], dtype=torch.bool)
            if _causal(name):
                allowed = allowed.tril()
            marks = (kinds or _kinds)(name, weights, translator, pair)
            for kind, marked in marks.items():
                counted = marked.any(dim=1) & (allowed.sum(dim=1) > 1)
                rows[name, kind] += int(counted.sum())
                evenly = (marked.sum(1) / allowed.sum(1))[counted]
                even[name, kind] += float(evenly.sum())
                by_head = (weights * marked).sum(2)[:, counted].sum(1)
                for head, share in enumerate(by_head):
                    shares[name, head, kind] += float(share)
    return [
        {
            "attention": name,
            "head": head,
            "kind": kind,
            "share": 100 * total / rows[name, kind],
            "even": 100 * even[name, kind] / rows[name, kind],
        }
        for (name, head, kind), total in shares.items()
        if rows[name, kind]
    ]


def head_agreement(
    translator: Translator, pairs: Sequence[SentencePair], name: str
) -> tuple[Float[Tensor, "heads heads"], Float[Tensor, "heads heads"]]:
    """Compare the heads of one attention with each other, over all queries of all pairs.

    Returns two matrices. The first is the overlap of two heads' weights, the sum over keys of the
    smaller one: 1 if they are equal, 0 if no key gets weight from both. The second is the cosine
    between the vectors that two heads add to the output.

    Raises:
        ValueError: no pairs, a blank sentence, one that the model does not accept, or no attention
            of that name.
    """
    _check_pairs(pairs)
    module = attention_named(translator.model, name)
    calls: list[tuple[Any, ...]] = []
    handle = module.register_forward_pre_hook(lambda _, inputs: calls.append(inputs))
    try:
        weights = [_weights(translator, pair)[name] for pair in pairs]
    finally:
        handle.remove()
    overlaps = torch.cat(
        [torch.minimum(w[:, None], w[None]).sum(-1) for w in weights], dim=-1
    )  # heads, heads, all queries
    matrices, added = head_matrices(module), []
    for query, key, value, mask, *_ in calls:
        with torch.no_grad():
            one_mask = None if mask is None else mask[:, 0]
            added.append(head_contributions(query, key, value, matrices, one_mask)[:, 0])
    directions = F.normalize(torch.cat(added, dim=1).double().cpu(), dim=-1)
    cosines = torch.einsum("iqd,jqd->ijq", directions, directions)
    return overlaps.mean(-1), cosines.mean(-1)


def _check_pairs(pairs: Sequence[SentencePair]) -> None:
    if not pairs:
        raise ValueError("there are no sentence pairs to look at")
    for number, pair in enumerate(pairs, start=1):
        if not isinstance(pair, SentencePair):
            raise ValueError(f"sentence pair {number} is {pair!r}; expected a SentencePair")
        if not (pair.source.strip() and pair.target.strip()):
            raise ValueError(f"sentence pair {number} has a blank sentence: {pair!r}")


def _check_alignment(number: int, pair: SentencePair) -> None:
    if not pair.alignment:
        raise ValueError(f"sentence pair {number} has no gold alignment")
    words = len(pair.source.split(" ")), len(pair.target.split(" "))
    for link in pair.alignment:
        if not all(0 <= word < count for word, count in zip(link, words, strict=True)):
            raise ValueError(
                f"sentence pair {number} aligns word {link[0]} of {words[0]} with word {link[1]} "
                f"of {words[1]}; words are counted from 0"
            )


def _causal(name: str) -> bool:
    return name.startswith("decoder") and name.endswith("self_attention")


def _weights(
    translator: Translator, pair: SentencePair
) -> dict[str, Float[Tensor, "heads query key"]]:
    recorded = teacher_forced_attention(translator, pair.source, pair.target)
    return {name: weights.double() for name, weights in recorded.items()}


def _kinds(
    name: str, weights: Float[Tensor, "heads query key"], translator: Translator, pair: SentencePair
) -> dict[str, Bool[Tensor, "query key"]]:
    """Mark the keys of each kind; which kinds there are depends on the attention."""
    n_query, n_key = weights.shape[1:]
    row, column = torch.arange(n_query)[:, None], torch.arange(n_key)
    end = (column == n_key - 1).expand(n_query, -1)
    begin = (column == 0).expand(n_query, -1)
    if name.endswith("cross_attention"):
        gold = _aligned(translator, pair, n_key)
        nothing = torch.zeros(1, n_key, dtype=torch.bool)
        return {
            "writing": torch.cat([gold, nothing]),
            "reading": torch.cat([nothing, gold]),
            "end": end,
        }
    kinds = {"previous": column == row - 1, "same": column == row}
    if _causal(name):
        return kinds | {"begin": begin}
    return kinds | {"next": column == row + 1, "end": end}


def _aligned(
    translator: Translator, pair: SentencePair, n_key: int
) -> Bool[Tensor, "target source"]:
    """Mark the source tokens whose word is aligned with the word of a target token."""
    source = translator.tokenizer.word_spans(pair.source)
    target = translator.tokenizer.word_spans(pair.target)
    marked = torch.zeros(target[-1][1], n_key, dtype=torch.bool)
    for source_word, target_word in pair.alignment or ():
        marked[slice(*target[target_word]), slice(*source[source_word])] = True
    return marked
