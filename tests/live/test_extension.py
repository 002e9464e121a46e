"""The Sphinx extension: scripts, addresses and weights, on a small book of its own."""

import pytest
from live_weights import read_folder
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from live_figures import ENGINE
from rules import ROOT

FIGURE = """.. raw:: html

   <live-{}>
   <figure><img src="_static/live/pictures/a.png" alt="a"><figcaption>b</figcaption></figure>
   </live-{}>
"""
BARE = """.. raw:: html

   <img src="_static/live/pictures/a.png" alt="a">
"""


@pytest.fixture
def build(tmp_path):
    """Build a book of these pages, by name; return its folder."""

    def builder(pages):
        source, out = tmp_path / "source", tmp_path / "out"
        (source / "deep").mkdir(parents=True)
        tree = "".join(f"   {name}\n" for name in pages)
        (source / "index.rst").write_text(f"Book\n====\n\n.. toctree::\n\n{tree}")
        for name, text in pages.items():
            (source / f"{name}.rst").write_text(f"{name}\n{'=' * len(name)}\n\n{text}")
        settings = {"extensions": ["live_figures"], "html_static_path": [f"{ROOT}/book/_static"]}
        app = Sphinx(
            source, None, out, tmp_path / "trees", "html", settings, status=None, warning=None
        )
        app.add_js_file("theme_of_a_book.js")
        app.build()
        return out

    return builder


def test_a_page_with_a_figure_loads_what_it_needs_and_others_nothing(build):
    figure = FIGURE.format("pronoun", "pronoun")
    record = FIGURE.format("training", "training")
    out = build({"deep/with": f"{figure}\n{figure}", "without": BARE, "recorded": record})
    page = (out / "deep" / "with.html").read_text("utf-8")
    scripts = [f"../_static/live/{file}" for file in (*ENGINE, "figures/pronoun.js")]
    places = [page.index(f'<script defer="defer" src="{script}') for script in scripts]
    assert places == sorted(places)
    assert page.count("figures/pronoun.js") == 1
    # The theme's script looks once for what is wide: as one of a priority that nobody has chosen.
    assert places[-1] < page.index("theme_of_a_book.js")
    assert page.count('<img src="../_static/live/pictures/a.png"') == 2
    assert "../_static/live/live.css" in page
    assert "weights" not in page
    other = (out / "without.html").read_text("utf-8")
    assert 'img src="_static/live' in other
    assert ".js" in other
    assert "live.js" not in other
    assert "live.css" not in other
    recorded = (out / "recorded.html").read_text("utf-8")
    shown = "live/records/translations_in_training.js"
    assert recorded.index("live/live.js") < recorded.index(shown)
    assert f"{shown}?v=" in recorded  # no browser shows an older one
    assert recorded.index(shown) < recorded.index("live/figures/training.js")
    assert "records" not in page
    assert (out / "_static" / shown).is_file()
    header, _ = read_folder(out / "_static" / "live" / "weights")
    assert header["config"]["d_model"] == 128


def test_a_figure_in_several_files_loads_them_before_its_own(build):
    out = build({"a": FIGURE.format("journey", "journey")})
    page = (out / "a.html").read_text("utf-8")
    own = ("map/draw.js", "journey/paint.js", "journey/steps.js", "journey.js")
    files = ("live.js", *(f"figures/{file}" for file in own))
    places = [page.index(f'src="_static/live/{file}') for file in files]
    assert places == sorted(places)
    assert all((out / "_static" / "live" / file).is_file() for file in files)


def test_a_figure_without_a_script_stops_the_build(build):
    message = "a has <live-taking-off>, and there is no _static/live/figures/taking_off.js"
    with pytest.raises(ExtensionError, match=message):
        build({"a": FIGURE.format("taking-off", "taking-off")})
