"""Tables: alignment, formats, missing values, and values beside each other."""

import math
import re

import pytest

from annotated_transformer.lab.tables import Table, details, spread

ROWS = [
    {"search": "greedy", "peer": "a", "times_ours": {"median": 0.5, "lowest": 0.1}},
    {"search": "beam", "peer": "a", "times_ours": {"median": 12.0, "lowest": 3.0}},
    {"search": "greedy", "peer": "b", "times_ours": None},
]


def test_text_is_aligned_words_left_and_numbers_right():
    table = Table(ROWS, {"search": "", "times_ours": ".2f"}, note="(a note)")
    assert str(table).splitlines() == [
        "search  times ours",
        "greedy        0.50",
        "beam         12.00",
        "greedy",
        "(a note)",
    ]
    assert repr(table) == str(table)


def test_html_has_the_same_cells_and_escapes_them():
    table = Table([{"a<b": "<i>", "n": 1}], {"a<b": "", "n": ""}, html_note="<p>note</p>")
    html = table._repr_html_()
    assert re.findall("<th [^>]*>(.*?)</th>", html) == ["a&lt;b", "n"]
    assert re.findall("<td[^>]*>(.*?)</td>", html) == ["&lt;i&gt;", "1"]
    assert html.count('scope="col"') == 2
    assert html.endswith("<p>note</p>")


def test_a_large_number_is_written_as_a_power_of_ten():
    table = Table([{"c": 6.6e12}, {"c": -2e-05}, {"c": -math.inf}], {"c": ".0e"})
    assert table.cells == [["7 × 10^12"], ["−2 × 10^−5"], ["−inf"]]
    found = re.findall("<td[^>]*>(.*?)</td>", table._repr_html_())
    assert found == ["7 × 10<sup>12</sup>", "−2 × 10<sup>−5</sup>", "−inf"]
    assert "2^3" in Table([{"c": "2^3"}], {"c": ""})._repr_html_()


def test_values_stand_beside_each_other_and_a_missing_one_stays_empty():
    rows, columns = spread(ROWS, "peer", {"search": "", "times_ours": ".1f"})
    assert list(columns) == ["search", "a", "b"]
    assert Table(rows, columns).cells == [["greedy", "0.5", ""], ["beam", "12.0", ""]]


def test_two_values_for_one_cell_are_refused():
    with pytest.raises(ValueError, match="two rows have peer 'a'"):
        spread(ROWS, "peer", {"times_ours": ".1f"})


def test_a_table_without_rows_has_a_head():
    assert str(Table([], {"a_b": "", "c": ".1f"})) == "a b  c"


def test_details_are_folded_and_escaped():
    html = details("<code>x</code>", {"command": "a && b"})
    assert html.startswith('<details class="at-record"><summary><code>x</code></summary>')
    assert "<dt>command</dt><dd>a &amp;&amp; b</dd>" in html
