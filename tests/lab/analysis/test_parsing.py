"""Parsing with a model whose lines are known: nothing is repaired, the limits are those of 6.3."""

import pytest
import torch
from tiny import tiny_translator

from annotated_transformer.decoding.hypotheses import make_hypothesis
from annotated_transformer.decoding.search import beam_search, greedy_search
from annotated_transformer.lab.analysis import parsing
from annotated_transformer.lab.analysis.parsing import FAULTS, parsed, tree_lines, why_no_tree
from annotated_transformer.lab.corpora.treebank import parse_trees, tree_pair
from annotated_transformer.tokenizer import EOS_ID

TREES = list(
    parse_trees("""
(S (NP (PRP he)) (VP (VBD saw) (NP (DT the) (NN dog))) (. .))
(S (NP (DT the) (NN dog)) (VP (VBD slept)) (. .))
(S (VP (VBD slept)))
""")
)


@pytest.fixture
def translator():
    lines = [side for tree in TREES for side in (tree_pair(tree).source, tree_pair(tree).target)]
    search = {"beam_size": 1, "batch_size": 2}
    return tiny_translator(lines * 3, vocab_size=300, max_length=400, search=search)


@pytest.fixture
def tokenizer(translator):
    return translator.tokenizer


def written_by(tokenizer, lines, *, cut_off=()):
    """A search that writes, for each sentence, the line that `lines` has."""

    def search(model, source, *, max_length, **_):
        texts = [tokenizer.decode([i for i in row if i]) for row in source.tolist()]
        return [
            make_hypothesis(
                [*tokenizer.encode(lines[text]), *([] if text in cut_off else [EOS_ID])], 0.0, 0.0
            )
            for text in texts
        ]

    return search


def test_each_sentence_gets_the_tree_of_its_own_line(translator, tokenizer, monkeypatch):
    lines = {tree_pair(tree).source: tree_pair(tree).target for tree in TREES}
    monkeypatch.setattr(parsing, "greedy_search", written_by(tokenizer, lines))
    assert parsed(translator, [tree.words for tree in TREES]) == TREES


def test_what_is_no_tree_stays_none_of_them(translator, tokenizer, monkeypatch):
    short, other, third = (tree_pair(tree) for tree in reversed(TREES))
    lines = {
        short.source: "(S (VP VBD )S",  # a bracket is missing
        other.source: other.target,  # right, but cut off before its end
        third.source: short.target,  # a tree of one word
    }
    search = written_by(tokenizer, lines, cut_off={other.source})
    monkeypatch.setattr(parsing, "greedy_search", search)
    sentences = [tree.words for tree in TREES]
    assert parsed(translator, sentences) == [None, None, None]
    found = tree_lines(translator, sentences)
    assert found == [lines[third.source], None, lines[short.source]]
    whys = ["number of words", "no end", "brackets"]
    assert list(map(why_no_tree, found, sentences)) == whys
    assert tuple(sorted(whys)) == tuple(sorted(FAULTS))


@pytest.mark.parametrize("beam_size", [1, 3])
def test_the_search_is_the_one_that_was_asked_for_and_may_write_300_tokens_more(
    translator, tokenizer, monkeypatch, beam_size
):
    asked = []

    def spy(search):
        def call(model, source, **settings):
            asked.append((search.__name__, tuple(source.shape), settings))
            return search(model, source, **settings | {"max_length": 3})

        return call

    for search in (greedy_search, beam_search):
        monkeypatch.setattr(parsing, search.__name__, spy(search))
    translator.beam_size, translator.alpha = beam_size, 0.3
    found = parsed(translator, [tree.words for tree in [*TREES, *TREES]])
    assert found == [None] * 6  # no tree of these sentences has two symbols
    lengths = sorted(len(tokenizer.source_ids(" ".join(tree.words))) for tree in TREES)
    limit = translator.model.config.max_length
    name = "greedy_search" if beam_size == 1 else "beam_search"
    more = {} if beam_size == 1 else {"beam_size": 3, "alpha": 0.3}
    assert sorted(asked, key=lambda call: call[1]) == [
        (name, (2, length), {**more, "max_length": min(length + 300, limit)}) for length in lengths
    ]
    assert limit > lengths[0] + 300


def test_greedy_parsing_writes_what_greedy_search_writes(translator, tokenizer):
    sentence = TREES[0]
    (line,) = tree_lines(translator, [sentence.words], extra_length=9)
    source = torch.tensor([tokenizer.source_ids(" ".join(sentence.words))])
    (best,) = greedy_search(translator.model, source, max_length=source.size(1) + 9)
    assert line == (tokenizer.decode(best.ids) if best.finished else None)


def test_a_sentence_that_is_too_long_is_named(translator):
    with pytest.raises(ValueError, match=r"the sentence 'dog dog .* the model takes at most"):
        parsed(translator, [["dog"] * 1_000])
