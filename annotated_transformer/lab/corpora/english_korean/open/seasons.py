"""Weather in places, seasons, favourites and how things sound: it rained a lot last week. CC0."""

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
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of, person
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import being
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.times import FUTURE, PAST, time_for
from annotated_transformer.lab.corpora.english_korean.everyday.weather import TODAY
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT, SUBJECT, TOWARDS
from annotated_transformer.lab.corpora.english_korean.open.comparing import be_adjective, described
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
)
from annotated_transformer.lab.corpora.english_korean.verbs import names

LIKES = (
    ("like", "likes", "liked", "liking", "좋아하"),
    ("like", "likes", "liked", "liking", "좋아하"),
    ("love", "loves", "loved", "loving", "아주 좋아하"),
    ("hate", "hates", "hated", "hating", "싫어하"),
    ("prefer", "prefers", "preferred", "preferring", "더 좋아하"),
)


def liking(d: Derivation) -> Clause:
    """I like spring: 나는 봄을 좋아한다; rainy days: 비 오는 날을."""
    english, korean = d.choose(word_table("liked"))
    base, third, past, ing, stem = d.choose(LIKES)
    node, verb = d.node(), d.node()
    marked = NounPhrase([], words(korean, node), node, "3s")
    last = marked.korean[-1]
    thing = Clause(
        words(english, node),
        [*marked.korean[:-1], *marked._replace(korean=[last]).marked(OBJECT)],
    )
    said = Said(
        person(d),
        EnglishVerb(base, third, past, ing, verb, []),
        endings.verb(stem, "", verb),
        (thing,),
        frozenset("s"),
    )
    asked = d.chance(0.2) and not said.subject.first_person
    how = How("past" if d.chance(0.1) else "present", "", not asked and d.chance(0.2))
    if how.negated and base in ("love", "prefer"):
        raise Unfit
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def wind(d: Derivation) -> Clause:
    """The wind is strong today: 오늘 바람이 세다. The sky was clear yesterday."""
    english, korean, said_english, stem, irregular = d.choose(word_table("sky"))
    own, node, be = d.node(), d.node(), d.node()
    subject = NounPhrase(words(english, own), words(korean, own), own, "3s")
    degree = d.weighted((("", 0.6), ("very", 0.25), ("too", 0.15)))
    much = d.node()
    tail = [*(words(degree, much) if degree else []), *words(said_english, node)]
    before = words({"very": "아주", "too": "너무"}[degree], much) if degree else []
    predicate = Predicate(before, stem, irregular.strip("-"), "adjective", (node, be))
    said = Said(
        subject, EnglishVerb("be", "", "", "", be, tail), predicate, (), frozenset(), "quality"
    )
    tense = d.weighted((("present", 0.6), ("past", 0.4)))
    time = adverbial(d, PAST if tense == "past" else TODAY[:2]) if d.chance(0.4) else EMPTY
    asked = not degree and d.chance(0.15)
    how = How(tense, "", not degree and not asked and d.chance(0.15))
    body = clause(d, said, how, ending="니" if asked else "다", asked=asked, particle=SUBJECT)
    return Clause([*body.english, *time.english], [*time.korean, *body.korean])


def rain_a_lot(d: Derivation) -> Clause:
    """It rained a lot last week: 지난주에 비가 많이 왔다."""
    base, korean = d.choose((("rain", "비"), ("rain", "비"), ("snow", "눈")))
    amount, much = d.choose(
        (("a lot", "많이"), ("a lot", "많이"), ("heavily", "많이"), ("a little", "조금"))
    )
    node, own, degree = d.node(), d.node(), d.node()
    subject = NounPhrase(words("it", own), words(korean, node), own, "3s")
    forms = (base, base + "s", base + "ed", base + "ing")
    said = Said(
        subject,
        EnglishVerb(*forms, node, []),
        Predicate(words(much, degree), "오", "", "verb", (own, node)),
        (Clause(words(amount, degree), []),),
    )
    tense = d.weighted((("past", 0.5), ("future", 0.25), ("progressive", 0.25)))
    time = EMPTY
    if tense != "progressive" and d.chance(0.75):
        time = adverbial(d, PAST if tense == "past" else FUTURE)
    place = EMPTY
    if d.chance(0.25):
        at = d.node()
        city = noun_phrase(d, choose_noun(d, frozenset({"city"})), "")
        place = Clause([*words("in", at), *city.english], city.marked(("에", "에"), at))
    how = How(tense, "", amount == "a lot" and d.chance(0.15))
    body = clause(d, said, how, particle=SUBJECT)
    english = [*body.english, *place.english, *time.english]
    return Clause(english, [*time.korean, *place.korean, *body.korean])


FAVORITES = {
    "fruit": ("과일", ("fruit",)),
    "drink": ("음료", ("drink",)),
    "vegetable": ("채소", ("vegetable",)),
    "dessert": ("디저트", ("sweet",)),
    "animal": ("동물", ("pet", "wild")),
    "flower": ("꽃", ("rose", "tulip", "lily", "sunflower", "orchid")),
    "city": ("도시", ("Seoul", "Paris", "London", "Busan", "Rome", "Tokyo")),
    "country": ("나라", ("country",)),
    "sport": ("운동", ("ball_game", "struck")),
    "subject": ("과목", ("study",)),
}
OWNERS = {"my": "내가", "your": "네가", "his": "그가", "her": "그녀가", "our": "우리가"}


def favorite(d: Derivation) -> Clause:
    """My favorite fruit is the banana, bananas are my favorite: 가장 좋아하는 과일은 바나나다."""
    kind = d.choose(tuple(FAVORITES))
    korean, members = FAVORITES[kind]
    determiner = d.choose(("my", "my", "my", "his", "her", "our"))
    own, like, node = d.node(), d.node(), d.node()
    subject = NounPhrase(
        [*words(determiner, own), *words("favorite", like), *words(kind, node)],
        [*words(OWNERS[determiner], own), *words("가장 좋아하는", like), *words(korean, node)],
        *(node, "3s"),
    )
    noun = choose_noun(d, frozenset(members))
    if kind == "sport" and ("sport" not in noun.classes or "games" in noun.english):
        raise Unfit
    if kind == "dessert" and "drink" in noun.classes:
        raise Unfit
    if noun.english in (kind, "vegetable", "fruit", "Asia", "Africa", "Europe"):
        raise Unfit
    member, is_ = d.node(), d.node()
    d.uses(noun.english, noun.korean)
    if noun.plural and d.chance(0.5):
        english = words(noun.plural, member)
    elif noun.plural:
        english = [*words("the", member), *words(noun.english, member)]
    else:
        english = words(noun.english, member)
    thing = NounPhrase(english, words(noun.korean, member), member, "3s", noun)
    if d.chance(0.7) or english[0].text == "the":
        return clause(d, being(d, subject, thing), How("present", "", d.chance(0.08)))
    made = clause(d, being(d, subject, thing), How("present")).korean
    verb = words("are" if noun.plural else "is", is_)
    korean_words = [
        Word(text, (*nodes, is_)) if i == len(made) - 1 else Word(text, nodes)
        for i, (text, nodes) in enumerate(made)
    ]
    return Clause([*english, *verb, *subject.english], korean_words)


def manner(d: Derivation) -> Clause:
    """She sneezed loudly: 그녀는 크게 재채기했다."""
    english, korean, bases = d.choose(word_table("manners"))
    said = action(d)
    if said.base not in bases.split(",") or said.kind == "motion":
        raise Unfit
    how = event_of(d, said, d.choose(("past", "past", "present", "progressive", "future")))
    objects = tuple(
        part for part in said.complements if part.korean and part.korean[-1].text[-1] in "을를"
    )
    way = adverbial(d, (Adverbial(english, korean),))
    said = said._replace(manner=way, complements=objects)
    time = time_for(d, said, how.tense, 0.2)
    return clause(d, said, how, time=time)


def through(d: Derivation) -> Clause:
    """I saw the moon through a telescope: 나는 망원경으로 달을 봤다."""
    glass, korean, things = d.choose(word_table("through"))
    noun = choose_noun(d, frozenset(things.split(",")))
    seen = noun_phrase(d, noun, "the")
    node, way, verb = d.node(), d.node(), d.node()
    forms, stem = d.choose(
        (
            (("see", "sees", "saw", "seeing"), "보"),
            (("look at", "looks at", "looked at", "looking at"), "보"),
        )
    )
    tool = NounPhrase([], words(korean, node), node, "3s")
    via = Clause(
        [*words("through", way), *words(glass, node)],
        tool.marked(TOWARDS, way),
    )
    said = Said(
        person(d),
        EnglishVerb(*forms, verb, []),
        endings.verb(stem, "", verb),
        (Clause(seen.english, seen.marked(OBJECT)), via),
        base="see",
    )
    tense = "past" if d.chance(0.7) else "future"
    if d.chance(0.2):
        return clause(d, said, How("past" if d.chance(0.3) else "present", "can"))
    return clause(d, said, How(tense), time=time_for(d, said, tense, 0.2))


def nearby(d: Derivation) -> Clause:
    """The restaurant near the station is cheap: 역 근처에 있는 식당은 싸다."""
    preposition, korean = d.choose(
        (
            *(("near", "근처에"), ("near", "근처에"), ("next to", "옆에"), ("behind", "뒤에")),
            *(("in front of", "앞에"), ("across from", "맞은편에")),
        )
    )
    kinds = frozenset({"shop", "restaurant", "hotel", "bank", "park", "cafe", "hospital", "gym"})
    noun, other = choose_noun(d, kinds), choose_noun(d, PLACES)
    if noun == other or noun.korean == other.korean:
        raise Unfit
    head, at = noun_phrase(d, noun, "the"), noun_phrase(d, other, d.choose(("the", "the", "my")))
    if at.english[0].text != "the" and other.english not in OWN:
        raise Unfit
    node = d.node()
    subject = NounPhrase(
        [*head.english, *words(preposition, node), *at.english],
        [*at.korean, *words(korean, node), *words("있는", node), *head.korean],
        *(head.node, "3s", noun),
    )
    entry = described(d, noun)
    if entry.english in ("far", "near"):
        raise Unfit
    said = be_adjective(d, subject, entry)
    asked = d.chance(0.15)
    how = How("past" if d.chance(0.2) else "present", "", not asked and d.chance(0.2))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


OWN = frozenset({"school", "office", "company"})
PLACES = OWN | {
    "house",
    "station",
    "park",
    "bank",
    "library",
    "hospital",
    "hotel",
    "beach",
    "airport",
}
GENERAL = ("food", "drink", "study", "sport", "device", "vehicle", "bitcoin", "pet", "hunter")
PASSING = names(
    """dirty clean fresh cold hot warm salty tired sick hungry thirsty full happy healthy great
    lazy fat young busy fine okay short small big large sleepy weak terrible bad"""
)


def in_general(d: Derivation) -> Clause:
    """Bitcoin is expensive: 비트코인은 비싸다. Strawberries are delicious: 딸기는 맛있다."""
    noun = choose_noun(d, frozenset({d.choose(GENERAL)}))
    subject = noun_phrase(d, noun, "", plural=bool(noun.plural))
    entry = described(d, noun)
    if entry.english in PASSING or "games" in noun.english:
        raise Unfit
    said = be_adjective(d, subject, entry)
    asked = d.chance(0.15)
    how = How("present", "", not asked and d.chance(0.2))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)
