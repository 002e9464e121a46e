"""What a trained model loses with its heads: single heads, all but one, and one after another.

    python -m experiments.head_ablation

A removed head adds nothing to the output of its attention; nothing is trained again. Sentences of
the test split of the model's own corpus are translated greedily. In which order heads are removed
one after another is decided on the validation split: next goes the head whose loss is least missed.
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotated_transformer import Translator
from annotated_transformer.corpora import SentencePair
from annotated_transformer.evaluation import scores
from annotated_transformer.lab.analysis.heads import attentions_of, without_heads
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.training.encoded import Example
from annotated_transformer.training.step import validate
from experiments.given_model import MODEL, check_sentences, lexicon_of, load_model
from experiments.study import Fields, Option, Study

Removed = Mapping[str, Sequence[int]]


def cases(n_heads: Mapping[str, int]) -> Iterator[tuple[dict[str, Any], Removed]]:
    """Tags and removed heads of each case: none; each head; all others; a whole attention."""
    yield {"case": "whole model"}, {}
    for name, heads in n_heads.items():
        for head in range(heads):
            others = [other for other in range(heads) if other != head]
            yield {"case": "without", "attention": name, "head": head}, {name: [head]}
            yield {"case": "alone", "attention": name, "head": head}, {name: others}
        yield {"case": "none left", "attention": name}, {name: range(heads)}


def translated(
    translator: Translator, pairs: Sequence[SentencePair], removed: Removed
) -> list[dict[str, Any]]:
    """Scores of the translations without some heads, in the form of a record."""
    with without_heads(translator.model, removed):
        found = translator.hypotheses([pair.source for pair in pairs])
    texts = [translator.tokenizer.decode(best[0].ids) for best in found]
    return [
        {
            "split": "test",
            "metric": score.metric,
            "value": round(score.value, 2),
            "signature": score.signature,
        }
        for score in scores(texts, [pair.target for pair in pairs])
        if score.metric in {"BLEU", "exact_match"}
    ]


def one_after_another(
    translator: Translator, pairs: Sequence[SentencePair], n_heads: Mapping[str, int]
) -> Iterator[tuple[dict[str, Any], Removed]]:
    """Remove all heads, the least missed first; yield which went, and all that are gone."""
    tokenizer = translator.tokenizer
    examples = [
        Example(tuple(tokenizer.source_ids(pair.source)), tuple(tokenizer.target_ids(pair.target)))
        for pair in sorted(pairs, key=lambda pair: len(pair.source))
    ]
    plan = [range(start, min(start + 50, len(examples))) for start in range(0, len(examples), 50)]
    gone: dict[str, list[int]] = {name: [] for name in n_heads}
    left = {(name, head) for name, heads in n_heads.items() for head in range(heads)}
    while left:
        losses = {}
        for name, head in sorted(left):
            with without_heads(translator.model, {**gone, name: [*gone[name], head]}):
                losses[name, head] = validate(translator.model, examples, plan)["valid_loss"]
        name, head = min(losses, key=losses.__getitem__)
        left.remove((name, head))
        gone[name].append(head)
        entry = {"attention": name, "head": head, "valid_loss": round(losses[name, head], 4)}
        yield entry, gone


def measured(translator: Translator, pairs: Sequence[SentencePair]) -> Iterable[dict[str, Any]]:
    """Translate in every case."""
    modules = attentions_of(translator.model)
    for tags, removed in cases({name: module.n_heads for name, module in modules.items()}):
        found = translated(translator, pairs, removed)
        print(tags, [score["value"] for score in found], flush=True)
        yield from (tags | score for score in found)


def pruned(
    translator: Translator, pairs: Sequence[SentencePair], valid: Sequence[SentencePair]
) -> Iterable[dict[str, Any]]:
    """Remove the heads one after another; translate after each."""
    n_heads = {name: module.n_heads for name, module in attentions_of(translator.model).items()}
    steps = one_after_another(translator, valid, n_heads)
    for number, (entry, gone) in enumerate(steps, start=1):
        found = {s["metric"]: s["value"] for s in translated(translator, pairs, gone)}
        yield {"removed": number, **entry, **found}
        print(number, entry, found, flush=True)


def measure(given: argparse.Namespace) -> Fields:
    """Translate in every case, and after each head that goes."""
    translator = load_model(given.model, beam_size=1, batch_size=100)
    lexicon = lexicon_of(given.model)
    pairs = english_korean("test", lexicon)[: given.sentences]
    valid = english_korean("valid", lexicon)[: given.valid]
    return {
        "model": given.model,
        "lexicon": lexicon,
        "seed": None,
        "scores": list(measured(translator, pairs)),
        "curve": list(pruned(translator, pairs, valid)),
    }


STUDY = Study(
    "experiments.head_ablation",
    __doc__,
    measure,
    MODEL,
    Option("--sentences", 1_000, "of the test split"),
    Option("--valid", 200, "of the validation split"),
    check=lambda given: check_sentences(sentences=given.sentences, valid=given.valid),
)


if __name__ == "__main__":
    STUDY.main()
