"""One word exchanged: which pairs there are, and what is said of a parser's trees for them."""

from collections import Counter
from itertools import islice

import pytest

from annotated_transformer.lab.analysis.choices import open_choices
from annotated_transformer.lab.analysis.exchanged_words import (
    VERDICTS,
    WORDS,
    Exchange,
    attachment,
    exchanges,
    verdicts,
)
from annotated_transformer.lab.baselines.cky import CKY
from annotated_transformer.lab.corpora.english_trees import english_grammar, english_trees
from annotated_transformer.lab.corpora.grammar import Grammar
from annotated_transformer.lab.corpora.treebank import parse_trees, prepared

BY_VERB, BY_NOUN, ELSEWHERE, NO_PHRASE = parse_trees("""
(S (NP (PRP he)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN lens)))))
(S (NP (PRP he)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN cap))))))
(S (NP (PRP he)) (VP (VBD saw) (NP (DT the) (NN man))) (PP (IN with) (NP (DT the) (NN lens))))
(S (NP (PRP he)) (VP (VBD saw) (NP (DT the) (NN man) (IN with)) (NP (DT the) (NN lens))))
""")
PAIR = Exchange((BY_VERB, BY_NOUN), phrase=4, word=6)


@pytest.fixture(scope="module")
def true():
    return CKY(english_grammar())


@pytest.fixture(scope="module")
def pairs(true):
    return [*islice(exchanges(english_trees("valid"), true), 12)]


def test_the_phrase_belongs_to_what_is_above_it():
    assert attachment(BY_VERB, 4) == "PP to a verb"
    assert attachment(BY_NOUN, 4) == "PP to a noun"
    assert [attachment(tree, 4) for tree in (ELSEWHERE, NO_PHRASE, None)] == [None] * 3
    assert attachment(BY_VERB, 3) is None


def test_the_scarf_takes_the_place_of_the_telescope(true):
    tree = prepared(true.parse(["he", "saw", "the", "man", "with", "the", "telescope", "."]))
    for seed in range(5):
        (pair,) = exchanges([tree], true, seed=seed)
        assert pair.trees[0] == tree
        assert (pair.phrase, pair.word) == (4, 6)
        assert attachment(pair.trees[1], 4) == "PP to a noun"
    words = {next(exchanges([tree], true, seed=seed)).trees[1].words[6] for seed in range(9)}
    assert len(words) > 1


def test_a_pair_differs_in_one_noun_and_in_what_the_phrase_belongs_to(true, pairs):
    assert len(pairs) == 12
    for pair in pairs:
        one, other = pair.trees
        differ = [n for n, (a, b) in enumerate(zip(one.words, other.words, strict=True)) if a != b]
        assert differ == [pair.word]
        assert [leaf.label for leaf in one.leaves] == [leaf.label for leaf in other.leaves]
        assert other == prepared(true.parse(other.words))
        kinds = {attachment(tree, pair.phrase) for tree in pair.trees}
        assert kinds == {"PP to a verb", "PP to a noun"}
        for tree in pair.trees:
            assert open_choices(tree) == [(attachment(tree, pair.phrase), pair.phrase)]


def test_a_grammar_of_labels_stays_and_the_true_one_follows(true, pairs):
    labels = CKY(Grammar.from_trees(english_trees("valid")))
    for parser, name in ((labels, "stays"), (true, "follows")):
        found = [tuple(prepared(parser.parse(t.words)) for t in pair.trees) for pair in pairs]
        assert verdicts(pairs, found) == {name: len(pairs)}


@pytest.mark.parametrize("word", WORDS)
def test_it_is_the_word_that_was_asked_for(true, word):
    def place(tags, phrase):
        if word == "preposition":
            return phrase
        before, after = [*enumerate(tags)][:phrase], [*enumerate(tags)][phrase:]
        if word == "verb":
            return [n for n, tag in before if tag == "VBD"][-1]
        return next(n for n, tag in after if tag in ("NN", "NNS", "NNP"))

    for pair in islice(exchanges(english_trees("valid"), true, word=word), 3):
        one, other = pair.trees
        tags = [leaf.label for leaf in one.leaves]
        assert pair.word == place(tags, pair.phrase)
        differ = [n for n, (a, b) in enumerate(zip(one.words, other.words, strict=True)) if a != b]
        assert differ == [pair.word]
        assert tags == [leaf.label for leaf in other.leaves]
        assert attachment(one, pair.phrase) != attachment(other, pair.phrase)


def test_another_word_is_refused(true):
    with pytest.raises(ValueError, match="word is 'adverb'; expected one of preposition, verb"):
        next(exchanges([], true, word="adverb"))


def test_what_is_known_does_not_come_out(true, pairs):
    trees = [pair.trees[0] for pair in pairs[:2]]
    assert len([*exchanges(trees, true, known={trees[0].words})]) == 1
    other = next(exchanges(trees, true)).trees[1].words
    again = [pair.trees[1].words for pair in exchanges(trees, true, known={other})]
    assert len(again) == 1
    assert other not in again


def test_sentences_without_one_choice_give_no_pair(true):
    none, two = (
        next(tree for tree in english_trees("test") if len(open_choices(tree)) == n) for n in (0, 2)
    )
    assert [*exchanges([none, two], true)] == []


def test_verdicts():
    found = {
        "follows": (BY_VERB, BY_NOUN),
        "contrary": (BY_NOUN, BY_VERB),
        "stays": (BY_VERB, BY_VERB),
        "neither": (BY_VERB, None),
    }
    assert tuple(sorted(found)) == tuple(sorted(VERDICTS))
    for name, trees in found.items():
        assert verdicts([PAIR], [trees]) == {name: 1}
    for trees in ((BY_NOUN, BY_NOUN), (ELSEWHERE, BY_NOUN), (NO_PHRASE, BY_NOUN)):
        expected = "stays" if trees[0] is BY_NOUN else "neither"
        assert verdicts([PAIR], [trees]) == Counter({expected: 1})
