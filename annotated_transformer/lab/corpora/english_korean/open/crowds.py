"""Three hundred soldiers died, how many people came, half of the students, most people. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import PAST_TIMES
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
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.open.numerals import numeral, some_number
from annotated_transformer.lab.corpora.english_korean.open.society import (
    part,
    phrase,
    said,
    society_rows,
    told,
)
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase

BIG = (100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000, 2_000, 3_000, 5_000)


def _number(d: Derivation, most: int) -> int:
    return d.choose(BIG) if most >= 900 and d.chance(0.45) else some_number(d, min(most, 999))


def _doing(d: Derivation, kinds: str) -> tuple[str, str, str, str, Clause]:
    """Return the forms, the Korean, its class, a tense and a place of what they do."""
    rows = [
        row for row in society_rows("crowd does") if set(row[3].split(",")) & set(kinds.split(","))
    ]
    forms, korean, irregular, _, tenses, where = d.choose(rows)
    there = EMPTY
    needed = where == "home" or forms.startswith("go ") or tenses == "sitting"
    if needed or (where != "-" and d.chance(0.4)):
        english, korean_there = d.choose(society_rows(where))
        if korean.endswith("아 있") or korean == "서 있":
            korean_there = korean_there.removesuffix("에서") + "에"
            korean_there = korean_there.replace("밖에에", "밖에").replace("안에에", "안에")
        there = part(d, english, korean_there)
    return forms, korean, irregular, d.choose(tenses.split(",")), there


def _said(d: Derivation, subject: NounPhrase, kinds: str) -> tuple[Said, str]:
    forms, korean, irregular, tense, there = _doing(d, kinds)
    what = said(d, subject, forms, korean, irregular, complements=(there,) if there.english else ())
    if tense == "sitting":
        # "are sitting" is 앉아 있다, without a progressive of its own.
        node = what.english.node
        tail = words(what.english.ing, node)
        verb = EnglishVerb("be", "", "", "", node, tail)
        what = what._replace(english=verb, korean=what.korean._replace(kind="aspect"))
        tense = d.choose(("present", "past"))
    return what, tense


def number_came(d: Derivation) -> Clause:
    """Three hundred soldiers died in the war: 군인 삼백 명이 전쟁에서 죽었다."""
    english, korean, counter, kinds, most = d.choose(society_rows("crowd"))
    number = _number(d, int(most))
    node, number_node = d.node(), d.node()
    typed, count = numeral(d, number, counter, number_node, node)
    subject = NounPhrase([*typed, *words(english, node)], [*words(korean, node), *count], node, "p")
    what, tense = _said(d, subject, kinds)
    time = EMPTY
    if tense == "past" and d.chance(0.2):
        when = d.choose(PAST_TIMES)
        time = part(d, when.english, when.korean)
    return told(d, what, tense, particle=SUBJECT, time=time, asked=0.08, denied=0.0)


def how_many_came(d: Derivation) -> Clause:
    """How many people died in the war?: 전쟁에서 사람이 몇 명 죽었니. How many are in the class."""
    many, node = d.node(), d.node()
    head = words("how many", many)
    if d.chance(0.35):
        english, korean, counter, where, there = d.choose(society_rows("how many in"))
        be, place = d.node(), d.node()
        verb = words("are", be)
        if d.chance(0.4):
            verb = [*words("are", be), *words("there", be)]
        asked = [*words(korean, node), *words("몇", many), *words(counter, node)]
        asked[len(korean.split(" ")) - 1] = Word(
            NounPhrase([], words(korean, node), node, "p").marked(SUBJECT)[-1].text, (node,)
        )
        return Clause(
            [*head, *words(english, node), *verb, *words(where, place)],
            [*words(there, place), *asked, *words("있니", be)],
        )
    english, korean, counter, kinds, _ = d.choose(society_rows("crowd"))
    after = (*words("몇", many), *words(counter, node))
    subject = NounPhrase(
        [*head, *words(english, node)], words(korean, node), node, "p", None, after=after
    )
    what, tense = _said(d, subject, kinds)
    made = clause(d, what._replace(complements=()), How(tense), ending="니", drop_subject=True)
    marked = subject.marked(SUBJECT)
    before = [word for item in what.complements for word in item.korean]
    follow = [word for item in what.complements for word in item.english]
    return Clause([*made.english, *follow], [*before, *marked, *made.korean])


def _members(d: Derivation) -> tuple[NounPhrase, bool, bool]:
    """Return "half of the students", whether it is one, and whether the Korean is 모두."""
    english, korean, counter = d.choose(society_rows("members"))
    group, of, node = d.node(), d.node(), d.node()
    pronoun = english in ("them", "us")
    kind = d.weighted(
        (
            *(("number", 0.3), ("one", 0.28), ("half", 0.1), ("most", 0.1), ("some", 0.1)),
            *(("both", 0.1 * pronoun), ("all", 0.12 * pronoun)),
        )
    )
    tail = [*words("of", of), *words(english, group)]
    if kind in ("both", "all"):
        own = "둘 다" if kind == "both" else "모두"
        after = tuple(words(own, node, of))
        members = [*words(kind, node), *tail]
        return NounPhrase(members, words(korean, group), group, "p", after=after), False, True
    if kind == "most":
        korean_words = [*words(korean, group), Word("대부분", (node, of))]
        return NounPhrase([*words("most", node), *tail], korean_words, node, "p"), False, False
    among = [*words(korean, group), *words("중", of)]
    if kind == "half":
        return (
            NounPhrase([*words("half", node), *tail], [*among, *words("절반", node)], node, "p"),
            *(False, False),
        )
    if kind == "some":
        counted = words(f"몇 {counter}", node)
        return (
            NounPhrase([*words("some", node), *tail], [*among, *counted], node, "p"),
            False,
            False,
        )
    number = 1 if kind == "one" else 2 + int(d.random.random() * 5)
    typed, count = numeral(d, number, counter, node, of)
    member = NounPhrase([*typed, *tail], [*among, *count], node, "3s" if number == 1 else "p")
    return member, number == 1, False


def half_of(d: Derivation) -> Clause:
    """One of my friends is a singer: 내 친구 중 한 명은 가수다. All of us."""
    subject, one, whole = _members(d)
    kind = d.weighted((("job", 0.25), ("feel", 0.2), ("do", 0.55)))
    if kind == "job":
        english, korean = d.choose(society_rows("members are"))
        if any(word.text.startswith(english) for word in subject.english):
            raise Unfit
        name = f"{'an' if english[0] in 'aeiou' else 'a'} {english}" if one else f"{english}s"
        be, node = d.node(), d.node()
        predicate = Predicate([], korean, "", "copula", (node, be))
        verb = EnglishVerb("be", "", "", "", be, words(name, node))
        what, tense = Said(subject, verb, predicate), "present"
    elif kind == "feel":
        english, korean, irregular = d.choose(society_rows("members feel"))
        be, node = d.node(), d.node()
        predicate = endings.verb(korean, irregular.strip("-"), node, be)
        predicate = predicate._replace(kind="adjective")
        verb = EnglishVerb("be", "", "", "", be, words(english, node))
        what, tense = Said(subject, verb, predicate), d.choose(("present", "present", "past"))
    else:
        forms, korean, irregular, tenses = d.choose(society_rows("members do"))
        what, tense = said(d, subject, forms, korean, irregular), d.choose(tenses.split(","))
    event = tense in ("past", "future") and kind == "do" and not whole
    particle = SUBJECT if event else TOPIC
    # "Some" is asked of otherwise: "did any of us".
    asked = 0.0 if subject.english[0].text == "some" else 0.08
    return told(d, what, tense, particle=particle, asked=asked, denied=0.0)


def most_people(d: Derivation) -> Clause:
    """Most people like music: 대부분의 사람은 좋아한다. Many people died: 많은 사람이."""
    many, korean_many, topic = d.choose(society_rows("quantities"))
    english, korean = d.choose(society_rows("general people"))
    if korean_many == "여러" and english != "people":
        raise Unfit
    forms, korean_verb, irregular = d.choose(society_rows("general"))
    if english.endswith("ns") and ("Korea" in forms or "English" in forms):
        raise Unfit
    much = part(d, many, korean_many)
    people = phrase(d, english, korean, "p")
    subject = people._replace(
        english=[*much.english, *people.english], korean=[*much.korean, *people.korean]
    )
    tense = "past" if irregular == "past" else "present"
    irregular = irregular.replace("past", "-")
    what = said(d, subject, forms, korean_verb, irregular)
    denied = 0.0 if many in ("many", "a lot of", "some") or tense == "past" else 0.12
    asked = 0.0 if many == "some" else 0.08
    particle = TOPIC if topic == "T" or irregular == "A" else SUBJECT
    return told(d, what, tense, particle=particle, asked=asked, denied=denied)
