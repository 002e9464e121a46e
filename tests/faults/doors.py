"""The doors of the package, each with a file that it reads: the first of the two tables."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from annotated_transformer import Tokenizer, Translator, load_recipe
from annotated_transformer.corpora.files import iterate_tsv, read_parallel
from annotated_transformer.export.formats import export_model
from annotated_transformer.lab import records
from annotated_transformer.lab.corpora.downloads import RemoteFile, fetch
from annotated_transformer.lab.corpora.treebank import read_trees
from annotated_transformer.lab.family import GPT
from annotated_transformer.saving import load_model, load_text, save_model
from annotated_transformer.shipped import load_coverage, load_threshold
from annotated_transformer.storage.atomic import write_text
from annotated_transformer.storage.records import write_record
from annotated_transformer.training.corpus_cache import CacheKey, left_out, open_cache
from annotated_transformer.training.run.directory import RunDirectory
from annotated_transformer.training.run.finish import chosen_length_penalty
from annotated_transformer.training.run.manifest import read_manifest

KEY = CacheKey(content="text", tokenizer="tokens")
CACHE = f"cache/{KEY.name}"
DOWNLOAD = b"one\ntwo\n"
SHA256 = hashlib.sha256(DOWNLOAD).hexdigest()
NOWHERE = "http://127.0.0.1:1/nobody"
GONE_IS_FINE = frozenset({"missing", "link to nothing", "link to itself"})
EXTRA_IS_FINE = frozenset({"unknown key"})
DEFAULT_IS_FINE = frozenset({"no key"})
MARK = frozenset({"byte-order mark"})
SETTINGS = ("evaluation.length_penalties=[0.6, 1.0]", 'evaluation.splits=["valid"]')
"""Of the recipe of the run."""


@dataclass(frozen=True)
class Door:
    """A way into the package that leads to a file."""

    file: str
    """The file that is damaged, below the place that a test makes."""
    kind: str
    """What it should be: json, lines (of JSON), toml, text, tensors, tokenizer or binary."""
    call: Callable[[Path], object] | None = None
    """Goes through the door, given the place."""
    arguments: tuple[str, ...] = ()
    """Or what the command line is given; PLACE stands for the place."""
    key: str = ""
    """A key of the file whose value is a whole number above 0."""
    understood: frozenset[str] = frozenset()
    """The faults after which the door opens all the same, and rightly."""
    impossible: frozenset[str] = frozenset()
    """Faults that cannot happen here, or would take too long; a comment says why."""
    also: tuple[str, ...] = ()
    """Other names by which the message may call the file."""


MODEL = {
    "config.json": ("json", "model.n_layers", MARK),
    "model.safetensors": ("tensors", "", frozenset()),
    "tokenizer.model": ("tokenizer", "", frozenset()),
}
"""The files of a model, each with its kind, a key, and what is understood."""
COMMANDS = {
    "translate": ("translate", "PLACE/model", "the cat sees a cat", "--device", "cpu"),
    "evaluate": (
        *("evaluate", "PLACE/model", "--source", "PLACE/test.en", "--target", "PLACE/test.ko"),
        *("--device", "cpu"),
    ),
    "describe": ("describe", "PLACE/model"),
    "export": ("export", "PLACE/model", "PLACE/out"),
}
PYTHON = {
    "load_model": lambda place: load_model(place / "model"),
    "Translator.load": lambda place: Translator.load(place / "model"),
}


def cached(place):
    return open_cache(place / CACHE, KEY)


def kept_record(place):
    with mock.patch.object(records, "RESULTS", place / "results"):
        return records.record("multi30k_tiny_first")


def downloaded(place):
    return fetch(RemoteFile("words.en", NOWHERE, SHA256, len(DOWNLOAD)), place / "data")


DOORS = {
    **{
        f"{name}: {file}": Door(
            f"model/{file}", kind, arguments=arguments, key=key, understood=understood
        )
        for name, arguments in COMMANDS.items()
        for file, (kind, key, understood) in MODEL.items()
    },
    **{
        f"{name}: {file}": Door(f"model/{file}", kind, call, key=key, understood=understood)
        for name, call in PYTHON.items()
        for file, (kind, key, understood) in MODEL.items()
    },
    # A model may be without a description of its text.
    "load_text": Door(
        "model/text.json",
        "json",
        lambda place: load_text(place / "model"),
        key="most_sentences",
        understood=MARK | {"missing"} | DEFAULT_IS_FINE,
    ),
    # Or have its words alone.
    "load_text: words": Door(
        "words alone/words.txt",
        "text",
        lambda place: load_text(place / "words alone"),
        understood=MARK | {"missing", "empty", "cut"},
    ),
    # Or without coverage.
    "load_coverage": Door(
        "model/coverage.json",
        "json",
        lambda place: load_coverage(place / "model"),
        key="tokenizer",
        understood=MARK | {"missing"},
    ),
    # Or without a threshold.
    "load_threshold": Door(
        "model/config.json",
        "json",
        lambda place: load_threshold(place / "model"),
        key="doubt_threshold",
        understood=MARK | DEFAULT_IS_FINE | {"fraction"},
    ),
    "load_recipe": Door(
        "tiny_run.toml",
        "toml",
        lambda place: load_recipe(place / "tiny_run.toml"),
        key="training.steps",
        understood=MARK | DEFAULT_IS_FINE,
    ),
    "train: recipe": Door(
        "tiny_run.toml",
        "toml",
        arguments=("train", "PLACE/tiny_run.toml", "--out", "PLACE/out", "--device", "cpu"),
        key="training.steps",
        understood=MARK,
        impossible=DEFAULT_IS_FINE,  # of 100,000 steps
    ),
    "describe: recipe": Door(
        "tiny_run.toml",
        "toml",
        arguments=("describe", "PLACE/tiny_run.toml"),
        key="model.n_layers",
        understood=MARK | DEFAULT_IS_FINE,
    ),
    "translate: recipe of the run": Door(
        "run/recipe.toml",
        "toml",
        arguments=("translate", "PLACE/run", "the cat sees a dog", "--device", "cpu"),
        key="evaluation.beam_size",
        understood=GONE_IS_FINE | MARK,
    ),
    "evaluate: manifest of the run": Door(
        "run/manifest.json",
        "json",
        arguments=("evaluate", "PLACE/run", "--split", "valid", "--device", "cpu"),
        key="format",
        understood=MARK | {"missing"},  # runs of older versions have none
    ),
    # Which a resumed run reads first.
    "read_manifest": Door(
        "run/manifest.json",
        "json",
        lambda place: read_manifest(place / "run/manifest.json"),
        key="format",
        understood=MARK,
    ),
    "evaluate: --recipe": Door(
        "tiny_run.toml",
        "toml",
        arguments=(
            *("evaluate", "PLACE/run", "--split", "valid", "--device", "cpu"),
            *("--recipe", "PLACE/tiny_run.toml"),
        ),
        key="training.steps",
        understood=MARK | DEFAULT_IS_FINE,
    ),
    **{
        f"train: --from: {file}": Door(
            f"run/model/{file}",
            kind,
            arguments=(
                *("train", "PLACE/tiny_run.toml", "--out", "PLACE/out", "--device", "cpu"),
                *("--from", "PLACE/run"),
            ),
            key=key,
            understood=understood,
            also=("unfinished training run",),
        )
        for file, (kind, key, understood) in MODEL.items()
    },
    "Tokenizer.load": Door(
        "model/tokenizer.model",
        "tokenizer",
        lambda place: Tokenizer.load(place / "model/tokenizer.model"),
    ),
    **{
        f"read_parallel: {file}": Door(
            file,
            "text",
            lambda place: read_parallel(place / "test.en", place / "test.ko"),
            understood=MARK,
        )
        for file in ("test.en", "test.ko")
    },
    "iterate_tsv": Door(
        "pairs.tsv",
        "text",
        lambda place: list(iterate_tsv(place / "pairs.tsv")),
        understood=MARK,
    ),
    **{
        f"log: {key}": Door(
            "run/log.jsonl",
            "lines",
            lambda place: RunDirectory(place / "run", commit="").read_log(),
            key=key,
            understood=GONE_IS_FINE | EXTRA_IS_FINE | MARK | {"empty", "cut", "2^60", "negative"},
        )
        for key in ("tokens",)
    },
    "record of a run": Door(
        "run/record.json",
        "json",
        lambda place: chosen_length_penalty(place / "run/record.json"),
        key="length_penalties",
        understood=EXTRA_IS_FINE | MARK,
    ),
    "record of the book": Door(
        "results/multi30k_tiny_first.json",
        "json",
        kept_record,
        key="commit",
        understood=EXTRA_IS_FINE | MARK | {"string"},
        also=("multi30k_tiny_first",),
    ),
    "log": Door(
        "run/log.jsonl",
        "lines",
        lambda place: RunDirectory(place / "run", commit="").read_log(),
        key="step",
        # Half of it is cut in its last line, which was never finished.
        understood=GONE_IS_FINE | EXTRA_IS_FINE | MARK | {"empty", "cut", "2^60", "negative"},
    ),
    "cache: cache.json": Door(
        f"{CACHE}/cache.json",
        "json",
        cached,
        key="format",
        understood=EXTRA_IS_FINE | MARK,
        also=(CACHE,),
    ),
    "cache: left_out": Door(
        f"{CACHE}/cache.json",
        "json",
        lambda place: left_out(place / "cache", KEY),
        key="left_out",
        understood=EXTRA_IS_FINE | MARK | {"2^60", "negative"},
    ),
    **{
        f"cache: {name}": Door(f"{CACHE}/{name}", "binary", cached, also=(CACHE,))
        for name in ("ids.bin", "offsets.bin")
    },
    "trees": Door(
        "trees.mrg",
        "text",
        lambda place: list(read_trees(place / "trees.mrg")),
        understood=MARK,
    ),
    "download": Door("data/words.en", "binary", downloaded),
    "member: config.json": Door(
        "member/config.json",
        "json",
        lambda place: GPT.load(place / "member"),
        key="config.n_layers",
        understood=EXTRA_IS_FINE | MARK,
        also=("model.safetensors",),  # which does not fit
    ),
    "member: model.safetensors": Door(
        "member/model.safetensors",
        "tensors",
        lambda place: GPT.load(place / "member"),
        understood=frozenset({"too large in float32"}),  # a member keeps float64
    ),
}
"""Each door with a file. Left out: `from_pretrained`, which tests/lab/family has."""


def exported(place, out):
    translator = Translator.load(place / "model")
    export_model(translator.model, translator.tokenizer, out, file_format="ctranslate2")


WRITERS = {
    "save_model": lambda place, out: save_model(out, *load_model(place / "model")),
    "member": lambda place, out: GPT.load(place / "member").save(out),
    "export": exported,
    "record": lambda place, out: write_record(out, {"curve": [], "note": "x" * 500}),
    "text": lambda place, out: write_text(out, "x" * 500),
}
"""What writes a file or a folder at the path that it is given."""
