"""BERT against Hugging Face's, on copied weights and on a directory that it saved itself."""

import pytest
import torch
from family_oracle import READER, assert_same_gradients, copied, disturbed, segmented_texts
from transformers import BertConfig, BertForMaskedLM, BertForPreTraining, BertModel

from annotated_transformer.lab.family import BERT


def reference(kind=BertForMaskedLM, **settings):
    torch.manual_seed(0)
    return disturbed(kind(BertConfig(**READER, **settings)))


def test_it_is_the_reference_forward_and_gradient():
    theirs = reference()
    ours = copied(BERT, theirs)
    ids, segments = segmented_texts()
    real = ids != 0
    found = ours(ids, segments)[real]
    expected = theirs(ids, attention_mask=real.long(), token_type_ids=segments).logits[real]
    assert_same_gradients(ours, theirs, found, expected)


def test_without_segments_all_is_the_first():
    ours = copied(BERT, reference())
    ids, segments = segmented_texts()
    torch.testing.assert_close(ours(ids), ours(ids, torch.zeros_like(segments)))
    assert not torch.allclose(ours(ids), ours(ids, segments))


@pytest.mark.parametrize("kind", [BertForMaskedLM, BertForPreTraining])
def test_it_reads_what_the_reference_saved(kind, tmp_path):
    theirs = reference(kind)
    theirs.save_pretrained(tmp_path)
    ours = BERT.from_pretrained(tmp_path)
    assert ours.reader.embedding.weight.dtype == torch.float64
    ids, _ = segmented_texts()
    mask = (ids != 0).long()
    output = theirs(ids, attention_mask=mask)
    expected = output.logits if kind is BertForMaskedLM else output.prediction_logits
    torch.testing.assert_close(ours(ids)[ids != 0], expected[ids != 0], rtol=1e-10, atol=1e-10)


def test_an_output_with_a_matrix_and_a_bias_of_its_own_is_read():
    theirs = reference(tie_word_embeddings=False)
    predictions = theirs.cls.predictions
    assert not torch.equal(predictions.bias, predictions.decoder.bias)
    ours = copied(BERT, theirs)
    ids, segments = segmented_texts()
    real = ids != 0
    found = ours(ids, segments)[real]
    expected = theirs(ids, attention_mask=real.long(), token_type_ids=segments).logits[real]
    assert_same_gradients(ours, theirs, found, expected)


def test_a_file_of_the_encoder_alone_gives_vectors_and_fills_no_gaps(tmp_path):
    theirs = reference(BertModel)
    theirs.save_pretrained(tmp_path)
    ours = BERT.from_pretrained(tmp_path)
    ids, segments = segmented_texts()
    real = ids != 0
    expected = theirs(ids, attention_mask=real.long(), token_type_ids=segments).last_hidden_state
    found = ours.reader(ids, segments)
    torch.testing.assert_close(found[real], expected[real], rtol=1e-10, atol=1e-10)
    with pytest.raises(ValueError, match=r"no head that fills gaps.*model\.reader\(ids\)"):
        ours(ids)
    ours.save(tmp_path / "ours")
    again = BERT.load(tmp_path / "ours")
    assert again.head is None
    assert torch.equal(again.reader(ids), ours.reader(ids))


def test_older_files_call_a_gain_gamma():
    theirs = reference()
    ours, again = copied(BERT, theirs), copied(BERT, theirs)
    older = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): tensor
        for name, tensor in theirs.state_dict().items()
    }
    assert older.keys() != theirs.state_dict().keys()
    torch.nn.init.zeros_(again.reader.embedding_norm.gain)
    BERT.reference.copy(again, older, "an older file")
    ids, _ = segmented_texts()
    assert torch.equal(ours(ids), again(ids))


def test_the_loss_is_of_the_chosen_positions_alone():
    ours = copied(BERT, reference())
    ids, _ = segmented_texts()
    original = torch.randint(1, 30, ids.shape)
    chosen = torch.zeros_like(ids, dtype=torch.bool)
    chosen[0, 2] = chosen[2, 5] = True
    logs = ours(ids).log_softmax(-1)
    expected = -(logs[0, 2, original[0, 2]] + logs[2, 5, original[2, 5]]) / 2
    torch.testing.assert_close(ours.loss(ids, original, chosen), expected)
