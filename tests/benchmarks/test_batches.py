"""The batches of all contestants: drawn lengths, and data that is not there."""

import math

import pytest
import torch

from benchmarks import batches


def test_drawn_lengths_are_as_stated():
    found = batches.drawn_examples(20_000, vocab_size=300, seed=0)
    source = torch.tensor([len(example.source) for example in found], dtype=torch.float64)
    target = torch.tensor([len(example.target) - 1 for example in found], dtype=torch.float64)
    assert source.median() == pytest.approx(14.6, abs=0.5)
    assert source.log().std() == pytest.approx(0.30, abs=0.02)
    assert (target / source).log().median() == pytest.approx(math.log(1.02), abs=0.02)
    assert (target / source).log().std() == pytest.approx(0.17, abs=0.02)
    assert batches.drawn_examples(9, vocab_size=300, seed=3)[5].source[-1] == 2


def test_a_directory_without_the_data_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"train\.en\.gz"):
        batches.examples(tmp_path, vocab_size=300, seed=0)


def test_the_files_lie_in_the_directory_or_in_that_of_the_corpus(tmp_path):
    found = []
    for folder in (tmp_path / "multi30k", tmp_path):
        folder.mkdir(exist_ok=True)
        for language in ("en", "de"):
            (folder / f"train.{language}").write_text(f"{language} {folder.name}\n" * 40, "utf-8")
        found.append(batches._file(tmp_path, "en"))
    assert found == [tmp_path / "multi30k" / "train.en", tmp_path / "train.en"]
