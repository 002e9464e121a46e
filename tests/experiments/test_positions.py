"""The texts of the experiment with positions: what is new in the long tests is their length."""

import random
from collections import Counter
from dataclasses import replace

import pytest
import torch

from annotated_transformer import Translator, load_recipe
from annotated_transformer.lab.corpora import english_korean as corpus
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.batching import token_batches
from annotated_transformer.training.data import encode
from annotated_transformer.training.encoded import TokenPairs
from experiments import position_texts, positions, variants


@pytest.fixture(scope="module")
def tokenizer():
    pairs = english_korean("train")[:3_000]
    return Tokenizer.train((line for p in pairs for line in (p.source, p.target)), vocab_size=1_000)


@pytest.fixture(scope="module")
def splits(tokenizer):
    patch = pytest.MonkeyPatch()
    patch.setattr(position_texts, "english_korean", lambda split: english_korean(split)[:3_000])
    yield position_texts.corpora(tokenizer, 30)
    patch.undo()


def lengths(tokenizer, texts):
    """Tokens of both sides as the model gets them: what it reads, and what it writes."""
    return [
        (len(tokenizer.source_ids(t.pair.source)), len(tokenizer.target_ids(t.pair.target)) - 1)
        for t in texts
    ]


def parts(text, split):
    """The sentences of the split that a text consists of, found by trying every cut."""
    whole = {pair.source for pair in english_korean(split)[:3_000]}
    words = text.pair.source.split(" ")
    cuts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    if text.pair.source in whole:
        return [text.pair.source]
    return next(list(cut) for cut in cuts if whole.issuperset(cut))


def test_the_lengths_of_training_and_tests_are_what_their_names_say(splits, tokenizer):
    longest = {n: max(map(max, lengths(tokenizer, drawn["train"]))) for n, drawn in splits.items()}
    assert longest == {16: 16, 25: 25}
    for drawn in splits.values():
        for low, high in position_texts.TESTS:
            found = lengths(tokenizer, drawn[position_texts.name_of((low, high))])
            assert all(low <= n <= high for both in found for n in both)
    assert list(splits) == [position_texts.LONGEST, 25]


def test_second_sentences_are_drawn_alike_whatever_the_length(tokenizer):
    known = position_texts.sentences("test", tokenizer)
    counts = []
    for test in position_texts.TESTS:
        texts = position_texts.draw_texts(known, 1_000, [test], random.Random(1))
        found = [parts(text, "test")[1] for text in texts]
        assert {len(tokenizer.encode(second)) for second in found} == {8, 9}
        counts.append(Counter(found))
    assert len(counts[0]) > 20
    for second in counts[0]:
        expected = 1_000 / len(counts[0])
        assert all(abs(count[second] - expected) < 5 * expected**0.5 for count in counts)


def test_training_has_single_sentences_and_pairs_and_the_tests_pairs(splits):
    for drawn in splits.values():
        found = [len(parts(text, "train")) for text in drawn["train"][:400]]
        assert Counter(found) == {1: 200, 2: 200}
        for test in position_texts.TESTS:
            texts = drawn[position_texts.name_of(test)]
            assert {len(parts(text, "test")) for text in texts} == {2}


def test_the_control_sees_as_many_texts_in_an_update(splits, tokenizer):
    usual, longer = (splits[n]["train"] for n in splits)
    tokens = positions.tokens_per_batch(longer, usual, 1_024)
    assert tokens > 1_100
    updates = [
        len(token_batches(TokenPairs.of(encode([t.pair for t in texts], tokenizer, origin="")), n))
        for texts, n in ((usual, 1_024), (longer, tokens))
    ]
    assert updates[1] == pytest.approx(updates[0], rel=0.03)


def test_runs_differ_in_positions_and_the_control_in_its_texts(splits, tmp_path):
    runs = positions.variants(splits, tmp_path / "t", tmp_path, 1_024)
    recipes = [load_recipe("english_korean_small", run.overrides) for run in runs]
    assert [r.model.overrides["positions"] for r in recipes] == [*positions.KINDS, "sinusoidal"]
    assert (
        len({r.to_toml().replace(f'"{r.model.overrides["positions"]}"', "") for r in recipes}) == 2
    )
    assert recipes[0].model == recipes[-1].model
    lines = {n: (tmp_path / f"up_to_{n}/train.source").read_text("utf-8") for n in splits}
    for n, text in lines.items():
        assert text.splitlines() == [t.pair.source for t in splits[n]["train"]]


def test_accuracy_is_counted_at_each_position():
    """As a model does that is asked for one token at a time, each time after the true ones."""
    translator = Translator.load("english_korean")
    pairs = english_korean("test")[:6]
    pairs += [replace(pairs[0], target="바보"), replace(pairs[1], target=pairs[2].target)]
    right, total = Counter(), Counter()
    for pair in pairs:
        source = torch.tensor([translator.tokenizer.source_ids(pair.source)])
        target = translator.tokenizer.target_ids(pair.target)
        for position in range(len(target) - 1):
            logits = translator.model(source, torch.tensor([target[: position + 1]]))
            right[position] += int(logits[0, -1].argmax()) == target[position + 1]
            total[position] += 1
    texts = [position_texts.Text(pair, (0, 0)) for pair in pairs]
    found = list(positions.accuracy_by_position(texts)(translator))
    expected = [round(100 * right[p] / total[p], 1) for p in sorted(total)]
    assert [entry["value"] for entry in found] == expected
    assert expected[0] < 100
    assert found[0]["signature"].endswith("|8 texts")


def test_a_run_uses_the_tokenizer_that_it_is_given(tokenizer, tmp_path, monkeypatch):
    # Few sentences to score: an untrained model writes on until a translation may not be longer.
    monkeypatch.setattr(corpus, "english_korean", lambda *names: english_korean(*names)[:60])
    path = tmp_path / "tokenizer.model"
    path.write_bytes(tokenizer.to_bytes())
    seen = []
    small = ["n_layers=1", "d_model=8", "d_ff=8", "n_heads=1"]
    overrides = ["corpus.train_pairs=50", *(f"model.{setting}" for setting in small)]

    def measure(translator):
        seen.append(translator.tokenizer.fingerprint)
        return []

    variant = variants.Variant({}, overrides, tokenizer=path)
    variants.run_once(variant, 1, 1, ["valid"], measure)
    assert seen == [tokenizer.fingerprint]
