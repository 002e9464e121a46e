"""Greetings, names, titles, families and whose something is, in the open lexicon."""

import re

import pytest
from open_grammar import sentences

from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_lexicon, open_phrases

RULES = (
    *("open_greeting", "open_asked_about", "open_addressed", "open_introducing", "open_naming"),
    *("open_title", "open_affection", "open_living", "open_planned", "open_named"),
    *("open_made_of", "open_of_children", "open_owned_place", "open_about", "open_attention"),
    "open_compared",
)


def derived(name: str) -> dict[str, str]:
    """Return 300 sentences of the rule with their translations."""
    return dict(sentences(name, seed=1706, count=300))


def told(name: str, pattern: str) -> list[tuple[re.Match[str], str]]:
    """Return what matches the pattern, with its translation; there must be some."""
    found = [
        (match, korean)
        for english, korean in derived(name).items()
        if (match := re.fullmatch(pattern, english))
    ]
    assert found
    return found


def korean_of(name: str) -> str:
    (found,) = (n.korean for n in open_lexicon().nouns("name") if n.english == name)
    return found


@pytest.mark.parametrize("name", RULES)
def test_a_question_ends_in_ni(name: str) -> None:
    first = re.compile(r"(is|are|am|do|does|did|will|what|how) ")
    for english, korean in derived(name).items():
        if name not in ("open_greeting", "open_addressed") and first.match(english):
            assert korean.endswith("니"), (english, korean)


def test_only_a_question_ends_in_ni() -> None:
    """A sentence in 니 is typed with a question mark, which "hello, Grandma" must not have."""
    asking = re.compile(r"\b(how are|how is|what is)\b")
    for english, korean in derived("open_greeting").items():
        assert bool(asking.search(english)) == korean.endswith("니"), (english, korean)


def test_a_name_is_called_where_it_stands_but_before_a_question() -> None:
    for match, korean in told("open_greeting", r"(hello|hi|hey),? (\w+)"):
        if match[2] in {noun.english for noun in open_lexicon().nouns("name")}:
            assert korean == f"안녕 {korean_of(match[2])}"
    for match, korean in told("open_greeting", r"how are you(?: today| doing)?, (Mom|Dad)"):
        assert korean.startswith({"Mom": "엄마", "Dad": "아빠"}[match[1]])


def test_elders_are_not_called_you() -> None:
    for _, korean in told("open_addressed", r".*\b(?:Mom|Dad|Grandma|Grandpa)\b.*"):
        assert not {"너는", "네", "너에게", "네가"} & set(korean.split())


def test_one_comes_from_where_one_is_from() -> None:
    for _, korean in told("open_introducing", r".* (?:am|is|come|comes) from [\w ]+"):
        assert korean.endswith("에서 왔다")


def test_a_name_is_that_of_somebody_of_the_same_sex() -> None:
    pattern = r"(?:his|her|my|our|your) (?:sister|mother|daughter|wife)'s name is (\w+)"
    for match, _ in told("open_naming", pattern):
        (noun,) = (n for n in open_lexicon().nouns("name") if n.english == match[1])
        assert "female" in noun.classes


def test_titles() -> None:
    korean = {"Mr.": "씨", "Mrs.": "씨", "Ms.": "씨", "Dr.": "박사", "Professor": "교수"}
    for english, translation in derived("open_title").items():
        (title,) = set(english.split()) & set(korean)
        assert re.search(rf"[가-힣]+ {korean[title]}", translation), (english, translation)


def test_people_are_loved_and_married() -> None:
    for match, korean in told("open_affection", r"(?:I|you|we|they) (love|loved) (\w+)"):
        verb = {"love": "사랑한다", "loved": "사랑했다"}[match[1]]
        assert korean.split()[1:] in ([f"{korean_of(match[2])}을", verb],
                                      [f"{korean_of(match[2])}를", verb])  # fmt: skip
    for _, korean in told("open_affection", r".* will marry \w+"):
        assert re.search(r"[과와] 결혼할 것이다$", korean)


def test_one_lives_with_somebody_or_alone() -> None:
    for _, korean in told("open_living", r".*\b(?:live|lives|lived) with .*"):
        assert re.search(r"[과와] 함께 (산다|살았다|사니|살았니|살지 .*)$", korean)
    assert all("혼자" in korean for _, korean in told("open_living", r".* alone"))


def test_what_is_planned_is_present() -> None:
    for match, korean in told("open_planned", r".* (?:am|is|are) coming (in \w+|tomorrow)"):
        assert re.search(r"(월에|내일) 온다$", korean), match[0]


def test_a_name_is_quoted() -> None:
    for match, korean in told("open_named", r".* named (\w+)"):
        name = korean_of(match[1])
        assert f"{name}라는 " in korean or f"{name}이라는 " in korean


def test_capitals_and_colors() -> None:
    for _, korean in told("open_made_of", r"what is the capital of [\w ]+"):
        assert korean.endswith("수도는 어디니")
    for _, korean in told("open_made_of", r"the color of .* is \w+"):
        assert re.search(r"의 색은 [가-힣]+색이다$", korean)


def test_whose_house_is_near() -> None:
    for english, korean in derived("open_owned_place").items():
        assert "'s " in english
        assert re.search(r"의 .* 근처에 (있|없)", korean)


def test_about_is_before_its_verb_or_noun() -> None:
    for english, korean in derived("open_about").items():
        noun = re.search(r"(book|movie|story|novel|report) about", english)
        assert ("에 대한 " in korean) == bool(noun)
        assert ("에 대해 " in korean) != bool(noun)


def test_the_transformer_pays_attention() -> None:
    for _, korean in told("open_attention", r"the (?:model|transformer|network) pays .*"):
        assert korean.endswith("에 주의를 기울인다")


def test_friends_are_called_as_friends() -> None:
    phrases = {english: [w.text for w in clause.korean] for english, clause in open_phrases()}
    assert phrases["hello my friend"] == ["안녕", "친구야"]
    assert phrases["good morning everyone"][0] == "모두"


def test_who_is_taller_than_whom() -> None:
    for match, korean in told(
        "open_compared", r"(?:I|you|we|they|he|she) \w+ (\w+er) than (him|me)"
    ):
        whom = {"him": "그", "me": "나"}[match[2]]
        assert f" {whom}보다 더 " in korean
