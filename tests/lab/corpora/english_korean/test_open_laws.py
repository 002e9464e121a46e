"""What holds for every construction of the open lexicon; a new one is tested by being there."""

import pytest
from open_grammar import derived, sentences

from annotated_transformer.lab.corpora.english_korean.open.splits import OPEN


@pytest.fixture(scope="module", params=OPEN)
def name(request: pytest.FixtureRequest) -> str:
    """The name of a rule; both laws are tested before the next one is derived."""
    return request.param


def test_every_word_is_aligned(name: str) -> None:
    for pair in derived(name, seed=7):
        nodes = [{node for word in side for node in word.nodes} for side in pair]
        for side, other in ((pair.english, nodes[1]), (pair.korean, nodes[0])):
            assert all(set(word.nodes) & other for word in side), pair


def test_one_translation_each(name: str) -> None:
    """But for a deed that a table lists and the lexicon makes too: 키스하다, 입을 맞추다.

    Of two translations the corpus leaves the second out.
    """
    known: dict[str, str] = {}
    second = [
        (english, korean)
        for english, korean in sentences(name, seed=7)
        if known.setdefault(english.lower(), korean) != korean
    ]
    assert len(second) <= 2, second
