"""What others wrote is understood, or refused with file, key and what to do."""

import json
import os
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typechecking import unchecked

from annotated_transformer.checks import CEILINGS, RAISE, check_ceiling, shown
from annotated_transformer.config import TransformerConfig
from annotated_transformer.storage.atomic import new_directory, new_file, write_text
from annotated_transformer.storage.reading import (
    DEEPEST,
    WHOLE,
    check_content,
    check_known,
    entry,
    parse_json,
    parse_toml,
    read_json,
    regular_file,
)

NAMES = st.text(string.ascii_letters, min_size=1, max_size=5)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(WHOLE.start, WHOLE.stop - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=30)
@given(st.dictionaries(NAMES, VALUES, max_size=5))
def test_what_may_be_written_comes_back_equal(content):
    """The oracle is Python's own reader; the mark of an editor changes nothing."""
    text = json.dumps(content)
    assert parse_json(text, "file") == json.loads(text) == content
    assert parse_json(b"\xef\xbb\xbf" + text.encode(), "file") == content


# What no file may say: a value in JSON, and what the message tells of it.
WRONG = {
    "NaN": "here.key = nan is out of range",
    "-Infinity": "here.key = -inf is out of range",
    "1e999": "here.key = inf is out of range",
    str(WHOLE.stop): f"here.key = {WHOLE.stop} is out of range",
    str(WHOLE.start - 1): "64 bits",
    "9" * 300: "a whole number of 997 bits",
    "9" * 100_000: "here.key = inf is out of range",
    '"\\ud800"': "U+D800 at position 0",
    '"a\\u0000"': "U+0000 at position 1",
    "[" * DEEPEST + "]" * DEEPEST: "nested more than 32 deep",
    "[" * 100_000: "nested more than 32 deep",
    '{"a":' * 100_000: "nested more than 32 deep",
    '{"a": 1, "a": 2}': "the key 'a' is there twice",
    '"\\ud800": 1, "b"': "U+D800",
    "": "Expecting value",
    "1 2": "Expecting ',' delimiter",
}


@pytest.mark.parametrize("value", WRONG, ids=lambda value: value[:20])
def test_a_value_that_cannot_be_is_named(value):
    text = (
        f'{{"here": {{"key": {value}}}}}'
        if not value.startswith('"\\ud800":')
        else ('{"\\ud800": 1}')
    )
    with pytest.raises(ValueError, match=r"^record\.json is corrupt: ") as caught:
        parse_json(text, "record.json")
    assert WRONG[value] in str(caught.value)
    assert len(str(caught.value)) < 400
    assert "\n" not in str(caught.value)


def test_a_log_may_have_what_is_not_finite():
    assert parse_json('{"loss": Infinity}', "log", finite=False) == {"loss": float("inf")}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it is empty"),
        (b"[]", "no JSON object"),
        (b"null", "no JSON object"),
        ("{}".encode("utf-16"), "perhaps in UTF-16"),
        ("{}".encode("utf-16-be"), "perhaps in UTF-16"),
        ('{"a": "ü"}'.encode("latin-1"), "byte 0xfc at position 7 is no text in UTF-8; save it"),
        (b'{"a": 1}\0', "byte 0x00 at position 8"),
    ],
)
def test_what_is_no_json_says_what_it_is(tmp_path, content, message):
    path = tmp_path / "config.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="is corrupt") as caught:
        read_json(path)
    assert str(path) in str(caught.value)
    assert message in str(caught.value)


def test_dotted_keys_are_as_deep_as_brackets():
    content = parse_toml(f"[{'a.' * 500}a]\n", "x.toml")
    with pytest.raises(ValueError, match="nested more than 32 deep"):
        check_content(content, "x.toml")
    with pytest.raises(ValueError, match=r"^x\.toml is no TOML: its values are nested"):
        parse_toml("a = " + "[" * 50_000, "x.toml")
    with pytest.raises(ValueError, match=r"^x\.toml is no TOML: a number has thousands of digits"):
        parse_toml("a = " + "1" * 5_000, "x.toml")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "is missing"),
        (lambda path: path.symlink_to("nowhere"), "is a link to nowhere, which is not there"),
        (lambda path: path.symlink_to(path.name), "is a link to "),
        (lambda path: path.mkdir(), "is a directory; expected a file"),
        (os.mkfifo, "is no file but a pipe"),
    ],
)
def test_what_is_no_file_is_refused_without_waiting(tmp_path, make, message):
    path = tmp_path / "thing"
    make(path)
    with pytest.raises(OSError, match="thing") as caught:
        regular_file(path, "json_bytes")
    assert message in str(caught.value)
    with pytest.raises(FileNotFoundError, match="is missing"):
        regular_file(tmp_path / "a\0b", "json_bytes")


def test_a_file_of_many_bytes_is_not_read(tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(2**40)  # of holes
    with pytest.raises(ValueError, match=r"huge\.json has 1,099,511,627,776 bytes, more than"):
        read_json(path)


def test_a_key_that_is_missing_or_of_another_type_is_named():
    table = {"steps": True, "rate": 1, "name": "x"}
    assert entry(table, "rate", float, "x.json") == 1
    with pytest.raises(ValueError, match=r"^x\.json is corrupt: steps = True is not a whole"):
        entry(table, "steps", int, "x.json")
    with pytest.raises(ValueError, match=r"no key 'step'; did you mean 'steps'"):
        entry(table, "step", int, "x.json")
    with pytest.raises(ValueError, match=r"unknown key 'rate'; did you mean 'rates'"):
        check_known({"rate": 1}, ["rates"], "x.json")


@pytest.mark.parametrize("name", CEILINGS)
def test_every_ceiling_is_said_and_can_be_raised(monkeypatch, name):
    ceiling = CEILINGS[name]
    check_ceiling(name, ceiling)
    with pytest.raises(ValueError, match=f"the ceiling of {ceiling:,}; .* {RAISE}=2$") as caught:
        check_ceiling(name, ceiling + 1)
    assert str(ceiling + 1) in str(caught.value)
    monkeypatch.setenv(RAISE, "2")
    check_ceiling(name, ceiling + 1)
    with pytest.raises(ValueError, match=f"{RAISE}=3$"):
        check_ceiling(name, 2 * ceiling + 1)


@pytest.mark.parametrize("factor", ["0", "-1", "x", "1.5", "²", "9" * 30])
def test_a_factor_that_is_none_is_named(monkeypatch, factor):
    monkeypatch.setenv(RAISE, factor)
    with pytest.raises(ValueError, match=f"{RAISE} is .*; expected a whole number"):
        check_ceiling("steps", 10**12)


@pytest.mark.parametrize("size", [10**9, 2**60, 10**30, 10**5_000], ids=["9", "60", "30", "5000"])
@pytest.mark.parametrize("name", ["vocab_size", "n_layers", "d_model", "d_ff", "max_length"])
def test_no_model_is_begun_that_no_memory_holds(name, size):
    with unchecked(), pytest.raises(ValueError, match=f"{name}=.* more than the ceiling"):
        TransformerConfig(**{"vocab_size": 100, name: size})


def test_sizes_are_refused_that_are_large_only_together(monkeypatch):
    sizes = {"vocab_size": 10**6, "d_model": 2**12, "n_heads": 8}
    with pytest.raises(ValueError, match=r"d_model=4096.* give about 5,\d+,\d+,\d+ parameters"):
        TransformerConfig(**sizes)
    monkeypatch.setenv(RAISE, "6")
    assert TransformerConfig(**sizes).d_model == 2**12


def test_a_value_is_shown_on_one_line_and_not_at_length():
    for value in ("a\nb" * 500, 10**10_000, [[[[[[[[1]]]]]]]], list(range(1_000)), {"a" * 999: 1}):
        assert len(shown(value)) < 250
        assert "\n" not in shown(value)


@pytest.mark.parametrize("mask", [0o022, 0o002, 0o077, 0o000])
def test_what_is_written_has_the_permissions_that_the_umask_leaves(tmp_path, mask):
    before = os.umask(mask)
    try:
        write_text(tmp_path / "deep" / "text", "x")
        with new_file(tmp_path / "deep" / "file") as file:
            file.write(b"x")
        with new_directory(tmp_path / "deep" / "folder") as partial:
            (partial / "inner").touch()
    finally:
        os.umask(before)
    for path in tmp_path.rglob("*"):
        wanted = 0o777 if path.is_dir() else 0o666
        assert path.stat().st_mode & 0o777 == wanted & ~mask, path
