"""The policy for text in the page against Python's: every way to be odd, and texts of chance."""

import json
import random
from pathlib import Path

import pytest
from korean_text import INVENTED, MARKED, NEW_FORMS, korean_lines, korean_text, korean_words
from korean_text import PLAIN as KOREAN
from live_texts import random_texts, strange_texts
from odd_text import (
    BLANK,
    CLOSED,
    IMPOSSIBLE,
    NOT_TOO_LONG,
    REFUSED_TEXTS,
    SAME,
    TOO_LONG,
    TYPED_KOREAN,
    TYPED_TEXTS,
)

import annotated_transformer
from annotated_transformer.text import TABLES, TextPolicy, TrainingText

READ = """const policy = input.had
    ? new A.TextPolicy(input.had, input.tables) : translator.policy;
return JSON.parse(input.texts).map((text) => {
    const {sentences, changes, unknownWords, unknownCharacters, refusal} = policy.read(text);
    return [sentences, changes, unknownWords, unknownCharacters, refusal,
        policy.about({unknownWords, unknownCharacters})];
})"""
PLAIN = ["do you like coffee?", "I don't like milk. You are a teacher", "the zebra met 12 JUDGES"]
MODELS = Path(annotated_transformer.__file__).parent / "models"
BETWEEN = [
    *(
        "",
        "",
        " ",
        " ",
        " ",
        ",",
        ", ",
        ".",
        "?",
        "! ",
        "...",
        "\u2026 ",
        ".. ",
        " ,",
        "?! ",
        " - ",
    ),
    *(":)", " :) ", "~", "~ ", "(", ") ", "'", " '", "\u314b\u314b ", " ^^", "1. ", "2. ", " <3"),
]
"""What people put between words."""
ODD = [change(plain) for change in (*SAME.values(), *CLOSED.values()) for plain in PLAIN]


def expected(policy, text):
    found = policy.read(text)
    lists = (found.sentences, found.changes, found.unknown_words, found.unknown_characters)
    return [*map(list, lists), found.refusal, policy.about(found)]


@pytest.fixture(scope="module")
def texts(engine):
    # Without characters that are newer than one of the two programs.
    chance = strange_texts(engine.translator, 1500)
    return [
        *ODD,
        *TYPED_TEXTS,
        *REFUSED_TEXTS,
        *BLANK,
        *IMPOSSIBLE,
        *TOO_LONG,
        *NOT_TOO_LONG,
        *PLAIN,
        *chance,
    ]


def test_the_page_has_the_tables_and_the_text_of_the_package(engine):
    found = engine.run("return [translator.policy.tables, translator.policy.had]")
    assert found == [TABLES, engine.translator.policy.training_text.to_dict()]


def test_texts_are_read_alike(engine, texts):
    wanted = [expected(engine.translator.policy, text) for text in texts]
    found = engine.run(READ, {"texts": json.dumps(texts)})
    assert [(t, f, w) for t, f, w in zip(texts, found, wanted, strict=True) if f != w] == []


OTHER = {
    "nothing is known": [],
    "many marks": [
        '"A (small) man’s ice-cream," - he said...',
        "no; yes: 5 % «off»! ☕",
        "he left. She",
    ],
    "no marks": ["he reads a book", "she sleeps"],
    "Korean": ["나는 학생이다.", "커피를 좋아하니?"],
}


@pytest.mark.parametrize("name", OTHER)
def test_texts_are_read_alike_for_other_models(engine, texts, name):
    had = TrainingText.of(OTHER[name]) if OTHER[name] else TrainingText()
    some = [*texts[::3], *OTHER[name]]
    given = {"texts": json.dumps(some), "had": had.to_dict(), "tables": TABLES}
    wanted = [expected(TextPolicy(had), text) for text in some]
    found = engine.run(READ, given)
    assert [(t, f, w) for t, f, w in zip(some, found, wanted, strict=True) if f != w] == []


def test_texts_are_read_alike_for_a_model_that_reads_korean(engine):
    had, words = korean_text(), korean_words()
    stems = sorted({stem for paradigm in had.paradigms for stem in paradigm.stems})
    endings = sorted({end for paradigm in had.paradigms for end in paradigm.endings})
    made = [stem + endings[i % len(endings)] for i, stem in enumerate(stems)]
    odd = [change(plain) for change in (*SAME.values(), *CLOSED.values()) for plain in KOREAN]
    some = [
        *(*KOREAN, *MARKED, *INVENTED, *NEW_FORMS, *odd, *PLAIN, *REFUSED_TEXTS, *BLANK, *made),
        *(*korean_lines()[::50], *random_texts(500, [*words, *INVENTED])),
        *(f"{word} {words[i]}" for i, word in enumerate([*INVENTED, *NEW_FORMS])),
    ]
    policy = TextPolicy(had)
    wanted = [expected(policy, text) for text in some]
    found = engine.run(READ, {"texts": json.dumps(some), "had": had.to_dict(), "tables": TABLES})
    assert [(t, f, w) for t, f, w in zip(some, found, wanted, strict=True) if f != w] == []
    assert 100 < sum(bool(policy.unknown_words([word])) for word in made) < len(made) - 100


def typed_texts(words, number):
    """Words in capitals or not, with what people put between them; from a fixed seed."""
    draw = random.Random(1706)
    texts = []
    for _ in range(number):
        written = draw.choice([str, str, str.upper, str.title, str.lower])
        some = draw.choices(words, k=draw.randrange(1, 7))
        texts.append("".join(written(word) + draw.choice(BETWEEN) for word in some))
    return texts


@pytest.mark.parametrize("name", ["english_korean_open", "korean_english"])
def test_what_visitors_type_is_read_alike(engine, name):
    """For the shipped models that the engine of this file does not have."""
    had = json.loads((MODELS / name / "text.json").read_text("utf-8"))
    policy = TextPolicy(TrainingText.from_dict(had))
    words = sorted(policy.training_text.words)
    for paradigm in policy.training_text.paradigms:
        endings = sorted(paradigm.endings)
        words += [stem + endings[i % len(endings)] for i, stem in enumerate(sorted(paradigm.stems))]
    some = [*TYPED_TEXTS, *TYPED_KOREAN, *ODD[::3], *REFUSED_TEXTS, *typed_texts(words, 2000)]
    wanted = [expected(policy, text) for text in some]
    found = engine.run(READ, {"texts": json.dumps(some), "had": had, "tables": TABLES})
    assert [(t, f, w) for t, f, w in zip(some, found, wanted, strict=True) if f != w] == []
    assert sum(bool(each[1]) for each in wanted) > 1000
