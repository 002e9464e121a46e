"""The Wall Street Journal in the Penn Treebank, as section 6.3 splits it: sentences and tree lines.

Source: Marcus, Santorini and Marcinkiewicz 1993; Treebank-3, LDC99T42. It needs a licence of the
Linguistic Data Consortium, so nothing is fetched. Put its parsed files, as they are, in a folder
`wsj` of the data directory (`--data-dir`): `wsj/02/wsj_0200.mrg`, at any depth. By custom sections
02 to 21 train a parser, 22 is for choices, 23 is the test. The sample that NLTK offers has none of
these sections: treebank.py says how to use it.

When a run of the recipe `wsj_parsing` is over, its F1 is that of

    translator = Translator.load("runs/wsj_parsing", beam_size=21, alpha=0.3)
    gold = list(wsj_trees(wsj_files(data_directory() / "wsj", "test")))
    found = parsed(translator, [tree.words for tree in gold])
    bracket_score(gold, found).f1

This has been tried with trees of our own and not yet with the real files.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from annotated_transformer.corpora import Pairs
from annotated_transformer.lab.corpora.treebank import Tree, prepared, read_trees, tree_pair
from annotated_transformer.storage.machine import data_directory

SPLITS = {"train": range(2, 22), "valid": range(22, 23), "test": range(23, 24)}
"""The sections of each split."""
_NAME = re.compile(r"wsj_(\d\d)\d\d\.mrg")


@dataclass(frozen=True)
class WallStreetJournal:
    """Sentences, and the lines of their trees."""

    def splits(self) -> tuple[str, ...]:
        """Return the names of its splits."""
        return tuple(SPLITS)

    def pairs(self, split: str) -> Pairs:
        """Return the pairs of a split. Raises as `wsj_files` does."""
        files = wsj_files(data_directory() / "wsj", split)
        return Pairs(lambda: map(tree_pair, wsj_trees(files)), files)


def wsj_files(folder: Path, split: str) -> tuple[Path, ...]:
    """List the files of a split, by their names wsj_SSNN.mrg, of which SS is the section.

    Raises:
        FileNotFoundError: a section of the split has no files.
    """
    found = {
        path.name: path
        for path in folder.rglob("wsj_*.mrg")
        if (name := _NAME.fullmatch(path.name)) and int(name[1]) in SPLITS[split]
    }
    there = {int(name[4:6]) for name in found}
    if lost := [n for n in SPLITS[split] if n not in there]:
        raise FileNotFoundError(
            f"{folder} has no files of section {lost[0]:02d}: the Penn Treebank needs a licence "
            f"(LDC99T42); put its files there, such as wsj_{lost[0]:02d}00.mrg"
        )
    return tuple(found[name] for name in sorted(found))


def wsj_trees(files: Iterable[Path]) -> Iterator[Tree]:
    """Yield the trees of files, without traces and function tags. Raises as `read_trees`."""
    for file in files:
        yield from map(prepared, read_trees(file))
