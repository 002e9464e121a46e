"""What CTranslate2 translates with an exported model is what this package translates."""

import json
import re

import ctranslate2
import pytest
import torch
from strong_models import padded, small, tokenizer_of

from annotated_transformer.config import OPTIONS
from annotated_transformer.decoding.search import beam_search, greedy_search
from annotated_transformer.export.formats import export_model
from annotated_transformer.lab.caching import Uncached
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, PAD_ID

N_SENTENCES = 200
MAX_LENGTH = 24
VARIANTS = {
    "the paper's": {},
    "pre-LN": {"norm": "pre"},
    "learned positions": {"positions": "learned"},
    "no positions": {"positions": "none"},
    "separate embeddings": {"share_embeddings": False},
    "GELU": {"activation": "gelu"},
    "unscaled embeddings": {"scale_embeddings": False},
}


@pytest.fixture(scope="module")
def pairs():
    return english_korean("valid")[:1000]


@pytest.fixture(scope="module")
def tokenizer(pairs):
    return tokenizer_of(pairs)


class WithoutSpecials(Uncached):
    """The model with the export's bias: PAD and BOS leave their probability to the others."""

    def __init__(self, model):
        super().__init__(model)
        bias = torch.zeros(model.config.vocab_size)
        bias[[PAD_ID, BOS_ID]] = -torch.inf
        self.decode = lambda *arguments: model.decode(*arguments) + bias


def served(directory, tokenizer, texts, **options):
    """The token ids and scores that CTranslate2 finds."""
    translator = ctranslate2.Translator(
        str(directory), compute_type="float32", inter_threads=1, intra_threads=1
    )
    results = translator.translate_batch(
        [tokenizer.pieces(text) for text in texts],
        max_decoding_length=MAX_LENGTH,
        return_scores=True,
        **options,
    )
    number = {piece: i for i, piece in enumerate(tokenizer.vocabulary())}
    return [
        (tuple(number[piece] for piece in result.hypotheses[0]), result.scores[0])
        for result in results
    ]


@torch.no_grad()
def is_near_tie(model, tokenizer, text, one, other):
    """Whether two translations part where two tokens are equally likely, up to rounding."""
    one, other = (*one, EOS_ID), (*other, EOS_ID)
    step = next(i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    source = torch.tensor([tokenizer.source_ids(text)])
    logits = model(source, torch.tensor([[BOS_ID, *one[:step]]]))[0, -1]
    return abs(logits[one[step]] - logits[other[step]]) < 1e-4


@pytest.mark.parametrize("variant", VARIANTS)
def test_greedy_translations_are_the_same(variant, pairs, tokenizer, tmp_path):
    model = small(tokenizer, **VARIANTS[variant])
    export_model(model, tokenizer, tmp_path / "export")
    texts = [pair.source for pair in pairs[:N_SENTENCES]]
    own = greedy_search(
        model, padded([tokenizer.source_ids(text) for text in texts]), max_length=MAX_LENGTH
    )
    found = served(tmp_path / "export", tokenizer, texts, beam_size=1)
    other = [
        (text, ids, hypothesis.ids)
        for text, (ids, _), hypothesis in zip(texts, found, own, strict=True)
        if ids != hypothesis.ids
    ]
    assert len(other) <= 1
    assert all(is_near_tie(model, tokenizer, *each) for each in other)
    assert len({ids for ids, _ in found}) > N_SENTENCES / 4, "one translation for all shows little"


def test_a_beam_without_length_penalty_finds_the_same(pairs, tokenizer, tmp_path):
    model = small(tokenizer)
    export_model(model, tokenizer, tmp_path / "export")
    texts = [pair.source for pair in pairs[:N_SENTENCES]]
    own = beam_search(
        WithoutSpecials(model),
        padded([tokenizer.source_ids(text) for text in texts]),
        beam_size=4,
        alpha=0.0,
        max_length=MAX_LENGTH,
    )
    found = served(tmp_path / "export", tokenizer, texts, beam_size=4, length_penalty=0)
    for (ids, score), (best, *_) in zip(found, own, strict=True):
        assert ids == best.ids
        assert score == pytest.approx(best.log_probability, rel=1e-4)


def test_pad_and_bos_are_never_written(pairs, tokenizer, tmp_path):
    model = small(tokenizer, share_embeddings=False)
    with torch.no_grad():  # a model that would like nothing better
        model.output.weight[[PAD_ID, BOS_ID]] = 3 * model.output.weight[5:7]
    export_model(model, tokenizer, tmp_path / "export")
    texts = [pair.source for pair in pairs[:50]]
    found = served(tmp_path / "export", tokenizer, texts, beam_size=1)
    assert not {PAD_ID, BOS_ID} & {token for ids, _ in found for token in ids}
    assert {5, 6} & {token for ids, _ in found for token in ids} or len(found) == 50


def test_the_readme_serves_the_model(pairs, tokenizer, tmp_path):
    model = small(tokenizer)
    export_model(model, tokenizer, tmp_path / "export")
    readme = (tmp_path / "export" / "README.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    texts = [pair.source for pair in pairs[:3]]
    names = {"directory": str(tmp_path / "export"), "texts": texts}
    exec(code, names)
    rows = padded([tokenizer.source_ids(text) for text in texts])
    own = greedy_search(model, rows, max_length=model.config.max_length)
    assert names["translations"] == [tokenizer.decode(hypothesis.ids) for hypothesis in own]


def test_the_epsilon_of_the_model_is_kept(tokenizer, tmp_path):
    export_model(small(tokenizer), tokenizer, tmp_path / "export")
    settings = json.loads((tmp_path / "export" / "config.json").read_text("utf-8"))
    assert settings["layer_norm_epsilon"] == pytest.approx(1e-6)


@pytest.mark.parametrize("positions", ["rotary", "alibi"])
def test_positions_in_the_scores_cannot_be_exported(positions, tokenizer, tmp_path):
    with pytest.raises(ValueError, match=f"positions='{positions}' cannot be exported"):
        export_model(small(tokenizer, positions=positions), tokenizer, tmp_path / "export")
    assert not (tmp_path / "export").exists()


@pytest.mark.parametrize("activation", sorted({*OPTIONS["activation"]} - {"relu", "gelu"}))
def test_another_activation_cannot_be_exported(tokenizer, tmp_path, activation):
    with pytest.raises(ValueError, match=rf"'{activation}' cannot be exported.*relu or gelu"):
        export_model(small(tokenizer, activation=activation), tokenizer, tmp_path / "export")


@pytest.mark.parametrize("bias", ["all", "none"])
def test_other_biases_cannot_be_exported(tokenizer, tmp_path, bias):
    with pytest.raises(ValueError, match=f"bias='{bias}' cannot be exported"):
        export_model(small(tokenizer, bias=bias), tokenizer, tmp_path / "export")
    assert not (tmp_path / "export").exists()


@pytest.mark.parametrize(("field", "value"), [("d_k", 16), ("d_v", 16)])
def test_what_the_format_cannot_keep_is_named(field, value, tokenizer, tmp_path):
    model = small(tokenizer, **{field: value})
    with pytest.raises(ValueError, match=rf"{field}=16 cannot be exported.*here 8"):
        export_model(model, tokenizer, tmp_path / "export")
    assert not (tmp_path / "export").exists()
