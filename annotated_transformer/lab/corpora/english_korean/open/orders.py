"""Don't be late, don't touch that, look at this: 늦지 마라, 그것을 만지지 마라. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import object_particle
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of, person
from annotated_transformer.lab.corpora.english_korean.everyday.frames import PARTED, said_of
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import clause
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase

THAT = (
    ("this", "이것"),
    ("that", "그것"),
    ("it", "그것"),
    ("these", "이것들"),
    ("those", "그것들"),
)


def do_not_be(d: Derivation) -> Clause:
    """Don't be late: 늦지 마라. Be honest: 정직해라."""
    node, verb = d.node(), d.node()
    if d.chance(0.3):
        english, korean = d.choose(word_table("be"))
        return Clause([*words("be", verb), *words(english, verb)], words(korean, verb))
    english, korean = d.choose(word_table("do not be"))
    predicate = endings.verb(korean, "", verb)
    body = [*words("be", verb), *words(english, verb)]
    last = endings.prohibition(predicate, node)
    if d.chance(0.2):
        *stem, _ = last
        last = [*stem, *words("말아 줘", node)]
        return Clause([*words("please", node), *words("do not", node), *body], last)
    return Clause([*words("do not", node), *body], last)


def _that(d: Derivation) -> NounPhrase:
    """Return this, 이것, or that and it, 그것, as the object."""
    english, korean = d.choose(THAT)
    node = d.node()
    return NounPhrase(words(english, node), words(korean, node), node, "3s")


def this_and_that(d: Derivation) -> Clause:
    """Don't touch that: 그것을 만지지 마라. Read this: 이것을 읽어라."""
    english, korean = d.choose(word_table("this and that"))
    target = _that(d)
    node, verb = d.node(), d.node()
    if english in PARTED:
        head, tail = english.split(" ")
        body = [*words(head, verb), *target.english, *words(tail, verb)]
    else:
        body = [*words(english, verb), *target.english]
    predicate = endings.verb(korean, "", verb)
    marked = target.marked(("을", "를"))
    kind = d.weighted((("never", 0.45), ("command", 0.3), ("please", 0.15), ("let", 0.1)))
    if kind in ("command", "please", "let") and english in ("forget", "lose", "break"):
        raise Unfit
    if kind == "never":
        head_words = words("do not", node)
        return Clause([*head_words, *body], [*marked, *endings.prohibition(predicate, node)])
    if kind == "command":
        return Clause(body, [*marked, *endings.command(predicate)])
    if kind == "let":
        return Clause(
            [*words("let us", node), *body], [*marked, *endings.proposal(predicate, node)]
        )
    polite = words("please", node)
    english_words = [*polite, *body] if d.chance(0.6) else [*body, *polite]
    return Clause(english_words, [*marked, *endings.request(predicate, node)])


def with_that(d: Derivation) -> Clause:
    """I like that: 나는 그것을 좋아한다. I did not see this: 나는 이것을 보지 못했다."""
    verbs = [
        verb
        for verb in d.lexicon.transitive
        if d.lexicon.is_single(verb.english)
        and verb.objects & {"goods", "thing", "food", "shown", "small", "printed", "quiz"}
        and not verb.subjects.isdisjoint({"person", "kin"})
        and verb.english not in PARTED
    ]
    verb = d.choose(verbs)
    target = _that(d)
    complement = Clause(target.english, target.marked(object_particle(verb)))
    said = said_of(d, person(d), verb, (complement,))
    asked = d.chance(0.25)
    how = event_of(d, said, d.choose(("past", "present", "future")))
    how = how._replace(negated=not asked and d.chance(0.25))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)
