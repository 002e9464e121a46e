"""Where one's things are and where one left them: 내 전화기는 책상 위에 있다. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
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
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT
from annotated_transformer.lab.corpora.english_korean.open.places import Spot, spot_of
from annotated_transformer.lab.corpora.english_korean.phrases import choose_noun, noun_phrase

THERE: tuple[Spot, ...] = (
    ("on", "table,desk,bed,sofa,shelf,chair", "위에"),
    ("on", "floor", ""),
    ("under", "bed,table,desk", "아래에"),
    ("in", "box,bag,drawer,basket,backpack,suitcase", "안에"),
    ("next to", "bed,door,window,lamp,computer", "옆에"),
)
THINGS = "small,phone,smartphone,cell_phone,laptop,camera,tablet,shoes,hat,gloves,passport,charger"
LEFT: tuple[Spot, ...] = (
    ("on", "bus,train,plane,subway", ""),
    ("in", "taxi,car,office,classroom,kitchen", ""),
    ("at", "school,restaurant,library,bank,hotel,airport", ""),
)


def lying(d: Derivation) -> Clause:
    """My phone is on the desk: 내 전화기는 책상 위에 있다."""
    noun = choose_noun(d, frozenset(THINGS.replace("_", " ").split(",")))
    own = d.choose(("my", "my", "your", "his", "her", ""))
    subject = noun_phrase(d, noun, own) if own else known(d, noun, 0.05)
    there = spot_of(d, THERE)
    if there.english[-1].text == noun.english:
        raise Unfit
    be = d.node()
    exists = Predicate([], "있", "", "adjective", (be,))
    said = Said(subject, EnglishVerb("be", "", "", "", be, []), exists, (there,), kind="place")
    asked = d.chance(0.15)
    how = How("past" if d.chance(0.25) else "present", "", not asked and d.chance(0.15))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def left_behind(d: Derivation) -> Clause:
    """I left my phone at home: 나는 내 전화기를 집에 두고 왔다."""
    noun = choose_noun(d, frozenset(THINGS.replace("_", " ").split(",")))
    thing = noun_phrase(d, noun, d.choose(("my", "the", "your", "his", "her")))
    if d.chance(0.4):
        at, home = d.node(), d.node()
        there = Clause([*words("at", at), *words("home", home)], [Word("집에", (at, home))])
    else:
        there = spot_of(d, LEFT)
    node = d.node()
    subject = person(d)
    coming = endings.verb("두고 오", "", node)
    verb = EnglishVerb("leave", "leaves", "left", "leaving", node, [])
    complement = Clause([*thing.english, *there.english], [*thing.marked(OBJECT), *there.korean])
    said = Said(subject, verb, coming, (complement,))
    asked = d.chance(0.2)
    time = EMPTY if asked else time_for(d, said, "past", 0.2)
    how = How("past", "", not asked and d.chance(0.12))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, time=time)
