"""Translations and alignments written by hand, two sentences of each construction.

The English was chosen from the corpus; the Korean was written without looking at the program's.
"""

import pytest

from annotated_transformer.corpora import SentencePair
from annotated_transformer.corpora.english_korean import CONSTRUCTIONS, SPLITS, english_korean

# Construction and English; Korean on the next line.
GOLDEN = """
copula | His guest is an actor
그의 손님은 배우다
copula | I am a student
나는 학생이다
copula_negation | The teacher was not a scientist
그 선생님은 과학자가 아니었다
copula_negation | I was not a dancer
나는 무용수가 아니었다
adjective | The teacher was not brave
그 선생님은 용감하지 않았다
adjective | The girl is not sleepy
그 소녀는 졸리지 않다
comparison | The scientist is busier than the prince
그 과학자는 그 왕자보다 더 바쁘다
comparison | The shirt is more expensive than this skirt
셔츠는 이 치마보다 더 비싸다
transitive | The horses ate the delicious peach
그 말들은 맛있는 복숭아를 먹었다
transitive | The neighbors wash this potato
그 이웃들은 이 감자를 씻는다
negation | The doctors did not follow her
그 의사들은 그녀를 따라가지 않았다
negation | Jihun did not respect poets
지훈은 시인을 존경하지 않았다
progressive | He is playing an expensive trumpet
그는 비싼 트럼펫을 불고 있다
progressive | Jisu is planting an onion
지수는 양파를 심고 있다
intransitive | Jisu did not dance in the office
지수는 사무실에서 춤추지 않았다
intransitive | Tom laughed in the house on Tuesday
톰은 화요일에 집에서 웃었다
motion | They moved to Seoul on Wednesday
그들은 수요일에 서울로 이사했다
motion | The professor moved to the island
그 교수는 섬으로 이사했다
existential | There was a woman in front of the school
학교 앞에 여자가 있었다
existential | There is a bicycle behind the tower
탑 뒤에 자전거가 있다
location | The girls were next to the desk
그 소녀들은 책상 옆에 있었다
location | Our cat is not next to the chair
우리 고양이는 의자 옆에 없다
counting | He cut ten carrots last week
그는 지난주에 당근 열 개를 잘랐다
counting | Three firefighters will break the window
소방관 세 명이 창문을 깰 것이다
dative | She did not send eight hats to the tired poet
그녀는 그 피곤한 시인에게 모자 여덟 개를 보내지 않았다
dative | He did not give the peach to the painter
그는 그 화가에게 복숭아를 주지 않았다
instrument | This busy scientist took the photo with a camera
이 바쁜 과학자는 카메라로 사진을 찍었다
instrument | The princess draws this horse with my pencil
그 공주는 내 연필로 이 말을 그린다
coordination | Our uncle and our grandfather planted a tree
우리 삼촌과 우리 할아버지는 나무를 심었다
coordination | The dancer and the musician turned off my radio this morning
그 무용수와 그 음악가는 오늘 아침에 내 라디오를 껐다
modal | You can help the woman
너는 그 여자를 도울 수 있다
modal | The firefighter wants to choose a book
그 소방관은 책을 고르고 싶어 한다
relative_object | He opens the window that we closed
그는 우리가 닫은 창문을 연다
relative_object | The teacher wears the sweater that I washed
그 선생님은 내가 빤 스웨터를 입는다
relative_subject | The king will meet the baker who opened the basket
그 왕은 바구니를 연 제빵사를 만날 것이다
relative_subject | I helped the queen who listened to this radio
나는 이 라디오를 들은 여왕을 도왔다
conjunction | Minjun teaches English and the nurse teaches science
민준은 영어를 가르치고 그 간호사는 과학을 가르친다
conjunction | The dancer drank water and Yuna drank this water
그 무용수는 물을 마시고 유나는 이 물을 마셨다
contrast | This student drove the car but the professor did not drive a truck
이 학생은 자동차를 운전했지만 그 교수는 트럭을 운전하지 않았다
contrast | The friend is a singer but their uncle is not a teacher
그 친구는 가수지만 그들의 삼촌은 선생님이 아니다
reported | Anna thinks that she did not hate the duck
안나는 그녀가 그 오리를 싫어하지 않았다고 생각한다
reported | Her grandfather thinks that Sujin wrote the report
그녀의 할아버지는 수진이 보고서를 썼다고 생각한다
because_subject | The animal could not enter this forest because it was too tired
그 동물이 너무 피곤해서 이 숲에 들어갈 수 없었다
because_subject | The goat could not climb the hill because it was too sick
그 염소가 너무 아파서 언덕에 올라갈 수 없었다
because_object | She did not watch the movie because it was too boring
영화가 너무 지루해서 그녀는 보지 않았다
because_object | The camel could not carry the box because it was too heavy
상자가 너무 무거워서 그 낙타는 나를 수 없었다
"""
# English, and for each Korean word the positions of its English words.
ALIGNED = """
His guest is an actor | 0 1 2,3,4
The teacher was not a scientist | 0 1 4,5 2,3
The teacher was not brave | 0 1 4 2,3
The scientist is busier than the prince | 0 1 5 4,6 3 2,3
The horses ate the delicious peach | 0 1 4 3,5 2
The doctors did not follow her | 0 1 5 4 2,3
He is playing an expensive trumpet | 0 4 3,5 2 1
Tom laughed in the house on Tuesday | 0 5,6 2,3,4 1
They moved to Seoul on Wednesday | 0 4,5 2,3 1
There was a woman in front of the school | 7,8 4,5,6 2,3 0,1
Our cat is not next to the chair | 0 1 6,7 4,5 2,3
Three firefighters will break the window | 1 0 1 4,5 3 2
She did not send eight hats to the tired poet | 0 7 8 6,9 5 4 5 3 1,2
This busy scientist took the photo with a camera | 0 1 2 6,7,8 4,5 3
Our uncle and our grandfather planted a tree | 0 1,2 3 4 6,7 5
The firefighter wants to choose a book | 0 1 5,6 4 2,3 2,3
He opens the window that we closed | 0 5 4,6 2,3 1
I helped the queen who listened to this radio | 0 7 8 4,5,6 2,3 1
Minjun teaches English and the nurse teaches science | 0 2 1,3 4 5 7 6
The friend is a singer but their uncle is not a teacher | 0 1 2,3,4,5 6 7 10,11 8,9
Anna thinks that she did not hate the duck | 0 3 7 8 6 2,4,5 1
The animal could not enter this forest because it was too tired | 0 1,8 10 7,9,11 5 6 4 2,3 2,3
The camel could not carry the box because it was too heavy | 5,6,8 10 7,9,11 0 1 4 2,3 2,3
"""


def rows(table: str) -> list[list[str]]:
    return [line.split(" | ") for line in table.strip().splitlines()]


def golden() -> list[list[str]]:
    lines = rows(GOLDEN)
    return [head + korean for head, korean in zip(lines[::2], lines[1::2], strict=True)]


@pytest.fixture(scope="module")
def corpus() -> dict[str, SentencePair]:
    return {pair.source: pair for split in SPLITS for pair in english_korean(split)}


@pytest.mark.parametrize(("construction", "english", "korean"), golden())
def test_translation(
    corpus: dict[str, SentencePair], construction: str, english: str, korean: str
) -> None:
    assert corpus[english].target == korean
    assert corpus[english].construction == construction


def test_every_construction_has_golden_translations_and_an_alignment() -> None:
    construction_of = {english: construction for construction, english, _ in golden()}
    for construction in CONSTRUCTIONS:
        assert list(construction_of.values()).count(construction) >= 2
    assert {construction_of[english] for english, _ in rows(ALIGNED)} == set(CONSTRUCTIONS)


@pytest.mark.parametrize(("english", "positions"), rows(ALIGNED))
def test_alignment(corpus: dict[str, SentencePair], english: str, positions: str) -> None:
    expected = {
        (int(i), j) for j, group in enumerate(positions.split(" ")) for i in group.split(",")
    }
    assert set(corpus[english].alignment or ()) == expected
