import itertools
import math

import pytest
import torch

from annotated_transformer import beam_search, greedy_search
from annotated_transformer.decoding.prefixes import EncoderDecoder
from annotated_transformer.lab.analysis.small_models import RandomModel, TableModel
from annotated_transformer.tokenizer import EOS_ID

TABLE = {(): {"a": 0.6, "b": 0.4}, ("a",): {"a": 0.5, "<eos>": 0.5}}
SOURCE = torch.tensor([[EOS_ID]])


def test_a_table_is_read_as_it_is_written():
    model = TableModel(TABLE)
    assert isinstance(model, EncoderDecoder)
    assert model.words == ["<pad>", "<bos>", "<eos>", "<unk>", "a", "b"]
    assert model.probabilities(()) == [0, 0, 0, 0, 0.6, 0.4]
    assert model.probabilities((4,)) == [0, 0, 0.5, 0, 0.5, 0]
    assert model.probabilities((5,)) == [0, 0, 1, 0, 0, 0]  # the table ends: so does the sentence
    assert model.text((5, 4)) == "b a"


def test_all_sentences_of_a_table():
    """By hand: a ends or goes on to a a, which ends; b ends."""
    found = {TableModel(TABLE).text(ids): p for ids, p in TableModel(TABLE).sentences(3).items()}
    assert found == pytest.approx({"a": 0.3, "a a": 0.3, "b": 0.4})
    shorter = TableModel(TABLE).sentences(longest=2)
    assert {TableModel(TABLE).text(ids) for ids in shorter} == {"a", "b"}


@pytest.mark.parametrize("seed", range(3))
def test_a_sentence_has_the_product_of_its_probabilities(seed):
    model = RandomModel(seed)
    found = model.sentences(longest=4)
    beginnings = [ids for n in range(4) for ids in itertools.product((4, 5, 6), repeat=n)]
    assert sorted(found) == sorted(beginnings)
    for ids, p in found.items():
        written = [*ids, EOS_ID]
        factors = [model.probabilities(tuple(written[:n]))[t] for n, t in enumerate(written)]
        assert math.isclose(p, math.prod(factors))


def test_random_rows_are_probabilities_and_depend_on_the_seed_and_the_prefix_alone():
    row = RandomModel(1).probabilities((4,))
    assert math.isclose(sum(row), 1)
    assert row[0] == row[1] == row[3] == 0
    assert row == RandomModel(1).probabilities((4,))
    assert row != RandomModel(2).probabilities((4,))
    assert row != RandomModel(1).probabilities((5,))


def test_searches_take_them_and_the_questions_are_kept():
    model = TableModel(TABLE)
    [greedy] = greedy_search(model, SOURCE)
    assert model.asked[:2] == [(), (4,)]
    [[best]] = beam_search(model, SOURCE, beam_size=2, alpha=0.0)
    assert (5,) in model.asked
    assert model.text(best.ids) == "b"
    assert math.isclose(math.exp(best.log_probability), 0.4)
    assert greedy.ids[0] == 4
