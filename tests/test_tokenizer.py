"""The tokenizer keeps every line it accepts, names what it cannot keep, and never invents ids."""

import math
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from typechecking import unchecked

from annotated_transformer.lab.analysis.subwords import log_probabilities
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, PAD_ID, UNK_ID, Tokenizer

LINES = [
    "I am a student",
    "나는 학생이다",
    "The animal did not cross the street because it was too tired",
    "그 동물이 너무 피곤해서 길을 건너지 않았다",
    "She bought three books and two cups of coffee",
    "그녀는 책 세 권과 커피 두 잔을 샀다",
] * 3
SIZE = 325
KEPT = st.text(st.characters(codec="utf-8", exclude_characters="\n▁"))
LOOKS_SPECIAL = ["<s>", "</s>", "<pad>", "<unk>", "<0x41>", "<0xE3>", "▅"]


def test_ids_that_can_be_read_once_are_decoded():
    tokenizer = Tokenizer.train(LINES, vocab_size=SIZE)
    ids = tokenizer.encode(LINES[0])
    assert tokenizer.decode(iter(ids)) == LINES[0]
    with unchecked():
        assert tokenizer.decode(torch.tensor(ids)) == LINES[0]


def test_who_interrupts_the_training_is_heard():
    def lines():
        yield LINES[0]
        raise KeyboardInterrupt("stopped before training")

    with pytest.raises(KeyboardInterrupt, match="stopped before training"):
        Tokenizer.train(lines(), vocab_size=SIZE)


SIZES = {"bpe": SIZE, "unigram": SIZE, "word": 280}


@pytest.fixture(scope="module", params=SIZES)
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    return Tokenizer.train(LINES, vocab_size=SIZES[request.param], kind=request.param)


@given(text=KEPT)
def test_every_line_decodes_to_itself(tokenizer: Tokenizer, text: str) -> None:
    assert tokenizer.decode(tokenizer.encode(text)) == text


@given(
    parts=st.lists(st.sampled_from([*LOOKS_SPECIAL, " ", "a", "학", "🎉", "\r", "\0", "\u2028"]))
)
def test_text_never_becomes_a_special(tokenizer: Tokenizer, parts: list[str]) -> None:
    text = "".join(parts)
    ids = tokenizer.encode(text)
    assert not {PAD_ID, BOS_ID, EOS_ID, UNK_ID} & set(ids)
    assert tokenizer.decode(ids) == text


def test_training_text_that_looks_special_is_text() -> None:
    lines = ["<s> </s> <pad> <unk> <0x41> <0x42> ab ab"] * 50
    # Room for the space mark, "a" and "b" and for what can be made of them.
    for size in (263, 266):
        trained = Tokenizer.train(lines, vocab_size=size)
        assert trained.decode(trained.encode(lines[0])) == lines[0]
        assert min(trained.encode(lines[0])) > UNK_ID


def test_lines_with_the_reserved_character_are_not_dropped() -> None:
    with_block = Tokenizer.train(["▅world world▅"], vocab_size=271)
    assert "▁world" in with_block.pieces("a world")
    assert with_block.decode(with_block.encode("▅")) == "▅"


def test_long_lines_are_not_dropped() -> None:
    trained = Tokenizer.train(["short", "abcdefgh " * 5_000], vocab_size=282)
    assert trained.pieces("abcdefgh") == ["▁abcdefgh"]


@given(text=KEPT)
def test_word_spans_partition_the_tokens(tokenizer: Tokenizer, text: str) -> None:
    spans = tokenizer.word_spans(text)
    ids = tokenizer.encode(text)
    assert [token for start, stop in spans for token in range(start, stop)] == list(range(len(ids)))
    words = text.split(" ")
    assert [tokenizer.decode(ids[start:stop]) for start, stop in spans] == words


def test_word_spans_by_hand() -> None:
    # Pieces of one character or byte each: 3 + 1 tokens, the space mark included in the second.
    text = "ab c"
    trained = Tokenizer.train(["ab c"], vocab_size=4 + 256 + 4)
    assert trained.pieces(text) == ["▁", "a", "b", "▁", "c"]
    assert trained.word_spans(text) == [(0, 3), (3, 5)]
    assert trained.word_spans("") == [(0, 0)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ab\ncd", r"U\+000A at position 2"),
        ("a▁", r"U\+2581 at position 1"),
        ("\ud800", r"U\+D800 at position 0"),
    ],
)
def test_text_that_cannot_be_kept_is_refused(text: str, message: str) -> None:
    trained = Tokenizer.train(LINES, vocab_size=SIZE)
    with pytest.raises(ValueError, match=message):
        trained.encode(text)
    with pytest.raises(ValueError, match="training line 2: " + message):
        Tokenizer.train(["fine", text], vocab_size=SIZE)


def test_an_error_of_the_iterator_is_raised_unchanged() -> None:
    def lines():
        yield "fine"
        raise OSError("disk gone")

    with pytest.raises(OSError, match="disk gone"):
        Tokenizer.train(lines(), vocab_size=SIZE)


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
@pytest.mark.parametrize("size", [-1, 0, 260])
def test_vocabularies_smaller_than_the_bytes_are_refused(kind: str, size: int) -> None:
    with pytest.raises(ValueError, match=f"vocab_size {size} is too small: expected over 260"):
        Tokenizer.train(LINES, vocab_size=size, kind=kind)


@pytest.mark.parametrize("size", [2**22 + 1, 10**9, 2**70])
def test_a_size_that_cannot_be_meant_is_refused_at_once(size):
    with pytest.raises(ValueError, match=r"vocab_size=.*, more than the ceiling of 4,194,304"):
        Tokenizer.train(LINES, vocab_size=size)


def test_one_text_in_place_of_lines_is_refused():
    with unchecked(), pytest.raises(ValueError, match=r"one text was given; expected a list of"):
        Tokenizer.train("나는 학생이다", vocab_size=300)


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_impossible_vocabularies_name_the_range(kind: str) -> None:
    lines = ["abc abd", "abc"]
    smallest = 4 + 256 + len("abcd▁")
    with pytest.raises(ValueError, match=f"too small for these lines: expected {smallest} or more"):
        Tokenizer.train(lines, vocab_size=smallest - 1, kind=kind)
    with pytest.raises(
        ValueError, match=f"too large for these lines: expected {smallest} to "
    ) as e:
        Tokenizer.train(lines, vocab_size=9_999, kind=kind)
    largest = int(str(e.value).split()[-1])
    for size in (smallest, largest):
        assert Tokenizer.train(lines, vocab_size=size, kind=kind).vocab_size == size
    with pytest.raises(ValueError, match=f"expected {smallest} to {largest}"):
        Tokenizer.train(lines, vocab_size=largest + 1, kind=kind)


@pytest.mark.parametrize("lines", [[], [""]])
def test_no_text_is_refused(lines: list[str]) -> None:
    with pytest.raises(ValueError, match="no text to train"):
        Tokenizer.train(lines, vocab_size=SIZE)


def test_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'char'; expected one of bpe, unigram, word"):
        Tokenizer.train(LINES, vocab_size=SIZE, kind="char")


def test_a_word_is_one_token_whatever_its_signs_and_an_unknown_one_is_bytes() -> None:
    trained = Tokenizer.train(["(NP XX )NP", "(NP (X-y XX"], vocab_size=264, kind="word")
    assert trained.pieces(")NP (X-y XX") == ["▁)NP", "▁(X-y", "▁XX"]
    text = "XX Y XX"
    assert trained.pieces(text)[1:-1] == [f"<0x{byte:02X}>" for byte in "▁Y".encode()]
    assert trained.word_spans(text) == [(0, 1), (1, 5), (5, 6)]
    with pytest.raises(ValueError, match="expected 261 to 264"):
        Tokenizer.train(["(NP XX )NP", "(NP (X-y XX"], vocab_size=265, kind="word")


def test_training_is_deterministic_and_takes_any_iterable(tokenizer: Tokenizer) -> None:
    for kind, size in SIZES.items():
        models = {
            Tokenizer.train(iter(LINES), vocab_size=size, kind=kind).fingerprint for _ in "ab"
        }
        assert len(models) == 1
    assert len(tokenizer.fingerprint) == 64


def test_training_is_silent() -> None:
    code = (
        "from annotated_transformer.tokenizer import Tokenizer\n"
        "Tokenizer.train(['a b c'] * 9, vocab_size=264)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert (run.stdout, run.stderr) == (b"", b"")


def test_saved_and_loaded(tokenizer: Tokenizer, tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.model"
    path.write_bytes(tokenizer.to_bytes())
    for again in (Tokenizer.load(path), Tokenizer(tokenizer.to_bytes())):
        assert again.fingerprint == tokenizer.fingerprint
        assert again.encode(LINES[1]) == tokenizer.encode(LINES[1])


def test_damaged_models_are_refused(tmp_path: Path, tokenizer: Tokenizer) -> None:
    path = tmp_path / "tokenizer.model"
    with pytest.raises(FileNotFoundError):
        Tokenizer.load(path)
    for content in (b"", b"junk", tokenizer.to_bytes()[:-100]):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"tokenizer\.model: "):
            Tokenizer.load(path)


def test_an_empty_model_is_called_empty(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.model").touch()
    with pytest.raises(ValueError, match=r"tokenizer\.model: the file is empty"):
        Tokenizer.load(tmp_path / "tokenizer.model")
    with pytest.raises(ValueError, match="empty"):
        Tokenizer(b"")


def test_specials_frame_and_vanish(tokenizer: Tokenizer) -> None:
    ids = tokenizer.encode("나는 학생이다")
    assert tokenizer.source_ids("나는 학생이다") == [*ids, EOS_ID]
    assert tokenizer.target_ids("나는 학생이다") == [BOS_ID, *ids, EOS_ID]
    padded = [*tokenizer.target_ids("나는 학생이다"), PAD_ID, PAD_ID]
    assert tokenizer.decode(padded) == "나는 학생이다"


def test_log_probabilities_are_those_of_a_unigram_model() -> None:
    unigram = Tokenizer.train(LINES, vocab_size=SIZE, kind="unigram")
    found = log_probabilities(unigram)
    assert set(found) == set(unigram.vocabulary()[260:])
    assert sum(map(math.exp, found.values())) == pytest.approx(1, abs=0.1)
    with pytest.raises(ValueError, match="byte pairs have no probabilities"):
        log_probabilities(Tokenizer.train(LINES, vocab_size=SIZE))


def test_ids_out_of_range_and_broken_bytes(tokenizer: Tokenizer) -> None:
    size = tokenizer.vocab_size
    for bad in (-1, size):
        with pytest.raises(
            ValueError, match=rf"token id {bad} is outside the vocabulary \[0, {size}\)"
        ):
            tokenizer.decode([bad])
    first_byte = tokenizer.encode("漢")[1]
    assert tokenizer.decode([first_byte]) == "�"
