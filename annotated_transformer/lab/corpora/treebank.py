"""Trees of phrases, the brackets of the Penn Treebank, and the same as one line of symbols.

    (S (NP (PRP she)) (VP (VBD slept)) (. .))     a tree in Penn brackets
    (S (NP PRP )NP (VP VBD )VP . )S               the line that a model writes

The line is that of Vinyals et al. 2015, *Grammar as a foreign language*, and, but for the form of
the brackets, of the program of the paper's authors (tensor2tensor, wsj_parsing.py): a closing
bracket repeats its label, and the tag stands for the word. It names no word, so a sentence and its
line together are a tree. Vinyals et al. had their best results with XX for every tag; then they are
a tree without tags.

The Penn Treebank needs a licence (see wsj.py). NLTK offers a sample of it: 199 files of the
sections 00 and 01. Who has NLTK reads it with

    nltk.download("treebank")
    folder = Path(nltk.data.find("corpora/treebank/combined"))
    trees = [
        prepared(tree)
        for file in sorted(folder.glob("wsj_*.mrg"))
        for tree in read_trees(file)
    ]

and writes `tree_pair(tree)` of each into two files for a recipe of the kind `files`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from annotated_transformer.corpora import SentencePair
from annotated_transformer.corpora.files import Lines, raw_blocks

TOP = "TOP"
"""The label of a bracket that a file leaves without one, around a whole sentence."""
TRACE = "-NONE-"
"""The tag of what is not spoken: a trace, or an empty category."""
WORD = "XX"
"""A word, in the line of a tree that names no tags."""
_TOKEN = re.compile(r"[()]|[^\s()]+")
_NAME = re.compile(r"[^\s()]+")


@dataclass(frozen=True, slots=True)
class Tree:
    """A phrase with its parts, or a word with its tag.

    Raises:
        ValueError: neither parts nor word, both of them, or a label or word
            that Penn brackets cannot hold.
    """

    label: str
    """Of a phrase, such as NP; of a word, its tag (the preterminal)."""
    children: tuple["Tree", ...] = ()
    """The parts of a phrase; none for a word."""
    word: str | None = None
    """The word, where this is one."""

    def __post_init__(self) -> None:
        if bool(self.children) == (self.word is not None):
            what = (
                "parts and a word" if self.children else "neither: it is empty"
            )
            raise ValueError(
                f"({self.label}) needs either parts or one word, and has {what}"
            )
        for name in (self.label, self.word):
            if name is not None and not _NAME.fullmatch(name):
                raise ValueError(
                    f"{name!r} is no label or word: expected characters "
                    "that are neither spaces nor brackets"
                )

    def __str__(self) -> str:
        """Write the tree in Penn brackets, on one line."""
        parts = []
        for event, node in walk(self):
            if event == "word":
                parts.append(f" ({node.label} {node.word})")
            else:
                parts.append(f" ({node.label}" if event == "open" else ")")
        return "".join(parts).lstrip()

    @property
    def leaves(self) -> tuple["Tree", ...]:
        """The words with their tags, from left to right."""
        return tuple(node for event, node in walk(self) if event == "word")

    @property
    def words(self) -> tuple[str, ...]:
        """The words, from left to right."""
        return tuple(str(leaf.word) for leaf in self.leaves)


def walk(
    tree: Tree,
) -> Iterator[tuple[Literal["open", "word", "close"], Tree]]:
    """Walk a tree from left to right: each phrase as it begins and as it ends, each word once."""
    waiting: list[tuple[bool, Tree]] = [(True, tree)]
    while waiting:
        begins, node = waiting.pop()
        if not begins:
            yield "close", node
        elif node.word is not None:
            yield "word", node
        else:
            yield "open", node
            waiting.append((False, node))
            waiting += [(True, child) for child in reversed(node.children)]


# Files in Penn brackets.


@dataclass(slots=True)
class _Open:
    """A bracket that is still open."""

    line: int
    label: str = ""
    children: list[Tree] = field(default_factory=list)
    word: str | None = None


def read_trees(path: Path) -> Iterator[Tree]:
    """Read the trees of a file in Penn brackets, any number of them, on any number of lines.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is not UTF-8, holds no tree, or is as `parse_trees` has
            it; file and line are named.
    """
    text = "\n".join(tidy_lines(Path(path)))
    return parse_trees(text, origin=str(path))


def tidy_lines(path: Path) -> Iterator[str]:
    """Yield every line of a file whose spaces have no meaning, tidy; it may be blank."""
    lines = Lines(path)
    for block in raw_blocks(path):
        for line in lines.decoded(block):
            yield lines.tidied(" ".join(line.split()))
    lines.say()


def parse_trees(text: str, *, origin: str = "text") -> Iterator[Tree]:
    """Parse the trees of a text; a bracket around a sentence without a label gets the label `TOP`.

    Raises:
        ValueError: no tree, a bracket too many or too few, an empty one, a
            phrase without label, or a word that is not alone under its tag;
            with `origin` and the line.
    """
    waiting: list[_Open] = []
    found = False
    for number, line in enumerate(text.split("\n"), start=1):
        for token in _TOKEN.findall(line):
            try:
                tree = _step(waiting, token, number)
            except ValueError as error:
                raise ValueError(f"{origin}, line {number}: {error}") from error
            if tree:
                found = True
                yield tree
    if waiting:
        raise ValueError(
            f"{origin}, line {waiting[-1].line}: the bracket "
            f"({waiting[-1].label} is never closed"
        )
    if not found:
        raise ValueError(f"{origin} holds no tree: expected (S ...)")


def write_trees(path: Path, trees: Iterable[Tree]) -> None:
    """Write one tree a line, as `read_trees` and EVALB read them."""
    Path(path).write_text("".join(f"{tree}\n" for tree in trees), "utf-8")


def _step(waiting: list[_Open], token: str, line: int) -> Tree | None:
    """Take one more token; the tree, if it closes the outermost bracket."""
    if token == "(":
        if waiting and waiting[-1].word is not None:
            raise ValueError(f"{_not_alone(waiting[-1].word)}")
        waiting.append(_Open(line))
        return None
    if not waiting:
        what = "a closing bracket" if token == ")" else repr(token)
        raise ValueError(f"{what} where no bracket is open")
    last = waiting[-1]
    if token == ")":
        return _closed(waiting)
    if not last.label and not last.children:
        last.label = token
    elif last.word is None and not last.children:
        last.word = token
    else:
        raise ValueError(_not_alone(token))
    return None


def _closed(waiting: list[_Open]) -> Tree | None:
    last = waiting.pop()
    if not last.label and last.children and waiting:
        raise ValueError(
            "a phrase has no label: only the outermost bracket may be without"
        )
    tree = Tree(last.label or TOP, tuple(last.children), last.word)
    if not waiting:
        return tree
    waiting[-1].children.append(tree)
    return None


def _not_alone(word: str) -> str:
    return f"the word {word!r} is not alone under its tag: expected (TAG WORD)"


# What is read, made ready.


def plain_label(label: str) -> str:
    """Strip function tags and indices from a label: NP-SBJ-1 and NP=2 are NP, -LRB- stays."""
    return re.split("[-=]", label, maxsplit=1)[0] or label


def prepared(tree: Tree) -> Tree:
    """Prepare the tree as EVALB does: no traces, function tags, indices, and no `TOP` around it.

    A phrase of nothing but traces goes with them.

    Raises:
        ValueError: nothing is left.
    """
    phrases: list[list[Tree]] = [[]]
    for event, node in walk(tree):
        if event == "open":
            phrases.append([])
        elif event == "word" and node.label != TRACE:
            phrases[-1].append(node)
        elif event == "close" and (parts := tuple(phrases.pop())):
            phrases[-1].append(Tree(plain_label(node.label), parts))
    if not phrases[0]:
        raise ValueError(f"{tree} has no words besides traces")
    (whole,) = phrases[0]
    single = whole.label == TOP and len(whole.children) == 1
    return whole.children[0] if single else whole


# One line of symbols.


def linearised(tree: Tree, *, tags: bool = True) -> str:
    """Write the tree as one line: labelled brackets, and for each word its tag, or else `WORD`."""
    symbols = {"open": "({}", "close": "){}", "word": "{}" if tags else WORD}
    return " ".join(
        symbols[event].format(node.label) for event, node in walk(tree)
    )


def delinearised(line: str, words: Sequence[str]) -> Tree:
    """Read the tree that a line gives to a sentence: the inverse of `linearised`, with no repair.

    What is no bracket is the tag of the next word; `WORD`, too.

    Raises:
        ValueError: the line is no tree of so many words; the message says why.
    """
    waiting: list[tuple[str, list[Tree]]] = [("", [])]
    rest = iter(words)
    for symbol in line.split():
        if symbol[0] == "(":
            waiting.append((symbol[1:], []))
        elif symbol[0] == ")":
            label, parts = waiting.pop()
            if label != symbol[1:] or not waiting:
                raise ValueError(f"{symbol} closes ({label}")
            waiting[-1][1].append(Tree(label, tuple(parts)))
        else:
            word = next(rest, None)
            if word is None:
                raise ValueError(f"more words than the {len(words)} there are")
            waiting[-1][1].append(Tree(symbol, word=word))
    if len(waiting) > 1:
        raise ValueError(f"({waiting[-1][0]} is never closed")
    if left := len(list(rest)):
        raise ValueError(f"{left} of {len(words)} words are left out")
    if len(waiting[0][1]) != 1:
        raise ValueError(f"{len(waiting[0][1])} trees; expected one")
    return waiting[0][1][0]


def tree_pair(tree: Tree, *, tags: bool = True) -> SentencePair:
    """Pair a sentence with the line of its tree."""
    return SentencePair(" ".join(tree.words), linearised(tree, tags=tags))
