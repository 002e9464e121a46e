"""What the tables of states say: open, 열려 있다; broken, 깨졌다; a mess, 엉망이다. CC0.

The kind of a state is "s" (the 있다 of 열려 있다), "r" (the past of what led to it: 깨졌다), "v" (a
verb: 바람이 분다), "c" (a noun with 이다) or else "-" (an adjective); a letter behind it, or alone,
tells how the stem conjugates.
"""

from functools import partial

from annotated_transformer.lab.corpora.english_korean import tables
from annotated_transformer.lab.corpora.english_korean.adverbs import Adverbial
from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY, adverbial
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, noun_phrase

DEGREES = {"very": "아주", "so": "정말", "really": "정말", "too": "너무"}
KINDS = {"s": "aspect", "r": "verb", "v": "verb", "c": "copula"}
NOW = (
    *(Adverbial("today", "오늘"), Adverbial("now", "지금"), Adverbial("right now", "지금")),
    Adverbial("this morning", "오늘 아침에"),
)
THEN = (
    *(Adverbial("yesterday", "어제"), Adverbial("last night", "어젯밤에")),
    *(Adverbial("this morning", "오늘 아침에"), Adverbial("yesterday", "어제")),
)
PARTICLES = {"이": SUBJECT, "은": TOPIC}


state_table = partial(tables.rows, "open_states")
"""The lines under a heading of `words/open_states.txt`, each with its fields."""


def options(field: str) -> tuple[tuple[str, str, str], ...]:
    """Return the states in a field: "long:길;blue:파란색:c"."""
    found = [entry.split(":") for entry in field.split(";")]
    return tuple((entry[0], entry[1], entry[2] if entry[2:] else "-") for entry in found)


def predicate_of(korean: str, kind: str, *nodes: int) -> Predicate:
    """Return the Korean predicate of a state."""
    *before, stem = korean.split(" ")
    named = KINDS.get(kind[0], "adjective")
    irregular = kind.strip("srvc-")
    return Predicate([Word(text, nodes) for text in before], stem, irregular, named, nodes)


def stated(
    d: Derivation,
    subject: NounPhrase,
    english: str,
    korean: str,
    kind: str,
    *,
    verb: tuple[str, str, str, str] = ("be", "", "", ""),
    degree: str = "",
    still: str = "",
) -> Said:
    """Return that the subject is so, with "very" or "still" before it perhaps."""
    node, be = d.node(), d.node()
    predicate = predicate_of(korean, kind, node, be)
    tail = words(english, node)
    if degree:
        much = d.node()
        tail = [*words(degree, much), *tail]
        before = words(DEGREES[degree], much)
        predicate = predicate._replace(before=[*before, *predicate.before])
    if still:
        yet = d.node()
        tail = [*words("still", yet), *tail]
        predicate = predicate._replace(before=[*words(still, yet), *predicate.before])
    flags = frozenset("R") if kind[0] == "r" else frozenset[str]()
    return Said(subject, EnglishVerb(*verb, be, tail), predicate, (), flags, "quality")


def told(
    d: Derivation,
    said: Said,
    how: How,
    *,
    particle: tuple[str, str] = TOPIC,
    asked: bool = False,
    timed: float = 0.0,
    again: float = 0.0,
    times: tuple[tuple[Adverbial, ...], tuple[Adverbial, ...]] = (NOW, THEN),
) -> Clause:
    """Return the sentence; its time is first or behind the topic in Korean, 또 next to the verb."""
    ending = "니" if asked else "다"
    if not how.negated and d.chance(again):
        node = d.node()
        more = Clause(words("again", node), words("또", node))
        body = clause(
            *(d, said._replace(complements=(*said.complements, more)), how),
            ending=ending,
            asked=asked,
            particle=particle,
        )
        return body
    time = adverbial(d, times[how.tense.startswith("past")]) if d.chance(timed) else EMPTY
    if particle is TOPIC:
        return clause(d, said, how, ending=ending, asked=asked, time=time)
    body = clause(d, said, how, ending=ending, asked=asked, particle=particle)
    return Clause([*body.english, *time.english], [*time.korean, *body.korean])


# 꽃이 피었다, 손을 베었다: written in full.
FULL = {"폈": "피었", "뼜": "삐었", "벴": "베었", "뎄": "데었"}


def in_full(korean: Words) -> Words:
    """Return the words with these pasts written in full."""
    return [Word(FULL[t[0]] + t[1:] if t[:1] in FULL else t, nodes) for t, nodes in korean]


def drawn_how(d: Derivation, *, past: float = 0.3, negated: float = 0.12) -> tuple[How, bool]:
    """Return a tense with its polarity, and whether it is asked."""
    asked = d.chance(0.17)
    how = How("past" if d.chance(past) else "present", "", not asked and d.chance(negated))
    return how, asked


def owned_thing(d: Derivation, name: str, *, owned: bool) -> NounPhrase:
    """Return the, this, that, my thing, or things."""
    noun = d.choose([n for n in d.lexicon.nouns(name) if n.english == name])
    plural = bool(noun.plural) and not noun.plural_only
    plural = plural and d.chance(0.6 if name == "light" else 0.16)
    own = d.weighted(
        (("the", 0.6), ("this", 0.07), ("that", 0.05), ("own", 0.28 * (owned and name != "light")))
    )
    if own == "own":
        own = d.choose(("my", "my", "my", "your", "his", "her", "our", "their"))
    elif plural:
        own = {"this": "these", "that": "those"}.get(own, own)
    elif noun.plural_only:
        own = "the"
    return noun_phrase(d, noun, own, plural=plural)
