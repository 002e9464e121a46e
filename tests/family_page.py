"""The page and the map of the family, taken apart for the tests."""

from xml.etree import ElementTree

from count_new import members
from rules import ROOT

PAGE = (ROOT / "book" / "family_tree.md").read_text("utf-8")
MAP = ElementTree.fromstring((ROOT / "book/_static/family_tree.svg").read_text("utf-8"))
OURS = {"Deformable DETR": "DeformableDETR", "GPT-2": "GPT"}
"""What a class is called, where page or map write the name otherwise."""
PAPER = ("Marian", "Transformer")
"""No members: both are `Transformer` itself."""


def tables():
    """Return the cells of each row by the name of its model, for each kind of table."""
    found, kind = {}, None
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in line[1:-1].split("|")] if line[:1] == "|" else []
        if not cells:
            kind = None
        elif kind is None:
            kind = tuple(cells)
            found.setdefault(kind, {})
        elif not set(line) <= set("| -"):
            name = cells[0].partition(" {cite:p}")[0]
            found[kind][OURS.get(name, name)] = cells[1:]
    return found


TABLES = tables()
KEEPS, LEARNS, SIZES = TABLES.values()


def links():
    """Return the address of each box on the map, by what it shows first."""
    boxes = {}
    for box in MAP.iter("a"):
        name = box.get("aria-label").partition(",")[0]
        boxes[OURS.get(name, name)] = box
    return boxes


BOXES = links()
NAMES = [*members(), *PAPER]


def marked(name):
    """Return the halves whose squares are filled, from left to right."""
    squares = [r for r in BOXES[name].iter("rect") if r.get("class") != "block"]
    assert [float(r.get("x")) for r in squares] == sorted(float(r.get("x")) for r in squares)
    assert len(squares) == 2
    return [r.get("class").removeprefix("kept ") for r in squares if r.get("class") != "left-out"]
