"""ELECTRA against Hugging Face's two networks, and the task between them."""

import pytest
import torch
from family_oracle import READER, assert_same_gradients, copied, disturbed, segmented_texts
from transformers import ElectraConfig as Theirs
from transformers import ElectraForMaskedLM, ElectraForPreTraining

from annotated_transformer.lab.family import ELECTRA, ELECTRAConfig, fit
from annotated_transformer.lab.family.bert.gaps import make_gaps
from annotated_transformer.lab.family.electra.model import Generator

SIZES = {"vocab_size": 12, "n_layers": 1, "d_model": 32, "d_ff": 64, "n_heads": 4, "max_length": 10}
WIDTHS = {
    "projected": {"embedding_size": 8, "hidden_size": 16},
    "equal": {"embedding_size": 16, "hidden_size": 16},
}


def reference(kind, widths):
    torch.manual_seed(0)
    return disturbed(kind(Theirs(**READER | WIDTHS[widths])))


@pytest.mark.parametrize("widths", WIDTHS)
@pytest.mark.parametrize(
    ("member", "kind"), [(ELECTRA, ElectraForPreTraining), (Generator, ElectraForMaskedLM)]
)
def test_both_networks_are_the_references_forward_and_gradient(member, kind, widths):
    theirs = reference(kind, widths)
    ours = copied(member, theirs)
    ids, segments = segmented_texts()
    real = ids != 0
    found = ours(ids, segments)[real]
    expected = theirs(ids, attention_mask=real.long(), token_type_ids=segments).logits[real]
    assert_same_gradients(ours, theirs, found, expected)


@pytest.mark.parametrize(
    ("member", "kind"), [(ELECTRA, ElectraForPreTraining), (Generator, ElectraForMaskedLM)]
)
def test_it_reads_what_the_reference_saved(member, kind, tmp_path):
    theirs = reference(kind, "projected")
    theirs.save_pretrained(tmp_path)
    ours = member.from_pretrained(tmp_path)
    ids, _ = segmented_texts()
    expected = theirs(ids, attention_mask=(ids != 0).long()).logits[ids != 0]
    torch.testing.assert_close(ours(ids)[ids != 0], expected, rtol=1e-10, atol=1e-10)


def pair(share=4, **options):
    return ELECTRA(ELECTRAConfig(**SIZES, dropout=0.0, generator_share=share, **options))


def test_the_generator_is_narrower_and_shares_the_embeddings():
    model = pair()
    config = model.generator.config
    assert (config.d_model, config.d_ff, config.n_heads, config.d_k) == (8, 16, 1, 8)
    assert config.n_layers == model.config.n_layers
    for name in ("embedding", "segments", "positions"):
        assert getattr(model.generator.reader, name) is getattr(model.reader, name)


def test_a_draw_that_is_the_original_counts_as_the_original():
    """A generator that always writes token 5: only where another stood is anything replaced."""
    model = pair().eval()
    original = torch.tensor([[5, 6, 7, 5]])
    chosen = torch.tensor([[True, True, False, False]])
    logits = torch.full((2, 12), -1e9)
    logits[:, 5] = 0
    filled = model.replaced(original, chosen, logits)
    assert filled.tolist() == [[5, 5, 7, 5]]


def test_the_discriminator_is_asked_about_all_tokens_or_about_the_gaps():
    """Its part of the loss, by the formula, from the same draws."""
    model = pair(weight=3.0).eval().double()
    original = torch.tensor([[5, 6, 7, 8, 0, 0], [3, 4, 5, 6, 7, 9]])
    chosen = torch.zeros_like(original, dtype=torch.bool)
    chosen[0, 1] = chosen[1, 4] = True
    gaps = original.masked_fill(chosen, 2)
    logits = model.generator(gaps)[chosen]
    first = torch.nn.functional.cross_entropy(logits, original[chosen])
    for everywhere in (True, False):
        torch.manual_seed(1)
        filled = model.replaced(original, chosen, logits)
        torch.manual_seed(1)
        found = model.loss(gaps, original, chosen, everywhere=everywhere)
        terms = []
        for row, column in (original != 0).nonzero().tolist():
            if everywhere or chosen[row, column]:
                p = model(filled)[row, column].sigmoid()
                same = filled[row, column] == original[row, column]
                terms.append(-(1 - p).log() if same else -p.log())
        assert len(terms) == (10 if everywhere else 2)
        torch.testing.assert_close(found, first + 3.0 * sum(terms) / len(terms))


def test_the_discriminators_loss_says_nothing_to_the_generator():
    """Drawing has no gradient: what the generator wants is to fill gaps, not to deceive."""
    model = pair()
    original = torch.randint(3, 12, (4, 8))
    gaps, chosen = make_gaps(original, mask_id=2, vocab_size=12, first_id=3)
    only_gaps = torch.nn.functional.cross_entropy(model.generator(gaps)[chosen], original[chosen])
    head = model.generator.head.dense.weight
    (expected,) = torch.autograd.grad(only_gaps, head)
    (found,) = torch.autograd.grad(model.loss(gaps, original, chosen), head)
    torch.testing.assert_close(found, expected)


def test_without_a_generator_there_is_no_pretraining():
    with pytest.raises(ValueError, match="no generator: set generator_share"):
        pair(share=0).loss(*([torch.ones(1, 2, dtype=torch.long)] * 2), torch.ones(1, 2).bool())


def test_a_loaded_generator_shares_the_embeddings(tmp_path):
    pair().save(tmp_path / "model")
    again = ELECTRA.load(tmp_path / "model")
    assert again.generator.reader.embedding is again.reader.embedding


def test_it_learns_to_find_what_was_replaced():
    """Texts of one token repeated: whatever differs from the rest was replaced."""
    torch.manual_seed(0)
    model = pair(weight=10.0)
    draws = torch.Generator().manual_seed(0)

    def batch():
        original = torch.randint(3, 12, (16, 1), generator=draws).expand(-1, 8).contiguous()
        gaps, chosen = make_gaps(
            original,
            mask_id=2,
            vocab_size=12,
            first_id=3,
            rate=0.3,
            hidden=1.0,
            random=0.0,
            generator=draws,
        )
        return gaps, original, chosen

    losses = fit(model, (batch() for _ in range(120)), rate=3e-3, warmup=10)
    assert sum(losses[-10:]) < 0.7 * sum(losses[:10])
    text = torch.full((1, 8), 5)
    text[0, 3] = 9
    assert model(text).argmax() == 3
