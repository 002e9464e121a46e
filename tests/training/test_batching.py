"""Batches: every pair once, none too large, little padding, the same from the same seed."""

from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.corpora import SentencePair
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, PAD_ID, Tokenizer
from annotated_transformer.training.batching import (
    Example,
    collate,
    fingerprint,
    padding_share,
    token_batches,
)
from annotated_transformer.training.corpus_cache import encode_pairs


def example(source_length: int, target_length: int) -> Example:
    """A pair of these lengths, end of sentence included; the decoder reads `target_length`."""
    return Example(
        (*[7] * (source_length - 1), EOS_ID), (BOS_ID, *[8] * (target_length - 1), EOS_ID)
    )


def token_batches_as_lists(examples: list[Example], *arguments, **options) -> list[list[int]]:
    return [batch.tolist() for batch in token_batches(examples, *arguments, **options)]


def random_examples(n: int, seed: int = 0, longest: int = 40) -> list[Example]:
    lengths = np.random.default_rng(seed).integers(1, longest + 1, size=(n, 2))
    return [example(int(source), int(target)) for source, target in lengths]


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.train(["a cat sat on a mat", "고양이가 앉았다"], vocab_size=280)


def test_batch_written_out_by_hand():
    batch = collate(
        [Example((5, 6, EOS_ID), (BOS_ID, 9, EOS_ID)), Example((4, EOS_ID), (1, 7, 8, 2))]
    )
    assert batch.source.tolist() == [[5, 6, EOS_ID], [4, EOS_ID, PAD_ID]]
    assert batch.target_input.tolist() == [[BOS_ID, 9, PAD_ID], [BOS_ID, 7, 8]]
    assert batch.target_output.tolist() == [[9, EOS_ID, PAD_ID], [7, 8, EOS_ID]]
    assert batch.n_tokens == 5
    assert batch.n_tokens == int((batch.target_output != PAD_ID).sum())


def test_collated_batch_may_move_to_another_device():
    batch = collate([example(3, 4)])
    moved = batch.to("meta")
    assert moved.source.device.type == "meta"
    assert moved.source.shape == batch.source.shape
    assert moved.n_tokens == batch.n_tokens


@given(
    lengths=st.lists(st.tuples(st.integers(1, 30), st.integers(1, 30)), min_size=1, max_size=60),
    budget=st.integers(30, 200),
    epoch=st.integers(0, 3),
)
def test_every_pair_exactly_once_and_no_batch_over_the_budget(lengths, budget, epoch):
    examples = [example(source, target) for source, target in lengths]
    batches = token_batches(examples, budget, seed=1, epoch=epoch)
    assert Counter(index for batch in batches for index in batch) == Counter(range(len(examples)))
    for indices in batches:
        batch = collate([examples[index] for index in indices])
        assert batch.source.numel() <= budget
        assert batch.target_input.numel() <= budget


def test_same_seed_and_epoch_give_the_same_batches_and_others_do_not():
    examples = random_examples(500)
    first = token_batches_as_lists(examples, 400, seed=1, epoch=2)
    assert first == token_batches_as_lists(examples, 400, seed=1, epoch=2)
    assert first != token_batches_as_lists(examples, 400, seed=1, epoch=3)
    assert first != token_batches_as_lists(examples, 400, seed=2, epoch=2)


def test_epochs_differ_in_the_company_of_a_pair_and_not_only_in_order():
    examples = [example(5, 5)] * 100
    first, second = (
        {frozenset(batch.tolist()) for batch in token_batches(examples, 50, seed=1, epoch=epoch)}
        for epoch in (0, 1)
    )
    assert len(first) == len(second) == 10
    assert not first & second


def test_shuffled_batches_do_not_come_sorted_by_length():
    examples = random_examples(2_000)
    batches = token_batches(examples, 400, seed=1)
    longest = [max(len(examples[index].target) for index in batch) for batch in batches]
    assert longest != sorted(longest)


def test_without_a_seed_the_order_is_by_length_and_stable():
    examples = [example(3, 9), example(3, 2), example(3, 9), example(2, 2)]
    assert token_batches_as_lists(examples, 9) == [[1, 3], [0], [2]]


def test_source_lengths_go_down_and_up_in_turn():
    examples = [example(source, target) for target in (4, 5, 6) for source in (1, 3, 7)]
    [order] = token_batches(examples, 1_000)
    assert [(len(examples[i].target) - 1, len(examples[i].source)) for i in order] == [
        *[(4, 7), (4, 3), (4, 1)],
        *[(5, 1), (5, 3), (5, 7)],
        *[(6, 7), (6, 3), (6, 1)],
    ]


def test_padding_share_counts_both_sides():
    examples = [example(4, 2), example(2, 2)]
    # Source rows of 4 and 2 fill 6 of 8 places, target rows of 2 and 2 all 4.
    assert padding_share(examples, [[0, 1]]) == pytest.approx(1 - 10 / 12)
    assert padding_share(examples, [[0], [1]]) == 0


def test_length_buckets_waste_far_less_than_random_batches():
    examples = random_examples(5_000)
    order = np.random.default_rng(1).permutation(5_000)
    random_batches = [list(map(int, part)) for part in np.array_split(order, 250)]
    sorted_batches = token_batches(examples, 1_000, seed=1)
    assert padding_share(examples, sorted_batches) < 0.5 * padding_share(examples, random_batches)


def test_encoded_pair_ends_and_begins_as_the_model_expects(tokenizer):
    [encoded] = encode_pairs(
        [SentencePair("a cat", "고양이가")], tokenizer, max_length=50, origin="train"
    )
    assert encoded.source == (*tokenizer.encode("a cat"), EOS_ID)
    assert encoded.target == (BOS_ID, *tokenizer.encode("고양이가"), EOS_ID)


@pytest.mark.parametrize(
    ("side", "pair"), [("source", ("a " * 30, "a")), ("target", ("a", "a " * 30))]
)
def test_sentence_longer_than_the_model_takes_is_named(tokenizer, side, pair):
    pairs = [SentencePair("a cat", "a mat"), SentencePair(*pair)]
    n_tokens = len(tokenizer.encode("a " * 30)) + 1
    with pytest.raises(
        ValueError, match=rf"valid, line 2: the {side} sentence has {n_tokens} tokens.*at most 20"
    ):
        encode_pairs(pairs, tokenizer, max_length=20, origin="valid")


def test_the_longest_sentence_that_fits_is_taken(tokenizer):
    text = "a cat sat on a mat"
    length = len(tokenizer.encode(text)) + 1
    pairs = [SentencePair(text, text)]
    [encoded] = encode_pairs(pairs, tokenizer, max_length=length, origin="train")
    batch = collate([encoded])
    assert batch.source.shape == batch.target_input.shape == (1, length)
    with pytest.raises(ValueError, match=f"{length} tokens"):
        encode_pairs(pairs, tokenizer, max_length=length - 1, origin="train")


def test_pair_larger_than_a_batch_is_named():
    with pytest.raises(ValueError, match=r"train, line 2: the pair has 41 tokens.*at most 40"):
        token_batches([example(3, 3), example(3, 41)], 40, seed=1)


def test_fingerprint_changes_with_any_token_and_with_the_order():
    first, second = example(3, 4), example(4, 4)
    prints = {
        fingerprint(examples)
        for examples in ([first, second], [second, first], [first], [first, first], [])
    }
    assert len(prints) == 5
    assert fingerprint([example(3, 4), example(4, 4)]) == fingerprint([first, second])


def test_batch_tensors_are_integers():
    assert collate([example(2, 2)]).source.dtype == torch.int64
