"""Numbers that may tell where a translation is wrong, each larger where it is likelier to be."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from annotated_transformer import Translator
from annotated_transformer.decoding.doubt import doubt
from annotated_transformer.decoding.hypotheses import Hypothesis
from annotated_transformer.inspection import evaluation_mode, record_attention
from annotated_transformer.tokenizer import BOS_ID, EOS_ID
from annotated_transformer.transformer import Transformer
from annotated_transformer.translation import prepare_texts


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What a model knows of one sentence that it translated."""

    beam: list[Hypothesis]
    """All that the search found, best first."""
    log_probs: Float[Tensor, " target"]
    """Of each token of the best hypothesis, its end included."""
    attention: Float[Tensor, "target source"]
    """Cross-attention of the last layer, mean over its heads, without the end of the source."""


def least_token(seen: Evidence) -> float:
    """Negative log probability of the least probable token."""
    return -float(seen.log_probs.min())


def margin(seen: Evidence) -> float:
    """By how little the second hypothesis is less probable than the first."""
    first, *others = seen.beam
    return others[0].log_probability - first.log_probability if others else -math.inf


def others_share(seen: Evidence) -> float:
    """Share of the other hypotheses in the probability of the beam."""
    first, *others = (math.exp(each.log_probability) for each in seen.beam)
    return sum(others) / (first + sum(others))


def unread(seen: Evidence) -> float:
    """How little was looked at the source token that was looked at least."""
    return -float(seen.attention.sum(dim=0).min())


MEASURES: Mapping[str, Callable[[Evidence], float]] = {
    "mean": lambda seen: doubt(seen.beam[0]),
    "least token": least_token,
    "mean and least token": lambda seen: math.sqrt(doubt(seen.beam[0]) * least_token(seen)),
    "whole sentence": lambda seen: -seen.beam[0].log_probability,
    "margin": margin,
    "share of others": others_share,
    "least read": unread,
}


@dataclass(frozen=True, kw_only=True)
class Example:
    """A sentence, what a model made of it, and what there is to tell whether it is wrong."""

    sentence: str
    translation: str
    right: bool | None
    """None if nobody has judged it."""
    refused: bool
    marked: bool
    """Whether it is marked whatever the doubt: something is unknown, left out, too long or cut."""
    values: Mapping[str, float]
    """Of each measure the largest of its sentences; none if it was refused."""


def measured(
    translator: Translator,
    sentences: Sequence[str],
    judged: Mapping[tuple[str, str], bool],
    *,
    otherwise: bool | None = None,
) -> list[Example]:
    """Translate each sentence and measure; `otherwise` judges what `judged` does not have."""
    limit = translator.model.config.max_length
    longest = translator.policy.training_text.longest_tokens
    encode = translator.tokenizer.source_ids
    texts = prepare_texts(sentences, translator.policy, encode, "sentence", limit)
    parts = [part for text in texts for part in text.reading.sentences if text.ids]
    beams = iter(translator.hypotheses(parts, n_best=translator.beam_size))
    examples = []
    for sentence, text in zip(sentences, texts, strict=True):
        seen = [evidence(translator.model, ids, next(beams)) for ids in text.ids]
        best = [each.beam[0] for each in seen]
        found = text.translated(
            best, translator.tokenizer, longest=longest, coverage=translator.coverage
        )
        values = {name: max(map(of, seen)) for name, of in MEASURES.items()} if seen else {}
        examples.append(
            Example(
                sentence=sentence,
                translation=found.text,
                right=judged.get((sentence, found.text), otherwise),
                refused=found.refusal is not None,
                marked=found.doubtful,
                values=values,
            )
        )
    return examples


def evidence(model: Transformer, ids: Sequence[int], beam: list[Hypothesis]) -> Evidence:
    """Read the best of the hypotheses of a source once more."""
    written = [*beam[0].ids, *([EOS_ID] if beam[0].finished else [])]
    name = f"decoder.layers.{model.config.n_layers - 1}.cross_attention"
    with evaluation_mode(model), record_attention(model) as record:
        logits = model(torch.tensor([ids]), torch.tensor([[BOS_ID, *written[:-1]]]))
    log_probs = logits[0].log_softmax(dim=-1)[range(len(written)), written]
    attention = record[name][0].mean(dim=0)[:, :-1]
    return Evidence(beam=beam, log_probs=log_probs, attention=attention)
