"""What a wider beam changes: BLEU, log probability and length against the beam size.

    python -m experiments.beam_size

A trained model translates the test split of its corpus as it is, and again with one slip of the
fingers in each sentence: two neighbouring letters inside one word swapped. That is the same task
for a model that is no longer sure of itself. Each seed draws other slips. No time is measured.
"""

import argparse
import random
from collections.abc import Mapping
from typing import Any

from annotated_transformer import Translator
from annotated_transformer.corpora import SentencePair
from annotated_transformer.evaluation import scores
from annotated_transformer.lab.corpora.english_korean import english_korean
from experiments.given_model import MODEL, lexicon_of, load_model
from experiments.study import Fields, Option, Study, seeds

MEASURED = ("BLEU", "exact_match")


def misspelt(text: str, rng: random.Random) -> str:
    """Swap two different neighbouring letters inside one word; both ends of the word stay.

    A text without such a word stays as it is.
    """
    words = text.split(" ")
    slips = [
        (position, at)
        for position, word in enumerate(words)
        for at in range(1, len(word) - 2)
        if word[at] != word[at + 1]
    ]
    if not slips:
        return text
    position, at = rng.choice(slips)
    word = words[position]
    words[position] = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return " ".join(words)


def measure(
    translator: Translator, sources: list[str], pairs: list[SentencePair]
) -> dict[str, Any]:
    """Translate with the translator's beam size; return scores, and means over the sentences."""
    best = [found[0] for found in translator.hypotheses(sources)]
    texts = [translator.tokenizer.decode(hypothesis.ids) for hypothesis in best]
    found = scores(texts, [pair.target for pair in pairs])
    expected = sum(len(translator.tokenizer.encode(pair.target)) for pair in pairs)
    return {
        **{score.metric: round(score.value, 2) for score in found if score.metric in MEASURED},
        "signatures": {s.metric: s.signature for s in found if s.metric in MEASURED},
        "log_probability": round(sum(one.log_probability for one in best) / len(best), 4),
        "length_ratio": round(sum(len(one.ids) for one in best) / expected, 4),
        "unfinished": sum(not one.finished for one in best),
    }


def curve(
    translator: Translator,
    inputs: Mapping[int | None, list[str]],
    pairs: list[SentencePair],
    settings: Any,
) -> list[dict[str, Any]]:
    """Measure all inputs with all penalties and beam sizes; an input is named by its seed."""
    entries = []
    for seed, sources in inputs.items():
        kind: dict[str, Any] = {"input": "as written"}
        if seed is not None:
            kind = {"input": "misspelt", "seed": seed}
        for translator.alpha in settings.alphas:
            for translator.beam_size in settings.beams:
                run = kind | {"alpha": translator.alpha, "beam_size": translator.beam_size}
                entries.append(run | measure(translator, sources, pairs))
                print({k: v for k, v in entries[-1].items() if k != "signatures"}, flush=True)
    return entries


def record(given: argparse.Namespace) -> Fields:
    """Translate the sentences as they are, and with the slips of each seed."""
    lexicon = lexicon_of(given.model)
    pairs = english_korean("test", lexicon)[: given.sentences]
    clean = [pair.source for pair in pairs]
    inputs: dict[int | None, list[str]] = {None: clean}
    for seed in given.seeds:
        rng = random.Random(seed)
        inputs[seed] = [misspelt(source, rng) for source in clean]
    entries = curve(load_model(given.model, batch_size=50), inputs, pairs, given)
    return {
        "model": given.model,
        "lexicon": lexicon,
        "seed": given.seeds,
        "unchanged": [sum(map(str.__eq__, clean, inputs[seed])) for seed in given.seeds],
        "example": [sources[0] for sources in inputs.values()],
        "scores": [score for entry in entries for score in _scores(entry)],
        "curve": entries,
    }


def _scores(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """Move the scores of one entry, with their signatures, into the form of a record."""
    signatures = entry.pop("signatures")
    told = ("input", "seed", "alpha", "beam_size")
    run = {key: entry[key] for key in told if key in entry}
    return [
        {"split": "test", **run, "metric": metric, "value": entry[metric], "signature": signature}
        for metric, signature in signatures.items()
    ]


STUDY = Study(
    "experiments.beam_size",
    __doc__,
    record,
    Option("--model", "english_korean", MODEL.settings["help"], repeated="changed"),
    Option("--sentences", 1_000),
    Option("--beams", [1, 2, 4, 8, 16, 32]),
    Option("--alphas", [0.0, 0.6]),
    seeds(1, 2, 3, about="of the slips"),
)


if __name__ == "__main__":
    STUDY.main()
