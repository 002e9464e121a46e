"""Translations read word by word by a person, and alignments written by hand.

`golden.tsv` has a pair a line: lexicon, construction, English, Korean. It covers every construction
and every kind of negation. The English was drawn from the corpus and the Korean judged by reading.
"""

from collections import Counter
from pathlib import Path

import pytest

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.corpora.english_korean import (
    CONSTRUCTIONS,
    LARGE_CONSTRUCTIONS,
    SPLITS,
    LexiconName,
    english_korean,
    plain,
)

GOLDEN = Path(__file__).with_name("golden.tsv")
# English, and for each Korean word the positions of its English words.
ALIGNED = """
This kind friend is a musician | 0 1 2 3,4,5
His mother was not an actor | 0 1 4,5 2,3
The singer was not brave | 0 1 4 2,3
The lawyers are braver than the painter | 0 1 5 4,6 3 2,3
The woman sells the gloves | 0 1 3,4 2
The king did not leave London | 0 1 5 4 2,3
He does not know a judge | 0 4,5 1,2,3
We will not find the bag | 0 4,5 3 2 1
You are not shouting | 0 3 1 2
Yuna will laugh in the house on Monday | 0 6,7 3,4,5 2 1
I arrived at the island on Tuesday | 0 5,6 2,3,4 1
There is a woman in front of the car | 7,8 4,5,6 2,3 0,1
The puppies are not in front of the factory | 0 1 7,8 4,5,6 2,3
This wolf eats six eggs | 0 1 4 3 4 2
He did not sell the ball to their son | 0 7 6,8 4,5 3 1,2
He drew a tree with the long pencil | 0 6 4,5,7 2,3 1
The lion and the tiger chase the goat | 0 1,2 3 4 6 7 5
My son wants to play basketball | 0 1 5 4 2,3 2,3
The violin that I played was not expensive | 3 2,4 0,1 7 5,6
They do not help the soldier who opened the door | 0 8,9 6,7 4,5 3 1,2
The singer carries the box and the merchant carries a stone | 0 1 3,4 2,5 6 7 9,10 8
The cheese is not salty but the meat is salty | 0,1 4 2,3,5 6,7 8,9
I think that he cooked meat | 0 3 5 2,4 1
The dog did not eat the banana because it was too sick | 0 1,8 10 7,9,11 5,6 4 2,3
I did not read the report because it was too long | 4,5,7 9 6,8,10 0 4,5 3 1,2
"""
LARGE_ALIGNED = """
I don't go to Paris | 0 3,4 2 1
My name is John. | 0 1 2,3
Why don't you need the plates? | 2 0 4,5 3 1
Isn't she at home? | 1 2,3 0
please start work. | 2 1 0
"""


def rows(table: str) -> list[list[str]]:
    return [line.split(" | ") for line in table.strip().splitlines()]


def golden(lexicon: LexiconName) -> list[list[str]]:
    lines = (line.split("\t") for line in GOLDEN.read_text("utf-8").splitlines())
    return [rest for name, *rest in lines if name == lexicon]


def sources(lexicon: LexiconName) -> dict[str, SentencePair]:
    """Return the pairs by what all ways to type a sentence have in common."""
    return {plain(pair.source): pair for split in SPLITS for pair in english_korean(split, lexicon)}


@pytest.fixture(scope="module")
def corpus() -> dict[str, SentencePair]:
    return {pair.source: pair for split in SPLITS for pair in english_korean(split)}


@pytest.mark.parametrize("lexicon", ["small", "large"])
def test_translations(lexicon: LexiconName) -> None:
    derived = sources(lexicon)
    wrong = [
        (english, korean, derived.get(plain(english)))
        for construction, english, korean in golden(lexicon)
        if (pair := derived.get(plain(english))) is None
        or (pair.target, pair.construction) != (korean, construction)
    ]
    assert wrong == []


def test_every_construction_is_read() -> None:
    read = {name: Counter(row[0] for row in golden(name)) for name in ("small", "large")}
    assert {name: read["small"][name] for name in CONSTRUCTIONS if read["small"][name] < 4} == {}
    everyday = set(LARGE_CONSTRUCTIONS) - set(CONSTRUCTIONS)
    assert {name: read["large"][name] for name in everyday if read["large"][name] < 3} == {}
    assert sum(read["small"].values()) >= 150


def test_every_negation_is_read() -> None:
    korean = [row[2] for name in ("small", "large") for row in golden(name)]
    for ending in (
        *("지 않는다", "지 않았다", "지 않을 것이다", "지 못한다", "지 못했다", "지 못할 것이다"),
        *("모른다", "수 없다", "수 없었다", "고 싶지 않았다", "고 싶어 하지 않는다", "이 아니다"),
        *("가 아니었다", "고 있지 않다", "에 없다", "지 않다", "지 마라", "지 않니"),
    ):
        assert any(text.endswith(ending) for text in korean), ending


@pytest.mark.parametrize(("english", "positions"), rows(ALIGNED))
def test_alignment(corpus: dict[str, SentencePair], english: str, positions: str) -> None:
    assert set(corpus[english].alignment or ()) == links(positions)


def test_every_construction_has_an_alignment(corpus: dict[str, SentencePair]) -> None:
    assert {corpus[english].construction for english, _ in rows(ALIGNED)} == set(CONSTRUCTIONS)


@pytest.mark.parametrize(("english", "positions"), rows(LARGE_ALIGNED))
def test_alignment_of_what_is_typed(english: str, positions: str) -> None:
    """A contraction is one word with the links of both its parts; punctuation adds no word."""
    found = [pair for pair in english_korean("train", "large") if pair.source == english]
    assert set(found[0].alignment or ()) == links(positions)


def links(positions: str) -> set[tuple[int, int]]:
    return {(int(i), j) for j, group in enumerate(positions.split(" ")) for i in group.split(",")}
