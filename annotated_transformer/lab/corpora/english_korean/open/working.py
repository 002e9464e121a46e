"""Work and school: meetings on Monday, what starts at nine, my English, write it here. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import DAYS
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
    surroundings,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import subject_of
from annotated_transformer.lab.corpora.english_korean.everyday.times import clock
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT, SUBJECT
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
    pronoun,
)

PEOPLE = frozenset({"own", "kin", "relation"})
OWNERS = {"my": "내", "your": "네", "his": "그의", "her": "그녀의"}
TIMES = (("tomorrow", "내일"), ("today", "오늘"), ("tonight", "오늘 밤"))


def _day(d: Derivation) -> Clause:
    """Return a time of what is planned: on Monday, tomorrow, at three."""
    node, own = d.node(), d.node()
    kind = d.weighted((("day", 0.45), ("time", 0.3), ("clock", 0.25)))
    if kind == "day":
        english, korean = d.choose(tuple(DAYS.items()))
        return Clause(
            [*words("on", node), *words(english, own)], [Word(korean + "에", (own, node))]
        )
    if kind == "time":
        english, korean = d.choose(TIMES)
        return Clause(words(english, own), words(korean, own))
    return clock(d)


def appointment(d: Derivation) -> Clause:
    """I have a meeting on Monday: 나는 월요일에 회의가 있다; at the dentist: 치과에 예약이 있다."""
    node, own = d.node(), d.node()
    subject = subject_of(d, PEOPLE, pronouns=0.8)
    at = d.chance(0.2)
    if at:
        english, korean = "an appointment", "예약"
        place, there = d.choose(word_table("appointments"))
        where = d.node()
        when = Clause(words(place, where), words(there, where))
        if d.chance(0.4):
            later = _day(d)
            when = Clause([*when.english, *later.english], [*later.korean, *when.korean])
    else:
        english, korean = d.choose(word_table("planned"))
        when = _day(d)
    *first, last = korean.split(" ")
    marked = NounPhrase([], [Word(t, (own,)) for t in (*first, last)], own, "3s").marked(SUBJECT)
    verb = EnglishVerb("have", "has", "had", "having", node, [])
    exists = Predicate([], "있", "", "adjective", (node,))
    said = Said(subject, verb, exists, (Clause(words(english, own), marked),), kind="state")
    asked = d.chance(0.2) and not subject.first_person
    how = How("present", "", not asked and d.chance(0.15))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, time=when)


def starts(d: Derivation) -> Clause:
    """The meeting starts at nine: 회의는 아홉 시에 시작한다. The bank opens at ten: 문을 연다."""
    english, korean, forms, stem = d.choose(word_table("starting"))
    subject_node, verb = d.node(), d.node()
    base, third, past, ing = forms.split(",")
    subject = NounPhrase(
        words(english, subject_node), words(korean, subject_node), subject_node, "3s"
    )
    predicate = endings.verb(stem, "", verb)
    said = Said(subject, EnglishVerb(base, third, past, ing, verb, []), predicate)
    tense = d.weighted((("present", 0.5), ("past", 0.3), ("future", 0.2)))
    if d.chance(0.15):
        hour, time_node = d.node(), d.node()
        question = Clause(
            [*words("what", hour), *words("time", time_node)],
            [*words("몇", hour), *words("시에", time_node)],
        )
        return clause(d, said, How(tense), ending="니", asked=True, question=question)
    asked = d.chance(0.1)
    how = How(tense, "", not asked and d.chance(0.1))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, time=clock(d))


def my_language(d: Derivation) -> Clause:
    """My English is not very good: 내 영어는 별로 좋지 않다; is perfect: 완벽하다."""
    determiner = d.choose(tuple(OWNERS))
    noun = choose_noun(d, frozenset({"language"}))
    if noun.english == "Latin":
        raise Unfit
    own, node, be, good = d.node(), d.node(), d.node(), d.node()
    english, korean, degree, before = d.choose(
        (
            *(("good", "좋", "", ""), ("good", "좋", "very", "아주"), ("bad", "나쁘", "", "")),
            *(("perfect", "완벽하", "", ""), ("good", "좋", "really", "정말")),
            ("terrible", "형편없", "", ""),
        )
    )
    deny = d.chance(0.5) and english in ("good", "perfect") and degree != "really"
    subject = NounPhrase(
        [*words(determiner, own), *words(noun.english, node)],
        [*words(OWNERS[determiner], own), *words(noun.korean, node)],
        *(node, "3s"),
    )
    much = d.node()
    tail = [*(words(degree, much) if degree else []), *words(english, good)]
    head = words("별로" if deny else before, much) if degree else []
    predicate = Predicate(head, korean, "", "adjective", (good, be))
    said = Said(subject, EnglishVerb("be", "", "", "", be, tail), predicate, kind="quality")
    return clause(d, said, How("past" if d.chance(0.12) else "present", "", deny))


def here(d: Derivation) -> Clause:
    """Write your name here: 여기에 네 이름을 써라; please: 써 줘."""
    verbs, things = word_table("here"), word_table("put here")
    english, korean, kinds = d.choose(verbs)
    options = [row for row in things if row[2] in kinds.split(",")]
    thing, korean_thing, _ = d.choose(options)
    verb, place, node, own = d.node(), d.node(), d.node(), d.node()
    determiner, korean_owner = d.choose((("your", "네"), ("the", ""), ("my", "내")))
    if (determiner == "my") != ("put" in english) and determiner == "my":
        raise Unfit
    whose = words(korean_owner, own) if korean_owner else []
    marked = NounPhrase([], words(korean_thing, node), node, "3s").marked(OBJECT)
    article = words(determiner, own if korean_owner else node)
    where, there = d.choose((("here", "여기에"), ("here", "여기에"), ("there", "거기에")))
    body = [*words(english, verb), *article, *words(thing, node), *words(where, place)]
    before = [*words(there, place), *whose, *marked]
    predicate = endings.verb(korean, "", verb)
    kind = d.weighted((("command", 0.4), ("please", 0.4), ("never", 0.2)))
    order = d.node()
    if kind == "command":
        return Clause(body, [*before, *endings.command(predicate)])
    if kind == "please":
        polite = words("please", order)
        english_words = [*polite, *body] if d.chance(0.6) else [*body, *polite]
        return Clause(english_words, [*before, *endings.request(predicate, order)])
    last = endings.prohibition(predicate, order)
    return Clause([*words("do not", order), *body], [*before, *last])


def lets(d: Derivation) -> Clause:
    """I'm hungry, let's eat: 나는 배고프니까 먹자. It is cold, let us go inside: 추우니까."""
    english, korean, who, things = d.choose(word_table("lets"))
    said = action(d, pronoun(d, 4))
    if said.base not in things.split(",") or said.english.base != said.base:
        raise Unfit
    after = [word.text for part in said.complements for word in part.english]
    if after and (said.base != "drink" or after[0] in ("it", "them")):
        raise Unfit
    be, node, order, subject = d.node(), d.node(), d.node(), d.node()
    head = {"I": "나는", "we": "우리는", "it": ""}
    person = d.choose(tuple(who.split(",")))
    be_form = {"I": "am", "we": "are", "it": "is"}[person]
    first = [*words(person, subject), *words(be_form, be), *words(english + ",", node)]
    follow, around = surroundings(said)
    verb = said.english
    body = [*words("let us", order), *words(verb.base, verb.node), *verb.tail, *follow]
    topic = words(head[person], subject) if head[person] else []
    why_nodes = (node, be) if topic else (node, be, subject)
    *start, last = korean.split(" ")
    why = [*(Word(text, why_nodes) for text in start), Word(last, why_nodes)]
    proposal = endings.proposal(said.korean, order)
    return Clause([*first, *body], [*topic, *why, *around, *proposal])


def fell(d: Derivation) -> Clause:
    """The apple fell from the tree: 사과가 나무에서 떨어졌다."""
    thing, place = d.choose(word_table("falling"))
    noun = choose_noun(d, frozenset(thing.split(",")))
    source = noun_phrase(d, choose_noun(d, frozenset(place.split(","))), "the")
    subject = noun_phrase(d, noun, d.choose(("the", "the", "my", "a")))
    if noun == source.noun or (noun.plural_only and subject.english[0].text in ("a", "an")):
        raise Unfit
    node, verb = d.node(), d.node()
    preposition = d.choose(("from", "from", "off"))
    where = Clause(
        [*words(preposition, node), *source.english], source.marked(("에서", "에서"), node)
    )
    said = Said(
        subject,
        EnglishVerb("fall", "falls", "fell", "falling", verb, []),
        endings.verb("떨어지", "", verb),
        (where,),
    )
    how = How(d.weighted((("past", 0.85), ("future", 0.15))), "", d.chance(0.1))
    return clause(d, said, how, particle=SUBJECT)
