"""What a reader sees in the book's charts and pictures: its words, and its colours."""

import re
from functools import cache

import pytest
from drawing import stored_charts

from annotated_transformer.lab.figures import COLOUR_OF, PALETTE
from annotated_transformer.lab.figures.lines import colours_of
from annotated_transformer.training.recipe import shipped_recipes
from korean_charts import korean_specification
from korean_outputs import PICTURES
from korean_words import Words
from picture_notes import notes

CODE = re.compile(r"[a-z]_[a-z]|[a-z]\.[a-z]|[a-z]=\w")
STRAIGHT = re.compile(r"['\"]")
ROW = re.compile(r"[A-E]: \w+=")
"""A row of Table 3, as tables and text call it."""
NAMES = {*shipped_recipes(), "d_model"}
"""Recipes, and the slider of a size that the paper calls so."""


class Heard(Words):
    """Words that only listen."""

    def say(self, text):
        self.used.add(text.strip())
        return text


@cache
def said():
    """The words of every stored chart and picture, by the place of each."""
    found = {}
    for where, spec in stored_charts():
        words = Heard({})
        korean_specification(spec, words)
        found[where] = frozenset(words.used)
    for path in PICTURES.glob("*.png"):
        texts = notes(path).get("said", {})
        found[path.name] = frozenset({*texts, *texts.values()})
    return found


def test_there_are_words_to_look_at():
    assert len(said()) > 80
    assert "loss minus base’s (nats)" in frozenset.union(*said().values())


def test_no_name_of_the_code_stands_in_a_chart_or_a_picture():
    wrong = {
        (where, text)
        for where, texts in said().items()
        for text in texts
        if CODE.search(text) and text not in NAMES and not ROW.match(text)
    }
    assert wrong == set()


def test_apostrophes_and_quotation_marks_are_those_of_print():
    wrong = {(place, t) for place, texts in said().items() for t in texts if STRAIGHT.search(t)}
    assert wrong == set()


@pytest.mark.parametrize("axis", ["x", "y"])
def test_training_goes_by_updates(axis):
    """A step is one of a search, or how far the weights go."""
    for where, spec in stored_charts():
        channel = spec.get("encoding", {}).get(axis, {})
        assert channel.get("field") != "step" or where == "training, cell 54", where


def colour_scales(part):
    """Yield what each scale of a specification gives names: keys of PALETTE."""
    shades = {colour: name for name, colour in PALETTE.items()}
    if isinstance(part, dict):
        scale = part.get("scale")
        if isinstance(scale, dict) and {"domain", "range"} <= scale.keys():
            found = [shades.get(str(colour)) for colour in scale["range"]]
            if None not in found:
                yield dict(zip(scale["domain"], found, strict=True))
        part = [item for key, item in part.items() if key != "scale"]
    if isinstance(part, list):
        for item in part:
            yield from colour_scales(item)


def test_one_name_has_one_colour_in_all_charts():
    colours = dict(COLOUR_OF)
    for where, spec in stored_charts():
        for scale in colour_scales(spec):
            assert len(set(scale.values())) == len(scale), where
            for name in scale.keys() - PALETTE.keys():  # those are sides of a model
                colour = scale[name]
                assert colours.setdefault(name, colour) == colour, (where, name)


def test_a_name_keeps_its_colour_and_others_take_what_is_left():
    assert colours_of(["new", "greedy", "BERT", "other"]) == ["key", "source", "query", "value"]
    assert colours_of(["a", "b"]) == ["query", "key"]
    assert len(colours_of([*"abcdefg"])) == len(PALETTE)


def test_two_names_of_one_chart_never_share_a_colour():
    """The table has one colour for names that no chart shows together; another chart may."""
    assert COLOUR_OF["Transformer"] == COLOUR_OF["BERT"]
    assert colours_of(["Transformer", "BERT", "new"]) == [COLOUR_OF["BERT"], "key", "value"]
