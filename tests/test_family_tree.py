"""The map of the family: every member is on it, its links lead somewhere, its arrows are right."""

import re
from itertools import pairwise

import pytest
from docutils.nodes import make_id
from family_page import BOXES, LEARNS, MAP, NAMES, PAGE, TABLES, marked

from count_new import members
from prose import sections
from rules import ROOT, prose, read


def shown(element):
    return " ".join("".join(element.itertext()).split())


def test_every_member_is_on_the_map_and_in_each_table():
    assert set(BOXES) == {*NAMES, "Not built: time series and speech"}
    for rows in TABLES.values():
        assert set(rows) == set(NAMES)
    assert len(members()) == 14


def test_no_table_is_too_wide_for_a_phone():
    assert [len(kind) for kind in TABLES] == [4, 4, 4]
    assert all(len(cells) == 3 for rows in TABLES.values() for cells in rows.values())


@pytest.mark.parametrize("name", BOXES)
def test_a_box_leads_to_a_section_that_there_is(name):
    page, _, anchor = BOXES[name].get("href").partition("#")
    source = next((ROOT / "book").glob(f"{page.removesuffix('.html') or 'family_tree'}.*"))
    text = prose(read(source)) if source.suffix == ".ipynb" else source.read_text("utf-8")
    titles = {make_id(section.title) for section in sections(text)}
    assert not anchor or anchor in titles


@pytest.mark.parametrize("name", [*members(), "Marian"])
def test_map_and_table_lead_to_the_same_section(name):
    page, _, slug = re.search(r"\((\w+)(\.ipynb)#([\w-]+)\)", LEARNS[name][2]).groups()
    # In Markdown an apostrophe is left out of an address, in the built page it is a hyphen.
    assert BOXES[name].get("href").replace("-s-", "s-") == f"{page}.html#{slug}".replace(
        "-s-", "s-"
    )


@pytest.mark.parametrize("name", members())
def test_years_are_those_of_the_papers_that_the_code_follows(name):
    label = BOXES[name].get("aria-label")
    assert re.search(r", (\d{4}):", label)[1] == members()[name].source.split()[-1]


@pytest.mark.parametrize("name", [*members(), "Marian"])
def test_a_box_says_aloud_what_it_shows(name):
    title, year, new, half = re.fullmatch(
        r"(.+), (\d{4}): (.+); keeps (.+)", BOXES[name].get("aria-label")
    ).groups()
    lines = " ".join(shown(text) for text in BOXES[name].iter("text"))
    assert lines == f"{title} {year} {new}"
    assert (
        half
        == {
            ("encoder", "decoder"): "encoder and decoder",
            ("encoder",): "the encoder",
            ("decoder",): "the decoder",
        }[tuple(marked(name))]
    )


# --- arrows


def edges():
    """Return pairs of parent and child, each with the corners of its line from start to end."""
    found = {}
    for path in MAP.iter("path"):
        if path.get("data-edge"):
            corners = [(0.0, 0.0)]
            for letter, numbers in re.findall(r"([MHV])([\d. ]+)", path.get("d")):
                values, (x, y) = [float(n) for n in numbers.split()], corners[-1]
                x, y = values[0] if letter in "MH" else x, values[-1] if letter in "MV" else y
                corners.append((x, y))
            found[tuple(path.get("data-edge").split())] = corners[1:]
    return found


def border(name):
    """Return the corners of a box, around and back to the first."""
    block = next(r for r in BOXES[name].iter("rect") if r.get("class").startswith("block"))
    x, y, width, height = (float(block.get(k)) for k in ("x", "y", "width", "height"))
    right, low = x + width, y + height
    return [(x, y), (right, y), (right, low), (x, low), (x, y)]


def lies_on(point, corners):
    """Return whether a point lies on a line with these corners, up to one unit."""
    return any(
        min(a, c) - 1 <= point[0] <= max(a, c) + 1 and min(b, d) - 1 <= point[1] <= max(b, d) + 1
        for (a, b), (c, d) in pairwise(corners)
    )


def test_an_arrow_leads_from_its_parent_to_its_child():
    """It starts at the parent's box, or at another line that comes from there."""
    for (parent, child), corners in edges().items():
        assert lies_on(corners[-1], border(child))
        siblings = [c for (p, other), c in edges().items() if p == parent and other != child]
        assert any(lies_on(corners[0], line) for line in [border(parent), *siblings])


def test_every_model_has_a_parent_that_is_not_younger():
    year = {
        n: int(re.search(r"\d{4}", box.get("aria-label"))[0])
        for n, box in BOXES.items()
        if n in NAMES
    }
    for parent, child in edges():
        assert year[parent] <= year[child]
    assert {child for _, child in edges()} == set(NAMES) - {"Transformer"}


def test_a_class_that_is_made_of_another_has_an_arrow_from_it():
    kinds = members()
    for name, kind in kinds.items():
        for other, base in kinds.items():
            if base in kind.__bases__:
                assert (other, name) in edges()


def test_every_row_of_sizes_names_its_source():
    rows = [line for line in PAGE.splitlines() if "{cite:p}" in line and line.startswith("|")]
    assert len(rows) == len(NAMES)
    keys = [re.search(r"`(\w+)`", row)[1] for row in rows]
    assert len(set(keys)) == len(keys)
    known = (ROOT / "book" / "references.bib").read_text("utf-8")
    assert all(f"{{{key}," in known for key in keys)
