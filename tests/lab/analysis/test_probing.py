"""Probes on vectors whose answer is known, and labels on sentences that can be read."""

import pytest
import torch

from annotated_transformer import Translator
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.probing import (
    Probed,
    commonest,
    control_task,
    encoder_states,
    noun_roles,
    probe_accuracy,
    probe_layers,
)
from annotated_transformer.lab.corpora.english_korean import english_korean

GAVE = SentencePair(
    "Tom lent the umbrella to the judge",
    "톰은 그 판사에게 우산을 빌려줬다",
    ((0, 0), (1, 4), (2, 3), (3, 3), (4, 2), (5, 1), (6, 2)),
)
CHAIR = SentencePair(
    "Jihun lifted the chair because it was light",
    "의자가 가벼워서 지훈은 그것을 들었다",
    ((0, 2), (1, 4), (2, 0), (3, 0), (3, 3), (4, 1), (5, 0), (6, 1), (7, 1)),
)


@pytest.fixture(scope="module")
def translator():
    return Translator.load("english_korean")


def test_a_noun_has_the_role_of_its_korean_particle():
    found = {(w.sentence, w.place, w.word): w.label for w in noun_roles([GAVE, CHAIR])}
    assert found == {
        (0, 0, "tom"): "subject",
        (0, 3, "umbrella"): "object",
        (0, 6, "judge"): "receiver",
        (1, 0, "jihun"): "subject",
        (1, 3, "chair"): "subject",
    }


def test_the_control_gives_a_word_one_label_wherever_it_stands():
    words = noun_roles(english_korean("test"))
    control = control_task(words, seed=1)
    by_word = {}
    for task, word in zip(words, control, strict=True):
        assert task[:3] == word[:3]
        assert by_word.setdefault(word.word, word.label) == word.label
    assert {w.label for w in control} <= {w.label for w in words}
    assert control != control_task(words, seed=2)
    assert control == control_task(words, seed=1)


def test_the_vector_of_a_word_is_the_mean_of_its_tokens(translator):
    words = [Probed(0, 3, "umbrella", "object"), Probed(1, 0, "jihun", "subject")]
    states = encoder_states(translator, [GAVE, CHAIR], words)
    assert states.shape == (3, 2, 128)
    model, tokenizer = translator.model, translator.tokenizer
    for number, (pair, word) in enumerate(zip([GAVE, CHAIR], words, strict=True)):
        ids = torch.tensor([tokenizer.source_ids(pair.source)])
        span = slice(*tokenizer.word_spans(pair.source)[word.place])
        with torch.no_grad():
            memory = model.eval().encode(ids)[0, span].mean(0)
            embedded = model.source_positions(model.source_embedding(ids))[0, span].mean(0)
        torch.testing.assert_close(states[-1, number], memory)
        torch.testing.assert_close(states[0, number], embedded)


def test_a_label_that_a_plane_divides_is_found_and_one_of_chance_is_not():
    torch.manual_seed(0)
    x = torch.randn(600, 5)
    sides = ["left" if row[2] + row[0] > 0 else "right" for row in x.tolist()]
    drawn = ["left" if number % 2 else "right" for number in range(600)]
    assert probe_accuracy((x[:500], sides[:500]), (x[500:], sides[500:])) > 95
    assert 35 < probe_accuracy((x[:500], drawn[:500]), (x[500:], drawn[500:])) < 65


def test_the_commonest_label_is_that_of_the_word_or_of_all():
    def words(text):
        return [Probed(0, 0, *pair.split(":")) for pair in text.split()]

    train = words("cat:subject cat:subject cat:object tree:object dog:subject")
    test = words("cat:subject cat:object tree:object fox:subject fox:object")
    assert commonest(train, test) == 60


def test_the_role_is_not_in_the_embedding_and_is_in_the_memory(translator):
    """The word alone decides the control; the role needs the sentence around it."""
    pairs = english_korean("test")[:400]
    rows = probe_layers(translator, pairs, n_train=320, seed=1)
    assert [row["layer"] for row in rows] == [0, 1, 2]
    for row in rows:
        assert row["selectivity"] == pytest.approx(row["task"] - row["control"])
    assert rows[2]["task"] > 90
    assert rows[2]["task"] > rows[0]["task"] + 5
    assert rows[2]["selectivity"] > rows[0]["selectivity"]


def test_nouns_on_one_side_alone_are_refused(translator):
    with pytest.raises(ValueError, match="5 of 5 nouns are in the first 2 of 2 pairs"):
        probe_layers(translator, [GAVE, CHAIR], n_train=2, seed=1)
