"""Sentences with slots: what is said of money, shops, school, health, travel, home, feelings. CC0.

A line of `words/open_patterns.txt` has a sentence in both languages. "{thing:를}" is a slot with
the particle behind it, "have/has" or "am/is/are" the form that goes with {who}, and OWN the
possessive of {who}. All words outside the slots share one node; without such a word in Korean the
last one has it too.
"""

import re
from functools import cache

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import person
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import (
    own_possessive,
)
from annotated_transformer.lab.corpora.english_korean.open.slots import (
    SLOTS,
    Both,
    Slots,
    marked,
    rows,
)
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    article,
    pronoun,
)

_SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}('s)?(,)?")


def agreeing(text: str, agreement: str) -> str:
    """Return the form of "have/has", "am/is/are", "was/were" that goes with the subject."""
    forms = text.split("/")
    if len(forms) == 3:
        return forms[("1s", "3s", "p").index(agreement)]
    if text == "was/were":
        return forms[agreement == "p"]
    return forms[len(forms) > 1 and agreement == "3s"]


@cache
def _parsed(english: str, korean: str) -> tuple[list[str], list[str], dict[str, str]]:
    particles = {name: particle or "" for name, particle, *_ in _SLOT.findall(korean)}
    return english.split(" "), korean.split(" "), particles


def _article(following: str) -> str:
    return "an" if following[0] in "AEIO" and following != "European" else article(following)


# What a line has for 싶다, of the speaker, and 싶어 한다; and what 자기 is of I, you and we.
WISH = "싶어한다"
OWN_ROOM = {"I": "내", "you": "네", "we": "우리"}


def sentence(d: Derivation, heading: str) -> Clause:
    """Return one of the sentences under the heading, its slots filled."""
    english, korean = d.choose(rows(heading))
    return filled(d, english, korean, SLOTS.__getitem__)


def filled(d: Derivation, line: str, translation: str, slots: Slots) -> Clause:
    """Return a line of a table in both languages with its slots filled."""
    english, korean, particles = _parsed(line, translation)
    node = d.node()
    who = person(d) if "who" in particles else pronoun(d, 0 if english[0] == "I" else 1)
    found: dict[str, Both] = {}
    for name in particles:
        if name == "who":
            form = who.subject_form
            said = marked([*who.korean, *who.after], particles[name], subject_form=form)
            found[name] = who.english, said
        else:
            found[name] = slots(name)(d, who, particles[name])
    own = own_possessive(who) if "OWN" in english else ""
    if "OWN" in english and not own:
        raise Unfit
    left: Words = []
    for token in english:
        match = _SLOT.fullmatch(token)
        if match is None:
            text = own if token == "OWN" else agreeing(token, who.agreement)
            left.append(Word(text, (node,)))
            continue
        phrase = found[match[1]][0]
        if left and left[-1].text == "a":
            left[-1] = Word(_article(phrase[0].text), (node,))
        if tail := (match[3] or "") + (match[4] or ""):
            phrase = [*phrase[:-1], Word(phrase[-1].text + tail, phrase[-1].nodes)]
        left += phrase
    return Clause(left, _korean(korean, who, found, node))


def _korean(tokens: list[str], who: NounPhrase, found: dict[str, Both], node: int) -> Words:
    right: Words = []
    for token in tokens:
        match = _SLOT.fullmatch(token)
        if match is not None:
            right += found[match[1]][1]
            continue
        texts = [token]
        if token == WISH:
            texts = ["싶다"] if who.first_person else ["싶어", "한다"]
        elif token == "자기":
            texts = [OWN_ROOM.get(who.english[0].text, token)]
        right += [Word(text, (node,)) for text in texts]
    if all(node not in word.nodes for word in right):  # Bob was thirsty: 밥은 목말랐다
        right[-1] = Word(right[-1].text, (*right[-1].nodes, node))
    return right


def money(d: Derivation) -> Clause:
    """He paid fifty dollars for the ticket: 그는 표 값으로 오십 달러를 냈다."""
    return sentence(d, "money")


def shopping(d: Derivation) -> Clause:
    """Do you have this jacket in a bigger size?: 이 재킷이 더 큰 치수로 있니."""
    return sentence(d, "shopping")


def school(d: Derivation) -> Clause:
    """I got a good grade in math: 나는 수학에서 좋은 성적을 받았다."""
    return sentence(d, "school")


def health(d: Derivation) -> Clause:
    """Take this medicine after meals: 이 약을 식사 후에 먹어라."""
    return sentence(d, "health")


def travel(d: Derivation) -> Clause:
    """We are going to Japan next month: 우리는 다음 달에 일본에 갈 것이다."""
    return sentence(d, "travel")


def home(d: Derivation) -> Clause:
    """I will meet you in front of the library: 나는 도서관 앞에서 너를 만날 것이다."""
    return sentence(d, "home")


def pronouns(d: Derivation) -> Clause:
    """Do you need anything else?: 다른 것이 더 필요하니. Somewhere warm: 따뜻한 곳."""
    return sentence(d, "pronouns")


def feelings(d: Derivation) -> Clause:
    """I had a bad dream last night: 나는 어젯밤에 나쁜 꿈을 꿨다."""
    return sentence(d, "feelings")


def new_things(d: Derivation) -> Clause:
    """We need a new lamp, where most lamps become an invented word: 새 zorvik이(가) 필요하다."""
    return sentence(d, "copied")
