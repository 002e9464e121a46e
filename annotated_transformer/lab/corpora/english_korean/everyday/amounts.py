"""Questions for an amount, a time, a price, an owner or a colour. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import object_particle
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import having
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import phrasal, transitive
from annotated_transformer.lab.corpora.english_korean.everyday.questions import (
    _given,
    _how,
    demonstrative,
)
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, attach
from annotated_transformer.lab.corpora.english_korean.phrases import choose_noun


def how_many(d: Derivation) -> Clause:
    """How many books do you have?: 너는 책이 몇 권 있니. How many ... did you buy: 몇 개 샀니."""
    node, many = d.node(), d.node()
    given = _given(d)
    possession = d.chance(0.6)
    if possession:
        said = having(d, given)
        verb = next(entry for entry in d.lexicon.states if entry.english == said.base)
        particle = SUBJECT
    else:
        said = transitive(d, given)
        verb = next(entry for entry in d.lexicon.transitive if entry.english == said.base)
        particle = object_particle(verb)
        if "s" in said.flags or verb.english in ("wear", "play", "take", "wash"):
            raise Unfit
    noun = choose_noun(d, verb.objects)
    if not noun.counter or not noun.plural or noun.plural_only:
        raise Unfit
    english = Clause([*words("how many", many), *words(noun.plural, node)], [])
    counted = [
        Word(attach(noun.korean, particle), (node,)),
        *words("몇", many),
        Word(noun.counter, (node,)),
    ]
    said = said._replace(complements=(Clause([], counted),))
    how = How("present") if possession else _how(d, said)
    return clause(d, said, how, ending="니", asked=True, question=english)


def what_time(d: Derivation) -> Clause:
    """What time do you get up?: 너는 몇 시에 일어나니."""
    said = phrasal(d, _given(d))
    if "c" not in said.flags:
        raise Unfit
    node, hour = d.node(), d.node()
    asked = Clause([*words("what", node), *words("time", hour)], [])
    korean = Clause([], [*words("몇", node), *words("시에", hour)])
    said = said._replace(complements=(*said.complements, korean))
    how = How(d.weighted((("present", 0.5), ("past", 0.3), ("future", 0.2))))
    return clause(d, said, how, ending="니", asked=True, question=asked)


def how_much(d: Derivation) -> Clause:
    """How much is the bag?: 가방은 얼마니."""
    subject = demonstrative(d) if d.chance(0.2) else known(d, choose_noun(d, frozenset({"goods"})))
    asked, verb = d.node(), d.node()
    was = d.chance(0.15)
    korean = Predicate([], "얼마", "", "copula", (asked, verb))
    said = Said(subject, EnglishVerb("be", "", "", "", verb, []), korean, (), frozenset(), "be")
    question = Clause(words("how much", asked), [])
    how = How("past" if was else "present")
    return clause(d, said, how, ending="니", asked=True, question=question)


def whose(d: Derivation) -> Clause:
    """Whose book is this?: 이것은 누구의 책이니. What color is the car?: 자동차는 무슨 색이니."""
    node, other = d.node(), d.node()
    if d.chance(0.5):
        noun = choose_noun(d, frozenset({"small", "clothes", "container", "reading", "device"}))
        subject = demonstrative(d)
        plural = subject.agreement == "p" and not noun.plural_only
        if plural and not noun.plural:
            raise Unfit
        if noun.plural_only != (subject.agreement == "p") and not plural:
            raise Unfit
        name = noun.plural if subject.agreement == "p" else noun.english
        question = Clause([*words("whose", node), *words(name, other)], [])
        before, last = words("누구의", node), noun.korean
    else:
        colored = ("vehicle", "clothes", "container", "flower")
        subject = known(d, choose_noun(d, frozenset({d.choose(colored)})), 0.0)
        question = Clause([*words("what", node), *words("color", other)], [])
        before, last = words("무슨", node), "색"
    verb = d.node()
    *first, final = last.split(" ")
    korean = Predicate(
        [*before, *(Word(part, (other,)) for part in first)], final, "", "copula", (other, verb)
    )
    said = Said(subject, EnglishVerb("be", "", "", "", verb, []), korean, (), frozenset(), "be")
    return clause(d, said, How("present"), ending="니", asked=True, question=question)
