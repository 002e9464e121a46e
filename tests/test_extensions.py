"""The book's Sphinx extensions: addresses from the environment, line numbers from the files."""

import ast
from types import SimpleNamespace

import pytest
from docutils import nodes
from PIL import Image
from sphinx.errors import ConfigError, ExtensionError
from sphinx_exercise.nodes import exercise_node, solution_node

from formulas import as_words, mathjax_folder
from long_names import breaking_names
from offline_assets import vega_bundle
from pictures import lazy_pictures
from repository import Repository, add_launch_buttons
from rules import ROOT
from solutions import leave_out
from source_links import line_range, location

VARIABLES = [
    "REPOSITORY_URL",
    "REPOSITORY_BRANCH",
    "REPOSITORY_COMMIT",
    "LAUNCH_BRANCH",
    "PAGES_URL",
    "BINDERHUB_URL",
    "JUPYTERHUB_URL",
    "GITHUB_SERVER_URL",
    "GITHUB_REPOSITORY",
    "GITHUB_SHA",
]
TITLE = (
    '<div class="at-source" data-file="annotated_transformer/attention.py" data-object="{}">'
    '<div class="at-source-title">title'
)


@pytest.fixture
def environment(monkeypatch):
    """Set exactly the given address variables."""

    def setter(**values):
        for name in VARIABLES:
            monkeypatch.delenv(name, raising=False)
        for name, value in values.items():
            monkeypatch.setenv(name, value)
        return Repository.from_environment()

    return setter


def test_no_address_no_repository(environment):
    assert environment() is None


def test_address_by_hand(environment):
    repository = environment(REPOSITORY_URL="https://github.com/a/b.git", REPOSITORY_COMMIT="c0")
    assert repository.permalink("x/y.py", 3, 7) == "https://github.com/a/b/blob/c0/x/y.py#L3-L7"
    colab = "https://colab.research.google.com/github/a/b/blob/launch/book/attention.ipynb"
    assert repository.colab("book/attention.ipynb") == colab


def test_address_on_github_actions(environment):
    repository = environment(
        GITHUB_SERVER_URL="https://github.com", GITHUB_REPOSITORY="fork/b", GITHUB_SHA="c0ffee"
    )
    assert (repository.url, repository.commit) == ("https://github.com/fork/b", "c0ffee")


def test_colab_opens_only_github(environment):
    repository = environment(REPOSITORY_URL="https://example.org/a/b", REPOSITORY_COMMIT="c0")
    assert repository.colab("book/attention.ipynb") is None


def test_an_invalid_address_is_refused(environment):
    with pytest.raises(ConfigError, match="'git@somewhere:a/b', expected an address with https"):
        environment(REPOSITORY_URL="git@somewhere:a/b")


@pytest.mark.parametrize(
    ("variables", "pages"),
    [
        ({"REPOSITORY_URL": "https://github.com/Ann/book.git"}, "https://ann.github.io/book"),
        ({"REPOSITORY_URL": "https://github.com/Ann/ann.github.io"}, "https://ann.github.io"),
        ({"REPOSITORY_URL": "https://example.org/a/b"}, None),
        (
            {"REPOSITORY_URL": "https://github.com/a/b", "PAGES_URL": "https://c.d/e/"},
            "https://c.d/e",
        ),
    ],
)
def test_the_pages_have_an_address(environment, variables, pages):
    assert environment(**variables, REPOSITORY_COMMIT="c0").pages == pages


def test_an_address_of_a_hub_has_to_be_one(environment):
    with pytest.raises(ConfigError, match="BINDERHUB_URL is 'mybinder', expected an address"):
        environment(
            REPOSITORY_URL="https://github.com/a/b", REPOSITORY_COMMIT="c", BINDERHUB_URL="mybinder"
        )


def test_services_that_run_a_chapter(environment):
    there = {"REPOSITORY_URL": "https://github.com/a/b", "REPOSITORY_COMMIT": "c0"}
    repository = environment(**there, JUPYTERHUB_URL="https://hub.edu/")
    assert repository.launches("book/masks.ipynb") == {
        "Colab": "https://colab.research.google.com/github/a/b/blob/launch/book/masks.ipynb",
        "Binder": "https://mybinder.org/v2/gh/a/b/launch?urlpath=lab%2Ftree%2Fbook%2Fmasks.ipynb",
        "JupyterHub": "https://hub.edu/hub/user-redirect/git-pull?repo=https%3A%2F%2Fgithub.com"
        "%2Fa%2Fb&branch=launch&urlpath=lab%2Ftree%2Fb%2Fbook%2Fmasks.ipynb",
    }
    there["REPOSITORY_URL"] = "https://example.org/a/b"
    assert environment(**there).launches("book/masks.ipynb") == {}
    elsewhere = environment(**there, BINDERHUB_URL="https://binder.edu")
    (address,) = elsewhere.launches("book/masks.ipynb").values()
    assert address.startswith("https://binder.edu/v2/git/https%3A%2F%2Fexample.org%2Fa%2Fb/launch?")


@pytest.mark.parametrize(("suffix", "buttons"), [(".ipynb", 1), (".md", 0)])
def test_launch_buttons_stand_on_chapters_that_run(environment, suffix, buttons):
    environment(REPOSITORY_URL="https://github.com/a/b", REPOSITORY_COMMIT="c0")
    context = {"page_source_suffix": suffix, "header_buttons": []}
    add_launch_buttons(None, "book/attention", "page.html", context, None)
    assert len(context["header_buttons"]) == buttons


def test_lines_are_those_of_the_file():
    file = "annotated_transformer/attention.py"
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    first, last = line_range(file, "MultiHeadAttention.forward")
    assert lines[first - 1].strip().startswith("def forward(")
    ast.parse("class Around:\n" + "\n".join(lines[first - 1 : last]))
    file = "annotated_transformer/inspection.py"
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    first, _ = line_range(file, "record_attention")
    assert lines[first - 1].startswith("@"), "the decorator belongs to the object"


def test_lines_of_a_module_are_all_of_its_file():
    file = "annotated_transformer/minimal.py"
    last = len((ROOT / file).read_text(encoding="utf-8").splitlines())
    title = TITLE.replace("attention.py", "minimal.py").replace(' data-object="{}"', "")
    assert line_range(file, "") == (1, last)
    assert f"lines 1\N{EN DASH}{last} <button" in location(title, None)


def test_a_shown_object_that_no_longer_exists_stops_the_build():
    with pytest.raises(ExtensionError, match=r"attention\.py defines no gone"):
        line_range("annotated_transformer/attention.py", "gone")


def test_location_is_a_link_only_when_the_address_is_known(environment):
    title = TITLE.format("attention")
    first, last = line_range("annotated_transformer/attention.py", "attention")
    assert location(title, None).startswith(
        f' <span class="at-source-lines">lines {first}\N{EN DASH}{last} <button'
    )
    repository = environment(REPOSITORY_URL="https://github.com/a/b", REPOSITORY_COMMIT="c0")
    link = repository.permalink("annotated_transformer/attention.py", first, last)
    assert f'href="{link}"' in location(title, repository)


def test_assets_come_from_installed_packages():
    assert (mathjax_folder() / "output" / "chtml" / "fonts" / "woff-v2").is_dir()
    assert "window.vegaLoaded(" in vega_bundle()


@pytest.mark.parametrize(
    ("tex", "words"),
    [
        (r"d_{\text{model}}", "d_model"),
        (r"\textcolor{#0072B2}{q} \cdot \textcolor{#D55E00}{k}", "q \N{DOT OPERATOR} k"),
        (r"e^{\text{score}}", "e^score"),
        (r"d_k = d_v", "d_k = d_v"),
    ],
)
def test_a_header_of_a_formula_has_its_letters_for_a_name(tex, words):
    assert as_words(tex) == words


@pytest.mark.parametrize("shown", [True, False])
def test_solutions_are_left_out_if_the_configuration_says_so(shown):
    page = nodes.document(None, None)
    page += [exercise_node(), solution_node("", nodes.paragraph("", "Because."))]
    leave_out(SimpleNamespace(config=SimpleNamespace(solutions_shown=shown)), page)
    assert [type(node) for node in page.children] == [exercise_node] + [solution_node] * shown


@pytest.mark.parametrize(("width", "least"), [(300, None), (716, 609)])
@pytest.mark.parametrize(("pixels", "style"), [(1, ""), (2, ' style="width: {}px;"')])
def test_a_wide_picture_keeps_a_size_at_which_it_is_read(tmp_path, width, least, pixels, style):
    """It is put into a box that scrolls; a chart, which is drawn anew for a phone, is not."""
    images = tmp_path / "_images"
    images.mkdir()
    Image.new("RGB", (pixels * width, pixels * 50)).save(images / "a.png")
    html = f'<img alt="a" src="../_images/a.png"{style.format(width)} />'
    page = tmp_path / "book" / "a.html"
    page.parent.mkdir()
    found = lazy_pictures(html, page, tmp_path)
    assert ("pst-scrollable-table-container" in found) == (least is not None)
    assert (f"--at-least: {least}px" in found) == (least is not None)
    assert lazy_pictures(found, page, tmp_path) == found
    assert f'width="{width}" height="50"' in found
    chart = f'<img class="at-picture" width="{width}" src="../_images/a.png">'
    assert "scrollable" not in lazy_pictures(chart, page, tmp_path)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("annotated_transformer.masks", "annotated_ transformer. masks"),
        ("tests/test_masks.py::test_rows_sum", "tests/ test_ masks. py:: test_ rows_ sum"),
        ("torch.nn.functional.__init__", "torch. nn. functional. __init__"),
        ("Transformer(config).count_all()", "Transformer(config). count_ all()"),
        ("0.123456.789012345", "0.123456.789012345"),
        ("short_name.py", "short_name.py"),
        ("lab/analysis/heads.py", "lab/ analysis/ heads.py"),
    ],
)
def test_a_long_name_breaks_after_what_joins_its_parts(name, parts):
    html = f'<code><span class="pre">{name}</span></code>'
    found = breaking_names(html)
    assert found == html.replace(name, parts.replace(" ", "<wbr>"))
    assert breaking_names(found) == found
