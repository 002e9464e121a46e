"""Labelled brackets: cases counted by hand, the sample that EVALB brings, and a slow definition."""

import math
from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import NAMES, TREES

from annotated_transformer.lab.analysis.bracket_score import (
    BracketScore,
    bracket_score,
    brackets,
    compare_trees,
)
from annotated_transformer.lab.corpora.treebank import Tree, delinearised, linearised, parse_trees

SAW = "(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NN glue)))) (. .))"
NOUN = (
    "(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NN glue))))) (. .))"
)


def tree(text):
    return next(parse_trees(text))


def counts(gold, predicted):
    return astuple(compare_trees(tree(gold), tree(predicted)))[:3]


# The sample that comes with EVALB (sample.gld, sample.tst), its gold sentence and its predictions,
# with what its result sample.rsl says: matched, gold and predicted brackets.
THIS = "(S (A (P this)) (B (Q is) (A (R a) (T test))))"
LONG = f"(S {' '.join(['(A (P this)) (B (Q is) (A (R a) (T test)))'] * 11)})"
EVALB = [
    (THIS, THIS, (4, 4, 4)),
    (THIS, "(S (A (P this)) (B (Q is) (C (R a) (T test))))", (3, 4, 4)),
    (THIS, "(S (A (P this)) (B (Q is) (A (R a) (U test))))", (4, 4, 4)),
    (THIS, "(S (C (P this)) (B (Q is) (A (R a) (U test))))", (3, 4, 4)),
    (THIS, "(S (A (P this)) (B (Q is) (R a) (A (T test))))", (3, 4, 4)),
    (THIS, "(S (A (P this) (Q is)) (A (R a) (T test)))", (2, 4, 3)),
    (THIS, "(S (P this) (Q is) (R a) (T test))", (1, 4, 1)),
    # Four trees of one word: without a bracket around them, as EVALB reads the line.
    (THIS, "(TOP (P this) (Q is) (R a) (T test))", (0, 4, 0)),
    (THIS, "(S (A (P this)) (B (Q is) (A (A (R a) (T test)))))", (4, 4, 5)),
    (THIS, "(S (A (P this)) (B (Q is) (A (A (A (A (A (R a) (T test))))))))", (4, 4, 8)),
    (THIS, "(TOP (S (A (P this)) (B (Q is) (A (R a) (T test)))))", (4, 4, 4)),
    (THIS, "(S (A (P this)) (B (Q is) (A (R a) (TT test))))", (4, 4, 4)),
    (THIS, THIS, (4, 4, 4)),  # with a capital letter, which the sample's parameters overlook
    ("(S (A-SBJ-1 (P this)) (B-WHATEVER (Q is) (A (R a) (T test))))", THIS, (4, 4, 4)),
    (LONG, LONG, (34, 34, 34)),
    *((f"{THIS[:-1]} ({tag} *))",) * 2 + ((4, 4, 4),) for tag in ("-NONE-", ":")),
]


@pytest.mark.parametrize(("gold", "predicted", "expected"), EVALB)
def test_each_sentence_of_evalb_s_sample_has_its_counts(gold, predicted, expected):
    assert counts(gold, predicted) == expected


def test_evalb_s_sample_has_its_totals():
    gold, predicted = ([tree(case[side]) for case in EVALB] for side in (0, 1))
    found = bracket_score(gold, predicted)
    assert (found.matched, found.gold, found.predicted, found.sentences) == (86, 98, 95, 17)
    assert (round(found.recall, 2), round(found.precision, 2)) == (87.76, 90.53)
    assert round(found.exact_match, 2) == 52.94


@pytest.mark.parametrize(
    "words",  # was for is, one more, a trace under another tag, nothing right
    [
        "(S (A (P this)) (B (Q was) (A (A (R a) (T test)))))",
        "(S (A (P this)) (B (Q is) (U not) (A (A (R a) (T test)))))",
        "(S (A (P this)) (NONE *) (B (Q is) (A (R a) (T test))))",
        "(S (A (P That)) (B (Q is) (A (R a) (T test))))",
    ],
)
def test_what_evalb_calls_an_error_is_refused(words):
    with pytest.raises(ValueError, match="compare trees of one sentence"):
        compare_trees(tree(THIS), tree(words))


def test_an_attachment_by_hand():
    # With the verb: S 0-6, NP 0-1, VP 1-6, NP 2-4, PP 4-6, NP 5-6. With the noun: NP 2-6 besides.
    assert brackets(tree(SAW)) == {
        ("S", 0, 6): 1,
        ("NP", 0, 1): 1,
        ("VP", 1, 6): 1,
        ("NP", 2, 4): 1,
        ("PP", 4, 6): 1,
        ("NP", 5, 6): 1,
    }
    found = compare_trees(tree(SAW), tree(NOUN))
    assert astuple(found) == (6, 6, 7, 1, 0, 0)
    assert (found.recall, round(found.precision, 2), round(found.f1, 2)) == (100, 85.71, 92.31)
    assert compare_trees(tree(NOUN), tree(NOUN)).exact == 1


def test_particles_are_adverbs_and_punctuation_is_air():
    particle = "(S (VP (VB look) (PRT (RP up))) (. .))"
    adverb = "(TOP (S (VP-TPC (VB look) (ADVP-LOC=1 (RB up)) (: --)) (. !)))"
    assert counts(particle, adverb) == (3, 3, 3)
    assert counts("(S (X (. .)) (NN a))", "(S (NN a) (Y (Z (. .))))") == (1, 1, 1)


def test_the_gold_tree_says_what_is_punctuation():
    gold = "(S (NP (NN a) (, ,)) (NN b) (. .))"
    assert counts(gold, gold.replace("(NN b)", "(. b)").replace("(, ,)", "(CC ,)")) == (2, 2, 2)
    assert counts(gold, "(S (NP (. a)) (. ,) (NN b) (NN .))") == (2, 2, 2)


def test_a_bracket_that_is_there_twice_counts_twice():
    once, twice = "(S (NN a) (NN b))", "(S (S (NN a) (NN b)))"
    assert counts(twice, twice) == (2, 2, 2)
    assert counts(once, twice) == (1, 1, 2)
    assert counts(twice, once) == (1, 2, 1)


def test_no_tree_finds_nothing_and_stays_in_the_count():
    found = bracket_score([tree(SAW), tree(SAW)], [None, tree(SAW)])
    assert astuple(found) == (6, 12, 6, 2, 1, 1)
    assert (found.precision, found.recall, found.exact_match) == (100, 50, 50)


def spans(node, start=0):
    """End, and all brackets with repetition, straight from the definition."""
    if node.word is not None:
        return start + (node.label not in {"-NONE-", ",", ":", "``", "''", "."}), []
    end, found = start, []
    for child in node.children:
        end, inner = spans(child, end)
        found += inner
    label = node.label if node.label[0] in "-=" else node.label.replace("=", "-").split("-")[0]
    label = "ADVP" if label == "PRT" else label
    return end, found + ([(label, start, end)] if label != "TOP" and end > start else [])


@given(TREES, st.lists(NAMES, min_size=1))
def test_counts_are_those_of_the_definition(gold, labels):
    """The prediction has the same words, other labels, and all under one more bracket."""
    symbols = linearised(gold).split()
    swapped = {symbol[1:]: labels[i % len(labels)] for i, symbol in enumerate(symbols)}
    line = " ".join(s[0] + swapped[s[1:]] if s[0] in "()" else s for s in symbols)
    predicted = Tree("NP", (delinearised(line, gold.words),))
    (_, wanted), (_, found) = spans(gold), spans(predicted)
    rest = list(wanted)
    matched = [rest.remove(each) for each in found if each in rest]
    score = compare_trees(gold, predicted)
    assert astuple(score)[:3] == (len(matched), len(wanted), len(found))
    assert score.exact == (sorted(wanted) == sorted(found))
    if score.matched:
        assert math.isclose(score.f1, 2 / (1 / score.precision + 1 / score.recall))


def test_a_score_of_nothing_is_nothing_and_is_refused():
    assert (BracketScore().f1, BracketScore().precision, BracketScore().recall) == (0, 0, 0)
    for gold, predicted in (([], []), ([tree(SAW)], [])):
        with pytest.raises(ValueError, match=f"0 predictions for {len(gold)} gold trees"):
            bracket_score(gold, predicted)
