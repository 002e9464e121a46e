"""Tea instead of coffee, instead of working, without saying a word: 커피 대신, 하지 않고. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import person
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.times import time_for
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT, attach
from annotated_transformer.lab.corpora.english_korean.open.deeds import deed

PAIRS = tuple(
    tuple(line.split(" | "))
    for line in """
drink drank drinking | 마시 | tea 차,coffee 커피,water 물,milk 우유,juice 주스
eat ate eating | 먹 | rice 밥,bread 빵,pizza 피자,salad 샐러드,soup 수프,fruit 과일,fish 생선
take took taking | 타 | the_bus 버스,the_train 기차,the_subway 지하철,a_taxi 택시
learn learned learning | 배우 | English 영어,Korean 한국어,French 프랑스어,Chinese 중국어
study studied studying | 공부하 | math 수학,history 역사,science 과학,English 영어,art 미술
buy bought buying | 사 | a_hat 모자,a_bag 가방,a_coat 외투,a_shirt 셔츠
buy bought buying | 사 | a_book 책,a_toy 장난감,a_doll 인형,a_game 게임
buy bought buying | 사 | apples 사과,pears 배,bananas 바나나,oranges 오렌지
buy bought buying | 사 | a_car 자동차,a_bike 자전거,a_house 집
play played playing | 하 | soccer 축구,baseball 야구,basketball 농구
use used using | 사용하 | a_pen 펜,a_pencil 연필
use used using | 사용하 | sugar 설탕,honey 꿀,salt 소금
read read reading | 읽 | a_book 책,a_novel 소설,a_newspaper 신문,a_magazine 잡지
order ordered ordering | 주문하 | pizza 피자,chicken 치킨,noodles 국수,pasta 파스타
""".strip().splitlines()
)


def instead_of(d: Derivation) -> Clause:
    """I drank tea instead of coffee: 나는 커피 대신 차를 마셨다. Working: 일하는 대신."""
    subject = person(d)
    node, act, one, other = d.node(), d.node(), d.node(), d.node()
    if d.chance(0.7):
        forms, stem, things = d.choose(PAIRS)
        base, past, ing = forms.split(" ")
        pairs = [tuple(item.split(" ")) for item in things.split(",")]
        first, second = d.choose(pairs), d.choose(pairs)
        if first == second:
            raise Unfit
        verb = EnglishVerb(base, base + "s", past, ing, act, [])
        english = [*words(first[0].replace("_", " "), one), *words("instead of", node)]
        english += words(second[0].replace("_", " "), other)
        korean = [
            *words(second[1], other),
            *words("대신", node),
            Word(attach(first[1], OBJECT), (one,)),
        ]
        tense = d.choose(("past", "past", "past", "future", "want"))
        how = How("present", "want") if tense == "want" else How(tense)
        if base == "read" and how.tense == "past":
            how = How("future")
        said = Said(
            subject, verb, Predicate([], stem, "", "verb", (act,)), (Clause(english, korean),)
        )
        asked = subject.english[0].text == "you" and how.tense == "past" and not how.modal
        return clause(d, said, how, ending="니" if asked else "다", asked=asked)
    left, right = deed(d, subject, "j", 0.0), deed(d, subject, d.choose("pj"), 0.0)
    if left.base[0].text == right.base[0].text or left.base[0].text in ("read",):
        raise Unfit
    instead = [*words("instead of", node), *right.ing]
    spoken = [*right.before("present"), Word("대신", (node,))]
    p = left.korean
    verb = EnglishVerb(left.base[0].text, "", "", left.ing[0].text, p.nodes[0], left.base[1:])
    part = Clause(instead, [*spoken, *left.around])
    how = How("future") if d.chance(0.6) else How("present", d.choose(("want", "should")))
    return clause(d, Said(subject, verb, p, (part,)), how)


# What was not done on leaving; a part of the sentence before the verb.
NOT_DONE = tuple(
    tuple(line.split(" | "))
    for line in """
saying a word | 한마디도 하지 않고
saying a word | 한마디도 하지 않고
saying anything | 아무 말도 하지 않고
saying anything | 아무 말도 하지 않고
saying goodbye | 작별 인사를 하지 않고
saying goodbye | 작별 인사를 하지 않고
saying hello | 인사하지 않고
eating breakfast | 아침을 먹지 않고
eating lunch | 점심을 먹지 않고
eating anything | 아무것도 먹지 않고
eating | 먹지 않고
thinking | 생각하지 않고
asking | 묻지 않고
asking me | 나에게 묻지 않고
telling me | 나에게 말하지 않고
telling anyone | 아무에게도 말하지 않고
looking back | 뒤를 돌아보지 않고
looking at me | 나를 보지 않고
paying | 돈을 내지 않고
smiling | 웃지 않고
sleeping | 자지 않고
stopping | 멈추지 않고
knocking | 노크하지 않고
waiting for me | 나를 기다리지 않고
closing the door | 문을 닫지 않고
locking the door | 문을 잠그지 않고
turning off the light | 불을 끄지 않고
""".strip().splitlines()
)
DONE = tuple(
    tuple(line.split(" | "))
    for line in """
leave leaves left leaving | 떠나 | goodbye,word,anything,breakfast,me,anyone,back,paying
leave leaves left leaving | 떠나 | goodbye,word,anything,smiling,door,light,lunch
leave leaves left leaving the room | 방을 나가 | word,anything,goodbye,me,anyone,back,light,door
go goes went going home | 집에 가 | goodbye,word,anything,me,anyone,lunch
go goes went going to school | 학교에 가 | breakfast,anything,goodbye,eating,me
go goes went going to work | 직장에 가 | breakfast,anything,goodbye,eating,sleeping
go goes went going out | 나가 | word,anything,goodbye,me,anyone,door,light,breakfast
come comes came coming in | 들어오 | knocking,word,anything,hello,asking,smiling
go goes went going to bed | 잠자리에 들 | eating,light,goodbye,anything,door
work works worked working all day | 하루 종일 일하 | eating,word,stopping,lunch,anything,sleeping
run runs ran running for an hour | 한 시간 동안 달리 | stopping
answer answers answered answering | 대답하 | thinking,smiling
buy buys bought buying it | 그것을 사 | thinking,asking,me,anyone
take takes took taking my book | 내 책을 가져가 | asking,word,me,paying
use uses used using my phone | 내 전화를 사용하 | asking,me
sit sits sat sitting down | 앉 | word,smiling
look looks looked looking at me | 나를 보 | word,smiling
do does did doing it | 그것을 하 | thinking,asking,me,anyone,word
eat eats ate eating the cake | 케이크를 먹 | asking,me,word,paying
""".strip().splitlines()
)


def without_doing(d: Derivation) -> Clause:
    """He left without saying a word: 그는 한마디도 하지 않고 떠났다. Do not leave without me."""
    subject = person(d)
    forms, korean, ends = d.choose(DONE)
    fitting = [row for row in NOT_DONE if row[0].split(" ")[-1] in ends.split(",")]
    english, undone = d.choose(fitting)
    words_of = english.split(" ")
    if subject.first_person and (
        "me" in words_of or "me" in forms.split(" ") or "my" in forms.split(" ")
    ):
        raise Unfit
    if "me" in words_of and "me" in forms.split(" "):
        raise Unfit
    node, no = d.node(), d.node()
    base, third, past, ing, *rest = forms.split(" ")
    *before, stem = korean.split(" ")
    predicate = Predicate([Word(text, (node,)) for text in before], stem, "", "verb", (node,))
    out: Words = words(undone, no)
    verb = EnglishVerb(base, third, past, ing, node, [Word(text, (node,)) for text in rest])
    part = Clause([*words("without", no), *words(english, no)], out)
    said = Said(subject, verb, predicate, (part,))
    tense = d.choose(("past", "past", "past", "past", "future", "present"))
    asked = subject.english[0].text == "you" and tense == "past" and d.chance(0.6)
    if asked and {"a", "any"} & set(words_of):
        asked = False
    time = time_for(d, said, tense, 0.1) if tense == "past" else Clause([], [])
    return clause(d, said, How(tense), ending="니" if asked else "다", asked=asked, time=time)
