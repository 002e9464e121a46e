"""The second book is better, the same school, the president of Korea, late for work. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import being
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    Said,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import (
    SUBJECT,
    TOPIC,
)
from annotated_transformer.lab.corpora.english_korean.open.society import (
    korean_of,
    part,
    phrase,
    said,
    society_rows,
    told,
)
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, article

PEOPLE = frozenset({"own", "kin", "relation"})


# What is said of an ordered thing and the way it conjugates, "done" for what Korean says as done.
SHAPES = {"어렵": "ㅂ", "쉽": "ㅂ", "아름답": "ㅂ", "빠르": "르"}
DONE = frozenset({"틀리", "오래되"})
WHOSE = (("my", "내"), ("my", "내"), ("your", "네"), ("his", "그의"), ("her", "그녀의"))
THIS = (("this", "이것"), ("that", "저것"), ("it", "그것"))


def _ordered(d: Derivation, name: str, korean: str, without: tuple[str, ...]) -> NounPhrase:
    """Return "second book", 두 번째 책."""
    order, korean_order = d.choose(society_rows("ordinals"))
    if order in without:
        raise Unfit
    node, own = d.node(), d.node()
    return NounPhrase(
        [*words(order, own), *words(name, node)],
        [*words(korean_order, own), *words(korean, node)],
        *(node, "3s"),
    )


def _second_is(d: Derivation) -> Clause:
    name, korean, adjectives = d.choose(society_rows("ordered things"))
    english = d.choose(adjectives.split(","))
    stem = korean_of("ordered are")[english]
    thing = _ordered(d, name, korean, ("next",))
    subject = thing._replace(english=[*words("the", thing.node), *thing.english])
    node, be = d.node(), d.node()
    done = stem in DONE
    predicate = endings.verb(stem, SHAPES.get(stem, ""), node, be)
    predicate = predicate._replace(kind="verb" if done else "adjective")
    forms = EnglishVerb("be", "", "", "", be, words(english, node))
    what = Said(subject, forms, predicate, (), frozenset("R" if done else ""), "quality")
    tense = "past" if d.chance(0.4) and not done else "present"
    return told(d, what, tense, asked=0.2, denied=0.12)


def _my_first(d: Derivation) -> Clause:
    name, korean = d.choose(society_rows("my first"))
    whose, korean_whose = d.choose(WHOSE)
    if name in ("love", "child"):
        raise Unfit
    subject = phrase(d, *d.choose(THIS))
    thing = _ordered(d, name, korean, ("next", "fourth", "fifth"))
    owner = part(d, whose, korean_whose)
    noun = thing._replace(
        english=[*owner.english, *thing.english], korean=[*owner.korean, *thing.korean]
    )
    return told(d, being(d, subject, noun), "past" if d.chance(0.3) else "present", asked=0.2)


def _second_son(d: Derivation) -> Clause:
    name, korean = d.choose(society_rows("order of kin")[:3])
    subject = subject_of(d, PEOPLE, pronouns=0.7)
    who = subject.english[0].text
    if subject.agreement == "p" and who != "you":
        raise Unfit
    classes = subject.noun.classes if subject.noun is not None else frozenset({who})
    if (classes & {"he", "male"} and name == "daughter") or (
        classes & {"she", "female"} and name == "son"
    ):
        raise Unfit
    whose, korean_whose = d.choose((("the", ""), ("the", ""), ("my", "내"), ("their", "그들의")))
    if whose == "my" and subject.first_person:
        raise Unfit
    thing = _ordered(d, name, korean, ("next",))
    owner = d.node() if korean_whose else thing.node
    head = words(korean_whose, owner) if korean_whose else []
    noun = thing._replace(
        english=[*words(whose, owner), *thing.english], korean=[*head, *thing.korean]
    )
    return told(d, being(d, subject, noun), "present", asked=0.15)


def second_book(d: Derivation) -> Clause:
    """The second book is better: 두 번째 책은 더 좋다. This is my first car: 내 첫 번째 차다."""
    return d.choose((_second_is, _second_is, _my_first, _second_son))(d)


def same_school(d: Derivation) -> Clause:
    """We go to the same school: 우리는 같은 학교에 다닌다."""
    subject = subject_of(d, PEOPLE, pronouns=0.6)
    if subject.agreement != "p" or subject.english[0].text == "you":
        raise Unfit
    english, korean, rest, name = d.choose(society_rows("same"))
    verb, same, node = d.node(), d.node(), d.node()
    base, preposition = [*english.split(" "), ""][:2]
    past = {"go": "went", "work": "worked", "live": "lived", "read": "read"}
    past |= {"play": "played", "speak": "spoke"}
    particle, stem = rest.strip().split(" ")
    there = Clause(
        [
            *(words(preposition, verb) if preposition else []),
            *words("the", same),
            *words("same", same),
            *words(name, node),
        ],
        [*words("같은", same), Word(korean + particle, (node,))],
    )
    forms = EnglishVerb(base, base, past[base], base + "ing", verb, [])
    what = Said(subject, forms, endings.verb(stem, "", verb), (there,))
    tense = "past" if d.chance(0.3) and base != "read" else "present"
    return told(d, what, tense, asked=0.2, denied=0.15)


def president_of(d: Derivation) -> Clause:
    """He is the president of Korea: 그는 한국의 대통령이다. She is a student at this school."""
    subject = subject_of(d, PEOPLE, pronouns=0.75)
    several = subject.agreement == "p" and subject.english[0].text != "you"
    if several:
        raise Unfit
    node, own, of = d.node(), d.node(), d.node()
    if d.chance(0.5):
        name, korean, places = d.choose(society_rows("belongs"))
        place = d.choose(places.split(","))
        which, korean_which = d.choose(
            (("a", ""), ("the", ""), ("this", "이"), ("my", "내"), ("our", "우리"), ("your", "네"))
        )
        names = {**korean_of("works at"), "college": "대학교"}
        determiner = article(place) if which == "a" else which
        if place == "university" and which == "a":
            determiner = "a"
        whose = d.node()
        head = words(korean_which, whose) if korean_which else []
        noun = NounPhrase(
            [
                *words(article(name), own),
                *words(name, own),
                *words(d.choose(("at", "at", "in")), of),
                *words(determiner, whose if head else node),
                *words(place, node),
            ],
            [*head, Word(names[place] + "의", (node, of)), *words(korean, own)],
            *(own, "3s"),
        )
        return told(d, being(d, subject, noun), "past" if d.chance(0.2) else "present", asked=0.2)
    name, korean, bodies = d.choose([row for row in society_rows("heads") if row[2] != "-"])
    place, korean_place = d.choose(bodies.split(",")).split(":")
    if (name == "queen" and subject.english[0].text == "he") or (
        name == "king" and subject.english[0].text == "she"
    ):
        raise Unfit
    title = NounPhrase(
        [*words(f"the {name}", own), *words("of", of), *words(place, node)],
        [*(Word(t, (node,)) for t in korean_place.split(" ")[:-1]),
         Word(korean_place.split(" ")[-1] + "의", (node, of)), *words(korean, own)],
        *(own, "3s"),
    )  # fmt: skip
    if d.chance(0.25):
        who, be = d.node(), d.node()
        english = [*words("who", who), *words("is", be), *title.english]
        return Clause(english, [*title.marked(TOPIC), Word("누구니", (who, be))])
    return told(d, being(d, subject, title), "past" if d.chance(0.25) else "present", asked=0.2)


def is_over(d: Derivation) -> Clause:
    """The war is over: 전쟁이 끝났다."""
    english, korean = d.choose(society_rows("what is over"))
    forms, stem = d.choose(society_rows("over"))
    what = said(d, phrase(d, english, korean), forms, stem)._replace(flags=frozenset("R"))
    return told(d, what, "present", asked=0.2, denied=0.12, particle=SUBJECT)


def late_for(d: Derivation) -> Clause:
    """He was late for work: 그는 직장에 늦었다. I was late for the train."""
    english, korean = d.choose(society_rows("late for"))
    subject = subject_of(d, PEOPLE, pronouns=0.75)
    node, be = d.node(), d.node()
    there = part(d, f"for {english}", korean)
    predicate = endings.verb("늦", "", node, be)
    forms = EnglishVerb("be", "", "", "", be, words("late", node))
    what = Said(subject, forms, predicate, (there,), frozenset("R"))
    kind = d.choose(("present", "past", "past", "never"))
    if kind == "never":
        deny = d.node()
        head = words("do not", deny)
        body = [*words("be", node), *words("late", node), *there.english]
        return Clause([*head, *body], [*there.korean, *words("늦지", node), *words("마라", deny)])
    return told(d, what, kind, asked=0.2, denied=0.15)
