"""Chapters in a JupyterLab without extensions, as `make lab`, a hub and Binder open them."""

import re
import shutil

import nbformat
import pytest
from lab_server import jupyterlab

from edition import write_notebook
from languages import ANY_HANGUL
from plain_markdown import Text

CHAPTERS = ("attention", "training", "masks", "ko/masks")
RUN = "masks"
"""It loads the shipped model, has a live figure, and takes less than a minute."""
LOADED = "() => document.querySelector('.jp-Notebook .jp-MarkdownCell .jp-RenderedMarkdown h1')"
# A formula is drawn after its text; one that waits still has its dollars.
DRAWN = """() => {
    const cells = [...document.querySelectorAll('.jp-MarkdownCell')];
    return cells.length > 10 && cells.every((cell) => cell.querySelector('.jp-RenderedMarkdown'))
        && document.querySelectorAll('mjx-container').length > 10
        && ![...document.querySelectorAll('.jp-RenderedMarkdown')].some(
            ({innerText}) => /\\$\\$|\\\\(?:begin|frac|text|mathbb)/.test(innerText));
}"""
# All that is written, also in closed folds, without code.
TEXTS = """() => [...document.querySelectorAll('.jp-RenderedMarkdown')].map((cell) => {
    const copy = cell.cloneNode(true);
    copy.querySelectorAll('code, pre, mjx-container').forEach((part) => part.remove());
    return copy.textContent;
})"""
WRONG_FORMULAS = """() => [...document.querySelectorAll(
    'mjx-merror, [data-mjx-error], merror, .MathJax_Error, .katex-error')].map(
        (wrong) => wrong.getAttribute('data-mjx-error') || wrong.textContent)"""
# Beside a quotation's formula MathJax would draw the sign that begins its next line.
QUOTED = """() => [...document.querySelectorAll('blockquote')].flatMap((quotation) =>
    [...quotation.querySelectorAll('mjx-container[display] mjx-assistive-mml')]
        .map((formula) => formula.textContent))"""
OPEN = """() => [...document.querySelectorAll('.jp-RenderedMarkdown details[open]')].length"""
FOLDS = """() => [...document.querySelectorAll('.jp-RenderedMarkdown details')].length"""
HEADINGS = """() => [...document.querySelectorAll(
    '.jp-RenderedMarkdown :is(h1, h2, h3, h4, summary)')].map(({textContent}) => textContent)"""
HIDDEN = """() => [...document.querySelectorAll('.jp-CodeCell')].map((cell) => [
    !cell.querySelector('.jp-InputArea-editor')?.checkVisibility(),
    !cell.querySelector('.jp-OutputArea-output')?.checkVisibility()])"""
PICTURES = """async () => {
    const images = [...document.querySelectorAll('.jp-RenderedMarkdown img')];
    await Promise.allSettled(images.map((image) => image.decode()));
    return images.map(({naturalWidth, alt}) => naturalWidth > 100 && alt.length > 20);
}"""
DONE = """() => !document.querySelector('.jp-Notebook').textContent.includes('[*]')
    && document.querySelector('.jp-NotebookPanel-toolbar [data-status="idle"]')
    || document.querySelector('[data-mime-type="application/vnd.jupyter.error"]')"""
ERRORS = """() => [...document.querySelectorAll(
    ['error', 'stderr'].map((kind) => `[data-mime-type="application/vnd.jupyter.${kind}"]`).join()
)].map(({textContent}) => textContent)"""
RAW = re.compile(
    r"\{[\w:-]+\}|^:\w+:|:label:|:class:|```|\]\(|&lt;|\*\*|^\s*> |"
    r"</?(?:a|br|code|details|em|small|strong|summary)\b",
    re.MULTILINE,
)


def built(html, name):
    """Return where a chapter lies in the built book: "masks", or in Korean "ko/masks"."""
    edition, _, chapter = name.rpartition("/")
    return html / edition / "_sources" / "book" / f"{chapter}.ipynb"


def file_of(name):
    """Return the name of the copy that is opened."""
    return f"{name.replace('/', '-')}.ipynb"


@pytest.fixture(scope="module")
def opened(browser, html, tmp_path_factory):
    """Open a chapter and wait until it is drawn."""
    folder = tmp_path_factory.mktemp("chapters")
    parts = [Text("# A", heading=True), Text("### B", heading=True, closed=True), Text("Because.")]
    # Without a kernel JupyterLab would ask for one, in front of everything.
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": kernel})
    write_notebook(notebook, parts, {}, folder / "folds.ipynb")
    for name in CHAPTERS:
        shutil.copy(built(html, name), folder / file_of(name))
    pages = {}
    with jupyterlab(folder, "--LabApp.expose_app_in_browser=True") as open_notebook:

        def opener(name, drawn=DRAWN):
            if name not in pages:
                pages[name] = browser.new_page(viewport={"width": 1280, "height": 1000})
                open_notebook(pages[name], file_of(name))
                pages[name].wait_for_function(LOADED)
                pages[name].wait_for_function(drawn)
            return pages[name]

        yield opener
        for page in pages.values():
            page.close()


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_reads_as_on_its_page(opened, html, name):
    page = opened(name)
    texts = page.evaluate(TEXTS)
    assert [found[0] for text in texts for found in RAW.finditer(text)] == []
    assert page.evaluate(WRONG_FORMULAS) == []
    quoted = page.evaluate(QUOTED)
    assert [formula for formula in quoted if formula.lstrip().startswith(">")] == []
    cells = nbformat.read(built(html, name), as_version=4).cells
    folds = sum(cell.source.count("<details>") for cell in cells if cell.cell_type == "markdown")
    assert folds
    assert [page.evaluate(FOLDS), page.evaluate(OPEN)] == [folds, 0]
    pictures = page.evaluate(PICTURES)
    assert pictures == [True] * sum(cell.source.count("](attachment:") for cell in cells)


@pytest.mark.parametrize("name", CHAPTERS)
def test_code_of_solutions_is_hidden_with_what_it_prints(opened, html, name):
    notebook = nbformat.read(built(html, name), as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    page = opened(name)
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:expand-all-headings')")
    seen = page.evaluate(HIDDEN)
    assert len(seen) == len(cells)
    for cell, (code, output) in zip(cells, seen, strict=True):
        asked = cell.metadata.get("jupyter", {})
        assert code is asked.get("source_hidden", False)
        if cell.outputs:
            assert output is asked.get("outputs_hidden", False)


def test_a_part_of_a_second_reading_is_closed_until_it_is_opened(opened):
    page = opened("folds", "() => document.querySelector('.jp-RenderedMarkdown h3')")
    body = page.locator(".jp-RenderedMarkdown p", has_text="Because.")
    body.wait_for(state="hidden")
    page.locator(".jp-MarkdownCell:has(h3) .jp-showHiddenCellsButton").click()
    body.wait_for(state="visible")


def test_a_korean_chapter_has_korean_headings_and_the_words_of_its_solutions(opened):
    texts = opened("ko/masks").evaluate(HEADINGS)
    assert len(texts) > 20
    assert [text for text in texts if not ANY_HANGUL.search(text)] == []


def test_a_link_within_a_chapter_leads_there(opened):
    page = opened("attention")
    page.evaluate("() => document.querySelector('.jp-WindowedPanel-outer').scrollTo(0, 0)")
    link = page.locator('.jp-RenderedMarkdown a[href$="#fig-soft-dictionary"]').first
    link.click()
    page.wait_for_function(
        """() => {
            const place = document.querySelector('[id="fig-soft-dictionary"], '
                + '[data-jupyter-id="fig-soft-dictionary"]').getBoundingClientRect();
            return place.top >= 0 && place.top < window.innerHeight;
        }"""
    )


def test_all_cells_of_a_chapter_run(opened):
    page = opened(RUN)
    page.wait_for_function("() => window.jupyterapp?.commands.isEnabled('notebook:run-all-cells')")
    page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
    page.wait_for_function("() => document.body.textContent.includes('[*]')")
    page.wait_for_function(DONE)
    assert page.evaluate(ERRORS) == []
    charts = page.locator(".jp-OutputArea-output .at-chart, .jp-OutputArea-output img")
    assert charts.count() > 1
