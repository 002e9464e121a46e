"""It takes two hours by train, two tickets please, drive me home, two plus two. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    Said,
    surroundings,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import (
    OBJECT,
    TOPIC,
    TOWARDS,
    attach,
    with_copula,
)
from annotated_transformer.lab.corpora.english_korean.open.directions import HUMAN, ordered
from annotated_transformer.lab.corpora.english_korean.open.numerals import english as in_words
from annotated_transformer.lab.corpora.english_korean.open.numerals import numeral, sino
from annotated_transformer.lab.corpora.english_korean.open.society import (
    part,
    phrase,
    said,
    society_rows,
    told,
)
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, article, pronoun

SPANS = (("minute", "minutes", "분", True), ("hour", "hours", "시간", False))


def _span(d: Derivation) -> Clause:
    """Return "two hours", 두 시간이."""
    one, many, korean, is_sino = d.choose(SPANS)
    node, own = d.node(), d.node()
    number = d.choose((5, 10, 15, 20, 30, 40)) if is_sino else 1 + int(d.random.random() * 5)
    if number == 1:
        english = [*words("an", node), *words(one, own)]
        return Clause(english, [*words("한", node), *words("시간이", own)])
    typed, count = numeral(d, number, korean, node, own, is_sino=is_sino)
    last = Word(count[-1].text + "이", count[-1].nodes)
    return Clause([*typed, *words(many, own)], [*count[:-1], last])


TAKES = {
    "present": ("takes", "걸린다"),
    "past": ("took", "걸렸다"),
    "future": ("will take", "걸릴 것이다"),
}


def _trip(d: Derivation) -> Clause:
    """Return "to get to the airport by train", 공항까지 기차로 가는 데."""
    kind = d.weighted((("way", 0.3), ("goal", 0.35), ("both", 0.2), ("walk", 0.15)))
    if kind == "walk":
        english, korean = d.choose(
            (("to walk there", "거기까지 걸어가는 데"), ("to get there", "거기까지 가는 데"))
        )
        return part(d, english, korean)
    way = part(d, *d.choose(society_rows("by what")))
    if kind == "way":
        return way
    english, korean = d.choose(society_rows("reached"))
    node, get = d.node(), d.node()
    head = words(d.choose(("to get to", "to get to", "to go to")), get)
    goal = [*head, *words(english, node)]
    there, going = [Word(korean + "까지", (node, get))], words("가는 데", get)
    if kind == "goal":
        return Clause(goal, [*there, *going])
    return Clause([*goal, *way.english], [*there, *way.korean, *going])


def takes_time(d: Derivation) -> Clause:
    """It takes two hours by train: 기차로 두 시간이 걸린다; to get to the airport: 공항까지."""
    verb = d.node()
    trip = _trip(d)
    if d.chance(0.25):
        long = d.node()
        head = [*words("how long", long), *words("does it take", verb)]
        last = [*words("얼마나", long), *words("걸리니", verb)]
        return Clause([*head, *trip.english], [*trip.korean, *last])
    span = _span(d)
    tense = d.weighted((("present", 0.7), ("past", 0.15), ("future", 0.15)))
    takes, korean_verb = TAKES[tense]
    english = [*words("it", verb), *words(takes, verb), *span.english, *trip.english]
    return Clause(english, [*trip.korean, *span.korean, *words(korean_verb, verb)])


ORDERED = frozenset({"coffee", "beer", "tea", "hamburger", "pizza", "sandwich", "apple"})


def two_tickets(d: Derivation) -> Clause:
    """Two tickets to Busan, please: 부산행 표 두 장을 줘. A coffee, please: 커피를 줘."""
    one, many, korean, counter = d.choose(society_rows("pleas"))
    node, number_node, please = d.node(), d.node(), d.node()
    number = d.choose((1, 1, 1, 2, 2, 2, 3, 4))
    if number == 1:
        first = d.choose((article(one), "one", "one"))
        typed = words(first, number_node)
        count = [*words("한", number_node), *words(counter, node)]
    else:
        typed, count = numeral(d, number, counter, number_node, node)
    thing = [*words(korean, node), *count]
    if typed[0].text in ("a", "an") and one in ORDERED:
        typed, thing = words(typed[0].text, node), words(korean, node)
    thing[-1] = Word(attach(thing[-1].text, OBJECT), thing[-1].nodes)
    name = words(one if number == 1 else many, node)
    goal = Clause([], [])
    if one == "ticket" and d.chance(0.6):
        places = [row for row in society_rows("reached") if row[0][0].isupper()]
        english, korean_place = d.choose(places)
        place, to = d.node(), d.node()
        goal = Clause(
            [*words("to", to), *words(english, place)], [Word(korean_place + "행", (place, to))]
        )
    english_words = [*typed, *name, *goal.english]
    last = english_words[-1]
    comma = "," if d.chance(0.7) else ""
    english_words = [*english_words[:-1], Word(last.text + comma, last.nodes)]
    return Clause(
        [*english_words, *words("please", please)],
        [*goal.korean, *thing, *words("줘", please)],
    )


def drive_me(d: Derivation) -> Clause:
    """He drove me to the station: 그는 나를 역까지 태워다 줬다. Pick me up at six: 데리러 와라."""
    verb = d.node()
    order = d.chance(0.35)
    subject = pronoun(d, 1) if order else subject_of(d, HUMAN, pronouns=0.6)
    who = subject.english[0].text
    index = d.choose((0, 0, 4, 2, 3)) if order else d.choose((0, 0, 1, 2, 3, 4, 5))
    kinds = {"I": (0, 4), "we": (0, 4), "you": (1,)}.get(who, (2, 3, 5))
    if index in kinds or (subject.first_person and index in (0, 4)):
        raise Unfit
    whom = pronoun(d, index, is_object=True)
    if d.chance(0.5):
        there = part(d, *d.choose(society_rows("drive to")))
        forms = EnglishVerb("drive", "drives", "drove", "driving", verb, [])
        predicate = endings.verb("태워다 주", "", verb)
        phrase_words = [*whom.english, *there.english]
        korean = [*whom.marked(OBJECT), *there.korean]
    else:
        there = part(d, *d.choose(society_rows("pick up at")))
        forms = EnglishVerb("pick", "picks", "picked", "picking", verb, [])
        predicate = endings.verb("데리러 오" if index in (0, 4) else "데리러 가", "", verb)
        phrase_words = [*whom.english, *words("up", verb), *there.english]
        korean = [*whom.marked(OBJECT), *there.korean]
        if there.korean[-1].text.endswith(("에", "일")):
            korean = [*there.korean, *whom.marked(OBJECT)]
    if order:
        body = Clause([*words(forms.base, verb), *phrase_words], [])
        made = ordered(d, body, korean, predicate)
        if made.english[0].text == "do":
            raise Unfit
        return made
    goal = Clause(phrase_words, korean)
    what = Said(subject, forms, predicate, (goal,))
    tense = (
        "future"
        if "tomorrow" in [w.text for w in phrase_words]
        else d.choose(("past", "past", "future"))
    )
    return told(d, what, tense, asked=0.15)


def the_way_to(d: Derivation) -> Clause:
    """Show me the way to the station: 나에게 역으로 가는 길을 알려 줘라. Do you know the way."""
    name, korean = d.choose(society_rows("way to"))
    to, node, verb = d.node(), d.node(), d.node()
    place = phrase(d, f"the {name}", korean)
    way = [*words("the way", node), *words("to", to), *place.english]
    korean_way = [*place.marked(TOWARDS, to), *words("가는", to), *words("길을", node)]
    if d.chance(0.4):
        subject = pronoun(d, d.choose((1, 1, 0, 2, 3, 5)))
        what = said(
            *(d, subject, "know knows knew knowing", "알"), complements=(Clause(way, korean_way),)
        )
        return told(
            d, what, "present", asked=0.6 if subject.english[0].text == "you" else 0.2, denied=0.3
        )
    me = pronoun(d, 0, is_object=True)
    base = d.choose(("show", "tell"))
    body = Clause([*words(base, verb), *me.english, *way], [])
    before = [*me.marked(("에게", "에게")), *korean_way]
    if d.chance(0.3):
        can, you = d.node(), d.node()
        tells = endings.able(endings.verb("알려 주", "", verb), can)
        able = endings.finished(tells, "present", "니")
        able[-1] = Word(able[-1].text, (*able[-1].nodes, you))
        head = [*words(d.choose(("can", "could")), can), *words("you", you)]
        return Clause([*head, *body.english], [*before, *able])
    made = ordered(d, body, before, endings.verb("알려 주", "", verb))
    if made.english[0].text == "do":
        raise Unfit
    return made


SIGNS = (("plus", "더하기"), ("plus", "더하기"), ("minus", "빼기"), ("times", "곱하기"))


def two_plus_two(d: Derivation) -> Clause:
    """Two plus two is four: 이 더하기 이는 사다. What is ten minus three?: 십 빼기 삼은 얼마니."""
    sign, korean = d.choose(SIGNS)
    most = 9 if sign == "times" else 20
    left, right = (1 + int(d.random.random() * most) for _ in range(2))
    if sign == "minus" and left <= right:
        raise Unfit
    total = {"plus": left + right, "minus": left - right, "times": left * right}[sign]
    digits = d.chance(0.4)
    first, second, result, node, be = (d.node() for _ in range(5))

    def typed(number: int) -> str:
        return str(number) if digits else in_words(number)

    summed = [*words(typed(left), first), *words(sign, node), *words(typed(right), second)]
    both = [
        *words(sino(left), first),
        *words(korean, node),
        Word(attach(sino(right), TOPIC), (second,)),
    ]
    if d.chance(0.35):
        english = [*words("what", result), *words("is", be), *summed]
        return Clause(english, [*both, Word("얼마니", (result, be))])
    english = [*summed, *words(d.choose(("is", "is", "equals")), be), *words(typed(total), result)]
    return Clause(english, [*both, Word(with_copula(sino(total), "다"), (result, be))])


def never_do(d: Derivation) -> Clause:
    """Never give up: 절대 포기하지 마라. Never open this door: 절대 이 문을 열지 마라."""
    what = action(d, pronoun(d, 1))
    if what.flags & {"s", "x", "p"} or what.kind not in ("action", "motion"):
        raise Unfit
    texts = {word.text for item in what.complements for word in item.english}
    if texts & {"you", "some", "more"} or "OWN" in what.base or what.base in ("arrive", "become"):
        raise Unfit
    node = d.node()
    follow, around = surroundings(what)
    verb = what.english
    body = [*words("never", node), Word(verb.base, (verb.node,)), *verb.tail, *follow]
    done = what.korean
    last = [Word(done.stem + "지", done.nodes), *words("마라", node)]
    return Clause(body, [*words("절대", node), *around, *done.before, *last])


def listen_to(d: Derivation) -> Clause:
    """Listen to the teacher: 그 선생님의 말을 들어라. He never listened to her: 그녀의 말을."""
    english, korean = d.choose(society_rows("listened"))
    node, verb = d.node(), d.node()
    whom = NounPhrase(words(english, node), words(korean, node), node, "3s")
    before = [*whom.marked(("의", "의")), *words("말을", verb)]
    predicate = endings.verb("듣", "ㄷ", verb)
    if d.chance(0.5):
        body = Clause([*words("listen to", verb), *whom.english], [])
        return ordered(d, body, before, predicate)
    subject = subject_of(d, HUMAN, pronouns=0.8)
    near = subject.noun is None and subject.english[0].text in ("I", "you", "we")
    if not near and (english.startswith("your") or english in ("him", "her", "them")):
        raise Unfit
    forms = EnglishVerb("listen", "listens", "listened", "listening", verb, words("to", verb))
    what = Said(subject, forms, predicate, (Clause(whom.english, before),))
    modal = d.choose(("", "", "have", "should"))
    tense = "present" if modal else d.choose(("past", "past", "future"))
    return told(d, what, tense, asked=0.12, denied=0.25, modal=modal)
