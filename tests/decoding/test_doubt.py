"""How much a model doubts: the search's number is that of the model read once more."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tiny import tiny_translator

from annotated_transformer.decoding.doubt import about_doubt, doubt
from annotated_transformer.decoding.hypotheses import make_hypothesis
from annotated_transformer.decoding.search import beam_search
from annotated_transformer.tokenizer import BOS_ID, EOS_ID

LENGTHS = st.lists(st.floats(-9, 0), min_size=1, max_size=9)


@given(log_probs=LENGTHS, finished=st.booleans())
def test_it_is_the_mean_over_all_tokens_and_the_end(log_probs, finished):
    ids = [*range(4, 4 + len(log_probs) - finished), *[EOS_ID] * finished]
    found = doubt(make_hypothesis(ids, sum(log_probs), alpha=0.6))
    assert found == pytest.approx(-sum(log_probs) / len(log_probs))
    assert found >= 0


def test_it_is_what_the_model_says_when_it_reads_its_translation():
    model = tiny_translator(dropout=0.0).model.double().eval()
    source = torch.tensor([[5, 6, 7, EOS_ID]])
    (best,) = beam_search(model, source)[0]
    written = [*best.ids, *[EOS_ID] * best.finished]
    logits = model(source, torch.tensor([[BOS_ID, *written[:-1]]]))
    loss = torch.nn.functional.cross_entropy(logits[0], torch.tensor(written))
    assert doubt(best) == pytest.approx(loss.item())


def test_the_sentence_has_both_numbers():
    assert about_doubt(0.314, 0.12) == (
        "the model doubts it (0.31 nats a token; above 0.12 it is often wrong)"
    )
