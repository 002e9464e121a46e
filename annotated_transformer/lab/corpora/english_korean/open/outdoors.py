"""What goes on around one: the sun is shining, the snow has melted, it is windy in Busan. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import Adverbial
from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY, adverbial
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.times import FUTURE, PAST
from annotated_transformer.lab.corpora.english_korean.morphology import AT, SUBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.open.stated import (
    NOW,
    THEN,
    drawn_how,
    in_full,
    options,
    owned_thing,
    predicate_of,
    state_table,
    stated,
)
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
    pronoun,
)

SOON = (
    *(Adverbial("soon", "곧"), Adverbial("tomorrow", "내일"), Adverbial("tonight", "오늘 밤")),
    Adverbial("this evening", "오늘 저녁에"),
)


def going_on(d: Derivation) -> Clause:
    """The sun is shining: 해가 빛나고 있다. The snow has melted: 눈이 녹았다."""
    english, forms, korean, stem, irregular, tenses = d.choose(state_table("going on"))
    own, node = d.node(), d.node()
    agreement = "p" if english in PLURALS else "3s"
    subject = NounPhrase(words(english, own), words(korean, own), own, agreement)
    four, _, after = forms.partition(":")
    base, third, past, ing = four.split(" ")
    tail = words(after, node) if after else []
    predicate = endings.verb(stem, irregular.strip("-"), node)
    tense = d.choose(tenses.split(","))
    done = dict(line[0].split(" ") for line in state_table("perfect of")).get(base)
    if tense == "past" and done and d.chance(0.3):
        have = d.node()
        participle = [Word(done, (node,)), *tail]
        verb = EnglishVerb("have", "has", "had", "having", have, participle)
        predicate = predicate._replace(nodes=(node, have))
        said = Said(subject, verb, predicate, flags=frozenset("R"))
        body = clause(d, said, How("present"), particle=SUBJECT)
        return Clause(body.english, in_full(body.korean))
    asked = d.chance(0.15)
    if tense == "progressive" and d.chance(0.2):
        tense = "past progressive"
    how = How(tense, "", not asked and d.chance(0.12))
    said = Said(subject, EnglishVerb(base, third, past, ing, node, tail), predicate)
    time = EMPTY
    if d.chance(0.3):
        times = SOON if tense == "future" else THEN if tense.startswith("past") else NOW[:3]
        time = adverbial(d, times)
    ending = "니" if asked else "다"
    body = clause(d, said, how, ending=ending, asked=asked, particle=SUBJECT)
    if asked and tense == "future":
        raise Unfit
    return Clause([*body.english, *time.english], [*time.korean, *in_full(body.korean)])


PLURALS = frozenset(
    line[0] for line in state_table("going on") if line[1].split(" ")[0] == line[1].split(" ")[1]
)


def weather_so(d: Derivation) -> Clause:
    """It is windy today: 오늘 바람이 분다. Is it foggy in London?: 런던에 안개가 꼈니."""
    english, korean, kind = d.choose(state_table("weather so"))
    node, be, own = d.node(), d.node(), d.node()
    predicate = predicate_of(korean, kind, node, be)
    degree, tail = "", words(english, node)
    if english not in ("freezing", "rainy", "snowy", "stormy") and d.chance(0.3):
        degree, much = d.choose(("very", "so", "really")), d.node()
        tail = [*words(degree, much), *tail]
        more = {"very": "아주", "so": "정말", "really": "정말"}[degree]
        amount = {"windy": " 많이", "foggy": " 짙게"}.get(english, "")
        added = words(more + amount, much)
        where = len(predicate.before) if amount else 0
        before = [*predicate.before[:where], *added, *predicate.before[where:]]
        predicate = predicate._replace(before=before)
    subject = NounPhrase(words("it", own), words("날씨", own), own, "3s")
    named = english in ("chilly", "freezing", "dry")
    first, *rest = predicate.before or [Word("", ())]
    if named:
        predicate = predicate._replace(nodes=(*predicate.nodes, own))
    else:
        predicate = predicate._replace(before=[first._replace(nodes=(*first.nodes, own)), *rest])
    flags = frozenset("R") if kind == "r" else frozenset[str]()
    verb = EnglishVerb("be", "", "", "", be, tail)
    said = Said(subject, verb, predicate, (), flags)
    tense = d.weighted((("present", 0.55), ("past", 0.3), ("future", 0.15)))
    asked = d.chance(0.18) and tense != "future" and not degree
    how = How(tense, "", not asked and not degree and d.chance(0.13))
    times = {"past": PAST, "future": FUTURE}.get(tense, NOW)
    time = adverbial(d, times) if d.chance(0.5) else EMPTY
    place = _in_city(d, TOPIC if named else AT) if d.chance(0.3) else EMPTY
    ending = "니" if asked else "다"
    body = clause(d, said, how, ending=ending, asked=asked, drop_subject=True)
    english_words = [*body.english, *place.english, *time.english]
    return Clause(english_words, [*time.korean, *place.korean, *body.korean])


def _in_city(d: Derivation, particle: tuple[str, str] = AT) -> Clause:
    at = d.node()
    city = noun_phrase(d, choose_noun(d, frozenset({"city"})), "")
    return Clause([*words("in", at), *city.english], city.marked(particle, at))


# English behind "rain" or "snow", Korean before 오다; "" where the place is.
HOW_IT_RAINS = (
    *(("hard", "세차게"), ("again", "또"), ("again", "또"), ("outside", ""), ("outside", "")),
    *(("all day", "하루 종일"), ("all night", "밤새"), ("all day long", "하루 종일")),
)


def rain_again(d: Derivation) -> Clause:
    """It rained in London again: 런던에 또 비가 왔다. It is raining outside."""
    base, korean = d.choose((("rain", "비"), ("rain", "비"), ("snow", "눈")))
    english, text = d.choose(HOW_IT_RAINS)
    node, own, way = d.node(), d.node(), d.node()
    subject = NounPhrase(words("it", own), words(korean, node), own, "3s")
    before = words(text, way) if text else []
    forms = (base, base + "s", base + "ed", base + "ing")
    predicate = Predicate([], "오", "", "verb", (own, node))
    manner = []
    if english == "hard":
        if base == "snow":
            raise Unfit
        manner, before = before, []
    said = Said(subject, EnglishVerb(*forms, node, []), predicate)
    said = said._replace(manner=Clause([], manner))
    tense = d.choose(("past", "past", "progressive", "progressive", "future", "past progressive"))
    if english.startswith("all") and tense == "progressive":
        raise Unfit
    place, time = EMPTY, EMPTY
    if english == "outside":
        place = Clause(words("outside", way), words("밖에", way))
    elif d.chance(0.4):
        place = _in_city(d)
    if english not in ("all day", "all night", "all day long", "outside") and d.chance(0.4):
        times = {"past": PAST, "future": FUTURE, "progressive": NOW[:2]}.get(tense, THEN)
        time = adverbial(d, times)
    asked = d.chance(0.15) and tense != "future"
    how = How(tense, "", english in ("hard", "outside") and not asked and d.chance(0.12))
    body = clause(d, said, how, ending="니" if asked else "다", asked=asked, particle=SUBJECT)
    adverb = words(english, way) if english != "outside" else []
    hard = english == "hard"
    tail = [*adverb, *place.english] if hard else [*place.english, *adverb]
    return Clause(
        [*body.english, *tail, *time.english],
        [*time.korean, *place.korean, *before, *body.korean],
    )


def place_so(d: Derivation) -> Clause:
    """It is dark outside: 밖이 어둡다. It is hot in here: 여기가 덥다."""
    english, korean, field = d.choose(state_table("outdoors so"))
    adjective, stem, kind = d.choose(options(field))
    own, at = d.node(), d.node()
    subject = NounPhrase(words("it", own), [], own, "3s")
    how, asked = drawn_how(d)
    degree = "" if how.negated else d.choose(("", "", "very", "so", "too", "really"))
    said = stated(d, subject, adjective, stem, kind, degree=degree)
    nodes = (*said.korean.nodes, own)
    said = said._replace(korean=said.korean._replace(nodes=nodes))
    body = clause(d, said, how, ending="니" if asked else "다", asked=asked, drop_subject=True)
    time = EMPTY
    if d.chance(0.2):
        time = adverbial(d, THEN if how.tense == "past" else NOW[:2])
    return Clause(
        [*body.english, *words(english, at), *time.english],
        [*time.korean, *words(korean, at), *body.korean],
    )


def run_out(d: Derivation) -> Clause:
    """We are out of milk: 우리는 우유가 떨어졌다. There is no bread left: 남은 빵이 없다."""
    left = d.chance(0.35)
    (names,) = d.choose(state_table("left over" if left else "run out"))
    thing = owned_thing(d, d.choose(names.split(",")), owned=False)
    if thing.noun is None:
        raise Unfit
    node, verb = d.node(), d.node()
    counted = thing.noun.plural or thing.noun.english
    if left:
        return _left(d, thing.noun.english, thing.noun.korean, plural=bool(thing.noun.plural))
    index = d.choose((0, 0, 1, 4, 4, 4, 5))
    return _out(d, index, counted, thing.noun.korean, (node, verb))


OUT = (("be", "", "", "", "out of"), ("run", "runs", "ran", "running", "out of"))


def _out(d: Derivation, index: int, counted: str, korean: str, nodes: tuple[int, int]) -> Clause:
    subject = pronoun(d, index)
    node, verb = nodes
    base, third, past, ing, after = d.choose(OUT)
    tail = [*words(after, verb), *words(counted, node)]
    marked = NounPhrase([], words(korean, node), node, "3s").marked(SUBJECT)
    predicate = Predicate(marked, "떨어지", "", "verb", (verb,))
    be = base == "be"
    said = Said(
        subject,
        EnglishVerb(base, third, past, ing, verb, tail),
        predicate,
        flags=frozenset("R" if be else ""),
    )
    asked = be and d.chance(0.15) and index in (1, 4)
    how = How("present" if be and d.chance(0.75) else "past", "", not asked and d.chance(0.1))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def _left(d: Derivation, english: str, korean: str, *, plural: bool) -> Clause:
    """Return "there is no milk left", "we have no milk left", "is there any milk left"."""
    if plural:
        raise Unfit
    node, be, over, no = d.node(), d.node(), d.node(), d.node()
    was = d.chance(0.2)
    is_ = "was" if was else "is"
    marked = NounPhrase([], words(korean, node), node, "3s").marked(SUBJECT)
    head = words("남은", over)
    way = d.weighted((("no", 0.4), ("little", 0.25), ("any", 0.2), ("have", 0.15)))
    if way == "any":
        start = [*words(is_, be), *words("there", be), *words("any", node)]
        last = Word("있었니" if was else "있니", (be,))
        return Clause([*start, *words(english, node), *words("left", over)], [*head, *marked, last])
    lacking = Word("없었다" if was else "없다", (be, no))
    if way == "no":
        start = [*words("there", be), *words(is_, be), *words("no", no)]
        return Clause(
            [*start, *words(english, node), *words("left", over)], [*head, *marked, lacking]
        )
    if way == "have":
        subject = pronoun(d, d.choose((0, 4, 4, 5)))
        start = [*subject.english, *words("had" if was else "have", be), *words("no", no)]
        return Clause(
            [*start, *words(english, node), *words("left", over)],
            [*subject.marked(("은", "는")), *head, *marked, lacking],
        )
    some, amount = d.choose((("some", "조금"), ("a little", "조금"), ("a lot of", "많이")))
    start = [*words("there", be), *words(is_, be), *words(some, no)]
    rest = [*words("남아", over), Word("있었다" if was else "있다", (be,))]
    return Clause(
        [*start, *words(english, node), *words("left", over)],
        [*marked, *words(amount, no), *rest],
    )
