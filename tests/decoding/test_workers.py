"""Batches of sentences, and several processes that find what one finds."""

import os
import signal
import threading
import time
from functools import partial
from multiprocessing.reduction import ForkingPickler
from types import SimpleNamespace

import interrupted
import pytest
import torch
from forked import CONTEXT, Forked, ends_of, wait_for_ends
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding import workers as side_by_side
from annotated_transformer.decoding.search import beam_search
from annotated_transformer.decoding.workers import (
    WorkerError,
    Workers,
    in_batches,
    one_by_one,
    padded,
)
from annotated_transformer.fast.int8 import quantised
from annotated_transformer.transformer import Transformer

SIZES = {"n_layers": 2, "d_model": 16, "d_ff": 24, "n_heads": 2, "max_length": 20}
BATCHES = [[(5, 6, 7, 2), (9, 2)], [(8, 8, 2)], [(4, 2), (11, 12, 13, 14, 2), (6, 2)]]
SEARCH = partial(beam_search, beam_size=3, max_length=8)


def make_model(seed=1):
    torch.manual_seed(seed)
    return Transformer(TransformerConfig.tiny(vocab_size=20, dropout=0.0, **SIZES)).eval()


@pytest.fixture(scope="module")
def model():
    return make_model()


@pytest.fixture(scope="module", autouse=True)
def forked_workers():
    """Fork the workers from a process that has imported torch, so that each need not.

    They begin as programs have them where a `Translator` is tested.
    """
    with pytest.MonkeyPatch.context() as patch:
        context = SimpleNamespace(get_context=lambda _: CONTEXT)
        patch.setattr(side_by_side, "multiprocessing", context)
        yield


@pytest.fixture(scope="module")
def two():
    """The tests share them."""
    workers = Workers(2)
    yield workers
    workers.close()


def process_of_a_worker(model, source):
    return [[(os.getpid(), torch.get_num_threads())]]


def ending(model, source):
    os.kill(os.getpid(), signal.SIGKILL)


@given(st.lists(st.integers(1, 9), max_size=70), st.integers(1, 12), st.integers(1, 4))
def test_batches_hold_each_sentence_once_the_longest_first(lengths, size, workers):
    sources = [(5,) * length for length in lengths]
    batches = in_batches(sources, size, workers)
    order = [place for batch in batches for place in batch]
    assert sorted(order) == list(range(len(lengths)))
    assert [lengths[place] for place in order] == sorted(lengths, reverse=True)
    assert all(1 <= len(batch) <= size for batch in batches)


@given(st.integers(1, 200), st.integers(1, 40), st.integers(1, 4))
def test_no_worker_has_much_more_to_do_than_another(sentences, size, workers):
    batches = in_batches([(5, 2)] * sentences, size, workers)
    sizes = [len(batch) for batch in batches]
    assert max(sizes) == sizes[0]
    assert len(set(sizes[:-1])) <= 1
    rounds = -(-sentences // (size * workers))
    assert len(batches) <= rounds * workers
    # No smaller batch would do with as many rounds.
    assert sizes[0] == -(-sentences // (rounds * workers))


def test_rows_are_filled_up_on_the_right():
    assert padded([(5, 6, 2), (7, 2)], 0).tolist() == [[5, 6, 2], [7, 2, 0]]


def test_batches_are_searched_in_the_order_given(model):
    found = list(one_by_one(model, SEARCH, BATCHES))
    assert [len(batch) for batch in found] == [2, 1, 3]
    assert found[0] == beam_search(model, padded(BATCHES[0], 0), beam_size=3, max_length=8)


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_two_workers_find_what_one_finds_in_the_same_order(model, two, precision):
    if precision == "int8":
        model = quantised(model)
    expected = list(one_by_one(model, SEARCH, BATCHES))
    found = list(two.search(model, SEARCH, BATCHES))
    for batches in zip(found, expected, strict=True):
        for ours, theirs in zip(*batches, strict=True):
            assert [each.ids for each in ours] == [each.ids for each in theirs]
            assert [each.score for each in ours] == pytest.approx([each.score for each in theirs])


def test_workers_are_other_processes_with_a_thread_each_and_one_worker_is_this_one(model, two):
    places = {place for ((place,),) in two.search(model, process_of_a_worker, BATCHES)}
    assert os.getpid() not in {process for process, _ in places}
    assert {threads for _, threads in places} == {1}
    (((here, _),),) = next(Workers(1).search(model, process_of_a_worker, BATCHES))
    assert here == os.getpid()


def test_an_error_of_a_search_is_that_of_its_worker(model, two):
    with pytest.raises(ValueError, match="beam_size is 0; expected at least 1"):
        list(two.search(model, partial(beam_search, beam_size=0), BATCHES))
    assert len(list(two.search(model, SEARCH, BATCHES))) == 3


def test_a_process_that_is_killed_is_told_of_in_a_sentence(model):
    workers = Workers(2)
    with pytest.raises(WorkerError, match=r"has ended. Was the memory too little\?"):
        list(workers.search(model, ending, BATCHES[:1]))
    assert len(list(workers.search(model, SEARCH, BATCHES[:1]))) == 1  # by others
    workers.close()
    workers.close()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_workers_end_with_the_program_however_it_ends_and_leave_no_file(tmp_path, number):
    for name in ("ends", "temporary"):
        (tmp_path / name).mkdir()
    program = Forked(interrupted.with_workers, tmp_path / "ends")
    ends = ends_of(tmp_path / "ends", 2, program)
    assert list(tmp_path.glob("temporary/*/*.safetensors"))
    program.send_signal(number)
    program.end()
    wait_for_ends(ends)
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.parametrize("count", [0, -1])
def test_there_is_at_least_one_worker(count):
    with pytest.raises(ValueError, match=f"workers is {count}; expected at least 1"):
        Workers(count)


def test_several_workers_are_for_the_cpu():
    Workers(1, "meta")
    with pytest.raises(ValueError, match=r"workers is 2; several are for the device cpu, .* meta"):
        Workers(2, "meta")


def test_workers_that_get_another_model_search_with_it(model, two):
    other = make_model(seed=2)
    list(two.search(model, SEARCH, BATCHES))
    found = [batch[0][0].ids for batch in two.search(other, SEARCH, BATCHES)]
    assert found == [batch[0][0].ids for batch in one_by_one(other, SEARCH, BATCHES)]
    assert found != [batch[0][0].ids for batch in one_by_one(model, SEARCH, BATCHES)]


CHANGES = {
    "in place": lambda weight: weight.mul_(-1),
    "behind PyTorch's counter": lambda weight: weight.data.mul_(-1),
    "as an array": lambda weight: weight.detach().numpy().__imul__(-1),
    "other numbers": lambda weight: setattr(weight, "data", -weight.detach()),
}


@pytest.mark.parametrize("change", CHANGES)
def test_workers_search_with_the_weights_as_they_are_now(two, change):
    model = make_model()
    list(two.search(model, SEARCH, BATCHES))
    with torch.no_grad():
        CHANGES[change](model.output.weight)
    found = [batch[0][0].ids for batch in two.search(model, SEARCH, BATCHES)]
    assert found == [batch[0][0].ids for batch in one_by_one(model, SEARCH, BATCHES)]
    assert found != [batch[0][0].ids for batch in one_by_one(make_model(), SEARCH, BATCHES)]


def test_workers_whose_model_is_as_it_was_stay(two):
    model = make_model()
    before, after = (
        {place for ((place,),) in two.search(model, process_of_a_worker, BATCHES * 3)}
        for _ in range(2)
    )
    assert before & after


def waiting_for(path, model, source):
    """A search that says that it has begun, and ends when somebody lets it."""
    path.with_name(f"begun {os.getpid()}").touch()
    while not path.exists():
        time.sleep(0.01)
    return [[]]


def test_workers_closed_in_mid_search_are_told_of_in_a_sentence(model, tmp_path):
    workers, errors = Workers(2), []

    def searching():
        try:
            list(workers.search(model, partial(waiting_for, tmp_path / "go"), BATCHES * 20))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=searching)]
    threads[0].start()
    while not list(tmp_path.glob("begun *")):
        time.sleep(0.01)
    threads += [threading.Thread(target=workers.close) for _ in range(2)]
    for each in threads[1:]:
        each.start()
    while workers._pool:
        time.sleep(0.01)
    (tmp_path / "go").touch()
    for each in threads:
        each.join()
    assert [type(error) for error in errors] == [WorkerError]
    assert "closed, or given other weights, while they translated" in str(errors[0])
    assert len(list(workers.search(model, SEARCH, BATCHES[:1]))) == 1  # by others
    workers.close()


def test_next_to_nothing_goes_to_a_worker_through_a_pipe():
    """A process that ends before it has read a full pipe would let its parent wait for ever."""
    config = TransformerConfig.tiny(vocab_size=20, **SIZES | {"n_layers": 60})
    pool = side_by_side._Pool(2, Transformer(config))
    try:
        sent = pool.processes._initializer, pool.processes._initargs
        assert len(ForkingPickler.dumps(sent)) < 1_000
    finally:
        pool.end()
