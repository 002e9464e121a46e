"""Numbers of things: three books, two cups of coffee. CC0."""

from functools import cache

from annotated_transformer.lab.corpora.english_korean.adverbs import MEASURES
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, modifier

LARGE_NUMBERS = frozenset({"열다섯", "스무", "열한", "열두"})
COSTLY = frozenset({"vehicle", "device", "instrument", "furniture"})


def _is_too_many(number: str, noun: Noun) -> bool:
    """Whether people hardly have, buy or see so many of them."""
    few = ("한", "두", "세")
    return number in LARGE_NUMBERS or (bool(noun.classes & COSTLY) and number not in few)


def counted(d: Derivation, noun: Noun, adjective: float = 0.15) -> NounPhrase:
    """Return a number of things: "three books" is 책 세 권, "two cups of coffee" 커피 두 잔."""
    node, number_node = d.node(), d.node()
    number = d.choose(d.lexicon.numbers)
    if d.lexicon.natural and _is_too_many(number.korean, noun) and d.chance(0.8):
        raise Unfit
    d.uses(noun.english, noun.korean)
    d.uses(number.english, number.korean)
    d.pairing("number", number.english, noun.english)
    english_adjective, korean_adjective = modifier(d, noun, adjective)
    english_number = words(number.english, number_node)
    korean_number = words(number.korean, number_node)
    if noun.plural and not noun.plural_only:
        single = number.english == "one"
        name = words(noun.english if single else noun.plural, node)
        english = [*english_number, *english_adjective, *name]
        counter, counter_nodes = noun.counter, (node,)
    else:
        if number.english == "one":
            raise Unfit  # "one cup of" would need the singular of the measure
        plural, counter = _measure(d, noun)
        measure = d.node()
        counter_nodes = (measure,)
        english_measure = words(f"{plural} of", measure)
        english = [
            *english_number,
            *english_measure,
            *english_adjective,
            *words(noun.english, node),
        ]
    korean = [*korean_adjective, Word(noun.korean, (node,)), *korean_number]
    agreement = "3s" if number.english == "one" else "p"
    return NounPhrase(english, [*korean, Word(counter, counter_nodes)], node, agreement, noun)


def _measure(d: Derivation, noun: Noun) -> tuple[str, str]:
    if noun.plural_only:
        return "pairs", noun.counter
    options = tuple((plural, korean) for _, plural, korean, of in MEASURES if noun.english in of)
    return d.choose(options)


@cache
def is_countable(noun: Noun) -> bool:
    """Whether `counted` has a way to count the noun."""
    if noun.plural:
        return bool(noun.counter)
    return any(noun.english in of for _, _, _, of in MEASURES)
