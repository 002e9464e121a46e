"""Two right answers, and what becomes of them when tokens are drawn independently."""

import pytest
import torch

from annotated_transformer import Transformer
from annotated_transformer.lab.analysis import two_answers
from annotated_transformer.lab.analysis.two_answers import (
    draw_answers,
    drawn_tokens,
    framed,
    share_right,
    train_writer,
)
from annotated_transformer.lab.variants.all_at_once import AllAtOnce
from annotated_transformer.tokenizer import BOS_ID, EOS_ID


@pytest.mark.parametrize("m", [2, 4, 6])
def test_the_two_answers_differ_in_m_places(m):
    text, other = draw_answers(50, m, torch.Generator().manual_seed(1))
    assert ((text != other).sum(dim=1) == m).all()
    assert all(len(set(row)) == 6 for row in text.tolist())
    assert torch.equal(text.sort(dim=1).values, other.sort(dim=1).values)


@pytest.mark.parametrize("m", [0, 3, 8])
def test_another_number_of_places_is_refused(m):
    with pytest.raises(ValueError, match=f"m={m}; expected an even number from 2 to 6"):
        draw_answers(1, m, torch.Generator())


def test_a_frame_has_the_beginning_before_or_the_end_behind():
    text = torch.tensor([[4, 5, 6, 7, 8, 9]])
    given, wanted = framed(text)
    assert given.tolist() == [[BOS_ID, 4, 5, 6, 7, 8, 9]]
    assert wanted.tolist() == [[4, 5, 6, 7, 8, 9, EOS_ID]]


def test_tokens_that_are_sure_are_drawn(monkeypatch):
    """With a model that gives everything to one of two answers, both ways of drawing find it."""
    text, other = draw_answers(5, 4, torch.Generator().manual_seed(1))
    for kind in (AllAtOnce, Transformer):
        model = train_writer(kind, 4, steps=0)
        sure = torch.nn.functional.one_hot(other, 12).float() * 100

        def decode(given, _memory, _source, sure=sure):
            return sure[:, : given.size(1)]

        monkeypatch.setattr(model, "decode", decode)
        assert torch.equal(drawn_tokens(model, text, torch.Generator().manual_seed(0)), other)
        monkeypatch.setattr(two_answers, "draw_answers", lambda *_: (text, other))
        assert share_right(model, 4) == 1.0
        monkeypatch.undo()


@pytest.mark.parametrize(("m", "expected"), [(2, 0.5), (4, 0.125)])
def test_independent_tokens_are_right_as_often_as_the_theorem_says(m, expected):
    assert share_right(train_writer(AllAtOnce, m, steps=200), m) == pytest.approx(
        expected, abs=0.06
    )
