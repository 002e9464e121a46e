"""GPT against Hugging Face's GPT-2, on copied weights and on a directory that it saved itself."""

import pytest
import torch
from family_oracle import assert_same_gradients, copied, disturbed
from transformers import GPT2Config, GPT2LMHeadModel, GPT2Model

from annotated_transformer.lab.family import GPT, GPTConfig, fit
from annotated_transformer.lab.family.gpt.sampling import most_probable, sampler

SETTINGS = {
    "vocab_size": 30,
    "n_embd": 16,
    "n_layer": 2,
    "n_head": 2,
    "n_positions": 12,
    "bos_token_id": 1,
    "eos_token_id": 2,
}


def reference(kind=GPT2LMHeadModel, **settings):
    torch.manual_seed(0)
    return disturbed(kind(GPT2Config(**SETTINGS, **settings)))


@pytest.mark.parametrize("inner", [None, 20])
def test_it_is_the_reference_forward_and_gradient(inner):
    theirs = reference(n_inner=inner)
    ours = copied(GPT, theirs)
    assert ours.config.d_ff == (inner or 64)
    ids = torch.randint(1, 30, (3, 9))
    assert_same_gradients(ours, theirs, ours(ids), theirs(ids).logits)


def test_padding_at_the_end_changes_nothing_before_it():
    theirs = reference()
    ours = copied(GPT, theirs)
    ids = torch.randint(1, 30, (2, 9))
    ids[1, 5:] = 0
    expected = theirs(ids, attention_mask=(ids != 0).long()).logits[ids != 0]
    torch.testing.assert_close(ours(ids)[ids != 0], expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("kind", [GPT2LMHeadModel, GPT2Model])
def test_it_reads_what_the_reference_saved(kind, tmp_path):
    """The files on the hub are of GPT2Model: their names lack the first word."""
    theirs = reference(kind)
    theirs.save_pretrained(tmp_path)
    ours = GPT.from_pretrained(tmp_path)
    ids = torch.randint(1, 30, (3, 9))
    if kind is GPT2Model:
        expected = theirs(ids).last_hidden_state @ theirs.wte.weight.T
    else:
        expected = theirs(ids).logits
    torch.testing.assert_close(ours(ids), expected, rtol=1e-10, atol=1e-10)


def test_an_activation_that_is_not_built_is_refused():
    with pytest.raises(ValueError, match="activation_function='relu' is not built here"):
        GPT.config_from(GPT2Config(**SETTINGS, activation_function="relu").to_dict(), "x")


def test_no_logit_sees_a_later_token():
    ours = copied(GPT, reference())
    ids = torch.randint(1, 30, (2, 9))
    changed = ids.clone()
    changed[:, 5] = (ids[:, 5] + 1) % 30
    torch.testing.assert_close(ours(ids)[:, :5], ours(changed)[:, :5])
    assert not torch.allclose(ours(ids)[:, 5:], ours(changed)[:, 5:])


@pytest.mark.parametrize("pad", [None, 5])
def test_the_loss_is_the_references_and_no_token_is_padding_unless_the_file_says_so(pad):
    theirs = reference(pad_token_id=pad)
    ids = torch.randint(0, 6, (3, 9))
    assert (ids == 0).any()
    assert (ids == 5).any()
    labels = ids if pad is None else ids.masked_fill(ids == pad, -100)
    found, expected = copied(GPT, theirs).loss(ids), theirs(ids, labels=labels).loss
    assert found.item() == pytest.approx(expected.item(), abs=1e-5)  # theirs is in float32


@pytest.mark.parametrize("kind", [GPT2LMHeadModel, GPT2Model])
def test_an_output_with_a_matrix_of_its_own_is_read_and_not_made_up(kind, tmp_path):
    theirs = reference(kind, tie_word_embeddings=False)
    theirs.save_pretrained(tmp_path)
    if kind is GPT2Model:  # which has no output
        with pytest.raises(ValueError, match=r"lm_head\.weight, our output\.weight, is missing"):
            GPT.from_pretrained(tmp_path)
        return
    ours = GPT.from_pretrained(tmp_path)
    ids = torch.randint(0, 30, (3, 9))
    assert_same_gradients(ours, theirs, ours(ids), theirs(ids).logits)
    ours.save(tmp_path / "ours")
    assert torch.equal(GPT.load(tmp_path / "ours")(ids), ours(ids))


def test_the_loss_is_that_of_each_next_token_and_padding_does_not_count():
    ours = copied(GPT, reference(pad_token_id=0))
    ids = torch.randint(1, 30, (2, 6))
    ids[1, 4:] = 0
    terms = [
        -ours(ids[row : row + 1, : t + 1])[0, t].log_softmax(-1)[ids[row, t + 1]]
        for row, length in ((0, 6), (1, 4))
        for t in range(length - 1)
    ]
    torch.testing.assert_close(ours.loss(ids), sum(terms) / len(terms))


def test_greedy_generation_is_the_references():
    theirs = reference()
    ours = copied(GPT, theirs)
    prompt = torch.randint(3, 30, (2, 4))
    found = ours.generate(prompt, 6, most_probable)
    for row in range(2):
        text = prompt[row : row + 1]
        for _ in range(6):
            best = theirs(text).logits[:, -1].argmax(-1, keepdim=True)
            text = torch.cat([text, best], dim=1)
        assert found[row].tolist() == text[0].tolist()


def test_it_learns_to_go_on_and_then_writes_what_it_learned():
    """Texts that count: after any token comes the next."""
    torch.manual_seed(0)
    sizes = {"vocab_size": 13, "n_layers": 1, "d_model": 32, "d_ff": 64, "n_heads": 2}
    model = GPT(GPTConfig(**sizes, max_length=16, dropout=0.0))
    start = torch.arange(12)[:, None]
    texts = 1 + (start + torch.arange(8)) % 12
    losses = fit(model, ((texts,) for _ in range(150)), rate=3e-3, warmup=10)
    assert losses[-1] < 0.1 < losses[0]
    written = model.generate(torch.tensor([[4, 5]]), 5, sampler(temperature=0.5, seed=1))
    assert written.tolist() == [[4, 5, 6, 7, 8, 9, 10]]
