"""The paper's Table 3 beside records: signs of differences, and when there is none to tell."""

import math

import pytest
import torch
from typechecking import unchecked

from annotated_transformer.config import TABLE3
from annotated_transformer.lab.analysis.table3 import PUBLISHED, Difference, differences
from annotated_transformer.lab.records import Record

BASE = (5.0, 5.2, 5.1)


def made(rows, metric="perplexity", signature="s"):
    """A record with these values of each row, seed by seed."""
    scores = [
        {"row": row, "seed": seed, "split": "valid", "metric": metric, "value": value}
        | {"signature": signature}
        for seed in range(3)
        for row, values in rows.items()
        for value in values[seed : seed + 1]
    ]
    return Record("some", {"scores": scores})


def test_the_table_has_the_rows_that_the_config_knows_and_two_of_training():
    rows = [row for row in PUBLISHED if not row.startswith("D: label_smoothing=")]
    assert rows == list(TABLE3)
    assert len(PUBLISHED) == len(TABLE3) + 2


def test_the_table_says_of_base_what_the_paper_says_of_it():
    """Signs against base, read off the printed table: which rows are better, which are worse."""
    base = PUBLISHED["base"]
    assert base == {"perplexity": 4.92, "BLEU": 25.8}
    signs = {
        metric: [
            (numbers[metric] > base[metric]) - (numbers[metric] < base[metric])
            for row, numbers in PUBLISHED.items()
            if row != "base"
        ]
        for metric in base
    }
    better = [row for row, n in PUBLISHED.items() if n["perplexity"] < base["perplexity"]]
    wide = ["C: n_layers=8", "C: d_model=1024", "C: d_ff=4096"]
    assert better == ["A: n_heads=16", *wide, "D: label_smoothing=0.0", "big"]
    more = [row for row, n in PUBLISHED.items() if n["BLEU"] > base["BLEU"]]
    assert more == ["C: d_model=1024", "C: d_ff=4096", "big"]
    assert {metric: (s.count(1), s.count(0), s.count(-1)) for metric, s in signs.items()} == {
        "perplexity": (12, 1, 6),
        "BLEU": (3, 1, 15),
    }
    # Sums of the two columns, added up by hand from the print.
    sums = [round(sum(n[metric] for n in PUBLISHED.values()), 2) for metric in base]
    assert sums == [101.87, 507.7]


@pytest.mark.parametrize(
    ("row", "values", "verdict"),
    [
        ("A: n_heads=1", (5.3, 5.5, 5.4), "same sign"),
        ("A: n_heads=1", (4.7, 4.9, 4.8), "other sign"),
        ("A: n_heads=1", (5.3, 5.5, 5.2), "cannot be told"),  # one is within the noise
        ("A: n_heads=1", (6.3, 4.5, 6.4), "cannot be told"),  # two signs
        ("A: n_heads=1", (5.3, 6.5, 5.4), "cannot be told"),  # the row itself scatters more
        ("C: d_ff=4096", (4.7, 4.9, 4.8), "same sign"),
        ("C: d_ff=4096", (5.3, 5.5, 5.4), "other sign"),
        ("E: positions=learned", (6.3, 6.5, 6.4), "cannot be told"),  # the paper has none
    ],
)
def test_a_verdict_needs_one_sign_beyond_the_noise_in_every_seed(row, values, verdict):
    (found,) = differences(made({"base": BASE, row: values}), "perplexity")
    assert found.row == row
    assert found.paper == round(PUBLISHED[row]["perplexity"] - 4.92, 2)
    assert found.noise == pytest.approx(max(0.2, max(values) - min(values)))
    assert found.ours == pytest.approx([a - b for a, b in zip(values, BASE, strict=True)])
    assert found.mean == pytest.approx(sum(found.ours) / 3)
    assert found.verdict == verdict


def test_a_sign_may_be_told_where_the_paper_has_none():
    assert Difference("E: positions=learned", 0.0, (0.3, 0.4, 0.3), 0.2).sign == 1
    assert Difference("E: positions=learned", 0.0, (-0.3, -0.4, -0.3), 0.2).sign == -1
    assert Difference("E: positions=learned", 0.0, (-0.3, 0.4, -0.3), 0.0).sign == 0


def test_the_loss_is_the_logarithm_of_the_perplexity():
    """A factor of e in the perplexity is one nat, in the paper's numbers and in ours."""
    record = made({"base": (5.0, 5.2, 5.1), "C: d_ff=4096": (5.0 / math.e, 5.2, 5.1 * math.e)})
    (found,) = differences(record, "loss")
    assert found.ours == pytest.approx((-1, 0, 1))
    assert found.paper == pytest.approx(math.log(4.75) - math.log(4.92))
    assert found.noise == pytest.approx(2 + math.log(5.1 / 5.0))


def test_seeds_are_paired_in_whatever_order_they_stand():
    record = made({"base": BASE, "B: d_k=16": (6.0, 7.0, 8.0)}, metric="BLEU")
    turned = Record("some", {"scores": record["scores"][::-1]})
    assert differences(record, "BLEU") == differences(turned, "BLEU")
    assert differences(record, "BLEU")[0].ours == pytest.approx((1.0, 1.8, 2.9))


@pytest.mark.parametrize(("scatter", "expected"), [(1, 0.0144), (3, 0.0246)])
def test_one_or_two_in_a_hundred_rows_that_change_nothing_pass(scatter, expected):
    """As the docstring of the rule says: base and row drawn from normal distributions."""
    runs = torch.randn(2, 200_000, 3, dtype=torch.float64)
    runs[1] *= scatter
    noise = (runs.amax(2) - runs.amin(2)).amax(0)
    less = runs[1] - runs[0]
    share = ((less > noise[:, None]).all(1) | (less < -noise[:, None]).all(1)).double().mean()
    assert share == pytest.approx(expected, abs=0.0015)
    for row in range(50):
        found = Difference("B: d_k=16", 0.24, tuple(less[row].tolist()), noise[row].item())
        passes = (less[row].abs().min() > noise[row]) & (less[row].sign().sum().abs() == 3)
        assert (found.sign != 0) == passes.item()


@pytest.mark.parametrize(
    ("record", "metric", "message"),
    [
        (made({}), "chrF", r"metric='chrF' is unknown; choose one of perplexity, loss, BLEU"),
        (made({"B: d_k=16": BASE}), "perplexity", r"0 run\(s\) of the row 'base'"),
        (made({"base": (1.0,)}), "perplexity", r"1 run\(s\) of the row 'base': a spread needs two"),
        (made({"base": BASE, "F": BASE}), "perplexity", "row='F' is unknown; choose one of base, "),
        (
            made({"base": BASE, "B: d_k=16": (5.0, 6.0)}),
            "perplexity",
            r"row 'B: d_k=16' has seeds \[0, 1\], base has \[0, 1, 2\]",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(record, metric, message):
    with unchecked(), pytest.raises(ValueError, match=message):
        differences(record, metric)


def test_perplexities_of_two_tokenizers_are_not_compared():
    one, other = made({"base": BASE}), made({"B: d_k=16": BASE}, signature="t")
    both = Record("some", {"scores": one["scores"] + other["scores"]})
    with pytest.raises(ValueError, match=r"signatures \['s', 't'\]: numbers compare only with one"):
        differences(both, "perplexity")
