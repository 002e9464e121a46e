"""Bad input ends in one sentence that names the value, through whichever public door it comes."""

import copy
import json
import math
import re
from types import SimpleNamespace

import pytest
import torch
from tiny import LINES, tiny_translator
from tiny_run import write_recipe
from typechecking import unchecked

from annotated_transformer import (
    Embedding,
    Encoder,
    FeedForward,
    MultiHeadAttention,
    Residual,
    Tokenizer,
    Transformer,
    TransformerConfig,
    Translator,
    attention,
    beam_search,
    causal_mask,
    evaluate,
    greedy_search,
    load_recipe,
    padding_mask,
    record_attention,
    show_source,
    sinusoidal_encoding,
    train,
)
from annotated_transformer.cli import main
from annotated_transformer.corpora import SentencePair
from annotated_transformer.corpora.files import iterate_tsv, read_parallel
from annotated_transformer.decoding.workers import in_batches
from annotated_transformer.evaluation import scores
from annotated_transformer.fast.int8 import quantised
from annotated_transformer.fast.projected_loss import projected_loss
from annotated_transformer.saving import load_model, save_model
from annotated_transformer.training.loss import label_smoothing_loss, smoothed_targets
from annotated_transformer.variants.rotary import rotate

LIVE = "english_korean_live"
ONES = torch.ones(1, 3, dtype=torch.long)


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """Return what the cases share: a translator, saved models good and bad, files, a recipe."""
    folder = tmp_path_factory.mktemp("bad_input")
    translator = tiny_translator(max_length=20)
    save_model(folder / "model", translator.model, translator.tokenizer)
    for name, change in DAMAGES.items():
        save_model(folder / name, translator.model, translator.tokenizer)
        change(folder / name)
    (folder / "unfinished").mkdir()
    (folder / "unfinished" / "recipe.toml").touch()
    (folder / "empty").mkdir()
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    recipe = write_recipe(folder)
    return SimpleNamespace(
        folder=folder, translator=translator, model=translator.model, recipe=recipe
    )


def described(**change):
    """Return what changes the fields of a saved model's description."""

    def apply(model):
        path = model / "config.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **change}))

    return apply


DAMAGES = {
    "other_format": described(format=99),
    "other_tokenizer": described(tokenizer="0" * 64),
    "no_config": lambda model: (model / "config.json").unlink(),
    "cut_config": lambda model: (model / "config.json").write_text("{"),
    "no_weights": lambda model: (model / "model.safetensors").unlink(),
    "cut_weights": lambda model: (model / "model.safetensors").write_bytes(b"\x80\x02}q"),
    "no_tokenizer": lambda model: (model / "tokenizer.model").unlink(),
    "empty_tokenizer": lambda model: (model / "tokenizer.model").write_bytes(b""),
}
FILES = {
    "two.txt": "가\n나\n".encode(),
    "three.txt": b"a\nb\nc\n",
    "latin.txt": b"one\ntw\xff\n",
    "empty.tsv": b"",
    "columns.tsv": "a\t가\nb\n".encode(),
    "blank.tsv": "a\t가\n\t나\n".encode(),
    "damaged.tsv.gz": b"no gzip",
    "no.toml": b"name = \n",
    "typo.toml": b'name = "x"\n[corpus]\nkind = "english_korean"\n[training]\nstep = 3\n',
}


def config(**fields):
    return TransformerConfig.from_dict({"vocab_size": 100, **fields})


def attend(query=(2, 3), key=(4, 3), value=(4, 5), mask=None):
    return attention(torch.zeros(query), torch.zeros(key), torch.zeros(value), mask)


def multi_head(**options):
    x = torch.zeros(2, 3, 16)
    return MultiHeadAttention(16, 4)(x, x, x, **options)


def loss(target=None, **options):
    target = torch.tensor([[4, 5, 0]]) if target is None else target
    hidden, weight = torch.zeros(1, 3, 4), torch.zeros(7, 4)
    return projected_loss(hidden, weight, target, **{"smoothing": 0.1, "n_tokens": 2, **options})


def tokens(*texts, **options):
    return Tokenizer.train(texts or LINES, **{"vocab_size": 300, **options})


CASES = {
    # Transformer and its configuration
    "no vocabulary": (lambda _: TransformerConfig.from_dict({}), "vocab_size is missing"),
    "vocab_size": (lambda _: config(vocab_size=0), "vocab_size=0"),
    "n_heads": (lambda _: config(d_model=10, n_heads=3), "d_model=10 is not divisible by"),
    "no layers": (lambda _: config(n_layers=-1), "n_layers=-1"),
    "dropout": (lambda _: config(dropout=1.5), "dropout=1.5"),
    "norm": (lambda _: config(norm="middle"), "norm='middle' is unknown; choose one of post, pre"),
    "activation": (lambda _: config(activation="swish"), "activation='swish' is unknown; choose"),
    "positions": (lambda _: config(positions="cosine"), "positions='cosine' is unknown"),
    "odd rotary": (lambda _: config(positions="rotary", d_k=5), "d_k=5 is odd"),
    "padding_id": (lambda _: config(padding_id=100), "padding_id=100 is no token id"),
    "misspelt field": (lambda _: config(n_layer=2), "did you mean 'n_layers'?"),
    "row": (lambda _: TransformerConfig.table3("C: n_layer=2"), "did you mean 'C: n_layers=2'"),
    "row of training": (
        lambda _: TransformerConfig.table3("D: label_smoothing=0.0"),
        "set training.label_smoothing=0.0 in the recipe",
    ),
    "long source": (
        lambda here: here.model(ONES.expand(1, 3).repeat(1, 7), ONES),
        "the source has 21 tokens, more than max_length=20",
    ),
    "long target": (
        lambda here: here.model(ONES, ONES.repeat(1, 7)),
        "the target has 21 tokens, more than max_length=20",
    ),
    "ids without a batch": (lambda here: here.model(ONES[0], ONES), "the source has shape (3,)"),
    "ids of no length": (lambda here: here.model(ONES, ONES[:, :0]), "the target has shape (1, 0)"),
    "ids that are floats": (lambda here: here.model(ONES.float(), ONES), "dtype torch.float32"),
    "unequal batches": (
        lambda here: here.model(ONES, ONES.repeat(2, 1)),
        "2 targets for 1 sources",
    ),
    "id outside": (lambda here: here.model(300 * ONES, ONES), "300 is outside the vocabulary"),
    "negative id": (lambda here: here.model(-ONES, ONES), "-1 is outside the vocabulary"),
    # attention, masks, positions
    "widths": (lambda _: attend(key=(4, 2)), "queries have width 3, the keys 2"),
    "pairs": (lambda _: attend(value=(1, 5)), "1 values for 4 keys"),
    "additive mask": (lambda _: attend(mask=torch.zeros(2, 4)), "mask has dtype torch.float32"),
    "mask of another shape": (
        lambda _: attend(mask=torch.ones(3, 4, dtype=torch.bool)),
        "mask of shape (3, 4) does not fit scores",
    ),
    "negative mask": (lambda _: causal_mask(-1), "length=-1: a mask needs a whole number"),
    "half a mask": (lambda _: causal_mask(2.5), "length=2.5: a mask needs a whole number"),
    "mask of one row": (lambda _: padding_mask(ONES[0]), "ids have shape (3,)"),
    "no sinusoids": (lambda _: sinusoidal_encoding(3, 0), "no sinusoids for length=3, d_model=0"),
    "too many sinusoids": (lambda _: sinusoidal_encoding(10**12, 4), "length=1000000000000 times"),
    "mask of a list": (lambda _: padding_mask([[5, 2]]), "ids are of type list; expected a tensor"),
    "queries of no width": (
        lambda _: attend(query=(2, 0), key=(4, 0)),
        "the queries are of shape (2, 0)",
    ),
    # what lies elsewhere, of which PyTorch reads memory that is not there
    "source elsewhere": (
        lambda here: here.model(ONES.to("meta"), ONES),
        "the tensor of ids is on meta, the weights on cpu: move one with .to()",
    ),
    "weights elsewhere": (
        lambda _: Embedding(7, 4).to("meta")(ONES),
        "the tensor of ids is on cpu, the weights on meta: move one with .to()",
    ),
    "ids elsewhere": (lambda _: Embedding(7, 4)(ONES.to("meta")), "the tensor of ids is on meta"),
    "ids of a list": (lambda _: Embedding(7, 4)([[1, 2]]), "ids are of type list; expected"),
    "ids of halves": (lambda _: Embedding(7, 4)(ONES / 2), "ids are of shape (1, 3) and dtype"),
    "sparse ids to look up": (lambda _: Embedding(7, 4)(ONES.to_sparse()), "ids is a sparse"),
    "target elsewhere": (
        lambda here: here.model(ONES, ONES.to("meta")),
        "the target is on meta, the memory on cpu",
    ),
    "mask elsewhere": (
        lambda _: multi_head(mask=torch.ones(3, 3, dtype=torch.bool, device="meta")),
        "the mask is on meta, what it masks on cpu",
    ),
    "bias elsewhere": (
        lambda _: multi_head(attn_bias=torch.zeros(3, 3, device="meta")),
        "attn_bias is on meta, what it is added to on cpu",
    ),
    "bias of another type": (
        lambda _: multi_head(attn_bias=torch.zeros(3, 3).double()),
        "attn_bias has dtype torch.float64, what it is added to torch.float32",
    ),
    "sparse ids": (lambda here: here.model(ONES.to_sparse(), ONES), "the source is a sparse"),
    "nested ids": (
        lambda here: here.model(torch.nested.nested_tensor([ONES[0]], layout=torch.jagged), ONES),
        "the source is a nested tensor; pad the rows",
    ),
    "float ids to mask": (lambda _: padding_mask(ONES.float()), "ids have dtype torch.float32"),
    "padding that would count from the other end": (
        lambda _: padding_mask(torch.zeros(1, 3, dtype=torch.uint8), 256),
        "padding_id=256 is no number of dtype torch.uint8, which the ids have",
    ),
    "source of floats beside a memory": (
        lambda here: here.model.decode(ONES, here.model.encode(ONES), ONES.float()),
        "ids have dtype torch.float32; expected whole numbers",
    ),
    "mask of the formula elsewhere": (
        lambda _: attend(mask=torch.ones(2, 4, dtype=torch.bool, device="meta")),
        "the mask is on meta, what it masks on cpu",
    ),
    "sparse mask": (
        lambda _: attend(mask=torch.ones(2, 4, dtype=torch.bool).to_sparse()),
        "the mask is a sparse tensor",
    ),
    "stack of a dictionary": (lambda _: Encoder({"n_layers": 1}), "is of type dict; expected a"),
    "fields that are a list": (
        lambda _: TransformerConfig.from_dict([5]),
        "the fields are [5]; expected a dictionary of them",
    ),
    "row that is none": (lambda _: TransformerConfig.table3(None), "no row None in Table 3"),
    # parts of the model
    **{
        f"part: {message}": (lambda _, part=part: part(), message)
        for message, part in {
            "n_heads=-4 must be a positive integer": lambda: MultiHeadAttention(16, -4),
            "n_heads=0 must be a positive integer": lambda: MultiHeadAttention(16, 0),
            "d_model=16.0 must be a positive integer": lambda: MultiHeadAttention(16.0, 4),
            "d_k=0 must be a positive integer": lambda: MultiHeadAttention(16, 4, d_k=0),
            "d_v=-2 must be a positive integer": lambda: MultiHeadAttention(16, 4, d_v=-2),
            "out_features=0 must be a positive integer": lambda: FeedForward(4, 0),
            "activation='tanh' is unknown; choose": lambda: FeedForward(4, 8, "tanh"),
            "norm='middle' is unknown; choose": lambda: Residual(4, 0.1, "middle"),
            "dropout=1.0 must be at least 0 and below 1": lambda: Residual(4, 1.0, "post"),
            "type dict; expected a TransformerConfig": lambda: Transformer({"vocab_size": 9}),
        }.items()
    },
    # the loss of training
    "negative target": (
        lambda _: loss(torch.tensor([[4, -100, 0]])),
        "target id -100 is outside the vocabulary of 7",
    ),
    "loss of no token": (lambda _: loss(n_tokens=0), "n_tokens=0, smoothing=0.1: expected 1 token"),
    "loss of odd tokens": (lambda _: loss(n_tokens=math.nan), "n_tokens is nan; expected"),
    "loss of other rows": (
        lambda _: loss(torch.tensor([[4, 5]])),
        "the target is of shape (1, 2) and dtype torch.int64, the vectors are of shape (1, 3, 4)",
    ),
    "loss of transposed targets": (
        lambda _: label_smoothing_loss(torch.zeros(2, 3, 7), torch.full((3, 2), 4)),
        "the target is of shape (3, 2) and dtype torch.int64, the logits are of shape (2, 3, 7)",
    ),
    "loss too smooth": (lambda _: loss(smoothing=1.5), "n_tokens=2, smoothing=1.5: expected"),
    **{
        f"targets smoothed by {smoothing}, of {size}": (
            lambda _, size=size, smoothing=smoothing: smoothed_targets(ONES, size, smoothing),
            message,
        )
        for size, smoothing, message in [
            (4, 1.5, "smoothing=1.5 must be at least 0 and below 1"),
            (4, math.nan, "smoothing=nan must be at least 0 and below 1"),
            (-1, 0.1, "vocab_size=-1 must be a positive integer"),
        ]
    },
    # rotary positions
    "turned whole numbers": (
        lambda _: rotate(torch.ones(3, 4, dtype=torch.long), torch.arange(3)),
        "x is of shape (3, 4) and dtype torch.int64; expected floating-point numbers",
    ),
    "turned without a row": (
        lambda _: rotate(torch.ones(4), torch.arange(1)),
        "x is of shape (4,)",
    ),
    "positions of a list": (
        lambda _: rotate(torch.ones(3, 4), [0, 1, 2]),
        "the positions are of type list; expected a tensor",
    ),
    "positions elsewhere": (
        lambda _: rotate(torch.ones(3, 4), torch.arange(3, device="meta")),
        "the tensor of positions is on meta, x on cpu",
    ),
    # search
    **{
        f"{name} {value!r}": (
            lambda here, name=name, value=value: beam_search(here.model, ONES, **{name: value}),
            message,
        )
        for name, value, message in [
            ("beam_size", 1.5, "beam_size is 1.5; expected at least 1, a whole number"),
            ("beam_size", True, "beam_size is True; expected at least 1, a whole number"),
            ("n_best", "2", "n_best is '2'; expected"),
            ("alpha", None, "alpha is None; expected a finite number"),
            ("max_length", 1.5, "max_length is 1.5; expected a whole number of tokens"),
            ("min_length", 1.5, "min_length is 1.5; expected a whole number of tokens"),
        ]
    },
    "source that is a list": (
        lambda here: beam_search(here.model, [[5, 2]]),
        "ids are of type list",
    ),
    "source of one row": (lambda here: greedy_search(here.model, ONES[0]), "ids have shape (3,)"),
    "source without numbers": (
        lambda here: greedy_search(here.model, ONES.to("meta")),
        'the source is on the device "meta", which has no numbers',
    ),
    "beam_size": (
        lambda here: beam_search(here.model, ONES, beam_size=0),
        "beam_size is 0; expected at least 1",
    ),
    "n_best": (
        lambda here: beam_search(here.model, ONES, n_best=5),
        "n_best is 5; expected 1 to 4",
    ),
    "alpha": (lambda here: beam_search(here.model, ONES, alpha=math.nan), "alpha is nan"),
    "max_length": (lambda here: greedy_search(here.model, ONES, max_length=0), "max_length is 0"),
    "min_length": (lambda here: greedy_search(here.model, ONES, min_length=-1), "min_length is -1"),
    "source of padding": (lambda here: greedy_search(here.model, 0 * ONES), "row 0 of the source"),
    "search with a translator": (
        lambda here: beam_search(here.translator, ONES),
        "the model is of type Translator; expected one with a configuration, such as a "
        "Transformer; its .model is a model",
    ),
    "search with what holds a model": (
        lambda here: greedy_search(torch.nn.DataParallel(here.model), ONES),
        "its .module is a model",
    ),
    "attention of a translator": (
        lambda here: record_attention(here.translator).__enter__(),
        "the model is of type Translator; expected a module, such as the .model of a Translator",
    ),
    # Translator
    "texts without order": (
        lambda here: here.translator.translations({"I am"}),
        "{'I am'} was given; expected a list of texts",
    ),
    "scores of a table": (lambda _: scores({"a": 1}, ["a"]), "{'a': 1} was given; expected a list"),
    "pairs of a corpus": (
        lambda here: here.translator.attentions([SentencePair("a", "b")]),
        "expected a list of pairs (source, target)",
    ),
    "no pairs": (lambda here: here.translator.attentions(None), "None was given; expected a list"),
    "no tokenizer": (lambda here: Translator(here.model, None), "the tokenizer is None; expected"),
    "text of a string": (
        lambda here: Translator(here.model, here.translator.tokenizer, text="I am"),
        "text is 'I am'; expected a TrainingText, or None",
    ),
    "batch_size later": (
        lambda here: in_batches([[5]], 0),
        "batch_size is 0; expected at least 1",
    ),
    **{
        f"path {path!r}": (
            lambda _, path=path: Translator.load(path),
            f"the model is {path!r}; expected a path (. is the current folder)",
        )
        for path in ("", None, 5)
    },
    "blank line": (lambda here: here.translator(" "), "line 1: it is blank; expected a sentence"),
    "no text": (lambda here: here.translator(["a", 7]), "line 2 is 7; expected a sentence"),
    "space mark": (lambda here: here.translator("a▁b"), "line 1: U+2581 at position 1"),
    "surrogate": (lambda here: here.translator("\ud800"), "line 1: U+D800 at position 0"),
    "long line": (lambda here: here.translator("I " * 99), "tokens; the model takes at most 20"),
    "one string": (lambda here: here.translator.translations("ab"), "one string was given, 'ab'"),
    "scores of a string": (lambda _: scores("abcd", "abce"), "one string was given, 'abcd'"),
    "no such layer": (
        lambda here: here.translator.attention("I", "나는", layer=1),
        "layer is 1; expected -1 to 0",
    ),
    "no such step": (lambda here: here.translator.attention("I", "나", step="up"), "step is 'up'"),
    "batch_size": (
        lambda here: Translator(here.model, here.translator.tokenizer, batch_size=0),
        "batch_size is 0; expected at least 1",
    ),
    **{
        f"{name} {value!r}": (
            lambda here, name=name, value=value: Translator(
                here.model, here.translator.tokenizer, **{name: value}
            ),
            f"{name} is {value!r}; expected",
        )
        for name, value in [
            ("batch_size", 1.5),
            ("workers", "2"),
            ("threshold", math.nan),
            ("threshold", "0.1"),
            ("threshold", True),
            ("coverage", {"green": [300]}),
            ("coverage", "green"),
        ]
    },
    "layer and a half": (
        lambda here: here.translator.attention("I", "나는", layer=0.0),
        "layer is 0.0; expected -1 to 0, a whole number",
    ),
    "no list": (lambda here: here.translator.translations(5), "5 was given; expected a list"),
    "unknown device": (
        lambda here: load_model(here.folder / "model", "gpu"),
        "device 'gpu' is unknown; expected cpu, or cuda",
    ),
    **{
        f"device {name}": (
            lambda here, name=name: load_model(here.folder / "model", name),
            f"device {name!r}: PyTorch has none such here",
        )
        for name in ("hpu", "xpu")
    },
    "no such GPU": (
        lambda here: load_model(here.folder / "model", "cuda:99"),
        "device 'cuda:99': PyTorch finds",
    ),
    "workers": (
        lambda here: Translator(here.model, here.translator.tokenizer, workers=0),
        "workers is 0; expected at least 1",
    ),
    "another tokenizer": (
        lambda here: Translator(here.model, tokens(vocab_size=299)),
        "the tokenizer has 299 tokens, the model 300",
    ),
    "no such model": (lambda _: Translator.load("nowhere"), "models in the package:"),
    "evaluate nothing": (
        lambda here: evaluate(here.translator, [], split="test"),
        "the split 'test' has no sentences to evaluate",
    ),
    "evaluate as mecab": (
        lambda here: evaluate(
            here.translator, [SentencePair("a", "b")], split="test", tokenize="mecab"
        ),
        "tokenize is 'mecab'; expected one of 13a",
    ),
    "evaluate a model": (
        lambda here: evaluate(here.model, [SentencePair("a", "b")], split="test"),
        "the translator is of type Transformer; expected a Translator",
    ),
    "evaluate what no corpus has": (
        lambda here: evaluate(here.translator, [SentencePair("a", "b▁")], split="test"),
        "target 1: U+2581 at position 1",
    ),
    "int8 of halves": (
        lambda here: quantised(copy.deepcopy(here.model).half()),
        "this one's numbers are float16, in which its sums overflow: take model.float()",
    ),
    "evaluate no text": (
        lambda here: evaluate(here.translator, [SentencePair(None, "b")], split="test"),
        "source 1 is None; expected a sentence",
    ),
    **{
        f"alignment {links!r}": (
            lambda here, links=links: evaluate(
                here.translator, [SentencePair("I am", "b", links)], split="test"
            ),
            f"pair 1 has the link {links[0]!r}; expected (source word, target word), from 0: its "
            "texts have 2 and 1 words",
        )
        for links in (((2, 0),), ((0, 1),), ((-1, 0),), "0-0")
    },
    "source of a stranger": (
        lambda _: show_source(len),
        "is not a module, function, class or method of",
    ),
    "source of nothing": (lambda _: show_source(), "expected at least one module, function"),
    # Tokenizer
    "small vocabulary": (lambda _: tokens(vocab_size=260), "vocab_size 260 is too small: expected"),
    "large vocabulary": (lambda _: tokens(vocab_size=9_999), "vocab_size 9999 is too large"),
    "kind of tokenizer": (lambda _: tokens(kind="char"), "unknown tokenizer kind 'char'"),
    "one text": (lambda _: Tokenizer.train("I am", vocab_size=300), "one text was given; expected"),
    "no lines": (lambda _: Tokenizer.train([], vocab_size=300), "no text to train a tokenizer on"),
    "bad line": (lambda _: tokens("fine", "a\nb"), "training line 2: U+000A at position 1"),
    "line that is none": (lambda _: tokens("fine", None), "training line 2: a text is None"),
    "half a vocabulary": (
        lambda _: tokens(vocab_size=300.5),
        "vocab_size 300.5 is no whole number",
    ),
    "text that is none": (
        lambda here: here.translator.tokenizer.encode(["I am"]),
        "a text is ['I am']; expected a string",
    ),
    "id that is none": (
        lambda here: here.translator.tokenizer.decode([5.0]),
        "token id 5.0 is no whole number; expected a list of ids",
    ),
    "id that is a truth": (
        lambda here: here.translator.tokenizer.decode(torch.tensor([True])),
        "token id tensor(True) is no whole number",
    ),
    "ids of a batch": (
        lambda here: here.translator.tokenizer.decode(ONES),
        "token id tensor([1, 1, 1]) is no whole number",
    ),
    "one id": (
        lambda here: here.translator.tokenizer.decode(5),
        "5 was given; expected a list of ids",
    ),
    "lines that are none": (
        lambda _: Tokenizer.train(None, vocab_size=300),
        "None was given; expected a list of lines",
    ),
    "tokenizer of a name": (lambda _: Tokenizer("a.model"), "Tokenizer.load reads a file"),
    "bad id": (lambda here: here.translator.tokenizer.decode([-1]), "token id -1 is outside the"),
    # saved models
    **{
        f"model: {name}": (lambda here, name=name: load_model(here.folder / name), message)
        for name, message in {
            "other_format": "format is 99, this program reads 2",
            "other_tokenizer": "does not belong to this model",
            "no_config": "holds no model: config.json is missing",
            "cut_config": "config.json is corrupt",
            "no_weights": "model.safetensors is missing",
            "cut_weights": "model.safetensors is corrupt",
            "no_tokenizer": "tokenizer.model is missing",
            "empty_tokenizer": "tokenizer.model: the file is empty",
            "unfinished": "holds an unfinished training run and no model yet",
            "empty": "holds no model",
        }.items()
    },
    **{
        f"saving {value!r}": (
            lambda here, value=value: save_model(
                here.folder / "new", here.model, here.translator.tokenizer, training={"a": value}
            ),
            message,
        )
        for value, message in [
            (math.nan, "what is to be saved: training.a = nan is out of range"),
            ("\ud800", "U+D800 at position 0, which is no character of a text"),
            (2**80, "expected a number of at most 64 bits"),
            (torch.tensor(1), "training=tensor(1) is a Tensor; expected a number"),
            ({5}, "training holds {5}; expected texts, numbers, lists and tables"),
        ]
    },
    "saving a list": (
        lambda here: save_model(
            here.folder / "new", here.model, here.translator.tokenizer, training=[1]
        ),
        "training is [1]; expected a dictionary, or None",
    ),
    "saving nowhere": (
        lambda here: save_model("", here.model, here.translator.tokenizer),
        "directory is ''; expected a path",
    ),
    "saving over something": (
        lambda here: save_model(here.folder, here.model, here.translator.tokenizer),
        "something else than a saved model",
    ),
    # recipes
    **{
        f"recipe: {setting}": (lambda _, setting=setting: load_recipe(LIVE, [setting]), message)
        for setting, message in {
            "steps": "expected key=value",
            "seed=-1": "seed must be at least 0 and below 2**64: -1",
            "seed.x=1": "seed is a value",
            "training.steps=0": "at least 1: 0",
            "evaluation.tokenize=mecab": "'mecab' is not one of 13a",
            "evaluation.splits=test": "is not a list, each item a string",
            'evaluation.splits=["test", "test"]': "has a split twice; name each once",
            'name=""': "name = ''; expected a name on one line",
            'name="a\\nb"': "name = 'a\\nb'; expected a name on one line",
        }.items()
    },
    "no such recipe": (lambda _: load_recipe("english_koraen"), "english_koraen"),
    **{
        f"recipe {source!r}": (
            lambda _, source=source: load_recipe(source),
            f"the recipe is {source!r}; expected a path",
        )
        for source in (None, 5, b"english_korean")
    },
    **{
        f"overrides {given!r}": (
            lambda _, given=given: load_recipe(LIVE, given),
            f"the overrides are {given!r}; expected a list of texts, such as",
        )
        for given in ("training.steps=3", [5], [b"seed=1"])
    },
    "no TOML": (lambda here: load_recipe(here.folder / "no.toml"), "no.toml"),
    "misspelt key": (lambda here: load_recipe(here.folder / "typo.toml"), "did you mean 'steps'?"),
    "run into other files": (
        lambda here: train(load_recipe(here.recipe), here.folder),
        "bad_input",
    ),
    # corpora
    "unequal files": (
        lambda here: read_parallel(here.folder / "three.txt", here.folder / "two.txt"),
        "three.txt has 3 lines and",
    ),
    "no UTF-8": (
        lambda here: read_parallel(here.folder / "latin.txt", here.folder / "two.txt"),
        "latin.txt, line 2: byte 0xff at position 2",
    ),
    "no file": (
        lambda here: read_parallel(here.folder / "absent.txt", here.folder / "two.txt"),
        "absent.txt",
    ),
    **{
        name: (lambda here, name=name: list(iterate_tsv(here.folder / name)), message)
        for name, message in {
            "empty.tsv": "empty.tsv: the file is empty",
            "columns.tsv": "columns.tsv, line 2: expected 2 columns, got 1",
            "blank.tsv": "blank.tsv, line 2: the source column is empty",
            "damaged.tsv.gz": "damaged.tsv.gz: not a gzip file",
        }.items()
    },
}

COMMANDS = {
    "no such recipe": (["train", "nothing", "--out", "OUT"], "nothing"),
    "bad setting": (
        ["train", LIVE, "--out", "OUT", "--set", "training.steps=0"],
        "--set training.steps=0",
    ),
    "bad device": (["train", LIVE, "--out", "OUT", "--device", "abacus"], "abacus"),
    "out is a file": (["train", "RECIPE", "--out", "FOLDER/two.txt"], "two.txt"),
    "no such model": (["translate", "nowhere", "hello"], "there is no model directory nowhere"),
    "no model here": (["translate", "FOLDER/empty", "hello"], "holds no model"),
    "damaged model": (["translate", "FOLDER/cut_weights", "hello"], "model.safetensors is corrupt"),
    "blank sentence": (["translate", "FOLDER/model", " "], "it is blank; expected a sentence"),
    "no beam": (["translate", "FOLDER/model", "I", "--beam-size", "0"], "beam_size is 0"),
    "no batch": (["translate", "FOLDER/model", "I", "--batch-size", "0"], "batch_size is 0"),
    "no worker": (["translate", "FOLDER/model", "I", "--workers", "0"], "workers is 0"),
    "source alone": (
        ["evaluate", "FOLDER/model", "--source", "FOLDER/two.txt"],
        "--source and --target belong together",
    ),
    "unequal test set": (
        ["evaluate", "FOLDER/model", "--source=FOLDER/two.txt", "--target=FOLDER/three.txt"],
        "two.txt has 2 lines and",
    ),
    "no such split": (["evaluate", "FOLDER/model", "--split", "exam"], "exam"),
    "nothing to describe": (["describe", "hugge"], "hugge"),
    "no such row": (["describe", "C: n_layer=2"], "did you mean 'C: n_layers=2'"),
    "size of a model": (
        ["describe", "FOLDER/model", "--vocab-size", "9"],
        "--vocab-size is for presets and rows of Table 3",
    ),
    "no such format": (["export", "FOLDER/model", "OUT", "--format", "tflite"], "tflite"),
    "export over files": (["export", "FOLDER/model", "FOLDER"], "left as it is"),
}


@pytest.mark.parametrize(("call", "message"), CASES.values(), ids=CASES)
def test_bad_input_is_answered_with_one_sentence(here, call, message):
    with unchecked(), pytest.raises((ValueError, OSError)) as error:
        call(here)
    sentence = str(error.value)
    assert message in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize(("arguments", "message"), COMMANDS.values(), ids=COMMANDS)
def test_a_bad_command_is_one_line_and_a_status(here, tmp_path, capsys, arguments, message):
    names = {"FOLDER": str(here.folder), "OUT": str(tmp_path / "out"), "RECIPE": str(here.recipe)}
    full = [re.sub("FOLDER|OUT|RECIPE", lambda m: names[m[0]], text) for text in arguments]
    with unchecked():
        assert main(full) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("annotated-transformer: error: ")
    assert message in line


EMPTY = [
    ["train", "", "--out", "run"],
    ["train", "nothing", "--out", ""],
    ["train", "nothing", "--out", "run", "--from", ""],
    ["translate", "", "I am"],
    ["evaluate", LIVE, "--source", "", "--target", "x"],
    ["describe", ""],
    ["export", "english_korean", ""],
]
"""What a script asks for whose variable is not set: it would be the current folder."""


@pytest.mark.parametrize("arguments", EMPTY, ids=" ".join)
def test_an_empty_path_is_not_the_current_folder(tmp_path, monkeypatch, capsys, arguments):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert "it is empty; expected a path (. is the current folder)" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


def test_the_list_is_as_long_as_it_was():
    assert len(CASES) + len(COMMANDS) >= 150
