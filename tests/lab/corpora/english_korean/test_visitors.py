"""Sentences as a visitor might type them: written by hand before the model was trained.

`experiments/visitors/known_words.tsv` has a sentence a line, what the shipped model says, the
judgement ("right" if a Korean reader would accept it as a translation, else "wrong") and perhaps a
remark. The sentences beside it, with words that the model does not know, are those of
`experiments/doubt.py`.
"""

from pathlib import Path
from statistics import mean

from annotated_transformer import Translator
from annotated_transformer.lab.corpora.english_korean import SPLITS, english_korean, plain
from rules import ROOT

LINES = (ROOT / "experiments/visitors/known_words.tsv").read_text("utf-8").splitlines()
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
    found = translator.translations([english for english, *_ in ROWS])
    assert [each.text for each in found] == [korean for _, korean, *_ in ROWS]
    assert {judgement for *_, judgement, _ in ROWS} <= {"right", "wrong"}
    right = sum(judgement == "right" for *_, judgement, _ in ROWS)
    assert right >= 0.8 * len(ROWS)
    chapter = (ROOT / "book/train_and_translate.ipynb").read_text("utf-8")
    assert f"{right} came out right" in chapter
    assert "they use only words that the model knows" in chapter
    assert not [each.unknown_words for each in found if each.unknown_words]


def test_the_compositional_split_differs_as_the_chapter_says() -> None:
    """Its sentences are longer, and more of them have a relative clause."""
    test, compositional = english_korean("test"), english_korean("compositional")
    words = [mean(len(pair.target.split()) for pair in split) for split in (compositional, test)]
    chapter = (ROOT / "book/train_and_translate.ipynb").read_text("utf-8")
    assert "{:.1f} Korean words on average against {:.1f}".format(*words) in chapter
    relative = [
        sum(pair.construction.startswith("relative") for pair in split)
        for split in (compositional, test)
    ]
    assert relative[0] > 2 * relative[1]


def test_none_is_a_sentence_of_the_splits() -> None:
    derived = {plain(pair.source) for split in SPLITS for pair in english_korean(split, "large")}
    assert [english for english, *_ in ROWS if plain(english) in derived] == []
