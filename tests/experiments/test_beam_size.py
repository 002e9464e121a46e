"""Slips of the fingers, and what an entry of the record says."""

from argparse import Namespace
from random import Random
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from experiments import beam_size


@given(st.text(alphabet="abcAB '.", max_size=30), st.integers(0, 9))
def test_a_slip_swaps_two_neighbours_inside_one_word(text, seed):
    found = beam_size.misspelt(text, Random(seed))
    changed = [i for i, (one, other) in enumerate(zip(text, found, strict=True)) if one != other]
    if changed:
        first, second = changed
        assert second == first + 1
        assert (found[first], found[second]) == (text[second], text[first])
        assert " " not in text[first - 1 : second + 2]
    else:
        assert all(len(set(word[1:-1])) < 2 for word in text.split(" "))


def test_every_seed_of_slips_is_measured_with_every_beam(monkeypatch):
    monkeypatch.setattr(beam_size, "measure", lambda *_: {"BLEU": 1.0, "signatures": {"BLEU": "s"}})
    settings = Namespace(alphas=[0.0, 0.6], beams=[1, 4])
    inputs = {None: ["ab"], 1: ["abc"], 2: ["acb"]}
    entries = beam_size.curve(SimpleNamespace(), inputs, [], settings)
    assert [(e["input"], e.get("seed"), e["alpha"], e["beam_size"]) for e in entries] == [
        (kind, seed, alpha, beam)
        for kind, seed in (("as written", None), ("misspelt", 1), ("misspelt", 2))
        for alpha in (0.0, 0.6)
        for beam in (1, 4)
    ]
    [score] = beam_size._scores(entries[-1])
    assert score["seed"] == 2
    assert (score["metric"], score["value"], score["signature"]) == ("BLEU", 1.0, "s")
