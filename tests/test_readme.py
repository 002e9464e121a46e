"""What the README promises to work, works: its recipe for one's own text, its names, its files."""

import re
from pathlib import Path

import pytest

import annotated_transformer
from annotated_transformer import Translator
from annotated_transformer.cli import main
from annotated_transformer.lab.corpora.english_korean import english_korean, plain
from annotated_transformer.training.recipe import load_recipe
from rules import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
KOREAN = (ROOT / "README.ko.md").read_text(encoding="utf-8")
SENTENCES = {
    "en": ["a dog runs", "a dog sleeps", "two dogs run", "a child sleeps"],
    "de": ["ein Hund läuft", "ein Hund schläft", "zwei Hunde laufen", "ein Kind schläft"],
}


@pytest.fixture
def recipe(tmp_path):
    """Write the README's recipe and the text files that it names; return its path."""
    (text,) = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    for files in load_recipe(path).corpus.splits.values():
        for file in files:
            lines = SENTENCES[file.suffix.removeprefix(".")]
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_recipe_trains_on_two_files(recipe, tmp_path, capsys):
    small = ("training.steps=2", "tokenizer.vocab_size=300", "training.tokens_per_batch=64")
    settings = [word for setting in small for word in ("--set", setting)]
    run = tmp_path / "run"
    command = ["train", str(recipe), "--out", str(run), "--device", "cpu", *settings]
    assert main(command) == 0, capsys.readouterr().err
    assert main(["translate", str(run), "a dog runs", "--device", "cpu"]) == 0


def test_the_names_that_are_imported_exist():
    for names in re.findall(r"^from annotated_transformer import (.*)$", README, re.MULTILINE):
        for name in names.split(", "):
            assert hasattr(annotated_transformer, name), name


def test_the_files_that_are_named_exist():
    named = re.findall(r"`([A-Z][\w-]+(?:\.\w+)?|\w+/)`", README)
    files = {Path(name) for name in named if name.isupper() or "." in name or name.endswith("/")}
    assert {Path("LICENSE"), Path("book"), Path("CONTRIBUTING.md")} <= files
    assert [str(file) for file in files if not (ROOT / file).exists()] == []


def test_the_word_that_chooses_tests_is_in_their_names():
    [(file, word)] = re.findall(r"-m pytest (tests/\S+) -k (\w+)", CONTRIBUTING)
    names = re.findall(r"^def (test_\w+)", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert [name for name in names if word in name]


@pytest.mark.parametrize(
    ("page", "model", "lexicon"),
    [
        ("README.md", "english_korean", "large"),
        ("book/index.md", "english_korean_open", "open"),  # the one on the map
    ],
)
def test_the_sentence_that_opens_the_book_is_unseen_and_translated_so(page, model, lexicon):
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    quoted = [x.removeprefix("> ") for x in lines if x.startswith("> ")]
    source, target = (re.sub("<.*?>", "", line) for line in quoted)
    assert Translator.load(model)(source) == target
    for split in ("train", "valid"):
        seen = {plain(pair.source) for pair in english_korean(split, lexicon)}
        assert plain(source) not in seen


def test_the_translator_of_the_example_says_what_is_printed():
    (code,) = re.findall(r"```python\n(translator = .*?)```", README, re.DOTALL)
    names = {"Translator": Translator}
    for line in code.splitlines():
        statement, _, printed = line.partition("  # ")
        if printed:
            assert eval(statement, names) == eval(printed, names)
        else:
            exec(statement, names)


@pytest.mark.parametrize(
    "pattern",
    [
        r"^```.*?^```$",  # commands, code, the recipe
        r"`[^`\n]+`",
        r"\]\((https?://[^)]+)\)",
        r"^\| `[^|]*\|",
        r"(?<![\w.^])\d[\d,.]*\d",
    ],
)
def test_the_korean_readme_has_the_commands_names_and_numbers_of_the_english_one(pattern):
    english, korean = (
        set(re.findall(pattern, text, re.MULTILINE | re.DOTALL)) for text in (README, KOREAN)
    )
    assert english == korean


def test_the_korean_readme_has_the_sections_of_the_english_one():
    english, korean = (re.findall(r"^#+ ", text, re.MULTILINE) for text in (README, KOREAN))
    assert english == korean
