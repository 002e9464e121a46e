"""Batches: every pair once, none too large, little padding, the same from the same seed."""

from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.lab.run_data import padding_share
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, PAD_ID
from annotated_transformer.training.batching import (
    IDLE,
    collate,
    make_batch,
    token_batches,
    updates,
)
from annotated_transformer.training.encoded import Example, TokenPairs
from annotated_transformer.training.recipe import load_recipe


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


def test_pair_larger_than_a_batch_is_named():
    with pytest.raises(ValueError, match=r"train, line 2: the pair has 41 tokens.*at most 40"):
        token_batches([example(3, 3), example(3, 41)], 40, seed=1)


def test_batch_tensors_are_integers():
    assert collate([example(2, 2)]).source.dtype == torch.int64


# The stream of updates.


def ids_of(update):
    return [batch.source.tolist() for batch in update.batches]


FOUR = [
    Example((5, 6, 7, 2), (1, 8, 9, 2)),
    Example((6, 2), (1, 9, 9, 8, 2)),
    Example((5, 5, 2), (1, 8, 2)),
    Example((7, 2), (1, 2)),
]


def test_stream_continues_from_any_position():
    recipe = load_recipe("english_korean", ["training.tokens_per_batch=8", "training.accumulate=2"])
    stream, positions, seen = updates(FOUR, recipe), [(0, 0)], []
    for _ in range(9):
        update = next(stream)
        positions.append((update.epoch, update.next_batch))
        seen.append(ids_of(update))
    assert positions[-1][0] >= 2
    for i, (epoch, batch) in enumerate(positions):
        again = updates(FOUR, recipe, epoch=epoch, batch=batch)
        assert [ids_of(next(again)) for _ in range(9 - i)] == seen[i:]


def test_an_epoch_of_the_stream_is_all_batches_of_the_plan():
    recipe = load_recipe("english_korean", ["training.tokens_per_batch=8", "training.accumulate=2"])
    plan, rows = token_batches(FOUR, 8, seed=recipe.seed, epoch=0), 0
    for update in updates(FOUR, recipe):
        rows += sum(batch.source.size(0) for batch in update.batches)
        if update.next_batch == len(plan):
            break
    assert update.epoch == 0
    assert rows == len(FOUR)


# The shares of several processes.

LENGTHS = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=40)


def numbered(number, source, target):
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
    pairs = [numbered(number, *sides) for number, sides in enumerate(lengths)]
    recipe = load_recipe(
        "english_korean", ["training.tokens_per_batch=40", f"training.accumulate={accumulate}"]
    )
    alone = updates(pairs, recipe)
    ranks = [updates(pairs, recipe, rank=rank, world_size=world_size) for rank in range(world_size)]
    for _ in range(n):
        whole, shares = next(alone), [next(rank) for rank in ranks]
        for share in shares:
            assert (share.epoch, share.next_batch) == (whole.epoch, whole.next_batch)
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
    assert make_batch(TokenPairs.of([numbered(0, 1, 1)]), []) is IDLE


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
    examples = [numbered(number, *sides) for number, sides in enumerate(lengths)]
    plan = token_batches(examples, limit, seed=seed, epoch=epoch)
    assert [batch.tolist() for batch in plan] == plain_plan(examples, limit, seed, epoch)


@given(lengths=LENGTHS)
def test_batch_is_that_of_plain_python(lengths):
    examples = [numbered(number, *sides) for number, sides in enumerate(lengths)]

    def padded(some):
        longest = max(map(len, some))
        return torch.tensor([[*row, *[PAD_ID] * (longest - len(row))] for row in some])

    batch = collate(examples)
    assert torch.equal(batch.source, padded([pair.source for pair in examples]))
    assert torch.equal(batch.target_input, padded([pair.target[:-1] for pair in examples]))
    assert torch.equal(batch.target_output, padded([pair.target[1:] for pair in examples]))
