"""Which words belong together, on sentences whose answer a reader of Korean can give."""

import pytest
import torch

from annotated_transformer import Translator
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.grammar_links import (
    counters,
    counting_faults,
    grammar_kinds,
    particle_words,
    pronouns,
    taken_up,
)
from annotated_transformer.lab.corpora.english_korean import english_korean

CHAIR = SentencePair(
    "Jihun did not lift the chair because it was too heavy",
    "의자가 너무 무거워서 지훈은 그것을 들지 못했다",
    (
        *((0, 3), (1, 6), (2, 6), (3, 5), (4, 0), (4, 4), (5, 0)),
        *((5, 4), (6, 2), (7, 0), (8, 2), (9, 1), (10, 2)),
    ),
    "because_object",
)
GOAT = SentencePair(
    "This goat did not climb the mountain because it was too lazy",
    "이 염소가 너무 게을러서 산에 올라가지 못했다",
    (
        *((0, 0), (1, 1), (2, 6), (3, 6), (4, 5), (5, 4)),
        *((6, 4), (7, 3), (8, 1), (9, 3), (10, 2), (11, 3)),
    ),
    "because_subject",
)
COOKIES = SentencePair(
    "Sujin bakes nine cookies",
    "수진은 과자 아홉 개를 굽는다",
    ((0, 0), (1, 4), (2, 2), (3, 1), (3, 3)),
    "counting",
)


@pytest.fixture(scope="module")
def translator():
    return Translator.load("english_korean")


def test_a_counter_belongs_to_the_noun_before_the_number():
    assert counters(COOKIES.target) == [(3, (1,))]
    assert counters("그녀는 책 세 권을 샀다") == [(3, (1,))]
    assert counters("그녀는 책 세 마리를 샀다") == []  # the counter of animals


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (COOKIES.target, set()),
        ("수진은 과자를 굽는다", {"number"}),
        ("수진은 과자 아홉 권을 굽는다", {"class"}),
        ("수진은 과자 아홉 개를 구웠다", {"verb"}),
        ("수진은 과자 아홉", {"class", "verb"}),
        ("수진은 과자 아홉 개가 굽는다", set()),  # neither is another particle
        ("그는 과자 아홉 개를 굽는다", set()),  # another subject is none of the three
    ],
)
def test_a_translation_of_a_counting_sentence_fails_in_three_ways(text, faults):
    assert counting_faults(text, COOKIES) == faults


def test_a_sentence_that_counts_nothing_has_no_such_faults():
    with pytest.raises(ValueError, match="has no number with a counter"):
        counting_faults(CHAIR.target, CHAIR)


def test_it_belongs_to_the_noun_with_the_same_translation_and_its_determiner():
    assert pronouns(CHAIR) == [(7, (4, 5))]
    assert pronouns(GOAT) == [(8, (0, 1))]
    assert pronouns(COOKIES) == []
    assert taken_up(CHAIR) == [(4, (0,))]
    assert taken_up(GOAT) == []


def test_every_it_of_the_corpus_has_its_noun():
    found = [
        (pair, pronouns(pair))
        for pair in english_korean("test")
        if pair.construction.startswith("because")
    ]
    assert len(found) > 50
    for pair, links in found:
        ((_, others),) = links
        stop = pair.source.split(" ").index("because")
        assert others == tuple(range(others[0], others[-1] + 1)), pair
        before_the_verb = others[0] == 0
        assert before_the_verb == (pair.construction == "because_subject"), pair
        assert others[-1] < stop


def test_particles_are_tokens_of_their_own_after_a_noun(translator):
    tokenizer, text = translator.tokenizer, "그 소녀가 라디오를 읽는 사자를 산다"
    words = text.split(" ")
    found = [words[word] for word in particle_words(tokenizer, text)]
    ids = {word: tokenizer.encode(word) for word in words}
    assert "라디오를" in found
    assert "읽는" not in found  # a verb that ends like a particle
    for word in found:
        assert tokenizer.decode(ids[word][-1:]) in ("가", "를")


def marked_words(translator, pair, name, kind):
    """The texts of marked keys, by the text of the row's token or None for the begin."""
    tokenizer, reads_target = translator.tokenizer, "decoder" in name
    source, target = tokenizer.source_ids(pair.source), tokenizer.target_ids(pair.target)[:-1]
    rows = target if reads_target else source
    keys = target if "self" in name and reads_target else source
    weights = torch.zeros(4, len(rows), len(keys))
    marks = grammar_kinds(name, weights, translator, pair)[kind]
    assert marks.shape == weights.shape[1:]
    return {
        tokenizer.decode([rows[row]]): tokenizer.decode(
            [key for key, marked in zip(keys, marks[row], strict=True) if marked]
        )
        for row in range(len(rows))
        if marks[row].any()
    }


def test_kinds_mark_the_row_that_has_read_or_is_to_write(translator):
    self, cross = "decoder.layers.0.self_attention", "decoder.layers.1.cross_attention"
    encoder = "encoder.layers.1.self_attention"
    assert marked_words(translator, COOKIES, self, "counter") == {"개를": "과자"}
    assert marked_words(translator, COOKIES, self, "writing counter") == {"아홉": "과자"}
    assert marked_words(translator, COOKIES, cross, "writing counter") == {"아홉": "cookies"}
    assert marked_words(translator, COOKIES, self, "particle") == {"은": "수진"}
    assert marked_words(translator, CHAIR, encoder, "pronoun") == {"it": "the chair"}
    assert marked_words(translator, CHAIR, self, "pronoun") == {"그것을": "의자가"}
