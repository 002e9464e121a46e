"""Where each number comes from that is typed in a sentence, with the unit of something measured.

`TYPED` has for each page its typed numbers, as they are written there. What a number is to equal,
at its digits, is computed here: from what the page prints, from the lines that its cells assert, or
from a record. A number that nothing can compute has a reason instead, in words.
"""

import json
import math
import re
from collections.abc import Callable, Sequence
from functools import cache
from statistics import median
from typing import Any

import torch

from annotated_transformer.lab.records import RESULTS, record

BOOK = RESULTS.parent
Numbers = Sequence[float]
Source = str | Callable[[], Numbers]
TABLE_3 = "the paper's Table 3"
CITED = "the work that the sentence cites"
DEFINED = "what the words before it mean"
CHOSEN = "a setting or a rule, chosen and not measured"
EXAMPLE = "chosen for an example or an exercise"
BENT = [{"activation": a, "d_ff": d} for a, d in (("relu", 512), ("gelu", 512), ("relu", 128))]


@cache
def printed(page: str) -> str:
    """What the cells of a page print, and what they say."""
    cells = json.loads((BOOK / f"{page}.ipynb").read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    parts = ["".join(cell["source"]) for cell in code]
    for output in (each for cell in code for each in cell["outputs"]):
        data = output.get("data", {})
        parts += ["".join(data.get("text/plain", "")), "".join(output.get("text", ""))]
    return "\n".join(parts)


def says(page: str, pattern: str, times: float = 1) -> Callable[[], Numbers]:
    """The numbers in the first line of a page's cells that has this pattern."""

    def look() -> Numbers:
        found = re.search(pattern, printed(page), re.MULTILINE)
        assert found, f"no cell of {page} prints or asserts {pattern!r} any more"
        return [times * float(group.replace(",", "")) for group in found.groups()]

    return look


def span(values: Sequence[float]) -> Numbers:
    """The smallest and the largest."""
    return [min(values), max(values)]


def span_of(source: Callable[[], Numbers]) -> Callable[[], Numbers]:
    """The same of what another source has."""
    return lambda: span(source())


def scores(name: str, metric: str, **wanted: Any) -> Numbers:
    """The values of a metric in a record."""
    return [float(value) for value in record(name).scores(metric, **wanted)]


def rows(name: str, field: str, **wanted: Any) -> Numbers:
    """A field of the rows of a record."""
    return [float(row[field]) for row in record(name).entries("rows", **wanted)]


def lines(page: str, pattern: str) -> Numbers:
    """What all lines of a page's cells have in the place of the group."""
    return [float(found) for found in re.findall(pattern, printed(page), re.MULTILINE)]


def signs_by_chance(scatter: float, draws: int = 400_000) -> Numbers:
    """How often in a hundred two seeds each of two equal settings seem to differ."""
    generator = torch.Generator().manual_seed(0)
    base, row = torch.randn(2, draws, 2, generator=generator) * torch.tensor([[[1.0]], [[scatter]]])
    noise = torch.maximum(base.amax(-1) - base.amin(-1), row.amax(-1) - row.amin(-1))
    nearest = torch.maximum((row - base).amin(-1), (base - row).amin(-1))
    return [100 * float((nearest > noise).double().mean())]


def utilisation() -> dict[str, float]:
    """What our step of the base model in float32 uses of the machine, in rounds."""
    [own] = record("benchmark_utilisation_base").entries("rows", contestant="ours float32")
    return own


def profile(size: str) -> float:
    """The share of the products in the time of a step."""
    return rows(f"benchmark_profile_{size}_bfloat16", "share", group="products")[0]


def memory(contestant: str) -> float:
    """MiB that a way of attention takes at 16,384 tokens."""
    found = rows("benchmark_long_sentences", "memory_mib", contestant=contestant, length=16_384)
    return median(found)


def saved_by_pruning(field: str) -> float:
    """Percent of the time that a model without six heads saves."""
    [race] = [race for race in record("pruned_models")["speed"] if race["removed"] == 6]
    return 100 * (1 - 1 / race[field])


def of_captions(field: str) -> Numbers:
    """The padding of Multi30k in batches of 4,096 tokens."""
    return rows("padding", field, recipe="multi30k_tiny", tokens_per_batch=4_096)


def lost(kind: str, trees: int) -> Callable[[], Numbers]:
    """The row of *Parsing* with the right choices of all, and those of the grammar of labels."""
    return says("parsing", rf"^{kind} +{trees:,} .*  (\d+) to (\d+) +(\d+)$")


PARSER = {"parser": "Transformer", "search": "greedy"}
TRUE = {"parser": "true grammar"}


def trees_of_100(trees: int) -> Numbers:
    """Return how many of a hundred lines are trees, after so many trees, for each seed."""
    return [100 - none for none in scores("parsing", "no_tree", train_pairs=trees, **PARSER)]


TYPED: dict[str, dict[str, Source]] = {
    "ablations": {
        "12 times": lambda: signs_by_chance(1),
        "16 times": lambda: signs_by_chance(3),
        "66 times": lambda: [record("multi30k_tiny")["curve"][-1]["epoch"]],
        "4.8 points": lambda: [
            max(found) - min(found) for found in [scores("ablations", "BLEU", row="base")]
        ],
    },
    "decoding": {"95 %": CHOSEN, "1.8 BLEU": CITED},
    "detection_and_prompts": {
        "100 %": DEFINED,
        "75 %": "a theorem of the page",
        "20 times": CITED,
        "77 to 80 %": says("detection_and_prompts", r"one mask +(\d+)–(\d+) "),
        "76 to 91 %": says("detection_and_prompts", r"three: best +(\d+)–(\d+)"),
        "83 to 91 %": says("detection_and_prompts", r"three: best +(\d+)–(\d+) +91–94"),
    },
    "differences": {
        "1.10 times": lambda: [
            row["ratio"]["median"]
            for row in record("benchmark_choices_small").entries("rows", contestant="torch dropout")
        ]
    },
    "diffusion": {"72 %": EXAMPLE, "36 %": EXAMPLE},
    "embeddings": {
        "38 %": lambda: [100 - says("embeddings", r"^base .* (\d+)%")()[0]],
        "30 %": lambda: [100 - says("embeddings", r"^tiny .* (\d+)%")()[0]],
        "23 %": says("embeddings", r"shared: True .*likeliest in (\d+)%"),
    },
    "encoder_decoder": {
        "20 %": says("encoder_decoder", r"mean of the heads (\d+) %"),
        "19 to 30 %": says("encoder_decoder", r"each alone (\d+) to (\d+) %"),
    },
    "family_tree": {"28.4 BLEU": "the paper's Table 2"},
    "feed_forward": {
        "40 %": says("feed_forward", r"^base: feed_forward (\d+)%"),
        "47 %": says("feed_forward", r"^big: feed_forward (\d+)%"),
        "84 %": says("feed_forward", r"^all four +(\d+)%"),
        "56 %": says("feed_forward", r"always the more frequent one: (\d+)%"),
        "9 %": says("feed_forward", r"^all four +\d+% +\d+% +(\d+)%"),
        "8 or 9 %": says("feed_forward", r"^relu +512 .* (\d+) to (\d+) +\d+ to \d+$"),
        "12 to 14 %": says("feed_forward", r"^gelu +512 .* (\d+) to (\d+) +\d+ to \d+$"),
        "22 to 32 %": lambda: span(
            [
                sum(scores("activations_half_rate", "firing_share", seed=seed, **kind)) / 4
                for kind in BENT
                for seed in (1, 2, 3)
            ]
        ),
    },
    "index": dict.fromkeys(
        ("93 %", "87 %", "72 %"), "the weights of a still picture, drawn from the shipped model"
    ),
    "language_models": {
        "15 %": CHOSEN,
        "3 or 4 points": lambda: [100 * math.sqrt(p * (1 - p) / 200) for p in (0.2, 0.5)],
    },
    "layer_normalization": {
        "1.4 times": says("layer_normalization", r"product\.min\(\) < ([\d.]+)$"),
    },
    "long_sentences": {
        "32 times": says("long_sentences", r"^(32)\.0$"),
        "8 GiB": lambda: [8 * 16_384**2 * 4 / 2**30],
        "99.5 %": says("long_sentences", r"answers more than ([\d.]+) % of the questions"),
        "63 and 80 %": lambda: sorted(
            scores("twice_as_long", "exact_match", task="reverse", positions="rotary", length=12)
        )[1:],
        "21, 14 and 0 %": lambda: scores(
            "twice_as_long", "exact_match", task="copy", positions="alibi", length=16
        ),
        "16 GiB": says("long_sentences", r"^(16)\.0 GiB are free"),
    },
    "multi_head_attention": {
        "37 %": lambda: rows(
            "head_names",
            "share",
            attention="decoder.layers.1.cross_attention",
            head=1,
            kind="end",
        ),
        "24.9, 25.5, 25.8, 25.8 and 25.4 BLEU": TABLE_3,
        "25.8, 25.4 and 25.1 BLEU": TABLE_3,
        "0.4 BLEU": TABLE_3,
    },
    "parsing": {
        "80 %": lambda: [median(trees_of_100(1_000))],
        "95 %": lambda: scores("parsing", "exact_match", **TRUE),
        "95.2 %": lambda: [100 * 20 / 21],
        "77 %": says("parsing", r"^20,000 +(\d+) +\d+$"),
        "5 to 6 %": lambda: span(scores("parsing", "no_tree", train_pairs=20_000, **PARSER)),
        "12 to 23 %": span_of(
            says("parsing", r"^20,000(?: +\d+ to \d+){2} +(\d+) to (\d+) +\d+ to \d+$")
        ),
        "22 or 23 %": span_of(says("parsing", r"^20,000(?: +\d+ to \d+){3} +(\d+) to (\d+)$")),
        "40 to 50 %": lambda: span(lost("to a noun", 20_000)()[:2]),
        "35 %": lambda: lost("to a noun", 20_000)()[2:],
        "87 to 89 %": lambda: span(lost("to a verb", 20_000)()[:2]),
        "82 %": lambda: lost("to a verb", 20_000)()[2:],
        "39 %": lambda: lost("to a noun", 5_700)()[:1],
        "88 and 99 %": lambda: [
            scores("parsing", f"PP to a {kind}", **TRUE)[0] for kind in ("noun", "verb")
        ],
        "67 to 70 %": lambda: span(lost("and", 20_000)()[:2]),
        "87 %": lambda: lost("and", 20_000)()[2:],
        "82 to 84 %": lambda: span(
            [
                *scores("parsing", "exact_match", train_pairs=20_000, **PARSER),
                *scores("parsing_constrained", "exact_match", search="greedy"),
            ]
        ),
    },
    "reading_attention": {
        "50 %": lambda: [record("head_names")["rule"]["most"]],
        "10 points": lambda: [record("head_names")["rule"]["margin"]],
        "40 %": EXAMPLE,
        "60 %": EXAMPLE,
        "0.1 nats": says("reading_attention", r"assert max\(others\) < ([\d.]+)$"),
        "94 %": says("reading_attention", r"^decoder 2 +\d+ +(\d+)"),
        "67 %": says("reading_attention", r"^decoder 2 .* (\d+)$"),
        "64 points": CHOSEN,
        "12 %": lambda: [
            max(100 * e["gain"]["score"] for e in record("induction").entries("rows", layers=1))
        ],
        "99 %": says("reading_attention", r"more than (\d+) % of the loss"),
        "79 to 97 %": says("reading_attention", r"heads look right with (\d+) to (\d+) %"),
        "1.7 to 3.0 nats": lambda: span(
            lines("reading_attention", r"^ +\d +0\.0\d +[\d.]+ +[\d.]+ +([\d.]+)$")
        ),
        "82 %": says("reading_attention", r"^even +(\d+) +\d+$"),
        "89 %": says("reading_attention", r"^1\.0 +(\d+) +\d+$"),
        "98.5 %": says("reading_attention", r"^ +0 +1 +1,306,624 +([\d.]+)$"),
        "97 or 98 %": lambda: span(lines("reading_attention", r"^ +8 +\d +1,175,552 +([\d.]+)$")),
        "93 %": lambda: [median(lines("reading_attention", r"^ +12 +\d +1,110,016 +([\d.]+)$"))],
        "7 %": lambda: [saved_by_pruning("times_as_fast")],
        "1 to 10 %": lambda: [saved_by_pruning("lowest"), saved_by_pruning("highest")],
        "8 %": lambda: [100 * (1 - rows("pruned_models", "parameters", removed=6)[0] / 1_306_624)],
    },
    "scaling_up": {
        "52 to 77 %": lambda: [100 * utilisation()[key] for key in ("lowest", "highest")],
        "40.45, 40.31 and 40.11 BLEU": lambda: [
            scores(f"multi30k_tiny{seed}", "BLEU", split="test_2016_flickr")[0]
            for seed in ("", "_seed_2", "_seed_3")
        ],
        "40 %": EXAMPLE,
        "95 %": lambda: [100 / says("scaling_up", r"counted < ([\d.]+) \* by_hand$")()[0]],
        "100 %": DEFINED,
        "29 %": says("scaling_up", r"base: the model needs \S+ (\d+)% of Table 2"),
        "42 %": says("scaling_up", r"big: the model needs \S+ (\d+)% of Table 2"),
        "30 seconds": CHOSEN,
        "1.8 BLEU": CITED,
    },
    "speed": {
        "32 MiB": lambda: [8 * 1_024**2 * 4 / 2**20],
        "200 MiB": lambda: [round(memory("fused"), -2)],
        "16 GiB": lambda: [memory("explicit") / 1_024],
        "24 GiB": lambda: [3 * 8 * 16_384**2 * 4 / 2**30],
        "25 %": lambda: [100 * 2 / 8],
        "13 %": lambda: [math.ceil(100 / 8)],
        "1.4 times": lambda: [1 / utilisation()["utilisation"]],
        "81 %": lambda: [
            100 * found["products_in_the_step"] / found["large_square_matrices"]
            for found in [record("benchmark_profile_small_bfloat16")["gflop_per_second"]]
        ],
        "1.5 times": lambda: [1 / profile("small")],
        "1.3 times": lambda: [1 / profile("base")],
        "2.8 times": lambda: [
            float(long) / float(short)
            for short, long in [rows("benchmark_growth_small", "gflop", sweep="length")[-2:]]
        ],
    },
    "text_to_text": {"30 %": CHOSEN},
    "train_and_translate": {
        "90 %": lambda: [
            100 * (1 - says("train_and_translate", r"^label_smoothing = ([\d.]+)")()[0])
        ],
        "82 %": lambda: rows("translations_in_training", "ending", seed=3, step=0),
        "0 %": DEFINED,
        "93.8 and 95.1 %": lambda: lines("train_and_translate", r"^seed [23]: test ([\d.]+) %"),
        "85.4 and 88.3 %": lambda: lines(
            "train_and_translate", r"^seed [23]: .*compositional ([\d.]+) %"
        ),
        "99 %": says("train_and_translate", r"next tokens ([\d.]+) %"),
        "95 %": says("train_and_translate", r"whole sentences ([\d.]+) %"),
    },
    "training": {
        "4.8 %": lambda: [100 * value for value in of_captions("padding")],
        "58 %": lambda: [100 * value for value in of_captions("padding_in_random_order")],
        "24.6 BLEU": TABLE_3,
        "26 times": says("training", r"== \{(26)\}"),
        "0.5 %": says("training", r"assert error < (0\.\d+)$", 100),
    },
    "transformer": {
        "1.3 times": says("transformer", r"^post: last decoder layer.*: ([\d.]+)$"),
        "0.4 times": says("transformer", r"^pre: last decoder layer.*: ([\d.]+)$"),
    },
    "vision": {
        "20 points": says("vision", r"fewer images right by more than (\d+) points"),
        "81.8 to 83.4 %": CITED,
        "1.1 points": CITED,
        "78.6 %": says("vision", r"100\.0 % \((\d+\.\d) to 100\.0, three seeds\)"),
        "100 %": DEFINED,
    },
    "why_attention": {
        "2 BLEU": "the paper's Table 2",
        "2 %": CHOSEN,
        "64 MiB": lambda: [4_096**2 * 4 / 2**20],
    },
}
"""For each page the source of each number, by what stands there: the number with its unit."""
