"""The Wall Street Journal's files, with trees of our own in their place."""

import pytest

from annotated_transformer.lab.corpora.treebank import linearised
from annotated_transformer.lab.corpora.wsj import SPLITS, wsj_files, wsj_trees
from annotated_transformer.lab.run_data import split_names
from annotated_transformer.training.data import open_split
from annotated_transformer.training.recipe import load_recipe

TREE = (
    "( (S\n  (NP-SBJ (DT The) (NN section) )\n  (VP (VBZ is) (NP-PRD (CD {:02d}) ))\n  (. .) ))\n"
)


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Two files of each section, in the treebank's folders, and one of other text."""
    for section in range(25):
        folder = tmp_path / f"wsj/{section:02d}"
        folder.mkdir(parents=True)
        for number in (0, 17):
            (folder / f"wsj_{section:02d}{number:02d}.mrg").write_text(TREE.format(section) * 2)
    (tmp_path / "wsj/22/wsj_2299.pos").write_text("not read")
    monkeypatch.setenv("ANNOTATED_TRANSFORMER_DATA", str(tmp_path))
    return tmp_path


def test_the_splits_are_sections_02_to_21_then_22_then_23(data):
    corpus = load_recipe("wsj_parsing").corpus
    assert split_names(corpus) == ("train", "valid", "test") == tuple(SPLITS)
    said = {}
    for name in SPLITS:
        pairs = list(open_split(corpus, name))
        assert {pair.target for pair in pairs} == {"(S (NP DT NN )NP (VP VBZ (NP CD )NP )VP . )S"}
        said[name] = [int(pair.source.split()[3]) for pair in pairs]
    assert said["train"] == sorted([*range(2, 22)] * 4)
    assert (said["valid"], said["test"]) == ([22] * 4, [23] * 4)


def test_trees_come_without_traces_and_functions(data):
    tree, *_ = wsj_trees(wsj_files(data / "wsj", "test"))
    assert str(tree) == ("(S (NP (DT The) (NN section)) (VP (VBZ is) (NP (CD 23))) (. .))")
    assert linearised(tree).startswith("(S (NP DT")


def test_a_section_that_is_not_there_is_named(data):
    for path in (data / "wsj/07").iterdir():
        path.unlink()
    with pytest.raises(FileNotFoundError, match=r"no files of section 07: .* wsj_0700.mrg"):
        wsj_files(data / "wsj", "train")
    assert len(wsj_files(data / "wsj", "valid")) == 2


def test_a_damaged_file_is_named_with_its_line(data):
    (data / "wsj/22/wsj_2217.mrg").write_text(TREE.format(22) + "( (S (NP\n(NN a) )\n")
    with pytest.raises(ValueError, match=r"wsj_2217.mrg, line 5: the bracket \(S is never closed"):
        list(wsj_trees(wsj_files(data / "wsj", "valid")))


def test_the_recipe_is_that_of_section_6_3():
    recipe = load_recipe("wsj_parsing")
    config = recipe.model.config(recipe.tokenizer.vocab_size)
    assert (config.n_layers, config.d_model, config.vocab_size) == (4, 1_024, 16_000)
    assert (config.d_ff, config.n_heads) == (2_048, 8)
    assert (recipe.evaluation.beam_size, recipe.evaluation.length_penalty) == (21, 0.3)
