"""Words that are only copied are not words that a model knows."""

import pytest

from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.text import TrainingText, copied_words

COPIED = {
    "a name": ("Zorbin sees a cat", "Zorbin은(는) 고양이를 본다", {"Zorbin"}),
    "of somebody": ("Zorbin's cat sleeps.", "Zorbin의 고양이는 잔다", {"Zorbin's"}),
    "curly": ("Zorbin\u2019s cat sleeps.", "Zorbin의 고양이는 잔다", {"Zorbin's"}),
    "several": ("six zorbs, two plims!", "zorbs 여섯 개와 plims 두 개", {"zorbs", "plims"}),
    "capitals count": ("zorb sees Zorb", "Zorb은(는) 본다", {"Zorb"}),
    "a number": ("I was born in 1990", "나는 1990년에 태어났다", set()),
    "translated": ("I see a cat", "나는 고양이를 본다", set()),
    "between Latin letters": ("Berlin is in Germany", "Berlin liegt in Deutschland", set()),
    "in Greek": ("Zorbin sees", "Zorbin βλέπει", {"Zorbin"}),
}


@pytest.mark.parametrize("name", COPIED)
def test_what_a_translation_repeats_among_other_letters_is_copied(name):
    source, target, copied = COPIED[name]
    assert copied_words([(source, target)]) == copied
    known = TrainingText.of([source], copied=copied).words
    assert known == TrainingText.of([source]).words - copied


def test_a_word_that_is_translated_once_is_known():
    copied = ("a zorb sleeps", "zorb이(가) 잔다")
    assert copied_words([copied]) == {"zorb"}
    assert copied_words([copied, ("the zorb sleeps", "조르브는 잔다")]) == set()


def test_a_corpus_without_invented_words_has_none():
    pairs = [(p.source, p.target) for p in english_korean("valid")]
    assert copied_words(pairs) == set()
    assert copied_words([*pairs, ("The cat sees Zorbin", "그 고양이는 Zorbin을(를) 본다")]) == {
        "Zorbin"
    }
