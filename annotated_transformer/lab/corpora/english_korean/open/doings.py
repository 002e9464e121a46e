"""What people do, what happens to things, what state they are in: 달에 착륙했다, 잠겨 있다. CC0."""

from functools import cache, partial

from annotated_transformer.lab.corpora.english_korean import tables
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import person
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known
from annotated_transformer.lab.corpora.english_korean.everyday.times import time_for
from annotated_transformer.lab.corpora.english_korean.morphology import (
    OBJECT,
    SUBJECT,
    TOWARDS,
    WITH,
    attach,
)
from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_lexicon
from annotated_transformer.lab.corpora.english_korean.phrases import (
    ANIMATE,
    NounPhrase,
    article,
    choose_noun,
)

PARTICLES = {"을": OBJECT, "이": SUBJECT, "로": TOWARDS, "과": WITH}
# English determiner ("a" for "an" too), Korean, share.
DETERMINERS = (
    *(("a", "", 0.4), ("the", "", 0.32), ("this", "이", 0.07), ("my", "내", 0.1)),
    *(("your", "네", 0.04), ("his", "그의", 0.04), ("her", "그녀의", 0.03)),
)
PUBLIC = ("a", "the", "this")


rows = partial(tables.rows, "open_doings")
"""The lines under a heading of `words/open_doings.txt`, each with its fields."""


def thing_of(d: Derivation, text: str) -> NounPhrase:
    """Return "app=앱" with a determiner; ":Mars=화성" without one, "::prices=물가" as a plural.

    After "+" it is nobody's: a button, the button.
    """
    english, korean = text.lstrip(":+").split("=")
    node = d.node()
    if text.startswith(":"):
        first, _, noun = english.partition(" ")
        agreement = "p" if text.startswith("::") else "3s"
        if first != "the" or noun not in _animate():
            return NounPhrase(words(english, node), words(korean, node), node, agreement)
        name, english = first, noun
    else:
        shares = [(key, share) for key, _, share in DETERMINERS if text[0] != "+" or key in PUBLIC]
        name, agreement = d.weighted(shares), "3s"
    before = {key: word for key, word, _ in DETERMINERS}[name]
    if name == "the" and english in _animate():
        before = "그"
    own = d.node() if before else node
    return NounPhrase(
        [*words(article(english) if name == "a" else name, own), *words(english, node)],
        [*(words(before, own) if before else []), *words(korean, node)],
        *(node, agreement),
    )


UNCHANGED = frozenset({"deer", "sheep", "goldfish", "jellyfish"})
"""Animals whose plural is the singular, which no table of nouns has."""


@cache
def _animate() -> frozenset[str]:
    """Return the people and animals, which "the" makes 그."""
    nouns = (noun.english for noun in open_lexicon().all_nouns if noun.classes & ANIMATE)
    return UNCHANGED.union(nouns)


def marked(phrase: NounPhrase, particle: str, node: int) -> Words:
    """Return the Korean with its particle and, after a space, what follows: 에 대해."""
    first, *more = particle.split(" ")
    *head, last = phrase.korean
    text = last.text
    if first in PARTICLES:
        text = attach(text, PARTICLES[first])
    else:
        text += first
    end = last._replace(text=text, nodes=(*last.nodes, *((node,) if node else ())))
    return [*head, end, *(word for part in more for word in words(part, node or phrase.node))]


def doer(d: Derivation, who: str) -> NounPhrase:
    """Return one of the named doers, or somebody if "-"; "+" before them lets others do it."""
    if who == "-" or (who.startswith("+") and d.chance(0.45)):
        return person(d)
    return known(d, choose_noun(d, frozenset(who.lstrip("+").split(","))))


TENSES = (
    *(("past", 0.5), ("future", 0.12), ("progressive", 0.13), ("present", 0.1), ("going", 0.04)),
    *(("want", 0.06), ("can", 0.05)),
)


def _how(d: Derivation, flags: str, *, asked: bool) -> How:
    kind = d.weighted(TENSES)
    barred = {"x": ("progressive", "want", "can"), "e": ("present",), "s": ("progressive",)}
    if any(kind in barred[flag] for flag in flags if flag in barred):
        kind = "past"
    negated = not asked and d.chance(0.15)
    if kind in ("want", "can"):
        return How("present", kind, negated)
    return How(kind, "", negated)


def _told(d: Derivation, said: Said, how: How, *, asked: bool) -> Clause:
    time = time_for(d, said, how.tense, 0.2 if not how.modal else 0.0)
    ending = "니" if asked else "다"
    return clause(d, said, how, ending=ending, asked=asked, time=time)


def doing(d: Derivation) -> Clause:
    """The astronaut landed on the moon: 그 우주 비행사는 달에 착륙했다. I downloaded an app."""
    who, forms, way, things, korean, flags = d.choose(rows("doings"))
    subject = doer(d, who)
    base, third, past, ing, *after = forms.split(" ")
    target = thing_of(d, d.choose(things.split(", ")))
    if subject.english[-1].text == target.english[-1].text:
        raise Unfit
    preposition, _, particle = way.rpartition("@")
    node = d.node()
    between = d.node() if preposition else 0
    tail = words(" ".join(after), node) if after else []
    english = [*(words(preposition, between) if preposition else []), *target.english]
    stem, _, irregular = korean.partition("+")
    complement = Clause(english, marked(target, particle, between))
    verb = EnglishVerb(base, third, past, ing, node, tail)
    said = Said(
        *(subject, verb, endings.verb(stem, irregular, node), (complement,)),
        flags=frozenset(flags.strip("-")),
        base=base,
    )
    kind = d.weighted((("told", 0.76), ("asked", 0.1), ("order", 0.1), ("never", 0.04)))
    if kind in ("order", "never") and who[0] in "-+" and not set(flags) & set("xs"):
        return _ordered(d, said, "never" if "o" in flags else kind)
    asked = kind == "asked" and subject.english[0].text not in ("I", "we")
    return _told(d, said, _how(d, flags, asked=asked), asked=asked)


def _ordered(d: Derivation, said: Said, kind: str) -> Clause:
    """Return "press the button", 버튼을 눌러라."""
    verb, (complement,) = said.english, said.complements
    body = [*words(verb.base, verb.node), *verb.tail, *complement.english]
    node = d.node()
    if kind == "never":
        last = endings.prohibition(said.korean, node)
        return Clause([*words("do not", node), *body], [*complement.korean, *last])
    if d.chance(0.4):
        last = endings.request(said.korean, node)
        return Clause([*words("please", node), *body], [*complement.korean, *last])
    return Clause(body, [*complement.korean, *endings.command(said.korean)])


def happened(d: Derivation) -> Clause:
    """The volcano erupted: 화산이 폭발했다. My phone died: 내 전화기가 꺼졌다."""
    things, forms, korean, flags = d.choose(rows("happened"))
    subject = thing_of(d, d.choose(things.split(", ")))
    if subject.english[0].text in ("a", "an", "his", "her"):
        raise Unfit
    base, third, past, ing, *after = forms.split(" ")
    node = d.node()
    tail = words(" ".join(after), node) if after else []
    stem, _, irregular = korean.partition("+")
    said = Said(
        *(subject, EnglishVerb(base, third, past, ing, node, tail)),
        endings.verb(stem, irregular, node),
        flags=frozenset(flags.strip("-")),
        base=base,
    )
    progressive = 0.0 if "x" in flags else 0.15
    present = 0.0 if "e" in flags else 0.1
    tense = d.weighted(
        (("past", 0.6), ("future", 0.15), ("progressive", progressive), ("present", present))
    )
    asked = d.chance(0.12)
    how = How(tense, "", not asked and d.chance(0.15))
    time = time_for(d, said, how.tense, 0.2)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, time=time)


def in_state(d: Derivation) -> Clause:
    """The door is locked: 문이 잠겨 있다. My phone is dead. Her grandfather is still alive."""
    english, things, korean, kind = d.choose(rows("states"))
    if things.startswith("@"):
        subject = doer(d, things[1:]) if things != "@-" else person(d)
    else:
        subject = thing_of(d, d.choose(things.split(", ")))
        if subject.english[0].text in ("a", "an", "his", "her"):
            raise Unfit
    node, own = d.node(), d.node()
    stem, _, irregular = korean.partition("+")
    *before, last = stem.split(" ")
    nodes = (node, own)
    predicate = Predicate(
        [word for part in before for word in words(part, *nodes)],
        *(last, irregular, "verb" if kind == "R" else "aspect", nodes),
    )
    tail = words(english, node)
    if english in STILL and d.chance(0.25):
        more = d.node()
        tail = [*words("still", more), *tail]
        predicate = predicate._replace(before=[*words("아직", more), *predicate.before])
    verb = EnglishVerb("be", "", "", "", own, tail)
    asked = d.chance(0.18)
    if asked and subject.english[0].text in ("I", "we"):
        raise Unfit
    how = How(
        "past" if kind != "R" and d.chance(0.25) else "present",
        "",
        not asked and len(tail) == 1 and english not in UNDENIED and d.chance(0.2),
    )
    said = Said(subject, verb, predicate, flags=frozenset("R" if kind == "R" else ""))
    ending = "니" if asked else "다"
    return clause(d, said, how, ending=ending, asked=asked)


STILL = frozenset({"asleep", "awake", "alive", "locked", "wet", "empty", "open", "single"})
UNDENIED = frozenset({"exhausted", "homesick", "full"})
