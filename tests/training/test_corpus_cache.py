"""The tokenised corpus on disk: as in memory, never a wrong one, larger than the memory."""

import errno
import json
import subprocess
import sys
from array import array
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.corpora import SentencePair
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, PAD_ID, Tokenizer
from annotated_transformer.training import corpus_cache
from annotated_transformer.training.batching import (
    IDLE,
    Example,
    TokenPairs,
    collate,
    fingerprint,
    token_batches,
)
from annotated_transformer.training.corpus_cache import CacheKey, cached_pairs, encode_pairs
from annotated_transformer.training.data import sampled, updates
from annotated_transformer.training.recipe import load_recipe
from annotated_transformer.training.run.checkpoints import Progress

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
    return cached_pairs(directory, key_of(known, **changes), pairs, known, origin="train")


def test_cache_holds_what_memory_holds_and_reads_the_text_once(tmp_path, tokenizer):
    plain = encode_pairs(PAIRS, tokenizer, max_length=100, origin="train")
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
    assert list(cached(tmp_path, tokenizer, PAIRS[:4])) == list(
        encode_pairs(PAIRS[:4], tokenizer, max_length=100, origin="train")
    )
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


def test_what_is_no_cache_is_left_as_it_is(tmp_path, tokenizer):
    own = tmp_path / key_of(tokenizer).name
    own.write_text("mine")
    with pytest.raises(FileExistsError, match="something else than a cache"):
        cached(tmp_path, tokenizer)
    assert own.read_text() == "mine"


def test_long_pairs_are_left_out_and_counted(tmp_path, tokenizer):
    lengths = encode_pairs(PAIRS, tokenizer, max_length=100, origin="train").lengths
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


def test_sentencepieces_of_a_large_vocabulary_keep_all_their_bits():
    ids = TokenPairs.of([Example((70_000, EOS_ID), (BOS_ID, 99_999, EOS_ID))])
    assert ids[0] == Example((70_000, EOS_ID), (BOS_ID, 99_999, EOS_ID))


LIMITED = """
import resource, sys
from itertools import chain
from pathlib import Path
import numpy as np
from annotated_transformer.corpora import SentencePair
from annotated_transformer.training.batching import token_batches
from annotated_transformer.training.corpus_cache import CacheKey, cached_pairs, _encoded
class Words:
    vocab_size = 300
    def source_ids(self, text): return [*range(4, 44), 2]
    def target_ids(self, text): return [1, *range(4, 44), 2]
used = int(next(line for line in open("/proc/self/status") if line.startswith("VmData")).split()[1])
n, limit = 60_000, used * 1024 + 28 * 2**20
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
texts = (SentencePair("x", "y") for _ in range(n))
if sys.argv[2] == "lists":
    held = list(_encoded(texts, Words(), "train"))
else:
    key = CacheKey(content="c", tokenizer="t")
    pairs = cached_pairs(Path(sys.argv[1]), key, texts, Words(), origin="train")
    plan = token_batches(pairs, 4096, seed=1)
    assert sum(map(len, plan)) == n
    assert sum(pairs.batch(batch).n_tokens for batch in plan[:50]) > 0
"""


def test_a_corpus_larger_than_the_memory_is_tokenised_planned_and_read(tmp_path):
    def run(how):
        command = [sys.executable, "-c", LIMITED, str(tmp_path), how]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    small = run("cache")
    assert small.returncode == 0, small.stderr
    # The same in Python lists: the limit is a limit.
    assert "MemoryError" in run("lists").stderr


# The shares of several processes.

LENGTHS = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=40)


def example(number, source, target):
    return Example((*[number + 4] * source, EOS_ID), (BOS_ID, *[number + 4] * target, EOS_ID))


def rows(batch):
    """The pairs of a batch without their padding; an idle row predicts nothing and is none."""
    columns = zip(batch.source.tolist(), batch.target_output.tolist(), strict=True)
    strip = [tuple(tuple(i for i in row if i != PAD_ID) for row in pair) for pair in columns]
    return [pair for pair in strip if pair[1]]


@given(
    lengths=LENGTHS, world_size=st.integers(1, 5), accumulate=st.integers(1, 3), n=st.integers(1, 9)
)
def test_shares_together_are_the_update_of_one_process(lengths, world_size, accumulate, n):
    pairs = [example(number, *sides) for number, sides in enumerate(lengths)]
    recipe = load_recipe(
        "english_korean", ["training.tokens_per_batch=40", f"training.accumulate={accumulate}"]
    )
    places = [Progress() for _ in range(world_size + 1)]
    alone = updates(pairs, recipe, places[-1])
    ranks = [
        updates(pairs, recipe, places[rank], rank=rank, world_size=world_size)
        for rank in range(world_size)
    ]
    for _ in range(n):
        whole, shares = next(alone), [next(rank) for rank in ranks]
        assert {(place.epoch, place.batch) for place in places} == {
            (places[-1].epoch, places[-1].batch)
        }
        assert whole.n_tokens == sum(batch.n_tokens for batch in whole.batches)
        for share in shares:
            assert share.n_tokens == whole.n_tokens
            assert len(share.batches) == len(whole.batches)
        for number, batch in enumerate(whole.batches):
            parts = [share.batches[number] for share in shares]
            together = Counter(row for part in parts for row in rows(part))
            assert together == Counter(rows(batch))
            assert sum(part.n_tokens for part in parts) == batch.n_tokens
            sizes = [len(rows(part)) for part in parts]
            assert max(sizes) - min(sizes) <= 1
            for part in parts:
                # Equal work: no share is wider than the batch, or more than a row higher.
                assert part.source.size(0) <= -(-batch.source.size(0) // world_size)
                assert part.source.size(1) <= batch.source.size(1)
                assert part.target_output.size(1) <= batch.target_output.size(1)


def test_an_idle_row_predicts_nothing():
    assert IDLE.n_tokens == 0
    assert IDLE.source.tolist() == [[EOS_ID]]
    assert (IDLE.target_input.tolist(), IDLE.target_output.tolist()) == ([[BOS_ID]], [[PAD_ID]])
    assert TokenPairs.of([example(0, 1, 1)]).batch([]) is IDLE


# The same batches as by plain Python.


def plain_plan(examples, limit, seed, epoch):
    """What the package did before it planned with arrays: the recorded runs used this order."""
    order = list(range(len(examples)))
    random = np.random.default_rng([seed, epoch])
    random.shuffle(order)

    def place(index):
        target, source = len(examples[index].target), len(examples[index].source)
        return target, -source if target % 2 else source

    order.sort(key=place)
    batches, batch, longest = [], [], 0
    for index in order:
        longest = max(longest, examples[index].length)
        if longest * (len(batch) + 1) > limit:
            batches.append(batch)
            batch, longest = [], examples[index].length
        batch.append(index)
    batches.append(batch)
    random.shuffle(batches)
    return batches


@given(lengths=LENGTHS, limit=st.integers(13, 90), seed=st.integers(0, 9), epoch=st.integers(0, 3))
def test_plan_is_that_of_plain_python(lengths, limit, seed, epoch):
    examples = [example(number, *sides) for number, sides in enumerate(lengths)]
    plan = token_batches(examples, limit, seed=seed, epoch=epoch)
    assert [batch.tolist() for batch in plan] == plain_plan(examples, limit, seed, epoch)


@given(lengths=LENGTHS)
def test_batch_is_that_of_plain_python(lengths):
    examples = [example(number, *sides) for number, sides in enumerate(lengths)]

    def padded(some):
        longest = max(map(len, some))
        return torch.tensor([[*row, *[PAD_ID] * (longest - len(row))] for row in some])

    batch = collate(examples)
    assert torch.equal(batch.source, padded([pair.source for pair in examples]))
    assert torch.equal(batch.target_input, padded([pair.target[:-1] for pair in examples]))
    assert torch.equal(batch.target_output, padded([pair.target[1:] for pair in examples]))


def test_sample_is_fair_and_repeats_itself():
    pairs = [SentencePair(str(n), "x") for n in range(20)]
    assert sampled(pairs, 30, 1) == pairs
    assert sampled(pairs, 5, 1) == sampled(iter(pairs), 5, 1) != sampled(pairs, 5, 2)
    drawn = Counter(pair.source for seed in range(2_000) for pair in sampled(pairs, 5, seed))
    # Each is drawn 500 times on average, with a standard deviation of 19.4.
    assert all(abs(drawn[str(n)] - 500) < 5 * 19.4 for n in range(20))


def test_description_says_what_the_cache_is_made_of(tmp_path, tokenizer):
    cached(tmp_path, tokenizer)
    text = (tmp_path / key_of(tokenizer).name / "cache.json").read_text()
    assert json.loads(text)["tokenizer"] == tokenizer.fingerprint
