"""What visitors type: capitals, faces, forgotten spaces; read, named or left as it is."""

from functools import cache
from pathlib import Path

import pytest
from odd_text import TYPED, TYPED_KOREAN, TYPED_TEXTS

import annotated_transformer
from annotated_transformer.text import TextPolicy, TrainingText, words_of
from annotated_transformer.text.tables import TABLES

MODELS = Path(annotated_transformer.__file__).parent / "models"


@cache
def shipped(name: str) -> TextPolicy:
    return TextPolicy.load(MODELS / name / "text.json")


def test_there_are_many_texts_that_visitors_type() -> None:
    assert len(TYPED_TEXTS) + len(TYPED_KOREAN) >= 110


@pytest.mark.parametrize("model", ["english_korean", "english_korean_open"])
@pytest.mark.parametrize("kind", TYPED)
def test_what_visitors_type_is_read_and_read_again_alike(model: str, kind: str) -> None:
    policy = shipped(model)
    for text in TYPED[kind]:
        reading = policy.read(text)
        assert reading.refusal is None, text
        if reading.sentences != (text,):
            assert reading.changes or reading.unknown_characters, text
        for sentence in reading.sentences:
            again = policy.read(sentence)
            assert (again.sentences, again.changes) == ((sentence,), ()), text


@pytest.mark.parametrize("text", [*TYPED_TEXTS, *TYPED_KOREAN])
def test_no_letter_is_lost_without_being_named(text: str) -> None:
    """Of what was typed, each letter is in a sentence, or in a name of what was left out."""
    policy = shipped("korean_english" if text in TYPED_KOREAN else "english_korean_open")
    reading = policy.read(text)
    said = [*reading.sentences, *reading.unknown_characters, *reading.unknown_words]
    said += [change.split("'")[1] for change in reading.changes if change.endswith("' left out")]
    letters = "".join(said).casefold()
    missing = [c for c in text.casefold() if c.isalnum() and c not in letters]
    assert missing == []


@pytest.mark.parametrize(
    ("text", "sentences"),
    {
        "WHAT ARE YOU DOING???": ["What are you doing?"],
        "I did NOT go": ["I did not go"],
        "WHAT is this": ["What is this"],
        "GIVE US THE BOOK": ["Give us the book"],
        "I LIVE IN THE US": ["I live in the US"],
        "Give US the book": ["Give US the book"],
        "he works in IT": ["he works in IT"],
        "IT IS COLD. IT": ["It is cold.", "IT"],
        "I'M TIRED, I DON\u2019T KNOW": ["I'm tired, I don\u2019t know"],
        "we use python": ["we use Python"],
        "The Cat Is On The Table": ["The cat is on the table"],
        "How Are You?": ["How are you?"],
        "Is Tom Korean?": ["Is Tom Korean?"],
        "I like IPHONES": ["I like iphones"],
        "MR. KIM IS HERE. HE IS TALL": ["Mr. kim is here.", "He is tall"],
        "The U.S. is big": ["The US is big"],
        "I live in the U.S. He is tall": ["I live in the US.", "He is tall"],
        "U.S.A.": ["USA."],
    }.items(),
)
def test_capitals_are_read_in_a_known_spelling(text: str, sentences: list[str]) -> None:
    assert list(shipped("english_korean_open").read(text).sentences) == sentences


@pytest.mark.parametrize(
    ("text", "sentences", "named"),
    [
        ("Wait... are you serious?!", ["Wait.", "are you serious?"], ""),
        ("so... what", ["so what"], ""),
        ("Yes!!!", ["Yes!"], ""),
        ("at 7 a.m.!", ["at 7 a.m.!"], ""),
        ("no,no", ["no, no"], ""),
        ("hello!How are you", ["hello!", "How are you"], ""),
        ("Hello ! How are you ?", ["Hello!", "How are you?"], ""),
        ("I like tea ,coffee", ["I like tea, coffee"], ""),
        ("Mr.Kim is here", ["Mr. Kim is here"], ""),
        ("I woke up at 7:30.", ["I woke up at 7:30."], ""),
        ("I have 1,000 books", ["I have 1,000 books"], ""),
        ("(laughs) I am happy", ["laughs", "I am happy"], ""),
        ("I am (very) happy", ["I am very happy"], "()"),
        ("I am happy :)", ["I am happy"], ":)"),
        ("I have <3 books", [], ""),  # less than three
        ("I am happy <3", ["I am happy"], "<3"),
        ("~~I am happy~~", [], ""),  # markup
        ("Hello~ how are you~", ["Hello.", "how are you"], ""),
        (":)", [], ":)"),
        ("www.example.com", [], ""),
        ("-5 cats are here", ["5 cats are here"], "-"),
        ("\u22125 cats are here", ["5 cats are here"], "\u2212"),
        ("- 5 cats are here", ["5 cats are here"], ""),
        ('I have a 5" cat', ["I have a 5 cat"], '"'),
        ('He said "I have 5" and left', ["He said I have 5 and left"], ""),
        ("(I) swim", ["swim"], "(I)"),
        ("i) I swim", ["I swim"], ""),
        ("\u2460 I swim", ["I swim"], ""),
        ("I swim\n\nYou swim", ["I swim.", "You swim"], ""),
        ("I swim \r\n\t\r\nyou swim\n\n", ["I swim.", "you swim"], ""),
        ("I swim\r\nnow", ["I swim now"], ""),
        ("Do you swim?\n\nYes", ["Do you swim?", "Yes"], ""),
        ("I swim \u23f0", ["I swim"], "\u23f0"),
        ("hello\u200d\U0001f600 I swim", ["hello I swim"], "\u200d\U0001f600"),
        ("I have 2\ufe0f\u20e3 cats", ["I have 2 cats"], ""),
        ("1. I am here 2. You are there 4. No", ["I am here", "You are there 4.", "No"], ""),
    ],
)
def test_marks_are_read_as_they_are_meant(text: str, sentences: list[str], named: str) -> None:
    reading = shipped("english_korean_open").read(text)
    assert list(reading.sentences) == sentences
    assert "".join(reading.unknown_characters) == named
    assert bool(reading.refusal) == (not sentences)


@pytest.mark.parametrize(
    ("text", "sentences", "named"),
    [
        ("나는학생이다.", ["나는 학생이다."], ""),
        ("너는커피를좋아하니", ["너는 커피를 좋아하니"], ""),
        ("나 는 학생 이다", ["나는 학생이다"], ""),
        ("나는 서울 에 산다", ["나는 서울에 산다"], ""),
        ("눈사람을 만들었다", ["눈사람을 만들었다"], ""),
        ("책상위에 있다", ["책상위에 있다"], "책상위에"),
        ("고냥미는학생이다", [], "고냥미는학생이다"),
        ("나는... 학생이다", ["나는 학생이다"], ""),
        ("나는 학생이다.. 너는 학생이다", ["나는 학생이다.", "너는 학생이다"], ""),
        ("안녕~ 나는 학생이다~", ["안녕.", "나는 학생이다"], ""),
        ("나는 학생이다ㅋㅋ", ["나는 학생이다"], "ㅋㅋ"),
        ("나는 '학생'이다", ["나는 학생이다"], ""),
        ("나는'학생이다", [], "나는'학생이다"),
        ("(안) 간다", ["간다"], "(안)"),
        ("ㅇㅋ 나는 학생이다", ["ㅇㅋ 나는 학생이다"], "ㅇㅋ"),
        ("나는 qr 코드를 본다", ["나는 QR 코드를 본다"], ""),
    ],
)
def test_korean_is_read_as_it_is_meant(text: str, sentences: list[str], named: str) -> None:
    reading = shipped("korean_english").read(text)
    assert list(reading.sentences) == sentences
    assert "".join([*reading.unknown_words, *reading.unknown_characters]) == named


def test_a_picture_newer_than_this_python_is_named_as_in_a_page() -> None:
    """A page may know a later version of Unicode; nobody is told a bare code."""
    policy = shipped("english_korean_open")
    (said,) = policy.about(policy.read("I swim \U0001faff"))
    assert said.startswith("'\U0001faff' never occurs")


def test_faces_and_waves_stay_where_training_had_them() -> None:
    lines = ["i am happy :)", "good ~", "haha xD", "(yes) she said", "a~", "He writes U.S. and A!b"]
    policy = TextPolicy(TrainingText.of(lines))
    for line in lines:
        assert policy.read(line).sentences == (line,)
        assert policy.read(line).changes == ()
    assert policy.read("good ^^").unknown_characters == ("^^",)


def test_spaces_are_put_after_clear_marks_only_where_no_words_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("annotated_transformer.text.training.MOST", 1)
    policy = TextPolicy(TrainingText.of(["one two!", "see example.com and a?b"]))
    assert not policy.training_text.knows_words
    assert policy.read("one!two").sentences == ("one!", "two")
    assert policy.read("one.two a?b").sentences == ("one.two a?b",)


def test_small_letters_are_read_where_training_had_nothing_else() -> None:
    policy = TextPolicy(TrainingText.of(["a dog runs", "the cat sleeps"]))
    reading = policy.read("The Dog RUNS")
    assert reading.sentences == ("the dog runs",)
    assert reading.unknown_words == ()


def test_the_tables_of_habits_can_be_used() -> None:
    """The small words and openers are looked up in small letters, the initials in capitals."""
    assert all(word == word.lower() for word in TABLES["small_words"] + TABLES["openers"])
    assert all(word == word.upper() for word in TABLES["initials"])
    assert words_of(" ".join(TABLES["copulas"])) == TABLES["copulas"]
