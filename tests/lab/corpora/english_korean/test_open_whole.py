"""The whole open corpus, which takes a minute: what the sample of test_open.py cannot show."""

import json
import re

import pytest

from annotated_transformer.lab.corpora.english_korean import derivations
from annotated_transformer.lab.corpora.english_korean.open.splits import OPEN_SIZES
from annotated_transformer.lab.corpora.english_korean.open.surface import plain
from annotated_transformer.lab.corpora.english_korean.splits import Derived
from rules import ROOT


@pytest.fixture(scope="module")
def whole() -> dict[str, list[Derived]]:
    """All splits; deriving them raises an error if many sentences have two translations."""
    return derivations("open")


def test_the_splits_have_their_sizes(whole: dict[str, list[Derived]]) -> None:
    assert {split: len(items) for split, items in whole.items()} == OPEN_SIZES


def test_the_sentences_to_try_on_the_first_page_are_unseen(
    whole: dict[str, list[Derived]],
) -> None:
    script = (ROOT / "book/_static/live/figures/map.js").read_text("utf-8")
    listed = re.search(r"const SENTENCES = (\[.*?\]);", script, re.DOTALL)
    assert listed
    sentences = {plain(sentence) for sentence in json.loads(listed[1])}
    assert len(sentences) == 6
    for split in ("train", "valid"):
        assert sentences.isdisjoint(plain(item.pair.source) for item in whole[split])
