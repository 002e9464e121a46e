"""Sentences in which one adjective decides what "it" stands for.

Chapter: *Encoder and decoder*. "The animal did not cross the street because it was too tired" is
about the animal; with "wide" it is about the street. The Korean translation begins with the noun
that "it" stands for. Left out: verbs for which the grammar knows reasons about one of the two only.
Sentences of the large lexicon, which come typed in many ways, are written as those of the small
one: with a capital, without contractions and without a full stop.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.corpora.english_korean import LexiconName
from annotated_transformer.lab.corpora.english_korean.adjectives import Adjective
from annotated_transformer.lab.corpora.english_korean.because import (
    REASONS,
    Reason,
    objects_of,
    taken_up,
)
from annotated_transformer.lab.corpora.english_korean.clauses import object_particle
from annotated_transformer.lab.corpora.english_korean.derivation import Derivation, Words
from annotated_transformer.lab.corpora.english_korean.everyday.surface import plain
from annotated_transformer.lab.corpora.english_korean.large import large_lexicon
from annotated_transformer.lab.corpora.english_korean.lexicon import SMALL, Lexicon
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_lexicon
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, noun_phrase
from annotated_transformer.lab.corpora.english_korean.predicates import adjective_form
from annotated_transformer.lab.corpora.english_korean.verbs import Verb

DEGREES = {"too": "너무", "very": "아주"}
ANTECEDENTS = ("subject", "object")
"""The nouns that "it" may stand for."""

Span = tuple[int, int]
"""Words [start, stop) of a sentence."""


class Swap(NamedTuple):
    """One sentence twice: with an adjective of its subject, and with one of its object.

    Every pair has two sides, in the order of `ANTECEDENTS`: side 0 if "it" is the subject, side 1
    if it is the object. Both sources have the same words before the adjective, which comes last.
    """

    sources: tuple[str, str]
    """The two English sentences."""
    targets: tuple[str, str]
    """Their translations."""
    openings: tuple[str, str]
    """The first words of the translation: the noun that "it" stands for, with its particle."""
    nouns: tuple[Span, Span]
    """The nouns in the English sentence."""
    pronoun: Span
    """Where "it" stands in it."""
    given: str
    """The side whose sentence is in the corpus, "subject" or "object"."""


class _Scene(NamedTuple):
    """Who does what, and the adjectives that may be given as a reason on either side."""

    subject: NounPhrase
    verb: Verb
    object: NounPhrase
    adjectives: tuple[tuple[Adjective, ...], tuple[Adjective, ...]]


def swaps(pairs: Sequence[SentencePair], lexicon: LexiconName = "small") -> list[Swap]:
    """Return the *because* sentences with every adjective that changes what "it" stands for.

    Adjectives are those that the lexicon has for the verb and degree ("too" or "very"). A sentence
    is skipped if its verb has no reason of the other kind: a chair may be too heavy to be lifted,
    but in the grammar nobody is too tired to lift it.

    Raises:
        ValueError: no sentence can be swapped.
    """
    others = {"large": large_lexicon, "open": open_lexicon}
    words = others[lexicon]() if lexicon in others else SMALL
    usable = [swap for pair in pairs for swap in _swaps_of(pair, words)]
    if not usable:
        raise ValueError(
            f'none of {len(pairs)} sentence pairs has an "it" that another adjective would change; '
            'expected some like "The animal crossed the street because it was very hungry"'
        )
    return usable


def _swaps_of(pair: SentencePair, lexicon: Lexicon) -> Iterator[Swap]:
    kind, _, given = (pair.construction or "").partition("_")
    source = plain(pair.source).capitalize()
    scene = _scene(source, lexicon) if kind == "because" else None
    if scene is None:
        return
    stem, _, word = source.rpartition(" ")
    side = ANTECEDENTS.index(given)
    (adjective,) = (entry for entry in scene.adjectives[side] if entry.english == word)
    for other in scene.adjectives[1 - side]:
        adjectives = (other, adjective) if side else (adjective, other)
        yield _swap(stem, pair.target, scene, side, adjectives, natural=lexicon.natural)


def _scene(source: str, lexicon: Lexicon) -> _Scene | None:
    """Find who does what to what in the lexicon; None if there are reasons of one kind only."""
    clause, _, why = source.partition(" because it was ")
    hinders = why.startswith("too")
    for reason, subject in _subjects(clause, lexicon):
        for_subject = reason.adjectives("subject", hinders=hinders)
        for_object = reason.adjectives("object", hinders=hinders)
        for verb, noun in _objects(clause, reason.verb, subject, lexicon):
            of_subject = _adjectives_of(subject, for_subject, lexicon)
            of_object = _adjectives_of(noun, for_object, lexicon)
            if of_subject and of_object:
                return _Scene(subject, verb, noun, (of_subject, of_object))
    return None


def _subjects(clause: str, lexicon: Lexicon) -> Iterator[tuple[Reason, NounPhrase]]:
    """Yield each subject that the clause may begin with, and the reasons that it can have."""
    determiner, _, rest = clause.partition(" ")
    if determiner not in ("The", "This"):
        return
    for reason in REASONS:
        for noun in lexicon.nouns(*sorted(reason.subjects)):
            if rest.startswith(noun.english + " "):
                yield reason, _phrase(determiner.lower(), noun)


def _objects(
    clause: str, verb: str, subject: NounPhrase, lexicon: Lexicon
) -> Iterator[tuple[Verb, NounPhrase]]:
    """Yield each verb and object that the clause may end with, given its subject."""
    if subject.noun is None:
        return
    for entry, noun in objects_of(lexicon, verb, subject.noun):
        for determiner in ("the", "this"):
            ends = tuple(f" {form} {determiner} {noun.english}" for form in entry[:2])
            if clause.endswith(ends):
                yield entry, _phrase(determiner, noun)


def _phrase(determiner: str, noun: Noun) -> NounPhrase:
    return noun_phrase(Derivation(Random(0)), noun, determiner)


def _adjectives_of(
    phrase: NounPhrase, words: Sequence[str], lexicon: Lexicon
) -> tuple[Adjective, ...]:
    """Return the adjectives among `words` that the grammar says of a noun."""
    if phrase.noun is None:
        return ()
    return tuple(a for a in lexicon.predicates_of(phrase.noun) if a.english in words)


def _korean(words: Words) -> list[str]:
    return [word for word, _ in words]


def _swap(
    stem: str,
    target: str,
    scene: _Scene,
    side: int,
    adjectives: tuple[Adjective, Adjective],
    *,
    natural: bool,
) -> Swap:
    """Build both sentences: `stem` and an adjective; `target` translates the one of this side."""
    clause = stem.partition(" because ")[0].split(" ")
    _, degree = stem.rsplit(" ", 1)
    causes = (
        _korean(scene.subject.marked(TOPIC if natural else SUBJECT)),
        _korean(scene.object.marked(SUBJECT)),
    )
    others = (
        _korean(scene.object.marked(object_particle(scene.verb))),
        [*_korean(scene.subject.marked(TOPIC)), _taken_up(scene)],
    )
    # Degree and adjective stand between the nouns; the verb comes last, the same in both sentences.
    verb = target.split(" ")[len(causes[side]) + 2 + len(others[side]) :]
    targets = [
        " ".join([*causes[i], DEGREES[degree], _reason_word(adjectives[i]), *others[i], *verb])
        for i in range(2)
    ]
    return Swap(
        sources=(f"{stem} {adjectives[0].english}", f"{stem} {adjectives[1].english}"),
        targets=(targets[0], targets[1]),
        openings=(" ".join(causes[0]), " ".join(causes[1])),
        nouns=(
            (1, len(scene.subject.english)),
            (len(clause) - len(scene.object.english) + 1, len(clause)),
        ),
        pronoun=(len(clause) + 1, len(clause) + 2),
        given=ANTECEDENTS[side],
    )


def _taken_up(scene: _Scene) -> str:
    """Return the pronoun of the object, whose noun stands in the reason."""
    if scene.object.noun is None:
        raise ValueError("the object of a scene is a noun")
    return taken_up(scene.object.noun, scene.verb)


def _reason_word(adjective: Adjective) -> str:
    """Return the Korean adjective with the ending 서, "because"."""
    form = adjective_form(adjective, "past", "3s", negated=False, ending="서")
    return form.korean[-1][0]
