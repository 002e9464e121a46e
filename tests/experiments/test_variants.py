import json

import pytest

from experiments import variants


@pytest.mark.parametrize("elsewhere", [True, False])
def test_a_command_says_where_its_record_is_unless_that_is_its_place(
    elsewhere, monkeypatch, tmp_path
):
    monkeypatch.setattr(variants, "RESULTS", tmp_path)
    run = {"recipe": "r", "parameters": 1, "scores": [], "settings": {}, "curve": []}
    monkeypatch.setattr(variants, "run_once", lambda *_args: run)
    path = tmp_path / ("second.json" if elsewhere else "heads.json")
    words = ["--seeds", "2", *(["--out", str(path)] if elsewhere else [])]
    variants.compare(
        "heads", [variants.Variant({})], variants.parser("heads", "").parse_args(words)
    )
    expected = "python -m experiments.heads --seeds 2 --steps 1000"
    expected += f" --out {path}" if elsewhere else ""
    assert json.loads(path.read_text("utf-8"))["command"] == expected
