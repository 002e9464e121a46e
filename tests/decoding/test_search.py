"""The searches against brute force, against each other, and against what they promise."""

import itertools
import math
import os
from dataclasses import FrozenInstanceError
from unittest import mock

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from annotated_transformer.checks import RAISE
from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.beam import Beam
from annotated_transformer.decoding.hypotheses import Hypothesis, length_penalty
from annotated_transformer.decoding.prefixes import WholePrefixes
from annotated_transformer.decoding.search import (
    _unfinished_slots,
    beam_search,
    best_tokens,
    greedy_search,
)
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, PAD_ID
from annotated_transformer.transformer import Transformer

A, B, C, D = 3, 4, 5, 6


class TableModel(nn.Module):
    """A model whose next-token logits are looked up by source sentence and written prefix.

    The first source id of a row names its sentence. Memory repeats that id, so that a search that
    lets memory and source get out of step is caught at once.
    """

    def __init__(self, logits, vocab_size=6, max_length=100, dtype=torch.float32):
        super().__init__()
        self.config = TransformerConfig(
            vocab_size=vocab_size, n_layers=1, d_model=4, d_ff=4, n_heads=1, max_length=max_length
        )
        self.logits = logits
        self.dtype = dtype
        self.rows_seen = []

    def encode(self, source):
        return source[:, :, None].float()

    def decode(self, target, memory, source):
        assert not self.training
        assert torch.is_inference_mode_enabled()
        assert torch.equal(memory[:, :, 0], source.float())
        assert (target[:, 0] == BOS_ID).all()
        self.rows_seen.append([(row[0], *prefix) for row, prefix in _rows(source, target[:, 1:])])
        last = [self.logits(row[0], tuple(prefix)) for row, prefix in _rows(source, target[:, 1:])]
        result = torch.full((*target.shape, self.config.vocab_size), math.nan, dtype=self.dtype)
        result[:, -1] = torch.tensor(last, dtype=self.dtype)
        return result


def _rows(*tensors):
    return zip(*(tensor.tolist() for tensor in tensors), strict=True)


def from_probabilities(table, vocab_size=6, **options):
    """A TableModel for one sentence from {prefix: {token: probability}}; what is absent is zero."""

    def logits(_, prefix):
        probabilities = [table[prefix].get(i, 0.0) for i in range(vocab_size)]
        return [math.log(p) if p else -math.inf for p in probabilities]

    return TableModel(logits, vocab_size, **options)


def random_model(seed, vocab_size=5, **options):
    """A TableModel with independent random logits after every prefix of every sentence."""

    def logits(sentence, prefix):
        generator = torch.Generator().manual_seed(hash((seed, sentence, prefix)) % 2**31)
        return (2 * torch.randn(vocab_size, generator=generator)).tolist()

    return TableModel(logits, vocab_size, **options)


def source_of(*sentences):
    """A padded source with one row per sentence id, of growing length."""
    rows = [[sentence] + [A] * i + [EOS_ID] for i, sentence in enumerate(sentences)]
    return torch.tensor([row + [PAD_ID] * (len(rows[-1]) - len(row)) for row in rows])


def brute_force(model, sentence, max_length, alpha):
    """All outputs of a sentence with their scores, finished before unfinished, best first."""
    size = model.config.vocab_size
    words = [i for i in range(size) if i not in (PAD_ID, BOS_ID, EOS_ID)]
    hypotheses = []
    for length in range(1, max_length + 1):
        for ids in itertools.product(words, repeat=length - 1):
            last = [EOS_ID, *words] if length == max_length else [EOS_ID]
            for output in ((*ids, token) for token in last):
                total = sum(
                    torch.tensor(model.logits(sentence, output[:i])).log_softmax(-1)[token].item()
                    for i, token in enumerate(output)
                )
                hypotheses.append(
                    Hypothesis(
                        ids=output[:-1] if output[-1] == EOS_ID else output,
                        log_probability=total,
                        score=total / ((5 + length) / 6) ** alpha,
                        finished=output[-1] == EOS_ID,
                    )
                )
    return sorted(hypotheses, key=lambda h: (not h.finished, -h.score))


def assert_same(found, expected):
    assert [h.ids for h in found] == [h.ids for h in expected]
    assert [h.finished for h in found] == [h.finished for h in expected]
    assert [h.score for h in found] == pytest.approx([h.score for h in expected], rel=1e-5)
    assert [h.log_probability for h in found] == pytest.approx(
        [h.log_probability for h in expected], rel=1e-5
    )


def test_length_penalty_is_the_formula_of_wu_et_al():
    assert length_penalty(1, 0.6) == 1.0
    assert length_penalty(7, 1.0) == 2.0
    assert length_penalty(19, 0.5) == 2.0
    assert length_penalty(40, 0.0) == 1.0
    assert length_penalty(10, 0.6) == pytest.approx(2.5**0.6)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**20),
    vocab_size=st.integers(4, 6),
    max_length=st.integers(1, 4),
    alpha=st.sampled_from([0.0, 0.6, 1.0, 3.0]),
)
def test_full_width_beam_is_brute_force(seed, vocab_size, max_length, alpha):
    model = random_model(seed, vocab_size)
    width = vocab_size**max_length
    settings = {"beam_size": width, "alpha": alpha, "max_length": max_length, "n_best": width}
    with mock.patch.dict(os.environ, {RAISE: "2"}):  # 6^4 hypotheses are above the ceiling
        found = beam_search(model, source_of(4, 5), **settings)
    for sentence, hypotheses in zip((4, 5), found, strict=True):
        assert_same(hypotheses, brute_force(model, sentence, max_length, alpha))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**20), limits=st.tuples(st.integers(1, 4), st.integers(0, 4)))
def test_full_width_beam_with_a_minimum_is_brute_force_over_what_is_long_enough(seed, limits):
    model, max_length, min_length = random_model(seed), *sorted(limits, reverse=True)
    width = 5**max_length
    (found,) = beam_search(
        model,
        source_of(4),
        beam_size=width,
        max_length=max_length,
        min_length=min_length,
        n_best=width,
    )
    everything = brute_force(model, 4, max_length, 0.6)
    assert_same(found, [h for h in everything if len(h.ids) + h.finished >= min_length])


@pytest.mark.parametrize("search", [greedy_search, beam_search])
def test_minimum_and_maximum_give_exactly_so_many_tokens(search):
    model = TableModel(lambda sentence, prefix: [0.0, 0.0, 9.0, 1.0, 2.0, 0.5])
    for found in search(model, source_of(3, 4), max_length=5, min_length=5):
        best = found if isinstance(found, Hypothesis) else found[0]
        assert (best.ids, best.finished) == ((B, B, B, B), True)
        assert best.log_probability < 4 * -7  # EOS keeps its probability: nothing is renormalised


@pytest.mark.parametrize("search", [greedy_search, beam_search])
def test_minimum_out_of_range(search):
    with pytest.raises(ValueError, match="min_length is 6; expected 0 to 5, the maximum length"):
        search(random_model(0), source_of(4), max_length=5, min_length=6)
    with pytest.raises(ValueError, match="min_length is -1; expected 0 to 52"):
        search(random_model(0), source_of(4, 5), min_length=-1)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**20),
    alpha=st.sampled_from([0.0, 0.6, 1.0, 3.0]),
    n_best=st.integers(1, 6),
)
def test_stopping_early_never_changes_the_result(seed, alpha, n_best):
    model, width = random_model(seed), 5**4
    (found,) = beam_search(
        model, source_of(4), beam_size=width, alpha=alpha, max_length=4, n_best=n_best
    )
    assert_same(found, brute_force(model, 4, 4, alpha)[:n_best])


def search_to_the_end(model, sentence, beam_size, max_length, alpha):
    """The rule of `beam_search` without its bound: nothing is dropped, no sentence ends early."""
    prefixes, finished = [((), 0.0)], []
    for length in range(1, max_length + 1):
        candidates = []
        for ids, total in prefixes:
            log_probs = torch.tensor(model.logits(sentence, ids)).log_softmax(-1).tolist()
            candidates += [
                ((*ids, token), total + log_p)
                for token, log_p in enumerate(log_probs)
                if token not in (PAD_ID, BOS_ID) and log_p > -math.inf
            ]
        candidates.sort(key=lambda candidate: -candidate[1])
        for rank, (ids, total) in enumerate(candidates):
            if ids[-1] == EOS_ID and rank < beam_size:
                score = total / ((5 + length) / 6) ** alpha
                finished.append(
                    Hypothesis(ids=ids[:-1], log_probability=total, score=score, finished=True)
                )
        prefixes = [(ids, total) for ids, total in candidates if ids[-1] != EOS_ID][:beam_size]
    unfinished = [
        Hypothesis(
            ids=ids,
            log_probability=total,
            score=total / ((5 + max_length) / 6) ** alpha,
            finished=False,
        )
        for ids, total in prefixes
    ]
    return sorted(finished + unfinished, key=lambda h: (not h.finished, -h.score))


@settings(max_examples=100, deadline=None)
@given(
    seed=st.integers(0, 2**20),
    beam_size=st.integers(1, 4),
    n_best=st.integers(1, 4),
    max_length=st.integers(1, 12),
    alpha=st.sampled_from([0.0, 0.6, 1.0, 3.0]),
)
def test_narrow_beam_ends_only_when_nothing_can_change(seed, beam_size, n_best, max_length, alpha):
    model, n_best = random_model(seed), min(beam_size, n_best)
    (found,) = beam_search(
        model,
        source_of(4),
        beam_size=beam_size,
        alpha=alpha,
        max_length=max_length,
        n_best=n_best,
    )
    assert_same(found, search_to_the_end(model, 4, beam_size, max_length, alpha)[:n_best])


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**20), alpha=st.sampled_from([0.0, 0.6, 2.0]))
def test_beam_of_one_is_greedy_without_penalty_and_never_worse_with_it(seed, alpha):
    model = random_model(seed, vocab_size=6)
    source = source_of(3, 4, 5)
    greedy = greedy_search(model, source, max_length=8)
    beams = beam_search(model, source, beam_size=1, alpha=alpha, max_length=8)
    for hypothesis, (beam,) in zip(greedy, beams, strict=True):
        length = len(hypothesis.ids) + hypothesis.finished
        assert beam.finished == hypothesis.finished
        assert beam.score >= hypothesis.score / length_penalty(length, alpha)
        if alpha == 0:
            assert beam == hypothesis


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**20), beam_size=st.integers(1, 5), n_best=st.integers(1, 5))
def test_result_does_not_depend_on_the_batch(seed, beam_size, n_best):
    model = random_model(seed, vocab_size=6)
    options = {"beam_size": beam_size, "max_length": 7, "n_best": min(beam_size, n_best)}
    source = source_of(5, 3, 4)[[2, 0, 1]]
    together = beam_search(model, source, **options)
    alone = [beam_search(model, row[row != PAD_ID][None], **options)[0] for row in source]
    assert together == alone


def tiny_transformer(**overrides):
    torch.manual_seed(0)
    config = TransformerConfig(
        vocab_size=17, n_layers=2, d_model=16, d_ff=24, n_heads=2, max_length=40, **overrides
    )
    return Transformer(config)


@pytest.mark.parametrize("search", [greedy_search, beam_search])
def test_transformer_batch_of_k_is_k_batches_of_one(search):
    model = tiny_transformer()
    source = torch.full((5, 9), PAD_ID)
    for row, length in enumerate([8, 3, 1, 5, 8]):
        source[row, :length] = torch.randint(3, 17, (length,))
        source[row, length] = EOS_ID
    together = search(model, source)
    for row, found in zip(source, together, strict=True):
        (alone,) = search(model, row[row != PAD_ID][None])
        assert_same(*([h] if isinstance(h, Hypothesis) else h for h in (found, alone)))


def test_scores_are_those_of_teacher_forcing():
    model = tiny_transformer().eval()
    source = torch.tensor([[5, 6, 7, EOS_ID], [8, 9, EOS_ID, PAD_ID]])
    for row, hypotheses in zip(source, beam_search(model, source, n_best=4), strict=True):
        for h in hypotheses:
            output = [*h.ids, EOS_ID] if h.finished else list(h.ids)
            with torch.no_grad():
                logits = model(row[row != PAD_ID][None], torch.tensor([[BOS_ID, *output[:-1]]]))
            log_probs = logits[0].log_softmax(-1)[range(len(output)), output]
            assert h.log_probability == pytest.approx(log_probs.sum().item(), rel=1e-4)
            assert h.score == pytest.approx(h.log_probability / ((5 + len(output)) / 6) ** 0.6)


def test_finished_hypothesis_is_frozen():
    """Its ids and score stay, and the model is never asked what follows EOS."""
    table = {
        (): {EOS_ID: 0.5, A: 0.3, B: 0.2},
        (A,): {EOS_ID: 0.6, A: 0.4},
        (B,): {EOS_ID: 0.8, A: 0.2},
    }
    model = from_probabilities(table)
    (found,) = beam_search(model, source_of(4), beam_size=3, alpha=0.0, max_length=2, n_best=3)
    assert [h.ids for h in found] == [(), (A,), (B,)]
    assert [math.exp(h.score) for h in found] == pytest.approx([0.5, 0.18, 0.16])
    assert not any(EOS_ID in prefix for rows in model.rows_seen for _, *prefix in rows)


def test_nobody_changes_a_hypothesis_afterwards():
    found = beam_search(random_model(0), source_of(4))[0][0]
    with pytest.raises(FrozenInstanceError):
        found.score = 0.0


def test_search_goes_on_while_an_unfinished_hypothesis_can_win():
    """The first finished hypothesis leads, and loses under the length penalty three steps later."""
    table = {
        (): {EOS_ID: 0.4, A: 0.35, B: 0.25},
        (B,): {EOS_ID: 1.0},
        (A,): {A: 1.0},
        (A, A): {A: 1.0},
        (A, A, A): {EOS_ID: 1.0},
    }
    options = {"beam_size": 2, "max_length": 10}
    (plain,) = beam_search(from_probabilities(table), source_of(4), alpha=0.0, **options)
    (longer,) = beam_search(from_probabilities(table), source_of(4), alpha=1.0, **options)
    assert plain[0].ids == ()
    assert longer[0].ids == (A, A, A)
    assert longer[0].score == pytest.approx(math.log(0.35) / (9 / 6))


def late_winner():
    """The most probable outputs are short, the one with the best score is long.

    Finished, by probability: B .38, A C .2184, A C D...D .2016, A .18; D is written 22 times.
    """
    table = {
        (): {A: 0.6, B: 0.4},
        (A,): {EOS_ID: 0.3, C: 0.7},
        (B,): {EOS_ID: 0.95, B: 0.05},
        (B, B): {EOS_ID: 1.0},
        (A, C): {EOS_ID: 0.52, D: 0.48},
    }
    table |= {(A, C) + (D,) * i: {D: 1.0} for i in range(1, 22)}
    return table | {(A, C) + (D,) * 22: {EOS_ID: 1.0}}


@pytest.mark.parametrize("beam_size", [1, 2, 3, 4])
def test_finished_hypotheses_take_no_place_from_prefixes(beam_size):
    """If B and A C kept places of two, A C D would be dropped although it can still win."""
    model = from_probabilities(late_winner(), vocab_size=7)
    (found,) = beam_search(model, source_of(4), beam_size=beam_size, max_length=52)
    assert found[0].ids == (A, C) + (D,) * 22
    assert found[0].log_probability == pytest.approx(math.log(0.6 * 0.7 * 0.48), rel=1e-5)
    assert found[0].score == pytest.approx(-1.6015 / 2.6265, rel=1e-4)  # ((5 + 25) / 6) ** 0.6
    (greedy,) = greedy_search(model, source_of(4), max_length=52)
    assert greedy.ids == (A, C)


def test_prefixes_that_cannot_win_are_not_continued():
    """B B, of probability .02, is at most -3.912 / (57 / 6) ** 0.6 = -1.013; B itself is -0.882."""
    model = from_probabilities(late_winner(), vocab_size=7)
    beam_search(model, source_of(4), beam_size=4, max_length=52)
    asked = [prefix for rows in model.rows_seen for _, *prefix in rows]
    assert [B] in asked
    assert [B, B] not in asked


def test_a_finished_hypothesis_must_be_among_the_best_of_the_beam():
    table = {
        (): {A: 0.5, B: 0.3, EOS_ID: 0.2},
        (A,): {EOS_ID: 0.3, A: 0.7},
        (B,): {EOS_ID: 0.3, B: 0.7},
    }
    options = {"alpha": 0.0, "max_length": 2}
    for beam_size, ids, finished in [(2, (A, A), False), (3, (), True)]:
        (found,) = beam_search(
            from_probabilities(table), source_of(4), beam_size=beam_size, **options
        )
        assert (found[0].ids, found[0].finished) == (ids, finished)


def test_search_ends_as_soon_as_no_unfinished_hypothesis_can_win():
    """A prefix of probability 0.1 can overtake 0.9 only if the penalty makes up for log 0.1."""
    table = {(): {EOS_ID: 0.9, A: 0.1}} | {(A,) * i: {A: 1.0} for i in range(1, 40)}
    for alpha, steps in [(0.0, 1), (0.6, 1), (3.0, 20)]:
        model = from_probabilities(table)
        (found,) = beam_search(model, source_of(4), beam_size=2, alpha=alpha, max_length=20)
        assert found[0].ids == ()
        assert len(model.rows_seen) == steps


def test_bound_uses_the_maximum_length_of_the_sentence():
    """With alpha = 1, log 0.1 = -2.30 can overtake log 0.5 = -0.69 from length 15 on."""
    table = {(A,) * i: {A: 1.0} for i in range(1, 15)} | {(): {EOS_ID: 0.5, A: 0.1, PAD_ID: 0.4}}
    for max_length, steps in [(13, 1), (14, 1), (15, 15)]:
        assert (math.log(0.1) / length_penalty(max_length, 1.0) > math.log(0.5)) == (steps > 1)
        model = from_probabilities(table)
        beam_search(model, source_of(4), beam_size=2, alpha=1.0, max_length=max_length)
        assert len(model.rows_seen) == steps


def test_n_best_searches_until_all_of_them_are_safe():
    table = {
        (): {EOS_ID: 0.6, A: 0.4},
        (A,): {EOS_ID: 0.5, A: 0.4, B: 0.1},
        (A, A): {EOS_ID: 1.0},
        (A, B): {EOS_ID: 1.0},
    }
    model = from_probabilities(table)
    (best,) = beam_search(model, source_of(4), beam_size=3, alpha=0.0, max_length=3)
    assert (best[0].ids, len(model.rows_seen)) == ((), 1)
    (found,) = beam_search(model, source_of(4), beam_size=3, alpha=0.0, max_length=3, n_best=3)
    assert [h.ids for h in found] == [(), (A,), (A, A)]


def test_unfinished_hypotheses_rank_after_finished_ones_whatever_their_score():
    table = {
        (): {EOS_ID: 0.1, A: 0.9},
        (A,): {A: 0.96, B: 0.04},
        (A, A): {A: 1.0},
        (A, B): {A: 1.0},
    }
    (found,) = beam_search(
        from_probabilities(table), source_of(4), beam_size=3, alpha=0.0, max_length=3, n_best=3
    )
    assert [(h.ids, h.finished) for h in found] == [
        ((), True),
        ((A, A, A), False),
        ((A, B, A), False),
    ]
    assert found[1].score > found[0].score


def test_greedy_marks_what_the_maximum_length_cut_off():
    model = from_probabilities({(A,) * i: {A: 0.9, EOS_ID: 0.1} for i in range(9)})
    (found,) = greedy_search(model, source_of(4), max_length=3)
    assert (found.ids, found.finished) == ((A, A, A), False)
    assert found.log_probability == pytest.approx(3 * math.log(0.9), rel=1e-5)


@pytest.mark.parametrize("beam_size", [1, 2, 3, 4])
def test_ties_go_to_the_lower_id_and_the_better_prefix(beam_size):
    model = TableModel(lambda sentence, prefix: [0.0] * 6)
    (found,) = beam_search(
        model, source_of(4), beam_size=beam_size, alpha=0.0, max_length=2, n_best=beam_size
    )
    expected = [(), (A,), (A, A), (A, B)]
    assert [h.ids for h in found] == expected[:beam_size]
    assert greedy_search(model, source_of(4), max_length=2)[0].ids == ()


def test_of_many_equal_tokens_the_lowest_ids_are_taken():
    """A sort that may exchange equals does so from 17 of them on."""
    assert best_tokens(torch.zeros(1, 1, 40), 3) == [[[(0, 0.0), (1, 0.0), (2, 0.0)]]]


def test_of_equal_scores_the_first_to_finish_wins_and_the_other_is_not_waited_for():
    model = from_probabilities({(): {EOS_ID: 0.5, A: 0.5}, (A,): {EOS_ID: 1.0}})
    (found,) = beam_search(model, source_of(4), beam_size=2, alpha=0.0, max_length=9)
    assert (found[0].ids, len(model.rows_seen)) == ((), 1)
    (both,) = beam_search(model, source_of(4), beam_size=2, alpha=0.0, max_length=9, n_best=2)
    assert [h.ids for h in both] == [(), (A,)]
    assert both[0].score == both[1].score


def test_padding_and_beginning_are_never_written_and_nothing_is_renormalised():
    table = {(A,) * i: {PAD_ID: 0.5, BOS_ID: 0.3, A: 0.15, EOS_ID: 0.05} for i in range(5)}
    model = from_probabilities(table)
    (found,) = beam_search(model, source_of(4), beam_size=20, alpha=0.0, max_length=2, n_best=20)
    assert [h.ids for h in found] == [(), (A,), (A, A)]
    assert math.exp(found[0].log_probability) == pytest.approx(0.05)
    greedy = greedy_search(model, source_of(4), max_length=2)
    assert greedy[0].ids == (A, A)
    assert math.exp(greedy[0].log_probability) == pytest.approx(0.15**2)


def test_impossible_tokens_are_no_candidates():
    model = TableModel(lambda sentence, prefix: [-math.inf, -math.inf, 0.0, -math.inf, 0.0, 0.0])
    (found,) = beam_search(model, source_of(4), beam_size=30, max_length=2, n_best=30)
    assert {h.ids for h in found} == {(), (B,), (C,), (B, B), (B, C), (C, B), (C, C)}


def test_default_maximum_is_source_length_plus_50_per_sentence():
    endless = {(A,) * i: {A: 1.0} for i in range(60)}
    model = from_probabilities(endless)
    rows = torch.tensor([[4, EOS_ID, PAD_ID, PAD_ID], [4, A, A, EOS_ID]])
    assert [len(h.ids) for h in greedy_search(model, rows)] == [52, 54]
    assert [len(beam[0].ids) for beam in beam_search(model, rows, beam_size=2)] == [52, 54]


def test_maximum_never_exceeds_what_the_model_accepts():
    endless = {(A,) * i: {A: 1.0} for i in range(60)}
    for search in (greedy_search, beam_search):
        model = from_probabilities(endless, max_length=7)
        search(model, source_of(4))
        assert max(len(row) - 1 for rows in model.rows_seen for row in rows) == 6
        with pytest.raises(ValueError, match=r"max_length is 8; expected 1 to 7"):
            search(model, source_of(4), max_length=8)


def test_finished_sentences_leave_the_batch():
    def logits(sentence, prefix):
        end = 30.0 if len(prefix) == {3: 0, 4: 2, 5: 1}[sentence] else -30.0
        return [0.0, 0.0, end, 1.0, 0.0, 0.0]

    model = TableModel(logits)
    greedy_search(model, source_of(3, 4, 5))
    assert [{row[0] for row in rows} for rows in model.rows_seen] == [{3, 4, 5}, {4, 5}, {4}]
    model = TableModel(logits)
    beam_search(model, source_of(3, 4, 5), beam_size=2)
    assert [{row[0] for row in rows} for rows in model.rows_seen] == [{3, 4, 5}, {4, 5}, {4}]


def test_low_precision_logits_are_normalised_in_float32():
    fine = TableModel(lambda sentence, prefix: [0.0, 0.0, 1.0, 3.0, 2.0, 0.5])
    coarse = TableModel(fine.logits, dtype=torch.bfloat16)
    options = {"beam_size": 3, "max_length": 4, "n_best": 3}
    assert beam_search(coarse, source_of(4), **options) == beam_search(
        fine, source_of(4), **options
    )


@pytest.mark.parametrize("search", [greedy_search, beam_search])
def test_training_mode_is_restored_module_by_module_and_training_goes_on(search):
    model = tiny_transformer(dropout=0.5)
    model.encoder.eval()
    before = {name: module.training for name, module in model.named_modules()}
    source = torch.tensor([[5, 6, EOS_ID]])
    assert search(model, source) == search(model, source)  # no dropout
    assert {name: module.training for name, module in model.named_modules()} == before
    model(source, torch.tensor([[BOS_ID, 7]])).sum().backward()

    model.config = TransformerConfig(vocab_size=17, n_layers=1, d_model=4, n_heads=1, max_length=2)
    with pytest.raises(ValueError, match="max_length"):
        search(model, source)
    assert {name: module.training for name, module in model.named_modules()} == before


def test_empty_batch_has_no_translations():
    source = torch.zeros((0, 3), dtype=torch.long)
    assert beam_search(tiny_transformer(), source) == []
    assert greedy_search(tiny_transformer(), source) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beam_size": 0}, "beam_size is 0; expected at least 1"),
        ({"n_best": 5}, "n_best is 5; expected 1 to 4"),
        ({"n_best": 0}, "n_best is 0; expected 1 to 4"),
        ({"alpha": -0.1}, "alpha is -0.1; expected a finite number, 0 or more"),
        ({"alpha": math.nan}, "alpha is nan"),
        ({"alpha": math.inf}, "alpha is inf"),
        ({"max_length": 0}, "max_length is 0; expected 1 to 100"),
    ],
)
def test_parameters_out_of_range(options, message):
    with pytest.raises(ValueError, match=message):
        beam_search(random_model(0), source_of(4), **options)


@pytest.mark.parametrize("search", [greedy_search, beam_search])
def test_bad_source_and_bad_logits(search):
    with pytest.raises(ValueError, match="row 1 of the source is all padding"):
        search(random_model(0), torch.tensor([[4, EOS_ID], [PAD_ID, PAD_ID]]))
    broken = TableModel(lambda sentence, prefix: [0.0] * 5 + [math.nan])
    with pytest.raises(ValueError, match="after 0 tokens leave no token to choose"):
        search(broken, source_of(4))
    mute = TableModel(lambda sentence, prefix: [0.0, 0.0] + [-math.inf] * 4)
    with pytest.raises(ValueError, match="all probability is on PAD and BOS"):
        search(mute, source_of(4))
    late = TableModel(lambda sentence, prefix: [0.0] * 3 + [9.0, 0.0, [0.0, math.nan][len(prefix)]])
    with pytest.raises(ValueError, match="after 1 tokens leave no token to choose"):
        search(late, source_of(4))


@given(goes_on=st.lists(st.booleans(), max_size=12))
def test_places_are_closed_up_by_moving_the_last_ones_into_the_gaps(goes_on):
    kept = _unfinished_slots(goes_on)
    assert sorted(kept) == [place for place, going in enumerate(goes_on) if going]
    moved = [place for new, place in enumerate(kept) if new != place]
    assert len(moved) == sum(not going for going in goes_on[: len(kept)])


def test_padding_has_the_id_that_the_model_says_and_lower_ids_are_words():
    torch.manual_seed(0)
    model = Transformer(TransformerConfig.tiny(vocab_size=10, padding_id=7)).eval()
    written = greedy_search(model, torch.tensor([[A, B, EOS_ID]]))
    padded = greedy_search(model, torch.tensor([[A, B, EOS_ID, 7, 7]]))
    assert [hypothesis.ids for hypothesis in padded] == [hypothesis.ids for hypothesis in written]


@pytest.mark.parametrize(
    ("length", "alpha", "says"),
    [
        (0, 0.6, "length is 0"),
        (-1, 0.6, "length is -1"),
        (2, -0.5, "alpha is -0.5"),
        (2, math.inf, "alpha is inf"),
        (2, math.nan, "alpha is nan"),
        (2, True, "alpha is True"),
    ],
)
def test_a_length_penalty_refuses_what_has_none(length, alpha, says):
    with pytest.raises(ValueError, match=f"^{says}"):
        length_penalty(length, alpha)


def test_sentences_that_all_go_on_are_not_moved():
    def logits(_, prefix):
        return [0.0, 0.0, 9.0, 0.0] if len(prefix) == 3 else [0.0, 0.0, 0.0, 9.0]

    model = TableModel(logits, vocab_size=4)
    with mock.patch.object(WholePrefixes, "select", autospec=True) as select:
        found = greedy_search(model, torch.tensor([[A, EOS_ID], [B, EOS_ID]]))
    assert [hypothesis.ids for hypothesis in found] == [(A, A, A)] * 2
    select.assert_not_called()


def test_what_has_several_numbers_is_made_with_their_names():
    with pytest.raises(TypeError, match="positional"):
        Hypothesis((A,), -1.0, -0.5, True)
    with pytest.raises(TypeError, match="positional"):
        Beam(4, 0.6, 1, 10)
