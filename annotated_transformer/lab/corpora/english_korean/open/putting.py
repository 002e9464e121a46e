"""Where one puts things and where one goes in and out: 가방에 넣다, 방에서 나오다. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import person
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
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
)

# English forms, Korean stem, irregular, what, spots.
ON_SURFACE: tuple[Spot, ...] = (
    ("on", "table,desk,bed,sofa,shelf,chair,tray", "위에"),
    ("on", "floor", ""),
    ("under", "bed,table,desk,chair", "아래에"),
    ("next to", "bed,door,window,lamp,computer", "옆에"),
)
INTO: tuple[Spot, ...] = (
    ("in", "box,bag,drawer,basket,backpack,suitcase", ""),
    ("in", "fridge,refrigerator,bowl,pot", ""),
)
PUTTING = (
    (
        "put",
        "puts",
        "put",
        "putting",
        "놓",
        ON_SURFACE,
        "small,printed,letter,fragile,container,toy",
        0.3,
    ),
    (
        "put",
        "puts",
        "put",
        "putting",
        "넣",
        INTO[:1],
        "small,printed,letter,clothes,toy,phone,camera",
        0.3,
    ),
    ("put", "puts", "put", "putting", "넣", INTO[1:], "fruit,vegetable,meat,milk,fish,egg", 0.15),
    (
        "leave",
        "leaves",
        "left",
        "leaving",
        "두",
        ON_SURFACE[:1],
        "small,printed,letter,container,phone",
        0.2,
    ),
    (
        "place",
        "places",
        "placed",
        "placing",
        "놓",
        ON_SURFACE,
        "small,fragile,container,lamp",
        0.05,
    ),
)


def putting(d: Derivation) -> Clause:
    """I put the book on the table: 나는 책을 탁자 위에 놓았다. Put it in the bag: 넣어라."""
    key = d.weighted([(str(i), row[-1]) for i, row in enumerate(PUTTING)])
    base, third, past, ing, stem, spots, things, _ = PUTTING[int(key)]
    noun = choose_noun(d, frozenset(things.split(",")))
    if d.chance(0.15):
        node = d.node()
        target = NounPhrase(words("it", node), words("그것", node), node, "3s")
    else:
        target = known(d, noun, 0.05)
    there = spot_of(d, spots)
    if there.english[-1].text == noun.english:
        raise Unfit
    node, own = d.node(), d.node()
    complements = (Clause(target.english, target.marked(OBJECT)), there)
    verb = endings.verb(stem, "", node)
    body = [*words(base, node), *target.english, *there.english]
    around = [*complements[0].korean, *there.korean]
    kind = d.weighted((("told", 0.55), ("order", 0.2), ("please", 0.1), ("never", 0.15)))
    if kind == "told":
        subject = person(d)
        tense = d.choose(("past", "past", "past", "future", "progressive"))
        if base == "leave" and tense == "progressive":
            raise Unfit
        asked = d.chance(0.15)
        how = How(tense, "", not asked and tense != "progressive" and d.chance(0.15))
        said = Said(
            *(subject, EnglishVerb(base, third, past, ing, node, []), verb),
            complements=(Clause(body[1:], around),),
            base=base,
        )
        time = time_for(d, said, tense, 0.15)
        ending = "니" if asked else "다"
        return clause(d, said, how, ending=ending, asked=asked, time=time)
    if kind == "order":
        return Clause(body, [*around, *endings.command(verb)])
    if kind == "please":
        return Clause([*words("please", own), *body], [*around, *endings.request(verb, own)])
    return Clause([*words("do not", own), *body], [*around, *endings.prohibition(verb, own)])


# English before the place, forms, Korean stem, particle or noun of place, places.
MOVES = (
    (
        "go into",
        "goes into",
        "went into",
        "going into",
        "들어가",
        "에",
        "room,house,store,bank,cave",
    ),
    (
        "come into",
        "comes into",
        "came into",
        "coming into",
        "들어오",
        "에",
        "room,classroom,office",
    ),
    ("walk into", "walks into", "walked into", "walking into", "걸어 들어가", "에", "room,store"),
    ("run into", "runs into", "ran into", "running into", "뛰어 들어가", "에", "room,house,garden"),
    (
        "go out of",
        "goes out of",
        "went out of",
        "going out of",
        "나가",
        "에서",
        "room,house,office",
    ),
    (
        "come out of",
        "comes out of",
        "came out of",
        "coming out of",
        "나오",
        "에서",
        "room,house,bank",
    ),
    ("get on", "gets on", "got on", "getting on", "타", "에", "bus,train,plane,ship"),
    ("get off", "gets off", "got off", "getting off", "내리", "에서", "bus,train,plane,subway"),
    ("get into", "gets into", "got into", "getting into", "타", "에", "car,taxi,truck"),
    ("get out of", "gets out of", "got out of", "getting out of", "내리", "에서", "car,taxi,truck"),
    (
        "walk along",
        "walks along",
        "walked along",
        "walking along",
        "걷",
        "을",
        "river,street,beach",
    ),
    ("run along", "runs along", "ran along", "running along", "달리", "을", "river,beach,road"),
)


def moving(d: Derivation) -> Clause:
    """She came out of the room: 그녀는 방에서 나왔다. We walked along the river: 강을 따라."""
    base, third, past, ing, stem, particle, places = d.choose(MOVES)
    noun = choose_noun(d, frozenset(places.split(",")))
    if noun.english in ("clinic", "apartment"):
        raise Unfit
    node = d.node()
    first, *rest = base.split(" ")
    place = noun_phrase(d, noun, d.choose(("the", "the", "the", "the", "this")))
    if particle == "을":
        korean = [*place.marked(OBJECT), *words("따라", node)]
    else:
        korean = place.marked((particle, particle), node)
    verb = EnglishVerb(first, third.split(" ")[0], past.split(" ")[0], ing.split(" ")[0], node, [])
    there = Clause([*words(" ".join(rest), node), *place.english], korean)
    predicate = endings.verb(stem, "ㄷ" if stem == "걷" else "", node)
    kind = d.weighted((("told", 0.8), ("order", 0.12), ("never", 0.08)))
    if kind == "order" and first != "come":
        return Clause([*words(first, node), *there.english], [*korean, *endings.command(predicate)])
    if kind == "never":
        no = d.node()
        english = [*words("do not", no), *words(first, node), *there.english]
        return Clause(english, [*korean, *endings.prohibition(predicate, no)])
    said = Said(person(d), verb, predicate, (there,), kind="motion")
    tense = d.choose(("past", "past", "past", "future", "progressive"))
    asked = d.chance(0.15)
    how = How(tense, "", not asked and d.chance(0.12))
    time = time_for(d, said, tense, 0.12)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, time=time)
