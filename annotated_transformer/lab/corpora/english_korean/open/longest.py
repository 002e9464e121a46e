"""Three clauses: she told me that, but; if you have time, visit where; but, so: 말했지만. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import (
    _again,
    event_of,
    expressing,
    person,
)
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import quality
from annotated_transformer.lab.corpora.english_korean.everyday.endings import BEFORE, WHEN
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import How, clause
from annotated_transformer.lab.corpora.english_korean.everyday.times import time_for
from annotated_transformer.lab.corpora.english_korean.everyday.weather import weather_clause
from annotated_transformer.lab.corpora.english_korean.morphology import (
    AT,
    DATIVE,
    OBJECT,
    TOPIC,
    TOWARDS,
)
from annotated_transformer.lab.corpora.english_korean.open.joints import (
    differing,
    doing,
    happening,
    joined,
    mood,
    with_comma,
)
from annotated_transformer.lab.corpora.english_korean.open.lists import chain
from annotated_transformer.lab.corpora.english_korean.open.relatives import that_somebody
from annotated_transformer.lab.corpora.english_korean.open.tabled import (
    said_by,
    somebody,
)
from annotated_transformer.lab.corpora.english_korean.open.telling import hearer_of, reported
from annotated_transformer.lab.corpora.english_korean.open.where_we_met import place_where
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun


def _deed(d: Derivation, subject: NounPhrase, *, ending: str = "다") -> Clause:
    """Return what the subject did, without the subject in either language, or two deeds."""
    if ending == "다" and d.chance(0.35):
        made = chain(d, subject, 2, "past", timed=False)
        n_topic = len(subject.korean)
        return Clause(made.english[len(subject.english) :], made.korean[n_topic:])
    said = doing(d, subject)
    how = event_of(d, said, "past")._replace(negated=d.chance(0.15))
    time = time_for(d, said, "past", 0.25)
    made = clause(d, said, how, ending=ending, drop_subject=True, time=time)
    return Clause(made.english[len(subject.english) :], made.korean)


def told_but(d: Derivation) -> Clause:
    """She told me that she would come, but she missed the train: 올 것이라고 말했지만 놓쳤다."""
    subject = somebody(d)
    hearer = hearer_of(d, subject)
    again = _again(d, subject)
    if again is None or (hearer.noun is not None and hearer.noun == subject.noun):
        raise Unfit
    inner = reported(d, subject, "다고", was=True)
    if inner.english[0].text == hearer.english[0].text:
        raise Unfit
    tell, that, but = d.node(), d.node(), d.node()
    with_that = d.chance(0.7)
    quoted = expressing(inner, that if with_that else tell)
    verb, whom, marked = "told", hearer.english, hearer.marked(DATIVE)
    if d.chance(0.3):
        verb, whom, marked = "said", [], []
    deed = _deed(d, again)
    left = [*subject.english, *words(verb, tell), *whom]
    left += [*(words("that", that) if with_that else []), *inner.english]
    word = d.choose(("but", "but", "but", "and"))
    join = "말했지만" if word == "but" else "말하고"
    korean = [*subject.marked(TOPIC), *marked, *quoted, *words(join, tell, but), *deed.korean]
    left = with_comma(left) if d.chance(0.75) else left
    return Clause([*left, *words(word, but), *again.english, *deed.english], korean)


def _goal(d: Derivation, subject: NounPhrase, forms: str, stem: str, how: How) -> Clause:
    """Return that the subject goes to, visits, moves to a place with a clause of its own."""
    there = place_where(d, ("home", "town") if stem in ("살", "이사하") else ())
    said = said_by(d, subject, forms, stem, "-")
    marked = there.marked({"방문하": OBJECT, "이사하": TOWARDS}.get(stem, AT))
    said = said._replace(complements=(Clause(there.english, marked),))
    return clause(d, said, how)


CONDITIONS = (
    ("you have time", "시간이 있", "A"),
    ("you have time this weekend", "이번 주말에 시간이 있", "A"),
    ("you have time tomorrow", "내일 시간이 있", "A"),
    ("you are hungry", "배고프", "A"),
    ("you are bored", "심심하", "A"),
    ("you come to Seoul", "서울에 오", "-"),
    ("you come to Korea", "한국에 오", "-"),
    ("you want to learn Korean", "한국어를 배우고 싶", "A"),
    ("you go to Busan", "부산에 가", "-"),
    ("the weather is good", "날씨가 좋", "A"),
    ("the weather is good tomorrow", "내일 날씨가 좋", "A"),
    ("it does not rain", "비가 오지 않", "-"),
)


def if_you_have_time(d: Derivation) -> Clause:
    """If you have time, you should visit the park where we met: 우리가 만난 공원을."""
    english, korean, _ = d.choose(CONDITIONS)
    node, own = d.node(), d.node()
    word, ending = d.choose((("if", "면"), ("if", "면"), ("when", "면")))
    *head, stem = korean.split(" ")
    closed = (ord(stem[-1]) - 0xAC00) % 28 > 0
    part = [*(Word(text, (own,)) for text in head)]
    part.append(Word(stem + ("으" if closed else "") + ending, (own, node)))
    you = pronoun(d, 1 if english.startswith("you") or d.chance(0.4) else d.choose((0, 4)))
    modal = d.choose(("should", "should", "can", "must", "have"))
    how = How("present", modal) if d.chance(0.75) else How("future")
    forms, going = d.choose(
        (("visit visited visiting", "방문하"), ("visit visited visiting", "방문하"),
         ("go went going to", "가"), ("come came coming to", "오"))
    )  # fmt: skip
    main = _goal(d, you, forms, going, how)
    if any(text == "you" for text, _ in main.english[1:]) and d.chance(0.7):
        raise Unfit
    condition = [*words(word, node), *words(english, own)]
    n = len(you.korean)
    both = [*main.korean[:n], *part, *main.korean[n:]] if english.startswith("you") else [
        *part, *main.korean
    ]  # fmt: skip
    if english.startswith("you"):
        condition = [*words(word, node), Word("you", you.english[0].nodes)]
        condition += words(english.removeprefix("you "), own)
    if d.chance(0.75):
        return Clause([*with_comma(condition), *main.english], both)
    return Clause([*main.english, *condition], both)


YOUNG = (
    ("WAS a child", "어렸을"),
    ("WAS a child", "어렸을"),
    ("WAS young", "젊었을"),
    ("WAS ten years old", "열 살이었을"),
    ("WAS a student", "학생이었을"),
)


def when_young_where(d: Derivation) -> Clause:
    """When I was a child, we moved to a town where nobody knew us: 어렸을 때 이사했다."""
    subject = pronoun(d, d.choose((0, 0, 0, 2, 3)))
    phrase, stem = d.choose(YOUNG)
    node, own, be = d.node(), d.node(), d.node()
    who = subject.english[0].text
    rest = phrase.removeprefix("WAS ")
    child = [*words("when", node), *words(who, subject.node), *words("was", be), *words(rest, own)]
    spoken = [*words(stem, own, be), *words("때", own, node)]
    forms, going = d.choose(
        (("move moved moving to", "이사하"), ("live lived living in", "살"),
         ("live lived living in", "살"), ("go went going to", "가"))
    )  # fmt: skip
    stranger = d.chance(0.35)
    if stranger:
        place, korean = d.choose(
            (("town", "마을"), ("city", "도시"), ("village", "마을"), ("country", "나라"))
        )
        small, korean_small = d.choose((("small ", "작은"), ("big ", "큰"), ("new ", "새")))
        knew, where, nobody, me = d.node(), d.node(), d.node(), d.node()
        whom, korean_whom = {"I": ("me", "나"), "he": ("him", "그"), "she": ("her", "그녀")}[who]
        said = said_by(d, subject, forms, going, "-")
        text = [*words(f"a {small}{place}", knew), *words("where", where)]
        text += [*words("nobody", nobody), *words("knew", me), *words(whom, where)]
        marker = "로" if going == "이사하" else "에"
        inner = [*words("아무도", nobody), *words(korean_whom + "를", where)]
        inner += [*words("모르는", me), *words(korean_small, knew), Word(korean + marker, (knew,))]
        said = said._replace(complements=(Clause(text, inner),))
        main = clause(d, said, How("past"))
    else:
        main = _goal(d, subject, forms, going, How("past"))
    both = [*main.korean[:1], *spoken, *main.korean[1:]]
    if d.chance(0.7):
        return Clause([*with_comma(child), *main.english], both)
    return Clause([*main.english, *child], both)


def but_so(d: Derivation) -> Clause:
    """I wanted to go out, but it was cold, so we stayed: 나가고 싶었지만 추워서 머물렀다."""
    subject = somebody(d)
    again = _again(d, subject)
    if again is None:
        raise Unfit
    said = doing(d, subject)
    wished = "s" not in said.flags and d.chance(0.7)
    how = How("past", "want") if wished else event_of(d, said, "past")
    left = clause(d, said, how, ending="지만")
    kind = d.weighted((("sky", 0.4), ("mood", 0.35), ("thing", 0.25)))
    but, so = d.node(), d.node()
    if kind == "sky":
        why = weather_clause(d, "past", "서")
    elif kind == "thing":
        why = joined(d, happening(d), How("past"), "서")
    else:
        why = joined(d, mood(d, again, degree=True), How("past"), "서", drop_subject=True)
    doer, front = again, again.korean[:0]
    if kind != "mood" and d.chance(0.4):
        doer = differing(d, subject) if d.chance(0.4) else pronoun(d, 4)
        if doer.english[0].text == subject.english[0].text:
            raise Unfit
        front = doer.marked(TOPIC)
    deed = _deed(d, doer)
    english = with_comma(left.english) if d.chance(0.8) else left.english
    english = [*english, *words("but", but), *why.english]
    english = with_comma(english) if d.chance(0.75) else english
    korean: Words = [*expressing(left, but), *expressing(why, so), *front, *deed.korean]
    return Clause([*english, *words("so", so), *doer.english, *deed.english], korean)


def boring_so(d: Derivation) -> Clause:
    """The movie we watched was boring, so we left: 우리가 본 영화가 지루해서 우리는 떠났다."""
    thing = that_somebody(d)
    said = quality(d, thing)
    reason = joined(d, said, How("past"), "서")
    subject = person(d)
    node = d.node()
    if subject.english[0].text == "everyone":
        raise Unfit
    deed = _deed(d, subject)
    word = d.choose(("so", "so", "because"))
    korean = [*expressing(reason, node), *subject.marked(TOPIC), *deed.korean]
    if word == "because":
        return Clause(
            [*subject.english, *deed.english, *words("because", node), *reason.english], korean
        )
    left = with_comma(reason.english) if d.chance(0.8) else reason.english
    return Clause([*left, *words("so", node), *subject.english, *deed.english], korean)


def when_before(d: Derivation) -> Clause:
    """When he came home, he washed his hands before he ate: 집에 왔을 때 먹기 전에 씻었다."""
    subject = somebody(d)
    if subject.noun is not None:
        raise Unfit
    first, last = doing(d, subject), doing(d, subject)
    event_of(d, first, "past")
    event_of(d, last, "past")
    node, before = d.node(), d.node()
    when = clause(d, first, How("past"), ending=WHEN, drop_subject=True)
    ahead = clause(d, last, How("past"), ending=BEFORE, drop_subject=True)
    deed = doing(d, subject)
    if len({deed.base, first.base, last.base}) < 3:
        raise Unfit
    made = clause(d, deed, event_of(d, deed, "past"), drop_subject=True, time=EMPTY)
    english = [*with_comma([*words("when", node), *when.english]), *made.english]
    english += [*words("before", before), *ahead.english]
    korean = [*subject.marked(TOPIC), *expressing(when, node), *expressing(ahead, before)]
    return Clause(english, [*korean, *made.korean])
