"""What a model reads that translates from Korean: a part of the corpus, and texts to try."""

from functools import cache

from annotated_transformer.lab.corpora.english_korean.korean_english import korean_english
from annotated_transformer.text import TrainingText, words_of

SIZES = {"train": 36_000, "valid": 60, "test": 60}
PLAIN = ["나는 학생이다", "너는 커피를 좋아하니", "저는 학생입니다", "그 고양이는 집에 있었다"]
MARKED = ["나는 학생이다.", "너는 학생이니?", "나는 학생이다! 너는 학생이니?", "“저는 학생입니다.”"]
INVENTED = [
    "텔레스코프",
    "텔레스코프를",
    "즈보릭을",
    "즈보릭이다",
    "고냥미가",
    "학댕이다",
    "커파를",
]
"""Nouns that no Korean has, some of them with a particle or 이다 (to be)."""
NEW_FORMS = ["학생이네", "학생이죠", "학생이군", "좋아하네", "좋아하거든", "커피네", "고양이잖아"]
"""Forms that the corpus has of no word; the words themselves it has."""


@cache
def korean_lines() -> tuple[str, ...]:
    """The Korean of the training split, of which there is less here."""
    return tuple(pair.source for pair in korean_english(SIZES)["train"])


@cache
def korean_text() -> TrainingText:
    """What it has."""
    return TrainingText.of(korean_lines(), longest_tokens=40)


@cache
def korean_words() -> tuple[str, ...]:
    """Its words, in order."""
    return tuple(sorted({word for line in korean_lines() for word in words_of(line)}))
