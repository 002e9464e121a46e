"""The nearest bank, how do I get there, where can I buy, could I have, is it okay if I. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import a_measure, known
from annotated_transformer.lab.corpora.english_korean.morphology import (
    AT,
    OBJECT,
    SUBJECT,
    TOPIC,
    attach,
)
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.open.asking import _body, doing
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    article,
    choose_noun,
    noun_phrase,
    pronoun,
)

PUBLIC = frozenset(
    """bank,hospital,pharmacy,station,subway station,bus stop,supermarket,restaurant,cafe,hotel,
post office,library,park,school,airport,museum,market,bakery,bookstore,police station,
convenience store,coffee shop,gas station,restroom,toilet,mall,shopping mall,cinema,beach,
train station,bus station,grocery store,clinic,church,Korean restaurant,embassy,bar,gym,
department store,movie theater""".replace("\n", "").split(",")
)


def public_place(d: Derivation) -> Noun:
    """Return a place that a visitor looks for."""
    return d.choose([noun for noun in d.lexicon.nouns("place") if noun.english in PUBLIC])


def nearest(d: Derivation) -> Clause:
    """Where is the nearest bank?: 가장 가까운 은행은 어디에 있니. Is there a bank near here."""
    noun = public_place(d)
    node, be = d.node(), d.node()
    d.uses(noun.english, noun.korean)
    if d.chance(0.5):
        asked, near = d.node(), d.node()
        english = [*words("where", asked), *words("is", be), *words("the", node)]
        adjective = d.choose(("nearest", "nearest", "closest"))
        english += [*words(adjective, near), *words(noun.english, node)]
        korean = [*words("가장 가까운", near), *words(attach(noun.korean, TOPIC), node)]
        return Clause(english, [*korean, *words("어디에", asked), *words("있니", be)])
    here = d.node()
    where = words(d.choose(("near here", "around here", "nearby")), here)
    korean = [*words("이 근처에", here), *words(attach(noun.korean, SUBJECT), node)]
    if d.chance(0.3) and noun.plural:
        english = [*words("are there", be), *words("any", node), *words(noun.plural, node)]
        return Clause([*english, *where], [*korean, *words("있니", be)])
    one = words(article(noun.english), node)
    if d.chance(0.2):
        english = [*words("there is", be), *one, *words(noun.english, node)]
        return Clause([*english, *where], [*korean, *words("있다", be)])
    english = [*words("is there", be), *one, *words(noun.english, node)]
    return Clause([*english, *where], [*korean, *words("있니", be)])


def _goal(d: Derivation) -> NounPhrase:
    if d.chance(0.2):
        return known(d, choose_noun(d, frozenset({"city"})), 0.0)
    return noun_phrase(d, public_place(d), "the")


def get_to(d: Derivation) -> Clause:
    """How do I get to the station?: 역에 어떻게 갈 수 있니. How far is it to the station."""
    goal = _goal(d)
    node, verb, me, to = d.node(), d.node(), d.node(), d.node()
    toilet = goal.english[-1].text in ("restroom", "toilet")
    kind = d.weighted((("do", 0.35), ("can", 0.2), ("far", 0.15), ("long", 0.2), ("way", 0.1)))
    if kind in ("do", "can"):
        who = d.choose(("I", "I", "we"))
        english = [*words("how", node), *words(kind, me), *words(who, me), *words("get", verb)]
        korean = [*goal.marked(AT, to), *words("어떻게", node)]
        last = [*words("갈", verb), *words("수 있니", me)]
        return Clause([*english, *words("to", to), *goal.english], [*korean, *last])
    if toilet and kind != "way":
        raise Unfit
    until = goal.marked(("까지", "까지"), to)
    if kind == "far":
        asked = [*words("how", node), *words("far", verb)]
        korean = [*words("여기에서", me), *until, *words("얼마나", node), *words("머니", verb)]
        if d.chance(0.5):
            english = [*asked, *words("is it", verb), *words("from here", me)]
            return Clause([*english, *words("to", to), *goal.english], korean)
        english = [*asked, *words("is", verb), *goal.english, *words("from here", me, to)]
        return Clause(english, korean)
    if kind == "long":
        asked = [*words("how long", node), *words("does it take", verb), *words("to get", me)]
        korean = [*until, *words("가는 데", me), *words("얼마나", node), *words("걸리니", verb)]
        return Clause([*asked, *words("to", to), *goal.english], korean)
    english = [*words("which", node), *words("way", to), *words("is", verb), *goal.english]
    last = [*words("어느", node), *words("쪽이니", to, verb)]
    return Clause(english, [*goal.marked(TOPIC), *last])


UNSOLD = frozenset(
    """passport,photo,ID card,medal,report,business card,credit card,card,letter,receipt,ticket,
money,key,driver's license""".replace("\n", "").split(",")
)


def where_buy(d: Derivation) -> Clause:
    """Where can I buy a ticket?: 표를 어디에서 살 수 있니."""
    base, korean = d.choose((("buy", "사"), ("buy", "사"), ("get", "구하"), ("find", "찾")))
    noun = choose_noun(d, frozenset({d.choose(("paper", "small", "food", "clothes", "device"))}))
    if noun.english in UNSOLD:
        raise Unfit
    countable = bool(noun.plural) and not noun.plural_only
    one = countable and bool(noun.counter) and d.chance(0.5)
    target = noun_phrase(d, noun, "a" if one else "", plural=countable and not one)
    node, can, verb, me = d.node(), d.node(), d.node(), d.node()
    who = d.choose(("I", "I", "we"))
    english = [*words("where", node), *words("can", can), *words(who, me), *words(base, verb)]
    predicate = endings.able(endings.verb(korean, "", verb), can)
    *before, last = endings.finished(predicate, "present", "니")
    tail = [*before, Word(last.text, (*last.nodes, me))]
    return Clause(
        [*english, *target.english], [*target.marked(OBJECT), *words("어디에서", node), *tail]
    )


HANDED = frozenset(
    """fork,spoon,knife,napkin,receipt,map,towel,straw,pen,pencil,blanket,pillow,bag,cup,plate,
ticket,menu,chair,umbrella,business card""".replace("\n", "").split(",")
)


def could_i_have(d: Derivation) -> Clause:
    """Could I have some water, please?: 물을 좀 줄 수 있니."""
    kinds = ("drink", "food", "drink", "fruit", "dish", "sweet")
    if d.chance(0.2):
        noun = d.choose([noun for noun in d.lexicon.all_nouns if noun.english in HANDED])
    else:
        noun = choose_noun(d, frozenset({d.choose(kinds)}))
    node, can, give, me = d.node(), d.node(), d.node(), d.node()
    d.uses(noun.english, noun.korean)
    measured = a_measure(d, noun) if not noun.plural and d.chance(0.4) else None
    if measured is not None:
        thing = Clause(measured.english, measured.marked(OBJECT))
    elif noun.plural and not noun.plural_only and d.chance(0.7):
        english = [*words(article(noun.english), node), *words(noun.english, node)]
        thing = Clause(english, words(attach(noun.korean, OBJECT), node))
    else:
        some = d.node()
        english = [*words("some", some), *words(noun.plural or noun.english, node)]
        korean = [*words(attach(noun.korean, OBJECT), node), *words("좀", some)]
        thing = Clause(english, korean)
    head = [*words(d.choose(("could", "can", "may")), can), *words("I", me)]
    english = [*head, *words("have", give), *thing.english]
    last: tuple[int, ...] = (can, me)
    if d.chance(0.5):
        please = d.node()
        comma = "," if d.chance(0.7) else ""
        end = english[-1]
        english = [*english[:-1], Word(end.text + comma, end.nodes), *words("please", please)]
        last = (can, me, please)
    return Clause(
        english, [*thing.korean, *words("줄", give), *words("수", can), *words("있니", *last)]
    )


def okay_if(d: Derivation) -> Clause:
    """Is it okay if I sit here?: 여기에 앉아도 괜찮니."""
    said = doing(d, 0)
    english, around = _body(said)
    node = d.node()
    verb = said.korean._replace(nodes=(*said.korean.nodes, said.subject.node))
    predicate = endings.allowed(verb, node)._replace(stem="괜찮", kind="adjective")
    asked = endings.finished(predicate, "present", "니")
    okay = d.choose(("okay", "okay", "OK", "all right"))
    head = [*words(f"is it {okay} if", node), *said.subject.english]
    return Clause([*head, *english], [*around, *asked])


def any_of_it(d: Derivation) -> Clause:
    """Do you have any milk?: 너는 우유가 있니. Do you speak any Korean?: 조금이라도 하니."""
    node, verb, more = d.node(), d.node(), d.node()
    subject = pronoun(d, d.choose((1, 1, 1, 1, 2, 3, 5)))
    do = "does" if subject.agreement == "3s" else "do"
    if d.chance(0.25):
        noun = choose_noun(d, frozenset({"language"}))
        thing = [*words("any", more), *words(noun.english, node)]
        korean = [*words(attach(noun.korean, OBJECT), node), *words("조금이라도", more)]
        head = [*words(do, verb), *subject.english, *words("speak", verb)]
        return Clause([*head, *thing], [*subject.marked(TOPIC), *korean, *words("하니", verb)])
    (have,) = [entry for entry in d.lexicon.states if entry.english == "have"][:1]
    noun = choose_noun(d, have.objects)
    if noun.classes & {"kin", "vehicle", "own"}:
        raise Unfit
    name = noun.plural or noun.english
    head = [*words(do, verb), *subject.english, *words("have", verb)]
    thing = [*words("any", node), *words(name, node)]
    korean = words(attach(noun.korean, SUBJECT), node)
    return Clause([*head, *thing], [*subject.marked(TOPIC), *korean, *words("있니", verb)])


def price_of_one(d: Derivation) -> Clause:
    """How much is a cup of tea?: 차 한 잔은 얼마니. How much does the bag cost."""
    asked, be = d.node(), d.node()
    if d.chance(0.4):
        subject = known(d, choose_noun(d, frozenset({"goods"})), 0.0)
        if subject.english[0].text not in ("the", "this", "that", "these", "those"):
            raise Unfit
        forms = EnglishVerb("cost", "costs", "cost", "costing", be, [])
    elif d.chance(0.6):
        measured = a_measure(d, choose_noun(d, frozenset({"drink", "food"})))
        if measured is None:
            raise Unfit
        subject, forms = measured, EnglishVerb("be", "", "", "", be, [])
    else:
        noun = choose_noun(d, frozenset({d.choose(("paper", "food", "printed", "plant"))}))
        if not noun.plural or noun.plural_only or not noun.counter:
            raise Unfit
        node = d.node()
        one = [*words(noun.korean, node), *words("한", node), *words(noun.counter, node)]
        english = [*words(article(noun.english), node), *words(noun.english, node)]
        subject = NounPhrase(english, one, node, "3s", noun)
        forms = EnglishVerb("be", "", "", "", be, [])
    predicate = endings.Predicate([], "얼마", "", "copula", (asked, be))
    said = Said(subject, forms, predicate, kind="identity")
    question = Clause(words("how much", asked), [])
    return clause(d, said, How("present"), ending="니", asked=True, question=question)
