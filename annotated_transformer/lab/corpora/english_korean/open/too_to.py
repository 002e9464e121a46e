"""Too tired to walk, so tired that he could not, it made me cry: 너무 피곤해서. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import person
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import intransitive, phrasal
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
    surroundings,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import object_pronoun
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT, SUBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.open.joints import doing, mood
from annotated_transformer.lab.corpora.english_korean.open.telling import hearer_of
from annotated_transformer.lab.corpora.english_korean.phrases import pronoun
from annotated_transformer.lab.corpora.english_korean.verbs import names

HINDERING = names("tired sick busy weak sleepy hungry thirsty young old lazy scared poor sad upset")


def too_to(d: Derivation) -> Clause:
    """He is too tired to walk, so tired that he cannot walk: 그는 너무 피곤해서 걸을 수 없다."""
    subject = person(d)
    why, said = mood(d, subject, HINDERING), doing(d, subject)
    if any(text == "some" for part in said.complements for text, _ in part.english):
        raise Unfit
    if why.base in ("hungry", "thirsty") and said.korean.stem in ("먹", "마시"):
        raise Unfit
    too, to, tense = d.node(), d.node(), "past" if d.chance(0.4) else "present"
    plain_clause = clause(d, why, How(tense), ending="서", drop_subject=True)
    n = len(subject.english)
    is_, adjective = plain_clause.english[n], plain_clause.english[n + 1 :]
    follow, around = surroundings(said)
    verb = said.english
    body = [Word(verb.base, (verb.node,)), *verb.tail, *follow]
    unable = endings.denied(endings.able(said.korean, to), too)
    last = endings.finished(unable, tense, "다")
    korean = [*subject.marked(TOPIC), Word("너무", (too,)), *plain_clause.korean, *around, *last]
    if d.chance(0.65):
        english = [*subject.english, is_, Word("too", (too,)), *adjective, *words("to", to), *body]
        return Clause(english, korean)
    if subject.noun is not None:
        raise Unfit
    can = [Word("cannot", (to, too))] if tense == "present" else []
    can = can or [Word("could", (to,)), Word("not", (too,))]
    that = words("that", to) if d.chance(0.6) else []
    again = [Word(text, nodes) for text, nodes in subject.english]
    english = [*subject.english, is_, Word("so", (too,)), *adjective, *that, *again, *can, *body]
    return Clause(english, korean)


MADE = names("cry laugh smile study work wait dance sing run rest exercise sleep eat cough sneeze")


def made_me(d: Derivation) -> Clause:
    """He made me cry: 그는 나를 울게 했다. She helped me cook dinner: 내가 요리하는 것을 도왔다."""
    subject = person(d)
    other = object_pronoun(d, subject) if d.chance(0.75) else hearer_of(d, subject)
    if other.noun is not None and other.noun == subject.noun:
        raise Unfit
    doer = pronoun(d, 0) if other.noun is None else other
    node = d.node()
    if d.chance(0.5):
        said = (phrasal if d.chance(0.5) else intransitive)(d, doer)
        if said.base not in MADE or "OWN" in said.base:
            raise Unfit
        said = said._replace(complements=())
        p = said.korean
        last = [*p.before, Word(p.stem + "게", p.nodes)]
        whom = Clause(other.english, other.marked(OBJECT))
        predicate = Predicate([], "하", "", "verb", (node,))
        english = EnglishVerb("make", "makes", "made", "making", node, [])
    else:
        said = doing(d, doer)
        if "OWN" in said.base or said.base in ("help", "arrive", "hurry"):
            raise Unfit
        last = endings.finished(said.korean, "present", "는")
        last = [*last, Word("것을", said.korean.nodes)]
        whom = Clause(other.english, other.marked(SUBJECT))
        if other.noun is None and not other.subject_form:
            raise Unfit
        predicate = Predicate([], "돕", "ㅂ", "verb", (node,))
        english = EnglishVerb("help", "helps", "helped", "helping", node, [])
    follow, around = surroundings(said)
    told = {"I", "me", "my", other.english[0].text, subject.english[0].text, "some", "any"}
    if any(text in told for text, _ in follow):
        raise Unfit
    verb = said.english
    to = words("to", verb.node) if english.base == "help" and d.chance(0.25) else []
    body = [*whom.english, *to, Word(verb.base, (verb.node,)), *verb.tail, *follow]
    if whom.korean[-1].text in ("나이", "너이"):
        raise Unfit
    korean = [*whom.korean, *around, *last]
    made = Said(subject, english, predicate, (Clause(body, korean),))
    how = How(d.choose(("past", "past", "past", "future")), "", d.chance(0.15))
    return clause(d, made, how)
