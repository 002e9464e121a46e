"""Right-branching trees: the shape, and the mark at the end."""

import pytest

from annotated_transformer.lab.baselines.right_branching import right_branching
from annotated_transformer.lab.corpora.treebank import Tree, parse_trees


def words(text):
    return [Tree("." if word == "." else "X", word=word) for word in text.split()]


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a b c d .", "(S (X a) (NP (X b) (NP (X c) (X d))) (. .))"),
        ("a b c", "(S (X a) (NP (X b) (X c)))"),
        ("a b .", "(S (X a) (X b) (. .))"),
        ("a .", "(S (X a) (. .))"),
        ("a", "(S (X a))"),
        (".", "(S (. .))"),
    ],
)
def test_each_phrase_is_a_word_and_all_that_follows(text, tree):
    assert right_branching(words(text), label="NP") == next(parse_trees(tree))


def test_no_words_are_refused():
    with pytest.raises(ValueError, match="an empty sentence has no tree"):
        right_branching([])
