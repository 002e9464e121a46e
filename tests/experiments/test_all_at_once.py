"""Two decoders and two corpora: what is right, what is counted, and what the runs differ in."""

import random

import pytest

from annotated_transformer import Transformer, Translator
from annotated_transformer.corpora.english_korean import english_korean
from annotated_transformer.variants.all_at_once import MORE, AllAtOnce
from experiments import all_at_once
from experiments.all_at_once import exchanged, measure_with, repeats, with_two_orders, written


def test_every_translation_has_two_words_to_exchange():
    for split in ("train", "valid", "test", "compositional"):
        for pair in english_korean(split):
            assert exchanged(exchanged(pair.target)) == pair.target
    assert exchanged("a b c d") == "b a c d"


def test_a_coin_decides_which_of_the_two_a_pair_has():
    pairs = english_korean("test")
    drawn = with_two_orders(pairs, random.Random(0))
    changed = sum(a.target != b.target for a, b in zip(pairs, drawn, strict=True))
    assert 450 < changed < 550
    for one, other in zip(pairs, drawn, strict=True):
        assert one.source == other.source
        assert other.target in (one.target, exchanged(one.target))


def test_a_repeated_word():
    assert repeats("a b b c")
    assert not repeats("a b a")


@pytest.fixture(scope="module")
def shipped():
    return Translator.load("english_korean")


@pytest.mark.parametrize("translations", [1, 2])
def test_either_order_is_right_only_where_there_are_two(translations, shipped):
    pairs = english_korean("test")[:10]
    turned = with_two_orders(pairs, random.Random(1))
    n = sum(a.target == b.target for a, b in zip(pairs, turned, strict=True))
    assert 0 < n < 10
    scores = list(measure_with(translations, {"test": turned})(shipped))
    found = {entry["metric"]: entry["value"] for entry in scores}
    assert found["exact_match"] == (100 if translations == 2 else 10 * n)
    assert (found["BLEU"] > 99.9) == (translations == 2)
    assert (found["repeats"], found["unfinished"]) == (0, 0)
    tokens = [len(shipped.tokenizer.target_ids(pair.target)) - 1 for pair in pairs]
    assert found["passes"] == sum(tokens) / 10


def test_one_pass_is_counted_as_one(shipped):
    at_once = Translator(AllAtOnce(shipped.model.config), shipped.tokenizer)
    texts = [pair.source for pair in english_korean("test")[:3]]
    assert [passes for _, passes in written(at_once, texts)] == [1, 1, 1]


def test_the_runs_are_four_and_differ_in_decoder_and_corpus(tmp_path, monkeypatch):
    monkeypatch.setattr(all_at_once, "english_korean", lambda s: english_korean(s)[:20])
    runs = all_at_once.variants(tmp_path, tmp_path / "tokenizer.model", {})
    assert [(v.tags["translations"], v.model) for v in runs] == [
        (1, Transformer),
        (1, AllAtOnce),
        (2, Transformer),
        (2, AllAtOnce),
    ]
    assert [v.overrides for v in runs[::2]] == [v.overrides for v in runs[1::2]]
    one, two = ((tmp_path / n / "train.target").read_text("utf-8").splitlines() for n in "12")
    assert one == [pair.target for pair in english_korean("train")[:20]]
    assert one != two
    assert all(b in (a, exchanged(a)) for a, b in zip(one, two, strict=True))


def test_every_translation_of_the_corpus_fits_into_its_places(shipped):
    for pair in english_korean("train")[::20]:
        source, target = shipped.tokenizer.source_ids(pair.source), pair.target
        assert len(shipped.tokenizer.target_ids(target)) - 1 <= len(source) + MORE - 2
