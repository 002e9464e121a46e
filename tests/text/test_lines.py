"""Doors x characters: what is a line, and what is a space inside of one, is the same everywhere.

That a text which is no line reads each of these characters as a space, through Python, the command
line and a page, is tested with the other spaces (`odd_text.SPACES`).
"""

import gzip
import io

import pytest
from odd_text import NO_LINE_ENDS, SPACES

from annotated_transformer import Translator
from annotated_transformer.cli.streaming import on_one_line, translate_stream
from annotated_transformer.corpora.files import iterate_parallel, iterate_tsv
from annotated_transformer.lab.corpora.treebank import tidy_lines
from annotated_transformer.text import TextPolicy
from annotated_transformer.translation import Translation


class Echo(Translator):
    """A translator without a model: its translation of a line is the line as it was read."""

    def __init__(self):
        self.policy, self.batch_size = TextPolicy(), 2

    def translations(self, texts):
        readings = map(self.policy.read, texts)
        return [
            Translation(text=" ".join(r.sentences), changes=r.changes, refusal=r.refusal)
            for r in readings
        ]


def from_standard_input(content, folder):
    target, warnings = io.BytesIO(), []
    _, refused = translate_stream(Echo(), io.BytesIO(content), target, warnings.append)
    if refused:
        raise ValueError(*warnings)
    return target.getvalue().decode().removesuffix("\n").split("\n")


def from_parallel_files(content, folder):
    (folder / "text").write_bytes(content)
    return [pair.source for pair in iterate_parallel(folder / "text", folder / "text")]


def from_packed_files(content, folder):
    (folder / "text.gz").write_bytes(gzip.compress(content))
    return [pair.target for pair in iterate_parallel(*[folder / "text.gz"] * 2)]


def from_columns(content, folder):
    lines = content.decode().split("\n")
    both = "\n".join(f"it\t{line}" if line else "" for line in lines)
    (folder / "text.tsv").write_bytes(both.encode())
    return [pair.target for pair in iterate_tsv(folder / "text.tsv")]


def from_trees(content, folder):
    (folder / "text.mrg").write_bytes(content)
    return list(tidy_lines(folder / "text.mrg"))


DOORS = [from_standard_input, from_parallel_files, from_packed_files, from_columns, from_trees]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("character", NO_LINE_ENDS, ids=ascii)
def test_only_a_line_feed_ends_a_line(door, character, tmp_path):
    text = f"I{character}swim\nyou{character}{character}swim\r\n{character}we{character}\nall\n"
    assert door(text.encode(), tmp_path) == ["I swim", "you swim", "we", "all"]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("character", NO_LINE_ENDS, ids=ascii)
def test_what_has_no_line_feed_is_one_line(door, character, tmp_path):
    content = f"I{character}swim".encode()
    if character != "\r":
        assert door(content, tmp_path) == ["I swim"]
        return
    with pytest.raises(ValueError, match="lines end with carriage returns alone; expected line f"):
        door(content, tmp_path)


def test_these_are_all_that_python_takes_for_the_end_of_a_line():
    every = [chr(i) for i in range(0x110000) if len(f"a{chr(i)}b".splitlines()) > 1]
    assert every == sorted([*NO_LINE_ENDS, "\n"])
    assert set(every) <= set(SPACES)
    assert [on_one_line(f"a{end}b") for end in every] == ["a b"] * len(every)
