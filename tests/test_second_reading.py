"""Folds: what is folded has the addresses, and its title has what it says."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document
from sphinx_exercise.nodes import solution_node

from second_reading import (
    LONGEST_RESULT,
    PARENTS,
    Body,
    BoxTitle,
    FoldedBox,
    FoldedSection,
    Result,
    fold,
    has_folds,
)

HTML = SimpleNamespace(builder=SimpleNamespace(format="html"))
PRINT = SimpleNamespace(builder=SimpleNamespace(format="latex"))


def section(title, *parts, ids=("one",)):
    return nodes.section("", nodes.title("", title), *parts, ids=list(ids))


def page(*parts, title="For a second reading"):
    document = new_document("page")
    document += section(title, nodes.paragraph("", "More."), *parts, ids=["second"])
    return document


def only(document, kind):
    (found,) = document.findall(kind)
    return found


def test_a_section_of_a_second_reading_is_folded_with_all_its_addresses():
    document = page(section("A proof", nodes.paragraph("", "It holds. So."), ids=("a", "old")))
    fold(HTML, document, "page")
    folded = only(document, FoldedSection)
    assert folded[0].astext() == "A proof"
    assert only(folded, Result).astext() == "It holds."
    assert only(folded, Body)["ids"] == ["a", "old"]
    assert only(folded, Body).astext() == "It holds. So."
    assert folded["ids"] == ["a", "old"]  # for the list of contents and the search
    button, first = document[0][2], document[0][3]
    assert "Open all" in button.astext()
    assert first is folded
    assert has_folds(document)


@pytest.mark.parametrize("heading", PARENTS)
def test_what_folds_has_one_address_whatever_its_heading_says(heading):
    document = page(section("A proof", nodes.paragraph("", "It holds.")), title=heading)
    fold(HTML, document, "page")
    assert only(document, FoldedSection)[0].astext() == "A proof"
    assert document[0]["ids"] == ["second", "for-a-second-reading"]


def test_other_sections_and_other_builders_fold_nothing():
    for app, title in ((HTML, "The idea"), (PRINT, "For a second reading")):
        document = page(section("A proof", nodes.paragraph("", "It holds.")), title=title)
        before = document.pformat()
        fold(app, document, "page")
        assert document.pformat() == before
        assert not has_folds(document)


def test_a_section_in_a_fold_is_none():
    document = page(section("A proof", section("A part of it", ids=("part",))))
    fold(HTML, document, "page")
    assert only(document, FoldedSection)[0].astext() == "A proof"


@pytest.mark.parametrize(
    ("paragraph", "result"),
    [
        ([nodes.Text("It holds. So.")], "It holds."),
        (
            [nodes.Text("By "), nodes.math("", "x.y"), nodes.Text(" it holds. So.")],
            "By x.y it holds.",
        ),
        ([nodes.Text("It holds, e.g. here. So.")], "It holds, e.g. here."),
        ([nodes.Text("It is 1.5 long.")], "It is 1.5 long."),
        ([nodes.Text("Does it "), nodes.strong("", "hold?")], "Does it hold?"),
        ([nodes.Text("It holds, as follows:")], None),
        ([nodes.Text("It holds " + "very " * (LONGEST_RESULT // 5) + "well.")], None),
        ([], None),
    ],
)
def test_the_result_is_the_first_sentence_if_it_is_one(paragraph, result):
    document = page(section("A proof", nodes.paragraph("", "", *paragraph)))
    fold(HTML, document, "page")
    found = [node.astext() for node in document.findall(Result)]
    assert found == ([result] if result else [])


def test_a_section_that_begins_with_no_paragraph_has_no_result():
    document = page(section("A proof", nodes.note("", nodes.paragraph("", "It holds."))))
    fold(HTML, document, "page")
    assert not list(document.findall(Result))


def test_a_margin_before_the_first_paragraph_is_passed_over():
    margin = nodes.sidebar("", nodes.paragraph("", "Code: here."))
    document = page(section("A proof", margin, nodes.paragraph("", "It holds. So.")))
    fold(HTML, document, "page")
    assert [node.astext() for node in document.findall(Result)] == ["It holds."]


def test_a_result_holds_no_link_and_no_address_a_second_time():
    link = nodes.reference("", "", nodes.literal("", "here", ids=["x"]), refuri="b.html")
    document = page(
        section("A proof", nodes.paragraph("", "", nodes.Text("See "), link, nodes.Text(".")))
    )
    fold(HTML, document, "page")
    result = only(document, Result)
    assert result.astext() == "See here."
    assert not list(result.findall(nodes.reference))
    assert only(result, nodes.literal)["ids"] == []
    assert only(only(document, Body), nodes.literal)["ids"] == ["x"]


@pytest.mark.parametrize("kind", [nodes.admonition, solution_node])
def test_proofs_and_solutions_of_class_dropdown_are_folded(kind):
    link = nodes.reference("", "Exercise 1", refuri="#ex")
    box = kind(
        "", nodes.title("", "", nodes.Text("Solution to "), link), nodes.paragraph("", "So.")
    )
    box["classes"], box["ids"] = ["dropdown"], ["s"]
    document = new_document("page")
    document += box
    fold(HTML, document, "page")
    folded = only(document, FoldedBox)
    assert folded["classes"] == ["dropdown", "admonition"]
    assert folded["ids"] == []
    assert only(folded, BoxTitle).astext() == "Solution to Exercise 1"
    assert not list(folded.findall(nodes.reference))
    assert (only(folded, Body)["ids"], only(folded, Body).astext()) == (["s"], "So.")


def test_what_cannot_be_folded_is_a_warning_of_the_build():
    document = new_document("page")
    document += nodes.container("", nodes.paragraph("", "So."), classes=["dropdown"])
    with pytest.MonkeyPatch.context() as patch:
        said = []
        patch.setattr("second_reading.logger.warning", lambda *words, **_: said.append(words))
        fold(HTML, document, "page")
    assert said == [("a <%s> of class dropdown is not folded", "container")]
    assert not has_folds(document)
