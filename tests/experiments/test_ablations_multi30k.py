"""Rows on real sentences: the models of the miniature, and one corpus for all."""

import json
import sys

import pytest

from annotated_transformer import load_recipe
from annotated_transformer.lab.corpora import multi30k
from annotated_transformer.storage.machine import DATA_VARIABLE
from experiments import ablations, ablations_multi30k, study


def recipe_of(row):
    return load_recipe("english_korean_small", ablations_multi30k.variant(row).overrides)


@pytest.mark.parametrize("row", ablations_multi30k.ROWS)
def test_models_are_those_of_the_miniature_and_the_corpus_is_one(row):
    small = load_recipe("english_korean_small", ablations.variant(row).overrides)
    recipe, base = recipe_of(row), recipe_of("base")
    assert recipe.model == small.model
    assert recipe.training.label_smoothing == small.training.label_smoothing
    assert (recipe.corpus, recipe.tokenizer) == (base.corpus, base.tokenizer)
    assert (recipe.corpus.kind, recipe.corpus.languages) == ("multi30k", ("en", "de"))
    assert recipe.corpus.train_pairs == 0


@pytest.fixture
def captions(monkeypatch, tmp_path):
    """A few sentences in the place of the files of Multi30k."""
    written = {}
    for split, n in (("train", 60), ("valid", 4)):
        for language, word in (("en", "dogs"), ("de", "hunde")):
            path = tmp_path / f"{split}.{language}"
            path.write_text("".join(f"{i} {word} .\n" for i in range(n)), "utf-8")
            written[split, language] = path

    def files(folder, variant, split, languages):
        assert folder == tmp_path / "data" / "multi30k"
        assert variant == "tok"
        return tuple(written[split, language] for language in languages)

    monkeypatch.setattr(multi30k, "multi30k_files", files)
    return tmp_path


def test_the_record_has_perplexity_and_bleu_and_names_the_data(captions, monkeypatch):
    rows = ("base", "D: dropout=0.0")
    small = {"n_layers": 2, "d_model": 32, "d_ff": 64, "n_heads": 1, "d_k": 32, "d_v": 32}
    few = (*ablations_multi30k.CORPUS, "tokenizer.vocab_size=300")
    monkeypatch.setenv(DATA_VARIABLE, "elsewhere")  # which the program changes
    monkeypatch.setattr(ablations, "DIVISORS", small)
    monkeypatch.setattr(ablations_multi30k, "ROWS", rows)
    monkeypatch.setattr(ablations_multi30k, "CORPUS", few)
    monkeypatch.chdir(captions)
    monkeypatch.setattr(study, "RESULTS", captions)
    words = ["--steps", "1", "--data-dir", str(captions / "data")]
    monkeypatch.setattr(sys, "argv", ["ablations_multi30k", *words])
    ablations_multi30k.STUDY.main()
    record = json.loads((captions / "ablations_multi30k.json").read_text("utf-8"))
    expected = "python -m experiments.ablations_multi30k --seeds 1 --data-dir data --steps 1"
    assert record["command"] == expected
    for metric in ("perplexity", "BLEU"):
        found = [entry for entry in record["scores"] if entry["metric"] == metric]
        assert [entry["row"] for entry in found] == list(rows)
        assert {entry["split"] for entry in found} == {"valid"}


def test_rows_are_those_of_the_miniature(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["ablations_multi30k", "--rows", "base", "F: none"])
    with pytest.raises(SystemExit):
        ablations_multi30k.STUDY.main()
    assert "there is no row 'F: none' here" in capsys.readouterr().err
