"""Drawings of a page in Korean: every label has its Korean, says it aloud, and fits its box."""

import re
from functools import cache
from xml.etree import ElementTree

import pytest
import yaml
from fontTools.ttLib import TTFont

from annotated_transformer.lab.figures.charts import FONT_DIRECTORY
from korean_drawings import drawings_of, korean_drawing
from korean_words import BOOK, FOLDER, Words, words_of
from web_fonts import FONTS

PAGES = [path.stem for path in sorted(BOOK.glob("*.md")) if list(drawings_of(path.stem))]
SIZE = re.compile(r"\.([\w-]+) \{[^}]*font-size: ([\d.]+)px")
FACES = [FONTS / "AnnotatedSans-Bold.otf", FONTS / "AnnotatedSansKR-Bold.otf"]
SVG = """<svg class="at-a" aria-labelledby="t"><title id="t">Two
    boxes</title><style>text { fill: red }</style>
  <a href="masks.html" aria-label="BERT, 2019: fills gaps; keeps both">
    <rect class="block" x="0" y="0"/><text x="1"><tspan>BERT</tspan> 2019</text>
    <text x="1">fills gaps</text></a></svg>"""
SAY = {"Two boxes": "상자 둘", "fills gaps": "빈칸 채우기", "keeps both": "둘 다 남긴다"}


def test_only_what_is_read_of_a_drawing_changes():
    words = Words(SAY, {"BERT"})
    found = korean_drawing(SVG, words)
    assert found == (
        SVG.replace("Two\n    boxes", "상자 둘").replace(">fills gaps<", ">빈칸 채우기<")
        .replace("BERT, 2019: fills gaps; keeps both", "BERT, 2019. 빈칸 채우기. 둘 다 남긴다")
    )  # fmt: skip
    assert not words.missing


def test_a_label_without_korean_is_told():
    words = Words({key: SAY[key] for key in ("Two boxes", "keeps both")}, {"BERT"})
    korean_drawing(SVG, words)
    assert list(words.missing) == ["fills gaps"]


@cache
def in_korean(name):
    """The drawings of a page in Korean, and the words that were asked for."""
    words = words_of(name, pictures=True)
    return [ElementTree.fromstring(korean_drawing(svg, words)) for svg in drawings_of(name)], words


def test_the_map_of_the_family_and_that_of_the_model_are_drawings():
    assert PAGES == ["family_tree", "index"]


@pytest.mark.parametrize("name", PAGES)
def test_each_label_has_its_korean_and_each_korean_its_label(name):
    """A word that a drawing has lost, or has got, is one here that has no place."""
    _, words = in_korean(name)
    assert list(words.missing) == []
    table = yaml.safe_load((FOLDER / f"{name}.yml").read_text(encoding="utf-8"))
    assert {*table["pictures"], *table["keep"]} - words.used == set()


def lines_of(box):
    return [line_of(text) for text in box.iter("text")]


def line_of(text):
    return " ".join("".join(text.itertext()).split())


@pytest.mark.parametrize("name", PAGES)
def test_what_a_box_shows_is_said_aloud(name):
    """By a screen reader, and by who asks a computer to press on what is written there."""
    drawings, _ = in_korean(name)
    boxes = [box for svg in drawings for box in svg.iter("a") if box.get("aria-label")]
    assert boxes
    for box in boxes:
        said = set(re.findall(r"\w+", box.get("aria-label")))
        assert set(re.findall(r"\w+", " ".join(lines_of(box)))) <= said, box.get("aria-label")


@cache
def advances():
    """The width of each character, of a font size of 1."""
    found = {}
    for path in (FONT_DIRECTORY / "AnnotatedSansKR-Regular.otf", *FACES[::-1]):
        with TTFont(path) as font:
            widths, unit = font["hmtx"].metrics, font["head"].unitsPerEm
            found |= {code: widths[glyph][0] / unit for code, glyph in font.getBestCmap().items()}
    return found


def covers(svg, y, start, end):
    """Whether a box stands where a line is written."""
    for box in svg.iter("rect"):
        if "block" in box.get("class").split():
            left, top, width, height = (float(box.get(k)) for k in ("x", "y", "width", "height"))
            if left < end and start < left + width and top < y < top + height:
                return True
    return False


@pytest.mark.parametrize("name", PAGES)
def test_each_label_lies_within_its_box(name):
    """One that belongs to none lies within the drawing, on no box; all in bold letters."""
    drawings, _ = in_korean(name)
    for svg in drawings:
        sizes = {key: float(size) for key, size in SIZE.findall("".join(svg.itertext()))}
        centred = "text-anchor: middle; font-family" in svg.find("style").text
        end = float(svg.get("viewBox").split()[2])
        boxes = {text: box.find("rect") for box in svg.iter("a") for text in box.iter("text")}
        for text in svg.iter("text"):
            kinds = set(text.get("class").split())
            size = next(sizes[kind] for kind in sizes if kind in kinds)
            width = size * sum(advances()[ord(letter)] for letter in line_of(text))
            start = float(text.get("x"))
            if "end" in kinds:
                start -= width
            elif "middle" in kinds or (centred and not kinds & {"left", "stack-name"}):
                start -= width / 2
            box = boxes.get(text)
            assert box is not None or not covers(svg, float(text.get("y")), start, start + width)
            left = 0 if box is None else float(box.get("x"))
            right = end if box is None else left + float(box.get("width"))
            assert left <= start, line_of(text)
            assert start + width <= right, line_of(text)
