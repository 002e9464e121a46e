"""English sentences with their trees, drawn from a grammar in which words decide the structure.

    he saw the man with the telescope .     with the telescope he saw
    he saw the man with the scarf .         the man with the scarf

Nouns, verbs and prepositional phrases have classes, which no tree shows. A verb has weights for the
classes of its subject, of its object and of what modifies it, and a noun for those of its own
modifiers, so that where a phrase belongs is decided by the words: mostly, not always. What `and`
joins is mostly of one class. Besides: "her books" may be one phrase or two, "up" a particle or a
preposition, a clause may have "that" or not, and an adverb at its end may belong to it or to the
sentence around it. The words of a phrase settle its classes, so a tree has one derivation, and no
parser can expect more trees to be exactly right than one that finds the most probable tree of this
grammar (lab/baselines/cky.py).
"""

from functools import cache
from random import Random

from annotated_transformer.lab.corpora.english_classes import (
    IRREGULAR,
    NOUNS,
    OBJECTS,
    OF_NOUN,
    OF_VERB,
    OTHER_WORDS,
    PHRASES,
    SUBJECTS,
    VERBS,
)
from annotated_transformer.lab.corpora.grammar import Grammar, Right, visible
from annotated_transformer.lab.corpora.treebank import Tree

SPLITS = {"test": 1_000, "valid": 1_000, "train": 20_000}
"""Number of trees; no sentence is in two splits, or in one twice."""
LONGEST = 16
"""Words of a sentence, its marks included; longer ones are drawn again.

In longer sentences a small model loses count more often: a tag too many or too few.
"""


def _weights(table: str) -> dict[str, float]:
    """Read {"a": 2.0, "b": 1.0} from "a 2 b 1"; without numbers, all weights are 1."""
    found: dict[str, float] = {}
    for part in table.split():
        if part[0].isdigit():
            found[next(reversed(found))] = float(part)
        else:
            found[part] = 1.0
    return found


def _plural(noun: str) -> str:
    return IRREGULAR.get(noun, f"{noun}s")


def _words() -> dict[str, dict[str, float]]:
    words = {tag: _weights(table) for tag, table in OTHER_WORDS.items()}
    for name, nouns in NOUNS.items():
        words[f"NN^{name}"] = _weights(nouns)
        words[f"NNS^{name}"] = dict.fromkeys(map(_plural, nouns.split()), 1.0)
    for name, verbs in VERBS.items():
        words[f"VBD^{name}"] = _weights(verbs)
    for kind, (prepositions, _) in PHRASES.items():
        words[f"IN^{kind}"] = _weights(prepositions)
    return words


def _noun_phrases() -> dict[str, dict[Right, float]]:
    rules: dict[str, dict[Right, float]] = {"NP^he": {("PRP^he",): 1}, "NP^him": {("PRP^him",): 1}}
    for name in NOUNS:
        rules[f"NP^{name}"] = made = _simple(name)
        if name == "person":
            made["NNP",] = 0.2
        modifiers = _weights(OF_NOUN.get(name, ""))
        for kind, weight in modifiers.items():
            made[f"NP^{name}", f"PP^{kind}"] = 0.4 * weight / sum(modifiers.values())
        if name in ("person", "animal"):
            made[f"NP^{name}", f"SBAR^{name}"] = 0.04
        for other in NOUNS if modifiers else ():
            alike = 0.1 if other == name else 0.002
            made[f"NP^{name}", "CC", f"NP^{other}"] = alike
    return rules


def _simple(name: str) -> dict[Right, float]:
    one, many = f"NN^{name}", f"NNS^{name}"
    return {
        ("DT^one", one): 0.4,
        ("DT^one", "JJ", one): 0.18,
        ("PRP$", one): 0.1,
        ("DT^many", many): 0.1,
        (many,): 0.08,
        ("JJ", many): 0.05,
        ("PRP$", many): 0.05,
        ("JJ", many, "CC", many): 0.02,
        ("DT^one", one, "CC", one): 0.02,
    }


def _prepositional_phrases() -> dict[str, dict[Right, float]]:
    return {
        f"PP^{kind}": {
            (f"IN^{kind}", f"NP^{name}"): weight for name, weight in _weights(names).items()
        }
        for kind, (_, names) in PHRASES.items()
    }


def _complements() -> dict[str, dict[Right, float]]:
    """Return what a verb of each class needs besides modifiers."""
    found: dict[str, dict[Right, float]] = {
        verb: {(f"NP^{name}",): weight for name, weight in _weights(names).items()}
        for verb, names in OBJECTS.items()
    }
    things = ("thing", "food", "tool", "wear")
    found["give"] = {
        **{(f"NP^{name}", "PP^whom"): 1 for name in things},
        **{(who, f"NP^{name}"): 0.5 for name in things for who in ("NP^him", "NP^person")},
        **{(f"NP^{name}",): 0.5 for name in things},
    }
    found["put"] = {
        (f"NP^{name}", f"PP^{where}"): 1 for name in things for where in ("inside", "place")
    }
    found["say"] = {("SBAR",): 1}
    found["tell"] = {
        (who, what): 1 for who in ("NP^him", "NP^person") for what in ("PP^about", "SBAR")
    }
    found["move"] = {(): 2, ("PP^to",): 3, ("PP^up",): 1, ("PP^from",): 0.5}
    found["rest"] = {(): 1}
    found["lift"] = {
        **{("PRT", f"NP^{name}"): 1 for name in ("thing", "tool", "wear")},
        **{(f"NP^{name}", "PRT"): 0.5 for name in ("thing", "tool", "him")},
        ("PP^up",): 2,
    }
    return found


def _verb_phrases() -> dict[str, dict[Right, float]]:
    rules: dict[str, dict[Right, float]] = {}
    for verb, complements in _complements().items():
        modifiers = {
            (f"ADVP^{kind}" if kind in ("manner", "when") else f"PP^{kind}"): weight
            for kind, weight in _weights(OF_VERB[verb]).items()
        }
        share = 0.65 / sum(modifiers.values())
        after: dict[Right, float] = {(): 0.35}
        for kind, weight in modifiers.items():
            after[kind,] = weight * share
            if kind != "ADVP^when":
                after[kind, "ADVP^when"] = 0.1 * weight * share
        total = sum(complements.values())
        rules[f"VP^{verb}"] = made = {
            (f"VBD^{verb}", *needed, *modifier): 0.95 * a / total * b
            for needed, a in complements.items()
            for modifier, b in after.items()
        }
        for other in VERBS:
            made[f"VP^{verb}", "CC", f"VP^{other}"] = 0.05 / len(VERBS)
    return rules


def _sentences() -> dict[str, dict[Right, float]]:
    does = {name: _weights(table) for name, table in SUBJECTS.items()}
    clauses: dict[Right, float] = {
        (f"NP^{name}", f"VP^{verb}"): share * weight / sum(verbs.values())
        for (name, verbs), share in zip(does.items(), (0.5, 0.2, 0.3), strict=True)
        for verb, weight in verbs.items()
    }
    begins: dict[Right, float] = {
        (): 0.8,
        ("ADVP^when", ","): 0.05,
        ("PP^time", ","): 0.1,
        ("PP^place", ","): 0.05,
    }
    whole = {
        (*begin, *clause, "."): a * b
        for begin, a in begins.items()
        for clause, b in clauses.items()
    }
    rules: dict[str, dict[Right, float]] = {
        "S^whole": {**whole, ("S", "CC", "S", "."): 0.06, ("S", ",", "CC", "S", "."): 0.06},
        "S": clauses,
        "SBAR": {("IN^that", "S"): 0.6, ("S",): 0.4},
        "ADVP^manner": {("RB^manner",): 1},
        "ADVP^when": {("RB^when",): 1},
        "PRT": {("RP",): 1},
        "WHNP^person": {("WP",): 1},
        "WHNP^animal": {("WDT",): 1},
    }
    for name in ("person", "animal"):
        rules[f"SBAR^{name}"] = {(f"WHNP^{name}", f"S^{name}"): 1.0}
        verbs = does[name].items()
        rules[f"S^{name}"] = {(f"VP^{verb}",): weight for verb, weight in verbs}
    return rules


@cache
def english_grammar() -> Grammar:
    """Return the grammar of all sentences."""
    rules = {**_sentences(), **_noun_phrases(), **_prepositional_phrases(), **_verb_phrases()}
    return Grammar(rules, _words(), start="S^whole")


@cache
def english_trees(split: str) -> tuple[Tree, ...]:
    """Return the trees of a split of `SPLITS`, the same at every call.

    Sentences that an earlier split has, or this one already, are drawn again. A
    sentence keeps the first tree that was drawn for it, so each of its trees
    has it with the probability that the grammar gives.

    Raises:
        ValueError: there is no such split.
    """
    if split not in SPLITS:
        raise ValueError(f"there is no split {split!r}; there are {', '.join(SPLITS)}")
    names = list(SPLITS)
    earlier = names[: names.index(split)]
    known = {tree.words for name in earlier for tree in english_trees(name)}
    random = Random(names.index(split))
    trees: list[Tree] = []
    while len(trees) < SPLITS[split]:
        tree = english_grammar().draw(random)
        if len(tree.words) <= LONGEST and tree.words not in known:
            known.add(tree.words)
            trees.append(visible(tree))
    return tuple(trees)
