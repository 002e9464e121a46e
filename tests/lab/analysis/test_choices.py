"""What a parser has to choose: cases by hand."""

import pytest

from annotated_transformer.lab.analysis.choices import above, choices_right, open_choices
from annotated_transformer.lab.corpora.treebank import parse_trees


def tree(text):
    return next(parse_trees(text))


VERB = tree(
    "(S (NP (PRP he)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (NN glue)))) (. .))"
)
NOUN = tree(
    "(S (NP (PRP he)) (VP (VBD saw)"
    " (NP (NP (DT the) (NN man)) (PP (IN with) (NP (NN glue))))) (. .))"
)
BOTH = tree("(S (NP (NP (NN a) (CC and) (NN b)) (PP (IN of) (NP (NN c)))) (VP (VBD fell)))")
LAST = tree("(S (NP (NN a) (CC and) (NP (NN b) (PP (IN of) (NP (NN c))))) (VP (VBD fell)))")


def test_the_phrase_above_is_that_of_the_tree():
    words, pps = above(VERB)
    assert words == {
        0: ("NP", 0, 1),
        1: ("VP", 1, 6),
        2: ("NP", 2, 4),
        3: ("NP", 2, 4),
        4: ("PP", 4, 6),
        5: ("NP", 5, 6),
        6: ("S", 0, 7),
    }
    assert pps == {4: ("VP", 1, 6)}
    assert above(NOUN)[1] == {4: ("NP", 2, 6)}
    assert above(tree("(NN a)")) == ({}, {})
    assert above(tree("(PP (IN of) (NN a))"))[1] == {}


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        (VERB, [("PP to a verb", 4)]),
        (NOUN, [("PP to a noun", 4)]),
        (BOTH, [("conjunction", 1)]),  # before the verb no verb can have the phrase
        (tree("(S (NP (PRP he)) (VP (VBD went) (PP (IN to) (NP (NN a)))))"), []),
        (tree("(S (PP (IN in) (NP (NN a))) (NP (PRP he)) (VP (VBD fell)))"), []),
    ],
)
def test_a_choice_is_where_two_phrases_might_have_it(gold, expected):
    assert open_choices(gold) == expected


def test_what_is_right_is_counted_and_no_tree_is_left_out():
    gold = [VERB, NOUN, NOUN, BOTH, BOTH, VERB]
    predicted = [VERB, NOUN, VERB, BOTH, LAST, None]
    assert choices_right(gold, predicted) == {
        "PP to a noun": (1, 2),
        "PP to a verb": (1, 1),
        "conjunction": (1, 2),
    }


def test_another_label_or_another_beginning_is_wrong_and_another_end_is_not():
    sbar = tree(str(VERB).replace("(VP", "(SBAR"))
    late = tree(
        "(S (NP (PRP he)) (VBD saw)"
        " (VP (NP (DT the) (NN man)) (PP (IN with) (NP (NN glue)))) (. .))"
    )
    longer = tree(
        "(S (NP (PRP he)) (VP (VBD saw)"
        " (NP (DT the) (NN man)) (PP (IN with) (NP (NN glue))) (. .)))"
    )
    found = [choices_right([VERB], [other])["PP to a verb"] for other in (sbar, late, longer)]
    assert found == [(0, 1), (0, 1), (1, 1)]
