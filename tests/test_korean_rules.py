"""The Korean edition keeps to its style and its terms; each rule finds what it is there for."""

import pytest

from korean_numbers import unequal_numbers
from korean_rules import broken, terms
from korean_units import FOLDER, page, read_korean, units_of

FIGURE = "caption: {}\nalt: 네 칸이 있다."

# What is refused, and a piece of the sentence that says so.
REFUSED = {
    "이 값은 점수입니다.": "해라체",
    "표를 봅니다.": "해라체",
    "수를 바꾸어 보세요.": "해라체",
    "표를 만드시오. 증명하시오.": "해라체",
    "왜 그럴까요?": "해라체",
    "*점수*는 수이다.": "기울이지",
    "**쿼리(query)**를 비교한다.": "글자로 남는다",
    "**$d_k$**로 나눈다.": "글자로 남는다",
    "**“점수”**가 크다.": "글자로 남는다",
    "{numref}`fig-x`는 크다.": "빌드할 때",
    "{numref}`그림 %s <fig-x>`은 크다.": "빌드할 때",
    "식 {eq}`eq-x`과 같다.": "빌드할 때",
    "{prf:ref}`thm-x`로부터 나온다. {ref}`ex-x`으로 간다.": "빌드할 때",
    "{claim}`6.5배 <faster>`가 빠르다.": "빌드할 때",
    "점수을(를) 더한다.": "받침을 타지 않는",
    "점수(으)로 나눈다.": "받침을 타지 않는",
    "값이 정해지고 되어진다.": "이중 피동",
    "크게 보여진다.": "이중 피동",
    "당신이 고른다.": "생략",
    "여러분의 차례이다.": "생략",
    "그것은 합이다.": "되풀이",
    "그들의 합은 1이다.": "되풀이",
    "모든 토큰들을 더한다.": "‘들’",
    "점수는 크다; 몫은 작다.": "쌍반점",
    "점수는 크다 — 몫은 작다.": "줄표",
    "이유는 간단하다: 합이 1이다.": "쌍점",
    '그는 "점수"라고 한다.': "둥근따옴표",
    "그는 '점수'라고 한다.": "둥근따옴표",
    "키를 모델에 훈련시킨다.": "학습",
    "파라미터가 많다.": "매개변수",
    "셀프어텐션이 있다.": "셀프 어텐션",
    "고유값이 양수이다.": "고윳값",
    "토큰 를 더한다.": "붙여 쓰고",
    "`KeyError` 는 없다.": "붙여 쓰고",
    "$d_k$ 로 나눈다.": "붙여 쓰고",
    "softmax 는 함수이다.": "붙여 쓰고",
    "어텐션를 쓴다.": "조사는 ‘을’",
    "**쿼리**(query)을 쓴다.": "조사는 ‘를’",
    "$Q$과 더한다.": "조사는 ‘와’",
    "$n$는 길이이다.": "조사는 ‘은’",
    "몫은 0.61로, 또 3로 같다.": "조사는 ‘으로’",
    "몫은 92%이 된다.": "조사는 ‘가’",
    "뷁뛟한 값.": "글꼴에 없다",
    "`뛟`": "U+B6DF",
    # Wherever a reader reads it.
    "## 파라미터": "매개변수",
    "| 파라미터 | 값 |\n| --- | --- |\n| 1 | 2 |": "매개변수",
    "```{exercise} 파라미터 세기\n:label: ex-x\n\n세어 보라.\n```": "매개변수",
    "```{prf:proof}\n자명합니다.\n```": "해라체",
    ":::{figure} x.svg\n:alt: 크게 보여진다.\n\n캡션.\n:::": "이중 피동",
    '<figure><img src="x" alt="파라미터가 많다."></figure>': "매개변수",
    "<figcaption>파라미터가 많다.</figcaption>": "매개변수",
    "- 하나\n- 파라미터": "매개변수",
}
ALLOWED = [
    "값은 점수이다. 수를 바꾸어 보라. 내적은 얼마나 큰가?",
    "*softmax*는 함수이고, **쿼리**(query)를 “**점수**”가 정한다.",
    "{numref}`fig-x`에서 보듯 {eq}`eq-x`의 왼쪽과 {prf:ref}`thm-x`에 따르면 {ref}`ex-x`도 같다.",
    "{numref}`fig-x`이다. {ref}`네 나눗수 <four>`를 보라.",
    "‘그것은 합입니다.’라는 예문과 “당신이 훈련합니다.”라는 예문.",
    "`파라미터`와 `훈련입니다`를 쓴다.",
    "```python\n# 파라미터입니다\n```",
    "$Q$와 $K$와 $V$를, $n$은, $d_k$로, $r$은 또 $r$는.",
    "$1$은, $2$는, 10,000은, 0.61은, 7로, 92%가 같다.",
    "둘 다: 처음과 끝.",
    "하이퍼파라미터와 결과와 효과, 사이와 작가. 마을은 가을을 지나 경로로 간다.",
    "나은 값을 지을 수 있다. 영어로는 그가 물었다: the man.",
    "**논문**: 3.2.1절, 식 1",
    "다음과 같다:\n\n- 하나\n- 둘",
    "형태는 쿼리 × 키이고, 3~5장에 있다.",
    "도움이 필요하다. 개요를 보고 주요한 것을 학습하라.",
    "<figcaption>이름은 <a href='x'>어텐션 읽기</a>에서 왔다.</figcaption>",
    "플레이어가 비용을 낸다. 보여 주고 읽혀 준다.",
]


@pytest.mark.parametrize("text", REFUSED)
def test_what_the_guide_forbids_is_found(text):
    assert any(REFUSED[text] in sentence for sentence in broken(text)), list(broken(text))


@pytest.mark.parametrize("text", ALLOWED)
def test_what_the_guide_allows_is_not(text):
    assert list(broken(text)) == []


def test_the_words_of_a_figure_are_read_too():
    assert list(broken(FIGURE.format("부드러운 사전."), figure=True)) == []
    assert list(broken(FIGURE.format("파라미터가 많다."), figure=True))
    assert list(broken("caption: 사전.\nalt: [좋다., 크게 보여진다.]", figure=True))


def test_what_is_found_is_named_with_the_words_and_what_to_write():
    (sentence,) = broken("여기에 파라미터가 많다.")
    assert "파라미터" in sentence
    assert "매개변수" in sentence


def test_a_glossary_names_the_forms_that_are_not_used():
    entry = "```{glossary}\nhead\n  **헤드**, 또는 파라미터. 나란히 놓인 것.\n```"
    assert list(broken(entry, glossary=True)) == []
    assert list(broken(entry.replace("놓인 것", "놓입니다"), glossary=True))


def test_no_form_is_both_used_and_refused():
    used, refused = terms()
    assert len(refused) > 150
    assert [form for form in refused if used.fullmatch(form)] == []


@pytest.mark.parametrize("path", sorted(FOLDER.glob("[!_]*.md")), ids=lambda path: path.stem)
def test_a_page_keeps_to_the_rules(path):
    kinds = {unit.key: unit.kind for unit in units_of(page(path.stem))}
    found = [
        f"{path.name} {each.key}: {sentence}"
        for each in read_korean(path.stem)
        if not each.new
        for sentence in broken(
            each.text, figure=kinds.get(each.key) == "figure", glossary=path.stem == "glossary"
        )
    ]
    assert found == []


# English, Korean, and the numbers that a sentence is about.
NUMBERS = {
    ("Four tokens and 12 heads.", "토큰 네 개와 헤드 12개."): [],
    ("Twelve heads.", "헤드 12개."): [],
    ("Pages 3-5 and 3–5.", "3~5쪽."): [],
    ("The 2nd of 65 million.", "6,500만 개의 2번째."): [],
    ("1.3 million and 2 billion.", "130만과 20억."): [],
    ("218, not 58 million.", "5,800만이 아니라 2억 1,800만 개."): [],
    ("30,000 and 2 of 3.", "3만 2개와 3만."): [],
    ("A thousand queries, a third of them.", "쿼리 1,000개의 3분의 1."): [],
    ("Nine tenths.", "10분의 9."): [],
    ("A fortieth.", "40분의 1."): [],
    ("3,500 in 2017.", "2017년의 3500개."): [],
    ("1.2 times.", "1.3배."): ["1.2", "1.3"],
    ("Twelve heads.", "헤드 13개."): ["13"],
    ("7 heads.", "헤드 일곱 개."): ["7"],
    ("65 million.", "650만."): ["65 million", "650만"],
    ("One head.", "헤드의 3분의 1."): ["3분의 1"],
    ("Only 3 of them, far below zero, by one.", "3만 있고, 0보다 훨씬 작다. 1만큼 쓴다."): [],
    ("Zeros.", "0과 2."): ["2"],
}


@pytest.mark.parametrize(("pair", "named"), NUMBERS.items(), ids=lambda x: str(x)[:40])
def test_numbers_are_compared_as_the_languages_write_them(pair, named):
    sentences = list(unequal_numbers(*pair))
    assert len(sentences) == len(named)
    for sentence, number in zip(sentences, named, strict=True):
        assert f"number {number} " in sentence
