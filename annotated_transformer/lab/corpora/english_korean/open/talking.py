"""Talking with somebody about something, getting something from somebody. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of, person
from annotated_transformer.lab.corpora.english_korean.everyday.frames import said_of
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known, object_pronoun
from annotated_transformer.lab.corpora.english_korean.everyday.times import time_for
from annotated_transformer.lab.corpora.english_korean.everyday.ways import companion
from annotated_transformer.lab.corpora.english_korean.morphology import (
    AT,
    DATIVE,
    OBJECT,
)
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
)

TOPICS = ("movie", "song", "book", "trip", "problem", "plan", "school", "dream", "exam", "party")
TALK = ("talk", "talks", "talked", "talking")


def _about(d: Derivation) -> tuple[Clause, bool]:
    """Return "about the movie", 영화에 대해, and whether it is about people."""
    kind = d.weighted((("thing", 0.5), ("person", 0.25), ("study", 0.15), ("it", 0.1)))
    node, own = d.node(), d.node()
    if kind == "it":
        it, korean_it = d.choose((("it", "그것"), ("this", "이것")))
        phrase = NounPhrase(words(it, own), words(korean_it, own), own, "3s")
    elif kind == "study":
        phrase = known(d, choose_noun(d, frozenset({d.choose(("study", "sport", "city"))})), 0.0)
    else:
        classes = TOPICS if kind == "thing" else ("kin", "name", "relation", "job")
        phrase = known(d, choose_noun(d, frozenset({d.choose(classes)})), 0.0)
    korean = [*phrase.marked(AT), *words("대해", node)]
    return Clause([*words("about", node), *phrase.english], korean), kind == "person"


def talk_about(d: Derivation) -> Clause:
    """I talked with my friend about the movie: 나는 내 친구와 영화에 대해 이야기했다."""
    about, people = _about(d)
    kind = d.weighted((("talk", 0.6), ("tell", 0.25), ("let", 0.15)))
    node = d.node()
    verb = endings.verb("이야기하", "", node)
    if kind == "tell":
        me, polite = d.node(), d.node()
        please = words("please", polite) if d.chance(0.3) else []
        if about.english[-1].text == "it":
            raise Unfit
        asking = (node, polite) if please else (node,)
        last = [*words("말해", node), Word("줘", asking)]
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
        if {w.text for w in other.english[1:]} & {w.text for w in about.english[1:]} or people:
            raise Unfit  # 그와 내 손님에 대해: with him, or about him too
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
