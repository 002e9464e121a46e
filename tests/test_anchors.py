"""An address that was published does not disappear unnoticed."""

from anchors import addresses, lost, stored

BEFORE = {"book/a.html", "book/a.html#here", "book/b.html", "book/b.html#there"}


def test_nothing_is_lost_where_all_is_there_and_more():
    assert lost(BEFORE, BEFORE | {"book/a.html#new", "book/c.html"}) == []


def test_page_and_anchor_that_are_lost_are_named():
    now = {"book/a.html", "book/c.html", "book/c.html#there"}
    assert lost(BEFORE, now) == [
        "book/a.html has lost the anchor here: add a target (here)= to it",
        "book/b.html is gone: keep a page of that name that leads on",
    ]


def test_anchors_are_those_of_the_text(tmp_path):
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "a.html").write_text(
        "<nav id='menu'></nav><article><section id='the-idea'><h2>The idea</h2>"
        "<figure id='fig-a'></figure><div class='math' id='equation-eq-a'></div>"
        "<div id='thm-a'></div><div id='ex-a'></div><dt id='term-a'></dt>"
        "<svg><g id='box'></g></svg><span id='old-name'></span>"
        "<p id='id3'></p><div id='proof-content'></div><div id='chart-0a1b'></div>"
        "<div id='book/a-solution-3'></div></section></article><footer id='end'></footer>"
    )
    names = {"the-idea", "fig-a", "equation-eq-a", "thm-a", "ex-a", "term-a", "old-name"}
    assert addresses(tmp_path) == {"book/a.html", *(f"book/a.html#{name}" for name in names)}


def test_what_is_stored_is_in_order_and_has_the_well_known():
    assert len(stored()) > 1_500
    assert {
        "book/attention.html",
        "book/attention.html#equation-eq-attention",
        "book/attention.html#thm-score",
        "book/attention.html#ex-pencil",
        "book/attention.html#why-sqrt-d-k",
        "book/glossary.html#term-softmax",
        "book/reference.html#annotated_transformer.attention.attention",
    } <= stored()
