"""Conjugation and particles against tables written by hand, irregular classes included."""

import pytest

from annotated_transformer.lab.corpora.english_korean.morphology import (
    DATIVE,
    OBJECT,
    SUBJECT,
    TOPIC,
    TOWARDS,
    WITH,
    adnominal,
    attach,
    final_consonant,
    infinitive,
    past,
    present,
    with_copula,
)

# Stem, irregular class, then: present, past, -서, before a noun in present, past and future.
VERBS = """
읽 - 읽는다 읽었다 읽어서 읽는 읽은 읽을
가 - 간다 갔다 가서 가는 간 갈
오 - 온다 왔다 와서 오는 온 올
보 - 본다 봤다 봐서 보는 본 볼
주 - 준다 줬다 줘서 주는 준 줄
배우 - 배운다 배웠다 배워서 배우는 배운 배울
마시 - 마신다 마셨다 마셔서 마시는 마신 마실
보내 - 보낸다 보냈다 보내서 보내는 보낸 보낼
켜 - 켠다 켰다 켜서 켜는 켠 켤
쉬 - 쉰다 쉬었다 쉬어서 쉬는 쉰 쉴
되 - 된다 됐다 돼서 되는 된 될
공부하 - 공부한다 공부했다 공부해서 공부하는 공부한 공부할
닫 - 닫는다 닫았다 닫아서 닫는 닫은 닫을
입 - 입는다 입었다 입어서 입는 입은 입을
웃 - 웃는다 웃었다 웃어서 웃는 웃은 웃을
쫓 - 쫓는다 쫓았다 쫓아서 쫓는 쫓은 쫓을
만들 - 만든다 만들었다 만들어서 만드는 만든 만들
팔 - 판다 팔았다 팔아서 파는 판 팔
쓰 - 쓴다 썼다 써서 쓰는 쓴 쓸
끄 - 끈다 껐다 꺼서 끄는 끈 끌
모으 - 모은다 모았다 모아서 모으는 모은 모을
돕 ㅂ 돕는다 도왔다 도와서 돕는 도운 도울
굽 ㅂ 굽는다 구웠다 구워서 굽는 구운 구울
줍 ㅂ 줍는다 주웠다 주워서 줍는 주운 주울
걷 ㄷ 걷는다 걸었다 걸어서 걷는 걸은 걸을
듣 ㄷ 듣는다 들었다 들어서 듣는 들은 들을
짓 ㅅ 짓는다 지었다 지어서 짓는 지은 지을
부르 르 부른다 불렀다 불러서 부르는 부른 부를
고르 르 고른다 골랐다 골라서 고르는 고른 고를
나르 르 나른다 날랐다 날라서 나르는 나른 나를
자르 르 자른다 잘랐다 잘라서 자르는 자른 자를
머무르 르 머무른다 머물렀다 머물러서 머무르는 머무른 머무를
"""
# Stem, irregular class, then: past, -서, before a noun.
ADJECTIVES = """
크 - 컸다 커서 큰
작 - 작았다 작아서 작은
넓 - 넓었다 넓어서 넓은
얕 - 얕았다 얕아서 얕은
바쁘 - 바빴다 바빠서 바쁜
아프 - 아팠다 아파서 아픈
슬프 - 슬펐다 슬퍼서 슬픈
예쁘 - 예뻤다 예뻐서 예쁜
길 - 길었다 길어서 긴
달 - 달았다 달아서 단
비싸 - 비쌌다 비싸서 비싼
느리 - 느렸다 느려서 느린
피곤하 - 피곤했다 피곤해서 피곤한
맛있 - 맛있었다 맛있어서 맛있는
무겁 ㅂ 무거웠다 무거워서 무거운
아름답 ㅂ 아름다웠다 아름다워서 아름다운
춥 ㅂ 추웠다 추워서 추운
빠르 르 빨랐다 빨라서 빠른
게으르 르 게을렀다 게을러서 게으른
목마르 르 목말랐다 목말라서 목마른
가파르 르 가팔랐다 가팔라서 가파른
"""


def rows(table: str) -> list[list[str]]:
    return [line.replace(" - ", "  ").split(" ") for line in table.strip().splitlines()]


@pytest.mark.parametrize("row", rows(VERBS), ids=lambda row: row[0])
def test_verbs(row: list[str]) -> None:
    stem, irregular, *expected = row
    assert [
        present(stem),
        past(stem, irregular),
        infinitive(stem, irregular) + "서",
        adnominal(stem, "present", irregular),
        adnominal(stem, "past", irregular),
        adnominal(stem, "future", irregular),
    ] == expected


@pytest.mark.parametrize("row", rows(ADJECTIVES), ids=lambda row: row[0])
def test_adjectives(row: list[str]) -> None:
    stem, irregular, *expected = row
    assert [
        past(stem, irregular),
        infinitive(stem, irregular) + "서",
        adnominal(stem, "present", irregular, is_adjective=True),
    ] == expected


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("학생", "학생은 학생이 학생을 학생과 학생으로 학생에게"),
        ("의사", "의사는 의사가 의사를 의사와 의사로 의사에게"),
        ("연필", "연필은 연필이 연필을 연필과 연필로 연필에게"),
        ("부엌", "부엌은 부엌이 부엌을 부엌과 부엌으로 부엌에게"),
    ],
)
def test_particles(noun: str, expected: str) -> None:
    particles = (TOPIC, SUBJECT, OBJECT, WITH, TOWARDS, DATIVE)
    assert " ".join(attach(noun, particle) for particle in particles) == expected


def test_copula() -> None:
    assert with_copula("학생", "다") == "학생이다"
    assert with_copula("의사", "다") == "의사다"
    assert with_copula("학생", "었다") == "학생이었다"
    assert with_copula("의사", "었다") == "의사였다"
    assert with_copula("의사", "라고") == "의사라고"


def test_what_is_not_hangul_is_named() -> None:
    with pytest.raises(ValueError, match="expected a Hangul syllable, got 'x'"):
        final_consonant("학생x")
