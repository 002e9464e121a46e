"""The parser in the laboratory is as its card says, and what it writes freely stays as it is."""

import json

import pytest

from annotated_transformer.lab.analysis.bracket_score import bracket_score
from annotated_transformer.lab.analysis.parsing import (
    PARSER,
    load_parser,
    tree_lines,
    trees_of,
    why_no_tree,
)
from annotated_transformer.lab.corpora.english_trees import english_trees
from annotated_transformer.lab.records import record
from annotated_transformer.saving import MODEL_FILES
from ship_model import LARGEST_PARSER

TREES = english_trees("test")[:200]
SENTENCES = [tree.words for tree in TREES]


@pytest.fixture(scope="module")
def lines():
    """Lines of the first sentences of the tests, free and trees only."""
    parser = load_parser()
    return [tree_lines(parser, SENTENCES, trees_only=only) for only in (False, True)]


def test_it_comes_with_its_card_and_from_its_record():
    files = {file.name: file for file in PARSER.iterdir()}
    assert set(files) == {"README.md", *MODEL_FILES}
    assert sum(file.stat().st_size for file in files.values()) < LARGEST_PARSER
    made = json.loads(files["config.json"].read_text("utf-8"))["training"]
    source, card = record(made["record"]), files["README.md"].read_text("utf-8")
    assert made["commit"] == source["commit"]
    assert source["command"] in card
    assert source["commit"] in card


def test_its_scores_are_those_of_the_record(lines):
    for found, allowed in zip(lines, ("everything", "trees only"), strict=True):
        where = {"search": "greedy, searched", "allowed": allowed, "seed": 1}
        score = bracket_score(TREES, trees_of(found, SENTENCES))
        values = {"F1": score.f1, "exact_match": score.exact_match, "no_tree": score.invalid / 2}
        for metric, value in values.items():
            (recorded,) = record("parsing_constrained").scores(metric, **where)
            # Another processor may decide a near tie the other way.
            assert value == pytest.approx(recorded, abs=1.0), metric


def test_a_free_line_that_is_a_tree_is_written_by_trees_only_too(lines):
    free, held = lines
    valid = [why_no_tree(*line) is None for line in zip(free, SENTENCES, strict=True)]
    assert 0 < valid.count(False) < len(valid) / 5
    for is_tree, line, own in zip(valid, free, held, strict=True):
        assert (line == own) == is_tree


def test_the_beam_is_for_who_asks():
    assert (load_parser().beam_size, load_parser(beam_size=4, alpha=0.5).alpha) == (1, 0.5)
