"""Table 3 in miniature: rows change what they say, and runs that were shared out come together."""

import dataclasses
import json
import math
import sys
from itertools import pairwise

import pytest

from annotated_transformer import Transformer, count_parameters, load_recipe
from annotated_transformer.config import TABLE3, TransformerConfig
from annotated_transformer.lab.corpora import english_korean as corpus
from annotated_transformer.lab.corpora.english_korean import english_korean
from experiments import ablations, study, variants

SMOOTHINGS = {"D: label_smoothing=0.0": 0.0, "D: label_smoothing=0.2": 0.2}


def recipe_of(row):
    return load_recipe("english_korean_small", ablations.variant(row).overrides)


def config_of(row):
    return recipe_of(row).model.config(vocab_size=2_000)


def parameters(row):
    return count_parameters(config_of(row))["total"]


def difference(row, of):
    """The fields in which a row differs from base, with both values."""
    base, config = of("base"), of(row)
    names = [field.name for field in dataclasses.fields(base)]
    both = {name: (getattr(base, name), getattr(config, name)) for name in names}
    return {name: pair for name, pair in both.items() if pair[0] != pair[1]}


def test_all_rows_of_the_table_but_big_are_there_in_its_order():
    assert [row for row in ablations.ROWS if row not in SMOOTHINGS] == list(TABLE3)[:-1]
    assert [row[0] for row in ablations.ROWS] == list("bAAAABBCCCCCCCDDDDE")


def test_base_is_the_paper_s_with_widths_by_four_and_layers_by_two():
    base = config_of("base")
    assert (base.n_layers, base.d_model, base.d_ff, base.n_heads) == (3, 128, 512, 8)
    assert (base.d_k, base.d_v, base.dropout, base.positions) == (16, 16, 0.1, "sinusoidal")
    assert recipe_of("base").training.label_smoothing == 0.1
    assert recipe_of("base").corpus.train_pairs == ablations.PAIRS
    assert recipe_of("base").training.tokens_per_batch == 512


@pytest.mark.parametrize("row", ablations.ROWS)
def test_a_row_differs_from_base_in_what_it_says_by_the_paper_s_factors(row):
    paper = difference(
        row, lambda name: TransformerConfig.table3(name if name in TABLE3 else "base")
    )
    ours = difference(row, config_of)
    assert ours.keys() == paper.keys()
    for name, (base, value) in ours.items():
        if name in ("dropout", "positions"):
            assert (base, value) == paper[name]
        else:
            assert value * paper[name][0] == base * paper[name][1]
    base, recipe = recipe_of("base"), recipe_of(row)
    smoothing = SMOOTHINGS.get(row, 0.1)
    training = dataclasses.replace(base.training, label_smoothing=smoothing)
    assert recipe == dataclasses.replace(base, model=recipe.model, training=training)
    said = {name: str(value) for name, (_, value) in ours.items()}
    said |= {"label_smoothing": str(smoothing)} if row in SMOOTHINGS else {}
    here = ", ".join(f"{name}={value}" for name, value in said.items())
    tags = ablations.variant(row).tags
    assert tags["row"] == row
    assert sorted(tags["here"].split(", ")) == sorted((here or "base").split(", "))


def test_rows_cost_the_parameters_of_their_formulas():
    """Of 3 encoder layers with one attention and 3 decoder layers with two: 9 attentions."""
    base = parameters("base")
    for row in ablations.ROWS:
        if row[0] in "AD":
            assert parameters(row) == base
    for d_k, row in ((4, "B: d_k=16"), (8, "B: d_k=32")):
        assert base - parameters(row) == 9 * 2 * 128 * 8 * (16 - d_k)
    for d_ff, row in ((256, "C: d_ff=1024"), (1024, "C: d_ff=4096")):
        assert parameters(row) - base == 6 * (2 * 128 + 1) * (d_ff - 512)
    attention, feed_forward, norm = 4 * 128 * 128, (2 * 128 + 1) * 512 + 128, 2 * 128
    layer = 3 * attention + 2 * feed_forward + 5 * norm
    deeper = [parameters(f"C: n_layers={n}") for n in (2, 4)] + [base, parameters("C: n_layers=8")]
    assert [b - a for a, b in pairwise(deeper)] == [layer] * 3
    table = 128 * config_of("base").max_length
    assert parameters("E: positions=learned") - base == 2 * table  # of the encoder, of the decoder
    wide = config_of("C: d_model=1024")
    assert Transformer(wide).count_parameters() == count_parameters(wide)


def test_rows_are_chosen_by_name_or_by_the_letter_of_their_group():
    assert ablations.chosen(ablations.ROWS) == ablations.ROWS
    assert ablations.chosen(["E", "base"]) == ["base", "E: positions=learned"]
    assert ablations.chosen(["B: d_k=16", "B"]) == ["B: d_k=16", "B: d_k=32"]


@pytest.mark.parametrize("row", ["big", "F", "C: n_layers=3", ""])
def test_a_row_that_is_not_there_is_named_with_those_that_are(row, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["ablations", "--rows", "A", row])
    with pytest.raises(SystemExit):
        ablations.STUDY.main()
    said = capsys.readouterr().err.splitlines()[-1]
    assert f"error: there is no row {row!r} here; there are 'base', 'A: n_heads=1', " in said


@pytest.fixture
def start(monkeypatch, tmp_path):
    """Carry out the program in a folder of its own, small and on few sentences; its record."""

    def few(split, *lexicon):
        return english_korean(split, *lexicon)[: None if split == "train" else 6]

    monkeypatch.setattr(corpus, "english_korean", few)
    monkeypatch.setattr(ablations, "english_korean", few)
    monkeypatch.setattr(ablations, "PAIRS", 2_000)
    small = {"n_layers": 2, "d_model": 32, "d_ff": 64, "n_heads": 1, "d_k": 32, "d_v": 32}
    monkeypatch.setattr(ablations, "DIVISORS", small)
    monkeypatch.setattr(study, "commit", lambda: "0" * 40)

    def carry_out(folder, *words):
        (tmp_path / folder).mkdir(exist_ok=True)
        monkeypatch.chdir(tmp_path / folder)
        monkeypatch.setattr(study, "RESULTS", tmp_path / folder)
        monkeypatch.setattr(study, "RUNS", tmp_path / folder / "runs")
        monkeypatch.setattr(sys, "argv", ["ablations", "--steps", "1", *words])
        ablations.STUDY.main()
        out = words[words.index("--out") + 1] if "--out" in words else "ablations.json"
        return json.loads((tmp_path / folder / out).read_text("utf-8"))

    return carry_out


def without_clocks(record):
    clocks = ("seconds", "wall_seconds", "started", "seal")
    rest = {key: value for key, value in record.items() if key not in clocks}
    return rest | {"curve": [without_clocks(entry) for entry in rest.get("curve", [])]}


def test_halves_come_together_as_the_record_of_one_run(start, monkeypatch):
    rows = ["base", "C: n_layers=2"]
    monkeypatch.setattr(ablations, "ROWS", rows)
    whole = start("one", "--seeds", "1", "2")
    first = start("two", "--rows", "base", "--seeds", "1", "2", "--out", "first.json")
    second = start("two", "--rows", rows[1], "--seeds", "1", "2", "--out", "second.json")
    assert first["command"].endswith(" --seeds 1 2 --rows base --steps 1 --out first.json")
    assert " --rows 'C: n_layers=2' --steps 1 --out " in second["command"]
    monkeypatch.delattr(variants, "train")
    together = start("two", "--seeds", "1", "2")
    assert without_clocks(together) == without_clocks(whole)
    assert together["command"] == "python -m experiments.ablations --seeds 1 2 --steps 1"


def test_a_run_is_measured_as_its_validation_measures_it(start, monkeypatch):
    rows = ["base", "D: label_smoothing=0.2"]
    monkeypatch.setattr(ablations, "ROWS", rows)
    record = start("one")
    losses = [entry["valid_loss"] for entry in record["curve"]]
    found = [entry for entry in record["scores"] if entry["metric"] == "perplexity"]
    assert [entry["row"] for entry in found] == rows
    for entry, loss in zip(found, losses, strict=True):
        assert entry["value"] == pytest.approx(math.exp(loss), rel=1e-5)
    assert len({entry["signature"] for entry in found}) == 1
    counted = [entry["value"] for entry in record["scores"] if entry["metric"] == "parameters"]
    assert counted == [parameters("base")] * 2
