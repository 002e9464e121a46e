"""Scores by length and by steps: what is counted, and that the losses are those of the tokens."""

import pytest
import torch
from torch.nn import functional as F

from annotated_transformer import Transformer, TransformerConfig, Translator
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.baselines.recurrent import Recurrent
from experiments import text_scores
from experiments.joined_texts import texts


@pytest.fixture(scope="module")
def tokenizer():
    return Translator.load("english_korean").tokenizer


def models(vocab_size):
    config = TransformerConfig.tiny(vocab_size=vocab_size, n_layers=1, d_model=16, d_ff=16)
    torch.manual_seed(0)
    return [
        Transformer(config),
        Recurrent(config, 8, attention=False),
        Recurrent(config, 8, attention=True),
    ]


def test_a_loss_is_that_of_its_token_whatever_stands_beside_it_in_the_batch(tokenizer):
    pairs = texts("valid", 6)
    for model in models(tokenizer.vocab_size):
        found = text_scores.token_losses(model, tokenizer, pairs, rows=4)
        model.eval()
        for pair, losses in zip(pairs, found, strict=True):
            source = torch.tensor([tokenizer.source_ids(pair.source)])
            target = torch.tensor([tokenizer.target_ids(pair.target)])
            logits = model(source, target[:, :-1])[0].log_softmax(-1)
            expected = F.nll_loss(logits, target[0, 1:], reduction="none")
            torch.testing.assert_close(torch.tensor(losses), expected, rtol=1e-4, atol=1e-4)


def test_groups_hold_the_texts_of_their_lengths():
    sources = ["a b", "a b c d e", "a b c d e f", "a b c d e f g h i j k"]
    pairs = [SentencePair(source, "x") for source in sources]
    entries = list(text_scores.exact_by_length(pairs, ["x", "y", "x", "x"]))
    values = {tuple(e.get("words", ())): (e["value"], e["signature"]) for e in entries}
    assert values == {
        (): (75.0, "greedy|4 texts"),
        (2, 5): (50.0, "greedy|2 texts"),
        (6, 9): (100.0, "greedy|1 texts"),
        (10, 13): (100.0, "greedy|1 texts"),
        (14, 17): (None, "greedy|0 texts"),
        (18, 24): (None, "greedy|0 texts"),
    }
    losses = [[1.0, 2.0], [3.0], [4.0, 4.0, 4.0], [0.5]]
    found = {
        tuple(e.get("words", ())): e["value"] for e in text_scores.loss_by_length(pairs, losses)
    }
    assert found[()] == pytest.approx(18.5 / 7, abs=1e-4)  # of tokens, not of texts
    assert (found[2, 5], found[6, 9], found[10, 13]) == (2.0, 4.0, 0.5)


def test_texts_of_two_lengths_are_those_with_more_tokens_on_one_side():
    class Letters:
        def encode(self, text):
            return list(text)

    pairs = [SentencePair(source, "xy") for source in ("a", "ab", "abc", "abcd")]
    entry = text_scores.exact_of_other_length(pairs, ["xy", "xy", "z", "z"], Letters())
    assert (entry["value"], entry["signature"]) == (33.3, "greedy|3 texts")


def test_the_loss_by_steps_leaves_out_short_texts_and_the_end(monkeypatch, tokenizer):
    long = " ".join("word" for _ in range(14))
    pairs = [SentencePair(long, "x"), SentencePair("word", "x")]
    monkeypatch.setattr(text_scores, "steps_to_the_end", lambda *_: [0, 1, 3, 9, None])
    losses = [[1.0, 2.0, 4.0, 8.0, 100.0]] * 2
    entries = list(text_scores.loss_by_steps(pairs, losses, tokenizer))
    found = {tuple(e["steps_to_the_end"]): e["value"] for e in entries}
    assert found == {(0, 1): 1.5, (2, 3): 4.0, (4, 5): None, (6, 7): None, (8, 24): 8.0}


def test_every_steps_and_every_length_has_one_group():
    for groups, first in ((text_scores.LENGTHS, 2), (text_scores.STEPS_TO_THE_END, 0)):
        covered = [n for fewest, most in groups for n in range(fewest, most + 1)]
        assert covered == list(range(first, 25))


def test_all_scores_of_a_model(tokenizer):
    pairs = texts("valid", 60)
    for model in models(tokenizer.vocab_size)[1:]:
        entries = text_scores.scores(model, tokenizer, pairs)
        kinds = [(e["metric"], "words" in e, "steps_to_the_end" in e) for e in entries]
        assert kinds.count(("exact_match", True, False)) == 5
        assert kinds.count(("loss", True, False)) == 5
        assert kinds.count(("loss", False, True)) == 5
        assert kinds.count(("exact_match_of_other_length", False, False)) == 1
        assert len(kinds) == 18
