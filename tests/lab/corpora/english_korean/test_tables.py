"""What the reader of the tables of words returns, and what it refuses."""

import pytest

from annotated_transformer.lab.corpora.english_korean import tables

TABLE = ["[days]", "Monday | 월요일", "next week | 다음 주에", "[pet animal]", "gold_fish - 금붕어"]


@pytest.fixture
def table(monkeypatch):
    """Let every table have these lines, which a test may change."""
    lines = list(TABLE)
    monkeypatch.setattr(tables, "lines_of", lambda _name: lines)
    yield lines
    tables.sections.cache_clear()
    tables.rows.cache_clear()


def test_fields_stand_between_bars_or_between_spaces(table):
    assert tables.rows("x", "days") == (("Monday", "월요일"), ("next week", "다음 주에"))
    assert tables.pairs("x", "days") == {"Monday": "월요일", "next week": "다음 주에"}
    assert tables.word_rows("x", "pet animal", (3,)) == (("gold_fish", "-", "금붕어"),)
    assert list(tables.sections("x")) == ["days", "pet animal"]
    assert tables.spaced("gold_fish") == "gold fish"
    assert tables.listed("cat,dog") == {"cat", "dog"}


def test_a_heading_that_is_not_there_is_refused(table):
    with pytest.raises(ValueError, match=r"words/x\.txt has no \[months\]; expected one of .*days"):
        tables.rows("x", "months")


def test_a_heading_stands_there_once(table):
    table.append("[days]")
    with pytest.raises(ValueError, match=r"words/x\.txt: \[days\] stands there twice"):
        tables.sections("x")


def test_no_word_stands_above_the_headings(table):
    table.insert(0, "Sunday | 일요일")
    with pytest.raises(ValueError, match=r"words/x\.txt: 'Sunday .*' stands above the first"):
        tables.sections("x")


@pytest.mark.parametrize("sizes", [(), (2,)])
def test_a_line_has_as_many_fields_as_it_may(table, sizes):
    table.insert(2, "Tuesday | 화요일 | 화")
    with pytest.raises(ValueError, match=r"words/x\.txt \[days\]: 'Tuesday .*' has 3 fields"):
        tables.rows("x", "days", sizes)
