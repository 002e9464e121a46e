"""Sentences with one word exchanged for another, which moves a prepositional phrase.

    he saw the man with the telescope       to the verb
    he saw the man with the scarf           to the noun

Chapter: *Parsing*. Both sentences of a pair have the same tags, so a parser that looks at labels
alone attaches the phrase alike in both. The true grammar says which pairs there are: its most
probable trees differ in what the phrase belongs to. If a parser has learned what a word has to do
with it, the phrase moves in its trees, too.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from annotated_transformer.lab.analysis.choices import KINDS, NOUNS, above, open_choices
from annotated_transformer.lab.baselines.cky import CKY
from annotated_transformer.lab.corpora.english_classes import NOUNS as CLASSES
from annotated_transformer.lab.corpora.english_classes import PHRASES, VERBS
from annotated_transformer.lab.corpora.treebank import Tree, prepared

WORDS = ("preposition", "verb", "noun")
"""Which word is exchanged: the preposition, the verb before it, or the first noun of the phrase."""
VERDICTS = ("follows", "stays", "contrary", "neither")
"""What a parser does with a pair: attaches the phrase as the true grammar does in both sentences;
to the same in both; the other way round; or it leaves the choice in one of them: no tree, another
phrase, or something else above it."""
ATTACHED = {label: KINDS[label] for label in ("NP", "VP")}


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two sentences that differ in one word, with their most probable trees."""

    trees: tuple[Tree, Tree]
    """That of the sentence as it was, and that with the other word."""
    phrase: int
    """The number of the word with which the prepositional phrase begins."""
    word: int
    """The number of the word that was exchanged."""


def attachment(tree: Tree | None, phrase: int) -> str | None:
    """Return to what the PP that begins with a word belongs, of `KINDS`; None if neither."""
    label = above(tree)[1].get(phrase, ("",))[0] if tree else ""
    return ATTACHED.get(label)


def exchanges(
    trees: Iterable[Tree],
    parser: CKY,
    *,
    word: str = "noun",
    known: Collection[tuple[str, ...]] = (),
    seed: int = 0,
) -> Iterator[Exchange]:
    """Yield for each sentence the first exchange that moves its prepositional phrase, if any does.

    Sentences have one choice, of `open_choices`: between several phrases there
    are ties, which labels decide by chance. A noun, in the singular, makes room
    for one of each class that may follow the preposition; a verb for one of
    each class; a preposition for each other.

    Args:
        trees: of `english_grammar`; their sentences are asked.
        parser: that of the true grammar.
        word: which is exchanged, of `WORDS`.
        known: sentences that must not come out, such as those of a training.
        seed: of the words.

    Raises:
        ValueError: there is no such word.
    """
    if word not in WORDS:
        raise ValueError(f"word is {word!r}; expected one of {', '.join(WORDS)}")
    random = Random(seed)
    for drawn in trees:
        if len(open_choices(drawn)) != 1 or drawn.words in known:
            continue
        found = _exchange(prepared(parser.parse(drawn.words)), parser, word, random)
        if found and found.trees[1].words not in known:
            yield found


def _exchange(tree: Tree, parser: CKY, word: str, random: Random) -> Exchange | None:
    if len(choices := open_choices(tree)) != 1:  # the drawn tree need not be the most probable
        return None
    tags = [leaf.label for leaf in tree.leaves]
    ((before, phrase),) = choices
    place = _place(word, tags, phrase)
    if before not in ATTACHED.values() or place is None:
        return None
    for some in _others(word, tree.words[phrase]):
        words = (*tree.words[:place], random.choice(some.split()), *tree.words[place + 1 :])
        try:
            other = prepared(parser.parse(words))
        except ValueError:  # nothing there goes with such a word
            continue
        choices = open_choices(other)
        alike = [leaf.label for leaf in other.leaves] == tags
        if alike and [n for _, n in choices] == [phrase] and choices[0][0] != before:
            return Exchange((tree, other), phrase, place)
    return None


def _place(word: str, tags: Sequence[str], phrase: int) -> int | None:
    """Return the number of the word to exchange, or None if it is none of its kind."""
    if word == "preposition":
        return phrase
    if word == "verb":
        return next((n for n in range(phrase - 1, -1, -1) if tags[n] == "VBD"), None)
    place = next((n for n in range(phrase, len(tags)) if tags[n] in NOUNS), None)
    return place if place is not None and tags[place] == "NN" else None


def _others(word: str, preposition: str) -> list[str]:
    """List what may come in its place: words of one class in each line."""
    if word == "preposition":
        some = {each for prepositions, _ in PHRASES.values() for each in prepositions.split()}
        return sorted(some - {preposition})
    if word == "verb":
        return list(VERBS.values())
    after = " ".join(nouns for some, nouns in PHRASES.values() if preposition in some.split())
    return [nouns for name, nouns in CLASSES.items() if name in after.split()]


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
            counted["follows" if own == wanted else "contrary"] += 1
    return counted
