"""The card beside a model says what its record says."""

import json

from annotated_transformer.lab.model_card import model_card
from rules import ROOT

RECORD = json.loads((ROOT / "book/results/english_korean_live.json").read_text(encoding="utf-8"))


def test_the_card_names_recipe_command_commit_and_machine():
    card = model_card(RECORD)
    assert card.startswith(f"# {RECORD['recipe']}\n")
    for value in (RECORD["command"], RECORD["commit"], RECORD["machine"]["processor"]):
        assert value in card
    assert f"{RECORD['parameters']:,}" in card


def test_the_card_has_a_row_for_each_score():
    rows = [line for line in model_card(RECORD).splitlines() if line.startswith("| ")][1:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert [(split, metric, float(value)) for split, metric, value, _ in cells] == [
        (score["split"], score["metric"], score["value"]) for score in RECORD["scores"]
    ]
    assert all(signature.strip("`") for *_, signature in cells)


def test_a_gpu_a_turned_corpus_and_averaging_are_named():
    settings = {**RECORD["settings"], "corpus": {**RECORD["settings"]["corpus"], "reverse": True}}
    machine = {**RECORD["machine"], "gpu": "A GPU"}
    averaged = {"steps": [1, 2, 3], "valid_loss": 1.0}
    card = model_card({**RECORD, "settings": settings, "machine": machine, "averaged": averaged})
    assert "A GPU; PyTorch" in card
    assert "target to source" in card
    assert "mean of the last 3 checkpoints" in card


def test_a_run_that_begins_with_a_model_names_its_weights():
    assert "Begun with" not in model_card(RECORD)
    start = {"model": "english_korean_open", "weights": "21dc40bc", "tokenizer": "d0e4babc"}
    card = model_card({**RECORD, "start": start})
    assert "- Begun with: the weights of english_korean_open, sha256 21dc40bc\n" in card
