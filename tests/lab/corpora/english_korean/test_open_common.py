"""What people say most: each line of the tables of topics, and what is made of two of them."""

import re
from random import Random

import pytest
from open_grammar import check_written, sentences, texts

from annotated_transformer.lab.corpora.english_korean import tables
from annotated_transformer.lab.corpora.english_korean.derivation import Clause, Derivation, Unfit
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.morphology import past_stem
from annotated_transformer.lab.corpora.english_korean.open import common, slots
from annotated_transformer.lab.corpora.english_korean.open.lexicon import TOPICS, open_lexicon

TABLES = sorted(f"common_{topic}" for topic in TOPICS)
FLAGS = set("pdcbweu")
SHORT = re.compile(r"\b(don't|doesn't|didn't|isn't|can't|won't|I'm|it's|let's|I've|I'll)\b", re.I)


def own_lists(name: str) -> set[str]:
    """The slots that a table fills itself."""
    return {h.removesuffix(" words") for h in tables.sections(name) if h.endswith(" words")}


def made(line: common.Line, seed: int = 4) -> Clause:
    """A sentence of the line; some fillings do not fit."""
    random = Random(seed)
    for _ in range(300):
        try:
            return common._sentence(Derivation(random, open_lexicon()), line)
        except Unfit:
            continue
    raise AssertionError(f"{line} never fits")


@pytest.mark.parametrize("name", TABLES)
def test_a_line_has_its_slots_on_both_sides_and_each_is_known(name: str) -> None:
    known = {"who", *own_lists(name), *slots.SLOTS}
    for english, korean in tables.rows(name, "patterns", (2,)):
        named = [re.findall(r"\{(\w+)", side) for side in (english, korean)]
        assert sorted(named[0]) == sorted(named[1]), english
        assert len(set(named[0])) == len(named[0]) > 0, english
        assert known.issuperset(named[0]), english
        assert not re.search(r"\}(?!'s,?$|,$|$|'s |, | )", english), english
        assert not re.search(r"\}(?! |$)", korean), korean


@pytest.mark.parametrize("name", TABLES)
def test_english_is_written_out_and_korean_is_plain(name: str) -> None:
    for heading in ("phrases", "patterns"):
        for english, korean in tables.rows(name, heading, (2,)):
            assert not SHORT.search(english), english
            assert not re.search(r"[.?!]$", english + korean), english
            assert not re.search("[A-Za-z]", re.sub(r"\{\w+", "", korean)), korean
            assert not re.search(r"(습니다|습니까|세요|어요|아요)$", korean), korean


@pytest.mark.parametrize("name", TABLES)
def test_a_deed_has_four_forms_a_stem_and_known_flags(name: str) -> None:
    for forms, korean, irregular, flags in tables.rows(name, "deeds", (4,)):
        assert len(forms.split()) >= 4, forms
        assert set(flags.strip("-")) <= FLAGS, flags
        stem = korean.rsplit(" ", 1)[-1]
        assert past_stem(stem, irregular.strip("-")), korean
        assert endings.finished(endings.verb(korean, irregular.strip("-"), 1), "present", "다")


@pytest.mark.parametrize("topic", TOPICS)
def test_each_line_makes_a_sentence_without_signs_of_the_table(topic: str) -> None:
    lines = [line for line in common.lines() if line[0] == topic]
    assert len(lines) > 150
    check_written(texts(made(line)) for line in lines)


@pytest.mark.parametrize("name", ["common", "common_joined", "common_thought"])
def test_particles_and_marks(name: str) -> None:
    check_written(sentences(name, seed=9, count=500))


def test_two_sentences_are_joined_by_the_ending_that_says_so() -> None:
    joints = {" but ": "지만 ", " and ": "고 ", "because": "기 때문에 "}
    seen = set()
    for english, korean in sentences("common_joined", seed=5, count=300):
        endings_there = {joint for joint in joints if joints[joint] in korean}
        assert any(joint in f"{english} " or english.startswith("because") for joint in joints)
        assert endings_there, korean
        seen |= endings_there
    assert seen == set(joints)


def test_what_is_thought_is_quoted() -> None:
    for english, korean in sentences("common_thought", seed=5, count=200):
        assert re.match(r"I (think|heard) ", english)
        assert re.match(r"나는 .*(다고|라고) (생각한다|들었다)$", korean), korean


def test_all_deeds_of_the_tables_are_in_the_lexicon() -> None:
    listed = [row for name in TABLES for row in tables.rows(name, "deeds", (4,))]
    assert set(listed) <= set(open_lexicon().deeds)
