"""What each piece of a chapter becomes in a notebook that is read."""

import nbformat
import pytest
from docutils import nodes
from sphinx.errors import SphinxError
from sphinx_exercise.nodes import solution_node, solution_title

import edition
from edition import address, cells_of
from plain_lines import PAGE, displayed
from plain_markdown import Code, Text, Writer
from reading_copies import copy_notebooks
from second_reading import PARENT

HERE = "book/attention"


def writer(**settings):
    usual = {"page": HERE, "numbers": {}, "anchors": set(), "captions": {"figure": "Fig. %s"}}
    known = {"pages": None, "known": [HERE, "book/masks"]}
    there = {"address": lambda page, name: address(HERE, page, name, **known)}
    return Writer(**usual | there | settings)


def paragraph(*parts):
    made = [nodes.Text(part) if isinstance(part, str) else part for part in parts]
    return nodes.paragraph("", "", *made)


def written(*parts, **settings):
    """Return the Markdown of blocks."""
    found = [block for part in parts for block in writer(**settings).block(part)]
    return "\n\n".join(block.markdown for block in found)


def code_node(index):
    return nodes.container(nb_element="cell_code", cell_index=index)


def section(title, *parts):
    return nodes.section("", nodes.title("", title), *parts)


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("2 * 3 * 4 and d_k", r"2 \* 3 \* 4 and d\_k"),
        ("<pad> & &lt;", "&lt;pad> & &amp;lt;"),
        ("# no heading", r"\# no heading"),
        ("1. no list", r"\1. no list"),
        ("> no quotation", r"\> no quotation"),
        ("5 $ or 6 $", r"5 \$ or 6 \$"),
    ],
)
def test_text_means_nothing_to_markdown(text, markdown):
    assert written(paragraph(text)) == markdown


@pytest.mark.parametrize(
    ("before", "inside", "after", "markdown"),
    [
        ("a ", "key", " b", "a *key* b"),
        ("", "어텐션", "은", "*어텐션*은"),
        ("", "(주의)", "는", "<em>(주의)</em>는"),
        ("so", "?", "", "so<em>?</em>"),
    ],
)
def test_italics_end_where_they_should(before, inside, after, markdown):
    node = paragraph(before, nodes.emphasis("", inside), after)
    assert written(node) == markdown


def test_code_with_backticks_and_bars():
    assert written(paragraph(nodes.literal("", "a`b"))) == "`` a`b ``"
    assert written(nodes.literal_block("", "```\n", language="text")) == "````text\n```\n\n````"
    entries = [nodes.entry("", paragraph(nodes.literal("", t))) for t in ("a|b", "c")]
    entries[1]["classes"] = ["text-right"]
    body = nodes.row("", nodes.entry("", paragraph(nodes.math("", r"|x| \|y\|"))), nodes.entry())
    group = nodes.tgroup("", nodes.thead("", nodes.row("", *entries)), nodes.tbody("", body))
    table = written(nodes.table("", group))
    rows = [r"| `a\|b` | `c` |", "| :--- | ---: |", r"| $\vert x\vert  \Vert y\Vert $ |  |"]
    assert table.split("\n") == rows


@pytest.mark.parametrize(
    ("tex", "markdown"),
    [
        ("a = b", "a = b"),
        (r"a \\ b", "\\begin{aligned}\na \\\\ b\n\\end{aligned}"),
        (r"\begin{pmatrix} 1 \\ 2 \end{pmatrix}", r"\begin{pmatrix} 1 \\ 2 \end{pmatrix}"),
        (r"\begin{align*}a \\ b\end{align*}", r"\begin{aligned}a \\ b\end{aligned}"),
        ("a\n\nb", "\\begin{aligned}\na\\\\\nb\n\\end{aligned}"),
    ],
)
def test_a_formula_has_its_lines_and_no_environment_that_numbers_them(tex, markdown):
    assert displayed(tex) == markdown


def test_every_place_that_links_ask_for_is_found():
    page = section("A", paragraph("One."), paragraph("Two."))
    page[2]["ids"] = ["two"]
    texts = [block.markdown for block in writer(anchors={"two"}).block(page)]
    assert texts == ["# A", "One.", '<a id="two" name="two"></a>', "Two."]


def test_an_equation_has_its_number_and_in_a_quotation_one_line():
    equation = nodes.math_block("", "a\n= b", ids=["eq-a"], label="eq-a", nowrap=False)
    numbers = {"displaymath": {"eq-a": (3,)}}
    settings = {"numbers": numbers, "anchors": {"eq-a"}}
    anchor = '<a id="eq-a" name="eq-a"></a>'
    assert written(equation, **settings) == f"{anchor}\n\n$$\na\n= b\n\\tag{{3}}\n$$"
    quotation = nodes.block_quote("", equation)
    assert written(quotation, **settings) == f"> {anchor}\n>\n> $$ a = b \\tag{{3}} $$"


@pytest.mark.parametrize(
    ("uri", "pages", "markdown"),
    [
        (f"{PAGE}book/masks#eq", None, "[there](masks.ipynb#eq)"),
        (f"{PAGE}book/masks#eq", "https://a.b", "[there](https://a.b/book/masks.html#eq)"),
        (f"{PAGE}book/glossary#query", None, "there"),
        (
            f"{PAGE}book/glossary#query",
            "https://a.b",
            "[there](https://a.b/book/glossary.html#query)",
        ),
        (f"{PAGE}{HERE}#eq", "https://a.b", "[there](#eq)"),
        ("https://c.d/a (b)", None, "[there](<https://c.d/a (b)>)"),
    ],
)
def test_a_link_leads_to_where_it_is_found(uri, pages, markdown):
    known = [HERE, "book/masks"]

    def find(page, name):
        return address(HERE, page, name, pages=pages, known=known)

    link = nodes.reference("", "there", refuri=uri)
    assert written(paragraph(link), address=find) == markdown


def test_what_is_unknown_is_an_error_that_says_where_to_add_it():
    with pytest.raises(SphinxError, match=r"attention: .*<image> yet \(book/_ext/plain_markdown"):
        written(nodes.image())
    with pytest.raises(SphinxError, match="no form for <generated>"):
        written(paragraph(nodes.generated()))
    with pytest.raises(SphinxError, match="no form for this HTML: <b>"):
        written(nodes.raw("", "<b>", format="html"))
    with pytest.raises(SphinxError, match="code cell 3 stands in a <block_quote>"):
        written(nodes.block_quote("", code_node(3)))


def test_a_live_figure_is_a_picture_with_its_caption_and_where_it_lives():
    html = (
        '<live-masks>\n<figure>\n<img src="_static/live/pictures/masks.png" alt="A [grid].">\n'
        '<figcaption>Two tokens <code>&lt;pad&gt;</code>. <span class="live-still">Still.</span>'
        "</figcaption>\n</figure>\n</live-masks>"
    )
    notebook = writer(address=lambda page, _: f"https://a.b/{page}.html")
    (text,) = notebook.block(nodes.raw("", html, format="html"))
    picture, caption, where = text.markdown.split("\n\n")
    assert picture == r"![A \[grid\].](attachment:masks.png)"
    assert caption == "Two tokens <code>&lt;pad></code>."
    assert "[page of this chapter](https://a.b/book/attention.html)" in where
    cell = edition.text_cell([text], "a", notebook.pictures)
    assert list(cell.attachments) == ["masks.png"]


def test_the_parts_of_a_second_reading_are_closed_and_alone_in_their_cells():
    part = section("A proof", paragraph("Because."), section("A case", paragraph("One.")))
    page = section(
        "Attention",
        section(PARENT, paragraph("All of it."), part, section("More")),
        section("After"),
    )
    blocks = list(writer().block(page))
    closed = [block.markdown for block in blocks if isinstance(block, Text) and block.closed]
    assert closed == ["### A proof", "### More"]
    cells = list(cells_of(blocks, nbformat.v4.new_notebook(), {}))
    texts = [cell.source for cell in cells]
    assert texts == [
        "# Attention",
        f"## {PARENT}\n\nAll of it.",
        "### A proof",
        "Because.",
        "#### A case\n\nOne.",
        "### More",
        "## After",
    ]
    folded = [cell.source for cell in cells if cell.metadata.get("jp-MarkdownHeadingCollapsed")]
    assert folded == closed


def test_colab_is_told_what_jupyterlab_folds(tmp_path):
    blocks = [Text("# A", heading=True), Text("### B", heading=True, closed=True), Text("b")]
    edition.write_notebook(nbformat.v4.new_notebook(), blocks, {}, tmp_path / "a.ipynb")
    notebook = nbformat.read(tmp_path / "a.ipynb", as_version=4)
    (folded,) = [c for c in notebook.cells if c.metadata.get("jp-MarkdownHeadingCollapsed")]
    assert notebook.metadata.colab == {"collapsed_sections": [folded.id]}
    assert folded.metadata.id == folded.id


def test_text_and_code_of_a_solution_are_folded_each_in_its_way():
    parts = nodes.section("", paragraph("First."), code_node(0), paragraph("Last."))
    title = solution_title("", "Solution to Exercise 3")
    blocks = list(writer().block(solution_node("", title, parts)))
    assert [type(block) for block in blocks] == [Text, Code, Text]
    for block, more, text in ((blocks[0], "", "First."), (blocks[2], ", continued", "Last.")):
        summary = f"<summary>Solution to Exercise 3{more}</summary>"
        assert block.markdown == f"<details>\n{summary}\n\n{text}\n\n</details>"
    source = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1", id="one")])
    _, cell, _ = cells_of(blocks, source, {})
    assert cell.id == "one"
    hidden = {"source_hidden": True, "outputs_hidden": True}
    assert cell.metadata == {"jupyter": hidden, "cellView": "form"}


def test_code_that_no_page_shows_is_there_and_that_of_left_out_solutions_is_not():
    cells = [nbformat.v4.new_code_cell(str(n), id=f"c-{n}") for n in range(4)]
    cells[1].metadata["tags"] = ["remove-cell"]
    source = nbformat.v4.new_notebook(cells=cells)
    found = list(cells_of([Code(0), Text("a"), Code(3)], source, {}))
    assert [cell.id for cell in found] == ["c-0", "c-0-0", "c-1", "c-3"]
    assert found[2].metadata["jupyter"]["source_hidden"]


def write(path, text, **metadata):
    cell = nbformat.v4.new_markdown_cell(text)
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata=metadata), path)


def read(path):
    return nbformat.read(path, as_version=4).cells[0].source


@pytest.fixture
def folders(tmp_path):
    """Return an edition of two chapters, and the folder of a reader."""
    built, mine = tmp_path / "built", tmp_path / "mine"
    built.mkdir()
    for name in ("a.ipynb", "b.ipynb"):
        write(built / name, "first")
    assert copy_notebooks(built, mine) == []
    return built, mine


@pytest.mark.parametrize("damaged", [False, True])
def test_a_copy_that_a_reader_changed_stays(folders, damaged):
    built, mine = folders
    if damaged:
        (mine / "a.ipynb").write_text("mine")
    else:
        write(mine / "a.ipynb", "mine")
    before = (mine / "a.ipynb").read_text()
    assert copy_notebooks(built, mine) == []  # there is nothing newer
    for name in ("a.ipynb", "b.ipynb"):
        write(built / name, "second")
    assert copy_notebooks(built, mine) == ["a.ipynb"]
    assert (mine / "a.ipynb").read_text() == before
    assert read(mine / "b.ipynb") == "second"


def test_a_copy_that_was_only_opened_and_saved_is_replaced(folders):
    """JupyterLab saves what it knows of the language, whether or not anybody changed a cell."""
    built, mine = folders
    write(mine / "a.ipynb", "first", language_info={"name": "python", "version": "3.12"})
    write(built / "a.ipynb", "second")
    assert copy_notebooks(built, mine) == []
    assert read(mine / "a.ipynb") == "second"


def test_a_file_that_was_there_before_is_a_readers(folders):
    built, mine = folders
    (mine / ".written.json").unlink()
    write(mine / "a.ipynb", "mine")
    assert copy_notebooks(built, mine) == ["a.ipynb"]
    assert read(mine / "a.ipynb") == "mine"


def test_a_renamed_copy_makes_room_for_the_newer_one(folders):
    built, mine = folders
    write(mine / "a.ipynb", "mine")
    (mine / "a.ipynb").rename(mine / "my a.ipynb")
    assert copy_notebooks(built, mine) == []
    assert [read(mine / name) for name in ("a.ipynb", "my a.ipynb")] == ["first", "mine"]
