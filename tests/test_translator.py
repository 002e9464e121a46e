"""Texts through a small random model: order, batches, refusals, and attention between words."""

import errno
import gc
import logging
import subprocess
import sys
import tempfile

import pytest
import torch
from patience import PATIENCE
from tiny import tiny_translator
from typechecking import unchecked

from annotated_transformer.config import TransformerConfig
from annotated_transformer.corpora import SentencePair
from annotated_transformer.decoding.prefixes import WholePrefixes
from annotated_transformer.decoding.search import beam_search
from annotated_transformer.evaluation import evaluate
from annotated_transformer.inspection import record_attention
from annotated_transformer.saving import save_model
from annotated_transformer.storage import atomic
from annotated_transformer.text import TrainingText
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, PAD_ID, Tokenizer
from annotated_transformer.transformer import Transformer
from annotated_transformer.translator import Translator

ENGLISH = ["I am a student", "he reads", "the small dog does not sleep because it runs", "a cat"]
KOREAN = ["나는 학생이다", "그는 읽는다", "작은 개는 달리기 때문에 자지 않는다", "고양이"]
VOCAB_SIZE = 320


@pytest.fixture(scope="module")
def tokenizer():
    return Tokenizer.train([*ENGLISH, *KOREAN], vocab_size=VOCAB_SIZE)


@pytest.fixture
def translator(tokenizer):
    return make_translator(tokenizer)


def make_translator(tokenizer, *, max_length=40, dropout=0.0, **options):
    torch.manual_seed(1)
    config = TransformerConfig(
        vocab_size=VOCAB_SIZE,
        n_layers=2,
        d_model=16,
        d_ff=24,
        n_heads=2,
        max_length=max_length,
        dropout=dropout,
    )
    model = Transformer(config)
    with torch.no_grad():
        for layer in model.decoder.layers:
            layer.cross_attention.w_output.weight *= 9  # untrained, it would ignore the source
    return Translator(model, tokenizer, **options)


def test_translation_is_the_best_of_the_beam_search(translator, tokenizer):
    source = torch.tensor([[*tokenizer.encode(ENGLISH[0]), EOS_ID]])
    expected = beam_search(translator.model, source, beam_size=4, alpha=0.6, n_best=3)
    assert [h.ids for h in translator.hypotheses(ENGLISH[:1], n_best=3)[0]] == [
        h.ids for h in expected[0]
    ]
    assert translator(ENGLISH[0]) == tokenizer.decode(expected[0][0].ids)


def test_a_list_gives_a_list_in_the_order_given(translator):
    translations = [translator(text) for text in ENGLISH]
    assert len(set(translations)) == len(ENGLISH)
    assert translator(ENGLISH) == translations
    assert translator(ENGLISH[::-1]) == translations[::-1]
    assert translator([]) == []


@pytest.mark.parametrize("batch_size", [1, 3, 32])
def test_the_batch_size_does_not_matter(translator, tokenizer, batch_size):
    assert make_translator(tokenizer, batch_size=batch_size)(ENGLISH) == translator(ENGLISH)


def test_two_workers_translate_as_one_does(translator, tokenizer):
    two = make_translator(tokenizer, workers=2)
    assert two(ENGLISH) == translator(ENGLISH)
    with torch.no_grad():  # the weights are those of now, not those that the workers began with
        for parameter in two.model.parameters():
            parameter.mul_(-0.5)
    assert two(ENGLISH) == Translator(two.model, tokenizer)(ENGLISH) != translator(ENGLISH)
    two.workers.close()


def test_a_full_disk_for_what_workers_read_is_named_and_leaves_nothing(
    tokenizer, tmp_path, monkeypatch
):
    def full(path):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(atomic, "_flush", full)
    two = make_translator(tokenizer, workers=2)
    with pytest.raises(OSError, match="No space left on device") as error:
        two(ENGLISH)
    assert error.value.filename.startswith(str(tmp_path))
    del error, two
    gc.collect()
    assert not list(tmp_path.iterdir())


def test_a_program_that_does_not_guard_its_workers_is_told_so(translator, tmp_path):
    """Its processes end at once, with more still to be sent to them than a pipe holds."""
    save_model(tmp_path / "model", translator.model, translator.tokenizer)
    program = tmp_path / "unguarded.py"
    load = f"Translator.load({str(tmp_path / 'model')!r}, workers=2)"
    lines = ["from annotated_transformer.translator import Translator", f"{load}(['a man'] * 2)"]
    program.write_text("\n".join(lines), "utf-8")
    done = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert "WorkerError: a process that translated has ended" in done.stderr


def test_options_reach_the_search(tokenizer):
    narrow = make_translator(tokenizer, beam_size=1)
    with pytest.raises(ValueError, match="n_best is 2; expected 1 to 1"):
        narrow.hypotheses(ENGLISH, n_best=2)
    with pytest.raises(ValueError, match="alpha is -1"):
        make_translator(tokenizer, alpha=-1.0)(ENGLISH)


def test_a_saved_translator_gives_the_same_translations(translator, tmp_path):
    save_model(tmp_path / "model", translator.model, translator.tokenizer)
    loaded = Translator.load(tmp_path / "model", beam_size=2, alpha=0.1, batch_size=3)
    assert (loaded.beam_size, loaded.alpha, loaded.batch_size) == (2, 0.1, 3)
    assert Translator.load(tmp_path / "model")(ENGLISH) == translator(ENGLISH)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        Translator.load(tmp_path / "nowhere")


def test_a_name_is_a_directory_or_else_a_model_of_the_package(translator, tmp_path, monkeypatch):
    save_model(tmp_path / "models" / "mine", translator.model, translator.tokenizer)
    monkeypatch.setattr("annotated_transformer.shipped.MODELS", tmp_path / "models")
    monkeypatch.chdir(tmp_path)
    assert Translator.load("mine")(ENGLISH) == translator(ENGLISH)
    with pytest.raises(FileNotFoundError, match=r"directory yours; models in the package: mine$"):
        Translator.load("yours")
    (tmp_path / "mine").mkdir()
    with pytest.raises(FileNotFoundError, match=r"mine holds no model: config.json is missing$"):
        Translator.load("mine")


@pytest.mark.parametrize("blank", ["", " ", "\t "])
def test_blank_line_is_refused_by_its_number(translator, blank):
    with pytest.raises(ValueError, match="line 2: it is blank; expected a sentence"):
        translator(["a cat", blank, ""])
    with pytest.raises(ValueError, match="line 1: it is blank"):
        translator(blank)


@pytest.mark.parametrize("text", [None, 5])
def test_other_types_than_text_are_refused(translator, text):
    with unchecked(), pytest.raises(ValueError, match=f"line 1 is {text}; expected a sentence"):
        translator(text)
    with unchecked(), pytest.raises(ValueError, match=f"line 2 is {text}; expected a sentence"):
        translator(["a cat", text])


def test_line_the_tokenizer_cannot_keep_is_refused_by_its_number(translator):
    with pytest.raises(ValueError, match=r"line 2: U\+2581 at position 1"):
        translator(["a cat", "a▁cat"])


@pytest.mark.parametrize(
    "call",
    [
        lambda translator: translator.translations("a cat"),
        lambda translator: translator.hypotheses("a cat"),
        lambda translator: translator.attentions("ab"),
        lambda translator: translator.attentions(["ab"]),
        lambda translator: translator.attentions([("a", "b", "c")]),
    ],
)
def test_a_string_is_no_list_of_texts(translator, call):
    with unchecked(), pytest.raises(ValueError, match="expected a list of"):
        call(translator)


def test_too_long_line_is_refused_and_one_token_less_is_not(tokenizer):
    n_tokens = len(tokenizer.encode(ENGLISH[0])) + 1
    make_translator(tokenizer, max_length=n_tokens)(ENGLISH[0])
    short = make_translator(tokenizer, max_length=n_tokens - 1)
    with pytest.raises(
        ValueError,
        match=rf"line 2: it has {n_tokens} tokens; the model takes at most {n_tokens - 1}",
    ):
        short(["a", ENGLISH[0]])


def test_cut_off_translations_are_counted_in_a_warning(translator, monkeypatch, caplog):
    n_short = len(translator.tokenizer.source_ids("a cat"))

    def endless(target, memory, source):
        logits = torch.zeros(*target.shape, VOCAB_SIZE)
        is_short = (source != PAD_ID).sum(dim=1, keepdim=True) == n_short
        logits[:, :, EOS_ID] = 2.0 * is_short
        logits[:, :, 50] = 1.0
        return logits

    monkeypatch.setattr(translator.model, "decode", endless)
    monkeypatch.setattr("annotated_transformer.decoding.search.start", WholePrefixes)
    translator.beam_size = 1
    with caplog.at_level(logging.WARNING):
        translator(["a cat", ENGLISH[0], "a cat"])
    assert "1 of 3 translations reached the maximum length" in caplog.text


def test_dropout_is_off_and_training_mode_restored(tokenizer):
    translator = make_translator(tokenizer, dropout=0.5)
    translator.model.train()
    assert translator(ENGLISH[0]) == translator(ENGLISH[0])
    one, two = (translator.attention("a cat", "고양이").weights for _ in range(2))
    assert torch.equal(one, two)
    assert translator.model.training


def test_attention_is_the_cross_attention_of_the_forced_target(translator, tokenizer):
    source, target = "I am a student", "나는 학생이다"
    ids = torch.tensor([[*tokenizer.encode(source), EOS_ID]])
    decoder_input = torch.tensor([[BOS_ID, *tokenizer.encode(target)]])
    with torch.no_grad(), record_attention(translator.model.eval()) as record:
        translator.model(ids, decoder_input)
    for layer, number in ((0, 0), (-2, 0), (1, 1), (-1, 1)):
        token_level = record[f"decoder.layers.{number}.cross_attention"][0].mean(dim=0)
        for step, shift in (("output", 0), ("input", 1)):
            found = translator.attention(source, target, layer=layer, step=step)
            assert found.source_words == ("I", "am", "a", "student")
            assert found.target_words == ("나는", "학생이다")
            for row, (first, last) in enumerate(tokenizer.word_spans(target)):
                mean = token_level[first + shift : last + shift].mean(dim=0)
                for column, (start, stop) in enumerate(tokenizer.word_spans(source)):
                    torch.testing.assert_close(found.weights[row, column], mean[start:stop].sum())
                torch.testing.assert_close(found.end_of_source[row], mean[-1])


@pytest.mark.parametrize(
    ("source", "target"), [(ENGLISH[2], KOREAN[2]), (" two  spaces ", "빈칸  둘"), ("é", "7")]
)
def test_all_attention_is_accounted_for(translator, source, target):
    """Also with empty words and with words that are single bytes."""
    found = translator.attention(source, target)
    assert found.weights.shape == (len(found.target_words), len(found.source_words))
    total = found.weights.sum(dim=1) + found.end_of_source
    torch.testing.assert_close(total, torch.ones(len(found.target_words)))


def test_output_step_has_not_seen_the_word_and_input_step_has(translator, tokenizer):
    """Two last words of one byte token each: only the row that has read them can differ."""
    assert tokenizer.word_spans("나는 7")[1][1] == tokenizer.word_spans("나는 8")[1][1]
    first = tokenizer.word_spans("나는 7")[1][0]
    assert tokenizer.encode("나는 7")[first:-1] == tokenizer.encode("나는 8")[first:-1]
    for step, seen in (("output", False), ("input", True)):
        seven, eight = (
            translator.attention("I am a student", f"나는 {word}", step=step).weights[1]
            for word in "78"
        )
        assert torch.allclose(seven, eight, atol=1e-6) != seen


def test_batched_attention_is_that_of_each_pair(translator):
    pairs = list(zip(ENGLISH, KOREAN, strict=True))
    for together, (source, target) in zip(translator.attentions(pairs), pairs, strict=True):
        alone = translator.attention(source, target)
        assert together.source_words == alone.source_words == tuple(source.split(" "))
        torch.testing.assert_close(together.weights, alone.weights)
        torch.testing.assert_close(together.end_of_source, alone.end_of_source)


class CatTranslator(Translator):
    def __call__(self, text, *, progress=False):
        return "고양이"


def test_without_a_target_the_own_translation_is_used(translator, tokenizer):
    found = CatTranslator(translator.model, tokenizer).attention("a cat")
    assert found.target_words == ("고양이",)
    torch.testing.assert_close(found.weights, translator.attention("a cat", "고양이").weights)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("a cat", "고양이"), {"layer": 2}, "layer is 2; expected -2 to 1"),
        (("a cat", "고양이"), {"layer": -3}, "layer is -3; expected -2 to 1"),
        (("a cat", ""), {}, "target line 1: it is blank"),
        ((" ", "고양이"), {}, "source line 1: it is blank"),
        (("a cat", "고양이 " * 40), {}, "target line 1: it has .* at most 40"),
    ],
)
def test_attention_refuses(translator, arguments, options, message):
    with pytest.raises(ValueError, match=message):
        translator.attention(*arguments, **options)


def test_model_and_tokenizer_must_fit(tokenizer):
    config = TransformerConfig(vocab_size=VOCAB_SIZE + 1, n_layers=1, d_model=4, n_heads=1)
    with pytest.raises(ValueError, match="the tokenizer has 320 tokens, the model 321"):
        Translator(Transformer(config), tokenizer)
    with pytest.raises(ValueError, match="batch_size is 0; expected at least 1"):
        make_translator(tokenizer, batch_size=0)


def test_a_translation_names_the_words_that_the_model_has_never_seen(tokenizer):
    knowing = make_translator(tokenizer, text=TrainingText(words=frozenset({"he", "reads"})))
    found = knowing.translations(["he reads", "He reads pizza."])
    assert [each.unknown_words for each in found] == [(), ("pizza",)]
    assert [each.text for each in found] == knowing(["he reads", "He reads pizza."])


def test_without_its_words_a_model_calls_none_unknown(translator):
    assert translator.translations(["he reads pizza"])[0].unknown_words == ()


def test_the_words_are_loaded_with_the_model(translator, tmp_path):
    text = TrainingText.of(["he reads"])
    save_model(tmp_path, translator.model, translator.tokenizer, text=text)
    assert Translator.load(tmp_path).policy.training_text == text


def test_what_can_be_read_once_is_read_once():
    translator = tiny_translator()
    pairs = [("I am", "나는"), ("student", "학생")]
    with unchecked():
        found = translator.attentions(iter(pairs))
    assert [each.source_words for each in found] == [("I", "am"), ("student",)]
    corpus = [SentencePair(*pair) for pair in pairs]
    with unchecked():
        once = evaluate(translator, iter(corpus), split="test")
    assert once == evaluate(translator, corpus, split="test")
