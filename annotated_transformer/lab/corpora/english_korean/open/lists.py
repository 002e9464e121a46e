"""Tea, coffee and milk; Tom, Anna and Minsu; I got up, ate and left: 차와 커피와 우유. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import object_particle
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import (
    LEADING,
    event_of,
    expressing,
    person,
)
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import identity
from annotated_transformer.lab.corpora.english_korean.everyday.frames import said_of
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    How,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known
from annotated_transformer.lab.corpora.english_korean.everyday.times import time_for
from annotated_transformer.lab.corpora.english_korean.morphology import WITH
from annotated_transformer.lab.corpora.english_korean.open.contrast import things_for
from annotated_transformer.lab.corpora.english_korean.open.joints import doing, with_comma
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
)


def three_things(d: Derivation) -> Clause:
    """I want tea, coffee and milk: 나는 차와 커피와 우유를 원한다."""
    subject = person(d)
    verb, nouns = things_for(d, 3)
    plural = d.chance(0.5)
    items = [
        noun_phrase(d, noun, "", plural=bool(noun.plural) and not noun.plural_only)
        if plural or not noun.plural or noun.plural_only
        else noun_phrase(d, noun, "a")
        for noun in nouns
    ]
    joint, comma = d.node(), "," if d.chance(0.3) else ""
    one, two, three = items
    english = [*with_comma(one.english), *with_comma(two.english, comma)]
    english += [*words("and", joint), *three.english]
    korean = [*one.marked(WITH), *two.marked(WITH, joint), *three.marked(object_particle(verb))]
    said = said_of(d, subject, verb, (Clause(english, korean),))
    how = event_of(d, said, d.choose(("past", "past", "present", "future")))
    if said.base in ("cut", "read"):
        raise Unfit
    return clause(d, said, how._replace(negated=False))


def three_actions(d: Derivation) -> Clause:
    """I got up, took a shower and went to work: 나는 일어나서 샤워하고 출근했다."""
    tense = "past" if d.chance(0.75) else "future"
    return chain(d, person(d), 3 if d.chance(0.75) else 4, tense)


def chain(
    d: Derivation, subject: NounPhrase, count: int, tense: str, *, timed: bool = True
) -> Clause:
    """Return what somebody does in turn, in the past or future."""
    deeds = [doing(d, subject) for _ in range(count)]
    if len({deed.korean.stem for deed in deeds}) < count:
        raise Unfit
    if len({deed.base.split(" ")[-1] for deed in deeds}) < count:
        raise Unfit
    parts = []
    for i, deed in enumerate(deeds):
        how = event_of(d, deed, tense)
        final = i == count - 1
        time = time_for(d, deed, tense, timed * (0.3 if i == 0 else 0.12 * final))
        leads = deed.base in LEADING | {"go", "come", "return"} and deed.korean.stem != "주"
        ending = "다" if final else "서" if leads else "고"
        made = clause(d, deed, how, ending=ending, time=time, drop_subject=i > 0)
        if tense == "future" and not final:
            plainly = clause(d, deed, How("present"), ending=ending, time=time, drop_subject=i > 0)
            made = Clause(made.english, plainly.korean)
        parts.append(made)
    n, joint = len(subject.english), d.node()
    will = parts[-1].english[n].nodes
    english = []
    for i, part in enumerate(parts):
        body = part.english[n:]
        if tense == "future":
            body = [*([] if i else words("will", *will)), *body[1:]]
        if i == 0:
            body = [*subject.english, *body]
        if i == count - 1:
            body = [*words("and", joint), *body]
        elif i < count - 2 or (count > 2 and d.chance(0.25)):
            body = with_comma(body)
        english += body
    korean = [word for part in parts[:-1] for word in part.korean]
    return Clause(english, [*expressing(Clause([], korean), joint), *parts[-1].korean])


def three_people(d: Derivation) -> Clause:
    """Tom, Anna and Minsu are my friends: 톰과 안나와 민수는 내 친구다; they do something."""
    nouns = [
        choose_noun(d, frozenset({d.choose(("name", "name", "kin", "relation"))})) for _ in "abc"
    ]
    if len({noun.korean for noun in nouns}) < 3:
        raise Unfit
    one, two, three = (known(d, noun, 0.0) for noun in nouns)
    joint = d.node()
    comma = "," if d.chance(0.3) else ""
    subject = NounPhrase(
        [
            *with_comma(one.english),
            *with_comma(two.english, comma),
            *words("and", joint),
            *three.english,
        ],
        [*one.marked(WITH), *two.marked(WITH, joint), *three.korean],
        three.node,
        "p",
    )
    said = identity(d, subject) if d.chance(0.35) else doing(d, subject)
    if "OWN" in said.base:
        raise Unfit
    if said.kind == "identity":
        return clause(d, said, How(d.choose(("present", "present", "past"))))
    how = event_of(d, said, d.choose(("past", "past", "future", "progressive")))
    return clause(d, said, how, time=time_for(d, said, how.tense, 0.25))
