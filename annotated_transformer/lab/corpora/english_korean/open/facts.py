"""What people and things are like, what kinds do, what befell a place: 펭귄은 날 수 없다. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY, adverbial
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
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import own_possessive
from annotated_transformer.lab.corpora.english_korean.everyday.times import FUTURE, PAST, time_for
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT, SUBJECT, attach
from annotated_transformer.lab.corpora.english_korean.open.doings import (
    doer,
    marked,
    rows,
    thing_of,
)
from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_lexicon
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, article

DEGREES = {"very": "아주", "so": "정말", "really": "정말", "too": "너무"}


def such(d: Derivation) -> Clause:
    """My brother is selfish: 내 남동생은 이기적이다. The concert was free: 공연은 무료였다."""
    english, korean, things = d.choose(rows("such"))
    who = things.removeprefix("@")
    subject = doer(d, who) if who != things else thing_of(d, d.choose(things.split(", ")))
    node, own = d.node(), d.node()
    tail = words(english, node)
    asked = d.chance(0.15) and subject.english[0].text not in ("I", "we")
    how = How("past" if d.chance(0.3) else "present", "", not asked and d.chance(0.18))
    noun = korean.removeprefix("=")
    before = []
    if noun == korean and not how.negated and d.chance(0.3):
        degree = d.choose(tuple(DEGREES))
        more = d.node()
        tail = [*words(degree, more), *tail]
        before = words(DEGREES[degree], more)
    predicate = Predicate(before, noun, "", "copula", (node, own))
    if noun == korean and how.negated:
        # 이기적이지 않다 rather than 이기적이 아니다
        predicate = Predicate(before, noun + "이", "", "adjective", (node, own))
    said = Said(subject, EnglishVerb("be", "", "", "", own, tail), predicate)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def disaster(d: Derivation) -> Clause:
    """There was an earthquake in Japan last year: 작년에 일본에 지진이 있었다."""
    english, korean, preposition, particle, stem = d.choose(rows("disasters"))
    node, there, at = d.node(), d.node(), d.node()
    places = {row[0]: row[1] for row in rows("disaster places")}
    place = thing_of(d, d.choose(places[preposition].split(", ")))
    where = Clause([*words(preposition, at), *place.english], marked(place, particle, at))
    tense = d.weighted((("past", 0.65), ("future", 0.2), ("going", 0.15)))
    time = adverbial(d, PAST if tense == "past" else FUTURE) if d.chance(0.45) else EMPTY
    if d.chance(0.25):
        where = EMPTY
    what = words(korean, node)
    what = [*what[:-1], Word(attach(what[-1].text, SUBJECT), what[-1].nodes)]
    if tense == "going" and english == "fireworks":
        raise Unfit
    asked = d.chance(0.15)
    predicate = Predicate([], stem, "", "adjective" if stem == "있" else "verb", (there,))
    if tense != "past":
        predicate = endings.future(predicate, there)
    kept = "past" if tense == "past" else "present"
    last = endings.finished(predicate, kept, "니" if asked else "다")
    be = {"past": "was", "future": "will be", "going": "is going to be"}[tense]
    first, _, rest = ("were" if be == "was" and english == "fireworks" else be).partition(" ")
    beginning = f"{first} there {rest}" if asked else f"there {first} {rest}"
    head = words(beginning.strip(), there)
    return Clause(
        [*head, *words(english, node), *where.english, *time.english],
        [*time.korean, *where.korean, *what, *last],
    )


def plural_of(english: str) -> str:
    """Return the plural of a noun of the lexicon, or the noun itself."""
    nouns = {noun.english: noun.plural or noun.english for noun in open_lexicon().all_nouns}
    return nouns.get(english, english)  # fish, deer


def kinds_do(d: Derivation) -> Clause:
    """Bees make honey: 벌은 꿀을 만든다. Penguins live in Antarctica. A penguin cannot fly."""
    kinds, does, korean = d.choose(rows("kinds"))
    english, name = d.choose(kinds.split(",")).split("=")
    node, own = d.node(), d.node()
    single = d.chance(0.2) and english not in ("fish", "deer", "sheep")
    if single:
        head = [*words(article(english), own), *words(english, own)]
    else:
        head = words(plural_of(english), own)
    subject = NounPhrase(head, words(name, own), own, "3s" if single else "p")
    first, *rest = does.split(" ")
    stem, _, irregular = korean.partition("+")
    predicate = endings.verb(stem, irregular, node)
    asked = d.chance(0.15)
    if first in ("can", "cannot"):
        predicate = predicate._replace(kind="adjective")
        ability = [*words(first, node), *words(" ".join(rest), node)]
        verdict = endings.finished(predicate, "present", "니" if asked else "다")
        if asked and first == "cannot":
            raise Unfit
        topic = subject.marked(("은", "는"))
        if asked:
            return Clause([*ability[:1], *head, *ability[1:]], [*topic, *verdict])
        return Clause([*head, *ability], [*topic, *verdict])
    third, *after = rest
    verb = EnglishVerb(first, third, "", "", node, words(" ".join(after), node) if after else [])
    how = How("present", "", not asked and d.chance(0.15))
    said = Said(subject, verb, predicate, base=first)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def classed(d: Derivation) -> Clause:
    """Whales are mammals: 고래는 포유류다. Mars is a planet: 화성은 행성이다."""
    kind, members = d.choose(rows("classes"))
    english, name = kind.split("=")
    member = d.choose(members.split(","))
    node, own, be = d.node(), d.node(), d.node()
    text, korean = member.lstrip(":").split("=")
    bare = member.startswith(":")
    plural = not bare and text != "human" and d.chance(0.6)
    if plural:
        head = words(plural_of(text), own)
    elif bare:
        head = words(text, own)
    else:
        head = [*words(article(text), own), *words(text, own)]
    subject = NounPhrase(head, words(korean, own), own, "p" if plural else "3s")
    if english == "metal" and d.chance(0.5):
        tail = words("a metal", node)
    elif plural:
        tail = words({"fish": "fish", "fruit": "fruits"}.get(english, english + "s"), node)
    else:
        tail = [*words(article(english), node), *words(english, node)]
    said = Said(
        *(subject, EnglishVerb("be", "", "", "", be, tail)),
        Predicate([], name, "", "copula", (node, be)),
    )
    asked = d.chance(0.2)
    how = How("present", "", not asked and d.chance(0.15))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def painted(d: Derivation) -> Clause:
    """I painted the fence green: 나는 울타리를 초록색으로 칠했다."""
    forms, stem, things = d.choose(rows("paints"))
    subject, thing = person(d), thing_of(d, d.choose(things.split(", ")))
    if thing.english[0].text == "OWN":
        own = own_possessive(subject)
        if not own:
            raise Unfit
        thing = thing._replace(english=[*words(own, thing.node), *thing.english[1:]])
    color, korean = d.choose(rows("colors"))
    hue, node = d.node(), d.node()
    complement = Clause(
        [*thing.english, *words(color, hue)],
        [*thing.marked(OBJECT), *words(korean + "으로", hue)],
    )
    base, third, past, ing = forms.split(" ")
    said = Said(
        *(subject, EnglishVerb(base, third, past, ing, node, []), endings.verb(stem, "", node)),
        complements=(complement,),
        base=base,
    )
    if d.chance(0.12) and thing.english[0].text == "the":
        english = [*words(base, node), *complement.english]
        return Clause(english, [*complement.korean, *endings.command(said.korean)])
    tense = d.weighted((("past", 0.6), ("future", 0.15), ("progressive", 0.15), ("want", 0.1)))
    asked = d.chance(0.12)
    how = How("present", "want") if tense == "want" else How(tense)
    how = how._replace(negated=not asked and d.chance(0.1))
    time = time_for(d, said, how.tense, 0.15) if not how.modal else EMPTY
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, time=time)


def ill(d: Derivation) -> Clause:
    """I have the flu: 나는 독감에 걸렸다. Do you have an allergy: 너는 알레르기가 있니."""
    english, korean, kind = d.choose(rows("ills"))
    node = d.node()
    predicate = endings.verb(korean, "", node)
    if kind == "A":
        predicate = predicate._replace(kind="adjective")
    verb = EnglishVerb("have", "has", "had", "having", node, words(english, node))
    said = Said(person(d), verb, predicate, flags=frozenset("R" if kind == "R" else ""))
    asked = d.chance(0.18) and said.subject.english[0].text not in ("I", "we")
    past = d.chance(0.25)
    how = How("past" if past else "present", "", not asked and d.chance(0.12))
    time = time_for(d, said, "past", 0.3) if past else EMPTY
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, time=time)


def lost_there(d: Derivation) -> Clause:
    """I lost my wallet on the subway: 나는 지하철에서 지갑을 잃어버렸다."""
    forms, stem, particle, flags = d.choose(rows("lost there"))
    preposition, places = d.choose(rows("lost places"))
    place = thing_of(d, d.choose(places.split(", ")))
    thing = thing_of(d, d.choose(rows("lost things")[0][0].split(", ")))
    base, third, past, ing = forms.split(" ")
    buying = base == "buy"
    if buying and (preposition != "at" or thing.english[0].text not in ("a", "an")):
        raise Unfit
    node, at = d.node(), d.node()
    where = Clause([*words(preposition, at), *place.english], marked(place, particle, at))
    unable = "n" if base == "find" else ""
    said = Said(
        *(person(d), EnglishVerb(base, third, past, ing, node, []), endings.verb(stem, "", node)),
        complements=(Clause(thing.english, thing.marked(OBJECT)), where),
        flags=frozenset(flags.strip("-") + unable),
        base=base,
    )
    asked = d.chance(0.12)
    how = How("past", "", not asked and d.chance(0.1))
    time = time_for(d, said, "past", 0.3)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, time=time)
