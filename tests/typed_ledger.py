"""The sources of the numbers that are typed in the ledger, as `typed_numbers.py` has the pages'."""

import math
from typing import Any

from typed_numbers import (
    TABLE_3,
    TRUE,
    Numbers,
    Source,
    lost,
    rows,
    says,
    scores,
    span,
)

from annotated_transformer.lab.evidence import claim
from annotated_transformer.lab.records import record

TABLE_2 = "the paper's Table 2"
GREEDY = {"parser": "Transformer", "search": "greedy", "train_pairs": 5_700}


def exact(name: str, **wanted: Any) -> Numbers:
    """The smallest and the largest share of sentences that are exactly right."""
    return span(scores(name, "exact_match", **wanted))


def values(name: str, **case: Any) -> Numbers:
    """The smallest and the largest value of a claim."""
    found = [
        value
        for own, numbers in claim(name).numbers
        if case.items() <= own.items()
        for value in numbers.values()
        if value is not None
    ]
    return span(found)


def both(*found: Numbers) -> Numbers:
    """The same numbers, said of several things; all of them if they are not the same."""
    told = {tuple(round(value) for value in each) for each in found}
    return [value for each in sorted(told) for value in each]


def doubled(field: str) -> Numbers:
    """By how much a field grows in a training step from 1,024 tokens to 2,048."""
    short, long = rows("benchmark_growth_small", field, sweep="length")[-2:]
    return [long / short]


def errs(labels: int) -> Numbers:
    """How many times as often as the convolutional network ViT errs, from each seed."""
    networks = [
        scores("family_vit", "accuracy", split="test", labels=labels, model=model)
        for model in ("ViT", "CNN")
    ]
    return span([(100 - vit) / (100 - cnn) for vit, cnn in zip(*networks, strict=True)])


def recognised(model: str) -> Numbers:
    """The share of drawings without guidance that are recognised."""
    return span(scores("family_dit", "recognised", model=model, guidance=1.0))


def fewer_parameters(model: str) -> Numbers:
    """How many percent fewer parameters a model has than adaLN-Zero."""
    counts = record("family_dit")["settings"]["parameters"]
    return [100 * (1 - counts[model] / counts["adaLN-Zero"])]


def deviation(width: int) -> float:
    """Percent by which the biased standard deviation is below the other one."""
    return 100 * (1 - math.sqrt((width - 1) / width))


def lost_without_dropout() -> Numbers:
    """BLEU, each seed with itself."""
    ours, without = (scores("ablations", "BLEU", row=row) for row in ("base", "D: dropout=0.0"))
    return span([a - b for a, b in zip(ours, without, strict=True)])


def behind_on_the_test_split() -> Numbers:
    """Each pruned model of four or six heads less and each whole one."""
    whole = rows("pruned_models", "test_exact_match", removed=0)
    cut = rows("pruned_models", "test_exact_match", removed=(4, 6))
    return [min(whole) - max(cut), max(whole) - min(cut)]


def segformer() -> Numbers:
    """What SegFormer loses from 24 to 48 pixels."""
    small, large = (
        scores("family_segformer", "mean IoU", model="SegFormer", side=side) for side in (24, 48)
    )
    return span([a - b for a, b in zip(small, large, strict=True)])


LEDGER: dict[str, Source] = {
    "84 to 85 %": lambda: exact(
        "why_attention", model="LSTM with attention", words=None, steps_to_the_end=None
    ),
    "70 to 72 %": lambda: exact(
        "why_attention", model="Transformer", words=None, steps_to_the_end=None
    ),
    "2.0 BLEU": TABLE_2,
    "0.9 BLEU": TABLE_3,
    "0.4 and 0.7 BLEU": TABLE_3,
    "1 to 4 points": lambda: values("three_matrices_are_ahead_in_bleu"),
    "21 %": lambda: both(
        exact("twice_as_long", positions=("alibi", "rotary"), length=16)[1:],
        scores("english_korean", "AER", split="test"),
    ),
    "18 to 25 %": lambda: span(
        scores("positions", "exact_match", positions="sinusoidal", longest=16, split="tokens_17_19")
    ),
    "13 %": lambda: [deviation(4)],
    "4, 0.1 %": lambda: [4, deviation(512)],
    "84 %": says("feed_forward", r"^all four +(\d+)%"),
    "56 %": says("feed_forward", r"always the more frequent one: (\d+)%"),
    "2.8 times": lambda: doubled("gflop"),
    "2.0 times": lambda: doubled("memory_mib"),
    "6 to 10 BLEU": lost_without_dropout,
    "4.8 points": lambda: [
        high - low for low, high in [span(scores("ablations", "BLEU", row="base"))]
    ],
    "99.3 %": says("train_and_translate", r"next tokens ([\d.]+) %"),
    "1 to 3 points": lambda: values("a_beam_of_four_helps_in_doubt"),
    "1.2 times": lambda: [
        math.floor(10 * values("rounding_is_faster", size="base")[0]) / 10,
    ],
    "28 %": lambda: [math.ceil(max(rows("head_names", "share", kind=("previous", "next"))))],
    "0.6 %": lambda: scores(
        "interventions",
        "exact_match",
        case="all even",
        attention="decoder.layers.1.cross_attention",
    ),
    "68 to 72 %": lambda: exact("even_attention", even="last layer"),
    "12 %": says("reading_attention", r"one layer saves less than .* \([\d.]+ to 0\.(\d+), three"),
    "99 %": says("reading_attention", r"more than (\d+) % of the loss"),
    "0.1 to 1.1 points": behind_on_the_test_split,
    "0.9 to 1.5 points": lambda: values("eight_heads_cost_points"),
    "39 to 64 %": lambda: span(
        [
            value
            for d in (2, 8, 32)
            for value in scores("recall", "accuracy", attention="linear", d=d, pairs=2 * d)
        ]
    ),
    "45 to 50 %": lambda: exact("all_at_once", decoder="all at once", split="test"),
    "88 %": lambda: both(
        *([value] for value in exact("all_at_once", decoder="one by one", split="test"))
    ),
    "46 to 63 %": lambda: exact("all_at_once_half_rate", decoder="all at once", split="test"),
    "94 to 95 %": lambda: exact("all_at_once_half_rate", decoder="one by one", split="test"),
    "87 to 89 %": lambda: span(lost("to a verb", 20_000)()[:2]),
    "92 to 93 %": lambda: span([100 - value for value in scores("parsing", "no_tree", **GREEDY)]),
    "81 or 82 %": lambda: exact("parsing", **GREEDY),
    "40 to 50 %": lambda: span(lost("to a noun", 20_000)()[:2]),
    "35 and 82 %": lambda: [lost(f"to a {kind}", 20_000)()[2] for kind in ("noun", "verb")],
    "88 and 99 %": lambda: [
        scores("parsing", f"PP to a {kind}", **TRUE)[0] for kind in ("noun", "verb")
    ],
    "67 to 70 %": lambda: span(lost("and", 20_000)()[:2]),
    "87 %": lambda: lost("and", 20_000)()[2:],
    "6.7 to 7.9 points": lambda: values("own_trees_help"),
    "7 %": lambda: both(*([value] for value in scores("family_bart", "exact_match", model="none"))),
    "20 to 23 %": lambda: exact("family_bart", model="infilling"),
    "24 to 25 %": lambda: exact("family_bart", model="none, all updates"),
    "13 to 14 %": lambda: exact("family_bart", model="masking"),
    "6 to 14 %": lambda: exact("family_t5", model="joint, all updates", task=("korean", "english")),
    "26 to 27 %": lambda: exact("family_t5", model="single", task=("korean", "english")),
    "2 to 5 points": lambda: values("single_networks_are_ahead", task="construction"),
    "1.2 to 1.6 times": lambda: errs(50),
    "3.3 to 8.5 times": lambda: errs(1_000),
    "3.5 to 6.0 points": segformer,
    "2.3 to 2.9 times": lambda: values("an_update_of_deformable_detr_costs_more"),
    "90 to 92 %": lambda: span(
        scores("family_sam", "IoU", model="three masks", mask="preferred", meaning="nearer")
    ),
    "88 to 94 %": lambda: recognised("adaLN-Zero"),
    "73 to 80 %": lambda: recognised("adaLN"),
    "59 to 69 %": lambda: recognised("tokens"),
    "10 %": lambda: fewer_parameters("adaLN"),
    "2 %": lambda: fewer_parameters("tokens"),
}
"""The source of each number in what the ledger says, by what stands there."""
