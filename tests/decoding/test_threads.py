"""A search takes as many threads as wait for no other program, and gives all of them back."""

import pytest
import torch

from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding import threads
from annotated_transformer.decoding.threads import undisturbed_threads
from annotated_transformer.decoding.workers import one_by_one
from annotated_transformer.transformer import Transformer

SECONDS = {
    "quiet": ({1: 1.0, 2: 0.6, 4: 0.4}, 4),
    "too small to gain": ({1: 1.0, 2: 1.0, 4: 2.9}, 4),
    "two cores taken": ({1: 1.0, 2: 0.6, 4: 80.0}, 2),
    "all taken": ({1: 1.0, 2: 70.0, 4: 80.0}, 1),
}
"""Of a product by the number of its threads, and how many are to be taken of four."""


@pytest.fixture
def four():
    before = torch.get_num_threads()
    torch.set_num_threads(4)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("case", SECONDS)
@pytest.mark.usefixtures("four")
def test_all_threads_or_half_of_them_again_and_again_until_none_waits(monkeypatch, case):
    seconds, expected = SECONDS[case]
    monkeypatch.setattr(threads, "seconds_of_product", seconds.__getitem__)
    with undisturbed_threads() as count:
        assert count == torch.get_num_threads() == expected
    assert torch.get_num_threads() == 4


def test_one_thread_is_not_timed(monkeypatch):
    monkeypatch.setattr(threads, "seconds_of_product", None)
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    with undisturbed_threads() as count:
        assert count == 1
    torch.set_num_threads(before)


@pytest.mark.usefixtures("four")
def test_a_search_has_them_and_also_one_that_fails_gives_them_back(monkeypatch):
    monkeypatch.setattr(threads, "seconds_of_product", SECONDS["two cores taken"][0].__getitem__)
    model = Transformer(TransformerConfig.tiny(vocab_size=10))
    counts = []

    def search(model, source):
        counts.append(torch.get_num_threads())
        if len(counts) == 2:
            raise ValueError("the second")
        return []

    found = one_by_one(model, search, [[[3, 2]], [[4, 2]]])
    assert next(found) == []
    assert torch.get_num_threads() == 4
    with pytest.raises(ValueError, match="the second"):
        next(found)
    assert counts == [2, 2]
    assert torch.get_num_threads() == 4


@pytest.mark.usefixtures("four")
def test_a_product_is_timed_with_the_threads_that_it_is_to_have():
    assert threads.seconds_of_product(2) > 0
    assert torch.get_num_threads() == 2


@pytest.mark.parametrize("case", SECONDS)
@pytest.mark.usefixtures("four")
def test_a_run_is_told_where_its_threads_would_wait(monkeypatch, case):
    seconds, expected = SECONDS[case]
    monkeypatch.setattr(threads, "seconds_of_product", seconds.__getitem__)
    monkeypatch.setattr(threads, "PAUSE", 0)
    told = threads.advice()
    assert (told is None) == (expected == 4)
    assert told is None or ("4 threads wait" in told and f"OMP_NUM_THREADS={expected} " in told)
    assert torch.get_num_threads() == 4
