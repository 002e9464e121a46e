"""She works as a nurse, the police caught the thief, he was fired, angry with me. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY
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
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import (
    object_pronoun,
    subject_of,
)
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT, SUBJECT, TOWARDS
from annotated_transformer.lab.corpora.english_korean.open.numerals import numeral
from annotated_transformer.lab.corpora.english_korean.open.society import (
    korean_of,
    phrase,
    said,
    society_rows,
    told,
)
from annotated_transformer.lab.corpora.english_korean.open.whose import PARTICLES
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, article

PEOPLE = frozenset({"own", "kin", "relation"})


def works_as(d: Derivation) -> Clause:
    """She works at a hospital as a nurse: 그녀는 병원에서 간호사로 일한다."""
    subject = subject_of(d, PEOPLE, pronouns=0.65)
    if subject.agreement == "p" and subject.english[0].text != "you":
        raise Unfit
    english, korean, places = d.choose(society_rows("works as"))
    as_, node, verb = d.node(), d.node(), d.node()
    job = NounPhrase(
        words(f"{article(english.lower())} {english}", node), words(korean, node), node, "3s"
    )
    role = Clause([*words("as", as_), *job.english], job.marked(TOWARDS, as_))
    complements: tuple[Clause, ...] = (role,)
    if d.chance(0.6):
        name = d.choose(places.split(","))
        place, at = d.node(), d.node()
        determiner = d.choose(("", "", "the")) or article(name)
        english_place = [*words(d.choose(("at", "at", "in")), at)]
        english_place += words(determiner, place) + words(name, place)
        korean_name = korean_of("works at")[name]
        *first, last = words(korean_name, place)
        there = Clause(english_place, [*first, Word(last.text + "에서", (place, at))])
        # English has either order, Korean the place first.
        if d.chance(0.5):
            complements = (role, there)
        else:
            both = [*there.english, *role.english]
            complements = (Clause(both, [*there.korean, *role.korean]),)
    forms = EnglishVerb("work", "works", "worked", "working", verb, [])
    what = Said(subject, forms, endings.verb("일하", "", verb), complements)
    tense = d.weighted((("present", 0.6), ("past", 0.25), ("progressive", 0.15)))
    return told(d, what, tense, asked=0.15)


def company_sells(d: Derivation) -> Clause:
    """The company is selling cars, the police caught the thief: 경찰은 그 도둑을 잡았다."""
    english, korean, agreement, kinds = d.choose(society_rows("bodies"))
    rows = [
        row for row in society_rows("bodies do") if set(row[3].split(",")) & set(kinds.split(","))
    ]
    forms, verb, irregular, _, tenses, objects = d.choose(rows)
    subject = phrase(d, english, korean, agreement)
    complements: tuple[Clause, ...] = ()
    if objects != "-":
        thing, korean_thing = d.choose(society_rows(objects))
        if thing.split(" ")[-1] in english:
            raise Unfit
        target = phrase(d, thing, korean_thing)
        marked = target.marked(SUBJECT if irregular == "A" else OBJECT)
        complements = (Clause(target.english, marked),)
    what = said(d, subject, forms, verb, irregular, complements=complements)
    if forms.startswith(("win", "find", "catch")):
        what = what._replace(flags=frozenset("n"))
    return told(d, what, d.choose(tenses.split(",")), denied=0.12)


def was_fired(d: Derivation) -> Clause:
    """He was fired: 그는 해고됐다. I was invited to the party: 나는 파티에 초대받았다."""
    subject = subject_of(d, PEOPLE, pronouns=0.6)
    forms, korean = d.choose(society_rows("happened to"))
    elder = subject.noun is not None and "elder" in subject.noun.classes
    if "killed" in forms and (elder or subject.english[0].text in ("I", "we", "you")):
        raise Unfit
    return told(d, said(d, subject, forms, korean), "past", asked=0.18, denied=0.12)


def being_on(d: Derivation) -> Clause:
    """He is on a business trip: 그는 출장 중이다."""
    subject = subject_of(d, PEOPLE, pronouns=0.6)
    english, korean = d.choose(society_rows("being on"))
    if english == "on strike":
        name, korean_name = d.choose(
            (("workers", "노동자들"), ("teachers", "선생님들"), ("doctors", "의사들"),
             ("bus drivers", "버스 기사들"), ("nurses", "간호사들"))
        )  # fmt: skip
        own, node = d.node(), d.node()
        subject = NounPhrase(
            [*words("the", own), *words(name, node)],
            [*words("그", own), *words(korean_name, node)],
            *(node, "p"),
        )
    node, be = d.node(), d.node()
    *first, last = korean.split(" ")
    predicate = Predicate(words(" ".join(first), node), last, "", "copula", (node, be))
    what = Said(subject, EnglishVerb("be", "", "", "", be, words(english, node)), predicate)
    return told(d, what, "past" if d.chance(0.25) else "present", asked=0.2)


def hours_a_day(d: Derivation) -> Clause:
    """I work five days a week: 나는 일주일에 오 일 일한다. Eight hours a day: 하루에 여덟 시간."""
    forms, korean, units = d.choose(society_rows("per"))
    subject = subject_of(d, PEOPLE, pronouns=0.75)
    unit = d.choose(units.split(","))
    node, own, per = d.node(), d.node(), d.node()
    if unit == "hours":
        most = 4 if korean not in ("일하", "자", "공부하") else 10
        number = 1 + int(d.random.random() * most)
        typed, count = numeral(d, number, "시간", node, own)
        name, span = "hour" if number == 1 else "hours", ("a day", "하루에")
        if most == 4 and d.chance(0.2):
            span = ("a week", "일주일에")
    else:
        number = 2 + int(d.random.random() * 5)
        typed, count = numeral(d, number, "일", node, own, is_sino=True)
        name, span = "days", ("a week", "일주일에")
    often = Clause(
        [*typed, *words(name, own), *words(span[0], per)], [*words(span[1], per), *count]
    )
    what = said(d, subject, forms, korean, "ㄷ" if korean == "걷" else "-")
    english = what.english._replace(tail=[*what.english.tail, *often.english])
    before = [*often.korean, *what.korean.before]
    what = what._replace(english=english, korean=what.korean._replace(before=before))
    modal = d.choose(("", "", "", "have", "want"))
    tense = "present" if modal or d.chance(0.8) or forms.startswith("read") else "past"
    return told(d, what, tense, asked=0.12, denied=0.0, modal=modal)


def angry_with_me(d: Derivation) -> Clause:
    """My boss is angry with me: 내 사장님은 나에게 화가 났다. Are you proud of her?."""
    subject = subject_of(d, PEOPLE, pronouns=0.6)
    if subject.english[0].text == "everyone":
        raise Unfit
    english, particle, korean, irregular, kind = d.choose(society_rows("toward"))
    target = object_pronoun(d, subject)
    if subject.first_person and target.english[0].text in ("me", "us"):
        raise Unfit
    node, be = d.node(), d.node()
    predicate = endings.verb(korean, irregular.strip("-"), node, be)
    predicate = predicate._replace(kind="adjective" if kind == "a" else "verb")
    complement = Clause(target.english, target.marked(PARTICLES[particle]))
    verb = EnglishVerb("be", "", "", "", be, words(english, node))
    flags = frozenset("R" if kind == "R" else "")
    what = Said(subject, verb, predicate, (complement,), flags, "state", "")
    question = EMPTY
    if d.chance(0.12):
        why = d.node()
        question = Clause(words("why", why), words("왜", why))
    asked = bool(question.english) or d.chance(0.2)
    how = How("past" if d.chance(0.2) else "present", "", not asked and d.chance(0.2))
    return clause(*(d, what, how), ending="니" if asked else "다", asked=asked, question=question)
