"""The parser that may write trees only: what is measured, which runs there are, what is shipped."""

import json
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from annotated_transformer import Tokenizer, Transformer, TransformerConfig, Translator
from annotated_transformer.lab.analysis.exchanged_words import VERDICTS
from annotated_transformer.lab.corpora.english_trees import LONGEST, english_trees
from annotated_transformer.lab.corpora.treebank import parse_trees
from annotated_transformer.saving import load_tensors
from experiments import parsing_constrained, parsing_measures, variants
from experiments.parsing_constrained import Measured, of_all, round_weights
from experiments.parsing_exchanged import FOLLOWED, drawn, followed, noun_pairs

CHOSEN = """
(S (NP (PRP he)) (VP (VBD saw) (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN lens)))))
(S (NP (PRP he)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN cap))))))
"""


@pytest.fixture
def small(monkeypatch, tmp_path):
    """Few trees; runs lie in a folder of the test."""
    trees = {
        name: english_trees("valid")[i * 40 :][:40] for i, name in enumerate(("train", "test"))
    }
    trees["valid"] = trees["test"][:5]
    for module in (parsing_measures, parsing_constrained):
        monkeypatch.setattr(module, "english_trees", trees.__getitem__)
    monkeypatch.chdir(tmp_path)
    return trees


def test_sentences_drawn_anew_are_of_no_split_and_different():
    trees = [*islice(drawn(), 300)]
    sentences = {tree.words for tree in trees}
    assert len(sentences) == 300
    assert max(map(len, sentences)) <= LONGEST
    for split in ("train", "valid", "test"):
        assert sentences.isdisjoint(tree.words for tree in english_trees(split))
    assert trees == [*islice(drawn(), 300)]


def test_choices_of_all_count_lines_that_are_no_trees_as_wrong():
    by_verb, by_noun = parse_trees(CHOSEN)
    gold = [by_verb, by_noun, by_verb, by_verb]
    found = of_all(gold, [by_verb, by_noun, None, by_noun], "x", search="s")
    values = {score["metric"]: (score["value"], score["search"]) for score in found}
    assert values == {"PP to a noun, of all": (100, "s"), "PP to a verb, of all": (33.33, "s")}


def test_verdicts_are_percent_of_the_pairs(small):
    pairs = noun_pairs(4)
    gold = {tree.words: tree for pair in pairs for tree in pair.trees}
    asked = []

    def parse(trees):
        asked.extend(tree.words for tree in trees)
        return [None if tree is pairs[3].trees[1] else gold[tree.words] for tree in trees]

    found = {score["metric"]: score["value"] for score in followed(pairs, parse, "x", a="b")}
    assert tuple(FOLLOWED) == VERDICTS
    assert found == dict.fromkeys(FOLLOWED.values(), 0) | {
        "noun: follows the noun": 75,
        "noun: neither": 25,
    }
    assert asked == [tree.words for pair in pairs for tree in pair.trees]


def test_weights_are_rounded_to_what_16_bits_hold():
    layer = torch.nn.Linear(3, 3)
    before = layer.weight.clone()
    round_weights(layer)
    assert not layer.weight.equal(before)
    assert layer.weight.equal(before.half().float())


def untrained(tokenizer):
    config = TransformerConfig(
        vocab_size=tokenizer.vocab_size, n_layers=1, d_model=16, d_ff=16, n_heads=2, max_length=60
    )
    torch.manual_seed(0)
    return Transformer(config)


def test_runs_scores_and_the_parser_that_ships(small, monkeypatch):
    asked = []

    def train(recipe, _out, *, tokenizer, **__):
        lines = Path(recipe.corpus.splits["train"][0]).read_text("utf-8").splitlines()
        asked.append((recipe.seed, recipe.training.learning_rate_scale, len(lines)))
        record = {"scores": [], "curve": [{"step": 1, "valid_loss": 1.0}], "settings": {}}
        record |= {"recipe": "r", "parameters": 1}
        return SimpleNamespace(record=record, model=untrained(tokenizer), tokenizer=tokenizer)

    monkeypatch.setattr(variants, "train", train)
    monkeypatch.setattr("annotated_transformer.lab.analysis.parsing.EXTRA_LENGTH", 5)
    words = "x --seeds 1 2 --pairs 10 30 --rates 0.2 0.4 --tests 4 --searched 2 --exchanged 2"
    monkeypatch.setattr("sys.argv", [*words.split(), "--out", "record.json"])
    parsing_constrained.STUDY.main()
    record = json.loads(Path("record.json").read_text("utf-8"))
    # The most trees come first, and the other rate only with the first seed.
    first = [(1, 0.2, 30), (1, 0.2, 10), (1, 0.4, 30), (1, 0.4, 10)]
    assert asked == [*first, (2, 0.2, 30), (2, 0.2, 10)]
    assert "--pairs 10 30 --rates 0.2 0.4 --tests 4 --searched 2 --exchanged 2" in record["command"]
    scores = record["scores"]
    labels = {s["metric"]: s["value"] for s in scores if s.get("parser") == "treebank grammar"}
    assert labels["noun: follows the noun"] == 0
    assert sum(labels.values()) == 100
    invalid = {
        (s["allowed"], s["search"], s["value"], s["rate"])
        for s in scores
        if s["metric"] == "no_tree"
    }
    searches = ("greedy", "greedy, searched", "beam, searched")
    assert invalid == {
        (allowed, search, value, rate)
        for allowed, value in (("everything", 100), ("trees only", 0))
        for rate in (0.2, 0.4)
        for search in (searches if rate == 0.2 else searches[:1])
    }
    assert {s["rate"] for s in record["curve"]} == {0.2, 0.4}
    shipped = Path("runs/parsing_constrained/parser")
    made = json.loads((shipped / "config.json").read_text("utf-8"))["training"]
    assert (made["record"], made["seed"], made["steps"]) == ("parsing_constrained", 1, 4_000)
    tensors = load_tensors(shipped / "model.safetensors")
    assert {tensor.dtype for tensor in tensors.values()} == {torch.float16}
    translator = Translator.load(shipped)
    again = untrained(translator.tokenizer)
    round_weights(again)
    assert translator.model.state_dict().keys() == again.state_dict().keys()
    for name, tensor in translator.model.state_dict().items():
        assert tensor.equal(again.state_dict()[name])


def test_the_beam_is_that_of_section_6_3_and_greedy_lines_are_scored_once(small, monkeypatch):
    asked = []

    def lines(translator, sentences, *, trees_only=False, **_):
        asked.append((translator.beam_size, translator.alpha, len(sentences), trees_only))
        return [None] * len(sentences)

    for module in ("experiments.parsing_constrained", "annotated_transformer.lab.analysis.parsing"):
        monkeypatch.setattr(f"{module}.tree_lines", lines)
    tests = small["test"][:5]
    tokenizer = Tokenizer.load(parsing_measures.shared_tokenizer(Path("tokens")))
    translator = Translator(untrained(tokenizer), tokenizer)
    scores = list(Measured(tests, 3, noun_pairs(1))(translator))
    assert [(size, alpha) for size, alpha, _, _ in asked if size > 1] == [(21, 0.3)] * 2
    assert [(n, only) for _, _, n, only in asked] == [
        (n, only) for only in (False, True) for n in (5, 3, 2)
    ]
    beams = [s["signature"] for s in scores if s["search"] == "beam, searched"]
    assert all("beam_size:21|alpha:0.3|extra:300" in signature for signature in beams)
    counted = [(s["search"], s["signature"]) for s in scores if s["metric"] == "no_tree"]
    assert [name for name, _ in counted] == ["greedy", "greedy, searched", "beam, searched"] * 2
    assert ["n:5" in signature for _, signature in counted] == [True, False, False] * 2
