"""Korean words as stems and endings: what is known without having been there, and what is not."""

import json
import random
from itertools import pairwise

import pytest
from korean_text import INVENTED, MARKED, NEW_FORMS, PLAIN, SIZES, korean_text, korean_words
from odd_text import CLOSED, REFUSED, SAME

from annotated_transformer.lab.corpora.english_korean.korean_english import korean_english
from annotated_transformer.shipped import MODELS, shipped_models
from annotated_transformer.text import Reading, TextPolicy, TrainingText, words_of
from annotated_transformer.text.stems import Paradigm

VOWEL = ["나무", "배우", "의자", "사과", "오리", "커피"]
CONSONANT = ["책", "학생", "문", "산", "집", "공"]
VERBS = ["가", "사", "자", "타", "보", "오", "쏘"]
FORMS = [
    *(noun + particle for noun in VOWEL for particle in ("가", "를", "와", "")),
    *(noun + particle for noun in CONSONANT for particle in ("이", "을", "과", "")),
    *(verb + ending for verb in VERBS for ending in ("지", "기", "게")),
    *["간다", "산다", "잔다", "탄다", "본다", "온다", "온"],
]


def text_without(*left_out: str) -> TrainingText:
    return TrainingText.of([" ".join(form for form in FORMS if form not in left_out)])


@pytest.fixture(scope="module")
def policy() -> TextPolicy:
    return TextPolicy(korean_text())


@pytest.mark.parametrize("form", ["커피를", "커피", "공과", "공", "쏘게", "온다"])
def test_a_known_word_may_have_the_ending_of_others(form: str) -> None:
    text = text_without(form)
    assert form not in text.words
    assert text.has_word(form)


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ("커피을", "the particle is that after a consonant"),
        ("공를", "the particle is that after a vowel"),
        ("커피지", "the ending is that of a verb"),
        ("가를", "the particle is that of a noun"),
        ("쏜자", "no verb had that ending"),
        ("타조를", "the noun is new"),
        ("가", "the stem of a verb is no word"),
        ("커피s", "it is not Korean alone"),
        ("", "it is none"),
    ],
)
def test_nothing_else_is_known(form: str, why: str) -> None:
    assert not text_without().has_word(form), why


def test_an_ending_that_few_words_had_is_theirs_alone() -> None:
    few = ["나무만", "배우만", "의자만", "사과만"]
    text = TrainingText.of([" ".join([*FORMS, *few])])
    assert text.words >= {*few}
    assert not text.has_word("커피만")
    assert TrainingText.of([" ".join([*FORMS, *few, "오리만"])]).has_word("커피만")


def test_a_form_with_a_syllable_that_was_nowhere_is_unknown() -> None:
    """No piece of the tokenizer has 쏜, so the model has not read it."""
    text = text_without()
    assert text.has_word("쏘게")
    assert any("쏜다" in paradigm for paradigm in text.paradigms)
    assert not text.has_word("쏜다")


def test_all_words_of_the_text_are_known() -> None:
    text = korean_text()
    assert [word for word in korean_words() if not text.has_word(word)] == []
    stems = {stem for paradigm in text.paradigms for stem in paradigm.stems}
    assert len(text.words) + len(stems) < 0.7 * len(korean_words())


def test_fewer_words_of_other_sentences_are_called_unknown(policy: TextPolicy) -> None:
    splits = korean_english(SIZES)
    words = {
        w for name in ("valid", "test") for pair in splits[name] for w in words_of(pair.source)
    }
    new = words - {*korean_words()}
    assert len(policy.unknown_words(new)) < 0.75 * len(new)


def test_nouns_with_another_syllable_are_unknown(policy: TextPolicy) -> None:
    draw = random.Random(7)
    text = korean_text()
    nouns = sorted(s for each in text.paradigms[:3] for s in each.stems if len(s) > 1)
    syllables = sorted({syllable for noun in nouns for syllable in noun})
    invented = []
    for _ in range(1_000):
        noun = draw.choice(nouns)
        place = draw.randrange(len(noun))
        other = noun[:place] + draw.choice(syllables) + noun[place + 1 :]
        if other not in nouns and other not in korean_words():
            invented.append(other + draw.choice(["", "도", "에게", "를", "을"]))
    assert len(invented) > 900
    known = [word for word in invented if not policy.unknown_words([word])]
    assert len(known) < 0.01 * len(invented), known


@pytest.mark.parametrize("word", [*INVENTED, *NEW_FORMS])
def test_invented_words_and_new_forms_are_named(policy: TextPolicy, word: str) -> None:
    count = f"{policy.known_count:,}"
    about = f"{word} is not among the forms of the {count} words and stems of this model"
    assert policy.read(word).refusal == f"I cannot: {about}"
    reading = policy.read(f"나는 {word}")
    assert reading.unknown_words == (word,)
    assert policy.about(reading) == [about]


# How a text is read.


@pytest.mark.parametrize("way", [*SAME, *CLOSED])
def test_what_means_the_same_is_read_the_same(policy: TextPolicy, way: str) -> None:
    for plain in PLAIN:
        odd = {**SAME, **CLOSED}[way](plain)
        reading = policy.read(odd)
        marks = ("", ".", "?") if way in CLOSED else ("",)  # what training had at the end stays
        assert reading.sentences in [(plain + mark,) for mark in marks]
        assert bool(reading.changes or reading.unknown_characters) == (odd not in reading.sentences)
        assert reading.unknown_words == ()


def test_sentences_of_the_corpus_are_read_as_they_are(policy: TextPolicy) -> None:
    for plain in PLAIN:
        assert policy.read(plain) == Reading(sentences=(plain,))


def test_marks_at_the_end_stay_if_training_had_them(policy: TextPolicy) -> None:
    found = [policy.read(text).sentences for text in MARKED]
    assert found == [
        ("나는 학생이다.",),
        ("너는 학생이니?",),
        ("나는 학생이다", "너는 학생이니?"),
        ("저는 학생입니다.",),
    ]


@pytest.mark.parametrize("kind", sorted({*REFUSED} - {"other scripts", "sums"}))
def test_what_is_not_korean_is_refused(policy: TextPolicy, kind: str) -> None:
    for text in REFUSED[kind]:
        assert str(policy.read(text).refusal).startswith("I cannot: ")
    for text in ("I am a student.", "Do you like coffee?", "лес", "私は学生です"):
        assert str(policy.read(text).refusal).startswith("I cannot: ")


# What is kept with a model.


def test_models_that_read_english_keep_their_words_as_before() -> None:
    for name in shipped_models():
        if name.startswith("english"):
            stored = json.loads((MODELS / name / "text.json").read_text("utf-8"))
            assert "paradigms" not in stored
            assert TrainingText.from_dict(stored).to_dict() == stored


def test_a_description_with_stems_is_stored_and_read() -> None:
    text = korean_text()
    assert TrainingText.from_dict(json.loads(json.dumps(text.to_dict()))) == text


def test_of_two_texts_both_are_known() -> None:
    english = TrainingText.of(["I am a student"])
    both = text_without() | english
    assert all(map(both.has_word, ["커피를", "student"]))
    assert (both | both) == both
    nothing_known = both | TrainingText()
    assert (nothing_known.words, nothing_known.paradigms) == (frozenset(), ())
    assert TextPolicy(nothing_known).unknown_words(["타조를"]) == ()


def test_a_model_that_learned_another_language_knows_the_words_of_the_later_one() -> None:
    """As a run does that starts from a model; a corpus of the same language adds its words."""
    english, more = TrainingText.of(["I am a student"]), TrainingText.of(["a small house"])
    assert english.followed_by(more) == english | more
    assert english.followed_by(korean_text()) == korean_text()
    assert korean_text().followed_by(english) == english
    named = TrainingText.of(["Anna 씨는 커피를 마신다"])  # a few Latin letters are no English
    assert korean_text().followed_by(named) == korean_text() | named
    assert english.followed_by(TrainingText()) == english | TrainingText()


@pytest.mark.parametrize(
    "paradigms",
    [
        3,
        ["a"],
        [["a"]],
        [{}],
        [{"stems": ["a"]}],
        [{"stems": ["a"], "endings": "b"}],
        [{"stems": [1], "endings": []}],
        [{"stems": [], "endings": [], "more": []}],
    ],
)
def test_what_describes_no_stems_is_refused(paradigms: object) -> None:
    with pytest.raises(ValueError, match="'paradigms' describes no training text"):
        TrainingText.from_dict({"paradigms": paradigms})


def test_paradigms_are_of_the_nature_that_was_found() -> None:
    """Nouns after a vowel, after ㄹ, after another consonant; verbs; verbs with 아 or 어."""
    vowel, rieul, consonant, *verbs, joined = korean_text().paradigms
    assert isinstance(vowel, Paradigm)
    assert {"고양이", "커피", "사과"} <= vowel.stems
    assert {"", "가", "를", "의", "와", "입니다"} <= vowel.endings
    assert {"학생", "책"} <= consonant.stems
    assert {"", "이", "을", "의", "과", "입니다"} <= rieul.endings & consonant.endings
    assert {"먹"} <= set().union(*(each.stems for each in verbs)) - consonant.stems
    assert {"\u11bb다", "서"} <= joined.endings
    for one, other in pairwise((vowel.stems, rieul.stems, consonant.stems)):
        assert not one & other
