"""Marian's models in our own `Transformer`, against Hugging Face's: logits, search, tokenizer."""

import io
import json

import pytest
import sentencepiece
import torch
from family_oracle import disturbed
from transformers import GenerationConfig, MarianConfig, MarianMTModel
from transformers import MarianTokenizer as TheirTokenizer
from typechecking import unchecked

from annotated_transformer import Transformer
from annotated_transformer.decoding.search import beam_search, greedy_search
from annotated_transformer.lab.family import MarianTranslator, load_marian
from annotated_transformer.lab.family.marian.names import REFERENCE, alternated, moved
from annotated_transformer.lab.family.marian.tokenizer import MarianTokenizer
from annotated_transformer.positions import sinusoidal_encoding
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, PAD_ID, UNK_ID

LAST = 29
SETTINGS = {
    "vocab_size": LAST + 1,
    "pad_token_id": LAST,
    "decoder_start_token_id": LAST,
    "eos_token_id": 0,
    "forced_eos_token_id": None,
    "d_model": 12,  # halves of 6 components
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 20,
    "decoder_ffn_dim": 20,
    "max_position_embeddings": 24,
    "activation_function": "swish",
    "scale_embedding": True,
}


def reference(directory, **settings):
    torch.manual_seed(0)
    config = MarianConfig(**SETTINGS | settings)
    sinusoids = MarianMTModel(config).state_dict()
    theirs = disturbed(MarianMTModel(config))
    with torch.no_grad():  # so large that what is written depends on what is read
        for name, parameter in theirs.named_parameters():
            if name.endswith(("out_proj.weight", "fc2.weight")):
                parameter.mul_(8)
    theirs.final_logits_bias = 0.1 * torch.randn(1, config.vocab_size, dtype=torch.float64)
    for name, tensor in theirs.state_dict().items():
        if "embed_positions" in name:  # these are no weights, though they stand among them
            tensor.copy_(sinusoids[name])
    theirs.generation_config = GenerationConfig(
        decoder_start_token_id=config.decoder_start_token_id,
        eos_token_id=0,
        pad_token_id=config.pad_token_id,
        bad_words_ids=[[config.pad_token_id]],
    )
    theirs.save_pretrained(directory)
    return theirs


@pytest.fixture
def both(tmp_path):
    theirs = reference(tmp_path)
    return load_marian(tmp_path), theirs


def ours_of(ids):
    """Our ids of theirs: moved by two, padding in front."""
    return torch.where(ids == LAST, PAD_ID, ids + 2)


def texts():
    source, target = torch.randint(2, LAST, (4, 9)), torch.randint(2, LAST, (4, 6))
    source[:, -1] = 0
    source[1, 5:] = torch.tensor([0, LAST, LAST, LAST])
    target[:, 0] = LAST
    return source, target


def logits_of(theirs, source, target):
    mask = (source != LAST).long()
    return theirs(source, attention_mask=mask, decoder_input_ids=target).logits


def decoder_input(target):
    found = ours_of(target)
    found[:, 0] = BOS_ID
    return found


def test_the_logits_are_those_of_the_reference(both):
    ours, theirs = both
    assert type(ours) is Transformer
    assert ours.config.activation == "silu"
    source, target = texts()
    found = ours(ours_of(source), decoder_input(target))
    expected = logits_of(theirs, source, target)
    order = ours_of(torch.arange(LAST + 1))
    torch.testing.assert_close(found[..., order], expected, rtol=1e-10, atol=1e-10)
    # Begin-of-sentence takes no probability from the others.
    torch.testing.assert_close(
        found.log_softmax(-1)[..., order], expected.log_softmax(-1), rtol=1e-10, atol=1e-10
    )
    assert found.softmax(-1)[..., BOS_ID].abs().max() == 0


def test_the_gradients_are_those_of_the_reference(both):
    ours, theirs = both
    source, target = texts()
    expected = logits_of(theirs, source, target)
    weights = torch.randn(expected.shape, dtype=expected.dtype)
    order = ours_of(torch.arange(LAST + 1))
    (ours(ours_of(source), decoder_input(target))[..., order] * weights).sum().backward()
    (expected * weights).sum().backward()
    grads = {name: p.grad for name, p in theirs.named_parameters()}
    for name, parameter in ours.named_parameters():
        if name in ("source_embedding.weight", "output.bias"):
            continue
        from_theirs, made = REFERENCE.source(name)
        torch.testing.assert_close(parameter.grad, made(grads[from_theirs]), rtol=1e-9, atol=1e-10)
    # Their last token is both of our first two. Their table lets no gradient through where that
    # token is read, as the beginning of a text: it has that of its logit alone.
    found = ours.source_embedding.weight.grad
    expected = alternated(grads["model.shared.weight"].T).T
    torch.testing.assert_close(found[2:], expected[:-1], rtol=1e-9, atol=1e-10)
    torch.testing.assert_close(found[0], expected[-1], rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("length", [1, 8])
def test_greedy_search_writes_what_the_reference_generates(both, length):
    ours, theirs = both
    source, _ = texts()
    mask = (source != LAST).long()
    expected = theirs.generate(
        source, attention_mask=mask, num_beams=1, do_sample=False, max_new_tokens=length
    )
    found = greedy_search(ours, ours_of(source), max_length=length)
    for each, row in zip(found, expected, strict=True):
        ids = ours_of(row[1:]).tolist()
        assert [*each.ids, EOS_ID][: len(ids)] == ids[: len(each.ids) + 1]
        assert each.finished == (EOS_ID in ids)
    assert length == 1 or len({each.ids for each in found}) > 1


def test_beam_search_finds_what_is_at_least_as_probable(both):
    ours, _ = both
    source = ours_of(texts()[0])
    greedy = greedy_search(ours, source, max_length=6)
    beams = beam_search(ours, source, beam_size=30, alpha=0.0, max_length=6)
    for one, other in zip(greedy, beams, strict=True):
        assert not one.finished or other[0].log_probability >= one.log_probability - 1e-12


def test_the_permutation_makes_their_sinusoids_ours():
    length, d_model = 7, 12
    ours = sinusoidal_encoding(length, d_model)
    theirs = torch.cat([ours[:, 0::2], ours[:, 1::2]], dim=1)  # sines first
    torch.testing.assert_close(alternated(theirs.T).T, ours)
    table = MarianMTModel(MarianConfig(**SETTINGS)).model.encoder.embed_positions.weight
    torch.testing.assert_close(table[:length], theirs)


def test_their_order_of_tokens_becomes_ours():
    found = moved(torch.arange(5)).tolist()
    assert found == [4, 4, 0, 1, 2, 3]
    assert found[EOS_ID] == 0
    assert found[UNK_ID] == 1
    assert found[PAD_ID] == found[BOS_ID] == 4


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"pad_token_id": 5, "decoder_start_token_id": 5}, "pad_token_id=5 is not built here"),
        ({"decoder_start_token_id": 0}, "pad_token_id=29 and decoder_start_token_id=0"),
        ({"decoder_layers": 1}, "encoder_layers=2 and decoder_layers=1"),
        ({"normalize_before": True}, "normalize_before=True is not built here"),
        ({"activation_function": "tanh"}, "activation='tanh' is unknown"),
    ],
)
def test_what_is_not_built_is_refused_by_name(settings, message, tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(MarianConfig(**SETTINGS).to_dict() | settings))
    with unchecked(), pytest.raises(ValueError, match=message):
        load_marian(tmp_path)


LINES = ["I am a student", "나는 학생이다", "The cat reads a book", "고양이가 책을 읽는다"] * 5


def trained(lines):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=model,
        vocab_size=30,
        model_type="bpe",
        hard_vocab_limit=False,
        num_threads=1,
        minloglevel=3,
    )
    return model.getvalue()


@pytest.fixture
def published(tmp_path):
    """A directory as published ones are: model, settings, two sentencepiece models, vocabulary."""
    models = trained(LINES[0::2]), trained(LINES[1::2])
    pieces = {}
    for name, model in zip(("source", "target"), models, strict=True):
        (tmp_path / f"{name}.spm").write_bytes(model)
        processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        for i in range(3, processor.get_piece_size()):
            pieces.setdefault(processor.id_to_piece(i), len(pieces) + 2)
    pieces[">>kor<<"] = len(pieces) + 2
    vocabulary = {"</s>": 0, "<unk>": 1, **pieces, "<pad>": len(pieces) + 2}
    (tmp_path / "vocab.json").write_text(json.dumps(vocabulary))
    last = len(vocabulary) - 1
    sizes = {"vocab_size": last + 1, "pad_token_id": last, "decoder_start_token_id": last}
    return tmp_path, reference(tmp_path, **sizes)


@pytest.fixture
def their_tokenizer(published):
    with pytest.warns(UserWarning, match="sacremoses"):  # a package for punctuation
        return TheirTokenizer.from_pretrained(published[0])


@pytest.mark.parametrize(
    "text", ["I am a cat", "The student reads", "책을 a", ">>kor<< I am a student", " "]
)
def test_the_tokenizer_is_that_of_the_reference(published, their_tokenizer, text):
    ours = MarianTokenizer.load(published[0])
    last = ours.vocab_size - 2
    moved_ids = [PAD_ID if i == last else i + 2 for i in their_tokenizer(text).input_ids]
    assert ours.source_ids(text) == moved_ids
    written = their_tokenizer(text_target=text).input_ids
    assert ours.target_ids(text) == [BOS_ID, *(i + 2 for i in written)]
    if UNK_ID not in moved_ids:
        expected = their_tokenizer.decode(their_tokenizer(text).input_ids, skip_special_tokens=True)
        assert ours.decode(ours.source_ids(text)) == expected.strip()


def test_a_translator_writes_what_the_reference_writes(published, their_tokenizer):
    directory, theirs = published
    translate = MarianTranslator(directory, beam_size=1, alpha=0.0, batch_size=2)
    sentences = ["I am a cat", "The student reads a book", "I am"]
    batch = their_tokenizer(sentences, return_tensors="pt", padding=True)
    written = theirs.generate(**batch, num_beams=1, do_sample=False, max_new_tokens=24)
    expected = their_tokenizer.batch_decode(written, skip_special_tokens=True)
    assert translate(sentences) == [text.strip() for text in expected]


def test_a_vocabulary_of_another_kind_or_size_is_refused(published):
    directory, _ = published
    vocabulary = json.loads((directory / "vocab.json").read_text())
    other = {piece: (i + 1) % len(vocabulary) for piece, i in vocabulary.items()}
    (directory / "vocab.json").write_text(json.dumps(other))
    with pytest.raises(ValueError, match="</s> first, then <unk>, and <pad> last"):
        MarianTokenizer.load(directory)
    vocabulary["<pad>"] += 1
    vocabulary["more"] = len(vocabulary) - 1
    (directory / "vocab.json").write_text(json.dumps(vocabulary))
    with pytest.raises(ValueError, match=r"vocab\.json has \d+ pieces"):
        MarianTranslator(directory)


def test_blank_and_long_texts_are_named_by_their_number(published):
    translate = MarianTranslator(published[0])
    with pytest.raises(ValueError, match="text 2: it is blank"):
        translate(["I am", " "])
    with pytest.raises(ValueError, match=r"text 1: it has \d+ tokens; the model takes at most 24"):
        translate(["I am a student " * 20])
    assert translate([]) == []
