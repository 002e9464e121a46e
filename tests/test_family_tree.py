"""The map of the family: every member is on it, its links lead somewhere, its arrows are right."""

import re

import pytest
from docutils.nodes import make_id
from family_page import BOXES, LEARNS, MAP, NAMES, PAGE, TABLES, marked

from count_new import members
from prose import sections
from rules import ROOT, prose, read


def shown(element):
    return " ".join("".join(element.itertext()).split())


def test_every_member_is_on_the_map_and_in_each_table():
    assert set(BOXES) == {*NAMES, "Time series and speech: further on this page"}
    for rows in TABLES.values():
        assert set(rows) == set(NAMES)
    assert len(members()) == 13


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
    """Return pairs of parent and child, each with where its arrow ends."""
    found = {}
    for path in MAP.iter("path"):
        if path.get("data-edge"):
            x = y = 0.0
            for letter, numbers in re.findall(r"([MHV])([\d. ]+)", path.get("d")):
                values = [float(n) for n in numbers.split()]
                x = values[0] if letter in "MH" else x
                y = values[-1] if letter in "MV" else y
            found[tuple(path.get("data-edge").split())] = (x, y)
    return found


def test_arrows_end_at_the_border_of_their_box():
    for (_, child), (x, y) in edges().items():
        block = next(r for r in BOXES[child].iter("rect") if r.get("class") == "block")
        left, top, width, height = (float(block.get(k)) for k in ("x", "y", "width", "height"))
        assert left - 2 < x < left + width + 2
        assert top - 2 < y < top + height + 2
        assert min(abs(x - left), abs(x - left - width), abs(y - top)) <= 1


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
