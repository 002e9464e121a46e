"""What a text is read as: what means the same, what is named, what is refused."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_text import (
    BLANK,
    CLOSED,
    IMPOSSIBLE,
    INVISIBLE,
    NOT_TOO_LONG,
    REFUSED_TEXTS,
    SAME,
    SPACES,
    TOO_LONG,
)

from annotated_transformer import Translator
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.text import (
    TABLES,
    Reading,
    Tally,
    TextPolicy,
    TrainingText,
    sentences_of,
    tidy,
    words_of,
)
from annotated_transformer.text.training import LONGEST_MARKS

PLAIN = ["do you like coffee?", "I don't like milk.", "The doctor met the judge", "I am a student"]


@pytest.fixture(scope="module")
def policy() -> TextPolicy:
    """That of the shipped model."""
    return Translator.load("english_korean").policy


def test_there_are_many_ways_to_be_odd() -> None:
    assert len(SPACES) >= 12
    assert len(INVISIBLE) >= 12
    assert len(SAME) + len(CLOSED) >= 100
    assert len(REFUSED_TEXTS) >= 80


@pytest.mark.parametrize("way", SAME)
def test_what_means_the_same_is_read_the_same_and_said(policy: TextPolicy, way: str) -> None:
    for plain in PLAIN:
        odd = SAME[way](plain)
        reading = policy.read(odd)
        assert reading.sentences == (plain,)
        assert bool(reading.changes) == (odd != plain)
        assert (reading.unknown_words, reading.unknown_characters) == ((), ())


@pytest.mark.parametrize("way", CLOSED)
def test_other_ends_keep_the_words(policy: TextPolicy, way: str) -> None:
    for plain in PLAIN:
        reading = policy.read(CLOSED[way](plain))
        (sentence,) = reading.sentences
        assert words_of(sentence) == words_of(plain)
        assert sentence[-1] in "?.!" or sentence[-1].isalpha()
        assert reading.changes or reading.unknown_characters


@pytest.mark.parametrize("text", REFUSED_TEXTS)
def test_what_the_model_cannot_translate_is_refused_in_one_sentence(
    policy: TextPolicy, text: str
) -> None:
    reading = policy.read(text)
    assert reading.sentences == ()
    assert reading.refusal
    assert reading.refusal.startswith("I cannot: ")
    assert "\n" not in reading.refusal


@pytest.mark.parametrize("text", BLANK)
def test_blank_texts_are_refused(policy: TextPolicy, text: str) -> None:
    assert policy.read(text).refusal == "it is blank; expected a sentence"


@pytest.mark.parametrize(
    ("long", "short"), list(zip(TOO_LONG, NOT_TOO_LONG, strict=True)), ids=["words", "faces"]
)
def test_a_text_that_is_too_long_is_refused_with_its_length(
    policy: TextPolicy, long: str, short: str
) -> None:
    for reader in (policy, TextPolicy()):
        assert reader.read(long).refusal == "it has 20,001 characters; expected at most 20,000"
        assert "characters" not in (reader.read(short).refusal or "")


@pytest.mark.parametrize("text", IMPOSSIBLE)
def test_what_no_tokenizer_keeps_is_refused_with_its_place(policy: TextPolicy, text: str) -> None:
    for reader in (policy, TextPolicy()):
        assert str(reader.read(text).refusal).startswith(IMPOSSIBLE[text])


@pytest.mark.parametrize("split", ["train", "valid", "test", "compositional"])
def test_no_sentence_of_the_own_corpus_is_changed_or_refused(
    policy: TextPolicy, split: str
) -> None:
    sources = [pair.source for pair in english_korean(split, "large")]
    sample = sources[:: max(1, len(sources) // 1_000)]
    assert [s for s in sample if policy.read(s) != Reading(sentences=(s,))] == []


def test_what_is_stored_with_the_shipped_model_is_what_its_training_text_had(
    policy: TextPolicy,
) -> None:
    lines = [pair.source for pair in english_korean("train", "large")]
    tokens = Translator.load("english_korean").tokenizer
    longest = max(len(tokens.source_ids(line)) for line in lines if len(line) > 60)
    assert policy.training_text == TrainingText.of(lines, longest_tokens=longest)
    assert (
        TrainingText.from_dict(json.loads(json.dumps(policy.training_text.to_dict())))
        == policy.training_text
    )


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("I am a student. You are a teacher.", ["I am a student.", "You are a teacher."]),
        ("Do you swim? yes! I do", ["Do you swim?", "yes!", "I do"]),
        ("Mr. Kim met Dr. Lee.", ["Mr. Kim met Dr. Lee."]),
        ("I have 3.14 cats at 7 a.m. and sleep", ["I have 3.14 cats at 7 a.m. and sleep"]),
        ("J. Smith and I. He", ["J. Smith and I.", "He"]),
        ('"Stop!" he said. "Go!" She went', ['"Stop!" he said.', '"Go!"', "She went"]),
        ("I like... coffee", ["I like... coffee"]),
        ("one", ["one"]),
    ],
)
def test_sentences_are_told_apart(text: str, sentences: list[str]) -> None:
    assert sentences_of(text) == sentences


def test_several_sentences_are_read_one_by_one_only_where_training_had_one_a_line() -> None:
    text = "He sleeps. She reads."
    one = TextPolicy(TrainingText.of(["He sleeps.", "She reads.", "He reads"]))
    assert one.read(text).sentences == ("He sleeps.", "She reads.")
    assert one.read(text).changes == ("read as 2 sentences",)
    assert TextPolicy(TrainingText.of([text])).read(text) == Reading(sentences=(text,))
    assert TextPolicy().read(text) == Reading(sentences=(text,))


def test_a_mark_stays_where_training_had_it() -> None:
    lines = [
        'He said "no" (twice) - and - left, I think: ...',
        "a — b",
        "A man’s ice-cream; 5 % off!",
    ]
    policy = TextPolicy(TrainingText.of(lines))
    for line in lines:
        assert policy.read(line) == Reading(sentences=(line,))
    assert policy.read("He said “no” - left").sentences == ('He said "no" - left',)
    assert policy.read("a man's ice‐cream").sentences == ("a man’s ice-cream",)
    assert policy.read("He left ―").changes == ("'―' read as '-'",)


def test_marks_in_the_middle_are_named(policy: TextPolicy) -> None:
    reading = policy.read("I like tea - and (cold) milk; he likes: coffee")
    assert reading.sentences == ("I like tea and cold milk he likes coffee",)
    assert reading.unknown_characters == ("-", "(", ")", ";", ":")
    (about,) = policy.about(reading)
    assert about.startswith("'-', '(', ')', ';' and ':' never occur in this model's training text")


@given(st.text(max_size=30))
def test_tidy_text_stays_as_it_is(text: str) -> None:
    if any(character in TABLES["refused"] for character in text):
        return
    plain, changes = tidy(text)
    assert tidy(plain) == (plain, ())
    assert bool(changes) == (plain != text)
    assert unicodedata.is_normalized("NFC", plain)
    assert plain == " ".join(plain.split())


@given(
    st.lists(st.sampled_from([*PLAIN, *" .,;:-'\"?!()[]…“”’«»—•1.☕éa가\u200b\u00a0"]), max_size=8)
)
def test_what_was_read_is_read_as_it_is(policy: TextPolicy, parts: list[str]) -> None:
    """But where much is unknown: beside other sentences it is named, alone it is refused."""
    whole = policy.read("".join(parts))
    for sentence in whole.sentences:
        alone = policy.read(sentence)
        if alone.refusal:
            assert alone.unknown_words
            assert set(alone.unknown_words) <= set(whole.unknown_words)
        else:
            assert (alone.sentences, alone.changes) == ((sentence,), ())


# Words.


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I don't know.", ["I", "don't", "know"]),
        ("I DON\u2019T know!", ["I", "DON'T", "know"]),
        ('"Hello," she said - twice?', ["Hello", "she", "said", "twice"]),
        ("It's 3 o'clock", ["It's", "3", "o'clock"]),
        (" . ", []),
    ],
)
def test_a_word_is_compared_as_it_is_spelled_without_punctuation(
    text: str, words: list[str]
) -> None:
    assert words_of(text) == words


def knowing(*words: str) -> TextPolicy:
    return TextPolicy(TrainingText(words=frozenset(words)))


def test_unknown_words_are_named_once_and_in_order() -> None:
    policy = TextPolicy(TrainingText.of(["I want to eat.", "We eat bread"]))
    assert policy.training_text.words == {"I", "want", "to", "eat", "We", "bread"}
    read = policy.read
    assert read("I want to eat pizza, pizza and bread").unknown_words == ("pizza", "and")
    assert read("We want to eat bread!").unknown_words == ()
    assert read("we want to Eat bread!").unknown_words == ()
    assert read("we want to Eat bread!").sentences == ("We want to eat bread",)
    assert TextPolicy().read("anything").unknown_words == ()


def test_capitals_do_not_count_where_nothing_is_known_of_them() -> None:
    """Lists of words from before capitals counted, and corpora without any."""
    read = knowing("i", "want", "bread").read
    assert read("I WANT Bread and Pizza").unknown_words == ("and", "Pizza")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("The Doctor met the judge", "The doctor met the judge"),
        ("I AM A STUDENT", "I am a student"),
        ("Cats eat fish", "cats eat fish"),  # no training sentence begins so
        ("the doctor met anna in Paris on Monday", "the doctor met anna in Paris on Monday"),
        ("He works in IT", "He works in IT"),  # not "in it"
    ],
)
def test_a_word_is_read_in_the_spelling_that_training_had(
    policy: TextPolicy, text: str, read: str
) -> None:
    reading = policy.read(text)
    assert reading.sentences == (read,)
    assert bool(reading.changes) == (text != read)
    assert reading.unknown_words == (("IT",) if "IT" in read else ())


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("cat", False),
        ("zebra", True),
        ("the zebra sees", False),
        ("the zebra sees quokkas", True),
        ("the zebra sees a small quokka", False),
        ("THE CAT SEES THE SMALL DOG", False),
    ],
)
def test_where_half_of_the_words_are_unknown_the_text_is_refused(text: str, refused: bool) -> None:
    reading = knowing("cat", "the", "sees", "a", "small", "dog").read(text)
    assert bool(reading.refusal) == refused


def test_a_corpus_of_too_many_words_keeps_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotated_transformer.text.training.MOST", 3)
    assert TrainingText.of(["one two", "three"]).words == {"one", "two", "three"}
    many = TrainingText.of(["one two", "three four!"])
    assert many.words == frozenset()
    assert TextPolicy(many).read("five “six”!").sentences == ("five six!",)
    assert TrainingText.of(["a" + "!" * (LONGEST_MARKS + 1)]).end == frozenset()


@pytest.mark.parametrize(
    ("unknown", "about"),
    [
        (["pizza"], "pizza is not among the 3 words of this model"),
        (["b", "c", "d"], "b, c and d are not among the 3 words of this model"),
        (["Doctor"], "Doctor is known only as doctor"),
        (["Doctor", "AM"], "Doctor is known only as doctor, AM only as Am or am"),
        (["b", "ANNA"], "b is not among the 3 words of this model; ANNA is known only as Anna"),
        (["x" * 99], f"{'x' * 40}... is not among the 3 words of this model"),
        ([*"bcdefghijk"], "b, c, d, e, f, g, h and 3 more are not among the 3 words of this model"),
    ],
)
def test_the_sentence_about_unknown_words(unknown: list[str], about: str) -> None:
    assert knowing("doctor", "am", "Am", "Anna").about_words(unknown) == about


@pytest.mark.parametrize(
    "content",
    [{"words": "a"}, {"words": [1]}, {"other": 1}, {"characters": ["a"]}, {"wordless": 1}],
)
def test_what_describes_no_training_text_is_refused(content: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="describes no training text"):
        TrainingText.from_dict(content)


def test_changes_are_counted_and_said_once() -> None:
    tally = Tally()
    for number, changes in ((3, ["a"]), (4, ["a", "b"]), (2000, ["a"])):
        tally.add(number, changes)
    assert tally.sentences() == ["line 3: a (and in 2 more lines)", "line 4: b"]


KINDS = {
    "one no-break space": lambda text: text.replace(" ", "\u00a0", 1),
    "one tab": lambda text: text.replace(" ", "\t", 1),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "curly quotes": lambda text: f"“{text}”",
    "straight quotes": lambda text: f'"{text}"',
    "brackets": lambda text: f"({text})",
    "a dash before": lambda text: f"- {text}",
    "an ellipsis after": lambda text: f"{text}…",
}


@pytest.mark.parametrize("kind", KINDS)
def test_two_hundred_test_sentences_are_read_as_they_are_without_it(
    policy: TextPolicy, kind: str
) -> None:
    """Of each kind the model once read the text as it stood, and was often wrong without a word."""
    for pair in english_korean("test", "large")[:200]:
        reading = policy.read(KINDS[kind](pair.source))
        (sentence,) = reading.sentences
        assert sentence in (pair.source, f"{pair.source}.")
        assert reading.changes


def test_a_full_stop_of_mr_is_no_full_stop_of_a_sentence():
    """Training has "Mr. Kim" in its sentences, and no other full stop inside of one."""
    lines = ["i met mr. kim.", "Mr. Kim is here.", "wait, what is this?", "What is it?", "Wait."]
    policy = TextPolicy(TrainingText.of(lines, longest_tokens=9))
    assert policy.training_text.most_sentences == 1
    for text, sentences in {
        "Wait... what is this?": ("Wait.", "what is this?"),
        "wait, what... is this?": ("wait, what is this?",),
        "Mr. Kim is here. What is this?": ("Mr. Kim is here.", "What is this?"),
    }.items():
        found = policy.read(text)
        assert found.sentences == sentences
        assert all(policy.read(each).sentences == (each,) for each in sentences)
