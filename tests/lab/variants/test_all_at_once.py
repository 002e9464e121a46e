"""All tokens in one pass: no token is read, padding stays hidden, and a search finds the same."""

import pytest
import torch

from annotated_transformer import Transformer, TransformerConfig, greedy_search
from annotated_transformer.decoding.prefixes import WholePrefixes, start
from annotated_transformer.lab.variants.all_at_once import (
    MORE,
    AllAtOnce,
    spread_copies,
    write_at_once,
)

SOURCE = torch.tensor([[4, 5, 6, 7, 2], [5, 8, 2, 0, 0]])
TARGET = torch.tensor([[1, 6, 7, 4], [1, 6, 0, 0]])


def made(kind=AllAtOnce, **settings):
    torch.manual_seed(0)
    return kind(TransformerConfig.tiny(vocab_size=9, **settings)).eval()


def test_the_weights_are_those_of_a_transformer():
    ours, usual = made(), made(Transformer)
    assert ours.state_dict().keys() == usual.state_dict().keys()
    for one, two in zip(ours.parameters(), usual.parameters(), strict=True):
        assert torch.equal(one, two)


def test_the_tokens_of_the_target_are_not_looked_at():
    other = TARGET.clone()
    other[0, 1:] = torch.tensor([8, 3, 5])
    assert torch.equal(made()(SOURCE, TARGET), made()(SOURCE, other))
    assert not torch.equal(made(Transformer)(SOURCE, TARGET), made(Transformer)(SOURCE, other))


def test_every_position_looks_at_every_other():
    """A change at the last position, made behind the embedding, reaches the first."""
    model = made()
    before = model(SOURCE[:1], TARGET[:1])

    def moved(_module, _inputs, output):
        output = output.clone()
        output[:, -1] += 1.0
        return output

    model.target_positions.register_forward_hook(moved)
    assert (model(SOURCE[:1], TARGET[:1]) != before).any(dim=-1).all()


def test_neighbours_in_a_batch_change_nothing():
    model = made()
    alone = model(SOURCE[1:, :3], TARGET[1:, :2])
    torch.testing.assert_close(model(SOURCE, TARGET)[1:, :2], alone)
    one, both = write_at_once(model, SOURCE[1:, :3]), write_at_once(model, SOURCE)
    assert one[0].ids == both[1].ids


def test_a_source_has_a_few_more_places_than_tokens_up_to_the_longest_text():
    assert made().output_positions(SOURCE).sum(dim=1).tolist() == [5 + MORE, 3 + MORE]
    assert made(max_length=16).output_positions(SOURCE).sum(dim=1).tolist() == [16, 15]


def test_a_place_starts_from_the_token_there_and_then_from_the_end():
    assert spread_copies(SOURCE, 7).tolist() == [[4, 5, 6, 7, 2, 2, 2], [5, 8, 2, 2, 2, 2, 2]]


def test_a_search_that_writes_token_by_token_finds_the_same():
    torch.manual_seed(1)  # with these weights ends come at several places
    model = AllAtOnce(TransformerConfig.tiny(vocab_size=9)).eval()
    source = torch.randint(2, 9, (20, 6), generator=torch.Generator().manual_seed(0))
    source[:, -1] = 2
    longest = 6 + MORE
    assert isinstance(start(model, source), WholePrefixes)
    searched = greedy_search(model, source, max_length=longest)
    at_once = write_at_once(model, source)
    assert len({len(each.ids) for each in at_once}) > 2
    assert [each.ids for each in at_once] == [each.ids for each in searched]
    assert [each.finished for each in at_once] == [each.finished for each in searched]
    for one, other in zip(at_once, searched, strict=True):
        assert one.score == pytest.approx(other.score, rel=1e-4)


def test_a_target_longer_than_its_places_is_refused():
    target = torch.full((2, 4 + MORE), 5)
    message = (
        f"the target of row 1 has {4 + MORE} tokens and its source {3 + MORE} output positions"
    )
    with pytest.raises(ValueError, match=message):
        made()(SOURCE, target)
