"""I prefer tea to coffee, neither he nor she came, what I need is money, sure that. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import expressing, person
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
    OBJECT,
    SUBJECT,
    TOPIC,
    attach,
)
from annotated_transformer.lab.corpora.english_korean.natural import itself
from annotated_transformer.lab.corpora.english_korean.open.joints import doing, joined
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun

KINDS = (
    "tea 차,coffee 커피,milk 우유,juice 주스,water 물",
    "dogs 개,cats 고양이,birds 새,rabbits 토끼",
    "summer 여름,winter 겨울,spring 봄,autumn 가을",
    "pizza 피자,chicken 치킨,rice 밥,bread 빵,noodles 국수",
    "apples 사과,oranges 오렌지,bananas 바나나,grapes 포도",
    "soccer 축구,baseball 야구,tennis 테니스,basketball 농구",
    "math 수학,English 영어,history 역사,science 과학,music 음악",
    "books 책,movies 영화,games 게임",
    "red 빨간색,blue 파란색,green 초록색",
)


def _two(d: Derivation) -> tuple[list[str], list[str]]:
    items = [item.split(" ") for item in d.choose(KINDS).split(",")]
    first, second = d.choose(items), d.choose(items)
    if first == second:
        raise Unfit
    return first, second


def prefer_to(d: Derivation) -> Clause:
    """I prefer tea to coffee: 나는 커피보다 차를 더 좋아한다. I like both tea and coffee: 둘 다."""
    subject = person(d)
    first, second = _two(d)
    node, one, two, link = d.node(), d.node(), d.node(), d.node()
    kind = d.weighted((("prefer", 0.4), ("more", 0.15), ("both", 0.2), ("neither", 0.25)))
    asked = subject.english[0].text == "you" and d.chance(0.6)
    ending = "니" if asked else "다"
    predicate = Predicate([], "좋아하", "", "verb", (node,))
    like = EnglishVerb("like", "likes", "liked", "liking", node, [])
    left, right = words(first[0], one), words(second[0], two)
    if kind in ("prefer", "more"):
        korean = [Word(second[1] + "보다", (two, link)), Word(attach(first[1], OBJECT), (one,))]
        korean += words("더", link)
        verb = EnglishVerb("prefer", "prefers", "preferred", "preferring", node, [])
        to = words("to" if kind == "prefer" else "more than", link)
        part = Clause([*left, *to, *right], korean)
        said = Said(subject, verb if kind == "prefer" else like, predicate, (part,))
        return clause(d, said, How("present"), ending=ending, asked=asked)
    joint = Word(attach(first[1], ("과", "와")), (one, link))
    if kind == "both":
        korean = [joint, Word(attach(second[1], OBJECT), (two,)), *words("둘 다", link)]
        part = Clause([*words("both", link), *left, *words("and", link), *right], korean)
        said = Said(subject, like, predicate, (part,))
        return clause(d, said, How("present"), ending=ending, asked=asked)
    korean = [Word(first[1] + "도", (one, link)), Word(second[1] + "도", (two, link))]
    if d.chance(0.5):
        part = Clause([*left, *words("or", link), *right], korean)
        said = Said(subject, like, predicate, (part,))
        if asked or subject.english[0].text == "everyone":
            raise Unfit
        return clause(d, said, How("present", "", True))
    part = Clause([*words("neither", link), *left, *words("nor", link), *right], korean)
    said = Said(subject, like, predicate, (part,))
    return clause(d, said, How("present", never=link))


NEEDED = (
    *(
        ("money", "돈"),
        ("time", "시간"),
        ("love", "사랑"),
        ("your help", "네 도움"),
        ("a friend", "친구"),
    ),
    *(("a job", "일자리"), ("water", "물"), ("a new car", "새 자동차"), ("some rest", "휴식")),
    *(("peace", "평화"), ("a vacation", "휴가"), ("a good book", "좋은 책"), ("sleep", "잠")),
)


def what_i_need(d: Derivation) -> Clause:
    """What I need is money: 내가 필요한 것은 돈이다. What he wanted was love: 그가 원한 것은."""
    other = person(d)
    if other.english[0].text == "everyone":
        raise Unfit
    what, act, be, own = (d.node() for _ in range(4))
    was = d.chance(0.25)
    forms, korean = d.choose(
        (("need needs needed", "필요한 필요했던"), ("want wants wanted", "원하는 원한"))
    )
    base, third, past = forms.split(" ")
    present, then = korean.split(" ")
    form = past if was else third if other.agreement == "3s" else base
    english, noun = d.choose(NEEDED)
    if "your" in english and other.english[0].text == "you":
        raise Unfit
    subject = NounPhrase(
        [*words("what", what), *other.english, Word(form, (act,))],
        [*other.marked(SUBJECT), Word(then if was else present, (act,)), Word("것", (what,))],
        what,
        "3s",
    )
    *first, last = noun.split(" ")
    predicate = Predicate([Word(t, (own,)) for t in first], last, "", "copula", (own, be))
    said = Said(subject, EnglishVerb("be", "", "", "", be, words(english, own)), predicate)
    return clause(d, said, How("past" if was else "present", "", d.chance(0.1)))


def sure_that(d: Derivation) -> Clause:
    """I am sure that he will come: 나는 그가 올 것이라고 확신한다."""
    node, that = d.node(), d.node()
    subject = person(d)
    kind = d.weighted((("sure", 0.5), ("think", 0.5)))
    if kind == "think":
        subject = pronoun(d, 1)
    other = itself(person(d), subject)
    if other.english[0].text == subject.english[0].text or other.noun == subject.noun is not None:
        raise Unfit
    if kind == "think" or d.chance(0.3):
        english, korean, irregular, form = d.choose(RIGHT)
        own = d.node()
        *first, stem = korean.split("_")
        p = Predicate([Word(t, (own,)) for t in first], stem, irregular, form, (own,))
        said = Said(other, EnglishVerb("be", "", "", "", own, words(english, own)), p)
        inner = joined(d, said, How("present"), "다고")
    else:
        said = doing(d, other)
        inner = joined(d, said, How("future"), "다고")
    with_that = d.chance(0.5) and other.english[0].text != "that"
    quoted = expressing(inner, that if with_that else node)
    part = [*(words("that", that) if with_that else []), *inner.english]
    if kind == "think":
        verb = EnglishVerb("think", "thinks", "thought", "thinking", node, [])
        predicate = Predicate([], "생각하", "", "verb", (node,))
        said = Said(subject, verb, predicate, (Clause(part, quoted),))
        return clause(d, said, How("present"), ending="니", asked=True)
    predicate = Predicate([], "확신하", "", "verb", (node,))
    verb = EnglishVerb("be", "", "", "", node, words("sure", node))
    said = Said(subject, verb, predicate, (Clause(part, quoted),))
    asked = subject.english[0].text == "you" and d.chance(0.6)
    return clause(d, said, How("present"), ending="니" if asked else "다", asked=asked)


RIGHT = (
    ("right", "맞", "", "adjective"),
    ("wrong", "틀렸", "", "adjective"),
    ("kind", "친절하", "", "adjective"),
    ("happy", "행복하", "", "adjective"),
    ("rich", "부유하", "", "adjective"),
    ("pretty", "예쁘", "", "adjective"),
    ("smart", "똑똑하", "", "adjective"),
    ("tall", "키가_크", "", "adjective"),
    ("angry", "화가_났", "", "adjective"),
    ("busy", "바쁘", "", "adjective"),
    ("sick", "아프", "", "adjective"),
    ("honest", "정직하", "", "adjective"),
    ("strong", "강하", "", "adjective"),
    ("tired", "피곤하", "", "adjective"),
)
CAME = (
    ("came", "오", ""),
    ("called", "전화하", ""),
    ("helped me", "나를 돕", "ㅂ"),
    ("likes it", "그것을 좋아하", ""),
    ("knows the answer", "답을 알", ""),
    ("can swim", "수영할 수 있", ""),
    ("passed the test", "시험에 합격하", ""),
    ("likes dogs", "개를 좋아하", ""),
    ("went to school", "학교에 가", ""),
    ("smokes", "담배를 피우", ""),
)


def neither_nor(d: Derivation) -> Clause:
    """Neither he nor she came: 그도 그녀도 오지 않았다. Both Tom and Anna like it: 둘 다."""
    first, second = person(d), person(d)
    texts = {first.english[0].text, second.english[0].text}
    if (
        texts & {"everyone", "you", "I", "we", "they"}
        or first.agreement != "3s"
        or second.agreement != "3s"
        or first.noun == second.noun is not None
        or len(texts) == 1
    ):
        raise Unfit
    english, korean, irregular = d.choose(CAME)
    node, link = d.node(), d.node()
    *before, stem = korean.split(" ")
    kind = "adjective" if stem == "있" else "verb"
    p = Predicate([Word(t, (node,)) for t in before], stem, irregular, kind, (node,))
    past = english.split(" ")[0] in ("came", "called", "helped", "passed", "went")
    tense = "past" if past else "present"
    if d.chance(0.6):
        head = [*words("neither", link), *first.english, *words("nor", link), *second.english]
        left, right = first.korean, second.korean
        spoken = [*left[:-1], Word(left[-1].text + "도", (*left[-1].nodes, link))]
        spoken += [*right[:-1], Word(right[-1].text + "도", (*right[-1].nodes, link))]
        return Clause(
            [*head, *words(english, node)], [*spoken, *finished(denied(p, link), tense, "다")]
        )
    verb = english if past or english == "can swim" else _plural(english)
    head = [*words("both", link), *first.english, *words("and", link), *second.english]
    joint = first.marked(("과", "와"), link)
    return Clause(
        [*head, *words(verb, node)],
        [*joint, *second.marked(TOPIC), *words("둘 다", link), *finished(p, tense, "다")],
    )


def _plural(english: str) -> str:
    head, *rest = english.split(" ")
    return " ".join([head.removesuffix("s"), *rest])
