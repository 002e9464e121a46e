"""She asked me to help her, I want you to be happy, to buy milk: 도와 달라고 부탁했다. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import (
    event_of,
    person,
)
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import quality
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action, motion
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
    surroundings,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import object_pronoun
from annotated_transformer.lab.corpora.english_korean.everyday.times import time_for
from annotated_transformer.lab.corpora.english_korean.morphology import (
    DATIVE,
    SUBJECT,
    infinitive,
)
from annotated_transformer.lab.corpora.english_korean.open.joints import (
    NOMINAL,
    ORDERED,
    PURPOSE,
    doing,
    ended,
)
from annotated_transformer.lab.corpora.english_korean.open.perfect import known_person
from annotated_transformer.lab.corpora.english_korean.open.telling import GOOD, hearer_of
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun
from annotated_transformer.lab.corpora.english_korean.verbs import names

# Asking, telling and wanting somebody to do; what follows 도와 and the verb of saying.
ASKING = (
    *(("ask", "asks", "asked", "부탁하"), ("ask", "asks", "asked", "부탁하")),
    *(("tell", "tells", "told", "말하"), ("tell", "tells", "told", "말하")),
)


def asked_to(d: Derivation) -> Clause:
    """She asked me to help her: 그녀는 나에게 자기를 도와 달라고 부탁했다; told me to: 가라고."""
    subject = person(d)
    english, third, past, stem = d.choose(ASKING)
    hearer = hearer_of(d, subject)
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


def _own(d: Derivation, subject: NounPhrase, follow: Words, around: Words) -> tuple[Words, Words]:
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
