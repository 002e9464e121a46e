"""The question with few labels: its sentences, its read-out, its classifier."""

import pytest
import torch
from sklearn.linear_model import LogisticRegression

from annotated_transformer.lab.analysis.few_labels import (
    bag_of_words,
    few_labels,
    last,
    probe,
    twins,
    vector_of_last_word,
)
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.lab.family.words import Words


@pytest.fixture(scope="module")
def pairs():
    return english_korean("train")


@pytest.fixture(scope="module")
def known(pairs):
    return twins(pairs)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_word_of_the_answer_is_labelled_and_all_else_says_nothing(known, seed):
    task = few_labels(known, 60, seed)
    assert set(map(last, task.texts)).isdisjoint(map(last, task.test_texts))
    for texts, answers in (task[:2], task[2:]):
        for subject, object_ in zip(texts[::2], texts[1::2], strict=True):
            assert subject.split()[:-1] == object_.split()[:-1]
            assert last(subject) != last(object_)
        assert answers.tolist() == [False, True] * (len(texts) // 2)
        assert len(set(texts)) == len(texts)


def test_answers_are_those_of_the_grammar(pairs, known):
    constructions = {pair.source: pair.construction for pair in pairs}
    task = few_labels(known, 100, 1)
    found = [
        (constructions[text], answer)
        for text, answer in zip(task.texts, task.answers.tolist(), strict=True)
        if text in constructions
    ]
    assert len(found) >= 50
    assert {("because_object" if answer else "because_subject") for _, answer in found} == {
        "because_subject",
        "because_object",
    }
    assert all(
        kind == ("because_object" if answer else "because_subject") for kind, answer in found
    )


def test_a_bag_of_words_is_right_in_half_of_them(pairs, known):
    """Its last words are new, and everything before them stands in both sentences of a twin."""
    words = Words(pair.source for pair in pairs)
    task = few_labels(known, 100, 2)
    train, test = (
        bag_of_words(words.batch(texts), len(words)) for texts in (task.texts, task.test_texts)
    )
    found = probe(train, task.answers, test)
    assert torch.equal(found[::2], found[1::2])
    assert (found == task.test_answers).double().mean() == 0.5


@pytest.mark.parametrize(("n", "d", "penalty"), [(20, 3, 1e-2), (10, 40, 1e-1), (30, 5, 1e-3)])
def test_the_probe_is_logistic_regression(n, d, penalty):
    """Against scikit-learn, whose C is 1 / (2 n penalty)."""
    x, new = torch.randn(n, d).double(), torch.randn(200, d).double()
    answers = (x[:, 0] + 0.5 * torch.randn(n)) > 0
    mean, deviation = x.mean(0), x.std(0, correction=0)
    theirs = LogisticRegression(C=1 / (2 * n * penalty), tol=1e-10, max_iter=10_000)
    theirs.fit((x - mean) / deviation, answers)
    scores = theirs.decision_function((new - mean) / deviation)
    expected = torch.tensor(scores > 0)
    sure = torch.tensor(abs(scores) > 1e-4)
    assert sure.double().mean() > 0.95
    assert torch.equal(probe(x, answers, new, penalty)[sure], expected[sure])


def test_a_component_that_never_changes_is_harmless():
    x = torch.randn(12, 3)
    answers = x[:, 0] > 0
    constant = torch.cat([x, torch.full((12, 1), 7.0)], dim=1)
    new = torch.cat([x, torch.full((12, 1), 9.0)], dim=1)
    assert torch.equal(probe(constant, answers, new), probe(x, answers, x))


def test_the_last_word_stands_before_the_end_and_the_padding(pairs):
    words = Words(pair.source for pair in pairs)
    ids = words.batch(["The goat was tired", "The old goat was not tired"])
    found = vector_of_last_word(ids[..., None].float(), ids != 0)
    assert found[:, 0].tolist() == [words.ids("tired")[1]] * 2


@pytest.mark.parametrize("n", [0, 7, 100_000])
def test_a_number_of_sentences_that_there_is_not_is_refused(known, n):
    with pytest.raises(ValueError, match=f"{n} labelled sentences: expected an even number"):
        few_labels(known, n, 1)
