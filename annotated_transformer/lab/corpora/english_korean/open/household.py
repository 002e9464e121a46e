"""What works in the house and what does not, and what a day it is: 추운 밤이었다. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.open.stated import (
    options,
    owned_thing,
    state_table,
)
from annotated_transformer.lab.corpora.english_korean.phrases import article

# English behind "work", Korean before 작동하다.
HOW_IT_WORKS = (
    *(("", ""), ("", ""), ("well", "잘"), ("very well", "아주 잘"), ("again", "다시")),
    ("properly", "제대로"),
)


def works(d: Derivation) -> Clause:
    """My computer is not working: 내 컴퓨터는 작동하지 않는다. The radio works well."""
    (names,) = d.choose(state_table("working"))
    subject = owned_thing(d, d.choose(names.split(",")), owned=True)
    node, way, be = d.node(), d.node(), d.node()
    english, korean = d.choose(HOW_IT_WORKS)
    before = words(korean, way) if korean else []
    tail = words(english, way) if english else []
    asked = d.chance(0.17)
    negated = not asked and d.chance(0.6)
    if negated and english in ("again", "very well"):
        raise Unfit
    if d.chance(0.12):
        return _stopped(d, [*subject.english], subject.marked(("은", "는")))
    if d.chance(0.45):
        # What is working works.
        verb = EnglishVerb("be", "", "", "", be, [*words("working", node), *tail])
        predicate = endings.verb("작동하", "", node, be)
    else:
        verb = EnglishVerb("work", "works", "worked", "working", node, tail)
        predicate = endings.verb("작동하", "", node)
    predicate = predicate._replace(before=before)
    how = How("past" if d.chance(0.15) else "present", "", negated)
    said = Said(subject, verb, predicate)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def _stopped(d: Derivation, english: list[Word], korean: list[Word]) -> Clause:
    stop, node = d.node(), d.node()
    suddenly, again = d.node(), d.chance(0.3)
    front = words("suddenly", suddenly) if again else []
    head = words("갑자기", suddenly) if again else []
    return Clause(
        [*english, *front, *words("stopped", stop), *words("working", node)],
        [*korean, *head, *words("작동을", node), *words("멈췄다", stop)],
    )


def such_a_day(d: Derivation) -> Clause:
    """It was a cold night: 추운 밤이었다."""
    english, korean, field = d.choose(state_table("such days"))
    adjective, described, _ = d.choose(options(field))
    node, be, own, degree = d.node(), d.node(), d.node(), d.node()
    much = d.chance(0.2) and adjective not in ("perfect", "wonderful", "terrible", "great")
    if much and " " in described:
        raise Unfit
    first = "very" if much else adjective
    text = [*words("아주", degree), *words(described, node)] if much else words(described, node)
    more = words("very", degree) if much else []
    predicate = Predicate(text, korean, "", "copula", (own, be))
    asked = d.chance(0.12)
    how = How("past" if d.chance(0.5) else "present", "", not asked and not much and d.chance(0.12))
    start = words("it", be)
    head = words({"past": "was", "present": "is"}[how.tense], be)
    deny = d.node()
    if how.negated:
        predicate = endings.denied(predicate, deny)
    last = endings.finished(predicate, how.tense, "니" if asked else "다")
    front = [*head, *start] if asked else [*start, *head]
    denial = words("not", deny) if how.negated else []
    what = [*words(article(first), own), *more, *words(adjective, node), *words(english, own)]
    return Clause([*front, *denial, *what], last)
