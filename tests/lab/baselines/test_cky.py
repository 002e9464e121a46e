"""CKY against all trees of a sentence, written down one by one."""

import math
from functools import cache
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.lab.baselines.cky import CKY, split_rules
from annotated_transformer.lab.corpora.english_trees import english_grammar, english_trees
from annotated_transformer.lab.corpora.grammar import Grammar, visible
from annotated_transformer.lab.corpora.treebank import Tree

WORDS = {"N": {"a": 1, "b": 2}, "V": {"a": 3, "c": 1}}
SYMBOLS = ("S", "A", "B", "N", "V")


def all_trees(grammar, words):
    """Every tree of the grammar for the words, by its definition: all rules, all cuts."""

    @cache
    def of(symbol, i, j):
        if symbol in grammar.words:
            fits = j == i + 1 and words[i] in grammar.words[symbol]
            return [Tree(symbol, word=words[i])] if fits else []
        return [
            Tree(symbol, parts)
            for right in grammar.rules[symbol]
            for cuts in combinations(range(i + 1, j), len(right) - 1)
            for parts in product(
                *(
                    of(part, begin, end)
                    for part, (begin, end) in zip(right, pairwise((i, *cuts, j)), strict=True)
                )
            )
        ]

    return of(grammar.start, 0, len(words))


@st.composite
def grammars(draw):
    """S, A and B with rules of one to four symbols; a symbol alone comes later in `SYMBOLS`."""
    rules = {}
    for left in ("S", "A", "B"):
        alone = st.tuples(st.sampled_from(SYMBOLS[SYMBOLS.index(left) + 1 :]))
        several = st.lists(st.sampled_from(SYMBOLS), min_size=2, max_size=4).map(tuple)
        right = st.one_of(alone, several)
        weights = st.floats(0.1, 1)
        rules[left] = draw(st.dictionaries(right, weights, min_size=1, max_size=3))
    return Grammar(rules, WORDS, start="S")


def check(parser, words):
    """Both answers of the parser, against all trees."""
    trees = all_trees(parser.grammar, words)
    if not trees:
        with pytest.raises(ValueError, match="the grammar has no tree for"):
            parser.derivation(words)
        return
    chances = [math.exp(parser.grammar.log_probability(tree)) for tree in trees]
    best = parser.derivation(words)
    assert best in trees
    own = math.exp(parser.grammar.log_probability(best))
    assert math.isclose(own, max(chances), rel_tol=1e-9)
    assert math.isclose(parser.log_probability(words), math.log(math.fsum(chances)), abs_tol=1e-9)
    assert parser.parse(words) == visible(best)


@given(grammars(), st.lists(st.sampled_from("abc"), min_size=1, max_size=4))
def test_the_best_tree_and_the_sum_of_all_are_those_of_the_list(grammar, words):
    check(CKY(grammar), tuple(words))


@pytest.mark.parametrize(
    "sentence",
    [
        "he saw her .",
        "they gave her books .",
        "he saw the man with the telescope .",
        "he liked the dog with the hat and the cat .",
        "she said he slept in the park today .",
    ],
)
def test_english_sentences_have_the_trees_of_the_list(sentence):
    words = tuple(sentence.split())
    if len(words) > 5:
        assert len(all_trees(english_grammar(), words)) > 1
    check(CKY(english_grammar()), words)


def test_the_most_probable_tree_is_at_least_as_probable_as_the_gold_one():
    grammar = english_grammar()
    parser = CKY(grammar)
    for tree in english_trees("test")[:20]:
        best = parser.derivation(tree.words)
        assert best.words == tree.words
        total = parser.log_probability(tree.words)
        assert grammar.log_probability(best) <= total + 1e-9
        if visible(best) == tree:
            continue
        (gold,) = derivations(tree, grammar)
        assert grammar.log_probability(gold) <= grammar.log_probability(best) + 1e-9


def derivations(tree, grammar):
    """The trees of the grammar's symbols that look like this one, for the whole sentence."""

    def of(node):
        fits = [s for s in (*grammar.rules, *grammar.words) if s.partition("^")[0] == node.label]
        if node.word is not None:
            words = grammar.words
            return [Tree(s, word=node.word) for s in fits if node.word in words.get(s, {})]
        return [
            Tree(symbol, parts)
            for parts in product(*map(of, node.children))
            for symbol in fits
            if tuple(part.label for part in parts) in grammar.rules.get(symbol, {})
        ]

    return [found for found in of(tree) if found.label == grammar.start]


def test_long_rules_are_split_and_keep_their_probability():
    grammar = Grammar({"S": {("N", "V", "N", "V"): 1, ("N", "V"): 3}}, WORDS, start="S")
    assert split_rules(grammar) == {
        ("S", ("N", "V")): 0.75,
        ("S", ("N", "V N V")): 0.25,
        ("V N V", ("V", "N V")): 1,
        ("N V", ("N", "V")): 1,
    }


def test_a_sentence_without_a_tree_is_named():
    parser = CKY(english_grammar())
    for words, why in (
        ("he saw the unicorn .", "does not know the word 'unicorn' of 'he saw the unicorn .'"),
        ("saw he .", "has no tree for 'saw he .'"),
        ("", "has no tree for ''"),
    ):
        with pytest.raises(ValueError, match=f"the grammar {why}"):
            parser.parse(words.split())
        with pytest.raises(ValueError, match=f"the grammar {why}"):
            parser.log_probability(words.split())


def test_a_circle_of_rules_is_refused():
    rules = {"S": {("A",): 1, ("N", "V"): 1}, "A": {("B",): 1}, "B": {("S",): 1, ("N",): 1}}
    with pytest.raises(ValueError, match=r"go round in a circle: .*(S -> A -> B|B -> S -> A)"):
        CKY(Grammar(rules, WORDS, start="S"))


def test_a_grammar_of_one_word_sentences_parses_them():
    parser = CKY(Grammar({"S": {("N",): 1}}, WORDS, start="S"))
    assert str(parser.parse(["b"])) == "(S (N b))"
    assert math.isclose(parser.log_probability(["b"]), math.log(2 / 3))
    with pytest.raises(ValueError, match="has no tree for 'a b'"):
        parser.parse(["a", "b"])
