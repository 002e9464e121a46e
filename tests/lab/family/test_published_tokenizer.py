"""tokenizer.json against what transformers makes of the same file, on odd texts too."""

import json
import sys
import unicodedata

import pytest
from family_tokenizer import KINDS, published
from hypothesis import given, settings
from hypothesis import strategies as st
from typechecking import unchecked

from annotated_transformer.lab.family.published_tokenizer import PublishedTokenizer


@pytest.fixture(scope="module", params=KINDS)
def both(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tokenizer")
    theirs = published(folder, request.param)
    assert json.loads((folder / "tokenizer.json").read_text())["truncation"]["max_length"] == 6
    return PublishedTokenizer.load(folder), theirs


ODD = [
    "",
    " ",
    "\t\n",
    "the\u00a0cat\u2003sleeps",
    "\ufeffthe cat\u200b",
    "Cafe\u0301 Café",
    "[CLS] the [MASK] [SEP]",
    "don't — “quoted” …",
    "😀👨‍👩‍👧 é½①ﬁ",
    "\x00\x01\x7f",
    "x" * 300,
    "the cat " * 40,
]


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_have_the_ids_that_transformers_gives_them(both, text):
    ours, theirs = both
    wanted = theirs(text, truncation=False, padding=False).input_ids
    assert ours.ids(text) == wanted
    assert ours.text(wanted) == theirs.decode(wanted, skip_special_tokens=True)


@settings(max_examples=60, deadline=None)
@given(text=st.text(st.characters(exclude_categories=["Cs"])))
def test_every_text_has_the_ids_that_transformers_gives_it(both, text):
    ours, theirs = both
    assert ours.ids(text) == theirs(text, truncation=False, padding=False).input_ids


def test_a_batch_is_filled_up_and_never_cut(both):
    ours, theirs = both
    texts = ["the cat", "the cat sees the dog " * 9]
    found = ours.batch(texts, padding_id=0)
    assert found.tolist() == theirs(texts, truncation=False, padding=True).input_ids
    assert ours.vocab_size == len(theirs)
    longest = found.size(1)
    assert ours.batch(texts, padding_id=0, max_length=longest).equal(found)
    with pytest.raises(ValueError, match=f"text 2 has {longest} tokens; .* at most {longest - 1}"):
        ours.batch(texts, padding_id=0, max_length=longest - 1)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("the cat", "texts='the cat'; expected a list of one text or more"),
        ([], r"texts=\[\]; expected a list"),
        (["the", None], "text 2 is None; expected a string"),
        (["the", b"cat"], "text 2 is b'cat'; expected a string"),
        (["the \ud83d"], r"text 1: character 5, '\\ud83d', is half of one"),
        (["a", "[PAD]"], "text 2 has the token that fills up rows, id 0"),
    ],
)
def test_what_is_no_list_of_texts_is_refused(both, texts, message):
    with unchecked(), pytest.raises(ValueError, match=message):
        both[0].batch(texts, padding_id=0)


def test_the_only_halves_are_surrogates():
    halves = {chr(n) for n in range(0x110000) if unicodedata.category(chr(n)) == "Cs"}
    assert halves == {chr(n) for n in range(0xD800, 0xE000)}


def test_files_without_a_tokenizer_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"tokenizer\.json is missing; .*save_pretrained"):
        PublishedTokenizer.load(tmp_path)
    for content in (b"{}", b"[1", b"\xff\xfe", b'{"model": {"type": "Other"}}'):
        (tmp_path / "tokenizer.json").write_bytes(content)
        with pytest.raises(ValueError, match=r"tokenizer\.json describes no tokenizer: "):
            PublishedTokenizer.load(tmp_path)


def test_without_the_package_it_says_what_to_install(tmp_path, monkeypatch):
    published(tmp_path)
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ValueError, match=r"pip install 'annotated-transformer\[published\]'"):
        PublishedTokenizer.load(tmp_path)
