"""It is true that, the problem is that, it seems that, until midnight, by Friday: 것 같다. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import (
    event_of,
    expressing,
    person,
)
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import state
from annotated_transformer.lab.corpora.english_korean.everyday.endings import (
    Predicate,
    finished,
)
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    How,
    Said,
)
from annotated_transformer.lab.corpora.english_korean.morphology import (
    TOPIC,
    attach,
)
from annotated_transformer.lab.corpora.english_korean.open.joints import (
    THAT,
    doing,
    joined,
)
from annotated_transformer.lab.corpora.english_korean.open.tabled import (
    clause_table,
    predicate,
    said_by,
    said_so,
    somebody,
    verb_of,
)


def _inner(d: Derivation, *, past: bool = True) -> tuple[Said, How]:
    """Return what is true: somebody does or is something."""
    other = person(d)
    if d.chance(0.5):
        said = state(d, other)
        return said, How("present" if d.chance(0.75) or not past else "past", "", d.chance(0.15))
    said = doing(d, other)
    tense = d.choose(("past", "past", "future", "progressive", "present"))
    return said, event_of(d, said, tense)._replace(negated=d.chance(0.2))


def it_is_true_that(d: Derivation) -> Clause:
    """It is true that he is rich: 그가 부유한 것은 사실이다. It is strange that nobody came."""
    english, korean, kind, form = d.choose(clause_table("true that"))
    said, how = _inner(d)
    if how.tense == "future":
        raise Unfit
    node, that, be = d.node(), d.node(), d.node()
    inner = joined(d, said, how, "서" if form == "서" else THAT)
    spoken = expressing(inner, that)
    if form != "서":
        spoken = [*spoken, *words("것은", that)]
    if any(word.text == "some" for word in inner.english):
        raise Unfit
    stem = korean.split(" ")[-1]
    if kind == "copula":
        p = Predicate([], stem.removesuffix("이"), "", "copula", (node, be))
    else:
        p = predicate(korean, kind, node)
        p = p._replace(nodes=(node, be))
    was = d.chance(0.12)
    asked = d.chance(0.12) and english in ("true", "possible", "important", "strange")
    denied = not asked and d.chance(0.15) and english in ("true", "possible", "strange", "clear")
    p = endings.denied(p, node) if denied else p
    last = finished(p, "past" if was else "present", "니" if asked else "다")
    is_ = words("was" if was else "is", be)
    rest = [*words(english, node), *words("that", that), *inner.english]
    it = words("it", be)
    if asked:
        return Clause([*is_, *it, *rest], [*spoken, *last])
    no = words("not", node) if denied else []
    return Clause([*it, *is_, *no, *rest], [*spoken, *last])


def problem_is_that(d: Derivation) -> Clause:
    """The problem is that we have no time: 문제는 우리가 시간이 없다는 것이다."""
    english, korean = d.choose(clause_table("conclusions"))
    said, how = _inner(d)
    if how.tense == "future":
        raise Unfit
    node, that, be = d.node(), d.node(), d.node()
    inner = joined(d, said, how, THAT)
    if any(word.text == "some" for word in inner.english):
        raise Unfit
    with_that = d.chance(0.85)
    spoken = expressing(inner, that if with_that else be)
    was = d.chance(0.1)
    head = words(korean, node)
    head[-1] = Word(attach(head[-1].text, TOPIC), head[-1].nodes)
    last = Word("것이었다" if was else "것이다", (be, *((that,) if with_that else ())))
    return Clause(
        [*words(english, node), *words("was" if was else "is", be),
         *(words("that", that) if with_that else []), *inner.english],
        [*head, *spoken, last],
    )  # fmt: skip


def it_seems(d: Derivation) -> Clause:
    """It seems that he is tired: 그는 피곤한 것 같다. I am afraid we are late: 늦은 것 같다."""
    english, tense = d.choose(clause_table("it looks"))
    said, how = _inner(d, past=False)
    if english.startswith("I ") and said.subject.english[0].text == "I":
        raise Unfit
    if tense == "past":
        how = How("past", "", how.negated)
        event_of(d, said, "past")
        if said.kind in ("action", "motion"):
            raise Unfit
    node = d.node()
    inner = joined(d, said, how, "는", particle=TOPIC, korean_tense="")
    if any(word.text in ("some", "any") for word in inner.english):
        raise Unfit
    *head, last = inner.korean
    spoken = [*head, last]
    if how.tense == "future":  # 갈 것 같다
        spoken = [*head[:-1], Word(head[-1].text, (*head[-1].nodes, *last.nodes))]
    elif said.korean.kind == "copula" and not how.negated:
        if how.tense == "past" and tense != "past":
            raise Unfit
        spoken = [*head, Word(said.korean.stem + "인", last.nodes)]
    elif tense == "past":
        spoken = joined(d, said, How("present"), "는", particle=TOPIC).korean
    if tense == "past" and how.negated:
        raise Unfit
    ends = "것 같았다" if tense == "past" else "것 같다"
    return Clause([*words(english, node), *inner.english], [*spoken, *words(ends, node)])


def until_midnight(d: Derivation) -> Clause:
    """I studied until midnight: 나는 자정까지 공부했다. Finish it by Friday: 금요일까지."""
    until = d.chance(0.55)
    subject = somebody(d)
    when, korean_when = d.choose(clause_table("times until" if until else "by then"))
    forms, korean, irregular = d.choose(clause_table("lasting until" if until else "due"))
    texts = forms.split(" ")
    if "my" in texts and subject.english[0].text != "I":
        raise Unfit
    if "you" in texts and subject.english[0].text == "you":
        raise Unfit
    node = d.node()
    time = Clause(words(when, node), words(korean_when, node))
    order = d.chance(0.25) and "my" not in texts and when != "until now"
    if order:
        if "you" in texts:
            raise Unfit
        verb, p = verb_of(d, forms, korean, irregular)
        please = d.node()
        body = [Word(verb.base, (verb.node,)), *verb.tail, *time.english]
        if d.chance(0.4):
            return Clause(
                [*words("please", please), *body], [*time.korean, *endings.request(p, please)]
            )
        return Clause(body, [*time.korean, *endings.command(p)])
    said = said_by(d, subject, forms, korean, irregular)
    later = when.split(" ")[-1] in ("tomorrow", "week", "weekend", "month", "back", "tonight")
    asked = d.chance(0.12)
    modal = d.choose(("", "", "have", "must", "can", "should", "want"))
    tense = "future" if later or d.chance(0.3) else "past"
    if when == "until now":
        modal, tense = "", "past"
    if when == "by the time I get back" and subject.english[0].text in ("I", "we"):
        raise Unfit
    if forms.startswith("read"):
        tense = "future"
    if modal:
        return said_so(d, said, How("present", modal), asked=asked, time=time)
    return said_so(d, said, How(tense, "", not asked and d.chance(0.1)), asked=asked, time=time)
