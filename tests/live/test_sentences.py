"""Marks on changed words: both texts can be read off them, and as few as possible are marked."""

import random

import pytest
from live_figure import open_figure

CHANGES = "pairs => pairs.map(([a, b]) => AnnotatedTransformer.changes(a, b))"


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    return open_figure(browser, tmp_path_factory.mktemp("sentences"), "heads", []).page


def longest_common(a, b):
    """How many words two lists have in common, in order: every part of the shorter is tried."""
    short, long = sorted((a, b), key=len)
    kept = ([w for n, w in enumerate(short) if bits >> n & 1] for bits in range(2 ** len(short)))
    return max(
        len(part) for part in kept if all(w in iter_ for iter_ in [iter(long)] for w in part)
    )


def test_marks_hold_both_texts_and_are_few(page):
    draw = random.Random(3)
    texts = [" ".join(draw.choices("abc", k=draw.randrange(8))) for _ in range(200)]
    pairs = list(zip(texts[::2], texts[1::2], strict=True))
    for (before, after), found in zip(pairs, page.evaluate(CHANGES, pairs), strict=True):
        assert " ".join(word for kind, word in found if kind != "new") == before
        assert " ".join(word for kind, word in found if kind != "gone") == after
        kept = sum(kind == "kept" for kind, _ in found)
        assert kept == longest_common(before.split(), after.split())
