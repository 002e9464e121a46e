"""The texts follow their rule, the score is that of the model's own writing, lengths are new."""

import pytest
import torch

from experiments import twice_as_long
from experiments.twice_as_long import (
    FIRST,
    KINDS,
    LONGEST,
    SIGN,
    TASKS,
    Writer,
    answered,
    scores_of,
    texts,
    trained,
)


@pytest.mark.parametrize("task", TASKS)
def test_a_text_is_a_string_the_sign_and_its_answer(task):
    for row in texts(task, 7, 5, torch.Generator().manual_seed(1)).tolist():
        string, sign, answer = row[:7], row[7], row[8:]
        assert len(set(string)) == 7
        assert min(string) >= FIRST
        assert sign == SIGN
        assert answer == (string if task == "copy" else string[::-1])


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_sees_nothing_of_what_it_has_to_write(kind):
    model, ids = Writer(kind), texts("copy", 6, 3, torch.Generator().manual_seed(1))
    logits, letters = answered(model, ids)
    assert torch.equal(letters, ids[:, 7:])
    changed = ids.clone()
    changed[:, -1] = FIRST
    torch.testing.assert_close(answered(model, changed)[0], logits)
    changed[:, 9] = FIRST  # the third letter of the answer is read before the fourth is asked for
    other = answered(model, changed)[0]
    torch.testing.assert_close(other[:, :3], logits[:, :3])
    assert not torch.allclose(other[:, 3:], logits[:, 3:])


@pytest.mark.parametrize("kind", KINDS)
def test_the_longest_test_fits_and_the_models_differ_in_the_positions_alone(kind):
    model, usual = Writer(kind), Writer("sinusoidal")
    longest = texts("copy", 2 * LONGEST, 2, torch.Generator().manual_seed(1))
    assert answered(model, longest)[0].shape[1] == 2 * LONGEST
    own = {name: x.shape for name, x in model.named_parameters()}
    learned = own.pop("positions.encoding", None)
    assert own == {name: x.shape for name, x in usual.named_parameters()}
    assert (learned is not None) == (kind == "learned")


def test_learned_vectors_beyond_the_longest_text_stay_as_they_were_drawn():
    torch.manual_seed(4)
    before = Writer("learned").positions.encoding
    model, _ = trained("copy", "learned", steps=30, seed=4)
    reached = (model.positions.encoding != before).any(dim=-1)
    assert reached.tolist() == [True] * 2 * LONGEST + [False] * 2 * LONGEST


def test_exact_match_is_what_the_model_writes_by_itself(monkeypatch):
    for name, small in (("LETTERS", 6), ("LONGEST", 2), ("TOKENS", 300)):
        monkeypatch.setattr(twice_as_long, name, small)
    model, _ = trained("copy", "sinusoidal", steps=50, seed=1)
    ids = texts("copy", 2, 400, torch.Generator().manual_seed(2))
    written = ids[:, :3]
    with torch.inference_mode():
        for _ in range(2):
            written = torch.cat([written, model(written)[:, -1:].argmax(-1)], dim=1)
        logits, letters = answered(model, ids)
    exact = (logits.argmax(-1) == letters).all(-1)
    assert torch.equal((written == ids).all(-1), exact)
    assert 0 < exact.float().mean() < 1


def test_both_scores_are_told_for_each_length():
    scores = scores_of(Writer("rotary"), "reverse", number=20)
    lengths = range(2, 2 * LONGEST + 1, 2)
    assert [s["length"] for s in scores if s["metric"] == "exact_match"] == [*lengths]
    assert [s["split"] for s in scores if s["metric"] == "accuracy"] == [
        f"length_{n}" for n in lengths
    ]
