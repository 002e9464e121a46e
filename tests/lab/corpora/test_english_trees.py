"""The English trees: splits share no sentence, a tree has one derivation, words decide."""

import hashlib
import math
from collections import Counter

import pytest

from annotated_transformer.lab.analysis.bracket_score import bracket_score
from annotated_transformer.lab.baselines.cky import CKY
from annotated_transformer.lab.corpora.english_trees import (
    LONGEST,
    SPLITS,
    english_grammar,
    english_trees,
)
from annotated_transformer.lab.corpora.grammar import Grammar
from annotated_transformer.lab.corpora.treebank import walk


@pytest.fixture(scope="module")
def splits():
    return {name: english_trees(name) for name in SPLITS}


@pytest.fixture(scope="module")
def parser():
    return CKY(english_grammar())


def symbols_for(tree, grammar):
    """For each symbol, in how many ways it derives the visible tree: from the bottom up."""
    label = tree.label
    if tree.word is not None:
        return Counter(
            symbol
            for symbol, words in grammar.words.items()
            if symbol.partition("^")[0] == label and tree.word in words
        )
    below = [symbols_for(child, grammar) for child in tree.children]
    return Counter(
        {
            symbol: ways
            for symbol, made in grammar.rules.items()
            if symbol.partition("^")[0] == label
            and (ways := sum(_ways(right, below) for right in made))
        }
    )


def _ways(right, below):
    if len(right) != len(below):
        return 0
    return math.prod(found[symbol] for symbol, found in zip(right, below, strict=True))


def test_there_are_20000_trees_to_learn_from_and_no_sentence_is_there_twice(splits):
    assert {name: len(trees) for name, trees in splits.items()} == SPLITS
    assert SPLITS == {"train": 20_000, "valid": 1_000, "test": 1_000}
    sentences = [tree.words for trees in splits.values() for tree in trees]
    assert len(set(sentences)) == len(sentences) == 22_000
    assert max(map(len, sentences)) <= LONGEST


def test_words_of_the_tests_are_known_from_training(splits):
    known = {word for tree in splits["train"] for word in tree.words}
    assert {word for name in ("valid", "test") for tree in splits[name] for word in tree.words} <= (
        known
    )


def test_the_trees_stay_what_they_are(splits):
    """Records of runs rest on them: who changes the grammar makes those anew."""
    first = "in a winter , she copied the maps to me ."
    assert " ".join(splits["test"][0].words) == first
    text = "".join(f"{tree}\n" for trees in splits.values() for tree in trees)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "e17bfbf94f296518"


def test_each_tree_has_one_derivation(splits):
    for tree in splits["test"][:200]:
        assert symbols_for(tree, english_grammar())["S^whole"] == 1


def test_labels_are_those_of_the_penn_treebank(splits):
    labels = {node.label for tree in splits["valid"] for _, node in walk(tree)}
    phrases, tags = "S SBAR NP VP PP ADVP PRT WHNP", "NN NNS NNP PRP PRP$ DT JJ RB CC IN RP WP WDT"
    assert labels == {*phrases.split(), *tags.split(), "VBD", ",", "."}


@pytest.mark.parametrize(
    ("sentence", "phrase"),
    [
        ("he saw the man with the telescope .", "the man"),
        ("he saw the man with the scarf .", "the man with the scarf"),
        ("he cut the cake with the knife .", "the cake"),
        ("he ate the soup with the roll .", "the soup with the roll"),
        ("he liked the dog with the scarf and the cat .", "the dog with the scarf and the cat"),
        ("he liked the dog with the scarf and the hat .", "the scarf and the hat"),
        ("they bought her books .", "her books"),
        ("they gave her books .", "books"),
        ("they gave her books to me .", "her books"),
    ],
)
def test_the_words_decide_what_a_phrase_is(sentence, phrase, parser):
    tree = parser.parse(sentence.split())
    assert phrase in {" ".join(node.words) for _, node in walk(tree) if node.label == "NP"}


def test_up_is_a_particle_before_a_book_and_a_preposition_before_a_street(parser):
    book, street = (
        parser.parse(f"he looked up the {noun} .".split()) for noun in ("book", "street")
    )
    assert "(PRT (RP up)) (NP" in str(book)
    assert "(PP (IN up) (NP" in str(street)


def test_the_best_parser_is_not_always_right_and_a_plain_grammar_is_worse(splits, parser):
    """The ceiling is below 100, and a grammar without the classes does not reach it."""
    test = splits["test"][:150]
    plain = CKY(Grammar.from_trees(splits["train"][:2_000]))
    best, without = (
        bracket_score(test, [each.parse(tree.words) for tree in test]) for each in (parser, plain)
    )
    assert 96 < best.f1 < 99.5
    assert 88 < best.exact_match < 98
    assert without.f1 < best.f1 - 3
    assert without.exact_match < best.exact_match - 12


def test_there_is_no_other_split():
    with pytest.raises(ValueError, match="no split 'dev'; there are test, valid, train"):
        english_trees("dev")
