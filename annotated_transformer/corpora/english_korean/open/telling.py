"""He told me that, she asked me to, I hope that, I went to the store to buy milk: 말했다. CC0."""

from annotated_transformer.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.corpora.english_korean.everyday import endings
from annotated_transformer.corpora.english_korean.everyday.compound import (
    event_of,
    expressing,
    person,
)
from annotated_transformer.corpora.english_korean.everyday.conditions import quality, state
from annotated_transformer.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.corpora.english_korean.everyday.frames import action, motion
from annotated_transformer.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
    surroundings,
)
from annotated_transformer.corpora.english_korean.everyday.subjects import object_pronoun
from annotated_transformer.corpora.english_korean.everyday.times import time_for
from annotated_transformer.corpora.english_korean.everyday.weather import weather_clause
from annotated_transformer.corpora.english_korean.morphology import (
    DATIVE,
    OBJECT,
    SUBJECT,
    infinitive,
)
from annotated_transformer.corpora.english_korean.natural import itself
from annotated_transformer.corpora.english_korean.open.joints import (
    NOMINAL,
    ORDERED,
    PURPOSE,
    THAT,
    doing,
    ended,
    joined,
)
from annotated_transformer.corpora.english_korean.open.perfect import known_person
from annotated_transformer.corpora.english_korean.phrases import NounPhrase, pronoun
from annotated_transformer.corpora.english_korean.verbs import names

GOOD = names(
    "happy healthy free rich strong okay lucky brave honest kind quiet patient polite calm"
)


def _hearer(d: Derivation, subject: NounPhrase) -> NounPhrase:
    """Return who is told or asked: me, him, my mother."""
    return object_pronoun(d, subject) if d.chance(0.75) else known_person(d)


def reported(d: Derivation, subject: NounPhrase, ending: str, *, was: bool) -> Clause:
    """Return what is told or known, backshifted in English if `was`: he was busy, 바쁘다고."""
    other = itself(person(d), subject)
    own = other.english[0].text == subject.english[0].text
    if own and subject.noun is not None:
        raise Unfit
    kind = d.weighted((("state", 0.45), ("event", 0.3), ("future", 0.15), ("can", 0.1)))
    if kind == "state":
        said = state(d, other)
        how = How("past" if was else "present", "", d.chance(0.2))
        return joined(d, said, how, ending, korean_tense="present")
    said = doing(d, other)
    if kind == "event":
        how = event_of(d, said, "past")._replace(negated=d.chance(0.2))
        return joined(d, said, how, ending)
    if kind == "can":
        how = How("past" if was else "present", "can", d.chance(0.4))
        return joined(d, said, how, ending, korean_tense="present")
    made = joined(d, said, How("future", "", d.chance(0.15)), ending)
    if not was:
        return made
    return Clause(
        [Word("would" if text == "will" else text, nodes) for text, nodes in made.english],
        made.korean,
    )


def told_that(d: Derivation) -> Clause:
    """She told me that she was busy: 그녀는 나에게 자기가 바쁘다고 말했다."""
    subject = person(d)
    hearer = _hearer(d, subject)
    if hearer.noun is not None and hearer.noun == subject.noun:
        raise Unfit
    inner = reported(d, subject, "다고", was=True)
    if inner.english[0].text == hearer.english[0].text:
        raise Unfit
    node, that = d.node(), d.node()
    quoted = expressing(inner, that if d.chance(0.6) else node)
    with_that = that in quoted[-1].nodes
    part = Clause([*words("that", that), *inner.english] if with_that else inner.english, quoted)
    denied = d.chance(0.12)
    verb = EnglishVerb("tell", "tells", "told", "telling", node, [])
    said = Said(subject, verb, Predicate([], "말하", "", "verb", (node,)))
    whom = Clause(hearer.english, hearer.marked(DATIVE))
    made = clause(d, said, How("past", "", denied))
    n_topic = len(subject.korean)
    korean = [*made.korean[:n_topic], *whom.korean, *part.korean, *made.korean[n_topic:]]
    return Clause([*made.english, *whom.english, *part.english], korean)


KNOWING = (
    *(("know", "knows", "knew", "알", THAT, "것을"), ("know", "knows", "knew", "알", THAT, "것을")),
    ("remember", "remembers", "remembered", "기억하", THAT, "것을"),
    ("forget", "forgets", "forgot", "잊어버리", THAT, "것을"),
    ("hear", "hears", "heard", "듣", "다고", ""),
)


def know_that(d: Derivation) -> Clause:
    """I know that you are busy: 나는 네가 바쁘다는 것을 안다. I heard that: -다고 들었다."""
    subject = person(d)
    english, third, past, stem, ending, thing = d.choose(KNOWING)
    tense = "past" if english in ("forget", "hear") else d.choose(("present", "present", "past"))
    was = tense == "past" and english != "hear"
    inner = reported(d, subject, ending, was=was)
    node, that = d.node(), d.node()
    with_that = d.chance(0.6) or english in ("remember", "forget")
    own = that if with_that else node
    asked = english == "know" and subject.english[0].text == "you" and d.chance(0.5)
    denied = english in ("know", "remember") and not asked and d.chance(0.2)
    if denied and english == "know" and not with_that:
        raise Unfit
    quoted = [*expressing(inner, own), *(words(thing, own) if thing else [])]
    clause_words = [*(words("that", that) if with_that else []), *inner.english]
    irregular = "ㄷ" if stem == "듣" else ""
    verb = EnglishVerb(english, third, past, "", node, [])
    said = Said(
        subject,
        verb,
        Predicate([], stem, irregular, "verb", (node,)),
        (Clause(clause_words, quoted),),
        frozenset("n" if english == "remember" else ""),
    )
    return clause(d, said, How(tense, "", denied), ending="니" if asked else "다", asked=asked)


def hope(d: Derivation) -> Clause:
    """I hope you are happy: 나는 네가 행복하기를 바란다. I hope it does not rain."""
    subject = pronoun(d, d.choose((0, 0, 0, 4, 2, 3)))
    node, that = d.node(), d.node()
    kind = d.weighted((("be", 0.35), ("do", 0.45), ("sky", 0.2)))
    other = itself(person(d), subject)
    if kind == "sky":
        part = weather_clause(d, "present", "면")
        will = part.english[-1].text in ("rains", "snows")
        falling = part.korean[-1]
        if not will:
            raise Unfit
        stem, deny = "오", d.chance(0.6)
        no = d.node()
        base = part.english[-1].text.removesuffix("s")
        head = words("will" if d.chance(0.5) else "does", no if deny else falling.nodes[0])
        if head[0].text == "does" and not deny:
            head, base = [], base + "s"
        english = [part.english[0], *head, *(words("not", no) if deny else [])]
        english += words(base, *part.english[-1].nodes)
        last = (
            [Word(stem + "지", falling.nodes), Word("않기를", (no,))]
            if deny
            else [Word("오기를", falling.nodes)]
        )
        part = Clause(english, [*part.korean[:-1], *last])
    elif kind == "be":
        said = quality(d, other)
        if said.base not in GOOD or said.korean.before:
            raise Unfit
        how = How("present" if d.chance(0.7) else "future")
        part = joined(d, said, How("present"), NOMINAL)
        if how.tense == "future":
            made = joined(d, said, How("future"), NOMINAL)
            will = made.english[len(other.english)]
            english = [*other.english, Word(will.text, said.korean.nodes)]
            part = Clause([*english, *made.english[len(other.english) + 1 :]], part.korean)
    else:
        said = doing(d, other, "sp")
        made = joined(d, said, How("future"), "고")
        korean = joined(d, said, How("present"), NOMINAL).korean
        english = [
            Word(text, said.korean.nodes if text == "will" else nodes)
            for text, nodes in made.english
        ]
        if "e" in said.flags and d.chance(0.5):
            english = joined(d, said, How("present"), "고").english
        part = Clause(english, korean)
    with_that = d.chance(0.3)
    quoted = expressing(part, that if with_that else node)
    verb = EnglishVerb("hope", "hopes", "hoped", "hoping", node, [])
    complement = Clause([*(words("that", that) if with_that else []), *part.english], quoted)
    said = Said(subject, verb, Predicate([], "바라", "", "verb", (node,)), (complement,))
    return clause(d, said, How("present"))


# Asking, telling and wanting somebody to do; what follows 도와 and the verb of saying.
ASKING = (
    *(("ask", "asks", "asked", "부탁하"), ("ask", "asks", "asked", "부탁하")),
    *(("tell", "tells", "told", "말하"), ("tell", "tells", "told", "말하")),
)


def asked_to(d: Derivation) -> Clause:
    """She asked me to help her: 그녀는 나에게 자기를 도와 달라고 부탁했다; told me to: 가라고."""
    subject = person(d)
    english, third, past, stem = d.choose(ASKING)
    hearer = _hearer(d, subject)
    inner = action(d, hearer if hearer.noun is not None else pronoun(d, 1))
    if "OWN" in inner.base or inner.flags & {"s", "x", "p"} or inner.base in ("become", "arrive"):
        raise Unfit
    node, to, deny = d.node(), d.node(), d.node()
    negated = d.chance(0.2)
    follow, around = surroundings(inner)
    follow, around = _own(d, subject, follow, around)
    spoken = {hearer.english[0].text, subject.english[0].text}
    if any(text in spoken | {"you", "some"} for text, _ in follow):
        raise Unfit
    verb = inner.english
    base = [*words(verb.base, verb.node), *verb.tail, *follow]
    no = words("not", deny) if negated else []
    p = inner.korean
    favour = stem == "부탁하"
    if negated:
        stopped = [*p.before, Word(p.stem + "지", p.nodes)]
        last = words("말아 달라고" if favour else "말라고", deny)
        part = [*stopped, *last[:-1], Word(last[-1].text, (deny, to))]
    elif favour and p.stem.endswith("주"):
        part = [*p.before, Word(p.stem.removesuffix("주") + "달라고", (*p.nodes, to))]
        if p.stem != "주":
            raise Unfit
    elif favour:
        part = [*p.before, Word(infinitive(p.stem, p.irregular), p.nodes), Word("달라고", (to,))]
    else:
        part = [*ended(p, "present", ORDERED)]
        part = [*part[:-1], Word(part[-1].text, (*part[-1].nodes, to))]
    whom = Clause(hearer.english, hearer.marked(DATIVE))
    complement = Clause([*no, *words("to", to), *base], [*around, *part])
    said = Said(
        subject,
        EnglishVerb(english, third, past, "", node, []),
        Predicate([], stem, "", "verb", (node,)),
    )
    if hearer.noun is not None and hearer.noun == subject.noun:
        raise Unfit
    made = clause(d, said, How("past"))
    n_topic = len(subject.korean)
    korean = [*made.korean[:n_topic], *whom.korean, *complement.korean, *made.korean[n_topic:]]
    return Clause([*made.english, *whom.english, *complement.english], korean)


def _own(d: Derivation, subject: NounPhrase, follow: list[Word], around: list[Word]):
    """Say 자기 of an object that is the asker: she asked me to help her."""
    accusative = {"he": "him", "she": "her"}.get(subject.english[0].text)
    if accusative and follow and follow[-1].text == accusative and len(follow) == 1:
        text = {"그를": "자기를", "그녀를": "자기를", "그에게": "자기에게", "그녀에게": "자기에게"}
        return follow, [Word(text.get(word.text, word.text), word.nodes) for word in around]
    return follow, around


def want_to_be(d: Derivation) -> Clause:
    """I want you to be happy: 나는 네가 행복하기를 원한다."""
    subject = person(d)
    other = object_pronoun(d, subject) if d.chance(0.65) else known_person(d)
    if other.first_person and subject.first_person:
        raise Unfit
    said = quality(d, other)
    if (
        said.base not in GOOD - {"free"}
        or said.korean.before
        or other.noun == subject.noun is not None
    ):
        raise Unfit
    node, to = d.node(), d.node()
    tail = [Word("be", (said.english.node,)), *said.english.tail]
    part = ended(said.korean, "present", NOMINAL)
    complement = Clause(
        [*other.english, *words("to", to), *tail],
        [*other.marked(SUBJECT), *part[:-1], Word(part[-1].text, (*part[-1].nodes, to))],
    )
    verb = EnglishVerb("want", "wants", "wanted", "wanting", node, [])
    wish = Said(subject, verb, Predicate([], "원하", "", "verb", (node,)), (complement,))
    return clause(d, wish, How("past" if d.chance(0.2) else "present", "", d.chance(0.1)))


AIMS = names(
    """buy,see,meet,eat,drink,watch,borrow,study,swim,play,visit,help,learn,take a walk,work,
    have lunch,have dinner,eat lunch,eat dinner,drink coffee,take pictures,exercise,look for,ride,
    play with,talk to,sell,take a rest,take a picture,find,rent,fix,sleep,rest,dance,listen to"""
)


def purpose(d: Derivation) -> Clause:
    """He went to the store to buy milk: 그는 우유를 사러 가게에 갔다."""
    subject = person(d)
    said = motion(d, subject)
    if said.base not in ("go", "come", "return"):
        raise Unfit
    inner = doing(d, subject)
    if inner.base not in AIMS:
        raise Unfit
    complements = inner.complements[:1]
    if (
        complements
        and complements[0].english
        and complements[0].english[0].text in ("in", "at", "on")
    ):
        complements = ()
    inner = inner._replace(complements=complements)
    node = d.node()
    follow, around = surroundings(inner)
    if any(text == "some" for text, _ in follow):
        raise Unfit
    verb = inner.english
    base = [*words("to", node), *words(verb.base, verb.node), *verb.tail, *follow]
    part = ended(inner.korean, "present", PURPOSE)
    aim = [*around, *part[:-1], Word(part[-1].text, (*part[-1].nodes, node))]
    tense = d.choose(("past", "past", "past", "future", "going", "present", "modal"))
    if tense == "modal":
        how = How("present", d.choose(("want", "have", "must", "should")))
    else:
        how = event_of(d, said, tense)
    time = time_for(d, said, tense, 0.25) if tense in ("past", "future") else Clause([], [])
    said = said._replace(complements=(said.complements[0],))
    made = clause(d, said, how, time=Clause([], time.korean))
    place = said.complements[0].korean
    at = next(i for i in range(len(made.korean)) if made.korean[i : i + len(place)] == place)
    korean = [*made.korean[:at], *aim, *made.korean[at:]]
    return Clause([*made.english, *base, *time.english], korean)
