"""What the programs share: their parser, the command of a record, errors in a line."""

import pytest

from annotated_transformer.records import RESULTS
from experiments.programs import command_of, lexicon_of, load_model, parser_of, run


def test_the_parser_has_the_program_s_name_and_its_record(capsys):
    parser = parser_of("some", "What it measures.\n\nMore.")
    assert parser.parse_args([]).out == RESULTS / "some.json"
    with pytest.raises(SystemExit):
        parser.parse_args(["--help"])
    text = capsys.readouterr().out
    assert text.startswith("usage: python -m experiments.some ")
    assert "What it measures." in text
    assert "More." not in text


def test_a_command_can_be_run_as_it_is_written():
    command = command_of("some", seeds=[1, 2], steps=30, model="english_korean")
    assert command == "python -m experiments.some --seeds 1 2 --steps 30 --model english_korean"
    assert command_of("some") == "python -m experiments.some"
    assert command_of("some", rows=["A: h=1", "B"]).endswith(" --rows 'A: h=1' B")


def test_a_missing_model_ends_in_a_line(capsys):
    with pytest.raises(SystemExit) as ended:
        load_model(parser_of("some", ""), "nonsense")
    assert ended.value.code == 2
    assert "there is no model directory nonsense" in capsys.readouterr().err.splitlines()[-1]


def test_the_lexicon_of_a_model_is_that_of_its_recipe(tmp_path):
    assert lexicon_of("english_korean") == "large"
    text = 'name = "own"\n[corpus]\nkind = "english_korean"\nlexicon = "small"\n'
    (tmp_path / "recipe.toml").write_text(text, "utf-8")
    assert lexicon_of(str(tmp_path)) == "small"
    with pytest.raises(FileNotFoundError, match="there is no recipe 'nonsense'"):
        lexicon_of("nonsense")
    with pytest.raises(ValueError, match="multi30k_tiny was trained on multi30k"):
        lexicon_of("multi30k_tiny")


@pytest.mark.parametrize("error", [OSError("disk"), ValueError("disk")])
def test_an_error_that_a_user_can_mend_is_a_line(error):
    def main():
        raise error

    with pytest.raises(SystemExit, match=r"^experiments: error: disk$"):
        run(main)
