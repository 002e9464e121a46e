"""The comparison with a known source, run whole on few sentences and in two updates."""

import math

import pytest
import torch

from annotated_transformer.lab.family.words import FIRST, MASK
from experiments.family import floor, known_source


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    """Small networks and few texts."""
    small = {"n_layers": 1, "d_model": 8, "d_ff": 8, "n_heads": 2, "dropout": 0.0}
    monkeypatch.setattr(floor, "SIZES", small)
    monkeypatch.setattr(floor, "TEXTS_A_BATCH", 4)
    monkeypatch.setattr(floor, "POINTS", 2)
    monkeypatch.setattr(floor, "VALID", 4)


def test_the_program_writes_the_record_of_all_runs(written):
    options = ("--steps", "2", "--longer", "2", "--tests", "3", "--few", "1", "--seeds", "1", "2")
    found = written(floor, *options)
    scores = {
        (e["seed"], e["model"], e["sentences"], e.get("rate"), e.get("after"), e.get("gaps")): e
        for e in found["scores"]
        if e["metric"] == "divergence"
    }
    overall = {key[1:4] for key in scores if key[4:] == (None, None)}
    assert overall == {("4-grams", 16, None)} | {
        (model, n, rate)
        for model in ("gpt", "bert")
        for n in (8, 16)
        for rate in (0.003, 0.006, "best")
    }
    few = {key[1:] for key in scores if key[5]}
    assert few == {(model, 16, "best", None, 1) for model in ("gpt", "bert")}
    assert all(entry["value"] > 0 for entry in scores.values())
    curve = {(e["seed"], e["model"], e["sentences"], e["rate"], e["step"]) for e in found["curve"]}
    assert len(curve) == len(found["curve"]) == 2 * 2 * 2 * 2 * 2
    # Three sentences may have one tree each; none is less probable than its tree.
    settings = found["settings"]
    assert settings["sentence_entropy"] <= settings["tree_entropy"]


def test_a_network_that_knew_the_source_would_be_at_the_floor():
    for name in ("gpt", "bert"):
        asked = known_source.places(name, 3)
        exact = asked.chances.clamp(min=1e-300).log()
        found = list(known_source.compared(exact, asked, model="it"))
        values = {(e["metric"], e.get("after")): e["value"] for e in found}
        kinds = {None, *asked.kinds}
        assert {kind for _, kind in values} == kinds
        for kind in kinds:
            assert values["loss", kind] == values["floor", kind]
            assert math.isclose(values["divergence", kind], 0, abs_tol=1e-9)
            assert values["right", kind] == values["best right", kind]


def test_even_answers_are_above_the_floor_by_what_the_source_knows():
    """Against even chances the divergence is log n - H(p), and the share right p of some word."""
    asked = known_source.places("gpt", 3)
    n = asked.chances.size(1)
    even = torch.full_like(asked.chances, -math.log(n))
    found = list(known_source.compared(even, asked, kinds=False, model="it"))
    values = {e["metric"]: e["value"] for e in found}
    entropy = torch.special.entr(asked.chances).sum(-1).mean().item()
    assert math.isclose(values["divergence"], math.log(n) - entropy, rel_tol=1e-3)
    assert math.isclose(values["loss"], math.log(n), rel_tol=1e-3)


def test_places_are_those_of_the_words_and_the_kind_is_by_the_word_before():
    asked = known_source.places("gpt", 3)
    text = known_source.words().words
    sentences = [[text[k] for k in row[1:-1]] for row in asked.rows]
    assert [asked.rows[row][k] for row, k in asked.at] == [
        number for row in asked.rows for number in row if number >= FIRST
    ]
    before = [None if k == 1 else text[asked.rows[row][k - 1]] for row, k in asked.at]
    for word, kind in zip(before, asked.kinds, strict=True):
        assert (word is None) is (kind == "the beginning")
        if word in ("the", "a"):
            assert kind in ("an article or adjective", "with and an article")
    assert sum(len(s) for s in sentences) == len(asked.kinds) == len(asked.chances)
    assert len(asked.first(2).at) == len(sentences[0]) + len(sentences[1])


def test_bayes_rule_asks_for_the_whole_text():
    torch.manual_seed(0)
    config = floor.GPTConfig(vocab_size=len(known_source.words()), max_length=18, **floor.SIZES)
    model = floor.GPT(config).eval()
    asked = known_source.places("bert", 1)
    logs = known_source.by_bayes(model, asked)
    row, k = asked.at[2]
    texts = torch.tensor([asked.rows[row]] * 2)
    texts[1, k] = FIRST + 5
    p = [-model.loss(text[None]).item() * (len(text) - 1) for text in texts]
    actual = asked.rows[row][k] - FIRST
    assert math.isclose(logs[2, actual] - logs[2, 5], p[0] - p[1], abs_tol=1e-4)
    torch.testing.assert_close(logs.exp().sum(-1), torch.ones(len(logs), dtype=torch.float64))


def test_every_chosen_word_is_hidden():
    texts = floor.padded(floor.ids(floor.drawn(20, "any")))
    gaps, original, chosen = floor.hidden(texts, 1)
    assert (gaps[chosen] == MASK).all()
    assert torch.equal(gaps[~chosen], original[~chosen])
    assert chosen.any(1).all()


def test_the_kind_of_a_place_is_by_what_stands_before_it():
    trees = floor.drawn(1_000, "kinds")
    found = {}
    for tree in trees:
        for k in range(1, len(tree.words)):
            found.setdefault(known_source.kind(tree, k), set()).add(tree.words[max(0, k - 2) : k])
    last = {kind: {words[-1] for words in befores} for kind, befores in found.items()}
    assert last["who, which, that"] == {"who", "which", "that"}
    assert last["and, or"] == {"and", "or"}
    assert {words[0] for words in found["with and an article"]} == {"with"}
    assert "with" in last["a preposition"]
    assert "the" in last["an article or adjective"] & last["with and an article"]
    assert not {"that", "the"} & last["a preposition"]
