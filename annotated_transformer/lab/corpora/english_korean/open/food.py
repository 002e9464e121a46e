"""Meals and amounts: too much chocolate, three cups of tea, any bread, some more coffee. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of, person
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import said_of
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import (
    a_measure,
    known,
    subject_of,
)
from annotated_transformer.lab.corpora.english_korean.everyday.times import time_for
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT, SUBJECT
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
)
from annotated_transformer.lab.corpora.english_korean.things import coordinate
from annotated_transformer.lab.corpora.english_korean.verbs import Verb

MEALS = (("breakfast", "아침으로"), ("lunch", "점심으로"), ("dinner", "저녁으로"))
DISHES = frozenset({"cooked", "dish", "baked", "fruit", "vegetable", "rice", "cheese"})
PANTRY = frozenset({"food", "drink"})
UNOFFERED = frozenset({"garlic", "pea", "egg", "corn", "mushroom"})


def _plain(d: Derivation, classes: frozenset[str]) -> NounPhrase:
    """Return food without a determiner: rice, apples."""
    noun = choose_noun(d, classes)
    return noun_phrase(d, noun, "", plural=bool(noun.plural))


def meal(d: Derivation) -> Clause:
    """I had rice and fish for dinner: 나는 저녁으로 밥과 생선을 먹었다."""
    target = _plain(d, DISHES)
    if d.chance(0.5):
        other = _plain(d, DISHES)
        if other.noun == target.noun:
            raise Unfit
        target = coordinate(d, target, other)
    english, korean = d.choose(MEALS)
    node, meal_node, verb = d.node(), d.node(), d.node()
    forms = d.choose((("eat", "eats", "ate", "eating"), ("have", "has", "had", "having")))
    at = Clause(
        [*words("for", node), *words(english, meal_node)], [Word(korean, (meal_node, node))]
    )
    thing = Clause(target.english, target.marked(OBJECT))
    said = Said(
        person(d),
        EnglishVerb(*forms, verb, []),
        Predicate([], "먹", "", "verb", (verb,)),
        (thing, at),
        base="eat",
    )
    tense = d.weighted((("past", 0.55), ("present", 0.15), ("future", 0.15), ("wish", 0.15)))
    how = How("present", "want") if tense == "wish" else How(tense)
    time = time_for(d, said, tense, 0.3) if tense in ("past", "future") else None
    if time is not None and len(time.english) and time.english[-1].text in NAMES_A_MEAL:
        raise Unfit
    asked = d.chance(0.15) and said.subject.english[0].text not in ("I", "we")
    how = how._replace(negated=not asked and d.chance(0.12))
    ending = "니" if asked else "다"
    if time is None:
        return clause(d, said, how, ending=ending, asked=asked)
    return clause(d, said, how, ending=ending, asked=asked, time=time)


NAMES_A_MEAL = frozenset(
    {"breakfast", "lunch", "dinner", "morning", "evening", "afternoon", "night", "noon"}
)


def _verb_of(d: Derivation, noun: Noun, bases: tuple[str, ...]) -> Verb:
    options = [
        verb
        for verb in d.lexicon.transitive
        if verb.english in bases and verb.selects(noun) and verb.subjects & {"person", "kin"}
    ]
    return d.choose(options)


def too_much(d: Derivation) -> Clause:
    """My brother eats too much chocolate: 초콜릿을 너무 많이 먹는다; not enough: 충분히."""
    noun = choose_noun(d, PANTRY)
    verb = _verb_of(d, noun, ("eat", "drink"))
    plural = bool(noun.plural)
    many = "many" if plural else "much"
    kind = d.weighted((("too", 0.45), ("so", 0.2), ("enough", 0.2), ("not", 0.15)))
    node, much = d.node(), d.node()
    if kind in ("too", "so"):
        korean = {"too": "너무", "so": "정말"}[kind]
        english = [*words(kind, node), *words(many, much)]
        after = [*words(korean, node), *words("많이", much)]
    elif kind == "enough":
        english, after = words("enough", node, much), words("충분히", node, much)
    else:
        english, after = words(many, node, much), words("많이", node, much)
    name = noun_phrase(d, noun, "", plural=plural)
    thing = Clause([*english, *name.english], [*name.marked(OBJECT), *after])
    said = said_of(d, person(d), verb, (thing,))
    tense = d.choose(("past", "past", "present", "present", "future"))
    how = event_of(d, said, tense)._replace(
        negated=kind == "not" or (kind == "enough" and d.chance(0.6))
    )
    if kind == "so" and tense == "future":
        raise Unfit
    return clause(d, said, how)


def in_cups(d: Derivation) -> Clause:
    """He drank three cups of tea: 그는 차를 세 잔 마셨다. I need a slice of bread."""
    english, several, korean, kinds = d.choose(word_table("measures"))
    noun = choose_noun(d, frozenset(kinds.split(",")))
    node, one, measure = d.node(), d.node(), d.node()
    number = d.choose(d.lexicon.numbers)
    single = d.chance(0.35) or number.english == "one"
    if number.english in ("eleven", "twelve", "fifteen", "twenty"):
        raise Unfit
    plural = bool(noun.plural) and korean not in ("조각", "접시")
    article = "a" if single else number.english
    name = noun.plural if plural else noun.english
    head = [*words(article, one), *words(f"{english if single else several} of", measure)]
    d.uses(noun.english, noun.korean)
    amount = [*words("한" if single else number.korean, one), *words(korean, measure)]
    phrase = NounPhrase(
        [*head, *words(name, node)],
        [*words(noun.korean, node), *amount],
        *(node, "3s" if single else "p", noun),
    )
    if d.chance(0.2):  # a slice of bread please
        polite = d.node()
        return Clause(
            [*phrase.english, *words("please", polite)],
            [*phrase.marked(OBJECT), *words("줘", polite)],
        )
    verb = _verb_of(d, noun, ("eat", "drink", "buy", "order"))
    if verb.english == "buy" and korean in ("잔", "그릇", "조각") and "drink" not in noun.classes:
        raise Unfit
    said = said_of(d, person(d), verb, (Clause(phrase.english, phrase.marked(OBJECT)),))
    how = event_of(d, said, d.choose(("past", "past", "future")))
    asked = d.chance(0.1) and not said.subject.first_person
    return clause(
        *(d, said, how),
        ending="니" if asked else "다",
        asked=asked,
        time=time_for(d, said, how.tense, 0.25),
    )


def any_food(d: Derivation) -> Clause:
    """Do you have any bread?: 너는 빵이 있니. I do not have any milk: 나는 우유가 없다."""
    noun = choose_noun(d, PANTRY)
    plural = bool(noun.plural)
    if noun.english in ("hot dog",):
        raise Unfit
    node, own = d.node(), d.node()
    subject = subject_of(d, frozenset({"own", "kin"}), pronouns=0.8)
    name = noun.plural if plural else noun.english
    d.uses(noun.english, noun.korean)
    thing = Clause(
        [*words("any", own), *words(name, own)],
        NounPhrase([], words(noun.korean, own), own, "3s").marked(SUBJECT),
    )
    verb = EnglishVerb("have", "has", "had", "having", node, [])
    exists = Predicate([], "있", "", "adjective", (node,))
    said = Said(subject, verb, exists, (thing,), kind="state")
    asked = d.chance(0.5)
    if asked and subject.first_person:
        raise Unfit
    how = How("present", "", not asked)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def offer(d: Derivation) -> Clause:
    """Would you like some more coffee?: 커피를 더 마시고 싶니."""
    noun = choose_noun(d, PANTRY)
    if noun.classes & {"side", "crop"} or noun.name in UNOFFERED:
        raise Unfit
    verb = _verb_of(d, noun, ("eat", "drink"))
    plural = bool(noun.plural)
    like, node, verb_node, more = d.node(), d.node(), d.node(), d.node()
    name = noun.plural if plural else noun.english
    d.uses(noun.english, noun.korean)
    marked = NounPhrase([], words(noun.korean, node), node, "3s").marked(OBJECT)
    kind = d.weighted((("some more", 0.35), ("another", 0.15), ("some", 0.35), ("a", 0.15)))
    after: list[Word] = []
    if kind == "another":
        if not noun.plural or noun.plural_only or not noun.counter:
            raise Unfit
        english = [*words("another", more), *words(noun.english, node)]
        after = [*words("한", more), *words(noun.counter, more), *words("더", more)]
    elif kind == "some more":
        english = [*words("some more", more), *words(name, node)]
        after = words("더", more)
    elif kind == "some":
        english = [*words("some", node), *words(name, node)]
    else:
        measure = a_measure(d, noun)
        if measure is None:
            raise Unfit
        english, marked = measure.english, measure.marked(OBJECT)
    wished = endings.verb(verb.korean, verb.irregular, verb_node, like)
    wished = endings.wishing(wished, like, first_person=True)
    last = endings.finished(wished, "present", "니")
    you = words("you", like)
    head = [*words("would", like), *you, *words("like", verb_node)]
    return Clause([*head, *english], [*marked, *after, *last])


def taste(d: Derivation) -> Clause:
    """The soup tastes salty: 수프는 짠맛이 난다. It tastes good: 그것은 맛이 좋다."""
    english, korean, irregular, kinds = d.choose(word_table("tastes"))
    subject = known(d, choose_noun(d, frozenset(kinds.split(","))), 0.0)
    node, verb = d.node(), d.node()
    *first, stem = korean.split(" ")
    forms = ("taste", "tastes", "tasted", "tasting")
    if first[0] == "냄새가":
        forms = ("smell", "smells", "smelled", "smelling")
    predicate = Predicate(
        [Word(text, (verb,)) for text in first], stem, irregular.strip("-"), "adjective", (node,)
    )
    said = Said(subject, EnglishVerb(*forms, verb, words(english, node)), predicate, kind="quality")
    how = How("past" if d.chance(0.3) else "present", "", stem != "없" and d.chance(0.15))
    return clause(d, said, how)
