"""Has been sick since Monday, has been waiting for an hour, have not seen him since. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import person
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate, finished
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, TOPIC, adnominal
from annotated_transformer.lab.corpora.english_korean.open.numerals import numeral
from annotated_transformer.lab.corpora.english_korean.open.perfect import participle
from annotated_transformer.lab.corpora.english_korean.open.should_have import _done, _me
from annotated_transformer.lab.corpora.english_korean.open.tabled import (
    clause_table,
    phrase_of,
    predicate,
    somebody,
    verb_of,
)
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun


def _since(d: Derivation, subject: NounPhrase, *, lasting: bool = True) -> tuple[Words, Words]:
    """Return "since Monday", 월요일부터, "for two days", 이틀 동안."""
    rows = [row for row in clause_table("since") if lasting or row[0].startswith("since")]
    english, korean = d.choose(rows)
    if "OWAS" in english:
        if subject.noun is not None or subject.english[0].text not in ("I", "he", "she", "you"):
            raise Unfit
        who = subject.english[0].text
        was = "were" if who == "you" else "was"
        english = english.replace("OWAS", f"{who} {was}")
    node = d.node()
    return words(english, node), words(korean, node)


def _has(subject: NounPhrase) -> str:
    return "has" if subject.agreement == "3s" else "have"


def been_doing(d: Derivation) -> Clause:
    """I have been waiting for two hours: 나는 두 시간 동안 기다리고 있다."""
    sky = d.chance(0.12)
    have = d.node()
    if sky:
        english, korean = d.choose((("raining", "비"), ("snowing", "눈")))
        subject = phrase_of(d, "it", korean)
        node = d.node()
        p = Predicate([], "오", "", "verb", (node,))
        doing = words(english, node)
        when, spoken = _since(d, subject)
        if any(text in ("years", "child", "young") for text, _ in when):
            raise Unfit
    else:
        subject = somebody(d)
        forms, korean, irregular = d.choose(clause_table("been doing"))
        if "my" in forms.split(" ") and subject.english[0].text != "I":
            raise Unfit
        if "you" in forms.split(" ") and subject.english[0].text == "you":
            raise Unfit
        verb, p = verb_of(d, forms, korean, irregular)
        doing = [Word(verb.ing, (verb.node,)), *verb.tail]
        when, spoken = _since(d, subject)
        short = verb.base in ("wait", "walk", "talk", "sleep", "cry", "cook", "drive", "look")
        long = verb.base in ("live", "teach", "learn")
        texts = {word.text for word in when}
        if short and texts & {"years", "year", "child", "young", "old", "month", "summer"}:
            raise Unfit
        if long and texts & {"hours", "hour", "all"}:
            raise Unfit
    was = d.chance(0.08)
    p = endings.progressive(p, have)
    asked = not sky and not was and subject.english[0].text == "you" and d.chance(0.6)
    last = finished(p, "past" if was else "present", "니" if asked else "다")
    head = words("had" if was else _has(subject), have)
    been = [*words("been", have), *doing]
    particle = SUBJECT if sky else TOPIC
    marked = subject.marked(particle)
    if asked and d.chance(0.5):
        ask = d.node()
        question, long_ago = d.choose((("how long", "얼마나 오래"), ("how long", "얼마나 오래")))
        return Clause(
            [*words(question, ask), *head, *subject.english, *been],
            [*marked, *words(long_ago, ask), *last],
        )
    front = [*head, *subject.english] if asked else [*subject.english, *head]
    korean_words = [*spoken, *marked, *last] if sky else [*marked, *spoken, *last]
    return Clause([*front, *been, *when], korean_words)


def not_since(d: Derivation) -> Clause:
    """I have not seen him since last summer: 나는 지난여름부터 그를 보지 못했다."""
    subject = somebody(d)
    forms, korean, irregular = d.choose(clause_table("not since"))
    if _me(forms, subject) or ("you" in forms.split(" ") and subject.english[0].text == "you"):
        raise Unfit
    if forms.startswith("rain"):
        subject = phrase_of(d, "it", "비")
        korean = "오"
    verb, p = verb_of(d, forms, korean, irregular)
    have, deny = d.node(), d.node()
    when, spoken = _since(d, subject)
    if {word.text for word in when} & {"hours", "hour", "all", "years", "child", "young", "old"}:
        raise Unfit
    unable = verb.base in ("see", "meet", "talk", "hear", "eat", "sleep", "be", "go")
    p = endings.denied(p, deny, unable=unable and verb.tail != [] and verb.tail[-1].text != "meat")
    p = p._replace(nodes=(*p.nodes, have))
    last = finished(p, "past", "다")
    done = _done(verb) if verb.base == "be" else participle(verb)
    english = [*subject.english, *words(_has(subject), have), *words("not", deny), *done, *when]
    if verb.base == "rain":
        return Clause(english, [*spoken, *subject.marked(SUBJECT), *last])
    return Clause(english, [*subject.marked(TOPIC), *spoken, *last])


def since_ago(d: Derivation) -> Clause:
    """It has been three years since we met: 우리가 만난 지 삼 년이 됐다."""
    english, korean, irregular = d.choose(clause_table("since ago"))
    node, since, act, be, own = (d.node() for _ in range(5))
    subject = NounPhrase([], [], node, "3s")
    front: Words = []
    if english.startswith("OWNperson"):
        subject = pronoun(d, 4) if english.endswith(" met") else person(d)
        if subject.english[0].text == "everyone":
            raise Unfit
        front = subject.marked(SUBJECT)
    text = words(english.removeprefix("OWNperson "), act)
    p = predicate(korean, irregular, act)
    done = [*p.before, Word(adnominal(p.stem, "past", p.irregular), (act, since))]
    number = 2 + int(d.random.random() * 12)
    unit, counter, sino = d.choose(
        (("years", "년", True), ("years", "년", True), ("months", "개월", True))
    )
    typed, spoken = numeral(d, number, counter, own, be, is_sino=sino)
    spoken = [*spoken[:-1], Word(spoken[-1].text + "이", spoken[-1].nodes)]
    if d.chance(0.2):
        amount, spoken = words("a long time", own), words("오래됐다", own, be)
    else:
        amount = [*typed, *words(unit, be)]
        spoken = [*spoken, *words("됐다", be)]
    head = [*words("it has been", be), *amount, *words("since", since)]
    return Clause([*head, *subject.english, *text], [*front, *done, *words("지", since), *spoken])
