"""The rules for daily life: each says in Korean what its English pattern means."""

import re

import pytest
from open_grammar import check_said, sentences

COUNT = 300


# The rule, what its English says, and what the Korean then has.
SAID = (
    ("posture", r"\b(is|are|am|was|were)\b.*\bsitting\b", r"앉아 있|앉아 있지"),
    ("posture", r"\bstanding\b", r"서 있"),
    ("posture", r"\blying\b", r"누워 있"),
    ("posture", r"^an? ", r"^(한 .*가|한 .*이|.* 한 마리가) "),
    ("posture", r"(to|beside|behind|of) me$", r"내 (옆|뒤|앞)에"),
    ("putting", r"\bin the\b", r"에 넣"),
    ("putting", r"^do not\b", r"지 마라$"),
    ("feeling", r"^I (feel|felt|am|was) (very )?(lonely|cold)\b", r"(롭|로웠|춥|추웠|덥|더웠)다"),
    ("feeling", r"^(he|she) (is|was) (very |so |really )?(cold|hot)\b", r"워(한|했)"),
    ("growing", r"\b(becoming|getting)\b", r"지고 있"),
    ("growing", r"\b(richer|taller|busier|colder|darker)\b", r"(^| )더 "),
    ("manner", r"\bfaster\b", r"더 빨리"),
    ("manner", r"every day$", r"매일"),
    ("all_day", r"\ball day\b", r"하루 종일"),
    ("time_to", r"^it is time\b", r"시간이다$"),
    ("time_to", r"\b(no time|do not have time)\b", r"시간이 없다$"),
    ("talk_about", r"\babout\b", r"에 대해"),
    ("talk_about", r"^let us", r"이야기하자$"),
    ("wearing", r"\bwith the (\w+ )?hat\b", r"모자를 쓴"),
    ("wearing", r"\b(in|with) (the|a) (\w+ )?(coat|dress|suit|skirt|shirt)\b", r"[을를] 입은"),
    ("moving", r"\bget(s|ting)? off\b|\bgot off\b", r"에서 (내|.* 내)"),
    ("moving", r"\balong\b", r"를 따라|을 따라"),
    ("received", r"\bfrom\b", r"에게서"),
    ("day_is", r"^tomorrow is\b", r"^내일은 .*(의|내|우리|네) .*(다|이다)$"),
    ("opening_hours", r"\b(close|closes|closed)\b", r"문을 닫"),
    ("lying", r"\bunder\b", r"아래에"),
    ("left_behind", r"\bat home\b", r"집에 두고 "),
)  # fmt: skip


@pytest.mark.parametrize(("name", "english", "korean"), SAID)
def test_what_is_said(name: str, english: str, korean: str) -> None:
    check_said(sentences(name, seed=7, count=COUNT), english, korean)


def test_the_feeling_of_others_shows() -> None:
    for english, korean in sentences("feeling", seed=7, count=COUNT):
        if english.startswith(("I ", "we ")) and "cold" in english:
            assert "추워하" not in korean, english


def test_pronouns_beside_somebody_are_possessive() -> None:
    for english, korean in sentences("posture", seed=7, count=COUNT):
        assert not re.search(r"(^| )(나|너|그) (옆|앞|뒤)", korean), (english, korean)
