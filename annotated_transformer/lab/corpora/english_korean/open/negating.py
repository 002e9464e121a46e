"""No one likes him, it was not raining when I left, that man, hundreds of people. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT, SUBJECT, attach
from annotated_transformer.lab.corpora.english_korean.open.amounts import (
    BROAD,
    _counted,
    _joined,
    numbered,
)
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun

SKY = (("raining", "비가 오"), ("snowing", "눈이 오"), ("raining", "비가 오"))


def no_one_likes_him(d: Derivation) -> Clause:
    """No one likes him: 아무도 그를 좋아하지 않는다. Nobody knows me: 아무도 나를 모른다."""
    base, third, past, stem, refused = d.choose(word_table("nobody does"))
    who, verb = d.node(), d.node()
    target = pronoun(d, d.choose((0, 1, 2, 3, 4, 5)), is_object=True)
    kind = d.choose(("present", "present", "past", "future"))
    if refused != "-" and kind != "present":
        raise Unfit
    if kind == "future":
        node = d.node()
        english = [*words("will", node), *words(base, verb)]
    else:
        english = words(past if kind == "past" else third, verb)
    if refused != "-":
        predicate = Predicate([], refused, "르", "verb", (verb, who))
    else:
        predicate = endings.denied(endings.verb(stem, "", verb), who)
    if kind == "future":
        predicate = endings.future(predicate, node)
    last = endings.finished(predicate, "past" if kind == "past" else "present", "다")
    subject = words(d.choose(("nobody", "no one")), who)
    return Clause(
        [*subject, *english, *target.english],
        [*words("아무도", who), *target.marked(OBJECT), *last],
    )


def not_raining_when(d: Derivation) -> Clause:
    """It was not raining when I left: 내가 떠났을 때 비가 오고 있지 않았다."""
    falling, korean = d.choose(SKY)
    past, stem = d.choose(word_table("when I"))
    subject = pronoun(d, d.choose((0, 0, 1, 2, 3, 4, 5)))
    sky, be, deny, when, verb = d.node(), d.node(), d.node(), d.node(), d.node()
    denied = d.chance(0.6)
    what, come = korean.split(" ")
    falls = endings.progressive(Predicate(words(what, sky), come, "", "verb", (sky,)), be)
    falls = endings.denied(falls, deny) if denied else falls
    first = [*words("it", sky), *words("was", be), *(words("not", deny) if denied else [])]
    first += words(falling, sky)
    *before, last = stem.split(" ")
    inner = [*words(" ".join(before), verb)] if before else []
    time = endings.finished(Predicate(inner, last, "", "verb", (verb,)), "past", endings.WHEN)
    time = [*time[:-1], Word(time[-1].text, (*time[-1].nodes, when))]
    part = [*words("when", when), *subject.english, *words(past, verb)]
    main = endings.finished(falls, "past", "다")
    return Clause([*first, *part], [*subject.marked(SUBJECT), *time, *main])


def hundreds_of(d: Derivation) -> Clause:
    """There were hundreds of people in the park: 공원에 사람이 수백 명 있었다."""
    english, korean, counter, places = d.choose(word_table("hundreds of"))
    amount, korean_amount = d.choose(word_table("dozens"))
    names = places.split(",")
    place = d.choose([noun for noun in d.lexicon.nouns(*names) if noun.english in names])
    number, thing, verb, inside, where = d.node(), d.node(), d.node(), d.node(), d.node()
    was, asked = d.chance(0.5), d.chance(0.1)
    head = [Word("there", (verb,)), Word("were" if was else "are", (verb,))]
    on = "on" if place.english in ("street", "beach") else "in"
    if place.english in ("station", "airport"):
        on = "at"
    exists = Predicate([], "있", "", "adjective", (verb,))
    last = endings.finished(exists, "past" if was else "present", "니" if asked else "다")
    return Clause(
        [
            *(reversed(head) if asked else head),
            *words(amount, number),
            *words(english, thing),
            *words(on, inside),
            *words(f"the {place.english}", where),
        ],
        [
            *words(place.korean + "에", where, inside),
            Word(attach(korean, SUBJECT), (thing,)),
            *words(korean_amount, number),
            *words(counter, thing),
            *last,
        ],
    )


def that_man(d: Derivation) -> Clause:
    """Say or ask who somebody is: that man is my father, 저 남자는 우리 아버지다."""
    english, korean, options = d.choose(word_table("that person"))
    name = d.choose(options.split(","))
    korean_names = {entry[0]: entry[1] for entry in word_table("that person is")}
    this = d.chance(0.35)
    own, node, verb, who = d.node(), d.node(), d.node(), d.node()
    subject = NounPhrase(
        [*words("this" if this else "that", own), *words(english, node)],
        [*words("이" if this else "저", own), *words(korean, node)],
        *(node, "3s"),
    )
    *first, last = korean_names[name].split(" ")
    predicate = Predicate(words(" ".join(first), who), last, "", "copula", (who, verb))
    said = Said(
        subject, EnglishVerb("be", "", "", "", verb, words(name, who)), predicate, kind="identity"
    )
    asked = d.chance(0.3)
    how = How("present", "", not asked and d.chance(0.35))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def four_apples(d: Derivation) -> Clause:
    """Four apples and two oranges: 사과 네 개와 오렌지 두 개."""
    left, most = _counted(d)
    right, limit = _counted(d)
    if left == right or not left.classes & right.classes - BROAD:
        raise Unfit
    if "relation" in left.classes | right.classes:
        raise Unfit
    both = _joined(d, numbered(d, left, min(most, 60)), numbered(d, right, min(limit, 60)))
    return Clause(both.english, [*both.korean, *both.after])
