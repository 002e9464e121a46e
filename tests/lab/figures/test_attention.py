import re

import pytest
from drawing import drawn
from fontTools.ttLib import TTFont

from annotated_transformer.lab.figures.attention import blend_chart, lookup_diagram
from annotated_transformer.lab.figures.charts import FONT_DIRECTORY, specification


def layers(*, shares=(0.75, 0.25)):
    chart = lookup_diagram("query", ["a", "b"], shares, ["one", "two"], "blend")
    return [layer["data"]["values"] for layer in specification(chart, "a lookup")["layer"]]


def test_bars_and_lines_are_in_proportion_to_the_shares():
    links, *_ = layers()
    bars = [link["x2"] - link["x"] for link in links if link["role"] == "query"]
    widths = [link["width"] for link in links if link["role"] == "value"]
    assert bars[0] / bars[1] == pytest.approx(3, rel=1e-3)
    assert widths[0] / widths[1] == pytest.approx(3)


def test_every_box_holds_its_text_and_every_share_is_written():
    _, boxes, texts, words = layers()
    assert boxes == texts
    assert {box["text"] for box in boxes} == {"query", "a", "b", "one", "two", "blend"}
    assert {"0.75", "0.25", "keys", "output"} <= {word["text"] for word in words}


def test_a_box_follows_the_width_of_its_text():
    keys, values = ["개가", "고양이를", "나", "아이들에게"], ["dog", "1.2, 2.8", "the birds", "½씩"]
    svg = drawn(lookup_diagram("보았다", keys, [0.25] * 4, values, "½ each"))
    with TTFont(FONT_DIRECTORY / "AnnotatedSansKR-Regular.otf") as font:
        advance, unit = font["hmtx"].metrics, font["head"].unitsPerEm
        glyph = font.getBestCmap()
    widths = re.findall(r'"rect mark" d="M[-\d.]+,[-\d.]+h([\d.]+)', svg)
    rows = (text for pair in zip(keys, values, strict=True) for text in pair)
    for text, width in zip(["보았다", "½ each", *rows], widths, strict=True):
        needed = 12 * sum(advance[glyph[ord(letter)]][0] for letter in text) / unit
        assert needed + 8 <= float(width) <= max(46, needed + 24), text


def test_unequal_numbers_of_keys_and_shares_are_refused():
    with pytest.raises(ValueError, match="2 keys, 1 shares and 2 values"):
        layers(shares=[1.0])


def blend_rows(sharpnesses=(0, 0.5, 1)):
    corners = {"a": (0.0, 0.0), "b": (4.0, 4.0)}
    return [
        {"sharpness": s, "query": q, "key": k, "x": x, "y": y, "x2": 2.0, "y2": 2.0, "weight": 0.5}
        for s in sharpnesses
        for q in corners
        for k, (x, y) in corners.items()
    ]


def test_blend_chart_offers_every_query_and_sharpness():
    chart = specification(blend_chart(blend_rows(), asked="b"), "a blend")
    asked, sharpness = chart["params"]
    assert asked["bind"]["options"] == ["a", "b"]
    assert asked["value"] == "b"
    assert (sharpness["bind"]["min"], sharpness["bind"]["max"]) == (0, 1)
    assert sharpness["bind"]["step"] == 0.5


def test_blend_chart_shows_only_the_chosen_rows():
    chart = specification(blend_chart(blend_rows(), asked="b"), "a blend")
    for layer in chart["layer"]:
        assert "datum.query == asked && datum.sharpness == sharpness" in str(layer["transform"])


@pytest.mark.parametrize(
    ("rows", "asked", "message"),
    [
        (blend_rows(), "c", "no row has query 'c' and sharpness 1"),
        (blend_rows([0, 2]), "a", "no row has query 'a' and sharpness 1"),
        (blend_rows([1]), "a", "one sharpness only"),
    ],
)
def test_blend_chart_refuses_rows_it_cannot_show(rows, asked, message):
    with pytest.raises(ValueError, match=message):
        blend_chart(rows, asked=asked)
