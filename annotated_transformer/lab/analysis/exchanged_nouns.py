"""Sentences with one noun exchanged for another, which moves a prepositional phrase.

    he saw the man with the telescope       to the verb
    he saw the man with the scarf           to the noun

Chapter: *Parsing*. Both sentences of a pair have the same tags, so a parser that looks at labels
alone attaches the phrase alike in both. The true grammar says which pairs there are: its most
probable trees differ in what the phrase belongs to.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from annotated_transformer.lab.analysis.choices import KINDS, NOUNS, above, open_choices
from annotated_transformer.lab.baselines.cky import CKY
from annotated_transformer.lab.corpora.english_classes import NOUNS as CLASSES
from annotated_transformer.lab.corpora.english_classes import PHRASES
from annotated_transformer.lab.corpora.treebank import Tree, prepared

VERDICTS = ("follows the noun", "stays", "contrary", "neither")
"""What a parser does with a pair: attaches the phrase as the true grammar does in both sentences;
to the same in both; the other way round; or it leaves the choice in one of them: no tree, another
phrase, or something else above it."""
ATTACHED = {label: KINDS[label] for label in ("NP", "VP")}


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two sentences that differ in one noun, with their most probable trees."""

    trees: tuple[Tree, Tree]
    """That of the sentence as it was, and that with the other noun."""
    phrase: int
    """The number of the word with which the prepositional phrase begins."""
    noun: int
    """The number of the noun that was exchanged."""


def attachment(tree: Tree | None, phrase: int) -> str | None:
    """Return to what the PP that begins with a word belongs, of `KINDS`; None if neither."""
    label = above(tree)[1].get(phrase, ("",))[0] if tree else ""
    return ATTACHED.get(label)


def exchanges(
    trees: Iterable[Tree],
    parser: CKY,
    *,
    known: Collection[tuple[str, ...]] = (),
    seed: int = 0,
) -> Iterator[Exchange]:
    """Yield for each sentence the first exchange that moves its prepositional phrase, if any does.

    Sentences have one choice, of `open_choices`: between several phrases there
    are ties, which labels decide by chance. The phrase's first noun, in the singular,
    makes room for one of each class that may follow the preposition.

    Args:
        trees: of `english_grammar`; their sentences are asked.
        parser: that of the true grammar.
        known: sentences that must not come out, such as those of a training.
        seed: of the nouns.
    """
    random = Random(seed)
    for drawn in trees:
        if len(open_choices(drawn)) != 1 or drawn.words in known:
            continue
        found = _exchange(prepared(parser.parse(drawn.words)), parser, random)
        if found and found.trees[1].words not in known:
            yield found


def _exchange(tree: Tree, parser: CKY, random: Random) -> Exchange | None:
    if len(choices := open_choices(tree)) != 1:  # the drawn tree need not be the most probable
        return None
    tags = [leaf.label for leaf in tree.leaves]
    ((before, phrase),) = choices
    noun = next((n for n in range(phrase, len(tags)) if tags[n] in NOUNS), None)
    if before not in ATTACHED.values() or noun is None or tags[noun] != "NN":
        return None
    for name in _classes_after(tree.words[phrase]):
        own = random.choice(CLASSES[name].split())
        words = (*tree.words[:noun], own, *tree.words[noun + 1 :])
        try:
            other = prepared(parser.parse(words))
        except ValueError:  # nothing there goes with such a phrase
            continue
        choices = open_choices(other)
        alike = [leaf.label for leaf in other.leaves] == tags and len(choices) == 1
        if alike and choices[0] != (before, phrase):
            return Exchange((tree, other), phrase, noun)
    return None


def _classes_after(preposition: str) -> list[str]:
    """List the classes of nouns that may follow a preposition."""
    after = " ".join(nouns for some, nouns in PHRASES.values() if preposition in some.split())
    return [name for name in CLASSES if name in after.split()]


def verdicts(
    pairs: Sequence[Exchange], found: Sequence[tuple[Tree | None, Tree | None]]
) -> Counter[str]:
    """Count what a parser does with the pairs, of `VERDICTS`, by its trees for both sentences."""
    counted: Counter[str] = Counter()
    for pair, trees in zip(pairs, found, strict=True):
        wanted = [attachment(tree, pair.phrase) for tree in pair.trees]
        own = [attachment(tree, pair.phrase) for tree in trees]
        if None in own:
            counted["neither"] += 1
        elif own[0] == own[1]:
            counted["stays"] += 1
        else:
            counted["follows the noun" if own == wanted else "contrary"] += 1
    return counted
