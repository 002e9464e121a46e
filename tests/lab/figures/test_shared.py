"""The palette can be seen by everyone, the shared charts draw what they are given, Korean draws."""

import io
import itertools
import json
import re

import matplotlib
import numpy as np
import pytest
import torch
from fontTools.ttLib import TTFont
from matplotlib import pyplot as plt
from PIL import Image

from annotated_transformer.lab.corpora.english_korean import SPLITS, english_korean
from annotated_transformer.lab.figures import (
    PALETTE,
    TEXT_ON_DARK,
    TEXT_ON_LIGHT,
    attention_chart,
    line_chart,
    loss_chart,
    use_book_style,
)
from annotated_transformer.lab.figures.charts import (
    FONT_DIRECTORY,
    FONT_FAMILY,
    chart_html,
    chart_png,
    specification,
)
from browser import launch
from offline_assets import vega_bundle
from rules import ROOT

LIGHT_PAGE, LIGHT_CODE = "#ffffff", "#f3f4f5"
DARK_PAGE, DARK_CODE = "#121212", "#29313d"
# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
VISION = {
    "full": np.eye(3),
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}


def linear(colour):
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """Contrast ratio of WCAG 2."""
    low, high = sorted(linear(colour) @ [0.2126, 0.7152, 0.0722] for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(colour, vision):
    seen = np.clip(np.asarray(VISION[vision]) @ linear(colour), 0, 1)
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = to_xyz @ seen / [0.9505, 1, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("name", PALETTE)
def test_marks_and_words_stand_out_on_both_pages(name):
    for page in (LIGHT_PAGE, DARK_PAGE):
        assert contrast(PALETTE[name], page) >= 3, page
    for page in (LIGHT_PAGE, LIGHT_CODE):
        assert contrast(TEXT_ON_LIGHT[name], page) >= 4.5, page
    for page in (DARK_PAGE, DARK_CODE):
        assert contrast(TEXT_ON_DARK[name], page) >= 4.5, page


@pytest.mark.parametrize("vision", VISION)
def test_the_five_colours_stay_apart_for_every_eye(vision):
    names = ["query", "key", "value", "source", "target"]
    for one, other in itertools.combinations(names, 2):
        distance = np.linalg.norm(lab(PALETTE[one], vision) - lab(PALETTE[other], vision))
        assert distance >= 16, (one, other)  # about 2 is just noticeable


def test_the_style_sheet_has_the_same_palette():
    css = (ROOT / "book/_static/palette.css").read_text(encoding="utf-8")
    light, dark = re.findall(r"(?::root|html\[data-theme=\"dark\"\]) \{\n([^}]*--at-[^}]*)\}", css)
    expected = {f"--at-{name}": colour for name, colour in PALETTE.items()}
    expected |= {f"--at-{name}-text": colour for name, colour in TEXT_ON_LIGHT.items()}
    assert dict(re.findall(r"(--at-[\w-]+): (#\w+);", light)) == expected
    dark_text = {f"--at-{name}-text": colour for name, colour in TEXT_ON_DARK.items()}
    assert dict(re.findall(r"(--at-[\w-]+): (#\w+);", dark)) == dark_text


def test_the_style_sheet_knows_the_colours_of_formulas_and_words():
    css = (ROOT / "book/_static/palette.css").read_text(encoding="utf-8")
    for name, colour in PALETTE.items():
        assert f'[style*="color: {colour}"] {{ color: var(--at-{name}-text) !imp' in css
        assert f".at-{name} {{ color: var(--at-{name}-text); }}" in css


def weights(*shape):
    return torch.softmax(torch.randn(*shape, dtype=torch.float64), dim=-1)


def test_attention_chart_draws_the_weights_with_their_words():
    given = weights(2, 3)
    spec = specification(attention_chart(given, ["나는", "학생이다"], ["I", "am", "I"]), "map")
    cells = spec["data"]["values"]
    assert [(cell["query word"], cell["key word"]) for cell in cells[:3]] == [
        ("나는", "I"),
        ("나는", "am"),
        ("나는", "I"),
    ]
    assert len({(cell["query"], cell["key"]) for cell in cells}) == 6
    drawn = torch.tensor([cell["weight"] for cell in cells]).reshape(2, 3)
    torch.testing.assert_close(drawn, given.float(), atol=5.1e-4, rtol=0)


def test_gold_pairs_are_source_then_target():
    chart = attention_chart(weights(2, 3), ["나는", "간다"], ["I", "go", "."], gold=[(2, 1)])
    outlines = specification(chart, "map")["layer"][-1]["data"]["values"]
    assert outlines == [{"key": 2, "query": 1}]


def test_attention_chart_refuses_what_does_not_fit():
    with pytest.raises(ValueError, match=r"shape \(2, 3\).* 3 query words and 2 key words"):
        attention_chart(weights(2, 3), ["a", "b", "c"], ["d", "e"])
    with pytest.raises(ValueError, match=r"gold pair \(key 0, query 2\) lies outside"):
        attention_chart(weights(2, 3), ["a", "b"], ["c", "d", "e"], gold=[(0, 2)])


def test_numbers_are_written_in_small_maps_only():
    few, many = ["w"] * 8, ["w"] * 9
    marks = [
        [layer["mark"]["type"] for layer in specification(attention_chart(*args), "map")["layer"]]
        for args in ((weights(8, 8), few, few), (weights(8, 9), few, many))
    ]
    assert marks == [["rect", "text"], ["rect"]]


# Words of a drawn chart that reach out of it, for the page would cut them.
CUT = """() => {
    const edge = document.querySelector('svg.marks').getBoundingClientRect();
    return [...document.querySelectorAll('svg.marks text')].filter((word) => {
        const box = word.getBoundingClientRect();
        return box.top < edge.top - 1 || box.right > edge.right + 1 || box.left < edge.left - 1;
    }).map((word) => word.textContent);
}"""


def test_words_above_the_columns_are_cut_at_no_width():
    """In the browser and in the PNG, whether they are tilted (in a narrow chart) or not."""
    read = ["The", "princess", "remembers", "the", "song", "that", "he", "sang"]
    written = ["그", "공주는", "그가", "부른", "노래를", "기억한다"]
    spec = specification(attention_chart(weights(6, 8), written, read), "map")
    tilted = []
    with launch() as browser:
        page = browser.new_page()
        page.evaluate("window.vegaLoaded = (embed) => { window.vegaEmbed = embed; }")
        for width in range(540, 700, 40):
            page.set_content(f"<script>{vega_bundle()}</script>" + chart_html(spec, width))
            page.wait_for_selector('[data-state="drawn"] svg.marks')
            assert (width, page.evaluate(CUT)) == (width, [])
            tilted.append(page.locator('svg.marks text[transform*="rotate(-45)"]').count())
            with Image.open(io.BytesIO(chart_png(spec, width))) as picture:
                top = np.asarray(picture.convert("L"))[:12]
            assert (width, top.min()) == (width, 255)
    assert set(tilted) == {0, len(read)}
    assert tilted == sorted(tilted, reverse=True)


def test_the_slider_shows_another_head_and_pointing_fades_other_rows():
    given = torch.zeros(2, 2, 2)
    given[0, :, 0] = given[1, :, 1] = 1
    chart = attention_chart(given, ["a", "b"], ["c", "d"])
    with launch() as browser:
        page = browser.new_page()
        page.evaluate("window.vegaLoaded = (embed) => { window.vegaEmbed = embed; }")
        page.set_content(
            f"<script>{vega_bundle()}</script>" + chart_html(specification(chart, "map"), 400)
        )
        page.wait_for_selector(".at-chart svg")
        read = "[...document.querySelectorAll('.layer_1_marks text')].map(t => t.textContent)"
        assert page.evaluate(read) == ["1.00", "0.00", "1.00", "0.00"]
        page.locator("input[type=range]").fill("2")
        page.wait_for_function(f"{read}[0] === '0.00'")
        assert page.evaluate(read) == ["0.00", "1.00", "0.00", "1.00"]
        page.locator(".layer_1_marks text").first.hover()
        faded = "document.querySelectorAll('.cells_marks path[opacity=\"0.3\"]').length"
        page.wait_for_function(f"{faded} === 2")


def test_loss_chart_draws_each_loss_where_it_was_measured():
    curve = [
        {"step": 10, "train_loss": 4.0, "rate": 0.1},
        {"step": 20, "train_loss": 3.0, "valid_loss": 3.5},
        {"step": 30, "train_loss": 2.5, "valid_loss": None},
    ]
    rows = specification(loss_chart(curve), "falls")["data"]["values"]
    assert [(row["curve"], row["updates"], row["loss"]) for row in rows] == [
        ("train loss", 10, 4.0),
        ("train loss", 20, 3.0),
        ("train loss", 30, 2.5),
        ("validation loss", 20, 3.5),
    ]


def test_charts_without_anything_to_draw_are_refused():
    with pytest.raises(ValueError, match="none of the 1 entries"):
        loss_chart([{"step": 1, "rate": 0.1}])
    with pytest.raises(ValueError, match="no records"):
        line_chart([], x="d_k", y="variance")
    with pytest.raises(ValueError, match="record 1 has no field 'variance'"):
        line_chart([{"d_k": 1, "variance": 1.0}, {"d_k": 2}], x="d_k", y="variance")
    rows = [{"x": 1, "y": 1, "by": series} for series in range(7)]
    with pytest.raises(ValueError, match="7 series but only 6 colours"):
        line_chart(rows, x="x", y="y", by="by")


def test_series_differ_in_colour_and_in_shape():
    rows = [{"x": 1, "y": 1, "by": series} for series in ("b", "a")]
    channels = specification(line_chart(rows, x="x", y="y", by="by"), "two")["encoding"]
    assert channels["color"]["scale"] == {
        "domain": ["b", "a"],
        "range": [PALETTE["query"], PALETTE["key"]],
    }
    assert len(set(channels["shape"]["scale"]["range"])) == 2


def test_a_line_without_a_name_has_points_of_its_colour():
    """Vega draws points of a colour of its own where nobody says theirs."""
    rows = [{"x": x, "y": 1} for x in range(9)]
    drawn = chart_png(specification(line_chart(rows, x="x", y="y"), "a line with points"), 400)
    with Image.open(io.BytesIO(drawn)) as image:
        colours = np.asarray(image.convert("RGB")).reshape(-1, 3).astype(int)
    coloured, often = np.unique(colours[np.ptp(colours, axis=1) > 80], axis=0, return_counts=True)
    areas = coloured[often > 200]  # no edge of a point or a line is so long
    ours = [int(PALETTE["query"][i : i + 2], 16) for i in (1, 3, 5)]
    assert len(areas)
    assert np.abs(areas - ours).max() < 16


def test_every_run_of_a_series_is_a_thin_line_of_its_own():
    rows = [{"x": 1, "y": y, "by": by, "seed": y} for by in ("b", "a") for y in (1, 2)]
    spec = specification(line_chart(rows, x="x", y="y", by="by", runs="seed"), "four")
    assert spec["data"]["values"] == rows
    assert spec["encoding"]["detail"]["field"] == "seed"
    assert spec["encoding"]["color"]["scale"]["domain"] == ["b", "a"]
    assert spec["mark"]["strokeWidth"] == 1
    alone = specification(line_chart(rows[:1], x="x", y="y", by="by"), "one")
    assert "detail" not in alone["encoding"]
    assert "strokeWidth" not in alone["mark"]


def test_matplotlib_draws_korean_and_mathematics_without_a_missing_glyph(tmp_path):
    with matplotlib.rc_context():
        use_book_style()
        figure, axes = plt.subplots()
        axes.set_title("나는 학생이다 √d − ∑ α ≥ →")
        figure.savefig(tmp_path / "korean.png")  # a missing glyph is a warning, hence an error
        plt.close(figure)
        assert plt.rcParams["font.family"][0] == FONT_FAMILY


@pytest.fixture(scope="module")
def font():
    return TTFont(FONT_DIRECTORY / "AnnotatedSansKR-Regular.otf")


def test_the_font_is_small_renamed_and_comes_with_its_licence(font):
    assert sum(path.stat().st_size for path in FONT_DIRECTORY.iterdir()) < 500_000
    licence = (FONT_DIRECTORY / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert str(font["name"].getName(0, 3, 1)).lstrip("© ") in licence
    assert font["name"].getDebugName(1) == FONT_FAMILY


def test_the_font_covers_everyday_korean(font):
    rows, cells = range(0xB0, 0xC9), range(0xA1, 0xFF)
    everyday = {ord(bytes([row, cell]).decode("euc_kr")) for row in rows for cell in cells}
    assert len(everyday) == 2350
    assert everyday <= font.getBestCmap().keys()


def test_the_font_covers_the_corpus(font):
    used = {c for split in SPLITS for p in english_korean(split) for c in p.source + p.target}
    assert {c for c in used if ord(c) not in font.getBestCmap()} == set()


def test_the_font_covers_the_korean_of_every_page_and_all_that_code_may_draw(font):
    pages = [path.read_text(encoding="utf-8") for path in (ROOT / "book").glob("*.md")]
    drawn = ""
    for path in (ROOT / "book").glob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        pages += ["".join(cell["source"]) for cell in cells]
        drawn += "".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    hangul = {c for c in "".join(pages) if "\u1100" <= c <= "\u11ff" or "\u3130" <= c <= "\ud7a3"}
    missing = {c for c in hangul | set(drawn) - {"\n"} if ord(c) not in font.getBestCmap()}
    assert missing == set()
