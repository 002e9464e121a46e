"""Exact chances against all sentences of small grammars, written down one by one."""

import math
from collections import Counter
from functools import cache
from itertools import product

import numpy as np
import pytest

from annotated_transformer.lab.baselines.cky import CKY
from annotated_transformer.lab.baselines.inside_outside import Source
from annotated_transformer.lab.corpora.english_trees import LONGEST, english_grammar, english_trees
from annotated_transformer.lab.corpora.grammar import Grammar

TAGS = {"N": {"a": 1, "b": 2}, "V": {"a": 3, "c": 1}}
GRAMMARS = {
    "plain": Grammar({"S": {("N", "V"): 1, ("N", "V", "N"): 2}}, TAGS, start="S"),
    # S leads back to itself on the left and on the right; A is a chain to B and to a tag.
    "round": Grammar(
        {
            "S": {("S", "A"): 1, ("N", "S"): 2, ("A",): 3, ("N", "V", "N", "A"): 1},
            "A": {("B",): 1, ("V",): 1, ("B", "B"): 1},
            "B": {("N",): 3, ("A", "V"): 1},
        },
        TAGS,
        start="S",
    ),
    "a word or more": Grammar({"S": {("N",): 1, ("S", "S"): 0.7}}, TAGS, start="S"),
    "a word alone": Grammar({"S": {("N",): 1, ("V",): 2}}, TAGS, start="S"),
}
LONG = 4


def all_trees(grammar, longest):
    """Every tree up to this length: its words and its probability, by the definition alone."""

    @cache
    def of(symbol, n):
        if symbol in grammar.words:
            return [((w,), p) for w, p in grammar.words[symbol].items()] if n == 1 else []
        return [
            (sum((words for words, _ in parts), ()), p * math.prod(q for _, q in parts))
            for right, p in grammar.rules[symbol].items()
            for lengths in product(range(1, n + 1), repeat=len(right))
            if sum(lengths) == n
            for parts in product(*map(of, right, lengths))
        ]

    found = [tree for n in range(1, longest + 1) for tree in of(grammar.start, n)]
    total = math.fsum(p for _, p in found)
    return [(words, p / total) for words, p in found]


def all_sentences(grammar, longest):
    """The probability of every sentence, the sum over its trees."""
    found = Counter()
    for words, p in all_trees(grammar, longest):
        found[words] += p
    return found


@pytest.fixture(params=GRAMMARS, scope="module")
def known(request):
    """A source, and all of its sentences."""
    grammar = GRAMMARS[request.param]
    return Source(grammar, LONG), all_sentences(grammar, LONG), grammar


def test_sentences_have_the_chances_of_the_list(known):
    source, sentences, _ = known
    for words, p in sentences.items():
        assert math.isclose(math.exp(source.log_probability(words)), p, rel_tol=1e-9)
    by_length = [
        math.fsum(p for words, p in sentences.items() if len(words) == n)
        for n in range(1, LONG + 1)
    ]
    np.testing.assert_allclose(source.lengths, by_length, atol=1e-12)
    mean = math.fsum(p * len(words) for words, p in sentences.items())
    assert math.isclose(source.mean_length, mean)


def test_the_next_word_has_the_chances_of_the_list(known):
    """Each prefix that a sentence has; the last column is the chance that the prefix is all."""
    source, sentences, _ = known
    prefixes = {words[:k] for words in sentences for k in range(len(words) + 1)}
    assert len(prefixes) > 3
    for prefix in prefixes:
        k = len(prefix)
        wanted = np.zeros(len(source.words) + 1)
        for words, p in sentences.items():
            if words[:k] == prefix:
                last = len(words) == k
                wanted[-1 if last else source.words.index(words[k])] += p
        np.testing.assert_allclose(source.next_word(prefix), wanted / wanted.sum(), atol=1e-12)


def test_a_gap_has_the_chances_of_the_list(known):
    """One gap or several: the joint, renormalised over what the other places allow."""
    source, sentences, _ = known
    for words in list(sentences)[::7]:
        for hidden in range(2 ** len(words)):
            text = [None if hidden >> i & 1 else word for i, word in enumerate(words)]
            found = source.gaps(text)
            for i in range(len(words)):
                wanted = np.zeros(len(source.words))
                for other, p in sentences.items():
                    if len(other) == len(text) and all(
                        known in (None, word) or j == i
                        for j, (known, word) in enumerate(zip(text, other, strict=True))
                    ):
                        wanted[source.words.index(other[i])] += p
                np.testing.assert_allclose(found[i], wanted / wanted.sum(), atol=1e-12)


def test_the_entropy_of_trees_is_that_of_the_list(known):
    source, _, grammar = known
    wanted = -math.fsum(p * math.log(p) for _, p in all_trees(grammar, LONG))
    assert math.isclose(source.tree_entropy(), wanted, rel_tol=1e-9)


def test_a_circle_of_single_rules_is_summed():
    """S becomes itself with 1/4: the chains 1 + 1/4 + 1/16 ... give a word 3/4 of all trees' 1."""
    source = Source(Grammar({"S": {("S",): 1, ("N",): 3}}, TAGS, start="S"), 2)
    assert math.isclose(source.share, 1)
    np.testing.assert_allclose(source.next_word([])[:2], [1 / 3, 2 / 3])
    with pytest.raises(ValueError, match="rules of one symbol go round in a circle"):
        Source(Grammar({"S": {("T",): 1}, "T": {("S",): 1}}, TAGS, start="S"), 2)


@pytest.fixture(scope="module")
def english():
    """The source of the English trees."""
    return Source(english_grammar(), LONGEST)


def test_english_sentences_have_the_chances_that_cky_gives(english):
    cky = CKY(english_grammar())
    for tree in english_trees("test")[:5]:
        p = cky.log_probability(tree.words) - math.log(english.share)
        assert math.isclose(english.log_probability(tree.words), p, rel_tol=1e-12)


def test_the_next_words_multiply_to_the_sentence(english):
    words = ("she", "told", "the", "boy", "who", "slept", "about", "Anna", ".")
    total = 0.0
    for k in range(len(words) + 1):
        chances = english.next_word(words[:k])
        assert math.isclose(chances.sum(), 1)
        ends = k == len(words)
        assert (chances[-1] == 0) is not ends
        total += math.log(chances[-1 if ends else english.words.index(words[k])])
    assert math.isclose(total, english.log_probability(words), rel_tol=1e-9)


def test_the_gap_in_english_looks_at_both_sides(english):
    """The class of the verb far to the left decides what stands after "with the"."""
    for verb, likely in (("saw", "telescope"), ("cut", "knife")):
        text = ["he", verb, "the", "box", "with", "the", None, "."]
        chances = english.gaps(text)[6]
        assert math.isclose(chances.sum(), 1)
        best = english.words[chances.argmax()]
        kinds = english_grammar().words
        (tag,) = [tag for tag, known in kinds.items() if likely in known]
        assert best in kinds[tag]


def test_what_is_no_sentence_is_named(english):
    cases = [
        (english.log_probability, ["saw", "he", "."], "has no tree for 'saw he .'"),
        (english.log_probability, [], "has no tree for ''"),
        (english.next_word, [".", "he"], "no sentence begins with '. he'"),
        (english.next_word, ["unicorn"], "does not know the word 'unicorn' of 'unicorn'"),
        (english.gaps, [None, "he", "."], "no sentence is '... he .'"),
        (english.gaps, [], "no sentence is ''"),
        (english.next_word, ["the"] * 17, "has 17 words; the source has sentences of at most 16"),
    ]
    for answer, words, why in cases:
        with pytest.raises(ValueError, match=why):
            answer(words)


def test_a_grammar_that_is_no_source_is_refused():
    with pytest.raises(ValueError, match="no sentence of at most 1 words"):
        Source(Grammar({"S": {("N", "V"): 1}}, TAGS, start="S"), 1)
    with pytest.raises(ValueError, match="S -> nothing"):
        Source(Grammar({"S": {(): 1, ("N",): 1}}, TAGS, start="S"), 3)
    with pytest.raises(ValueError, match="longest=0"):
        Source(GRAMMARS["plain"], 0)
