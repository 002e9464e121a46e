"""What people do, as an infinitive: to call her, to do my homework: 그녀에게 전화하다. CC0."""

from typing import NamedTuple

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import surroundings
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import (
    object_pronoun,
    own_possessive,
)
from annotated_transformer.lab.corpora.english_korean.morphology import DATIVE, OBJECT, adnominal
from annotated_transformer.lab.corpora.english_korean.open.joints import ORDERED, doing, ended
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase

# What is done, its -ing form, Korean, irregular class and what it goes with: f forget, t try,
# s start, p stop, d decide, k know how, l finish, j enjoy doing, m in minutes, y in years. OWN is
# "my", HIM a pronoun.
DEEDS = tuple(
    tuple(line.split(" | "))
    for line in """
call HIM | calling | HIM에게 전화하 | - | ftd
call OWN mother | calling | 어머니에게 전화하 | - | ftd
help HIM | helping | HIM을 돕 | ㅂ | td
write to HIM | writing | HIM에게 편지를 쓰 | - | ftd
visit HIM | visiting | HIM을 방문하 | - | fd
meet HIM | meeting | HIM을 만나 | - | d
understand HIM | understanding | HIM을 이해하 | - | ty
tell HIM the truth | telling | HIM에게 진실을 말하 | - | td
talk to HIM | talking | HIM과 이야기하 | - | td
lock the door | locking | 문을 잠그 | - | f
close the window | closing | 창문을 닫 | - | ft
open the door | opening | 문을 열 | - | t
open the window | opening | 창문을 열 | - | t
open the box | opening | 상자를 열 | - | t
turn off the light | turning | 불을 끄 | - | f
bring OWN umbrella | bringing | 우산을 가져오 | - | f
bring OWN passport | bringing | 여권을 가져오 | - | f
bring OWN book | bringing | 책을 가져오 | - | f
do OWN homework | doing | 숙제를 하 | - | ftsldm
finish OWN homework | finishing | 숙제를 끝내 | - | tdm
take OWN medicine | taking | 약을 먹 | - | f
buy milk | buying | 우유를 사 | - | f
buy bread | buying | 빵을 사 | - | f
feed the cat | feeding | 고양이에게 먹이를 주 | - | f
feed the dog | feeding | 개에게 먹이를 주 | - | f
water the plants | watering | 식물에 물을 주 | - | f
say goodbye | saying | 작별 인사를 하 | - | f
pay the bill | paying | 계산하 | - | f
set the alarm | setting | 알람을 맞추 | - | fk
brush OWN teeth | brushing | 이를 닦 | - | fs
wash OWN hands | washing | 손을 씻 | - | f
send the letter | sending | 편지를 보내 | - | f
send the email | sending | 이메일을 보내 | - | fm
learn Korean | learning | 한국어를 배우 | - | tsdjy
learn English | learning | 영어를 배우 | - | tsdjy
study Korean | studying | 한국어를 공부하 | - | tsdj
speak Korean | speaking | 한국어를 하 | - | tk
speak English | speaking | 영어를 하 | - | tk
run | running | 달리 | - | spj
cry | crying | 울 | - | sp
laugh | laughing | 웃 | - | sp
talk | talking | 이야기하 | - | sp
sing | singing | 노래하 | - | spjk
dance | dancing | 춤추 | - | spjk
work | working | 일하 | - | sp
walk | walking | 걷 | ㄷ | spjk
eat | eating | 먹 | - | sp
shout | shouting | 소리치 | - | sp
sleep | sleeping | 자 | - | t
swim | swimming | 수영하 | - | sjk
cook | cooking | 요리하 | - | spjk
drive | driving | 운전하 | - | sdjk
ski | skiing | 스키를 타 | - | sjk
ride a bike | riding | 자전거를 타 | - | tsjk
ride a horse | riding | 말을 타 | - | tsjk
play the piano | playing | 피아노를 치 | - | spjk
play the guitar | playing | 기타를 치 | - | spjk
play the violin | playing | 바이올린을 켜 | - | spjk
play chess | playing | 체스를 두 | - | sjk
play soccer | playing | 축구를 하 | - | spjk
play tennis | playing | 테니스를 치 | - | spjk
play games | playing | 게임을 하 | - | spj
use a computer | using | 컴퓨터를 사용하 | - | sk
use chopsticks | using | 젓가락을 사용하 | - | tk
fix the car | fixing | 자동차를 고치 | - | tkm
fix the computer | fixing | 컴퓨터를 고치 | - | tkm
make kimchi | making | 김치를 만들 | - | tjkm
make pizza | making | 피자를 만들 | - | tjkm
bake bread | baking | 빵을 굽 | ㅂ | tjkm
draw pictures | drawing | 그림을 그리 | - | spjk
take pictures | taking | 사진을 찍 | - | spjk
read books | reading | 책을 읽 | - | sjp
watch movies | watching | 영화를 보 | - | jp
listen to music | listening | 음악을 듣 | ㄷ | jp
travel | traveling | 여행하 | - | sdj
clean the room | cleaning | 방을 청소하 | - | ftsldm
clean the house | cleaning | 집을 청소하 | - | tsldm
wash the dishes | washing | 설거지하 | - | fslm
wash the car | washing | 세차하 | - | slm
write the report | writing | 보고서를 쓰 | - | tslm
read the book | reading | 책을 읽 | - | tslm
paint the wall | painting | 벽을 칠하 | - | sldm
build a house | building | 집을 짓 | ㅅ | dksy
cook dinner | cooking | 저녁을 만들 | - | tslm
get ready | getting | 준비하 | - | tm
finish the work | finishing | 일을 끝내 | - | tm
make a cake | making | 케이크를 만들 | - | tjkm
solve the problem | solving | 문제를 풀 | - | tm
find the house | finding | 집을 찾 | - | m
find the key | finding | 열쇠를 찾 | - | tm
write a book | writing | 책을 쓰 | - | tdy
finish the project | finishing | 프로젝트를 끝내 | - | ty
have lunch | having | 점심을 먹 | - | l
eat dinner | eating | 저녁을 먹 | - | sl
get up early | getting | 일찍 일어나 | - | td
go to bed early | going | 일찍 잠자리에 들 | - | td
go home | going | 집에 가 | - | d
go to college | going | 대학에 가 | - | d
go to Korea | going | 한국에 가 | - | d
come back | coming | 돌아오 | - | td
move to Seoul | moving | 서울로 이사하 | - | d
study abroad | studying | 유학하 | - | d
become a doctor | becoming | 의사가 되 | - | tdy
become a teacher | becoming | 선생님이 되 | - | tdy
become a singer | becoming | 가수가 되 | - | tdy
quit OWN job | quitting | 직장을 그만두 | - | d
get married | getting | 결혼하 | - | d
buy a new car | buying | 새 자동차를 사 | - | d
buy a house | buying | 집을 사 | - | d
sell the house | selling | 집을 팔 | - | td
lose weight | losing | 살을 빼 | - | tdy
save money | saving | 돈을 모으 | - | tsdy
find a job | finding | 일자리를 찾 | - | ty
exercise every day | exercising | 매일 운동하 | - | td
stay home | staying | 집에 머무르 | 르 | d
smile | smiling | 웃 | - | t
wait | waiting | 기다리 | - | td
stay calm | staying | 침착하 | - | t
""".strip().splitlines()
)


class Deed(NamedTuple):
    """Something done, without its subject: base and -ing form in English, and the Korean."""

    base: Words
    ing: Words
    around: Words
    korean: Predicate

    def gerund(self, particle: str, *nodes: int) -> Words:
        """Return 전화하는 것을."""
        return [*self.before("present"), Word("것" + particle, (*self.korean.nodes, *nodes))]

    def before(self, tense: str, *nodes: int) -> Words:
        """Return the verb as it stands before a noun: 전화하는, 전화할."""
        p = self.korean
        form = adnominal(p.stem, tense, p.irregular)
        return [*self.around, *p.before, Word(form, (*p.nodes, *nodes))]

    def stem_with(self, text: str, *nodes: int) -> Words:
        """Return 전화하기로, 전화하지."""
        p = self.korean
        return [*self.around, *p.before, Word(p.stem + text, (*p.nodes, *nodes))]

    def meaning_to(self, *nodes: int) -> Words:
        """Return 전화하려고."""
        last = ended(self.korean, "present", ORDERED)
        text = last[-1].text.removesuffix("라고") + "려고"
        return [*self.around, *last[:-1], Word(text, (*last[-1].nodes, *nodes))]

    def so_that(self, *nodes: int) -> Words:
        """Return 전화해서."""
        *head, last = endings.finished(self.korean, "present", "서")
        return [*self.around, *head, Word(last.text, (*last.nodes, *nodes))]


def deed(d: Derivation, subject: NounPhrase, kind: str, free: float = 0.25) -> Deed:
    """Return something of a kind; with the probability `free` any action of the grammar."""
    if d.chance(free):
        return free_deed(d, subject)
    english, ing, korean, irregular, _ = d.choose([row for row in DEEDS if kind in row[4]])
    node = d.node()
    first, *rest = english.split(" ")
    *before, stem = korean.split(" ")
    if subject.english[0].text == "everyone":
        raise Unfit
    tail: Words = []
    spoken: Words = []
    him = object_pronoun(d, subject) if "HIM" in rest else None
    if him and him.first_person and subject.first_person:
        raise Unfit
    for word in rest:
        if him and word == "HIM":
            tail += him.english
        elif word == "OWN":
            own = own_possessive(subject)
            if not own:
                raise Unfit
            tail += words(own, node)
        else:
            tail += words(word, node)
    for word in before:
        if him and word.startswith("HIM"):
            particle = {"에게": DATIVE, "을": OBJECT, "과": ("과", "와")}[word[3:]]
            spoken += him.marked(particle)
        else:
            spoken += words(word, node)
    return Deed(
        [Word(first, (node,)), *tail],
        [Word(ing, (node,)), *tail],
        spoken,
        Predicate([], stem, irregular.strip("-"), "verb", (node,)),
    )


def free_deed(d: Derivation, subject: NounPhrase) -> Deed:
    """Return any action of the grammar."""
    said = doing(d, subject, "sxpR")
    if "OWN" in said.base or said.base in ("arrive", "hurry", "leave", "win", "lose"):
        raise Unfit
    follow, around = surroundings(said)
    if any(text in ("some", "any") for text, _ in follow):
        raise Unfit
    verb = said.english
    ing = words(verb.ing, verb.node)
    return Deed(
        [*words(verb.base, verb.node), *verb.tail, *follow],
        [*ing, *verb.tail, *follow],
        around,
        said.korean,
    )
