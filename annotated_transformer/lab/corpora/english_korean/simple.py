"""Constructions of a subject, a verb and perhaps an object. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import BY_VEHICLE, NOW
from annotated_transformer.lab.corpora.english_korean.clauses import (
    EMPTY,
    adverbial,
    assemble,
    conjugate,
    direct_object,
    frequency_of,
    is_unclear,
    manner_of,
    place_phrase,
    tense_of,
    time_of,
    transitive_verb,
    usual_place,
)
from annotated_transformer.lab.corpora.english_korean.derivation import Clause, Derivation, Word
from annotated_transformer.lab.corpora.english_korean.morphology import AT, TOWARDS, attach
from annotated_transformer.lab.corpora.english_korean.phrases import subject_phrase
from annotated_transformer.lab.corpora.english_korean.verbs import Verb

# Where an activity without object takes place, by the flag of its verb.
SCENES = {"i": ("room", "house"), "o": ("outdoor",), "k": ("indoor", "room"), "w": ("river",)}


def transitive(d: Derivation) -> Clause:
    """She read the letter: 그녀는 편지를 읽었다."""
    return _transitive(d, negated=False)


def negation(d: Derivation) -> Clause:
    """She did not read the letter: 그녀는 편지를 읽지 않았다."""
    return _transitive(d, negated=True)


def _transitive(d: Derivation, *, negated: bool) -> Clause:
    verb = transitive_verb(d)
    subject = subject_phrase(d, verb.subjects)
    tense = tense_of(d, verb, subject.agreement, timed=not negated)
    complements = [direct_object(d, verb, subject)]
    human = subject.noun is None or "animal" not in subject.noun.classes
    extra = d.weighted((("none", 0.6), ("manner", 0.15 * (not negated)), ("place", 0.25 * human)))
    if extra == "manner":
        complements.append(manner_of(d, verb, 1.0))
    if extra == "place":
        complements.append(usual_place(d, verb, 1.0))
    unclear = is_unclear(verb, subject.agreement)
    often = EMPTY if negated or unclear else frequency_of(d, verb, tense, 0.15)
    time = EMPTY if often.english else time_of(d, verb, tense, 1.0 if unclear else 0.35)
    return assemble(
        subject,
        conjugate(d, verb, tense, subject.agreement, negated=negated),
        tuple(complements),
        time=time,
        before_verb=often,
        time_first=bool(time.english) and d.chance(0.25),
    )


def progressive(d: Derivation) -> Clause:
    """She is reading the letter now: 그녀는 지금 편지를 읽고 있다."""
    tense = "past progressive" if d.chance(0.35) else "progressive"
    negated = d.chance(0.15)
    now = adverbial(d, NOW) if tense == "progressive" and d.chance(0.3) else EMPTY
    if d.chance(0.3):
        verb = d.choose(d.lexicon.intransitive)
        subject = subject_phrase(d, verb.subjects)
        complements: tuple[Clause, ...] = (scene(d, verb, 0.6),)
    else:
        verb = transitive_verb(d, without="sxp")
        subject = subject_phrase(d, verb.subjects)
        complements = (direct_object(d, verb, subject),)
    inflected = conjugate(d, verb, tense, subject.agreement, negated=negated)
    return assemble(subject, inflected, complements, time=now)


def scene(d: Derivation, verb: Verb, probability: float) -> Clause:
    """Perhaps return the place of an activity without object."""
    kinds = [kind for flag, kind in SCENES.items() if flag in verb.flags]
    if not kinds or not d.chance(probability):
        return EMPTY
    place = d.choose(d.lexicon.nouns(*d.choose(kinds)))
    d.pairing("place", verb.english, place.english)
    return place_phrase(d, place)


def intransitive(d: Derivation) -> Clause:
    """The horse ran slowly in the field: 그 말은 들판에서 천천히 달렸다."""
    verb = d.choose(d.lexicon.intransitive)
    subject = subject_phrase(d, verb.subjects)
    tense = tense_of(d, verb, subject.agreement)
    negated = d.chance(0.25)
    manner = EMPTY if negated else manner_of(d, verb, 0.4)
    place = scene(d, verb, 0.7)
    often = EMPTY if negated else frequency_of(d, verb, tense, 0.2)
    time = EMPTY if often.english else time_of(d, verb, tense, 0.4)
    return assemble(
        subject,
        conjugate(d, verb, tense, subject.agreement, negated=negated),
        (manner, place),
        time=time,
        before_verb=often,
        time_first=bool(time.english) and d.chance(0.25),
    )


def by_vehicle(d: Derivation) -> Clause:
    """Return "by train", 기차로."""
    vehicle = adverbial(d, BY_VEHICLE)
    name = vehicle.korean[-1]
    return Clause(vehicle.english, [Word(attach(name.text, TOWARDS), name.nodes)])


def motion(d: Derivation) -> Clause:
    """He went to Seoul by train: 그는 기차로 서울에 갔다."""
    verb, preposition, particle = d.choose(d.lexicon.motion)
    subject = subject_phrase(d, verb.subjects)
    place = d.choose(d.lexicon.nouns(*sorted(verb.objects)))
    d.pairing("place", verb.english, place.english)
    if "city" in place.classes and preposition == "at":
        preposition = "in"
    goal = place_phrase(d, place, preposition, TOWARDS if particle == "로" else AT)
    tense = tense_of(d, verb, subject.agreement)
    negated = d.chance(0.2)
    moves = verb.english in ("go", "come", "return")
    # 기차로 서울로 would have two 로 in a row.
    vehicle = by_vehicle(d) if moves and particle != "로" and d.chance(0.35) else EMPTY
    once = tense if moves or (tense == "past" and verb.english != "live") else ""
    time = time_of(d, verb, once, 0.4)
    return assemble(
        subject,
        conjugate(d, verb, tense, subject.agreement, negated=negated),
        (goal, vehicle),
        time=time,
        time_first=bool(time.english) and d.chance(0.25),
    )
