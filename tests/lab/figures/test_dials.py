"""The rotary dial turns its hands as the package turns queries and keys."""

import re

import pytest
import torch
from drawing import drawn, number

from annotated_transformer.lab.figures.dials import rotary_dial
from annotated_transformer.variants.rotary import rotate


@pytest.mark.parametrize("places", [(5, 2), (14, 11), (0, 24)])
def test_the_dial_turns_as_rotary_encoding_does(places):
    query, key = (1.0, 0.4), (0.3, 0.9)
    picture = drawn(rotary_dial(query, key, frequency=1.0), m=places[0], n=places[1])
    turned = rotate(torch.tensor([query, key], dtype=torch.float64), torch.tensor(places))
    (found,) = re.findall(r">inner product ([^<]+)<", picture)
    assert number(found) == pytest.approx((turned[0] @ turned[1]).item(), abs=6e-4)
    hands = re.findall(r"x: (-?\S+); y: ([^\s;\"]+)", picture.replace("\N{MINUS SIGN}", "-"))
    tips = {tuple(float(x) for x in hand) for hand in hands}
    for tip in turned.tolist():
        assert any(found == pytest.approx(tip, abs=1e-6) for found in tips)


def test_hands_that_do_not_fit_the_dial_are_refused():
    with pytest.raises(ValueError, match=r"query=\(1, 1\) has the length 1.41"):
        rotary_dial((1, 1), (1, 0), 0.5)
    with pytest.raises(ValueError, match=r"key=\(0, 0\) has the length 0.00"):
        rotary_dial((1, 0), (0, 0), 0.5)
