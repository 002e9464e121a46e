"""A displayed chart is reproducible, has a picture to fall back on, and draws in Chromium."""

import base64
import contextlib
import itertools
import json
import math
import os
import re
import shutil
import subprocess
import sys
from io import BytesIO

import altair as alt
import pytest
import vl_convert
from PIL import Image

from annotated_transformer.lab.figures import charts
from annotated_transformer.lab.figures.charts import (
    chart_html,
    chart_png,
    enable_charts,
    show,
    specification,
)
from annotated_transformer.lab.figures.lines import line_chart
from browser import launch
from chart_outputs import merge_pictures
from offline_assets import vega_bundle
from rules import ROOT

CDN = {f"https://cdn.jsdelivr.net/npm/{name}@{at}" for name, at in charts.VEGA_VERSIONS.items()}
PROGRAM = """
import altair as alt
from annotated_transformer.lab.figures.charts import chart_html, specification
rows = [{"x": word, "y": 1 / (i + 3)} for i, word in enumerate(["나는", "학생이다"])]
chart = alt.Chart(alt.Data(values=rows)).mark_bar().encode(x="x:N", y="y:Q")
print(chart_html(specification(chart, "bars"), 640))
"""


def bars(*heights, word="학생", **properties):
    rows = [{"x": f"{word}{i}", "y": height} for i, height in enumerate(heights)]
    chart = alt.Chart(alt.Data(values=rows)).mark_bar().encode(x="x:N", y="y:Q")
    return chart.properties(height=120, **properties)


def html_of(chart):
    return chart_html(specification(chart, "bars"), 640)


@pytest.fixture
def displayed(monkeypatch):
    """What is displayed, as (data, metadata) of each output."""
    outputs = []
    monkeypatch.setattr(charts, "display", lambda o: outputs.append(o._repr_mimebundle_()))
    return outputs


def test_the_versions_are_those_of_the_installed_altair_and_vl_convert():
    assert "v" + charts.VEGA_VERSIONS["vega-lite"] == alt.SCHEMA_VERSION
    assert charts.VEGA_VERSIONS["vega"] == vl_convert.get_vega_version()
    assert charts.VEGA_VERSIONS["vega-embed"] == vl_convert.get_vega_embed_version()


def test_html_is_the_same_in_processes_with_other_hash_seeds():
    pages = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(pages) == 1


def test_noise_below_four_digits_vanishes_and_a_real_difference_does_not():
    pointed = alt.selection_point(on="pointerover")
    one, other = (bars(y, 7).add_params(pointed) for y in (0.12341, 0.12341 + 1e-9))
    assert html_of(one) == html_of(other)
    assert html_of(bars(0.1234, 7)) != html_of(bars(0.1235, 7))


def test_whole_numbers_keep_all_their_digits():
    assert "123457" in html_of(bars(123457.0, 123458))


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_numbers_that_cannot_be_drawn_are_refused(number):
    with pytest.raises(ValueError, match="finite"):
        show(bars(number), alt="bars")


@pytest.mark.parametrize("text", ["", "  "])
def test_a_chart_without_alt_text_is_refused(text, displayed):
    with pytest.raises(ValueError, match="alt is empty"):
        show(bars(1, 2), alt=text)
    assert displayed == []


def test_a_word_cannot_end_the_script():
    html = html_of(bars(1, word="</script><b>"))
    assert html.count("</script>") == 1
    assert html.endswith("</script>")


def test_the_picture_comes_first_and_carries_the_alt_text(displayed):
    show(bars(1, 2), alt="Two bars, the second twice as high.", width=500)
    (picture, details), (page, _) = displayed
    assert list(picture) == ["image/png"]
    assert list(page) == ["text/html"]
    assert details["image/png"]["alt"] == "Two bars, the second twice as high."
    image = Image.open(BytesIO(base64.b64decode(picture["image/png"])))
    assert image.width == pytest.approx(2 * details["image/png"]["width"], abs=1)
    assert details["image/png"]["width"] == pytest.approx(500, abs=30)
    assert image.convert("RGB").getpixel((0, 0)) == (255, 255, 255)


def test_the_picture_draws_each_syllable_and_not_the_same_empty_box():
    pictures = []
    for syllable in "각힣":
        png = chart_png(specification(bars(1, word=syllable), "bars"), 200)
        pictures.append(Image.open(BytesIO(png)).convert("RGB").tobytes())
    assert pictures[0] != pictures[1]


def test_a_width_of_its_own_is_kept():
    assert specification(bars(1, width=80), "bars")["width"] == 80
    assert specification(bars(1), "bars")["width"] == "container"
    assert "width" not in specification(alt.hconcat(bars(1), bars(2)), "bars")


def test_enabled_charts_use_their_description_as_alt_text(displayed):
    before = alt.renderers.active, alt.theme.active
    enable_charts()
    try:
        bundle = bars(1, description="One bar.")._repr_mimebundle_()
        assert 'class="at-chart"' in bundle["text/html"]
        assert displayed[0][1]["image/png"]["alt"] == "One bar."
        with pytest.raises(ValueError, match="no description"):
            bars(1)._repr_mimebundle_()
    finally:
        alt.renderers.enable(before[0])
        alt.theme.enable(before[1])


def test_the_book_makes_one_output_of_the_two(displayed):
    show(bars(1), alt='Bars, "quoted".')
    outputs = [
        {"output_type": "display_data", "data": data, "metadata": metadata}
        for data, metadata in displayed
    ]
    other = {"output_type": "stream", "name": "stdout", "text": "before"}
    first, merged = merge_pictures([other, *outputs])
    assert first is other
    assert list(merged["data"]) == ["text/html"]
    assert 'alt="Bars, &quot;quoted&quot;."' in merged["data"]["text/html"]
    assert merged["data"]["text/html"].endswith(outputs[1]["data"]["text/html"])


def test_the_book_leaves_other_pictures_alone():
    picture = {"output_type": "display_data", "data": {"image/png": "AAAA"}, "metadata": {}}
    text = {"output_type": "execute_result", "data": {"text/html": "<b>1</b>"}, "metadata": {}}
    assert merge_pictures([picture, text]) == [picture, text]


@pytest.fixture(scope="module")
def chromium():
    with launch() as browser:
        yield browser


@contextlib.contextmanager
def opened(browser, *, served=None):
    """Open a chart's two outputs as a notebook page; `served` answers for the CDN."""
    spec = specification(bars(1, 2), "bars")
    picture = base64.b64encode(chart_png(spec, 300)).decode()
    page, requests, errors = browser.new_page(), [], []

    def answer(route):
        requests.append(route.request.url)
        if served is None:
            route.abort()
        else:
            route.fulfill(content_type="text/javascript", body=served)

    page.route("https://**/*", answer)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_content(
        '<html><body><div class="jp-OutputArea">'
        f'<img alt="bars" src="data:image/png;base64,{picture}">{chart_html(spec, 300)}'
        "</div></body></html>"
    )
    yield page, requests
    assert errors == []
    page.close()


def settled(page):
    page.wait_for_selector('[data-state="drawn"], [data-state="picture"]', state="attached")
    return page.locator(".at-chart svg").count(), page.locator("img").is_visible()


def test_without_a_network_the_picture_stays(chromium):
    with opened(chromium) as (page, requests):
        assert settled(page) == (0, True)
        assert set(requests) <= CDN


def test_in_a_notebook_the_pinned_versions_are_loaded_and_the_picture_goes(chromium):
    bundle = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    with opened(chromium, served="(() => {" + bundle + "})();") as (page, requests):
        assert settled(page) == (1, False)
        assert set(requests) == CDN


def test_in_the_book_a_chart_is_drawn_when_it_comes_near_with_the_book_s_own_vega(
    chromium, tmp_path
):
    """Two charts far below the window load the library once, as soon as one is scrolled to."""
    shutil.copy(ROOT / "book" / "_static" / "charts.js", tmp_path)
    (tmp_path / "vega-bundle.js").write_text(vega_bundle(), encoding="utf-8")
    charts = "".join(chart_html(specification(bars(1, 2), name), 300) for name in ("a", "b"))
    (tmp_path / "page.html").write_text(
        f'<script src="charts.js"></script><p style="height: 5000px"></p>{charts}',
        encoding="utf-8",
    )
    page, requests = chromium.new_page(), []
    page.on("request", lambda request: requests.append(request.url.rpartition("/")[2]))
    page.goto(f"file://{tmp_path}/page.html")
    states = "() => [...document.querySelectorAll('.at-chart')].map((c) => c.dataset.state)"
    assert page.evaluate(states) == ["drawing", "drawing"]
    assert requests == ["page.html", "charts.js"]
    page.locator(".at-chart").first.scroll_into_view_if_needed()
    page.wait_for_function(f"({states})().join() === 'drawn,drawn'")
    assert requests == ["page.html", "charts.js", "vega-bundle.js"]
    page.close()


def test_in_the_book_numbers_under_a_chart_stand_apart(chromium, tmp_path):
    """As many as would touch on a phone are left out."""
    shutil.copy(ROOT / "book" / "_static" / "charts.js", tmp_path)
    (tmp_path / "vega-bundle.js").write_text(vega_bundle(), encoding="utf-8")
    rows = [{"step": step, "loss": 1.0} for step in (0, 9_000)]
    html = chart_html(specification(line_chart(rows, x="step", y="loss"), "a line"), 400)
    (tmp_path / "page.html").write_text(f'<script src="charts.js"></script>{html}', "utf-8")
    gaps = []
    for width in range(300, 420, 20):
        page = chromium.new_page(viewport={"width": width, "height": 700})
        page.goto(f"file://{tmp_path}/page.html")
        page.wait_for_selector('[data-state="drawn"]')
        boxes = page.evaluate("""() => [...document.querySelector('.role-axis-label')
            .querySelectorAll('text:not([opacity="0"])')].map((text) => {
                const {left, right} = text.getBoundingClientRect(); return [left, right]; })""")
        page.close()
        gaps += [b[0] - a[1] for a, b in itertools.pairwise(boxes)]
    assert len(gaps) > 12
    assert min(gaps) > 7


@pytest.mark.parametrize(("last", "axis"), [(9_999, None), (30_000, {"tickCount": 6})])
def test_long_numbers_under_lines_are_few(last, axis):
    rows = [{"step": step, "loss": 1.0} for step in (0, last)]
    x = specification(line_chart(rows, x="step", y="loss"), "a line")["encoding"]["x"]
    assert x.get("axis") == axis


def test_stored_specification_is_plain_json():
    text = re.search(r"const spec = (.*);\n", html_of(bars(1, 2)))[1]
    assert json.loads(text)["description"] == "bars"


def drawn_lines(width):
    """A chart of three long names as it is drawn."""
    names = [f"a rather long name, {letter}" for letter in "abc"]
    rows = [{"tokens": x, "loss": 1.0, "of": name} for x in (1000, 2000) for name in names]
    spec = specification(line_chart(rows, x="tokens", y="loss", by="of"), "three lines")
    text = json.dumps(spec).replace(charts.CONTAINER_WIDTH, str(width))
    return vl_convert.vegalite_to_svg(json.loads(text) | {"width": width}, vl_version="6.4")


def test_the_numbers_at_the_ends_of_an_axis_stand_at_their_ticks():
    """One that is pushed inward ends at its tick, or begins there."""
    for number in ("1,000", "2,000"):
        assert re.search(rf'<text text-anchor="middle"[^>]*>{number}<', drawn_lines(640))


@pytest.mark.parametrize(("width", "places"), [(340, 2), (640, 3)])
def test_names_stand_in_two_columns_on_a_phone(width, places):
    legend = drawn_lines(width).partition("role-legend-entry")[2]
    entries = re.findall(r'transform="translate\(([^,]+),[^)]+\)"><path class="background"', legend)
    assert len(set(entries[1:4])) == places  # the first is that of all
