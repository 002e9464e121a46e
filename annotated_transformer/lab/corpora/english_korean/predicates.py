"""Verbs, adjectives and the copula in every tense, mood and polarity, in both languages. CC0.

A form is a list of (text, roles) for each language: V the content word, T tense and auxiliary,
N negation, M a modal. Words of the two lists that share a role are aligned.
"""

from functools import cache
from typing import NamedTuple

from annotated_transformer.lab.corpora.english_korean.adjectives import Adjective
from annotated_transformer.lab.corpora.english_korean.morphology import (
    adnominal,
    infinitive,
    past,
    past_stem,
    present,
)
from annotated_transformer.lab.corpora.english_korean.verbs import Verb

Roles = tuple[tuple[str, str], ...]
BE_PRESENT = {"1s": "am", "3s": "is"}
BE_PAST = {"1s": "was", "3s": "was"}
_AUXILIARIES = ("progressive", "past progressive", "future")
MODALS = ("can", "want", "must")


class Form(NamedTuple):
    """A predicate's words with their roles."""

    english: Roles
    korean: Roles


def be(tense: str, agreement: str) -> str:
    """Form of "be"; agreement is "1s", "3s" or "p" (you and all plurals)."""
    if tense == "present":
        return BE_PRESENT.get(agreement, "are")
    return BE_PAST.get(agreement, "were")


def _spread(text: str, role: str) -> Roles:
    return tuple((word, role) for word in text.split(" "))


def english_verb(verb: Verb, tense: str, agreement: str, *, negated: bool) -> Roles:
    """English side of a simple or progressive tense."""
    base = _spread(verb.english, "V")
    if tense in ("progressive", "past progressive"):
        auxiliary = be("past" if tense.startswith("past") else "present", agreement)
        negation = (("not", "N"),) if negated else ()
        return ((auxiliary, "T"), *negation, *_spread(verb.ing, "V"))
    if tense == "future":
        return (("will", "T"), *((("not", "N"),) if negated else ()), *base)
    if negated:
        third = "does" if agreement == "3s" else "do"
        return ("did" if tense == "past" else third, "N"), ("not", "N"), *base
    if tense == "past":
        return _spread(verb.past, "V")
    return _spread(verb.third if agreement == "3s" else verb.english, "V")


def korean_verb(
    verb: Verb, tense: str, *, negated: bool, ending: str = "다", unable: bool = False
) -> Roles:
    """Korean side of a simple or progressive tense, with the ending 다, 다고, 지만 or 고.

    What is not done is 않다, or 못하다 of who is unable to and of verbs of success (찾지 못했다);
    the negation of 알다 is a verb of its own, 모르다.
    """
    stem, irregular = verb.korean, verb.irregular
    if ending == "다고":
        *head, (last, role) = korean_verb(verb, tense, negated=negated, unable=unable)
        return (*head, (last + "고", role))
    if negated and stem == "알":
        return _ignorant(verb, tense, ending)
    denial = "못하" if unable or "n" in verb.flags else "않"
    if ending == "고":
        return ((stem + "고", "V"),)
    if ending == "지만" or tense in _AUXILIARIES:
        compose = _but if ending == "지만" else _auxiliary
        return compose(verb, tense, denial if negated else "")
    if negated:
        return (stem + "지", "V"), (past(denial) if tense == "past" else present(denial), "N")
    return ((past(stem, irregular) if tense == "past" else present(stem), "V"),)


def _ignorant(verb: Verb, tense: str, ending: str) -> Roles:
    """Return 모르다, in which the verb and its negation are one word."""
    unknown = verb._replace(korean="모르", irregular="르")
    first, *rest = korean_verb(unknown, tense, negated=False, ending=ending)
    return (first[0], "VN"), *rest


def _auxiliary(verb: Verb, tense: str, denial: str) -> Roles:
    """Progressive -고 있다 and future -을 것이다, denied by the stem 않 or 못하 if there is one."""
    if tense == "future":
        if denial:
            return (verb.korean + "지", "V"), (adnominal(denial, "future"), "N"), ("것이다", "T")
        return (adnominal(verb.korean, "future", verb.irregular), "V"), ("것이다", "T")
    is_so, is_not = ("있다", "않다") if tense == "progressive" else ("있었다", "않았다")
    if denial:
        return (verb.korean + "고", "V"), ("있지", "T"), (is_not, "N")
    return (verb.korean + "고", "V"), (is_so, "T")


def _but(verb: Verb, tense: str, denial: str) -> Roles:
    if denial:
        stem = past_stem(denial) if tense == "past" else denial
        return (verb.korean + "지", "V"), (stem + "지만", "N")
    stem = past_stem(verb.korean, verb.irregular) if tense == "past" else verb.korean
    return ((stem + "지만", "V"),)


@cache
def verb_form(
    verb: Verb,
    tense: str,
    agreement: str,
    *,
    negated: bool,
    ending: str = "다",
    unable: bool = False,
) -> Form:
    """A verb in the present, past, future, progressive or past progressive."""
    return Form(
        english_verb(verb, tense, agreement, negated=negated),
        korean_verb(verb, tense, negated=negated, ending=ending, unable=unable),
    )


@cache
def modal_form(
    verb: Verb, modal: str, tense: str, agreement: str, *, negated: bool, first_person: bool
) -> Form:
    """Can (-ㄹ 수 있다), want (-고 싶다; -고 싶어 하다 of others) and must (-아야 한다)."""
    base = _spread(verb.english, "V")
    was = tense == "past"
    if modal == "can":
        auxiliary = "could" if was else "can"
        negation = (("not", "M"),) if was else ()
        english = (auxiliary if was else "cannot", "M") if negated else (auxiliary, "M")
        existence = ("없" if negated else "있") + ("었다" if was else "다")
        korean = ((adnominal(verb.korean, "future", verb.irregular), "V"), ("수", "M"))
        head: Roles = (english, *(negation if negated else ()))
        return Form((*head, *base), (*korean, (existence, "M")))
    if modal == "must":
        # -아야 carries the verb, 한다 the obligation.
        korean_must = ((infinitive(verb.korean, verb.irregular) + "야", "V"), ("한다", "M"))
        return Form((("must", "M"), *base), korean_must)
    return _want(verb, base, agreement, was=was, negated=negated, first_person=first_person)


def _want(
    verb: Verb, base: Roles, agreement: str, *, was: bool, negated: bool, first_person: bool
) -> Form:
    third = agreement == "3s"
    if negated:
        auxiliary = "did" if was else ("does" if third else "do")
        english: Roles = ((auxiliary, "N"), ("not", "N"), ("want", "M"))
    else:
        english = (("wanted" if was else "wants" if third else "want", "M"),)
    stem: Roles = ((verb.korean + "고", "V"),)
    if first_person:
        plain: Roles = (("싶었다" if was else "싶다", "M"),)
        refused: Roles = (("싶지", "M"), ("않았다" if was else "않다", "N"))
    else:
        plain = (("싶어", "M"), ("했다" if was else "한다", "M"))
        refused = (("싶어", "M"), ("하지", "M"), ("않았다" if was else "않는다", "N"))
    return Form((*english, ("to", "M"), *base), (*stem, *(refused if negated else plain)))


@cache
def adjective_form(
    adjective: Adjective,
    tense: str,
    agreement: str,
    *,
    negated: bool,
    degree: tuple[str, str] | None = None,
    ending: str = "다",
) -> Form:
    """An adjective as predicate: 뜨겁다, 뜨거웠다, 뜨겁지 않다; ending 다, 다고, 지만 or 서.

    `degree` is an English and a Korean word such as ("too", "너무").
    """
    stem, irregular = adjective.korean, adjective.irregular
    was = tense == "past"
    english: Roles = ((be(tense, agreement), "T"), *((("not", "N"),) if negated else ()))
    english += ((degree[0], "D"),) if degree else ()
    english += ((adjective.english, "V"),)
    korean: Roles = ((degree[1], "D"),) if degree else ()
    if ending == "서":
        return Form(english, (*korean, (infinitive(stem, irregular) + "서", "VT")))
    if negated:
        verdict = ("않았" if was else "않") + ending
        return Form(english, (*korean, (stem + "지", "V"), (verdict, "NT")))
    inflected = past_stem(stem, irregular) if was else stem
    return Form(english, (*korean, (inflected + ending, "VT")))
