"""How much of a tree is right: labelled brackets, counted as EVALB counts them.

A phrase is a bracket: its label, and the words between which it lies. Precision
is the part of the predicted brackets that are in the gold tree, recall the part
of the gold ones that are predicted, F1 their harmonic mean; over all sentences
together, not the mean of each one's. As with EVALB's parameters of Collins:

- the bracket of a single word, its tag, does not count, nor does `TOP`;
- punctuation is taken out before words are counted, and traces too; which
  words are punctuation, the gold tree says where both have the same words;
- function tags are cut off (NP-SBJ is NP), and ADVP and PRT are the same;
- a bracket that a tree has twice counts twice.

One thing is stricter. EVALB leaves a sentence out if its prediction is no tree
of it; here it stays, with none of its gold brackets found, and is counted.

Source: EVALB (Sekine and Collins 1997), and its file COLLINS.prm.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass

from annotated_transformer.lab.checks import check_list
from annotated_transformer.lab.corpora.treebank import TOP, TRACE, Tree, plain_label, walk

IGNORED_TAGS = frozenset({TRACE, ",", ":", "``", "''", "."})
"""Tags of the words that are taken out."""
SAME = {"PRT": "ADVP"}
"""Labels that count as another one."""
Bracket = tuple[str, int, int]


def brackets(tree: Tree, tags: Iterable[str] | None = None) -> Counter[Bracket]:
    """Count each bracket, as (label, first word, word after the last).

    `tags` say which words are punctuation, in place of the tree's own.
    """
    check_list("tags", tags)
    if tags is None:
        tags = (leaf.label for leaf in tree.leaves)
    counts = (tag not in IGNORED_TAGS for tag in tags)
    total: Counter[Bracket] = Counter()
    starts: list[int] = []
    n_words = 0
    for event, node in walk(tree):
        if event == "open":
            starts.append(n_words)
        elif event == "word":
            n_words += next(counts)
        else:
            start, label = starts.pop(), plain_label(node.label)
            if label != TOP and start < n_words:
                total[SAME.get(label, label), start, n_words] += 1
    return total


@dataclass(frozen=True)
class BracketScore:
    """Counts over sentences, and what follows from them, in percent."""

    matched: int = 0
    """Brackets that are in both trees."""
    gold: int = 0
    """Brackets of the gold trees."""
    predicted: int = 0
    """Brackets of the predicted trees."""
    sentences: int = 0
    """Sentences, with a predicted tree or without."""
    exact: int = 0
    """Sentences whose brackets are all right, with none too many."""
    invalid: int = 0
    """Sentences without a predicted tree."""

    def __add__(self, other: "BracketScore") -> "BracketScore":
        pairs = zip(astuple(self), astuple(other), strict=True)
        return BracketScore(*(a + b for a, b in pairs))

    @property
    def precision(self) -> float:
        """The share of the predicted brackets that is right; 0 if there are none."""
        return _percent(self.matched, self.predicted)

    @property
    def recall(self) -> float:
        """The share of the gold brackets that is predicted; 0 if there are none."""
        return _percent(self.matched, self.gold)

    @property
    def f1(self) -> float:
        """2 / (1 / precision + 1 / recall); 0 if no bracket is right."""
        return _percent(2 * self.matched, self.gold + self.predicted)

    @property
    def exact_match(self) -> float:
        """Sentences with all brackets right."""
        return _percent(self.exact, self.sentences)


def compare_trees(gold: Tree, predicted: Tree | None) -> BracketScore:
    """Count the brackets of one sentence; None is a prediction that was no tree.

    Raises:
        ValueError: the trees have different words, punctuation left out.
    """
    gold_brackets = brackets(gold)
    if predicted is None:
        return BracketScore(gold=gold_brackets.total(), sentences=1, invalid=1)
    same = gold.words == predicted.words
    if not same and _spoken(gold) != _spoken(predicted):
        raise ValueError(
            f"the predicted tree has the words {' '.join(_spoken(predicted))!r}, "
            f"the gold tree {' '.join(_spoken(gold))!r}: compare trees of one sentence"
        )
    tags = [leaf.label for leaf in (gold if same else predicted).leaves]
    predicted_brackets = brackets(predicted, tags)
    return BracketScore(
        matched=(gold_brackets & predicted_brackets).total(),
        gold=gold_brackets.total(),
        predicted=predicted_brackets.total(),
        sentences=1,
        exact=int(gold_brackets == predicted_brackets),
    )


def bracket_score(gold: Sequence[Tree], predicted: Sequence[Tree | None]) -> BracketScore:
    """Add the counts of all sentences together.

    Raises:
        ValueError: no sentences, not as many predictions as gold trees, or as
            `compare_trees`.
    """
    if not gold or len(gold) != len(predicted):
        raise ValueError(
            f"{len(predicted)} predictions for {len(gold)} gold trees: "
            "expected one for each, and at least one"
        )
    return sum(map(compare_trees, gold, predicted), BracketScore())


def _spoken(tree: Tree) -> list[str]:
    return [str(leaf.word) for leaf in tree.leaves if leaf.label not in IGNORED_TAGS]


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0
