"""Parallel text files: what is read, and that every fault names its file and line."""

import gzip
import re
from pathlib import Path

import pytest

from annotated_transformer.corpora import SentencePair, files
from annotated_transformer.corpora.files import iterate_tsv, read_parallel
from annotated_transformer.lab.corpora.treebank import read_trees


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
    assert [pair.source for pair in pairs] == ["one two"]


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


TIDY = "I am a student\nShe met a ca\u0301t\nhe reads\n".encode()
PAIRS = ["I am a student", "She met a c\xe1t", "he reads"]
MENDED = {
    "line feeds": (TIDY, "line 2: accents and syllables composed (NFC)"),
    "carriage returns": (TIDY.replace(b"\n", b"\r\n"), "line 2: accents"),
    "no end": (TIDY[:-1], "line 2: accents"),
    "blank lines at the end": (TIDY + b"\n \n\r\n", "line 4: blank, as all that follow"),
    "byte order mark": (b"\xef\xbb\xbf" + TIDY, "line 2: accents"),
    "two byte order marks": (2 * b"\xef\xbb\xbf" + TIDY, "line 1: a byte order mark (U+FEFF)"),
    "a mark inside": (TIDY.replace(b"\nhe ", b"\n\xef\xbb\xbfhe "), "line 3: a byte order mark"),
    "a carriage return inside": (TIDY.replace(b"am a", b"am\ra"), "line 1: a carriage return"),
    "a line separator": (TIDY.replace(b"am a", b"am\xe2\x80\xa8a"), "line 1: U+2028 read as"),
    "NUL": (TIDY.replace(b"reads", b"re\0ads"), "line 3: U+0000 left out"),
    "spaces": (TIDY.replace(b"he reads", b" he  reads "), "line 3: extra spaces left out"),
}
REFUSED = {
    "the tokenizer's space": (TIDY.replace(b"reads", "▁".encode()), "line 3: U+2581 at position 3"),
    "UTF-16": (TIDY.decode().encode("utf-16"), "line 1: this looks like UTF-16"),
    "UTF-16 without its mark": ("abc\ndef\n".encode("utf-16-le"), "line 1: this looks like UTF-16"),
    "Latin-1": (TIDY.decode().replace("a\u0301", "á").encode("latin-1"), "line 2: byte 0xe1"),
    "gzip": (gzip.compress(TIDY, mtime=0), "line 1: this looks like gzip; let its name end in .gz"),
    "zstd": (b"\x28\xb5\x2f\xfd\x04\x00", "line 1: this looks like zstd"),
    "xz": (b"\xfd7zXZ\x00\x00", "line 1: this looks like xz"),
    "carriage returns alone": (b"a\rb\rc\r", "line 1: lines end with carriage returns alone"),
    "a blank line": (TIDY.replace(b"he reads", b"\nhe reads"), "line 3: the line is empty"),
    "an invisible line": (TIDY + b"\xe2\x80\x8b\nx\n", "line 4: the line is empty"),
}


BLOCK = 4_096
"""Bytes that are read at once in these tests."""


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BLOCK", BLOCK)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("late", [False, True], ids=["early", "late"])
@pytest.mark.parametrize("name", MENDED)
def test_mended(name: str, late: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also beyond the first block, of which each line is looked at."""
    content, said = MENDED[name]
    before = b"plain\n" * (BLOCK // 5 if late else 0)
    if late and content.startswith(b"\xef"):
        said = said.replace("line 2: accents", "line 1: a byte order mark")
    number = int(re.search(r"\d+", said)[0]) + before.count(b"\n")
    source = write(tmp_path / "source.en", before + content)
    tsv = write(tmp_path / "pairs.tsv", re.sub(rb"(?<=\w)(?=\r?\n|$)", b"\tx", before + content))
    other = write(tmp_path / "other.en", "x\n" * (before.count(b"\n") + 3))
    found = [pair.source for pair in read_parallel(source, other)]
    assert found == ["plain"] * before.count(b"\n") + PAIRS
    assert (
        f"{source}, {re.sub(chr(92) + 'd+', str(number), said, count=1)}" in capsys.readouterr().err
    )
    assert read_parallel(other, source)[-1].target == "he reads"
    assert capsys.readouterr().err == ""  # it is said once
    if name not in ("spaces", "blank lines at the end"):
        assert [pair.source for pair in iterate_tsv(tsv)] == found


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("late", [False, True], ids=["early", "late"])
@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_file_and_line(name: str, late: bool, tmp_path: Path) -> None:
    content, message = REFUSED[name]
    whole = "line 1: this" in message or "alone" in message
    before = b"plain\n" * (BLOCK // 5 if late and not whole else 0)
    number = int(re.search(r"\d+", message)[0]) + before.count(b"\n")
    message = re.sub(r"\d+", str(number), message, count=1)
    source = write(tmp_path / "source.en", before + content)
    with pytest.raises(ValueError, match=re.escape(f"{source}, {message}")):
        read_parallel(source, source)


def test_trees_are_read_in_the_same_way(tmp_path: Path) -> None:
    trees = write(tmp_path / "a.mrg", "(S\n\t(NN ca\u0301t)\n  (VB\u00a0reads))\n")
    assert [str(tree) for tree in read_trees(trees)] == ["(S (NN c\xe1t) (VB reads))"]
    with pytest.raises(ValueError, match=r"b\.mrg, line 2: U\+2581 at position"):
        list(read_trees(write(tmp_path / "b.mrg", "(S\n(NN ▁cat))\n")))
