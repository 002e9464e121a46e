"""Names that heads have earned: a score, three baselines, and one rule.

Chapter: *Reading attention*. A head is called after the keys that it gives most of its weight to,
if neither an even spread, nor an untrained model, nor the mere distance of these keys explains it.
Left out: what a head does with the values that it takes, which its weights do not show.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.grammar_links import grammar_kinds
from annotated_transformer.lab.analysis.head_profile import head_profile
from annotated_transformer.lab.analysis.teacher_forcing import (
    teacher_forced_attention,
)
from annotated_transformer.transformer import Transformer
from annotated_transformer.translator import Translator

MOST = 50.0
"""Percent of its weight that a head must give to the keys it is called after."""
MARGIN = 10.0
"""Points by which that must exceed each of the baselines."""
NO_NAME = "none"


def untrained(translator: Translator, seed: int) -> Translator:
    """Return the same translator with untrained weights, drawn from a seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Transformer(translator.model.config)
    return Translator(model, translator.tokenizer)


def head_scores(
    translator: Translator, pairs: Sequence[SentencePair], seeds: Sequence[int]
) -> list[dict[str, Any]]:
    """Return each head's share of weight on keys of each kind, in percent, beside three baselines.

    Kinds are those of `head_profile` and `grammar_kinds`. Returns their rows with two more entries.
    "untrained" is the largest share that any head of the same attention has in the models of
    `untrained` with these seeds. "elsewhere", for kinds of grammar, is what the same head gives to
    keys at the same distances in all other rows (`share_elsewhere`).

    Raises:
        ValueError: no pairs, no seeds, or what `head_profile` refuses.
    """
    if not seeds:
        raise ValueError(
            "there are no seeds for untrained models; expected [0]"
        )
    rows = _profiles(translator, pairs)
    highest: dict[tuple[str, str], float] = defaultdict(float)
    for seed in seeds:
        for row in _profiles(untrained(translator, seed), pairs):
            key = row["attention"], row["kind"]
            highest[key] = max(highest[key], row["share"])
    elsewhere = share_elsewhere(translator, pairs)
    for row in rows:
        key = row["attention"], row["kind"]
        row["untrained"] = highest[key]
        row["elsewhere"] = elsewhere.get((row["head"], *key))
    return rows


def _profiles(
    translator: Translator, pairs: Sequence[SentencePair]
) -> list[dict[str, Any]]:
    """Return both profiles: of places and of grammar."""
    grammar = head_profile(translator, pairs, grammar_kinds)
    return head_profile(translator, pairs) + grammar


def head_names(
    scores: Sequence[Mapping[str, Any]],
    most: float = MOST,
    margin: float = MARGIN,
) -> dict[tuple[str, int], list[str]]:
    """Return the names that each head has earned, by attention and head, the best first.

    The rule: a head earns the name of a kind if it gives keys of that kind more than `most` percent
    of its weight, on average over the rows that have such a key, and if that is at least `margin`
    points more than each baseline: an even spread, any head of that attention in untrained models
    and, for kinds of grammar, the same distances elsewhere.
    """
    earned: dict[tuple[str, int], list[tuple[float, str]]] = {}
    for row in scores:
        names = earned.setdefault((row["attention"], row["head"]), [])
        baselines = [row["even"], row["untrained"], row["elsewhere"] or 0.0]
        share = row["share"]
        if share > most and share >= max(baselines) + margin:
            names.append((share, row["kind"]))
    return {
        key: [kind for _, kind in sorted(names, reverse=True)]
        for key, names in earned.items()
    }


def share_elsewhere(
    translator: Translator, pairs: Sequence[SentencePair]
) -> dict[tuple[int, str, str], float]:
    """Return what each head gives to the distances of a kind of grammar without such a link.

    For each kind the marked keys stand at certain distances from their rows. The value, by head,
    attention and kind, is the weight in percent that the head gives to these distances, as often as
    they occur there, in rows of the same attention without a marked key.
    """
    marked_at: dict[Any, Counter[int]] = defaultdict(Counter)
    rows: Counter[Any] = Counter()
    sums: dict[Any, dict[int, Tensor]] = defaultdict(dict)
    for pair in pairs:
        attention = teacher_forced_attention(
            translator, pair.source, pair.target
        )
        for name, weights in attention.items():
            marks = grammar_kinds(name, weights, translator, pair)
            for kind, marked in marks.items():
                linked = marked.any(1)
                rows[name, kind] += int(linked.sum())
                marked_at[name, kind].update(distances(marked))
                add_by_distance(sums[name, kind], weights.double(), ~linked)
    return {
        (head, *key): 100 * value / rows[key]
        for key, at in marked_at.items()
        if at
        for head, value in enumerate(_expected(at, sums[key]).tolist())
    }


def distances(marked: Bool[Tensor, "query key"]) -> list[int]:
    """Return how far to the left of its row each marked key stands."""
    row, column = marked.nonzero(as_tuple=True)
    return (row - column).tolist()


def add_by_distance(
    sums: dict[int, Tensor],
    weights: Float[Tensor, "heads query key"],
    rows: Bool[Tensor, " query"],
) -> None:
    """Add the weights of some rows to the sums of their distances; the last entry counts them."""
    n_query, n_key = weights.shape[1:]
    with_count = torch.cat([weights, torch.ones_like(weights[:1])])
    with_count = with_count * rows[:, None]
    for distance in range(1 - n_key, n_query):
        diagonal = with_count.diagonal(-distance, dim1=1, dim2=2).sum(1)
        sums[distance] = sums.get(distance, 0) + diagonal


def _expected(
    at: Mapping[int, int], sums: Mapping[int, Tensor]
) -> Float[Tensor, " heads"]:
    """Sum the mean weight at each distance over the marked keys; 0 where none is found."""
    means = [
        count * sums[distance][:-1] / sums[distance][-1].clamp(min=1)
        for distance, count in at.items()
    ]
    return torch.stack(means).sum(0)
