"""A search that writes nothing but trees: what it allows, and that nothing else comes out."""

import itertools
import math
from functools import cache

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.search import beam_search, greedy_search
from annotated_transformer.lab.analysis.parsing import parsed, tree_lines, why_no_tree
from annotated_transformer.lab.analysis.trees_only import (
    END,
    TreePrefix,
    TreesOnly,
    without_forbidden,
)
from annotated_transformer.lab.caching import Uncached
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, N_FIXED, Tokenizer
from annotated_transformer.transformer import Transformer
from annotated_transformer.translator import Translator

SYMBOLS = ("(A", ")A", "(B", ")B", "n")
LONGEST = 8
LINES = ["(A )A (B )B n n n (A n )A", "dog cat (C"]
"""(C has no closing bracket, and dog and cat are tags as far as anybody knows."""


@cache
def trees(words):
    """All lines of trees of so many words, of at most `LONGEST` symbols, by trying all strings."""
    return {
        string
        for length in range(1, LONGEST + 1)
        for string in itertools.product(SYMBOLS, repeat=length)
        if string.count("n") == words and why_no_tree(" ".join(string), ["w"] * words) is None
    }


@pytest.mark.parametrize("words", [1, 2, 3, 4])
@pytest.mark.parametrize("room", range(1, LONGEST + 2))
def test_what_is_allowed_are_exactly_the_prefixes_of_lines_of_trees(words, room):
    lines = {line for line in trees(words) if len(line) < room}  # the end needs a place, too
    prefixes = {line[:n] for line in lines for n in range(len(line) + 1)}
    first = TreePrefix(words, room)
    assert (first.needs <= room) == bool(lines)
    assert first.needs == 1 + min(map(len, trees(words)))
    waiting = [((), first)] if lines else []
    reached = set()
    while waiting:
        written, prefix = waiting.pop()
        reached.add(written)
        assert prefix.allows(END) == prefix.whole == (written in lines)
        after = [symbol for symbol in SYMBOLS if prefix.allows(symbol)]
        assert after == [s for s in SYMBOLS if (*written, s) in prefixes]
        waiting += [((*written, symbol), prefix.after(symbol)) for symbol in after]
    assert reached == prefixes


@cache
def tokenizer():
    words = {word for line in LINES for word in line.split()}
    return Tokenizer.train(LINES, vocab_size=N_FIXED + len(words), kind="word")


def translator(seed, *, sharpness=1.0, **search):
    """An untrained parser; the sharper, the surer it is of its nonsense."""
    config = TransformerConfig(
        vocab_size=tokenizer().vocab_size,
        **{"n_layers": 1, "d_model": 16, "d_ff": 16, "n_heads": 2, "max_length": 40},
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Transformer(config).eval()
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(sharpness)
    return Translator(model, tokenizer(), **search)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**16),
    sharpness=st.sampled_from([0.0, 1.0, 30.0]),
    beam=st.sampled_from([1, 2, 5]),
    lengths=st.lists(st.integers(1, 6), min_size=1, max_size=4),
    extra=st.integers(2, 15),
)
def test_every_line_is_a_tree_whatever_the_weights(seed, sharpness, beam, lengths, extra):
    sentences = [["dog", "cat"][i % 2 :] * n for i, n in enumerate(lengths)]
    sentences = [words[:n] for words, n in zip(sentences, lengths, strict=True)]
    parser = translator(seed, sharpness=sharpness, beam_size=beam, batch_size=3)
    lines = tree_lines(parser, sentences, extra_length=extra, trees_only=True)
    assert [why_no_tree(line, words) for line, words in zip(lines, sentences, strict=True)] == (
        [None] * len(sentences)
    )
    for line, words in zip(lines, sentences, strict=True):
        assert len(line.split()) < len(words) + 1 + extra
        assert "(C" not in line
    found = parsed(parser, sentences, extra_length=extra, trees_only=True)
    assert [tree.words for tree in found] == [tuple(words) for words in sentences]


def test_without_the_rule_the_same_networks_write_no_trees():
    sentences = [["dog"] * 3] * 5
    for seed in range(5):
        assert parsed(translator(seed, beam_size=1), sentences, extra_length=9) == [None] * 5


def log_probability(model, source, symbols):
    """The log probability of a line with its end, all at once."""
    ids = [*tokenizer().encode(" ".join(symbols)), EOS_ID]
    target = torch.tensor([[BOS_ID, *ids[:-1]]])
    with torch.no_grad():
        logits = model.decode(target, model.encode(source), source)[0]
    return sum(logits.log_softmax(-1)[place, i].item() for place, i in enumerate(ids))


@pytest.mark.parametrize("cached", [True, False])
def test_a_beam_of_all_trees_finds_the_one_that_the_model_gives_most(cached):
    """Scores are the model's own: no symbol gains from what was forbidden beside it."""
    model = translator(3, sharpness=2.0).model
    source = torch.tensor([tokenizer().source_ids("dog cat")])
    lines = [
        tuple(symbol if symbol != "n" else tag for symbol, tag in zip(line, places, strict=True))
        for line in trees(2)
        if len(line) <= 6
        for places in itertools.product(["n", "dog", "cat"], repeat=len(line))
        if all(tag == "n" for symbol, tag in zip(line, places, strict=True) if symbol != "n")
    ]
    scores = {line: log_probability(model, source, line) for line in lines}
    trees_only = TreesOnly(model if cached else Uncached(model), tokenizer(), [2], 7)
    ((best, *others),) = beam_search(
        trees_only, source, beam_size=1_000, alpha=0.0, max_length=7, n_best=len(lines)
    )
    assert len(lines) == len(set(lines)) == 1 + len(others)
    for found, score in zip([best, *others], sorted(scores.values(), reverse=True), strict=True):
        line = tuple(tokenizer().decode(found.ids).split())
        assert math.isclose(found.score, score, rel_tol=1e-4)
        assert math.isclose(scores[line], score, rel_tol=1e-4)


def test_what_is_allowed_keeps_its_probability():
    logits = torch.tensor([[0.3, 1.0, -2.0, 4.0, 0.0], [1.0, 2.0, 3.0, 4.0, 5.0]])
    allowed = torch.tensor([[False, True, False, False, True], [False, True, True, True, True]])
    found = without_forbidden(logits, allowed, 0).log_softmax(-1)
    torch.testing.assert_close(found[allowed], logits.log_softmax(-1)[allowed])
    assert found[:, 1:][~allowed[:, 1:]].tolist() == [-math.inf] * 2
    torch.testing.assert_close(found.exp().sum(-1), torch.ones(2))


def test_a_model_without_numbers_is_refused_as_ever():
    parser = translator(0, beam_size=1)
    with torch.no_grad():
        next(parser.model.parameters()).fill_(math.nan)
    with pytest.raises(ValueError, match=r"leave no token to choose"):
        tree_lines(parser, [["dog"]], trees_only=True)


def test_what_can_have_no_tree_is_refused():
    parser = translator(0, beam_size=1)
    with pytest.raises(ValueError, match=r"sentences\[1\] is empty; a tree needs"):
        tree_lines(parser, [["dog"], []], trees_only=True)
    message = r"line of sentences\[0\] may have 4 symbols with its end, and a tree of its 2 words"
    with pytest.raises(ValueError, match=f"{message} needs 5; give a larger extra_length"):
        tree_lines(parser, [["dog", "cat"]], extra_length=1, trees_only=True)
    assert tree_lines(parser, [["dog"]], extra_length=0, trees_only=True)[0] in ("n", "dog", "cat")
    with pytest.raises(ValueError, match=r"row 1 of the source has 0 words.*of 1"):
        TreesOnly(parser.model, tokenizer(), [1, 0], 9)
    with pytest.raises(ValueError, match=r"row 0 of the source has 9 words.*a length of 12"):
        TreesOnly(parser.model, tokenizer(), [9], 11)
    with pytest.raises(ValueError, match=r"the source has 1 sentences.*counted for 2"):
        greedy_search(TreesOnly(parser.model, tokenizer(), [1, 1], 9), torch.tensor([[5, EOS_ID]]))


def test_a_tokenizer_that_cuts_symbols_is_refused():
    parser = translator(0)
    pieces = Tokenizer.train(LINES * 3, vocab_size=N_FIXED + 16)
    with pytest.raises(ValueError, match=r"has the piece .* no whole symbol; .* kind 'word'"):
        TreesOnly(parser.model, pieces, [1], 9)
