"""Recipes: what ships is valid, what is wrong is named, and a written recipe reads back equal."""

import dataclasses
import re
import tomllib
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_run import write_recipe

from annotated_transformer.config import TABLE3, TransformerConfig
from annotated_transformer.evaluation import TOKENIZERS
from annotated_transformer.lab.run_data import split_names
from annotated_transformer.training.recipe import (
    EvaluationRecipe,
    ModelRecipe,
    Recipe,
    TrainingRecipe,
    load_recipe,
    shipped_recipes,
)
from annotated_transformer.training.recipe.recipes import CorpusRecipe, TokenizerRecipe
from annotated_transformer.training.recipe.schema import dump

SHIPPED = shipped_recipes()
EMBEDDED = CorpusRecipe(kind="english_korean")


def recipe_file(directory: Path, text: str) -> Path:
    path = directory / "own.toml"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_recipe_is_valid_and_has_its_files_name(name):
    recipe = load_recipe(name)
    assert recipe.name == name
    assert recipe.description.endswith(".")
    config = recipe.model.config(recipe.tokenizer.vocab_size)
    assert config.vocab_size == recipe.tokenizer.vocab_size
    assert set(recipe.evaluation.splits) <= set(split_names(recipe.corpus))


@pytest.mark.parametrize("name", SHIPPED)
def test_values_of_a_shipped_recipe_are_explained(name):
    """A comment on the line, or one on the file for what describes it."""
    text = (resources.files("annotated_transformer") / "recipes" / f"{name}.toml").read_text()
    *_, settings = text.partition("[tokenizer]")
    plain = ("log_every", "validate_every", "keep_checkpoints", "splits", "kind", "accumulate")
    for line in settings.splitlines():
        key = line.partition(" = ")[0]
        if "=" in line and key not in plain:
            assert " # " in line, f"{name}: {key} has no source"


def test_wmt14_recipes_are_the_papers():
    base, big, french = (
        load_recipe(f"wmt14_{name}") for name in ("en_de_base", "en_de_big", "en_fr_big")
    )
    assert base.model.config(37_000) == TransformerConfig.base(vocab_size=37_000)
    assert big.model.config(37_000) == TransformerConfig.big(vocab_size=37_000)
    assert french.model.config(32_000) == TransformerConfig.big(vocab_size=32_000, dropout=0.1)
    assert (base.training.steps, big.training.steps, french.training.steps) == (
        *(100_000, 300_000, 300_000),
    )
    assert (base.training.average_checkpoints, big.training.average_checkpoints) == (5, 20)
    defaults = TrainingRecipe()
    for recipe in (base, big, french):
        for field in ("tokens_per_batch", "warmup_steps", "learning_rate_scale", "label_smoothing"):
            assert getattr(recipe.training, field) == getattr(defaults, field)
        assert (recipe.evaluation.beam_size, recipe.evaluation.length_penalty) == (4, 0.6)


def test_multi30k_tiny_is_the_published_model():
    recipe = load_recipe("multi30k_tiny")
    config = recipe.model.config(recipe.tokenizer.vocab_size)
    sizes = (config.n_layers, config.d_model, config.d_ff, config.n_heads, config.dropout)
    assert sizes == (4, 128, 256, 4, 0.3)
    assert (config.share_embeddings, config.vocab_size) == (True, 10_000)
    assert (recipe.training.average_checkpoints, recipe.evaluation.beam_size) == (10, 5)
    assert (recipe.corpus.variant, recipe.evaluation.tokenize) == ("tok", "none")


def test_the_recipes_of_the_embedded_corpus_ship():
    names = {"english_korean", "english_korean_live", "english_korean_small"}
    assert names <= set(SHIPPED)


def test_defaults_are_the_papers_base_run():
    training = TrainingRecipe()
    assert (training.steps, training.warmup_steps, training.tokens_per_batch) == (
        100_000,
        4_000,
        25_000,
    )
    assert (training.adam_beta1, training.adam_beta2, training.adam_epsilon) == (0.9, 0.98, 1e-9)
    assert (training.label_smoothing, training.clip_norm) == (0.1, 0.0)
    assert training.learning_rate_scale == 1.0
    evaluation = EvaluationRecipe()
    assert (evaluation.beam_size, evaluation.length_penalty) == (4, 0.6)


def test_every_field_is_explained():
    for kind in (
        Recipe,
        CorpusRecipe,
        TokenizerRecipe,
        ModelRecipe,
        TrainingRecipe,
        EvaluationRecipe,
    ):
        lines = Path(__import__(kind.__module__, fromlist=["_"]).__file__).read_text().splitlines()
        begin = lines.index(f"class {kind.__name__}:")
        for field in dataclasses.fields(kind):
            number = next(
                i
                for i, line in enumerate(lines[begin:], begin)
                if line.startswith(f"    {field.name}:")
            )
            assert lines[number + 1].strip().startswith('"""'), field.name


def test_relative_paths_start_from_the_recipe(tmp_path, monkeypatch):
    path = write_recipe(tmp_path)
    monkeypatch.chdir("/")
    recipe = load_recipe(path)
    assert recipe.corpus.splits["train"] == (tmp_path / "train.en", tmp_path / "train.ko")


def test_relative_paths_in_overrides_start_from_the_current_directory(tmp_path, monkeypatch):
    (tmp_path / "recipes").mkdir()
    path = write_recipe(tmp_path / "recipes")
    monkeypatch.chdir(tmp_path)
    recipe = load_recipe(path, ['corpus.splits.test=["other.en", "other.ko"]'])
    assert recipe.corpus.splits["test"] == (tmp_path / "other.en", tmp_path / "other.ko")
    assert recipe.corpus.splits["train"][0] == tmp_path / "recipes" / "train.en"


def test_one_path_needs_no_brackets(tmp_path):
    text = 'name = "own"\n[corpus]\nkind = "tsv"\nsplits = {train = "a.tsv", valid = "b.tsv"}\n'
    recipe = load_recipe(recipe_file(tmp_path, text))
    assert recipe.corpus.splits == {"train": (tmp_path / "a.tsv",), "valid": (tmp_path / "b.tsv",)}


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("training.steps=7", 7),
        ("training.adam_epsilon=1e-8", 1e-8),
        ("training.clip_norm=1", 1.0),
        ("corpus.reverse=true", True),
        ("evaluation.splits=[]", ()),
        ('tokenizer.kind="unigram"', "unigram"),
        ("tokenizer.kind=unigram", "unigram"),
    ],
)
def test_override(setting, value):
    found = load_recipe("english_korean", [setting])
    for name in setting.partition("=")[0].split("."):
        found = getattr(found, name)
    assert found == value
    assert type(found) is type(value)


def test_override_of_a_model_field_and_of_the_preset(tmp_path):
    overrides = ["model.preset=base", "model.d_model=32", "model.norm=pre"]
    recipe = load_recipe(write_recipe(tmp_path), overrides)
    sizes = {"n_layers": 1, "d_ff": 32, "n_heads": 2, "max_length": 64}
    assert recipe.model.config(500) == TransformerConfig.base(
        vocab_size=500, d_model=32, norm="pre", **sizes
    )


def test_overrides_are_checked_together():
    kept, averaged = "training.keep_checkpoints=3", "training.average_checkpoints=3"
    for order in ([kept, averaged], [averaged, kept]):
        training = load_recipe("english_korean_small", order).training
        assert (training.keep_checkpoints, training.average_checkpoints) == (3, 3)
    corpus = ["corpus.kind=multi30k", 'corpus.languages=["en", "de"]']
    assert load_recipe("english_korean_small", corpus).corpus.languages == ("en", "de")
    with pytest.raises(ValueError, match=r"--set seed=3 --set training.steps=0: .*at least 1: 0"):
        load_recipe("english_korean_small", ["seed=3", "training.steps=0"])


def test_later_overrides_win():
    recipe = load_recipe("english_korean", ["training.steps=5", "training.steps=6"])
    assert recipe.training.steps == 6


@pytest.mark.parametrize("row", [row for row in TABLE3 if ":" in row])
def test_rows_of_table_3_are_presets(row):
    model = ModelRecipe(preset=row)
    assert model.config(37_000) == TransformerConfig.table3(row)


def test_head_widths_follow_what_is_set_beside_a_row_of_table_3():
    row = "C: n_layers=2"
    config = ModelRecipe(preset=row, overrides={"d_model": 256}).config(1_000)
    assert config == TransformerConfig.base(vocab_size=1_000, n_layers=2, d_model=256)
    assert (config.d_k, config.d_v) == (32, 32)
    big = ModelRecipe(preset="big", overrides={"n_heads": 8}).config(1_000)
    assert (big.d_k, big.d_v) == (128, 128)
    with pytest.raises(ValueError, match="d_model=512 is not divisible by n_heads=7"):
        ModelRecipe(preset=row, overrides={"n_heads": 7})
    # What a row says itself it keeps: 16 instead of 64 is all that this one changes.
    narrow = ModelRecipe(preset="B: d_k=16", overrides={"d_model": 256}).config(1_000)
    assert (narrow.d_k, narrow.d_v) == (16, 32)


@pytest.mark.parametrize("smoothing", [0.0, 0.2])
def test_rows_of_table_3_that_change_only_the_training_are_settings(smoothing):
    recipe = load_recipe(
        "english_korean", ["model.preset=base", f"training.label_smoothing={smoothing}"]
    )
    assert recipe.training.label_smoothing == smoothing


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[corpus", "is no TOML"),
        ("seed = 1", "the top level needs a key 'name'"),
        ('name = "x"', "needs a key 'corpus'"),
        ('name = "x"\nsede = 1\n[corpus]\nkind = "english_korean"', "'sede'; did you mean 'seed'"),
        ('name = 1\n[corpus]\nkind = "english_korean"', "name = 1 is not a string"),
        ('name = "x"\ncorpus = 3', "corpus = 3 is not a table"),
        (
            'name = "x"\n[corpus]\nkind = "wmt"',
            "'wmt' is not one of english_korean, korean_english, files, tsv, multi",
        ),
        ('name = "x"\n[corpus]\nkind = "tsv"', "train is missing"),
        (
            'name = "x"\n[corpus]\nkind = "files"\nsplits = {train = "a", valid = "b"}',
            r"splits.train: kind 'files' takes 2 path\(s\), got 1",
        ),
        (
            'name = "x"\n[corpus]\nkind = "tsv"\nsplits = {train = 3, valid = "b"}',
            "corpus.splits.train = 3 is not a list",
        ),
        (
            'name = "x"\n[corpus]\nkind = "english_korean"\nsplits = {train = "a"}',
            "splits is for files and tsv, not for english_korean",
        ),
        ('name = "x"\n[corpus]\nkind = "multi30k"', r"languages \[\]: multi30k takes.*: de-en"),
        (
            'name = "x"\n[corpus]\nkind = "wmt14"\nlanguages = ["de", "fr"]',
            "wmt14 takes.*de-en, en-fr",
        ),
        ('name = "x"\n[corpus]\nkind = "wmt14"\nlanguages = ["en", "en"]', "wmt14 takes two"),
        (
            'name = "x"\n[corpus]\nkind = "wmt14"\nlanguages = ["en", "de"]\nvariant = "tok"',
            "variant is for multi30k, not for wmt14",
        ),
        (
            'name = "x"\n[corpus]\nkind = "english_korean"\nlanguages = ["en", "ko"]',
            "languages is for multi30k and wmt14, not for english_korean",
        ),
        (
            'name = "x"\n[corpus]\nkind = "wmt14"\nlanguages = ["en", "de"]\nlexicon = "large"',
            "lexicon is for english_korean, not for wmt14",
        ),
        (
            'name = "x"\n[corpus]\nkind = "english_korean"\nlexicon = "huge"',
            "'huge' is not one of small, large",
        ),
    ],
)
def test_wrong_file_is_named_with_its_key(tmp_path, text, message):
    path = recipe_file(tmp_path, text)
    with pytest.raises(ValueError, match=message) as error:
        load_recipe(path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("training.step=5", "'step'; did you mean 'steps'"),
        ("traning.steps=5", "'traning'; did you mean 'training'"),
        ("training.steps=5.5", "training.steps = 5.5 is not a whole number"),
        ("training.steps=true", "training.steps = True is not a whole number"),
        ("training.steps=0", "steps must be at least 1: 0"),
        ("corpus.longest=9", "longest = 9: english_korean has no long sentences"),
        ("tokenizer.sample=-1", "sample must be at least 0: -1"),
        ("training.average_checkpoints=3", "average_checkpoints = 3, but only the last 2 are kept"),
        ("training.average_checkpoints=-1", "average_checkpoints must be at least 0: -1"),
        ("training.steps=five", "training.steps = 'five' is not a whole number"),
        ("training.learning_rate_scale=nan", "learning_rate_scale must be at least 0: nan"),
        ("training.label_smoothing=1.0", "label_smoothing must be at least 0 and below 1: 1.0"),
        ("training.precision=float16", "'float16' is not one of auto, float32, bfloat16"),
        ("model.d_modle=5", "'d_modle'.*did you mean 'd_model'"),
        ("model.d_model=130", "d_model=130 is not divisible by n_heads=4"),
        ("model.dropout=high", "dropout = 'high' is not a number"),
        ("model.vocab_size=5", "vocab_size follows from the tokenizer"),
        ("model.preset=huge", "preset 'huge' is none of base, big, tiny"),
        ("model.preset=C: n_layers=3", "no row 'C: n_layers=3'"),
        ("model.preset=D: label_smoothing=0.2", "changes the training, not the model"),
        ("evaluation.splits=test", "evaluation.splits = 'test' is not a list, each item a string"),
        ("evaluation.tokenize=mecab", "'mecab' is not one of 13a"),
        ("seed=-1", "seed must be at least 0 and below"),
        ("seed.x=1", "seed is a value"),
        ("steps", "expected key=value"),
        ("=3", "expected key=value"),
    ],
)
def test_wrong_override_is_named(setting, message):
    with pytest.raises(ValueError, match=message) as error:
        load_recipe("english_korean_small", [setting])
    assert setting in str(error.value)


@pytest.mark.parametrize("source", ["english_koraen", "missing.toml"])
def test_missing_recipe(source):
    with pytest.raises(FileNotFoundError, match=source):
        load_recipe(source)


def test_tokenizers_of_the_schema_are_those_of_the_evaluation():
    for tokenizer in TOKENIZERS:
        recipe = load_recipe("english_korean", [f"evaluation.tokenize={tokenizer}"])
        assert recipe.evaluation.tokenize == tokenizer


@pytest.mark.parametrize("name", SHIPPED)
def test_written_recipe_reads_back_equal(tmp_path, name):
    recipe = load_recipe(name, ["model.d_k=16", "training.adam_epsilon=1e-7"])
    assert load_recipe(recipe_file(tmp_path, recipe.to_toml())) == recipe


def test_written_recipe_with_files_reads_back_equal_elsewhere(tmp_path):
    recipe = load_recipe(write_recipe(tmp_path))
    (tmp_path / "elsewhere").mkdir()
    assert load_recipe(recipe_file(tmp_path / "elsewhere", recipe.to_toml())) == recipe


@given(
    content=st.recursive(
        st.dictionaries(
            st.text(st.characters(codec="utf-8"), min_size=1),
            st.text(st.characters(codec="utf-8"))
            | st.integers(-(2**63), 2**63 - 1)
            | st.booleans()
            | st.floats(allow_nan=False, allow_infinity=False)
            | st.lists(st.text(st.characters(codec="utf-8"))),
            max_size=4,
        ),
        lambda tables: st.dictionaries(st.text(st.characters(codec="utf-8"), min_size=1), tables),
        max_leaves=4,
    )
)
def test_dump_is_toml(content):
    assert tomllib.loads(dump(content)) == content


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["evaluation.length_penalties=[-1]"], "length_penalty is -1.0; expected a finite"),
        (["evaluation.length_penalties=[0.6, inf]"], "length_penalty is inf; expected a finite"),
        (
            ["evaluation.length_penalties=[0.6]", 'evaluation.splits=["test"]'],
            "length_penalties are compared on the split 'valid', which is not among splits",
        ),
    ],
)
def test_length_penalties_that_cannot_be_compared_are_refused(settings, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        load_recipe("english_korean", settings)
