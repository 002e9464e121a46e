"""Two decoders: what is right, what is counted, and what the runs differ in."""

import pytest

from annotated_transformer import Transformer, Translator
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.lab.variants.all_at_once import MORE, AllAtOnce
from experiments import all_at_once
from experiments.all_at_once import measure, repeats, variants, written


@pytest.fixture(scope="module")
def shipped():
    return Translator.load("english_korean")


def test_a_repeated_word():
    assert repeats("a b b c")
    assert not repeats("a b a")


def test_the_scores_are_those_of_the_translations(shipped, monkeypatch):
    pairs = english_korean("test")[:10]
    monkeypatch.setattr(all_at_once, "english_korean", lambda _: pairs)
    found = {e["metric"]: e["value"] for e in measure(shipped) if e["split"] == "test"}
    assert (found["exact_match"], found["repeats"], found["unfinished"]) == (100, 0, 0)
    assert found["BLEU"] == pytest.approx(100)
    tokens = [len(shipped.tokenizer.target_ids(pair.target)) - 1 for pair in pairs]
    assert found["passes"] == sum(tokens) / 10


def test_one_pass_is_counted_as_one(shipped):
    at_once = Translator(AllAtOnce(shipped.model.config), shipped.tokenizer)
    texts = [pair.source for pair in english_korean("test")[:3]]
    assert [passes for _, passes in written(at_once, texts)] == [1, 1, 1]


def test_the_runs_differ_in_decoder_and_updates_alone():
    one, other = variants(1_500, 3)
    assert (one.model, other.model) == (Transformer, AllAtOnce)
    assert (one.overrides, other.overrides) == ((), ["training.steps=4500"])


def test_every_translation_of_the_corpus_fits_into_its_places(shipped):
    for pair in english_korean("train")[::20]:
        source, target = shipped.tokenizer.source_ids(pair.source), pair.target
        assert len(shipped.tokenizer.target_ids(target)) - 1 <= len(source) + MORE - 2
