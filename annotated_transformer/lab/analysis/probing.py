"""What can be read from the encoder's vectors by a linear map, and a task that nothing can teach.

Chapter: *Reading attention*. The task: which particle the Korean translation of an English noun
will carry, that is, what the noun does in its sentence. The control: a label drawn at random for
each word, the same wherever the word stands. A probe that learns the control too has memorised
words; the difference of the two accuracies is its selectivity. Left out: probes that bend.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from torch import Tensor

from annotated_transformer.corpora import SentencePair
from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.lab.checks import check_list
from annotated_transformer.lab.corpora.english_korean.large import large_lexicon
from annotated_transformer.lab.corpora.english_korean.morphology import (
    DATIVE,
    OBJECT,
    SUBJECT,
    TOPIC,
    attach,
)
from annotated_transformer.masks import padding_mask
from annotated_transformer.translator import Translator

ROLES = {
    "subject": (TOPIC, SUBJECT),
    "object": (OBJECT,),
    "receiver": (DATIVE,),
    "place": (("에", "에"), ("에서", "에서")),
}
"""What a noun does, by the particles that say so."""


class Probed(NamedTuple):
    """A word of a sentence with its label."""

    sentence: int
    """The number of its sentence, from 0."""
    place: int
    """The number of the word in it, from 0."""
    word: str
    """The word itself."""
    label: str
    """What a probe has to read off its vector."""


def noun_roles(pairs: Sequence[SentencePair]) -> list[Probed]:
    """Return the English nouns of the pairs, each with its role.

    A noun counts if a Korean word that it is aligned with is its translation with a particle of
    `ROLES`. Sentences and words are counted from 0.
    """
    roles, nouns = _roles(), []
    for number, pair in enumerate(pairs):
        source, target = pair.source.split(" "), pair.target.split(" ")
        for s, t in pair.alignment or ():
            role = roles.get((source[s].lower(), target[t]))
            if role:
                nouns.append(Probed(number, s, source[s].lower(), role))
    return nouns


@cache
def _roles() -> dict[tuple[str, str], str]:
    """Return the role by English noun and Korean word."""
    return {
        (english.lower(), attach(noun.korean + plural, particle)): role
        for noun in large_lexicon().all_nouns
        for english in {noun.english, noun.plural or noun.english}
        for role, particles in ROLES.items()
        for particle in particles
        for plural in ("", "들")
    }


def control_task(words: Sequence[Probed], seed: int) -> list[Probed]:
    """Return the same words with labels drawn by word, as often on the whole as in the task.

    Source: Hewitt and Liang 2019, section 2.
    """
    generator = np.random.default_rng(seed)
    labels = [word.label for word in words]
    drawn = {
        text: labels[generator.integers(len(labels))]
        for text in sorted({word.word for word in words})
    }
    return [word._replace(label=drawn[word.word]) for word in words]


def encoder_states(
    translator: Translator, pairs: Sequence[SentencePair], words: Sequence[Probed]
) -> Float[Tensor, "layer word d_model"]:
    """Return the vector of each word before the encoder's first layer and after each layer.

    The vector of a word is the mean of those of its tokens.
    """
    model, tokenizer = translator.model, translator.tokenizer
    kept: dict[int, list[Tensor]] = {}
    with evaluation_mode(model):
        for number in {word.sentence for word in words}:
            ids = torch.tensor([tokenizer.source_ids(pairs[number].source)])
            x = model.source_positions(model.source_embedding(ids))
            kept[number] = [x[0]]
            for layer in model.encoder.layers:
                x = layer(x, padding_mask(ids, model.config.padding_id))
                kept[number].append(x[0])
        spans = {n: tokenizer.word_spans(pairs[n].source) for n in kept}
        rows = [
            [x[slice(*spans[w.sentence][w.place])].mean(0) for x in kept[w.sentence]] for w in words
        ]
        return torch.stack([torch.stack(row) for row in rows], dim=1)


def probe_accuracy(
    train: tuple[Float[Tensor, "word d_model"], Sequence[str]],
    test: tuple[Float[Tensor, "other_word d_model"], Sequence[str]],
) -> float:
    """Return the percentage of test labels that a linear map, fitted on the others, hits."""
    for name, (_, labels) in {"train": train, "test": test}.items():
        check_list(f"the labels of {name}", labels)
    probe = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2_000))
    probe.fit(train[0].numpy(), train[1])
    return 100 * float(probe.score(test[0].numpy(), test[1]))


def probe_layers(
    translator: Translator, pairs: Sequence[SentencePair], n_train: int, seed: int
) -> list[dict[str, Any]]:
    """Return accuracy on task and control, and selectivity, in percent, layer by layer.

    The probe is fitted on the nouns of the first `n_train` pairs and tested on those of the rest;
    layer 0 is the embedding with its position. "commonest" is what the commonest label of each word
    alone gives, which needs no sentence.

    Raises:
        ValueError: there are no nouns on one of the two sides.
    """
    words = noun_roles(pairs)
    split = sum(word.sentence < n_train for word in words)
    if not 0 < split < len(words):
        raise ValueError(
            f"{split} of {len(words)} nouns are in the first {n_train} of {len(pairs)} pairs; "
            "expected some on both sides"
        )
    rows = []
    for layer, x in enumerate(encoder_states(translator, pairs, words)):
        row: dict[str, float] = {}
        tasks = {"task": words, "control": control_task(words, seed)}
        for name, task in tasks.items():
            y = [word.label for word in task]
            train, test = (x[:split], y[:split]), (x[split:], y[split:])
            row[name] = probe_accuracy(train, test)
        row["selectivity"] = row["task"] - row["control"]
        row["commonest"] = commonest(words[:split], words[split:])
        rows.append({"layer": layer} | row)
    return rows


def commonest(train: Sequence[Probed], test: Sequence[Probed]) -> float:
    """Return the percentage of test labels that a known word's commonest label hits.

    For a word that does not occur in `train` it is the commonest label of all words.
    """
    counts: dict[str, dict[str, int]] = {"": {}}
    for word in train:
        for text in ("", word.word):
            of_word = counts.setdefault(text, {})
            of_word[word.label] = of_word.get(word.label, 0) + 1
    best = {text: max(labels, key=labels.__getitem__) for text, labels in counts.items()}
    hits = [best.get(word.word, best[""]) == word.label for word in test]
    return 100 * sum(hits) / len(hits)
