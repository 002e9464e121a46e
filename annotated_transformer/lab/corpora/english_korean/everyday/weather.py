"""The weather: rain and snow, warm and cold. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import adverbials_of
from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY, adverbial
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.times import FUTURE, PAST
from annotated_transformer.lab.corpora.english_korean.morphology import AT, FROM, SUBJECT
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, noun_phrase

# English after "it is", Korean stem, irregular class.
WEATHER = (
    *(("cold", "춥", "ㅂ"), ("hot", "덥", "ㅂ"), ("warm", "따뜻하", ""), ("cool", "시원하", "")),
    *(("sunny", "맑", ""), ("cloudy", "흐리", ""), ("nice", "좋", ""), ("good", "좋", "")),
    *(
        ("bad", "나쁘", ""),
        ("humid", "습하", ""),
        ("fine", "좋", ""),
        ("beautiful", "아름답", "ㅂ"),
    ),
)


IT_TOO = frozenset({"cold", "hot", "warm", "cool", "sunny", "cloudy", "humid"})


TODAY = adverbials_of("times", "weather")


def weather(d: Derivation) -> Clause:
    """It is raining: 비가 오고 있다. It is cold today: 오늘 날씨가 춥다."""
    if d.chance(0.45):
        return _falling(d)
    english, stem, irregular = d.choose(WEATHER)
    node, be = d.node(), d.node()
    own = d.node()
    named = english not in IT_TOO or d.chance(0.4)
    subject = words("the weather", own) if named else words("it", own)
    phrase = NounPhrase(subject, words("날씨", own), own, "3s")
    degree = d.weighted((("", 0.65), ("very", 0.2), ("too", 0.1), ("really", 0.05)))
    tail, before = words(english, node), []
    if degree:
        much = d.node()
        tail = [*words(degree, much), *tail]
        before = words({"very": "아주", "too": "너무", "really": "정말"}[degree], much)
    korean = Predicate(before, stem, irregular, "adjective", (node, be))
    said = Said(phrase, EnglishVerb("be", "", "", "", be, tail), korean, (), frozenset(), "quality")
    how = _when(d)
    asked = not degree and not how.negated and d.chance(0.2)
    ending = "니" if asked else "다"
    return _sky(d, said, how, ending, asked=asked)


def _when(d: Derivation) -> How:
    tense = d.weighted((("present", 0.55), ("past", 0.25), ("future", 0.2)))
    return How(tense, "", d.chance(0.15))


def _sky(d: Derivation, said: Said, how: How, ending: str, *, asked: bool) -> Clause:
    """Say something of the sky; its time comes first in Korean and 날씨 and 비 take 이/가."""
    times = {"past": PAST, "future": FUTURE}.get(how.tense.split(" ")[0], TODAY)
    time = adverbial(d, times) if d.chance(0.55) else EMPTY
    place = EMPTY
    if d.chance(0.1):
        node = d.node()
        city = noun_phrase(d, d.choose(d.lexicon.nouns("city")), "")
        at = AT if d.lexicon.natural else FROM  # 서울에 눈이 온다
        place = Clause([*words("in", node), *city.english], city.marked(at, node))
        if "rain" not in said.english.base and "snow" not in said.english.base:
            place = Clause(place.english, city.marked(("은", "는"), node))
    body = clause(d, said, how, ending=ending, asked=asked, particle=SUBJECT)
    korean = [*time.korean, *place.korean, *body.korean]
    if how.tense == "future" and asked:  # nobody decides on the weather: 올까, not 올 거니
        korean = _wondering(korean)
    if time.english and d.chance(0.2) and not asked:
        return Clause([*time.english, *body.english, *place.english], korean)
    return Clause([*body.english, *place.english, *time.english], korean)


def _wondering(korean: Words) -> Words:
    """Turn 올 거니 into 올까."""
    *head, stem, last = korean
    return [*head, Word(stem.text + "까", (*stem.nodes, *last.nodes))]


def _falling(d: Derivation) -> Clause:
    english, korean = d.choose((("rain", "비"), ("rain", "비"), ("snow", "눈")))
    node, own = d.node(), d.node()
    phrase = NounPhrase(words("it", own), words(korean, node), own, "3s")
    forms = (english, english + "s", english + "ed", english + "ing")
    predicate = Predicate([], "오", "", "verb", (own, node))
    said = Said(
        phrase, EnglishVerb(*forms, node, []), predicate, (), frozenset(), "action", english
    )
    tense = d.weighted(
        (("progressive", 0.4), ("past", 0.27), ("future", 0.25), ("past progressive", 0.08))
    )
    how = How(tense, "", d.chance(0.15))
    asked = not how.negated and d.chance(0.25)
    return _sky(d, said, how, "니" if asked else "다", asked=asked)


def weather_clause(d: Derivation, tense: str, ending: str) -> Clause:
    """Return "it rains", 비가 오-, or "it is cold", 날씨가 춥-, as part of a longer sentence."""
    be, own = d.node(), d.node()
    if d.chance(0.5):
        english, korean = d.choose((("rain", "비"), ("rain", "비"), ("snow", "눈")))
        node = d.node()
        phrase = NounPhrase(words("it", own), words(korean, node), own, "3s")
        verb = EnglishVerb(english, english + "s", english + "ed", english + "ing", node, [])
        said = Said(phrase, verb, Predicate([], "오", "", "verb", (own, node)))
    else:
        english, stem, irregular = d.choose(WEATHER)
        node = d.node()
        text = "it" if english in IT_TOO else "the weather"
        phrase = NounPhrase(words(text, own), words("날씨", own), own, "3s")
        verb = EnglishVerb("be", "", "", "", be, words(english, node))
        said = Said(phrase, verb, Predicate([], stem, irregular, "adjective", (node, be)))
    return clause(d, said, How(tense), ending=ending, particle=SUBJECT)
