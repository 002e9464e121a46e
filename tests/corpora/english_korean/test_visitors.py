"""Sentences as a visitor might type them: written by hand before the model was trained.

`visitors.tsv` has a sentence a line, what the shipped model says, the judgement ("right" if a
Korean reader would accept it as a translation, else "wrong") and perhaps a remark.
"""

from pathlib import Path

from annotated_transformer import Translator
from annotated_transformer.corpora.english_korean import SPLITS, english_korean, plain

LINES = Path(__file__).with_name("visitors.tsv").read_text("utf-8").splitlines()
ROWS = [(line.split("\t") + [""] * 3)[:4] for line in LINES]
GOLDEN = Path(__file__).with_name("golden.tsv").read_text("utf-8").splitlines()


def test_there_are_two_hundred() -> None:
    assert len({plain(english) for english, *_ in ROWS}) == 200


def test_none_was_copied_into_the_golden_pairs() -> None:
    golden = {plain(line.split("\t")[2]) for line in GOLDEN}
    assert golden.isdisjoint(plain(english) for english, *_ in ROWS)


def test_the_shipped_model_says_what_was_judged() -> None:
    translator = Translator.load("english_korean")
    translator.model.double()  # the same choices on every machine
    said = translator([english for english, *_ in ROWS])
    assert said == [korean for _, korean, *_ in ROWS]
    assert {judgement for *_, judgement, _ in ROWS} <= {"right", "wrong"}
    assert sum(judgement == "right" for *_, judgement, _ in ROWS) >= 0.8 * len(ROWS)


def test_none_is_a_sentence_of_the_splits() -> None:
    derived = {plain(pair.source) for split in SPLITS for pair in english_korean(split, "large")}
    assert [english for english, *_ in ROWS if plain(english) in derived] == []
