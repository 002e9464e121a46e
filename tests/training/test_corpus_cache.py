"""The tokenised corpus on disk: as in memory, never a wrong one, larger than the memory."""

import errno
import json
import subprocess
import sys
from array import array
from pathlib import Path

import numpy as np
import pytest

from annotated_transformer.corpora import SentencePair
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training import corpus_cache
from annotated_transformer.training.corpus_cache import CacheKey, cached_pairs
from annotated_transformer.training.data import encode
from annotated_transformer.training.encoded import TokenPairs, fingerprint

WORDS = "a cat sat on the mat and saw one more dog"
PAIRS = [SentencePair(" ".join(WORDS.split()[: n % 7 + 1]), WORDS[: n % 30 + 2]) for n in range(60)]


@pytest.fixture(scope="module")
def tokenizer():
    return Tokenizer.train([WORDS], vocab_size=285)


def key_of(known, /, **changes):
    return CacheKey(**{"content": "c", "tokenizer": known.fingerprint, **changes})


def refuse():
    raise AssertionError("the corpus was read though it was cached")
    yield


def cached(directory, known, pairs=PAIRS, /, **changes):
    examples = encode(pairs, known, origin="train")
    key = key_of(known, **changes)
    return cached_pairs(directory, key, examples, known.vocab_size, origin="train")


def in_memory(pairs, known):
    return TokenPairs.of(encode(pairs, known, origin="train"))


def test_cache_holds_what_memory_holds_and_reads_the_text_once(tmp_path, tokenizer):
    plain = in_memory(PAIRS, tokenizer)
    first = cached(tmp_path, tokenizer)
    again = cached(tmp_path, tokenizer, refuse())
    for pairs in (first, again):
        assert isinstance(pairs.ids, np.memmap)
        assert list(pairs) == list(plain)
        assert fingerprint(pairs) == fingerprint(plain)


@pytest.mark.parametrize(
    "change", [{"content": "d"}, {"tokenizer": "other"}, {"longest": 9}, {"format": 2}]
)
def test_what_was_made_of_something_else_is_another_cache(tmp_path, tokenizer, change):
    cached(tmp_path, tokenizer)
    assert key_of(tokenizer, **change).name != key_of(tokenizer).name
    with pytest.raises(AssertionError, match="was read"):
        cached(tmp_path, tokenizer, refuse(), **change)


@pytest.mark.parametrize("change", [{"tokenizer": "other"}, {"format": 2}, {"content": "d"}])
def test_a_foreign_cache_under_our_name_is_made_anew(tmp_path, tokenizer, change, capsys):
    cached(tmp_path, tokenizer, **change)
    (tmp_path / key_of(tokenizer, **change).name).rename(tmp_path / key_of(tokenizer).name)
    assert len(cached(tmp_path, tokenizer, PAIRS[:3])) == 3
    assert "tokenising train again" in capsys.readouterr().err


def cut(path: Path):
    path.write_bytes(path.read_bytes()[:-2])


def alter(path: Path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("name", ["ids.bin", "offsets.bin", "cache.json"])
@pytest.mark.parametrize("damage", [cut, alter, Path.unlink, lambda path: path.write_bytes(b"")])
def test_a_damaged_cache_is_made_anew(tmp_path, tokenizer, name, damage, capsys):
    cached(tmp_path, tokenizer)
    damage(tmp_path / key_of(tokenizer).name / name)
    assert list(cached(tmp_path, tokenizer, PAIRS[:4])) == list(in_memory(PAIRS[:4], tokenizer))
    message = capsys.readouterr().err
    assert "tokenising train again" in message
    assert key_of(tokenizer).name in message


def test_a_cache_that_another_process_made_meanwhile_will_do(tmp_path, tokenizer):
    def slowly():
        yield PAIRS[0]
        cached(tmp_path, tokenizer)
        yield from PAIRS[1:]

    assert list(cached(tmp_path, tokenizer, slowly())) == list(cached(tmp_path, tokenizer))
    assert [path.name for path in tmp_path.iterdir()] == [key_of(tokenizer).name]


def test_a_cache_that_gets_its_name_at_the_last_moment_will_do(tmp_path, tokenizer, monkeypatch):
    """Between the last look for one and our own renaming; the disk says that it is not empty."""
    rename = Path.rename

    def too_late(path, target):
        monkeypatch.setattr(Path, "rename", rename)
        cached(tmp_path, tokenizer)
        return path.rename(target)

    monkeypatch.setattr(Path, "rename", too_late)
    found = cached(tmp_path, tokenizer)
    assert Path.rename is rename
    assert list(found) == list(in_memory(PAIRS, tokenizer))
    assert [path.name for path in tmp_path.iterdir()] == [key_of(tokenizer).name]


def test_what_is_no_cache_is_left_as_it_is(tmp_path, tokenizer):
    own = tmp_path / key_of(tokenizer).name
    own.write_text("mine")
    with pytest.raises(FileExistsError, match="something else than a cache"):
        cached(tmp_path, tokenizer)
    assert own.read_text() == "mine"


def test_long_pairs_are_left_out_and_counted(tmp_path, tokenizer):
    lengths = in_memory(PAIRS, tokenizer).lengths
    limit = int(np.median(lengths))
    pairs = cached(tmp_path, tokenizer, longest=limit)
    assert list(pairs.lengths) == [length for length in lengths if length <= limit]
    left = corpus_cache.left_out(tmp_path, key_of(tokenizer, longest=limit))
    assert left == len(PAIRS) - len(pairs) > 0
    with pytest.raises(ValueError, match="no pair of at most 1 tokens is left"):
        cached(tmp_path, tokenizer, longest=1)


def test_a_full_disk_is_said_and_leaves_nothing(tmp_path, tokenizer, monkeypatch):
    class Full(array):
        def tobytes(self):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(corpus_cache, "array", Full)
    with pytest.raises(OSError, match=r"No space left on device .the tokenised train") as error:
        cached(tmp_path, tokenizer)
    assert key_of(tokenizer).name in str(error.value.filename)
    assert not list(tmp_path.iterdir())


def test_a_sentence_that_cannot_be_encoded_is_named_and_leaves_nothing(tmp_path, tokenizer):
    with pytest.raises(ValueError, match=r"train, line 2: U.2581"):
        cached(tmp_path, tokenizer, [PAIRS[0], SentencePair("a", "\u2581")])
    assert not list(tmp_path.iterdir())


LIMITED = """
import resource, sys
from itertools import chain
from pathlib import Path
import numpy as np
from annotated_transformer.corpora import SentencePair
from annotated_transformer.training.batching import token_batches
from annotated_transformer.training.batching import make_batch
from annotated_transformer.training.corpus_cache import CacheKey, cached_pairs
from annotated_transformer.training.data import encode
class Words:
    vocab_size = 300
    def source_ids(self, text): return [*range(4, 44), 2]
    def target_ids(self, text): return [1, *range(4, 44), 2]
used = int(next(line for line in open("/proc/self/status") if line.startswith("VmData")).split()[1])
n, limit = 60_000, used * 1024 + 28 * 2**20
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
texts = (SentencePair("x", "y") for _ in range(n))
if sys.argv[2] == "lists":
    lists = list(encode(texts, Words(), origin="train"))
else:
    key = CacheKey(content="c", tokenizer="t")
    examples = encode(texts, Words(), origin="train")
    pairs = cached_pairs(Path(sys.argv[1]), key, examples, 300, origin="train")
    plan = token_batches(pairs, 4096, seed=1)
    assert sum(map(len, plan)) == n
    assert sum(make_batch(pairs, batch).n_tokens for batch in plan[:50]) > 0
"""


def test_a_corpus_larger_than_the_memory_is_tokenised_planned_and_read(tmp_path):
    def run(how):
        command = [sys.executable, "-c", LIMITED, str(tmp_path), how]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    small = run("cache")
    assert small.returncode == 0, small.stderr
    # The same in Python lists: the limit is a limit.
    assert "MemoryError" in run("lists").stderr


def test_description_says_what_the_cache_is_made_of(tmp_path, tokenizer):
    cached(tmp_path, tokenizer)
    text = (tmp_path / key_of(tokenizer).name / "cache.json").read_text()
    assert json.loads(text)["tokenizer"] == tokenizer.fingerprint
