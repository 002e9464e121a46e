"""Grammars: trees are drawn with the probability that the rules give, and counted back."""

import math
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import TREES

from annotated_transformer.lab.corpora.grammar import Grammar, visible
from annotated_transformer.lab.corpora.treebank import Tree, parse_trees

RULES = {"S": {("N^a", "V"): 3, ("S", "C", "S"): 1}, "V": {("W",): 1}}
WORDS = {"N^a": {"dogs": 2, "cats": 1, "they": 1}, "W": {"sleep": 1}, "C": {"and": 1}}


def tree(text):
    return next(parse_trees(text))


def test_the_probability_of_a_tree_is_the_product_of_its_rules():
    grammar = Grammar(RULES, WORDS, start="S")
    one = "(S (N^a dogs) (V (W sleep)))"
    assert math.isclose(grammar.log_probability(tree(one)), math.log(3 / 4 * 2 / 4))
    two = tree(f"(S {one} (C and) (S (N^a they) (V (W sleep))))")
    expected = 1 / 4 * (3 / 4) ** 2 * (2 / 4) * (1 / 4)
    assert math.isclose(grammar.log_probability(two), math.log(expected))
    wrong = ["(V (W sleep))", "(S (N^a dogs) (W sleep))", "(S (N^a dogs) (V (W sleeps)))"]
    assert [grammar.log_probability(tree(text)) for text in wrong] == [-math.inf] * 3


def test_trees_are_drawn_with_their_probabilities():
    grammar, random = Grammar(RULES, WORDS, start="S"), Random(0)
    drawn = Counter(grammar.draw(random) for _ in range(20_000))
    common = [found for found, n in drawn.items() if n > 200]
    assert len(common) >= 6
    for found in common:
        p = math.exp(grammar.log_probability(found))
        assert abs(drawn[found] / 20_000 - p) < 4.5 * math.sqrt(p * (1 - p) / 20_000)


def test_a_seed_is_a_tree():
    grammar = Grammar(RULES, WORDS, start="S")
    first, again = ([grammar.draw(random) for _ in range(20)] for random in (Random(3), Random(3)))
    assert first == again


def test_a_tree_is_shown_without_what_only_the_grammar_says():
    assert visible(tree("(S^whole (N^a dogs) (V (W^x^y sleep)))")) == (
        tree("(S (N dogs) (V (W sleep)))")
    )


@given(st.lists(TREES, min_size=1, max_size=5))
def test_a_treebank_grammar_has_the_shares_of_the_rules(trees):
    """Counted here on the written trees, one rule after another."""
    uses = Counter()

    def count(node):
        right = tuple(child.label for child in node.children) or node.word
        uses[node.label, right] += 1
        for child in node.children:
            count(child)

    for each in trees:
        count(each)
    tags = {left for left, right in uses if isinstance(right, str)}
    if both := tags & {left for left, right in uses if not isinstance(right, str)}:
        with pytest.raises(ValueError, match="has both words and rules"):
            Grammar.from_trees(trees)
        assert both
        return
    grammar = Grammar.from_trees(trees)
    for (left, right), n in uses.items():
        total = sum(m for (other, _), m in uses.items() if other == left)
        found = grammar.words[left] if isinstance(right, str) else grammar.rules[left]
        assert math.isclose(found[right], n / total)
    roots = Counter(each.label for each in trees)
    assert grammar.rules["TOP"] == {(label,): n / len(trees) for label, n in roots.items()}
    assert grammar.log_probability(Tree("TOP", (trees[0],))) > -math.inf


@pytest.mark.parametrize(
    ("rules", "words", "why"),
    [
        ({"S": {("N",): 1}}, {}, "N has neither words nor rules"),
        ({"S": {}}, {}, "S becomes nothing"),
        ({"S": {("N", "V"): 0}}, WORDS, "S -> N V has the weight 0; expected a positive number"),
        ({"S": {("W",): 1}}, {"W": {"a": math.nan}}, "W -> a has the weight nan"),
        ({"S": {("W",): 1}}, {"W": {"a": 1}, "S": {"b": 1}}, "S has both words and rules"),
        ({"T": {("W",): 1}}, {"W": {"a": 1}}, "S has neither words nor rules"),
    ],
)
def test_what_is_no_grammar_is_refused(rules, words, why):
    with pytest.raises(ValueError, match=why):
        Grammar(rules, words, start="S")


def test_no_trees_are_no_grammar():
    with pytest.raises(ValueError, match="no tree to read a grammar from"):
        Grammar.from_trees([])
