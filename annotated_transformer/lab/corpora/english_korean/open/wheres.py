"""Where something is done: in front of the station, in her room, by the sea. CC0."""

from functools import partial

from annotated_transformer.lab.corpora.english_korean import tables
from annotated_transformer.lab.corpora.english_korean.adverbs import Adverbial
from annotated_transformer.lab.corpora.english_korean.clauses import adverbial, place_phrase
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import own_possessive
from annotated_transformer.lab.corpora.english_korean.open.whose import owner
from annotated_transformer.lab.corpora.english_korean.phrases import (
    DEMONSTRATIVES,
    POSSESSIVES,
    NounPhrase,
    noun_phrase,
)

daily = partial(tables.rows, "open_daily")
"""The lines under a heading of `words/open_daily.txt`, each with its fields."""
ROOMS = ("indoor", "outdoor", "room")
BETWEEN = ("bank", "school", "station", "library", "park", "hotel", "church", "post office")


def scene_of(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """Return where somebody does something, with 에서: 역 앞에서, 그녀의 방에서."""
    kind = d.weighted(
        (
            *(("fixed", 0.26), ("side", 0.24), ("own", 0.2), ("place", 0.18), ("whose", 0.06)),
            *(("between", 0.02), ("city", 0.04)),
        )
    )
    if kind in ("own", "whose"):
        return (own_place if kind == "own" else at_house_of)(d, subject)
    if kind in ("city", "place"):
        places = ("city",) if kind == "city" else ROOMS
        return place_phrase(d, d.choose(d.lexicon.nouns(*places)))
    if kind == "fixed":
        return fixed(d, "scenes")
    return _between(d) if kind == "between" else beside(d)


def fixed(d: Derivation, heading: str) -> Clause:
    """Return one of the adverbials of a table."""
    return adverbial(d, tuple(Adverbial(*row) for row in daily(heading)))


def beside(d: Derivation, ending: str = "에서") -> Clause:
    """Return "in front of the station", 역 앞에서; with another ending 역 앞에, 역 앞."""
    preposition, korean, names = d.choose(daily("sides"))
    name = d.choose(names.split(","))
    noun = next(n for n in d.lexicon.nouns(name) if n.english == name)
    where = noun_phrase(d, noun, d.choose(("the", "the", "the", "the", "a", "this")))
    node = d.node()
    return Clause(
        [*words(preposition, node), *where.english],
        [*where.korean, *words(korean + ending, node)],
    )


def _between(d: Derivation) -> Clause:
    """Return "between the bank and the school", 은행과 학교 사이에서."""
    first, second = d.choose(BETWEEN), d.choose(BETWEEN)
    if first == second:
        raise Unfit
    left, right = (
        noun_phrase(d, next(n for n in d.lexicon.nouns(name) if n.english == name), "the")
        for name in (first, second)
    )
    node, joint = d.node(), d.node()
    english = [*words("between", node), *left.english, *words("and", joint), *right.english]
    korean = [*left.marked(("과", "와"), joint), *right.korean, *words("사이에서", node)]
    return Clause(english, korean)


def own_place(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """Return "in her room", 그녀의 방에서, "behind our house", 우리 집 뒤에서."""
    preposition, english, korean, ending = d.choose(daily("own places"))
    own = own_possessive(subject) if subject is not None and d.chance(0.75) else ""
    own = own or d.choose(("my", "my", "your", "his", "her", "our", "their"))
    before = "우리" if own == "our" else POSSESSIVES.get(own) or DEMONSTRATIVES[own]
    node, place, whose = d.node(), d.node(), d.node()
    first = [*words(preposition, node), *words(own, whose), *words(english, place)]
    if ending == "에서":
        return Clause(first, [*words(before, whose), Word(korean + ending, (place, node))])
    return Clause(first, [*words(before, whose), *words(korean, place), *words(ending, node)])


def at_house_of(d: Derivation, subject: NounPhrase | None = None) -> Clause:
    """Return "at my uncle's house", 우리 삼촌의 집에서."""
    whose = owner(d)
    if subject is not None and subject.noun == whose.noun:
        raise Unfit
    english, korean = d.choose((("house", "집"), ("house", "집"), ("apartment", "아파트")))
    preposition = "at" if english == "house" else "in"
    node, place = d.node(), d.node()
    last = whose.english[-1]
    first = [*whose.english[:-1], Word(last.text + "'s", last.nodes)]
    return Clause(
        [*words(preposition, node), *first, *words(english, place)],
        [*whose.marked(("의", "의")), Word(korean + "에서", (place, node))],
    )
