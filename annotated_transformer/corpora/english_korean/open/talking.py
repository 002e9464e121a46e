"""Talking about things, the girl with the red hat, going in and out, what day it is. CC0."""

from annotated_transformer.corpora.english_korean.adverbs import DAYS
from annotated_transformer.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.corpora.english_korean.everyday import endings
from annotated_transformer.corpora.english_korean.everyday.compound import event_of, person
from annotated_transformer.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.corpora.english_korean.everyday.frames import action, said_of
from annotated_transformer.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.corpora.english_korean.everyday.subjects import known, object_pronoun
from annotated_transformer.corpora.english_korean.everyday.times import time_for
from annotated_transformer.corpora.english_korean.everyday.ways import companion
from annotated_transformer.corpora.english_korean.morphology import (
    AT,
    DATIVE,
    OBJECT,
    TOPIC,
)
from annotated_transformer.corpora.english_korean.open.whose import owner
from annotated_transformer.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
)

TOPICS = ("movie", "song", "book", "trip", "problem", "plan", "school", "dream", "exam", "party")
TALK = ("talk", "talks", "talked", "talking")


def _about(d: Derivation) -> Clause:
    """Return "about the movie", 영화에 대해."""
    kind = d.weighted((("thing", 0.5), ("person", 0.25), ("study", 0.15), ("it", 0.1)))
    node, own = d.node(), d.node()
    if kind == "it":
        english, korean = d.choose((("it", "그것"), ("this", "이것")))
        phrase = NounPhrase(words(english, own), words(korean, own), own, "3s")
    elif kind == "study":
        phrase = known(d, choose_noun(d, frozenset({d.choose(("study", "sport", "city"))})), 0.0)
    else:
        classes = TOPICS if kind == "thing" else ("kin", "name", "relation", "job")
        phrase = known(d, choose_noun(d, frozenset({d.choose(classes)})), 0.0)
    return Clause(
        [*words("about", node), *phrase.english], [*phrase.marked(AT), *words("대해", node)]
    )


def talk_about(d: Derivation) -> Clause:
    """I talked with my friend about the movie: 나는 내 친구와 영화에 대해 이야기했다."""
    about = _about(d)
    kind = d.weighted((("talk", 0.6), ("tell", 0.25), ("let", 0.15)))
    node = d.node()
    verb = endings.verb("이야기하", "", node)
    if kind == "tell":
        me, polite = d.node(), d.node()
        please = words("please", polite) if d.chance(0.3) else []
        if about.english[-1].text == "it":
            raise Unfit
        asked = (node, polite) if please else (node,)
        last = [*words("말해", node), Word("줘", asked)]
        english = [*please, *words("tell", node), *words("me", me), *about.english]
        return Clause(english, [*words("나에게", me), *about.korean, *last])
    if kind == "let":
        us = d.node()
        english = [*words("let us", us), *words("talk", node), *about.english]
        return Clause(english, [*about.korean, *endings.proposal(verb, us)])
    subject = person(d)
    complements = [about]
    if d.chance(0.55):
        other = _with(d, subject)
        if {w.text for w in other.english[1:]} & {w.text for w in about.english[1:]}:
            raise Unfit
        complements = [other, about]
    english = [word for part in complements for word in part.english]
    korean = [word for part in complements for word in part.korean]
    said = Said(subject, EnglishVerb(*TALK, node, []), verb, (Clause(english, korean),))
    tense = d.choose(("past", "past", "progressive", "future", "past progressive", "modal"))
    asked = d.chance(0.15)
    if tense == "modal":
        how, asked = How("present", d.choose(("want", "want", "have", "must"))), False
    else:
        how = How(tense, "", not asked and d.chance(0.12))
    time = time_for(d, said, how.tense, 0.12 if not how.modal else 0.0)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, time=time)


def _with(d: Derivation, subject: NounPhrase) -> Clause:
    """Return "with my friend" or "to my friend", 내 친구와."""
    other = companion(d, subject)
    if other.english[0].text == "together":
        raise Unfit
    first, *rest = other.english
    *korean, together = other.korean
    english = [Word(d.choose(("with", "to")), first.nodes), *rest]
    last = korean[-1]
    return Clause(english, [*korean[:-1], Word(last.text, last.nodes + together.nodes)])


# What somebody wears, by the adnominal form of its verb.
WORN = (("body", "입은"), ("head", "쓴"), ("neck", "두른"), ("foot", "신은"), ("hand", "낀"))
COLORS = ("red", "blue", "black", "white", "yellow", "green", "pink", "brown")
LOOKS = (
    *(("long hair", "머리가 긴"), ("short hair", "머리가 짧은"), ("blue eyes", "눈이 파란")),
    *(("big eyes", "눈이 큰"), ("black hair", "머리가 검은"), ("long legs", "다리가 긴")),
    *(("curly hair", "머리가 곱슬곱슬한"), ("beautiful eyes", "눈이 아름다운")),
    *(("glasses", "안경을 쓴"), ("sunglasses", "선글라스를 쓴"), ("small hands", "손이 작은")),
)


def wearer(d: Derivation) -> NounPhrase:
    """Return "the girl with the red hat", 빨간 모자를 쓴 소녀."""
    noun = choose_noun(d, frozenset({d.choose(("adult", "little", "little", "job"))}))
    the, node, with_ = d.node(), d.node(), d.node()
    plural = bool(noun.plural) and d.chance(0.12)
    name = noun.plural if plural else noun.english
    if d.chance(0.4):
        look, korean_look = d.choose(LOOKS)
        what = Clause(words(look, the), words(korean_look, the, with_))
        preposition = "with"
    else:
        kind, korean_verb = d.choose(WORN)
        thing = choose_noun(d, frozenset({kind}))
        if "jewel" in thing.classes or thing.english in ("clothes", "pajamas", "shorts"):
            raise Unfit
        determiner = "" if thing.plural_only else d.choose(("the", "the", "a"))
        phrase = noun_phrase(d, thing, determiner, adjective=0.75, among=frozenset(COLORS))
        what = Clause(
            phrase.english, [*phrase.marked(OBJECT), *words(korean_verb, with_, phrase.node)]
        )
        preposition = "in" if kind == "body" or d.chance(0.1) else "with"
    english = [*words("the", node), *words(name, node), *words(preposition, with_), *what.english]
    korean = [*what.korean, *words(noun.korean + ("들" if plural else ""), node)]
    return NounPhrase(english, korean, node, "p" if plural else "3s", noun)


def wearing(d: Derivation) -> Clause:
    """The girl with the red hat is singing: 빨간 모자를 쓴 소녀는 노래하고 있다."""
    phrase = wearer(d)
    kind = d.weighted((("does", 0.55), ("object", 0.25), ("who", 0.2)))
    if kind == "who":
        who, be = d.node(), d.node()
        is_ = "are" if phrase.agreement == "p" else "is"
        copula = Predicate([], "누구", "", "copula", (who, be))
        english = [*words("who", who), *words(is_, be), *phrase.english]
        return Clause(english, [*phrase.marked(TOPIC), *endings.finished(copula, "present", "니")])
    if kind == "object":
        bases = ("see", "know", "meet", "like", "look at", "help")
        verb = d.choose([v for v in d.lexicon.transitive if v.english in bases])
        if "person" not in verb.objects:
            raise Unfit
        said = said_of(d, person(d), verb, (Clause(phrase.english, phrase.marked(OBJECT)),))
        if said.subject.noun == phrase.noun:
            raise Unfit
        stative = said.base in ("know", "like")
        how = How("present" if stative else d.choose(("past", "past", "future")))
        asked = d.chance(0.25)
        return clause(d, said, how, ending="니" if asked else "다", asked=asked)
    said = action(d, phrase)
    if "OWN" in said.base or said.flags & {"s"}:
        raise Unfit
    how = event_of(d, said, d.choose(("progressive", "progressive", "past", "future")))
    return clause(d, said, how)


# English before the place, forms, Korean stem, particle or noun of place, places.
MOVES = (
    (
        "go into",
        "goes into",
        "went into",
        "going into",
        "들어가",
        "에",
        "room,house,store,bank,cave",
    ),
    (
        "come into",
        "comes into",
        "came into",
        "coming into",
        "들어오",
        "에",
        "room,classroom,office",
    ),
    ("walk into", "walks into", "walked into", "walking into", "걸어 들어가", "에", "room,store"),
    ("run into", "runs into", "ran into", "running into", "뛰어 들어가", "에", "room,house,garden"),
    (
        "go out of",
        "goes out of",
        "went out of",
        "going out of",
        "나가",
        "에서",
        "room,house,office",
    ),
    (
        "come out of",
        "comes out of",
        "came out of",
        "coming out of",
        "나오",
        "에서",
        "room,house,bank",
    ),
    ("get on", "gets on", "got on", "getting on", "타", "에", "bus,train,plane,ship"),
    ("get off", "gets off", "got off", "getting off", "내리", "에서", "bus,train,plane,subway"),
    ("get into", "gets into", "got into", "getting into", "타", "에", "car,taxi,truck"),
    ("get out of", "gets out of", "got out of", "getting out of", "내리", "에서", "car,taxi,truck"),
    (
        "walk along",
        "walks along",
        "walked along",
        "walking along",
        "걷",
        "을",
        "river,street,beach",
    ),
    ("run along", "runs along", "ran along", "running along", "달리", "을", "river,beach,road"),
)


def moving(d: Derivation) -> Clause:
    """She came out of the room: 그녀는 방에서 나왔다. We walked along the river: 강을 따라."""
    base, third, past, ing, stem, particle, places = d.choose(MOVES)
    noun = choose_noun(d, frozenset(places.split(",")))
    if noun.english in ("clinic", "apartment"):
        raise Unfit
    node = d.node()
    first, *rest = base.split(" ")
    place = noun_phrase(d, noun, d.choose(("the", "the", "the", "the", "this")))
    if particle == "을":
        korean = [*place.marked(OBJECT), *words("따라", node)]
    else:
        korean = place.marked((particle, particle), node)
    verb = EnglishVerb(first, third.split(" ")[0], past.split(" ")[0], ing.split(" ")[0], node, [])
    there = Clause([*words(" ".join(rest), node), *place.english], korean)
    predicate = endings.verb(stem, "ㄷ" if stem == "걷" else "", node)
    kind = d.weighted((("told", 0.8), ("order", 0.12), ("never", 0.08)))
    if kind == "order" and first != "come":
        return Clause([*words(first, node), *there.english], [*korean, *endings.command(predicate)])
    if kind == "never":
        no = d.node()
        english = [*words("do not", no), *words(first, node), *there.english]
        return Clause(english, [*korean, *endings.prohibition(predicate, no)])
    said = Said(person(d), verb, predicate, (there,), kind="motion")
    tense = d.choose(("past", "past", "past", "future", "progressive"))
    asked = d.chance(0.15)
    how = How(tense, "", not asked and d.chance(0.12))
    time = time_for(d, said, tense, 0.12)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, time=time)


def received(d: Derivation) -> Clause:
    """I got a letter from my friend: 나는 내 친구에게서 편지를 받았다."""
    verb = d.choose([v for v in d.lexicon.transitive if v.english in ("get", "receive", "borrow")])
    noun = choose_noun(d, verb.objects)
    subject = person(d)
    one = bool(noun.plural) and not noun.plural_only
    thing = noun_phrase(d, noun, "a" if one else "", adjective=0.12)
    if d.chance(0.3):
        giver = object_pronoun(d, subject)
    else:
        giver = known(d, choose_noun(d, frozenset({d.choose(("kin", "relation", "name"))})), 0.0)
    if giver.noun is not None and giver.noun == subject.noun:
        raise Unfit
    node = d.node()
    d.pairing("object", verb.english, noun.english)
    *first, last = giver.marked(DATIVE)
    marked = [*first, Word(last.text + "서", (*last.nodes, node))]
    english = [*thing.english, *words("from", node), *giver.english]
    said = said_of(d, subject, verb, (Clause(english, [*marked, *thing.marked(OBJECT)]),))
    asked = d.chance(0.15)
    how = event_of(d, said, d.choose(("past", "past", "past", "future")))
    how = how._replace(negated=not asked and d.chance(0.12))
    time = time_for(d, said, how.tense, 0.15)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, time=time)


WHEN = (("today", "오늘"), ("tomorrow", "내일"), ("yesterday", "어제"), *DAYS.items())
FEASTS = (("birthday", "생일"), ("wedding", "결혼식"), ("first day of school", "학교 첫날"))


def day_is(d: Derivation) -> Clause:
    """Tomorrow is my sister's birthday: 내일은 내 여동생의 생일이다."""
    english, korean = d.choose(WHEN[:3] * 3 + WHEN[3:])
    feast, korean_feast = d.choose(FEASTS[:1] * 3 + FEASTS[1:])
    node, be, own = d.node(), d.node(), d.node()
    subject = NounPhrase(words(english, node), words(korean, node), node, "3s")
    whose = owner(d)
    last = whose.english[-1]
    tail = [*whose.english[:-1], Word(last.text + "'s", last.nodes), *words(feast, own)]
    *first, name = korean_feast.split(" ")
    before = [*whose.marked(("의", "의")), *(Word(text, (own,)) for text in first)]
    copula = Predicate(before, name, "", "copula", (own, be))
    said = Said(subject, EnglishVerb("be", "", "", "", be, tail), copula)
    asked = d.chance(0.2)
    how = How("past" if english == "yesterday" else "present", "", not asked and d.chance(0.12))
    ending = "니" if asked else "다"
    return clause(d, said, how, ending=ending, asked=asked)
