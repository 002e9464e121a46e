"""Able to, allowed to, supposed to, about to, plan to, cannot help: 하려고 하다. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate, finished
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
    surroundings,
)
from annotated_transformer.lab.corpora.english_korean.morphology import TOPIC
from annotated_transformer.lab.corpora.english_korean.open.joints import doing
from annotated_transformer.lab.corpora.english_korean.open.tabled import (
    somebody,
)
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase


def able_to(d: Derivation) -> Clause:
    """I was able to swim: 수영할 수 있었다; allowed, supposed, about, ought, plan to."""
    subject = somebody(d)
    kind = d.choose([*MAKERS, *OFTEN])
    said = doing(d, subject)
    if "OWN" in said.base or said.base == "become":
        raise Unfit
    node = d.node()
    follow, around = surroundings(said)
    p, verb = said.korean, said.english
    grow = MAKERS[kind]
    korean = grow(p, node, subject)
    ing = kind in ("feel like", "cannot help")
    inner = [Word(verb.ing if ing else verb.base, (verb.node,)), *verb.tail, *follow]
    if any(text in ("some", "any") for text, _ in inner):
        raise Unfit
    first, *rest = kind.split(" ")
    tail = [*words(" ".join(rest), node), *inner] if rest else inner
    asked = d.chance(0.12) and kind not in ("ought to", "cannot help", "cannot wait to")
    tense = d.choose(("present", "present", "past"))
    denied = not asked and kind in DENIED and d.chance(0.25)
    if first in ("ought", "cannot"):
        last = finished(korean, "present", "다")
        english = [*subject.english, Word(first, (node,)), *tail]
        return Clause(english, [*subject.marked(TOPIC), *around, *last])
    if kind in ("be able to", "fail to", "manage to") and d.chance(0.4):
        tense = "future" if kind == "be able to" else "past"
    if kind in ("fail to", "manage to", "refuse to", "promise to", "agree to"):
        tense = "past"
    forms = {"be": ("", "", "being"), "feel": ("feels", "felt", "feeling"),
             "have": ("has", "had", "having")}  # fmt: skip
    third, past, ing_form = forms.get(first, (first + "s", _past(first), first + "ing"))
    outer = EnglishVerb(first, third, past, ing_form, node, tail)
    said = Said(said.subject, outer, korean, (), frozenset(), "action", kind)
    made = clause(d, said, How(tense, "", denied), ending="니" if asked else "다", asked=asked)
    at = len(subject.korean)
    return Clause(made.english, [*made.korean[:at], *around, *made.korean[at:]])


def _past(base: str) -> str:
    return {"learn": "learned", "plan": "planned"}.get(
        base, base + ("d" if base[-1] == "e" else "ed")
    )


def _adjective(before: Words, stem: str, node: int, kind: str = "adjective") -> Predicate:
    return Predicate(before, stem, "", kind, (node,))


def _able(p: Predicate, node: int, subject: NounPhrase) -> Predicate:
    return endings.able(p, node)


def _allowed(p: Predicate, node: int, subject: NounPhrase) -> Predicate:
    return endings.allowed(p, node)


def _supposed(p: Predicate, node: int, subject: NounPhrase) -> Predicate:
    return _adjective([*p.before, Word(p.stem + "기로", p.nodes), *words("되어", node)], "있", node)


def _about(p: Predicate, node: int, subject: NounPhrase) -> Predicate:
    *head, last = finished(p, "present", "면")
    intent = Word(last.text[:-1] + "려고", last.nodes)
    return _adjective([*words("막", node), *head, intent], "하", node, "verb")


def _obliged(p: Predicate, node: int, subject: NounPhrase) -> Predicate:
    return endings.obliged(p, node)


def _ready(p: Predicate, node: int, subject: NounPhrase) -> Predicate:
    form = finished(p, "present", "때")[-2]
    return _adjective([*p.before, form, *words("준비가 되어", node)], "있", node)


def _feel_like(p: Predicate, node: int, subject: NounPhrase) -> Predicate:
    return endings.wishing(p, node, first_person=subject.first_person)


def _cannot_wait(p: Predicate, node: int, subject: NounPhrase) -> Predicate:
    wish = endings.wishing(p, node, first_person=subject.first_person)
    return wish._replace(before=[*words("빨리", node), *wish.before])


def _cannot_help(p: Predicate, node: int, subject: NounPhrase) -> Predicate:
    before = [*p.before, Word(p.stem + "지", p.nodes), *words("않을 수", node)]
    return _adjective(before, "없", node)


def _nominal(p: Predicate, node: int, subject: NounPhrase, stem: str, particle: str) -> Predicate:
    return _adjective([*p.before, Word(p.stem + particle, p.nodes)], stem, node, "verb")


def _refused(p: Predicate, node: int, subject: NounPhrase) -> Predicate:
    return _nominal(p, node, subject, "거부하", "기를")


def _promised(p: Predicate, node: int, subject: NounPhrase) -> Predicate:
    return _nominal(p, node, subject, "약속하", "기로")


def _agreed(p: Predicate, node: int, subject: NounPhrase) -> Predicate:
    return _nominal(p, node, subject, "동의하", "기로")


def _planned(p: Predicate, node: int, subject: NounPhrase) -> Predicate:
    form = finished(p, "present", "때")[-2]
    return _adjective([*p.before, form], "계획", node, "copula")


def _chance(p: Predicate, node: int, subject: NounPhrase) -> Predicate:
    form = finished(p, "present", "때")[-2]
    return _adjective([*p.before, form, *words("기회가", node)], "있", node)


def _no_time(p: Predicate, node: int, subject: NounPhrase) -> Predicate:
    form = finished(p, "present", "때")[-2]
    return _adjective([*p.before, form, *words("시간이", node)], "없", node)


MAKERS = {
    "be able to": _able, "be allowed to": _allowed, "be supposed to": _supposed,
    "be about to": _about, "ought to": _obliged,
    "be ready to": _ready, "feel like": _feel_like, "cannot help": _cannot_help,
    "cannot wait to": _cannot_wait, "refuse to": _refused, "promise to": _promised,
    "plan to": _planned, "agree to": _agreed, "have a chance to": _chance,
    "have no time to": _no_time,
}  # fmt: skip
OFTEN = ("be able to", "be able to", "be allowed to", "be about to", "be supposed to")
DENIED = ("be able to", "be ready to", "feel like")
