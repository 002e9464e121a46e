"""The speech levels of Korean: endings from the plain form, against those that the stem has."""

import pytest

from annotated_transformer.lab.corpora.english_korean.morphology import (
    final_consonant,
    infinitive,
    past,
    present,
    with_copula,
    with_final,
    without_rieul,
)
from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_lexicon
from annotated_transformer.lab.corpora.english_korean.speech_levels import (
    LEVELS,
    WITHOUT_HIEUH,
    casual_ending,
    formal_ending,
    polite_ending,
    spoken,
)


def formal(stem: str, close: str) -> str:
    """The ending of 합니다체, from the stem: 읽습니다, 갑니다, 깁니다."""
    if final_consonant(stem) in ("", "ㄹ"):
        return with_final(stem, "ㅂ") + "니" + close
    return f"{stem}습니{close}"


def stems() -> dict[str, set[tuple[str, str]]]:
    lexicon = open_lexicon()
    verbs = (*lexicon.transitive, *lexicon.intransitive, *lexicon.dative, *lexicon.phrasal)
    return {
        "verb": {(verb.korean.split(" ")[-1], verb.irregular) for verb in verbs},
        "adjective": {(each.korean.split(" ")[-1], each.irregular) for each in lexicon.adjectives},
    }


def test_plain_endings_of_all_stems_become_those_that_the_stem_has() -> None:
    """The corpus knows the plain form alone; the rules here begin with the stem."""
    found = stems()
    assert min(map(len, found.values())) > 100
    twofold = set()
    for kind, entries in found.items():
        for stem, irregular in entries:
            if stem in WITHOUT_HIEUH or stem == "걸":
                continue  # these are in the list below; 거니 is read as 것이니
            before = past(stem, irregular).removesuffix("다")
            spoken_form = infinitive(stem, irregular)
            expected = {
                present(stem) if kind == "verb" else stem + "다": (formal(stem, "다"), spoken_form),
                without_rieul(stem) + "니": (formal(stem, "까"), spoken_form),
                before + "다": (before + "습니다", before + "어"),
            }
            for plain, (stiff, casual) in expected.items():
                if formal_ending(plain) == plain or casual_ending(plain) == plain:
                    twofold.add(plain)
                    continue
                assert formal_ending(plain) == stiff
                assert casual_ending(plain) == casual
                assert polite_ending(plain) == casual + "요"
    assert "배우니" in twofold  # 배우다, to learn, and 배우, an actor
    assert "산다" in twofold  # 사다, to buy, and 살다, to live
    assert len(twofold) < 60, sorted(twofold)


def test_the_copula_keeps_its_vowel_after_every_noun() -> None:
    twofold = set()
    for noun in open_lexicon().all_nouns:
        short = not final_consonant(noun.korean)
        for ending, close in (("다", "다"), ("니", "까")):
            plain = with_copula(noun.korean, ending)
            if formal_ending(plain) == plain or casual_ending(plain) == plain:
                twofold.add(plain)
                continue
            assert formal_ending(plain) == f"{noun.korean}입니{close}"
            assert casual_ending(plain) == noun.korean + ("야" if short else "이야")
            assert polite_ending(plain) == noun.korean + ("예요" if short else "이에요")
    assert "종이다" in twofold  # 종이, paper, and 종, a bell
    assert len(twofold) < 24, sorted(twofold)


@pytest.mark.parametrize(
    ("plain", "formal_one", "polite_one", "casual_one"),
    [
        ("먹는다", "먹습니다", "먹어요", "먹어"),
        ("마신다", "마십니다", "마셔요", "마셔"),
        ("듣는다", "듣습니다", "들어요", "들어"),
        ("모른다", "모릅니다", "몰라요", "몰라"),
        ("공부한다", "공부합니다", "공부해요", "공부해"),
        ("필요하다", "필요합니다", "필요해요", "필요해"),
        ("춥다", "춥습니다", "추워요", "추워"),
        ("예쁘다", "예쁩니다", "예뻐요", "예뻐"),
        ("파랗다", "파랗습니다", "파래요", "파래"),
        ("어떠니", "어떻습니까", "어때요", "어때"),
        ("먹었다", "먹었습니다", "먹었어요", "먹었어"),
        ("학생이었다", "학생이었습니다", "학생이었어요", "학생이었어"),
        ("있다", "있습니다", "있어요", "있어"),
        ("없니", "없습니까", "없어요", "없어"),
        ("싶다", "싶습니다", "싶어요", "싶어"),
        ("않는다", "않습니다", "않아요", "않아"),
        ("것이다", "것입니다", "거예요", "거야"),
        ("거니", "겁니까", "거예요", "거야"),
        ("학생이다", "학생입니다", "학생이에요", "학생이야"),
        ("의사니", "의사입니까", "의사예요", "의사야"),
        ("무엇이니", "무엇입니까", "무엇이에요", "무엇이야"),
        ("얼마니", "얼마입니까", "얼마예요", "얼마야"),
        ("아니다", "아닙니다", "아니에요", "아니야"),
        ("열어라", "열어라", "여세요", "열어"),
        ("구워라", "구워라", "구우세요", "구워"),
        ("공부해라", "공부해라", "공부하세요", "공부해"),
        ("마라", "마라", "마세요", "마"),
        ("보여줘", "보여줘", "보여주세요", "보여줘"),
        ("할까", "할까", "할까요", "할까"),
        ("가자", "가자", "가자", "가자"),
        ("어머니", "어머니", "어머니", "어머니"),
        ("산다", "삽니다", "산다", "산다"),
    ],
)
def test_a_last_word_has_the_form_that_a_korean_says(
    plain: str, formal_one: str, polite_one: str, casual_one: str
) -> None:
    found = (formal_ending(plain), polite_ending(plain), casual_ending(plain))
    assert found == (formal_one, polite_one, casual_one)


@pytest.mark.parametrize(
    ("plain", "expected"),
    [
        ("나는 학생이다", ["저는 학생입니다", "저는 학생이에요", "나는 학생이야"]),
        (
            "내가 읽은 책은 길었다",
            ["제가 읽은 책은 길었습니다", "제가 읽은 책은 길었어요", "내가 읽은 책은 길었어"],
        ),
        # Who is addressed with 너 is not spoken to politely.
        ("너는 학생이니", ["너는 학생이니", "너는 학생이니", "너는 학생이야"]),
        ("네 책은 길다", ["네 책은 길다", "네 책은 길다", "네 책은 길어"]),
        ("문을 열어라", ["문을 열어라", "문을 여세요", "문을 열어"]),
    ],
)
def test_a_sentence_is_spoken_at_each_level(plain: str, expected: list[str]) -> None:
    assert [spoken(plain, level) for level in LEVELS] == [plain, *expected]
