"""The threshold of doubt: kept with the model, said at the command line, alike in every door."""

import io
import json
import shutil

import pytest

from annotated_transformer import Translator
from annotated_transformer.cli import main
from annotated_transformer.cli.streaming import translate_stream
from annotated_transformer.lab.measured import store_threshold
from annotated_transformer.shipped import MODELS, load_threshold

DOUBTED = "The train wants to be tall at five"


@pytest.fixture(scope="module")
def translator():
    return Translator.load("english_korean")


@pytest.fixture
def directory(tmp_path):
    return shutil.copytree(MODELS / "english_korean", tmp_path / "model")


def test_what_is_stored_is_loaded_and_nothing_else_changes(directory):
    before = json.loads((directory / "config.json").read_text("utf-8"))
    store_threshold(directory, 0.5)
    after = json.loads((directory / "config.json").read_text("utf-8"))
    assert after == before | {"doubt_threshold": 0.5}
    assert Translator.load(directory).threshold == 0.5


@pytest.mark.parametrize("wrong", ["0.1", True, -0.1, [0.1], float("inf"), float("nan")])
def test_a_threshold_that_is_none_is_refused_by_name(directory, wrong):
    path = directory / "config.json"
    content = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(content | {"doubt_threshold": wrong}), "utf-8")
    with pytest.raises(ValueError, match=r"config.json is corrupt: doubt_threshold "):
        load_threshold(directory)


def test_a_model_without_a_threshold_doubts_nothing_for_that(directory, translator):
    path = directory / "config.json"
    content = json.loads(path.read_text("utf-8"))
    del content["doubt_threshold"]
    path.write_text(json.dumps(content), "utf-8")
    bare = Translator.load(directory)
    assert bare.threshold is None
    (found,), (doubted,) = bare.translations([DOUBTED]), translator.translations([DOUBTED])
    assert found.doubt == doubted.doubt
    assert (found.doubtful, doubted.doubtful) == (False, True)


def test_unknown_words_and_refusals(translator):
    unknown, refused = translator.translations(["I bought a screwdriver", "1 + 1"])
    assert unknown.doubtful
    assert refused.doubt is None


def test_workers_doubt_alike(translator):
    texts = [DOUBTED, "I am a student"]
    beside = Translator.load("english_korean", workers=2)
    try:
        pairs = zip(beside.translations(texts), translator.translations(texts), strict=True)
        for found, alone in pairs:
            assert found.doubt == pytest.approx(alone.doubt, abs=1e-4)
            assert found.doubtful == alone.doubtful
    finally:
        beside.workers.close()


def test_the_stream_says_which_line_may_be_wrong(translator):
    said = []
    source = io.BytesIO(f"I am a student\n{DOUBTED}\n".encode())
    translate_stream(translator, io.BufferedReader(source), io.BytesIO(), said.append)
    (about,) = translator.translations([DOUBTED])[0].doubts
    assert said == [f"line 2 may be wrong: {about}"]


def test_so_does_the_command_for_an_argument(translator, capsys):
    main(["translate", "english_korean", DOUBTED])
    (about,) = translator.translations([DOUBTED])[0].doubts
    assert capsys.readouterr().err == f"this may be wrong: {about}\n"
