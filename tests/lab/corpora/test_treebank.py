"""Penn brackets and lines of symbols: what is written reads back, what is no tree is refused."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import NAMES, TREES

from annotated_transformer.lab.corpora.treebank import (
    Tree,
    delinearised,
    linearised,
    parse_trees,
    plain_label,
    prepared,
    read_trees,
    tree_pair,
    walk,
    write_trees,
)

# Made up, in the manner of the treebank: spread over lines, no label at the top, traces, functions.
PENN = """
( (S
    (NP-SBJ-1 (DT The) (NN clock) )
    (VP (VBD was)
      (VP (VBN wound)
        (NP (-NONE- *-1) )
        (PP (-NONE- *T*-2) (IN by)
          (NP-LGS (PRP$ its) (NN owner) ))))
    (. .) ))

( (NP=2 (CD 1,000) (NN %) ))
"""


def read(text):
    return list(parse_trees(text, origin="file.mrg"))


def depth_first(tree):
    """The walk of a tree by its definition."""
    if tree.word is not None:
        return [("word", tree)]
    inner = [step for child in tree.children for step in depth_first(child)]
    return [("open", tree), *inner, ("close", tree)]


def test_a_penn_file_is_read_as_it_stands():
    clock, share = read(PENN)
    assert clock.label == "TOP"
    assert clock.words == (
        "The",
        "clock",
        "was",
        "wound",
        "*-1",
        "*T*-2",
        "by",
        "its",
        "owner",
        ".",
    )
    assert [leaf.label for leaf in clock.leaves][:2] == ["DT", "NN"]
    assert str(share) == "(TOP (NP=2 (CD 1,000) (NN %)))"


def test_what_is_prepared_has_no_traces_functions_or_top():
    clock, share = map(prepared, read(PENN))
    assert str(clock) == (
        "(S (NP (DT The) (NN clock)) (VP (VBD was) (VP (VBN wound) "
        "(PP (IN by) (NP (PRP$ its) (NN owner))))) (. .))"
    )
    assert str(share) == "(NP (CD 1,000) (NN %))"


def test_a_top_of_two_trees_stays_and_a_bracket_as_a_word_keeps_its_tag():
    (tree,) = read("( (S (-LRB- -LRB-)) (S-1 (NN a)))")
    assert str(prepared(tree)) == "(TOP (S (-LRB- -LRB-)) (S (NN a)))"
    assert [plain_label(label) for label in ("NP-SBJ-1", "NP=2", "-LRB-", "PRP$")] == (
        ["NP", "NP", "-LRB-", "PRP$"]
    )


def test_a_sentence_of_nothing_but_traces_is_refused():
    (tree,) = read("( (S (NP (-NONE- *))))")
    with pytest.raises(ValueError, match=r"\(TOP \(S .* has no words besides traces"):
        prepared(tree)


@given(st.lists(TREES, min_size=1, max_size=4), st.data())
def test_trees_that_are_written_read_back_however_they_are_spread(trees, data):
    text = "\n".join(map(str, trees))
    space = st.sampled_from([" ", "\n", "  \n\t"])
    spread = re.sub("[ \n]", lambda _: data.draw(space), text).replace(")", " )")
    assert read(text) == read(spread) == trees


@given(TREES)
def test_a_walk_is_depth_first(tree):
    assert list(walk(tree)) == depth_first(tree)


@given(TREES)
def test_a_line_and_its_sentence_are_the_tree(tree):
    assert delinearised(linearised(tree), tree.words) == tree


@given(TREES)
def test_without_tags_they_are_the_tree_without_tags(tree):
    line = linearised(tree, tags=False)
    found = delinearised(line, tree.words)
    assert [leaf.label for leaf in found.leaves] == ["XX"] * len(tree.words)
    assert found.words == tree.words
    shape = lambda whole: [(event, node.children and node.label) for event, node in walk(whole)]  # noqa: E731
    assert shape(found) == shape(tree)
    assert len(line.split()) == len(linearised(tree).split())


@given(TREES, st.data())
def test_a_line_with_one_symbol_more_less_or_other_is_never_taken_for_the_tree(tree, data):
    symbols = linearised(tree).split()
    place = data.draw(st.integers(0, len(symbols) - 1))
    change = data.draw(st.sampled_from(["less", "twice", "other"]))
    new = {"less": [], "twice": [symbols[place]] * 2, "other": ["(" + data.draw(NAMES)]}[change]
    changed = symbols[:place] + new + symbols[place + 1 :]
    try:
        found = delinearised(" ".join(changed), tree.words)
    except ValueError:
        return
    assert changed == symbols
    assert found == tree


def test_the_line_of_a_tree_is_that_of_the_authors_program_or_of_vinyals():
    (tree,) = read("(S (NP (NNP John)) (VP (VBZ has) (NP (DT a) (NN dog))) (. .))")
    assert linearised(tree) == "(S (NP NNP )NP (VP VBZ (NP DT NN )NP )VP . )S"
    without = "(S (NP XX )NP (VP XX (NP XX XX )NP )VP XX )S"
    assert linearised(tree, tags=False) == without
    assert tree_pair(tree).source == "John has a dog ."
    assert tree_pair(tree).target == linearised(tree)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "2 of 2 words are left out"),
        ("(S XX )S", "1 of 2 words are left out"),
        ("(S XX XX XX )S", "more words than the 2"),
        ("(S XX XX", r"\(S is never closed"),
        ("(S (NP XX )S XX )NP", r"\)S closes \(NP"),
        ("(S XX XX )S )S", r"\)S closes \("),
        ("(S XX )S (S XX )S", "2 trees; expected one"),
        ("(S (NP )NP XX XX )S", r"\(NP\) needs either parts or one word"),
        ("( XX XX )", "'' is no label"),
        ("(S ( XX XX ) )S", "'' is no label"),
    ],
)
def test_a_line_that_is_no_tree_of_the_sentence_says_why(line, why):
    with pytest.raises(ValueError, match=why):
        delinearised(line, ["a", "dog"])


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("()", 1, "has neither: it is empty"),
        ("(S (NP) (NN a))", 1, r"\(NP\) needs either parts or one word"),
        ("(S\n(NN a)", 1, r"the bracket \(S is never closed"),
        ("(S (NN a))\n)", 2, "a closing bracket where no bracket is open"),
        ("(S (NN a)) dog", 1, "'dog' where no bracket is open"),
        ("(S\n(NP the dog))", 2, "the word 'dog' is not alone under its tag"),
        ("(S (NP the (NN dog)))", 1, "the word 'the' is not alone under its tag"),
        ("(S (NP (DT the) dog))", 1, "the word 'dog' is not alone under its tag"),
        ("(S ( (NN dog)))", 1, "a phrase has no label"),
    ],
)
def test_a_text_that_is_no_tree_is_refused_with_file_and_line(text, line, why):
    with pytest.raises(ValueError, match=f"^file.mrg, line {line}: .*{why}"):
        read(text)


@pytest.mark.parametrize("text", ["", " \n "])
def test_a_text_without_a_tree_is_refused(text):
    with pytest.raises(ValueError, match=r"file.mrg holds no tree: expected \(S"):
        read(text)


def test_files_are_written_and_read(tmp_path):
    path = tmp_path / "trees.mrg"
    trees = list(map(prepared, read(PENN)))
    write_trees(path, trees)
    assert path.read_text("utf-8").count("\n") == 2
    assert list(read_trees(path)) == trees
    path.write_bytes(b"(S (NN caf\xe9))")
    with pytest.raises(ValueError, match=r"trees\.mrg, line 1: byte 0xe9"):
        read_trees(path)


def test_a_tree_deeper_than_python_recurses_is_read_and_written():
    text = "(S " * 5_000 + "(NN a)" + ")" * 5_000
    (tree,) = read(text)
    assert str(tree) == text
    assert linearised(prepared(tree)).count("(S") == 5_000


def test_a_tree_is_a_phrase_or_a_word():
    for wrong in ({}, {"word": "a", "children": (Tree("NN", word="a"),)}):
        with pytest.raises(ValueError, match="either parts or one word"):
            Tree("NP", **wrong)
    for label, word in (("N P", "a"), ("NN", "(a"), ("", "a"), ("NN", "")):
        with pytest.raises(ValueError, match="is no label or word"):
            Tree(label, word=word)
