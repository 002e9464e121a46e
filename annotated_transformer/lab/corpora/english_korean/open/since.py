"""What has been so for a while: 월요일부터 아프다, 한 시간 동안 기다리고 있다. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import person
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.everyday import asked_subject
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
    surroundings,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import object_pronoun
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT, SUBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.natural import felt
from annotated_transformer.lab.corpora.english_korean.open.daily import deed
from annotated_transformer.lab.corpora.english_korean.open.whens import lasting, since, when
from annotated_transformer.lab.corpora.english_korean.open.wheres import daily, fixed, scene_of
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
    pronoun,
)


def _perfect(subject: NounPhrase, have: int, *, asked: bool) -> list[Word]:
    """Return "I have", or "have you"."""
    auxiliary = words("has" if subject.agreement == "3s" else "have", have)
    return [*auxiliary, *subject.english] if asked else [*subject.english, *auxiliary]


def _while(d: Derivation, ending: str) -> Clause:
    """Return "for an hour" with 동안 or 째, or "since Monday"."""
    return since(d) if d.chance(0.5) else lasting(d, ending)


def doing_since(d: Derivation) -> Clause:
    """I have been waiting for an hour: 나는 한 시간 동안 기다리고 있다. It has been raining."""
    have, be = d.node(), d.node()
    if d.chance(0.12):
        return _raining(d, have, be)
    asked = d.chance(0.2)
    subject = pronoun(d, asked_subject(d)) if asked else person(d)
    said, flags = deed(d, subject)
    if "d" not in flags or (asked and subject.first_person):
        raise Unfit
    if "p" in flags and d.chance(0.3):
        said = said._replace(complements=(*said.complements, scene_of(d, subject)))
    korean = endings.progressive(said.korean, be)
    korean = korean._replace(nodes=(*korean.nodes, have))
    follow, around = surroundings(said)
    body = [*words("been", be), *words(said.english.ing, said.english.node), *said.english.tail]
    last = endings.finished(korean, "present", "니" if asked else "다")
    english = [*_perfect(subject, have, asked=asked), *body, *follow]
    if asked and d.chance(0.6):
        node = d.node()
        return Clause(
            [*words("how long", node), *english],
            [*subject.marked(TOPIC), *words("얼마나 오래", node), *around, *last],
        )
    time = fixed(d, "when whole") if d.chance(0.25) else _while(d, "동안")
    if time.english[-1].text == "yesterday" and time.english[0].text == "all":
        raise Unfit
    return Clause([*english, *time.english], [*subject.marked(TOPIC), *time.korean, *around, *last])


def _raining(d: Derivation, have: int, be: int) -> Clause:
    english, korean = d.choose((("raining", "비가"), ("snowing", "눈이")))
    node = d.node()
    time = fixed(d, "when whole") if d.chance(0.3) else _while(d, "동안")
    if time.english[-1].text == "yesterday" and time.english[0].text == "all":
        raise Unfit
    first = [*words("it has", have), *words("been", be), *words(english, node)]
    last = [*words(korean, node), *words("오고", node), *words("있다", have, be)]
    return Clause([*first, *time.english], [*time.korean, *last])


def being_since(d: Derivation) -> Clause:
    """He has been sick since Monday: 그는 월요일부터 아프다; for ten years: 십 년째 친구다."""
    have, be, node = d.node(), d.node(), d.node()
    subject = person(d)
    if d.chance(0.4):
        english, korean, number = d.choose(daily("together"))
        many = subject.agreement == "p" and subject.english[0].text != "you"
        if many != (number == "p"):
            raise Unfit
        *first, last = korean.split(" ")
        before = words(" ".join(first), node) if first else []
        predicate = Predicate(before, last, "", "copula", (node, be, have))
    else:
        english, korean, irregular = d.choose(daily("moods"))
        *first, last = korean.split(" ")
        before = words(" ".join(first), node) if first else []
        kind = "verb" if irregular == "v" else "adjective"
        predicate = Predicate(before, last, irregular.strip("v-"), kind, (node, be, have))
    verb = EnglishVerb("be", "", "", "", be, words(english, node))
    said = felt(Said(subject, verb, predicate, base=english), asked=False, ending="다")
    time = _while(d, "째")
    if predicate.kind == "copula" and time.english[-1].text.startswith(SHORT):
        raise Unfit
    first_words = [*_perfect(subject, have, asked=False), *words("been", be)]
    last_words = endings.finished(said.korean, "present", "다")
    return Clause(
        [*first_words, *words(english, node), *time.english],
        [*subject.marked(TOPIC), *time.korean, *last_words],
    )


SHORT = ("minute", "hour", "day", "week")


def known_since(d: Derivation) -> Clause:
    """I have known him since 2010: 나는 2010년부터 그를 안다; not seen him for years."""
    have, node = d.node(), d.node()
    subject = person(d)
    kind = d.weighted((("known", 0.4), ("seen", 0.35), ("married", 0.25)))
    if kind == "married":
        if subject.agreement != "p" and d.chance(0.5):
            raise Unfit
        be, became = d.node(), d.node()
        time = lasting(d, "동안")
        if time.english[-1].text.startswith(("hour", "minute", "day")):
            raise Unfit
        span = [*time.korean[:-2], Word(time.korean[-2].text + "이", time.korean[-2].nodes)]
        if time.korean[-2].text[-1] in "주":
            span = [*time.korean[:-2], Word(time.korean[-2].text + "가", time.korean[-2].nodes)]
        english = [*_perfect(subject, have, asked=False), *words("been", be)]
        korean = [*words("결혼한", node), *words("지", be), *span]
        return Clause(
            [*english, *words("married", node), *time.english],
            [*subject.marked(TOPIC), *korean, Word("됐다", (have, became, *time.korean[-1].nodes))],
        )
    if d.chance(0.6):
        other = object_pronoun(d, subject)
    else:
        other = noun_phrase(d, choose_noun(d, frozenset({"name"})), "")
    if other.noun is not None and other.noun == subject.noun:
        raise Unfit
    if kind == "known":
        time = since(d) if d.chance(0.6) else lasting(d, "동안")
        if time.english[-1].text.startswith(("hour", "minute")):
            raise Unfit
        last = words("알고", node) + words("지냈다", node, have)
        if time.korean[-1].text != "동안":
            last = words("안다", node, have)
        middle = words("known", node)
    else:
        deny = d.node()
        time = _while(d, "동안")
        middle = [*words("not", deny), *words("seen", node)]
        last = [*words("보지", node), *words("못했다", deny, have)]
    return Clause(
        [*_perfect(subject, have, asked=False), *middle, *other.english, *time.english],
        [*subject.marked(TOPIC), *time.korean, *other.marked(OBJECT), *last],
    )


FEEL = (("be", "", "", ""), ("be", "", "", ""), ("feel", "feels", "felt", "feeling"))
OFTEN = (("always", "항상"), ("often", "자주"), ("usually", "보통"), ("sometimes", "가끔"))


def feeling_when(d: Derivation) -> Clause:
    """I feel lonely at night: 나는 밤에 외롭다. I am bored at home: 나는 집에서 심심하다."""
    english, korean, irregular = d.choose(daily("moods"))
    asked = d.chance(0.12)
    subject = pronoun(d, asked_subject(d)) if asked else person(d)
    node, own = d.node(), d.node()
    *first, last = korean.split(" ")
    before = words(" ".join(first), node) if first else []
    kind = "verb" if irregular == "v" else "adjective"
    predicate = Predicate(before, last, irregular.strip("v-"), kind, (node, own))
    forms = d.choose(FEEL)
    if english in ("free", "busy", "very busy"):
        forms = FEEL[0]
    verb = EnglishVerb(*forms, own, words(english, node))
    tense = "past" if d.chance(0.4) else "present"
    how = How(tense, "", not asked and "very" not in english and d.chance(0.12))
    often = Clause([], [])
    if tense == "present" and d.chance(0.3) and not how.negated:
        word, text = d.choose(OFTEN)
        adverb = d.node()
        # "is always tired", "always feels tired"
        if forms[0] == "be":
            verb = verb._replace(tail=[*words(word, adverb), *verb.tail])
            predicate = predicate._replace(before=[*words(text, adverb), *predicate.before])
        else:
            often = Clause(words(word, adverb), words(text, adverb))
    place = scene_of(d, subject) if d.chance(0.3) and english != "alone" else Clause([], [])
    said = Said(subject, verb, predicate, (place,) if place.english else (), base=english)
    time = when(d, "past" if tense == "past" else "usual", "")
    if place.english and d.chance(0.7):
        time = Clause([], [])
    return clause(
        *(d, said, how), ending="니" if asked else "다", asked=asked, time=time, often=often
    )


def there_in_there(d: Derivation) -> Clause:
    """There is a cat under the table in the kitchen: 부엌 탁자 아래에 고양이가 있다."""
    preposition, spot, korean_spot, side = d.choose(SPOTS)
    found = choose_noun(d, frozenset({d.choose(("pet", "toy", "small", "container", "fruit"))}))
    if not found.plural or found.plural_only:
        raise Unfit
    plural = d.chance(0.35)
    thing = noun_phrase(d, found, "some" if plural else "a", plural=plural, adjective=0.15)
    english, korean = d.choose(INSIDE)
    node, where, be, own = (d.node() for _ in range(4))
    tail = [*words(preposition, node), *words(f"the {spot}", own), *words(english, where)]
    there = [*words(korean, where), *words(korean_spot, own), *words(side + "에", node)]
    tense = "past" if d.chance(0.2) else "present"
    verb = {"past": ("was", "were"), "present": ("is", "are")}[tense][plural]
    asked = d.chance(0.15) and not plural
    head = [*words("there", be), *words(verb, be)]
    head = head[::-1] if asked else head
    exists = Predicate([], "있", "", "adjective", (be,))
    last = endings.finished(exists, tense, "니" if asked else "다")
    return Clause([*head, *thing.english, *tail], [*there, *thing.marked(SUBJECT), *last])


SPOTS = (
    *(
        ("on", "desk", "책상", "위"),
        ("on", "table", "탁자", "위"),
        ("under", "table", "탁자", "아래"),
    ),
    *(("on", "bed", "침대", "위"), ("under", "bed", "침대", "아래"), ("on", "shelf", "선반", "위")),
    *(
        ("next to", "window", "창문", "옆"),
        ("behind", "door", "문", "뒤"),
        ("in", "box", "상자", "안"),
    ),
    *(
        ("in", "drawer", "서랍", "안"),
        ("under", "chair", "의자", "아래"),
        ("on", "sofa", "소파", "위"),
    ),
)
INSIDE = (
    *(("in my room", "내 방"), ("in the kitchen", "부엌"), ("in the living room", "거실")),
    *(("in her room", "그녀의 방"), ("in his office", "그의 사무실"), ("in the classroom", "교실")),
    *(("in the office", "사무실"), ("in our house", "우리 집"), ("in the garage", "차고")),
    *(("in the bedroom", "침실"), ("in your room", "네 방"), ("upstairs", "위층")),
)
