"""The rules for what people do, what happens, what state things are in, and what kinds do."""

import pytest
from open_grammar import check_said, check_written, sentences

from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_lexicon

COUNT = 600
NAMES = (
    *("doing", "thing_happened", "in_state", "such", "disaster", "kinds_do", "classed"),
    *("painted", "ill", "lost_there"),
)


@pytest.mark.parametrize("name", NAMES)
def test_particles_and_marks(name: str) -> None:
    check_written(sentences(name, seed=9, count=COUNT))


# The rule, what its English says, and what the Korean then has.
SAID = (
    ("doing", r"\bdownload", r"내려받"),
    ("doing", r"^(I|she|he|the \w+) landed on", r"에 .*착륙했다$"),
    ("doing", r"\bfell asleep\b", r"에서 .*잠들었"),
    ("doing", r"\b(saxophone|trumpet|flute|clarinet|harmonica)\b", r"[을를] (불|부|분)"),
    ("thing_happened", r"\bvolcano erupted\b", r"화산은 .*폭발했다$"),
    ("in_state", r"\bis (still )?locked$", r"잠겨 있(다|니)$"),
    ("in_state", r"\bis not (alive|awake|locked|open)$", r" 있지 않다$"),
    ("in_state", r"^(my|your|the) (phone|computer|printer|TV|machine) is broken$", r"고장 났다$"),
    ("such", r"\bis not (selfish|creative|romantic|emotional)$", r"적이지 않다$"),
    ("such", r"\bwas free$", r"무료였(다|니)$"),
    ("disaster", r"\bwas a fire\b", r"불이 났다$"),
    ("disaster", r"\bwas an earthquake\b", r"지진이 있었다$"),
    ("kinds_do", r"^bees make honey$", r"벌은 꿀을 만든다$"),
    ("kinds_do", r"^do .* live in", r"에 사니$"),
    ("kinds_do", r"cannot fly$", r"날 수 없다$"),
    ("classed", r"^whales are mammals$", r"^고래는 포유류다$"),
    ("classed", r"\bnot a planet$", r"행성이 아니다$"),
    ("painted", r"painted the .* green\b", r"초록색으로 칠했다$"),
    ("painted", r"dyed my hair\b", r"머리를 .*로 염색했다$"),
    ("ill", r"^(I have|he has) the flu$", r"독감에 걸렸다$"),
    ("lost_there", r"\blost .* on the subway$", r"지하철에서 .* 잃어버렸다$"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "english", "korean"), SAID)
def test_what_is_said(name: str, english: str, korean: str) -> None:
    check_said(sentences(name, seed=9, count=COUNT), english, korean)


def test_an_object_has_one_verb() -> None:
    lexicon = open_lexicon()
    lines: dict[str, list[int]] = {}
    for i, verb in enumerate(lexicon.transitive):
        lines.setdefault(verb.english, []).append(i)
    for english, of_verb in lines.items():
        for noun in lexicon.all_nouns:
            korean = {
                lexicon.transitive[i].korean for i in of_verb if lexicon.transitive[i].selects(noun)
            }
            assert len(korean) <= 1, (english, noun.english, korean)


def test_nouns_have_one_translation() -> None:
    known: dict[str, str] = {}
    for noun in open_lexicon().all_nouns:
        assert known.setdefault(noun.english.lower(), noun.korean) == noun.korean, noun
