"""Every number that a public class or function takes is refused by name where it makes no sense.

The doors come from the code: all public names of the modules that the reference has, without those
that measure and draw for the book. Each is tried, or stands in `INNER` with the reason why not, so
that a new one cannot be forgotten. The same doors take numpy's numbers as Python's, and no tensor
that holds one.
"""

import dataclasses
import importlib
import inspect
import math
import re
import warnings

import numpy as np
import pytest
import torch
from family_tiny import TINY
from tiny import SIZES, tiny_translator
from typechecking import unchecked

import api_reference
from annotated_transformer import TransformerConfig, Translator
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.family.dit.diffusion import Diffusion
from annotated_transformer.lab.family.dit.model import DiT, DiTConfig
from annotated_transformer.lab.family.gpt.model import GPT, GPTConfig
from rules import ROOT

PACKAGE = "annotated_transformer"
PAGES = "\n".join((ROOT / f"{page}.md").read_text("utf-8") for page in api_reference.PAGES)
MODULES = [
    name
    for block in api_reference.BLOCK.findall(PAGES)
    for name in block.split()
    if not name.startswith("lab.")
    or name.startswith(("lab.caching", "lab.family.", "lab.variants."))
]
BAD = {
    "int": (-1, 1.5, math.nan, math.inf, True, "2"),
    "float": (-1.0, math.nan, math.inf, True, "0.1"),
}
ZERO_TOO = {"d_model", "n_heads", "vocab_size", "epsilon", "base", "temperature", "beam_size"}
"""Sizes and divisors, of which 0 makes no sense either."""


def numbers(function):
    """Return the parameters that are one number, each with its type."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # of a class that PyTorch wrote in C++
        return {}
    kinds = {
        p.name: p.annotation.__name__ if isinstance(p.annotation, type) else str(p.annotation)
        for p in parameters
    }
    kinds = {name: kind.removesuffix(" | None") for name, kind in kinds.items()}
    return {name: kind for name, kind in kinds.items() if kind in BAD}


def public():
    """Return all classes, functions and methods that take a number, by name."""
    found = {}
    for name in MODULES:
        module = importlib.import_module(f"{PACKAGE}.{name}")
        for key, each in vars(module).items():
            if key.startswith("_") or getattr(each, "__module__", "") != module.__name__:
                continue
            if inspect.isclass(each) or inspect.isfunction(each):
                found[f"{name}.{key}"] = each
            for method, kind in vars(each).items() if inspect.isclass(each) else ():
                if inspect.isfunction(kind) or isinstance(kind, classmethod | staticmethod):
                    found[f"{name}.{key}.{method}"] = getattr(each, method)
    return {
        name: each
        for name, each in found.items()
        if numbers(each) and not name.rpartition(".")[2].startswith("_")
    }


PUBLIC = public()
IDS = torch.tensor([[5, 6, 2]])
X, HEADS = torch.ones(1, 3, 4), torch.ones(1, 2, 3, 4)
CONFIG = TransformerConfig(vocab_size=300, **SIZES)
ATTENTION = {"d_model": 8, "n_heads": 2, "d_k": 4, "d_v": 4}
TEXT = list(range(5, 25))
PAIRS = [SentencePair("I am a student", "나는 학생이다")]
SINUSOIDS = {"length": 3, "d_model": 4, "base": 10.0}
CACHE = {"config": CONFIG, "bytes_per_value": 4}
LOSS = {"logits": torch.zeros(1, 3, 9), "target": IDS}


@pytest.fixture(scope="module")
def translator() -> Translator:
    return tiny_translator()


def gpt() -> GPT:
    return GPT(GPTConfig(**TINY["GPT"]))


DOORS = {
    "config.TransformerConfig.base": {"vocab_size": 9},
    "config.TransformerConfig.big": {"vocab_size": 9},
    "config.TransformerConfig.tiny": {"vocab_size": 9},
    "config.TransformerConfig.table3": {"row": "base", "vocab_size": 9},
    "config.head_width": {"d_model": 8, "n_heads": 2},
    "masks.padding_mask": {"ids": IDS, "padding_id": 0},
    "masks.causal_mask": {"length": 3},
    "attention.MultiHeadAttention": ATTENTION,
    "positions.sinusoidal_encoding": SINUSOIDS,
    "positions.SinusoidalPositions": {"max_length": 3, "d_model": 4},
    "layers.Embedding": {"vocab_size": 9, "d_model": 4},
    "layers.LayerNorm": {"d_model": 4, "epsilon": 1e-6},
    "layers.FeedForward": {"d_model": 4, "d_ff": 8},
    "layers.Residual": {"d_model": 4, "dropout": 0.1, "norm": "post", "epsilon": 1e-6},
    "tokenizer.Tokenizer.train": {"lines": ["I am a student"], "vocab_size": 270},
    "tokenizer.Tokenizer.check_size": {"vocab_size": 300},
    "translator.Translator": {"beam_size": 4, "alpha": 0.6, "batch_size": 2, "threshold": 0.2}
    | {"workers": 1},
    "translator.Translator.load": {"name_or_path": "english_korean", "beam_size": 4}
    | {"alpha": 0.6, "batch_size": 2, "workers": 1},
    "translator.Translator.hypotheses": {"texts": ["I am"], "n_best": 1},
    "translator.Translator.attention": {"source": "I", "target": "나는", "layer": 0},
    "translator.Translator.attentions": {"pairs": [("I", "나는")], "layer": 0},
    "translator.Translator.layer_number": {"layer": 0},
    "evaluation.evaluate": {"pairs": PAIRS, "split": "test", "layer": 0},
    "decoding.search.greedy_search": {"source": IDS, "max_length": 9, "min_length": 0},
    "decoding.search.beam_search": {"source": IDS, "beam_size": 4, "alpha": 0.6}
    | {"max_length": 9, "min_length": 0, "n_best": 1},
    "lab.caching.cache_bytes": CACHE | {"target": 3, "source": 3},
    "decoding.hypotheses.length_penalty": {"length": 3, "alpha": 0.6},
    "training.loss.label_smoothing_loss": LOSS | {"smoothing": 0.1, "padding_id": 0, "n_tokens": 3},
    "training.loss.smoothed_targets": {"target": IDS, "vocab_size": 9, "smoothing": 0.1},
    "training.schedule.noam_rate": {"step": 1, "d_model": 4, "warmup_steps": 3, "scale": 1.0},
    "fast.linear.Linear": {"in_features": 4, "out_features": 4},
    "variants.rotary.rotate": {"x": X, "positions": torch.arange(3), "base": 10.0},
    "variants.rotary.RotaryAttention": ATTENTION,
    "variants.alibi.linear_bias": {"n_heads": 2, "query": IDS[0], "key": IDS[0]},
    "variants.alibi.LinearBiasAttention": ATTENTION,
    "lab.variants.tiled.tiled_attention": {"query": HEADS, "key": HEADS, "value": HEADS}
    | {"query_block": 2, "key_block": 2},
    "lab.variants.linear.causal_linear_attention": {"query": HEADS, "key": HEADS, "value": HEADS}
    | {"chunk": 2},
    "lab.variants.window.window_mask": {"length": 3, "window": 1},
    "lab.variants.window.window_attention": {"query": HEADS, "key": HEADS, "value": HEADS}
    | {"window": 1},
    "lab.variants.grouped.GroupedQueryAttention": {"d_model": 8, "n_heads": 2, "n_groups": 1},
    "lab.variants.grouped.grouped_cache_bytes": CACHE | {"n_groups": 1, "tokens": 3},
    "lab.variants.all_at_once.spread_copies": {"source": IDS, "n_positions": 4, "padding_id": 0},
    "lab.family.gpt.model.GPT.generate": {"prompt": IDS, "n_tokens": 1}
    | {"choose": lambda logits: logits.argmax(-1)},
    "lab.family.gpt.sampling.sampler": {"temperature": 1.0, "top_k": 3, "nucleus": 0.9, "seed": 1},
    "lab.family.t5.parts.RMSNorm": {"d_model": 4, "epsilon": 1e-6},
    "lab.family.t5.parts.UndividedAttention": ATTENTION,
    "lab.family.t5.parts.GatedFeedForward": {"d_model": 4, "d_ff": 8},
    "lab.family.sam.mask_decoder.MapNorm": {"d_model": 4, "epsilon": 1e-6},
    "lab.family.bert.gaps.make_gaps": {"ids": IDS, "mask_id": 3, "vocab_size": 9, "first_id": 4}
    | {"rate": 0.5, "hidden": 0.8, "random": 0.1},
    "lab.family.noise.mask_tokens": {"text": TEXT, "mask_id": 3, "rate": 0.3},
    "lab.family.noise.infill": {"text": TEXT, "mask_id": 3, "rate": 0.3, "mean": 3.0},
    "lab.family.noise.hide_spans": {"text": TEXT, "sentinels": range(30, 60), "rate": 0.3}
    | {"mean": 3.0},
    "lab.family.dit.model.DiT.sample": {"labels": torch.tensor([1]), "guidance": 1.0, "n_jumps": 2},
    "lab.family.dit.diffusion.Diffusion": {"schedule": "linear", "n_steps": 30},
    "lab.family.dit.diffusion.Diffusion.jump": {"guess": lambda noise, t: noise, "noise": X[None]}
    | {"n_jumps": 2},
    "lab.family.member.fit": {"batches": [(IDS,)], "rate": 0.1, "warmup": 1, "until": 3}
    | {"clip": 1.0},
}
"""The valid arguments of each; a number in them is exchanged for one that makes no sense."""
FROM_SIZES = ("vit.model.ViTConfig", "deit.model.DeiTConfig", "dit.model.DiTConfig")
FEED_FORWARDS = ("layers.FeedForward", "lab.family.t5.parts.GatedFeedForward")
UNDERSTOOD = {
    ("translator.Translator.attention", "layer"): (-1,),
    ("translator.Translator.attentions", "layer"): (-1,),
    ("translator.Translator.layer_number", "layer"): (-1,),
    ("evaluation.evaluate", "layer"): (-1,),
    ("tokenizer.Tokenizer.check_size", "vocab_size"): (*BAD["int"], 0),  # compares two sizes
    ("masks.padding_mask", "padding_id"): (-1,),  # no token has it: nothing is padding
    ("training.loss.label_smoothing_loss", "padding_id"): (-1,),
    ("lab.variants.all_at_once.spread_copies", "padding_id"): (-1,),
    ("lab.family.segformer.model.SegFormerConfig", "ignored"): (-1,),  # a label of no place
    ("lab.family.bert.gaps.make_gaps", "mask_id"): (-1,),
    ("lab.family.bert.gaps.make_gaps", "first_id"): (-1,),  # every token may be chosen
    ("lab.family.bert.gaps.make_gaps", "vocab_size"): (*BAD["int"], 0),  # PyTorch's draw refuses it
    ("lab.family.noise.mask_tokens", "mask_id"): BAD["int"],  # is only put into a list
    ("lab.family.noise.infill", "mask_id"): BAD["int"],
    # Follows from the sizes, whatever is given.
    **{(f"lab.family.{name}", "max_length"): BAD["int"] for name in FROM_SIZES},
}
"""What makes sense all the same."""
CALLED = {
    **{(name, "d_model"): "in_features" for name in FEED_FORWARDS},
    **{(name, "d_ff"): "out_features" for name in FEED_FORWARDS},
    ("positions.SinusoidalPositions", "max_length"): "length",
}
"""What a message calls a number otherwise: by the name that it has in a part."""
INNER = {
    "minimal.": "the oracle, which checks nothing",
    "config.Table3Row": "what the paper's table says",
    "text.policy.Reading.within": "of lengths that a tokenizer counted",
    "attention.MultiHeadAttention.initialise": "of `branch_gain`, which a configuration checks",
    "layers.FeedForward.initialise": "of `branch_gain`",
    "lab.family.t5.parts.UndividedAttention.initialise": "of `branch_gain`",
    "lab.family.t5.parts.GatedFeedForward.initialise": "of `branch_gain`",
    "lab.family.member.Member.initialise": "of `branch_gain`",
    "fast.linear.initialise": "of `branch_gain`",
    "layers.layer_norm": "the formula, bare: `LayerNorm` checks",
    "text.training.TrainingText": "what was counted in a text; its file has a reader of its own",
    "translation.": "what comes out, and steps inside of a translator",
    "evaluation.Score": "what comes out",
    "decoding.search.next_log_probs": "inside of a search, which has checked them",
    "decoding.search.best_tokens": "inside of a search",
    "decoding.beam.": "inside of a search, which has checked them",
    "decoding.hypotheses.Hypothesis": "what comes out",
    "decoding.hypotheses.make_hypothesis": "inside of a search",
    "decoding.doubt.about_doubt": "inside of a translator, which has checked them",
    "decoding.doubt.Coverage": "of a model's file, whose reader has checked them",
    "training.data.": "numbers of a recipe, which has checked them",
    "training.encoded.": "numbers of a recipe and its model",
    "training.batching.": "numbers of a recipe, and how far a run is",
    "training.step.": "a recipe's numbers; `noam_rate` and `projected_loss` check the others",
    "training.loss.label_smoothing_loss_explicit": "the formula, bare",
    "training.cost.": "numbers of a recipe; what comes out",
    "variants.rotary.check_rotary": "a check itself",
    "lab.variants.tiled.no_keys": "inside of `tiled_attention`",
    "lab.variants.tiled.blocks": "inside of `tiled_attention`",
    "lab.variants.window.near": "inside of `window_mask`",
    "lab.variants.window.check_window": "a check itself",
    "lab.variants.grouped.check_groups": "a check itself",
    "lab.family.gpt.sampling.keep_": "inside of a sampler, which has checked them",
    "lab.family.t5.distances.": "inside of T5, whose configuration has checked them",
    "lab.family.bert.gaps.may_be_chosen": "inside of `make_gaps`",
    "lab.family.bert.gaps.check_shares": "a check itself",
    "lab.family.marian.model.MarianTranslator": "needs files; hands all to `Translator`",
    "lab.family.swin.": "parts that a checked configuration makes",
    "lab.family.detr.": "parts that a checked configuration makes",
    "lab.family.deformable_detr.attention.": "parts that a checked configuration makes",
    "lab.family.sam.": "parts that a checked configuration makes",
    "lab.family.dit.adaptive.": "parts that a checked configuration makes",
    "lab.family.dit.diffusion.": "inside of a walk, which counts the steps itself",
    "lab.family.images.": "parts that a checked configuration makes, and checks",
    "lab.family.segformer.": "parts that a checked configuration makes",
    "lab.family.member.falling": "inside of `fit`",
    "lab.family.published_tokenizer.": "of a published file, whose reader has checked them",
    "lab.family.words.batches": "of an experiment",
}
"""The rest, by the beginning of its name, and why. `DOORS` comes first."""


def configurations():
    """Return the configurations of all members and of the recipe, with arguments they take."""
    found = {"config.TransformerConfig": {"vocab_size": 9} | ATTENTION | {"padding_id": 0}}
    members = {f"{name}Config": sizes for name, sizes in TINY.items()}
    members["ReaderConfig"] = TINY["BERT"]
    for name, each in PUBLIC.items():
        last = name.rpartition(".")[2]
        if inspect.isclass(each) and last in members:
            found[name] = members[last]
    return found


CONFIGURATIONS = configurations()
TABLE = DOORS | CONFIGURATIONS
TRIALS = [(name, number) for name in TABLE for number in numbers(PUBLIC[name])]


def test_no_door_is_forgotten():
    inner = tuple(INNER)
    assert [name for name in PUBLIC if name not in TABLE and not name.startswith(inner)] == []
    assert TABLE.keys() - PUBLIC.keys() == set()
    unused = [start for start in INNER if not any(name.startswith(start) for name in PUBLIC)]
    assert unused == []
    assert {key for key in UNDERSTOOD if key[0] not in TABLE} == set()


@pytest.mark.parametrize("name", DOORS)
def test_the_arguments_are_valid(name, translator):
    call(name, translator)


def call(name, translator, **changed):
    """Call a public name with the arguments of the table, some of them exchanged."""
    arguments = {**TABLE[name], **changed}
    function = PUBLIC[name]
    owner = {
        "translator.Translator": lambda: {
            "model": translator.model,
            "tokenizer": translator.tokenizer,
        },
        "evaluation.evaluate": lambda: {"translator": translator},
        "decoding.search.greedy_search": lambda: {"model": translator.model},
        "decoding.search.beam_search": lambda: {"model": translator.model},
        "lab.family.member.fit": lambda: {"model": gpt()},
    }
    owners = {
        "translator.Translator": lambda: translator,
        "tokenizer.Tokenizer": lambda: translator.tokenizer,
        "lab.family.gpt.model.GPT": gpt,
        "lab.family.dit.model.DiT": lambda: DiT(DiTConfig(**TINY["DiT"])),
        "lab.family.dit.diffusion.Diffusion": lambda: Diffusion("linear", 30),
    }
    if name in owner:
        arguments |= owner[name]()
    if "self" in inspect.signature(function).parameters:
        arguments["self"] = owners[name.rpartition(".")[0]]()
    return function(**arguments)


@pytest.mark.parametrize(("name", "parameter"), TRIALS)
def test_a_number_that_makes_no_sense_is_refused_by_name(name, parameter, translator):
    bad = (*BAD[numbers(PUBLIC[name])[parameter]], *([0] if parameter in ZERO_TOO else []))
    called = CALLED.get((name, parameter), parameter)
    for value in bad:
        if value in UNDERSTOOD.get((name, parameter), ()):
            continue
        with unchecked(), pytest.raises(ValueError) as error:  # noqa: PT011 - see below
            call(name, translator, **{parameter: value})
        assert re.search(rf"(?<!\w){called}\W.*{re.escape(repr(value))}(?![\w.])", str(error.value))


LARGE = np.iinfo(np.uint8).max
NUMPYS = {
    "int": lambda value: (np.uint8(value) if value <= LARGE else np.uint16(value), np.int64(value)),
    "float": lambda value: (
        np.float64(value),
        *([np.uint8(value)] if value == int(value) else [np.float32(value)]),
    ),
}
"""The same number as numpy has it, in the narrowest type, too: that one would overflow."""
ONLY_PUT = {
    ("tokenizer.Tokenizer.check_size", "vocab_size"),
    ("lab.family.bert.gaps.make_gaps", "vocab_size"),
    ("lab.family.noise.mask_tokens", "mask_id"),
    ("lab.family.noise.infill", "mask_id"),
}
"""What no door checks: it is only compared, put into a list or given to PyTorch."""
GIVEN = [
    (name, number)
    for name, number in TRIALS
    if isinstance(TABLE[name].get(number), int | float) and (name, number) not in ONLY_PUT
]


def contents(thing):
    """Return what a door gives, as something to compare: each tensor, and each number's type."""
    match thing:
        case dict():
            found = {key: contents(value) for key, value in thing.items()}
        case list() | tuple():
            found = [contents(value) for value in thing]
        case torch.Tensor():
            found = thing.shape, thing.dtype, thing.flatten().tolist()
        case torch.nn.Module():
            tensors = {**dict(thing.named_parameters()), **dict(thing.named_buffers())}
            own = {name: vars(module) for name, module in thing.named_modules()}
            found = contents(tensors | own)
        case Translator():  # its model is no result of the number
            found = contents({**vars(thing), "model": None})
        case _ if dataclasses.is_dataclass(thing):
            found = contents(dict(vars(thing)))
        case _:
            found = type(thing), thing if isinstance(thing, int | float | str) else None
    return found


@pytest.mark.parametrize(("name", "parameter"), GIVEN)
def test_a_number_of_numpy_is_the_number(name, parameter, translator):
    """With the same result to the bit, and nothing of numpy is left in it."""
    value = TABLE[name][parameter]

    def result(number):
        torch.manual_seed(0)
        with unchecked(), warnings.catch_warnings():
            warnings.simplefilter("error")  # numpy warns of what overflows
            return contents(call(name, translator, **{parameter: number}))

    for same in NUMPYS[numbers(PUBLIC[name])[parameter]](value):
        assert result(same) == result(same.item())


@pytest.mark.parametrize(("name", "parameter"), GIVEN)
def test_a_tensor_or_array_that_holds_a_number_is_refused_with_what_to_write(
    name, parameter, translator
):
    called = CALLED.get((name, parameter), parameter)
    for holder in (torch.tensor, np.array):
        value = holder(TABLE[name][parameter])
        with unchecked(), pytest.raises(ValueError) as error:  # noqa: PT011 - see below
            call(name, translator, **{parameter: value})
        assert re.search(rf"(?<!\w){called}=.*expected a number, .*\.item\(\)", str(error.value))
