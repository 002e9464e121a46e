import pytest
import torch
from typechecking import unchecked

from annotated_transformer.checks.tensors import check_mask
from annotated_transformer.lab.analysis.bracket_score import brackets
from annotated_transformer.lab.analysis.parsing import tree_lines, trees_of, why_no_tree
from annotated_transformer.lab.analysis.probing import probe_accuracy
from annotated_transformer.lab.analysis.pronoun_probes import patched_log_odds
from annotated_transformer.lab.analysis.score_parts import constant_query, part_shares
from annotated_transformer.lab.analysis.units import without_units
from annotated_transformer.lab.baselines.cky import CKY
from annotated_transformer.lab.baselines.inside_outside import Source
from annotated_transformer.lab.corpora.grammar import Grammar
from annotated_transformer.lab.family.words import Words
from annotated_transformer.lab.figures.heat_map import attention_chart


@pytest.mark.parametrize("shape", [(3, 4), (4,), (2, 4, 4), (1, 3, 3), (2, 2, 3, 4)])
def test_shapes_that_do_not_fit(shape):
    scores_shape = (2, 3, 4)
    if shape in {(3, 4), (4,)}:
        check_mask(torch.ones(shape, dtype=torch.bool), scores_shape)
        return
    with pytest.raises(ValueError, match=rf"mask of shape \({shape[0]}, .* does not fit scores"):
        check_mask(torch.ones(shape, dtype=torch.bool), scores_shape)


STRINGS = {
    "parsing.tree_lines": lambda: tree_lines(None, "hello"),
    "parsing.trees_of": lambda: trees_of(["(S a)"], "hello"),
    "parsing.why_no_tree": lambda: why_no_tree("(S a)", "hello"),
    "probing.probe_accuracy": lambda: probe_accuracy((X, "abc"), (X, ["a", "b", "c"])),
    "score_parts.part_shares": lambda: part_shares(None, "hello"),
    "score_parts.constant_query": lambda: constant_query(None, "hello", X[0]),
    "units.without_units": lambda: without_units(None, "encoder").__enter__(),
    "pronoun_probes.patched_log_odds": lambda: patched_log_odds(None, [], "subject"),
    "bracket_score.brackets": lambda: brackets(("S", "a"), "NP"),
    "cky.CKY.derivation": lambda: CKY.derivation(None, "hello"),
    "cky.CKY.log_probability": lambda: CKY.log_probability(None, "hello"),
    "inside_outside.Source.log_probability": lambda: WORD.log_probability("hello"),
    "inside_outside.Source.next_word": lambda: WORD.next_word("hello"),
    "inside_outside.Source.gaps": lambda: WORD.gaps("hello"),
    "heat_map.attention_chart": lambda: attention_chart(torch.eye(2), "ab", ["a", "b"]),
    "words.Words": lambda: Words("hello"),
    "words.Words.batch": lambda: Words(["hello"]).batch("hello"),
}
X = torch.zeros(3, 2)
WORD = Source(Grammar({"S": {("N",): 1}}, {"N": {"hello": 1}}, start="S"), 5)


@pytest.mark.parametrize("door", STRINGS)
def test_a_string_is_not_a_list_of_its_letters(door):
    with unchecked(), pytest.raises(ValueError, match=r"is one string; expected a list of strings"):
        STRINGS[door]()
