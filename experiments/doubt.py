"""Which number tells best where a model is wrong, and above which value it should say so.

    python -m experiments.doubt [--store]

The model translates the validation split and the sentences of `experiments/visitors/`, whose
translations were judged by hand. For each measure the threshold is chosen on the validation split
and on two thirds of the visitors' sentences: a wrong translation that is not marked costs as much
as `PRICE` right ones that are, and at most `FALSE_ALARMS` of the right ones of the validation split
may be marked. What is kept for the end says then how good the choice is: the last third, or a list
that was written later: for a model of the open lexicon, whose grammar grew by the whole first list,
and for one that reads Korean. A translation that nobody has judged is listed, and ends the program:
of what is kept only once the threshold is chosen. What a model reads of the lists in its training
split is named, and what is kept is counted without it too. `--store` writes the threshold of the
model's own measure into its directory. The record of a model of the open lexicon is `doubt_open`.
"""

import argparse
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotated_transformer.lab.corpora.english_korean.open.surface import plain
from annotated_transformer.training.data import read_split
from experiments.doubt_measures import MEASURES, Example, measured
from experiments.given_model import MODEL, STORE, keep_threshold, load_model, recipe_of
from experiments.study import Fields, Option, Study
from experiments.visitors import NOT_LANGUAGE, judgements, korean_visitors, visitors

PRICE = 5
"""The aim is at most 1 % wrong and not marked, and at most 5 % right and marked."""
FALSE_ALARMS = 0.05
OWN = "mean"
"""The measure of annotated_transformer/decoding/doubt.py."""


def chosen(values: Sequence[float], right: Sequence[bool], valid: Sequence[float]) -> float:
    """Return the threshold of least cost: a value above it marks a translation.

    `values` and `right` are of judged translations that nothing else marks, `valid` the values of
    right translations of the validation split. Between two values it lies in the middle; of
    thresholds that cost the same the largest is taken.
    """
    steps = sorted({*values, *valid})
    candidates = [(low + high) / 2 for low, high in itertools.pairwise(steps)]
    allowed = FALSE_ALARMS * len(valid)

    def cost(threshold: float) -> int:
        silent = sum(v <= threshold and not r for v, r in zip(values, right, strict=True))
        alarms = sum(v > threshold and r for v, r in zip(values, right, strict=True))
        return PRICE * silent + alarms

    bound = [t for t in [*candidates, steps[-1]] if sum(v > t for v in valid) <= allowed]
    return min(bound, key=lambda threshold: (cost(threshold), -threshold))


def order_right(values: Sequence[float], right: Sequence[bool]) -> float:
    """Share of pairs of a wrong and a right translation of which the wrong one has more doubt."""
    wrong = [v for v, r in zip(values, right, strict=True) if not r]
    sound = [v for v, r in zip(values, right, strict=True) if r]
    above = sum((w > s) + (w == s) / 2 for w in wrong for s in sound)
    return above / (len(wrong) * len(sound))


def outcomes(examples: Sequence[Example], name: str, threshold: float) -> dict[str, Any]:
    """How many translations are right, wrong, marked and refused, of all; shares in percent."""
    counts = dict.fromkeys(
        ("right", "right_marked", "wrong_marked", "wrong_not_marked", "refused"), 0
    )
    for example in examples:
        marked = example.marked or bool(example.values and example.values[name] > threshold)
        if example.refused:
            counts["refused"] += 1
            continue
        counts["right"] += bool(example.right)
        if example.right:
            counts["right_marked"] += marked
        else:
            counts["wrong_marked" if marked else "wrong_not_marked"] += 1
    shares = {f"{key}_percent": round(100 * n / len(examples), 1) for key, n in counts.items()}
    return {"sentences": len(examples)} | counts | shares


def check_judged(examples: Sequence[Example]) -> None:
    """List what nobody has judged, in the form of judgements.tsv. Raises ValueError if any."""
    missing = [each for each in examples if each.right is None and not each.refused]
    for each in missing:
        print(f"{each.sentence}\t{each.translation}\t")
    if missing:
        raise ValueError(
            f"not judged yet: {len(missing)} translations; add their lines, with right or wrong "
            "and a reason, to judgements.tsv or korean_judgements.tsv in experiments/visitors"
        )


def comparison(
    examples: Sequence[Example], valid: Sequence[Example]
) -> tuple[list[dict[str, Any]], Mapping[str, float]]:
    """Each measure with its threshold on what it is chosen on; and the thresholds by name."""
    open_to_it = [each for each in examples if each.values and not each.marked]
    right = [bool(each.right) for each in open_to_it]
    rows, thresholds = [], {}
    for name in MEASURES:
        values = [each.values[name] for each in open_to_it]
        sound = [each.values[name] for each in valid if each.right and not each.marked]
        threshold = thresholds[name] = chosen(values, right, sound)
        rows.append(
            {
                "measure": name,
                "threshold": round(threshold, 4),
                "order_right": round(order_right(values, right), 3),
                "valid_right_marked_percent": round(
                    100 * sum(v > threshold for v in sound) / len(sound), 1
                ),
            }
            | outcomes(examples, name, threshold)
        )
        print(rows[-1], flush=True)
    return rows, thresholds


def lists_of(model: str) -> str:
    """Which lists of visitors a model is tried on: `korean`, or those for its lexicon.

    Raises:
        ValueError: the model was not trained on the embedded corpus, in either direction.
    """
    corpus = recipe_of(model).corpus
    if corpus.kind == "korean_english":
        return "korean"
    if corpus.kind != "english_korean":
        raise ValueError(
            f"{model} was trained on {corpus.kind}; expected english_korean or korean_english"
        )
    return corpus.lexicon


class DoubtStudy(Study):
    """Its record is named after the lists, if they are not those for the large lexicon."""

    def record_name(self, given: argparse.Namespace) -> str:
        """Such as `doubt_open`."""
        lists = lists_of(given.model)
        return "doubt" if lists == "large" else f"doubt_{lists}"


def measure(given: argparse.Namespace) -> Fields:
    """Choose a threshold for each measure, and see what it does with sentences kept for the end."""
    translator, lists = load_model(given.model), lists_of(given.model)
    translator.model.double()  # the same choices on every machine
    corpus = recipe_of(given.model).corpus
    pairs = read_split(corpus, "valid")[: given.valid]
    truth = {(pair.source, pair.target): True for pair in pairs}
    if lists == "korean":
        asked, judged = korean_visitors(), judgements(("korean_judgements",))
    else:
        asked, judged = visitors(fresh=lists == "open"), judgements()
    sentences = [each.sentence for each in asked]
    found = measured(translator, sentences, judged)
    valid = measured(translator, [pair.source for pair in pairs], truth, otherwise=False)
    parts: dict[bool, list[Example]] = {False: [], True: []}
    for visitor, example in zip(asked, found, strict=True):
        parts[visitor.kept].append(example)
    check_judged(parts[False])
    rows, thresholds = comparison(parts[False], valid)
    check_judged(parts[True])
    kinds = {each.sentence: each.kind for each in asked}
    language = "korean" if lists == "korean" else "english"
    of_it = [each for each in parts[True] if kinds[each.sentence] not in NOT_LANGUAGE]
    trained = {plain(pair.source) for pair in read_split(corpus, "train")}
    seen = {each.sentence for each in asked if plain(each.sentence) in trained}
    unseen = [each for each in of_it if each.sentence not in seen]
    threshold = round(thresholds[OWN], 4)
    return {
        "model": given.model,
        "lexicon": lists,
        "seed": None,
        "measure": OWN,
        "threshold": threshold,
        "rows": rows,
        "kept": outcomes(parts[True], OWN, threshold),
        f"kept_{language}": outcomes(of_it, OWN, threshold),
        f"kept_{language}_unseen": outcomes(unseen, OWN, threshold),
        "seen": sorted(seen),
        "curve": [_entry(each, kinds[each.sentence], threshold) for each in parts[True]],
    }


def measure_and_store(given: argparse.Namespace) -> Iterator[Fields]:
    """Measure; once the record is written, the model gets the threshold if it is to have it."""
    fields = measure(given)
    yield fields
    if given.store:
        keep_threshold(given.model, fields["threshold"])


def _entry(example: Example, kind: str, threshold: float) -> dict[str, Any]:
    """A sentence that was kept for the end, as the record lists it."""
    own = example.values.get(OWN)
    return {
        "kind": kind,
        "sentence": example.sentence,
        "translation": example.translation,
        "right": example.right,
        "refused": example.refused,
        "doubt": None if own is None else round(own, 3),
        "marked": example.marked or (own is not None and own > threshold),
    }


STUDY = DoubtStudy(
    "experiments.doubt",
    __doc__,
    measure_and_store,
    MODEL,
    Option("--valid", 1_000, "sentences of the split"),
    STORE,
)


if __name__ == "__main__":
    STUDY.main()
