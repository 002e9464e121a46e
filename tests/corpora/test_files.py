"""Parallel text files: what is read, and that every fault names its file and line."""

import gzip
from pathlib import Path

import pytest

from annotated_transformer.corpora import SentencePair
from annotated_transformer.corpora.files import iterate_tsv, read_parallel


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return write(tmp_path / "target.ko", "나는 학생이다\n그녀는 의사다\n")


PACKED = gzip.compress(b"text" * 99, mtime=0)  # the names of tests have no time in them


@pytest.mark.parametrize(
    "content",
    [
        "I am a student\nShe is a doctor\n",
        "I am a student\nShe is a doctor",
        "I am a student\r\nShe is a doctor\r\n",
        "\ufeffI am a student\nShe is a doctor\n",
    ],
    ids=["line feeds", "last line unfinished", "carriage returns", "byte order mark"],
)
def test_reads_line_endings_and_byte_order_mark(tmp_path: Path, target: Path, content: str) -> None:
    assert read_parallel(write(tmp_path / "source.en", content), target) == [
        SentencePair("I am a student", "나는 학생이다"),
        SentencePair("She is a doctor", "그녀는 의사다"),
    ]


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\r", "\x1c"])
def test_only_a_line_feed_ends_a_line(tmp_path: Path, separator: str) -> None:
    source = write(tmp_path / "source.en", f"one{separator}two\n")
    pairs = read_parallel(source, source)
    assert [pair.source for pair in pairs] == [f"one{separator}two"]


def test_spaces_are_kept(tmp_path: Path) -> None:
    source = write(tmp_path / "source.en", "  two  spaces \n")
    assert read_parallel(source, source)[0].source == "  two  spaces "


def test_gzip_is_transparent(tmp_path: Path, target: Path) -> None:
    source = write(tmp_path / "source.en.gz", gzip.compress(b"I am a student\nShe is a doctor\n"))
    assert read_parallel(source, target)[1].source == "She is a doctor"
    tsv = write(tmp_path / "pairs.tsv.gz", gzip.compress("a\t가\n".encode()))
    assert list(iterate_tsv(tsv)) == [SentencePair("a", "가")]


def test_tsv(tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.tsv", "I am a student\t나는 학생이다\r\na\t가\n")
    assert list(iterate_tsv(path)) == [
        SentencePair("I am a student", "나는 학생이다"),
        SentencePair("a", "가"),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"source\.en: the file is empty"),
        (b"\xef\xbb\xbf", r"source\.en: the file is empty"),
        (b"one\n\ntwo\n", r"source\.en, line 2: the line is empty"),
        (b"one\n \t\n", r"source\.en, line 2: the line is empty"),
        (b"one\ntwo\n\n", r"source\.en, line 3: the line is empty"),
        (b"one\ntw\xffo\n", r"source\.en, line 2: byte 0xff at position 2 of the line"),
        (b"one\n\xed\xa0\x80\n", r"source\.en, line 2: byte 0xed at position 0 of the line"),
        (b"one\n", r"source\.en has 1 lines and .*target\.ko has 2"),
        (b"1\n2\n3\n", r"source\.en has 3 lines and .*target\.ko has 2"),
    ],
)
def test_faults_of_parallel_files(
    tmp_path: Path, target: Path, content: bytes, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        read_parallel(write(tmp_path / "source.en", content), target)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"pairs\.tsv: the file is empty"),
        ("a\t가\nb\n", r"pairs\.tsv, line 2: expected 2 columns, got 1"),
        ("a\t가\tx\n", r"pairs\.tsv, line 1: expected 2 columns, got 3"),
        ("a\t가\n\t나\n", r"pairs\.tsv, line 2: the source column is empty"),
        ("a\t \n", r"pairs\.tsv, line 1: the target column is empty"),
    ],
)
def test_faults_of_tsv(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        list(iterate_tsv(write(tmp_path / "pairs.tsv", content)))


def test_missing_file_is_named(tmp_path: Path, target: Path) -> None:
    with pytest.raises(FileNotFoundError, match="absent"):
        read_parallel(tmp_path / "absent.en", target)


@pytest.mark.parametrize("content", [b"no gzip", PACKED[:-9], PACKED[:10] + b"junk"])
def test_damaged_gzip_is_named(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ValueError, match=r"pairs\.tsv\.gz: not a gzip file, or a damaged one"):
        list(iterate_tsv(write(tmp_path / "pairs.tsv.gz", content)))
