"""If I had money, I would buy a house: 나는 돈이 있다면 집을 살 것이다. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import expressing, person
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import (
    being,
    located,
    quality,
)
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.open.joints import (
    HYPOTHESIS,
    again_or_other,
    arranged,
    doing,
    joined,
    mood,
    with_comma,
)
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    noun_phrase,
    pronoun,
)
from annotated_transformer.lab.corpora.english_korean.verbs import names

STATES = names(
    """rich poor tired hungry sick sleepy busy happy lonely healthy strong young tall old free
    brave smart lucky"""
)


def _owned(d: Derivation, subject: NounPhrase) -> Said:
    """Return "have money", 돈이 있다, from the table of what one wishes for."""
    english, korean, predicate, irregular = d.choose(word_table("wishes"))
    node, own = d.node(), d.node()
    verb = EnglishVerb("have", "has", "had", "having", node, words(english, own))
    *before, last = korean.split(" ")
    thing = [*(Word(text, (own,)) for text in before), Word(last, (own,))]
    p = Predicate(thing, predicate, irregular.strip("-"), "adjective", (node,))
    return Said(subject, verb, p, (), frozenset(), "state", "have")


def _wish(d: Derivation, subject: NounPhrase) -> tuple[Said, How]:
    """Return what is not so, in the English past."""
    kind = d.weighted(
        (("have", 0.35), ("state", 0.2), ("be", 0.1), ("place", 0.05), ("do", 0.17), ("can", 0.13))
    )
    if kind == "have":
        return _owned(d, subject), How("past", "", d.chance(0.1))
    if kind == "state":
        return mood(d, subject, STATES), How("past", "", d.chance(0.2))
    if kind == "be":
        if subject.agreement == "p" and subject.english[0].text != "you":
            raise Unfit
        job = noun_phrase(d, d.choose(d.lexicon.nouns("job")), "a")
        if job.noun == subject.noun:
            raise Unfit
        return being(d, subject, job), How("past", "", d.chance(0.15))
    if kind == "place":
        return located(d, subject), How("past")
    said = doing(d, subject)
    return said, How("past", "can" if kind == "can" else "", d.chance(0.15))


def _were(d: Derivation, part: Clause, subject: NounPhrase) -> Clause:
    """Say "if I were" for most "if I was"."""
    n = len(subject.english)
    if part.english[n].text != "was" or d.chance(0.25):
        return part
    were = Word("were", part.english[n].nodes)
    return Clause([*part.english[:n], were, *part.english[n + 1 :]], part.korean)


def _would(d: Derivation, said: Said, *, asked: bool = False, question: Clause = EMPTY) -> Clause:
    """Return "I would buy a house" or "I could", 집을 살 것이다, 살 수 있을 것이다."""
    can = d.node() if said.kind == "action" and not asked and d.chance(0.15) else 0
    if can:
        said = said._replace(korean=endings.able(said.korean, can))
    ending = "니" if asked else "다"
    how = How("future", "", not asked and not can and d.chance(0.15))
    made = clause(d, said, how, ending=ending, asked=asked, question=question)
    word = "could" if can else "would"
    english = [
        Word(word, (*nodes, can) if can else nodes) if text == "will" else Word(text, nodes)
        for text, nodes in made.english
    ]
    return Clause(english, made.korean)


def unreal(d: Derivation) -> Clause:
    """If I had money, I would buy a house: 나는 돈이 있다면 집을 살 것이다."""
    subject = person(d)
    if d.chance(0.12):
        return _were_you(d)
    other, same = again_or_other(d, subject, 0.72)
    wish, how = _wish(d, other)
    part = _were(
        d, joined(d, wish, how, HYPOTHESIS, korean_tense="present", drop_subject=same), other
    )
    said = action(d, subject) if d.chance(0.8) else quality(d, subject)
    if said.flags & {"p"} or said.base in ("know", wish.base) or "R" in said.flags:
        raise Unfit
    if said.kind == "quality" and (said.base not in STATES | {"sad"} or said.korean.before):
        raise Unfit
    if "x" in said.flags and said.kind != "quality":
        raise Unfit
    main = _would(d, said)
    return _both(d, subject, part, main, same=same)


def _both(d: Derivation, subject: NounPhrase, part: Clause, main: Clause, *, same: bool) -> Clause:
    node = d.node()
    english = [*words("if", node), *part.english]
    korean = arranged(subject, expressing(part, node), main, same=same)
    if d.chance(0.65):
        if same and subject.noun is not None:
            raise Unfit  # the pronoun would come first
        return Clause([*with_comma(english), *main.english], korean)
    return Clause([*main.english, *english], korean)


def _were_you(d: Derivation) -> Clause:
    """If I were you, I would wait: 내가 너라면 기다릴 것이다."""
    subject, other = pronoun(d, 0), pronoun(d, d.choose((1, 1, 1, 2, 3)), is_object=True)
    said = doing(d, subject)
    main = _would(d, said)
    node, be = d.node(), d.node()
    were = "were" if d.chance(0.85) else "was"
    english = [*words("if", node), *words("I", subject.node), *words(were, be), *other.english]
    last = Word(other.korean[-1].text + "라면", (other.node, be, node))
    n_topic = len(subject.korean)
    korean = [Word("내가", (subject.node,)), last, *main.korean[n_topic:]]
    if any(text == other.english[0].text for text, _ in main.english):
        raise Unfit
    if d.chance(0.75):
        return Clause([*with_comma(english), *main.english], korean)
    return Clause([*main.english, *english], korean)


def unreal_question(d: Derivation) -> Clause:
    """What would you do if you had money?: 너는 돈이 있다면 무엇을 할 거니."""
    subject = pronoun(d, d.choose((1, 1, 1, 1, 2, 3)))
    other, same = again_or_other(d, subject, 0.8)
    wish, how = _wish(d, other)
    part = _were(
        d, joined(d, wish, how, HYPOTHESIS, korean_tense="present", drop_subject=same), other
    )
    if d.chance(0.5):
        what, korean_what, base, stem = d.choose(word_table("would you"))
        asked_for, node = d.node(), d.node()
        verb = EnglishVerb(base, "", "", "", node, [])
        said = Said(subject, verb, endings.verb(stem, "", node), (), frozenset(), "question")
        question = Clause(words(what, asked_for), words(korean_what, asked_for))
        main = _would(d, said, asked=True, question=question)
    else:
        said = doing(d, subject)
        if said.base in ("like", wish.base):
            raise Unfit
        main = _would(d, said, asked=True)
    node = d.node()
    english = [*words("if", node), *part.english]
    korean = arranged(subject, expressing(part, node), main, same=same)
    if d.chance(0.3):
        return Clause([*with_comma(english), *main.english], korean)
    return Clause([*main.english, *english], korean)
