"""He told me that, s, I hope that, I went to the store to buy milk: 말했다. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import (
    event_of,
    expressing,
    person,
)
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import quality, state
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import object_pronoun
from annotated_transformer.lab.corpora.english_korean.everyday.weather import weather_clause
from annotated_transformer.lab.corpora.english_korean.morphology import (
    DATIVE,
)
from annotated_transformer.lab.corpora.english_korean.natural import itself
from annotated_transformer.lab.corpora.english_korean.open.joints import (
    NOMINAL,
    THAT,
    doing,
    joined,
)
from annotated_transformer.lab.corpora.english_korean.open.perfect import known_person
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun
from annotated_transformer.lab.corpora.english_korean.verbs import names

GOOD = names(
    "happy healthy free rich strong okay lucky brave honest kind quiet patient polite calm"
)


def hearer_of(d: Derivation, subject: NounPhrase) -> NounPhrase:
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
    hearer = hearer_of(d, subject)
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
            future = made.english[len(other.english)]
            english = [*other.english, Word(future.text, said.korean.nodes)]
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
