"""Words that a translation leaves out: told, kept with the model, alike in every door."""

import io
import json
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer import Translator
from annotated_transformer.cli.streaming import translate_stream
from annotated_transformer.decoding.doubt import Coverage, about_left_out
from annotated_transformer.lab.measured import store_coverage
from annotated_transformer.saving import load_model, save_model
from annotated_transformer.shipped import MODELS, load_coverage

KNOWN = Coverage({"green": frozenset({7, 9}), "fence": frozenset({4})})
IDS = st.sets(st.integers(0, 12))


@given(ids=IDS, words=st.lists(st.sampled_from(["green", "Green", "fence", "the", "GREEN"])))
def test_a_word_is_left_out_if_none_of_its_tokens_is_there(ids, words):
    expected = [
        word
        for word in words
        if word.lower() in KNOWN.tokens and not KNOWN.tokens[word.lower()] & ids
    ]
    assert KNOWN.left_out(" ".join(words), ids) == expected


def test_marks_around_a_word_do_not_matter():
    assert KNOWN.left_out("Paint the (green) fence!", [4]) == ["green"]


@given(st.dictionaries(st.text(min_size=1), IDS.filter(bool)))
def test_what_is_written_is_read(tokens):
    kept = Coverage({word: frozenset(ids) for word, ids in tokens.items()})
    assert Coverage.from_dict(json.loads(json.dumps(kept.to_dict())), vocab_size=13) == kept


@pytest.mark.parametrize("wrong", ["7", 7, [], [13], [-1], [True], [1.0], None, [[7]]])
def test_anything_else_is_refused_with_its_word(wrong):
    with pytest.raises(ValueError, match=r"'green' has the tokens .*whole numbers from 0 to 12"):
        Coverage.from_dict({"green": wrong}, vocab_size=13)


@pytest.fixture
def directory(tmp_path):
    return shutil.copytree(MODELS / "english_korean", tmp_path / "model")


@pytest.fixture
def strict(directory):
    """A translator that misses a token which no translation has: that of *sleeps*."""
    unused = Translator.load(directory).tokenizer.source_ids("sleeps")[0]
    store_coverage(directory, Coverage({"student": frozenset({unused})}))
    return Translator.load(directory)


LEFT_OUT = "nothing in the translation stands for student"


def test_it_is_stored_and_nothing_else_changes(directory, strict):
    others = {path.name: path.read_bytes() for path in (MODELS / "english_korean").iterdir()}
    after = {path.name: path.read_bytes() for path in directory.iterdir()}
    assert after.keys() - others.keys() == {"coverage.json"}
    assert {name: after[name] for name in others} == others
    assert load_coverage(directory) == strict.coverage


def test_a_model_without_it_misses_nothing():
    plain = Translator.load("english_korean")
    assert plain.coverage is None
    assert not plain.translations(["I am a student"])[0].doubtful


def test_a_translation_names_it_once_and_refused_texts_have_none(strict):
    twice, other, refused = strict.translations(
        ["I am a student. You are a student.", "I am a teacher", "1 + 1"]
    )
    assert twice.doubts == (LEFT_OUT,)
    assert twice.doubtful
    assert other.doubts == ()
    assert refused.refusal
    assert refused.doubts == ()


def test_so_does_a_stream_and_so_do_workers(directory, strict):
    said = []
    source = io.BytesIO(b"I am a teacher\nI am a student\n")
    translate_stream(strict, io.BufferedReader(source), io.BytesIO(), said.append)
    assert said == [f"line 2 may be wrong: {LEFT_OUT}"]
    beside = Translator.load(directory, workers=2)
    try:
        found = beside.translations(["I am a student", "I am a teacher"])
        assert [each.doubts for each in found] == [(LEFT_OUT,), ()]
    finally:
        beside.workers.close()


def test_that_of_another_tokenizer_is_refused(directory, strict):
    path = directory / "coverage.json"
    content = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(content | {"tokenizer": "0" * 64}), "utf-8")
    with pytest.raises(ValueError, match=r"coverage\.json belongs to another tokenizer"):
        load_coverage(directory)


def test_a_model_that_is_saved_over_another_does_not_keep_it(directory, strict):
    (directory / "README.md").unlink()
    save_model(directory, *load_model(directory))
    assert load_coverage(directory) is None


def test_many_words_are_listed_as_all_messages_list_them():
    assert about_left_out(["a", "b", "c"]) == "nothing in the translation stands for a, b and c"
