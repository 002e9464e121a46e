"""What a claim says on a page: a minus sign where the program writes a hyphen."""

import pytest
from docutils import nodes

from annotated_transformer.lab.evidence import claim
from claims import Claimed, typeset
from ledger_page import computed

BELOW = "a_teacher_helps_with_200_labels"


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("-0.2 points (-1.6 to 0.0, three seeds)", "−0.2 points (−1.6 to 0.0, three seeds)"),
        ("-10포인트(-18에서 5, 다섯 시드)", "−10포인트(−18에서 5, 다섯 시드)"),
        ("1e-05 of pre-LN and of a 3-layer model", "1e-05 of pre-LN and of a 3-layer model"),
    ],
)
def test_a_hyphen_before_a_number_alone_becomes_a_minus_sign(told, shown):
    assert typeset(told) == shown


def test_ledger_and_pages_show_the_minus_sign(monkeypatch):
    told = claim(BELOW).told("range")
    assert told.startswith("-")
    assert typeset(claim(BELOW).told()) in computed(BELOW)
    role = Claimed()
    role.text = f"{told} <{BELOW}:range>"
    config = type("Config", (), {"language": "en"})
    environment = type("Environment", (), {"config": config, "docname": "page"})
    monkeypatch.setattr(Claimed, "env", environment)
    (shown,), messages = role.run()
    assert isinstance(shown, nodes.abbreviation)
    assert shown.astext() == typeset(told)
    assert not messages
