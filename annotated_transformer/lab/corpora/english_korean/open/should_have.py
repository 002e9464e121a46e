"""Should have done, must be, cannot be, would rather, must not be late, be able to. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of, person
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import (
    identity,
    located,
    quality,
)
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate, finished
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    surroundings,
)
from annotated_transformer.lab.corpora.english_korean.morphology import TOPIC
from annotated_transformer.lab.corpora.english_korean.natural import FEELINGS
from annotated_transformer.lab.corpora.english_korean.open.joints import doing
from annotated_transformer.lab.corpora.english_korean.open.perfect import participle
from annotated_transformer.lab.corpora.english_korean.open.tabled import (
    clause_table,
    predicate,
    said_by,
    said_so,
    somebody,
    verb_of,
)
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun


def _done(verb: EnglishVerb) -> Words:
    """Return the participle with what follows it; of "be", "been"."""
    if verb.base == "be":
        return [Word("been", (verb.node,)), *verb.tail]
    return participle(verb)


def _me(text: str, subject: NounPhrase) -> bool:
    """Whether the text speaks of "me" and the subject is the speaker, or of the subject."""
    own = subject.english[0].text
    parts = text.split(" ")
    mine = "me" in parts or "us" in parts
    return (
        (mine and subject.first_person)
        or (own, "him") == ("he", parts[-1])
        or ((own, "her") == ("she", parts[-1]))
    )


def should_have(d: Derivation) -> Clause:
    """You should have told me: 너는 나에게 말했어야 했다; should not have: 말하지 말았어야 했다."""
    subject = somebody(d)
    if d.chance(0.65):
        forms, korean, irregular = d.choose(clause_table("should have"))
        if _me(forms, subject):
            raise Unfit
        said = said_by(d, subject, forms, korean, irregular)
    else:
        said = doing(d, subject)
        if "OWN" in said.base:
            raise Unfit
    should, deny = d.node(), d.node()
    denied = d.chance(0.35)
    if not denied and said.english.tail[-1:] and said.english.tail[-1].text == "much":
        raise Unfit
    asked = not denied and d.chance(0.08)
    follow, around = surroundings(said)
    if any(text == "some" for text, _ in follow):
        raise Unfit
    p = said.korean
    if denied:
        last = [*p.before, Word(p.stem + "지", p.nodes), *words("말았어야", deny)]
    else:
        past = finished(p, "past", "다")[-1]
        last = [*p.before, Word(past.text[:-1] + "어야", past.nodes)]
    last += words("했니" if asked else "했다", should)
    done = [*_done(said.english), *follow]
    no = words("not", deny) if denied else []
    have = words("have", should)
    subject_words = subject.english
    english = (
        [*words("should", should), *subject_words, *have, *done]
        if asked
        else [*subject_words, *words("should", should), *no, *have, *done]
    )
    return Clause(english, [*subject.marked(TOPIC), *around, *last])


def must_be(d: Derivation) -> Clause:
    """He must be tired: 그는 피곤한 것이 틀림없다; cannot be: 리가 없다; must have left: 떠난."""
    subject = person(d)
    if subject.english[0].text in ("I", "we"):
        raise Unfit
    kind = d.weighted((("must be", 0.45), ("must have", 0.25), ("cannot", 0.15), ("may", 0.15)))
    node = d.node()
    if kind in ("must be", "cannot"):
        said = d.choose((quality, quality, quality, located, identity))(d, subject)
        if said.korean.stem in ("되",) or (said.base in FEELINGS and kind == "cannot"):
            raise Unfit
        if said.english.base != "be" or any(w.text == "some" for w in said.english.tail):
            raise Unfit
        p, tense = said.korean, "present"
    else:
        said = doing(d, subject)
        event_of(d, said, "past")
        p, tense = said.korean, "past"
    follow, around = surroundings(said)
    if any(text in ("some", "any") for text, _ in follow):
        raise Unfit
    verb = said.english
    if kind == "cannot":
        form = finished(p, tense, "때")[-2]
        last = [*p.before, form, *words("리가 없다", node)]
        english = [*words("cannot", node), *words("be", verb.node), *verb.tail, *follow]
        return Clause([*subject.english, *english], [*subject.marked(TOPIC), *around, *last])
    if kind in ("must be", "must have"):
        form = finished(p, tense, "는")[-1]
        if p.kind == "copula":
            form = Word(p.stem + "인", p.nodes)
        last = [*p.before, form, *words("것이 틀림없다", node)]
        auxiliary = "must"
    else:
        form = finished(p, "past", "때")[-2]
        last = [*p.before, Word(form.text + "지도", form.nodes), *words("모른다", node)]
        auxiliary = d.choose(("may", "might"))
    rest = (
        [*words("be", verb.node), *verb.tail]
        if kind == "must be"
        else [*words("have", node), *_done(verb)]
    )
    return Clause(
        [*subject.english, *words(auxiliary, node), *rest, *follow],
        [*subject.marked(TOPIC), *around, *last],
    )


def would_rather(d: Derivation) -> Clause:
    """I would rather stay at home (than go out): 나는 (나가느니) 차라리 집에 있고 싶다."""
    subject = pronoun(d, d.choose((0, 0, 0, 0, 1, 2, 3, 4, 5)))
    rows = clause_table("no wish")
    forms, korean, irregular = d.choose(rows)
    other, korean_other, irregular_other = d.choose(rows)
    rather, would = d.node(), d.node()
    verb, p = verb_of(d, forms, korean, irregular)
    compared = d.chance(0.35)
    denied = not compared and d.chance(0.2)
    asked = subject.english[0].text == "you"
    than: list[Word] = []
    before: list[Word] = []
    if compared:
        second, q = verb_of(d, other, korean_other, irregular_other)
        if (second.base == verb.base and d.chance(0.5)) or q.stem == p.stem:
            raise Unfit
        link = d.node()
        than = [*words("than", link), Word(second.base, (second.node,)), *second.tail]
        before = [*q.before, Word(_plain_stem(q) + "느니", (*q.nodes, link))]
    deny = d.node()
    if _me(forms, subject) or _me(other, subject):
        raise Unfit
    p = endings.wishing(p, would, first_person=subject.first_person or asked)
    if denied:
        p = endings.denied(p, deny)
        p = p._replace(nodes=(*p.nodes, rather))
    english = [
        *(words("not", deny) if denied else []), Word(verb.base, (verb.node,)), *verb.tail, *than
    ]  # fmt: skip
    last = finished(p, "present", "니" if asked else "다")
    firmly = [] if denied else words("차라리", rather)
    spoken = [*subject.marked(TOPIC), *before, *firmly, *last]
    head = words("would", would)
    if asked:
        return Clause([*head, *subject.english, *words("rather", rather), *english], spoken)
    return Clause([*subject.english, *head, *words("rather", rather), *english], spoken)


def _plain_stem(p: Predicate) -> str:
    """Return the stem before 느니: 사느니 of 살다."""
    final = (ord(p.stem[-1]) - 0xAC00) % 28
    return p.stem[:-1] + chr(ord(p.stem[-1]) - 8) if final == 8 else p.stem


def must_not_be(d: Derivation) -> Clause:
    """We must not be late: 우리는 늦으면 안 된다; you have to be here by six: 와야 한다."""
    english, korean, irregular = d.choose(clause_table("be so"))
    subject = somebody(d)
    if "your" in english and subject.english[0].text != "you":
        raise Unfit
    node = d.node()
    made = predicate(korean, irregular, node)
    bad = english.startswith("late")
    options = ("must", "should") if bad else ("should", "should", "have", "want", "can")
    modal = d.choose(options)  # "must be at home" is what one concludes: `must_be`
    asked = d.chance(0.12)
    tense = "present"
    denied = d.chance(0.15)
    if bad:
        modal = modal if d.chance(0.6) else ""
        denied = bool(modal) or d.chance(0.6)
        asked = False
        tense = "present" if modal else "future"
    elif modal == "want" and english.startswith(("here by", "at home by", "on time")):
        raise Unfit
    elif denied and (modal in ("want", "can") or not bad):
        denied = modal == "have"
    said = Said(subject, EnglishVerb("be", "", "", "being", node, words(english, node)), made)
    return said_so(d, said, How(tense, modal, denied), asked=asked)
