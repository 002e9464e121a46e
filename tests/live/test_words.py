"""The Korean of the live figures: a text for each English one, its particles, Korean pages."""

import re
import unicodedata
from functools import cache
from string import ascii_uppercase

import pytest
from live_figure import open_figure

from annotated_transformer.text import TABLES
from live_korean import SAME, english_in
from live_words import LIVE, SHARED, Text, english, korean, missing, scripts, texts_of

PLACE = re.compile(r"\{(\d+)(?:[|:][^{}]*)?\}")
PLURAL = re.compile(r'\? "[a-z ]*" : "[a-z ]*"$')
FIGURES = sorted(path.stem for path in (LIVE / "figures").glob("*.js") if ".ko" not in path.name)


def test_tagged_texts_are_found_with_their_values():
    source = """// say`no`
    const a = say`Step ${n} of ${all.map(({ x }) => `${x}`).join("}")}`, b = "say`no`";
    const c = `plain ${say`one`}`, d = sayText("a\\nb"), e = say`60\\u00a0%`;
    list(...sayWith`two
        lines of ${h("b", {}, say`bold`)}`, x / 2, /say`no`[`/]/);"""
    assert texts_of(source) == [
        Text("Step {0} of {1}", ("n", 'all.map(({ x }) => `${x}`).join("}")')),
        Text("one"),
        Text("60\u00a0%"),
        Text("two lines of {0}", ('h("b", {}, say`bold`)',)),
        Text("bold"),
        Text("a\nb"),
    ]


def test_each_english_text_has_its_korean():
    assert missing() == {}


def test_each_korean_text_has_its_english():
    tables = {*TABLES["names"].values(), *TABLES["refused"].values(), *TABLES["scripts"]}
    assert tables <= korean(SHARED).keys()
    every = english([path for paths in scripts().values() for path in paths])
    for file, paths in scripts().items():
        known = every.keys() | tables if file == SHARED else english(paths).keys()
        assert korean(file).keys() <= known, file


@pytest.mark.parametrize("file", scripts())
def test_the_korean_has_the_values_of_the_english(file):
    """Only an ending that Korean does not have, such as that of a plural, may be left out."""
    known = english([path for paths in scripts().values() for path in paths])
    for key, said in korean(file).items():
        values = known[key].values if key in known else ()
        places = {int(place) for place in PLACE.findall(said)}
        left_out = {n for n in range(len(values)) if n not in places}
        assert places <= set(range(len(values))), key
        assert all(PLURAL.search(values[n].strip()) for n in left_out), key
        assert said != key or not set(re.findall("[A-Za-z_]{2,}", said)) - SAME, key


@cache
def ends_in(word):
    """The sound at the end of a Korean word, by its canonical decomposition."""
    last = unicodedata.normalize("NFD", word)[-1]
    return {"\u11af": "l"}.get(last, "c" if "\u11a8" <= last <= "\u11c2" else "")


@pytest.fixture(scope="module")
def speaking(browser, tmp_path_factory):
    """A Korean page without a model."""
    errors = []
    figure = open_figure(browser, tmp_path_factory.mktemp("ko"), "masks", errors, language="ko")
    yield figure.page
    assert errors == []


PAIRS = ["은/는", "이/가", "을/를", "과/와", "으로/로", "이다/다"]
# How one reads them: 0 영, 1 일, 2 이 ..., a letter by its name, a word by its last sound.
DIGITS = "영 일 이 삼 사 오 육 칠 팔 구"
LETTERS = (
    "에이 비 씨 디 이 에프 지 에이치 아이 제이 케이 엘 엠 엔 오 피 큐 알 에스 티 "
    "유 브이 더블유 엑스 와이 지"
)
READ = {
    **dict(zip("0123456789", DIGITS.split(), strict=True)),
    **dict(zip(ascii_uppercase, LETTERS.split(), strict=True)),
    **{"10": "십", "2,100": "백", "0.25": "오", "99%": "퍼센트", "BLEU": "유", "FFN": "엔"},
    **{"d_k": "케이", "softmax": "맥스", "car": "카", "will": "윌", "Tom": "톰"},
    **{"“doctor”": "닥터", "학생.": "학생", "(나는)": "나는", "줄 바꿈 (U+000A)": "바꿈"},
    # English words whose last letter is not their last sound.
    **{"“book”": "북", "Black": "블랙", "cat": "캣", "It": "잇", "map": "맵", "music": "뮤직"},
    **{"home": "홈", "smartphone": "폰", "came": "케임", "singing": "싱잉", "climb": "클라임"},
    **{"table": "테이블", "smile": "스마일", "people": "피플", "about": "어바웃", "me": "미"},
    **{"street": "트리트", "student": "스튜던트", "week": "위크", "milk": "밀크", "the": "더"},
    **{"night": "나이트", "dog": "도그", "boat": "보트", "make": "메이크", "USA": "에이"},
}
JOSA = (
    "([words, pairs]) => words.map((w) => pairs.map((pair) => AnnotatedTransformer.josa(w, pair)))"
)


def test_particles_follow_the_sound(speaking):
    syllables = [chr(code) for code in range(0xAC00, 0xD7A4)]
    words = [*syllables, *READ]
    found = speaking.evaluate(JOSA, [words, PAIRS])
    for word, forms in zip(words, found, strict=True):
        end = ends_in(READ.get(word, word))
        for pair, form in zip(PAIRS, forms, strict=True):
            consonant, vowel = pair.split("/")
            wanted = vowel if not end or (end == "l" and pair == "으로/로") else consonant
            assert (word, form) == (word, wanted)


def test_a_text_takes_its_values_and_their_particles(speaking):
    fill = "(values) => AnnotatedTransformer.fill('{1|은/는} {0}개, {1}', values).join('')"
    assert speaking.evaluate(fill, [3, "학생"]) == "학생은 3개, 학생"
    assert speaking.evaluate(fill, [3, "나무"]) == "나무는 3개, 나무"


def test_a_particle_may_stand_after_a_quotation_mark(speaking):
    fill = "(value) => AnnotatedTransformer.fill(\"'{0}'{0:으로/로} 읽음\", [value]).join('')"
    assert speaking.evaluate(fill, "I'm") == "'I'm'으로 읽음"
    assert speaking.evaluate(fill, "teacher") == "'teacher'로 읽음"
    assert speaking.evaluate(fill, "!") == "'!'로 읽음"


SEEN = """(figure) => {
    const said = [], shown = NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT;
    const walker = document.createTreeWalker(figure, shown);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node instanceof Element ? node : node.parentElement;
        if (element.closest('[lang=en], code, pre, figcaption, img, script')) continue;
        if (node instanceof Text) said.push(node.textContent);
        else for (const name of ['aria-label', 'aria-valuetext', 'title']) {
            said.push(node.getAttribute(name) ?? '');
        }
    }
    return [...new Set(said.filter((text) => /[A-Za-z]{2}/.test(text)))];
}"""


@pytest.mark.parametrize("name", FIGURES)
def test_a_korean_page_says_nothing_in_english(browser, tmp_path, name):
    errors = []
    element = name.replace("_", "-")
    figure = open_figure(browser, tmp_path, element, errors, language="ko")
    figure.settle()
    seen = figure.element.evaluate(SEEN)
    marked = figure.element.locator("[lang=en]").all_text_contents()
    assert english_in(seen, marked) == []
    figure.page.close()
    assert errors == []
