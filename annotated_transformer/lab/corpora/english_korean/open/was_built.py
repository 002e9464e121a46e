"""A house was built in 1900, was written by Tom, English is spoken here: 지어졌다, 썼다. CC0.

A thing that was done by somebody is the topic of what that one did: 이 책은 톰이 썼다. Without the
doer Korean has a verb of what happens: 지어지다, 팔리다.
"""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import person
from annotated_transformer.lab.corpora.english_korean.everyday.endings import (
    Predicate,
    denied,
    finished,
)
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.morphology import (
    FROM,
    SUBJECT,
    TOPIC,
)
from annotated_transformer.lab.corpora.english_korean.open.tabled import (
    clause_table,
    phrase_of,
    predicate,
    said_so,
    somebody,
)
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase
from annotated_transformer.lab.corpora.english_korean.tables import sections

OWNS = (
    *(("the", ""), ("the", ""), ("the", ""), ("this", "이"), ("this", "이"), ("that", "저")),
    *(("my", "내"), ("our", "우리"), ("his", "그의")),
)
MASS = ("work", "homework", "money", "bread", "dinner", "fish", "chicken", "soup", "text")


def _line(d: Derivation) -> tuple[tuple[str, ...], tuple[str, str]]:
    """Return a verb of the table and one of its things: every second line has the things."""
    lines = sections("open_clauses")["passive"]
    at = 2 * int(d.random.random() * (len(lines) // 2))
    verb = tuple(field.strip() for field in lines[at].split("|"))
    english, _, korean = d.choose(lines[at + 1].split(",")).rpartition(" ")
    return verb, (english, korean)


def _thing(d: Derivation, english: str, korean: str) -> NounPhrase:
    """Return "this house", 이 집."""
    own, korean_own = d.choose(OWNS)
    node, mine = d.node(), d.node()
    plural = english not in MASS and own in ("the", "my", "our") and d.chance(0.12)
    if not korean_own:
        mine = node
    before = words(korean_own, mine) if korean_own else []
    return NounPhrase(
        [*words(own, mine), *words(english + ("s" if plural else ""), node)],
        [*before, *words(korean, node)],
        *(node, "p" if plural else "3s"),
    )


def _year(d: Derivation) -> Clause:
    node, own = d.node(), d.node()
    year = str(int(1700 + 326 * d.random.random()) if d.chance(0.3) else 1900 + int(
        126 * d.random.random()))  # fmt: skip
    kind = d.weighted((("in", 0.8), ("ago", 0.2)))
    if kind == "ago":
        number = 2 + int(d.random.random() * 8)
        english = (["two", "three", "four", "five", "six", "seven", "eight", "nine"])[number - 2]
        korean = (["이", "삼", "사", "오", "육", "칠", "팔", "구"])[number - 2]
        return Clause(
            [*words(english, own), *words("years ago", node)],
            [*words(korean, own), *words("년 전에", node)],
        )
    return Clause([*words("in", node), *words(year, own)], words(f"{year}년에", own, node))


def _tail(d: Derivation, kinds: list[str]) -> tuple[str, Clause]:
    kind = d.choose(kinds)
    if kind == "in_year":
        return kind, _year(d)
    if kind in ("now", "already", "by"):
        return kind, EMPTY
    _, english, korean = d.choose([r for r in clause_table("passive tails") if r[0] == kind])
    node = d.node()
    return kind, Clause(words(english, node), words(korean, node))


def _been(d: Derivation, form: str, node: int) -> EnglishVerb:
    return EnglishVerb("be", "", "", "being", node, words(form, node))


def was_built(d: Derivation) -> Clause:
    """The house was built in 1900: 집은 1900년에 지어졌다; by my father: 아버지가 지었다."""
    (forms, active, irregular, passive, kinds), (english, korean) = _line(d)
    _, participle, _, *more = forms.split(" ")
    participle = " ".join([participle, *more])
    subject = _thing(d, english, korean)
    kind, tail = _tail(d, kinds.split(","))
    node = d.node()
    if kind == "by":
        return _by(d, subject, participle, predicate(active, irregular, node))
    made = predicate(passive, "-", node)
    said = Said(subject, _been(d, participle, node), made)
    if kind == "now":
        tense = "progressive" if d.chance(0.75) else "past progressive"
        time = EMPTY
        if tense == "progressive" and d.chance(0.4):
            now = d.node()
            time = Clause(words("now", now), words("지금", now))
        return clause(d, said, How(tense), time=time)
    if kind == "already":
        have, own = d.node(), d.node()
        adverb, spoken = d.choose((("already", "이미"), ("just", "방금"), ("", ""), ("not", "")))
        head = words("have" if subject.agreement == "p" else "has", have)
        made = made._replace(nodes=(node, have))
        tail_words = words(f"been {participle}", node)
        if adverb == "not":
            deny, yet = d.node(), d.node()
            last = finished(denied(made, deny), "past", "다")
            return Clause(
                [*subject.english, *head, *words("not", deny), *tail_words, *words("yet", yet)],
                [*subject.marked(TOPIC), *words("아직", yet), *last],
            )
        inner = words(adverb, own) if adverb else []
        return Clause(
            [*subject.english, *head, *inner, *tail_words],
            [*subject.marked(TOPIC), *(words(spoken, own) if adverb else []),
             *finished(made, "past", "다")],
        )  # fmt: skip
    asked = d.chance(0.15)
    tense = "past"
    modal = ""
    if kind == "tomorrow":
        tense = "future"
        if d.chance(0.3) and not asked:
            tense, modal = "present", d.choose(("must", "can", "should"))
    elif kind in ("in_Korean", "into_Korean", "in_Korea") and d.chance(0.3):
        tense = "present"
    said = said._replace(complements=(tail,) if kind not in ("yesterday", "tomorrow") else ())
    if modal:
        made = predicate(active, irregular, node)
        said = said._replace(korean=made)
        time = tail
        return clause(d, said, How("present", modal), particle=("을", "를"), time=time)
    if d.chance(0.3):
        said = said._replace(complements=())
        tail = EMPTY
    time = tail if kind in ("yesterday", "tomorrow") else EMPTY
    how = How(tense, "", not asked and d.chance(0.15))
    if how.negated and kind in ("in_year",):
        how = how._replace(negated=False)
    return said_so(d, said, how, asked=asked, time=time)


def _by(d: Derivation, subject: NounPhrase, participle: str, made: Predicate) -> Clause:
    """Return "was written by Tom", 톰이 썼다."""
    doer = person(d)
    if (doer.noun is None and len(doer.english) == 1) or doer.english[0].text == "everyone":
        raise Unfit
    if doer.english[-1].text in ("I", "me"):
        raise Unfit
    by, be = d.node(), d.node()
    asked = d.chance(0.12)
    how = How("past" if d.chance(0.85) else "future", "", not asked and d.chance(0.12))
    made = made._replace(nodes=(*made.nodes, be))
    verb = EnglishVerb("be", "", "", "being", be, words(participle, made.nodes[0]))
    if asked and d.chance(0.5):  # who was it written by
        who = d.node()
        last = words("누가", who, by)
        said = Said(subject, verb, made, (Clause(words("by", by), []),))
        return clause(
            *(d, said, How("past")),
            ending="니",
            asked=True,
            question=Clause(words("who", who), last),
        )
    part = Clause([*words("by", by), *doer.english], doer.marked(SUBJECT, by))
    said = Said(subject, verb, made, (part,))
    return said_so(d, said, how, asked=asked)


def when_built(d: Derivation) -> Clause:
    """When was this house built?: 이 집은 언제 지어졌니; where was it made, why was it canceled."""
    (forms, _, _, passive, kinds), (english, korean) = _line(d)
    _, participle, _, *more = forms.split(" ")
    subject = _thing(d, english, korean)
    node, ask = d.node(), d.node()
    options = [("when", "언제"), ("when", "언제"), ("how", "어떻게"), ("why", "왜")]
    if {"in_Korea", "in_Seoul"} & set(kinds.split(",")):
        options += [("where", "어디에서")] * 3
    if "in_Korean" in kinds:
        options += [("in which language", "어떤 언어로")]
    question, spoken = d.choose(options)
    made = predicate(passive, "-", node)
    said = Said(subject, _been(d, " ".join([participle, *more]), node), made)
    asked = Clause(words(question, ask), words(spoken, ask))
    tense = "future" if "tomorrow" in kinds and d.chance(0.3) else "past"
    return clause(d, said, How(tense), ending="니", asked=True, question=asked)


def happened_to(d: Derivation) -> Clause:
    """The thief was caught by the police: 그 도둑은 경찰에게 잡혔다; loved by everyone."""
    subject = somebody(d)
    forms, korean, tenses, by, korean_by = d.choose(clause_table("it happened to"))
    if forms.endswith("hero") and subject.agreement == "p":
        raise Unfit
    if "my" in by.split(" ") and not subject.first_person:
        whose = {"he": "his", "she": "her", "you": "your", "they": "their", "we": "our"}
        own = whose.get(subject.english[0].text)
        if own is None:
            raise Unfit
        by = by.replace("my", own)
        korean_by = korean_by.replace("우리", {"his": "그의", "her": "그녀의", "your": "네",
                                             "their": "그들의", "our": "우리"}[own])  # fmt: skip
    node, tail = d.node(), d.node()
    irregular = "ㄷ" if korean.endswith("들") else "-"
    made = predicate(korean.removesuffix("들") + "듣" if irregular == "ㄷ" else korean, irregular,
                     node)  # fmt: skip
    part = EMPTY
    if by != "-" and (d.chance(0.75) or forms in ("be raised", "be bitten", "be hit")):
        part = Clause(words(by, tail), words(korean_by, tail))
    said = Said(subject, _been(d, forms.removeprefix("be "), node), made, (part,))
    tense = d.choose(tenses.split(","))
    asked = d.chance(0.12)
    if by.startswith("last") and part is EMPTY and tense == "future":
        tense = "past"
    if by.startswith("last"):
        tense = "past"
    return said_so(d, said, How(tense, "", not asked and d.chance(0.15)), asked=asked)


SPOKEN = (
    (
        "spoken",
        "쓰이",
        "English 영어,French 프랑스어,Spanish 스페인어,Chinese 중국어,German 독일어",
    ),
    ("spoken", "쓰이", "Korean 한국어,Arabic 아랍어,English 영어,Portuguese 포르투갈어"),
    ("taught", "가르쳐지", "Korean 한국어,music 음악,math 수학,history 역사"),
    ("grown", "재배되", "rice 쌀,coffee 커피,tea 차,corn 옥수수,fruit 과일"),
    ("sold", "팔리", "milk 우유,bread 빵,meat 고기,fruit 과일,medicine 약"),
    ("eaten", "먹", "rice 밥,kimchi 김치,bread 빵,cheese 치즈,fish 생선"),
)
SPOKEN_WHERE = (
    *(("in many countries", "많은 나라"), ("in Canada", "캐나다"), ("here", "여기")),
    *(("all over the world", "전 세계"), ("in Korea", "한국"), ("in Brazil", "브라질")),
    *(("in Africa", "아프리카"), ("in this country", "이 나라"), ("in our school", "우리 학교")),
)


def is_spoken(d: Derivation) -> Clause:
    """English is spoken in many countries: 영어는 많은 나라에서 쓰인다."""
    participle, korean, things = d.choose(SPOKEN)
    english, thing = d.choose(things.split(",")).split(" ")
    where, place = d.choose(SPOKEN_WHERE)
    node, there, own = d.node(), d.node(), d.node()
    if where == "in our school" and participle != "taught":
        raise Unfit
    if participle == "taught" and where in ("in Africa", "all over the world"):
        raise Unfit
    subject = phrase_of(d, english, thing)
    around: Words = words(place + FROM[0], there)
    asked = d.chance(0.2)
    how = How("present", "", not asked and d.chance(0.15))
    part = Clause(words(where, there), around)
    verb = EnglishVerb("be", "", "", "being", node, words(participle, own))
    if participle in ("eaten", "taught"):  # what people do with it: 한국에서는 밥을 먹는다
        part = part._replace(korean=words(place + FROM[0] + "는", there))
        stem = {"eaten": "먹", "taught": "가르치"}[participle]
        made = predicate(stem, "-", own, node)
        said = Said(subject, verb, made)
        body = clause(
            *(d, said, how), ending="니" if asked else "다", asked=asked, particle=("을", "를")
        )
        return Clause([*body.english, *part.english], [*part.korean, *body.korean])
    said = Said(subject, verb, predicate(korean, "-", own, node), (part,))
    return said_so(d, said, how, asked=asked)
