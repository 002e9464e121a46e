"""The girl with the red hat: 빨간 모자를 쓴 소녀. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of, person
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action, said_of
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    How,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.morphology import (
    OBJECT,
    TOPIC,
)
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
)

# What somebody wears, by the adnominal form of its verb.
WORN = (("body", "입은"), ("head", "쓴"), ("neck", "두른"), ("foot", "신은"), ("hand", "낀"))
COLORS = ("red", "blue", "black", "white", "yellow", "green", "pink", "brown")
LOOKS = (
    *(("long hair", "머리가 긴"), ("short hair", "머리가 짧은"), ("blue eyes", "눈이 파란")),
    *(("big eyes", "눈이 큰"), ("black hair", "머리가 검은"), ("long legs", "다리가 긴")),
    *(("curly hair", "머리가 곱슬곱슬한"), ("beautiful eyes", "눈이 아름다운")),
    *(("glasses", "안경을 쓴"), ("sunglasses", "선글라스를 쓴"), ("small hands", "손이 작은")),
)


def wearer(d: Derivation) -> NounPhrase:
    """Return "the girl with the red hat", 빨간 모자를 쓴 소녀."""
    noun = choose_noun(d, frozenset({d.choose(("adult", "little", "little", "job"))}))
    if noun.english == "baby":
        raise Unfit
    the, node, with_ = d.node(), d.node(), d.node()
    plural = bool(noun.plural) and d.chance(0.12)
    name = noun.plural if plural else noun.english
    if d.chance(0.4):
        look, korean_look = d.choose(LOOKS)
        what = Clause(words(look, the), words(korean_look, the, with_))
        preposition = "with"
    else:
        kind, korean_verb = d.choose(WORN)
        thing = choose_noun(d, frozenset({kind}))
        if "jewel" in thing.classes or thing.english in ("clothes", "pajamas", "shorts"):
            raise Unfit
        determiner = "" if thing.plural_only else d.choose(("the", "the", "a"))
        phrase = noun_phrase(d, thing, determiner, adjective=0.75, among=frozenset(COLORS))
        what = Clause(
            phrase.english, [*phrase.marked(OBJECT), *words(korean_verb, with_, phrase.node)]
        )
        preposition = "in" if kind == "body" or d.chance(0.1) else "with"
    english = [*words("the", node), *words(name, node), *words(preposition, with_), *what.english]
    korean = [*what.korean, *words(noun.korean + ("들" if plural else ""), node)]
    return NounPhrase(english, korean, node, "p" if plural else "3s", noun)


def wearing(d: Derivation) -> Clause:
    """The girl with the red hat is singing: 빨간 모자를 쓴 소녀는 노래하고 있다."""
    phrase = wearer(d)
    kind = d.weighted((("does", 0.55), ("object", 0.25), ("who", 0.2)))
    if kind == "who":
        who, be = d.node(), d.node()
        is_ = "are" if phrase.agreement == "p" else "is"
        copula = Predicate([], "누구", "", "copula", (who, be))
        english = [*words("who", who), *words(is_, be), *phrase.english]
        return Clause(english, [*phrase.marked(TOPIC), *endings.finished(copula, "present", "니")])
    if kind == "object":
        bases = ("see", "know", "meet", "like", "look at", "help")
        verb = d.choose([v for v in d.lexicon.transitive if v.english in bases])
        if "person" not in verb.objects:
            raise Unfit
        said = said_of(d, person(d), verb, (Clause(phrase.english, phrase.marked(OBJECT)),))
        if said.subject.noun == phrase.noun:
            raise Unfit
        stative = said.base in ("know", "like")
        how = How("present" if stative else d.choose(("past", "past", "future")))
        asked = d.chance(0.25)
        return clause(d, said, how, ending="니" if asked else "다", asked=asked)
    said = action(d, phrase)
    if "OWN" in said.base or said.flags & {"s"}:
        raise Unfit
    how = event_of(d, said, d.choose(("progressive", "progressive", "past", "future")))
    return clause(d, said, how)
