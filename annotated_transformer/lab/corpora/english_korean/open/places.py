"""Where one sits, stands and lies: 벤치에 앉아 있다, 나무 아래에 서 있다. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY
from annotated_transformer.lab.corpora.english_korean.counting import counted
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
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known, subject_of
from annotated_transformer.lab.corpora.english_korean.everyday.times import time_for
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.phrases import (
    PRONOUNS,
    NounPhrase,
    choose_noun,
    noun_phrase,
    pronoun,
)

# Preposition, nouns, Korean behind the noun ("" for the particle alone).
Spot = tuple[str, str, str]
SEATS: tuple[Spot, ...] = (
    ("on", "chair,bench,sofa,couch,bed,ground", ""),
    ("in", "chair,armchair", ""),
    ("at", "table,desk", "앞에"),
    ("under", "tree", "아래에"),
    ("by", "window,door,river", "옆에"),
)
STANDS: tuple[Spot, ...] = (
    ("on", "bridge,stairs,hill,rock", "위에"),
    ("under", "tree", "아래에"),
    ("behind", "door,tree,car,house,desk", "뒤에"),
    ("in front of", "door,house,school,bank,hotel,station,mirror,window,restaurant,car", "앞에"),
    ("next to", "car,tree,door,bench,table,window,house,bus", "옆에"),
    ("near", "door,window,tree,station,school", "근처에"),
    ("by", "door,window,tree,car", "옆에"),
)
BEDS: tuple[Spot, ...] = (
    ("on", "bed,sofa,couch,bench,ground", ""),
    ("in", "bed", ""),
    ("under", "tree,table,bed", "아래에"),
)
# English verb, third, past and -ing form; Korean stem; that of the state it leads to; spots.
POSTURES = (
    ("sit", "sits", "sat", "sitting", "앉", "앉아", SEATS, 0.45),
    ("stand", "stands", "stood", "standing", "", "서", STANDS, 0.25),
    ("lie", "lies", "lay", "lying", "눕", "누워", BEDS, 0.12),
    ("sleep", "sleeps", "slept", "sleeping", "자", "", BEDS, 0.18),
)
BESIDE = (("next to", "옆에"), ("in front of", "앞에"), ("behind", "뒤에"), ("beside", "옆에"))
OF_ME = ("내", "네", "그의", "그녀의", "우리", "그들의")


def spot_of(d: Derivation, spots: tuple[Spot, ...], *, scene: bool = False) -> Clause:
    """Return "on the bench", 벤치에, "under the tree", 나무 아래에; where it is a scene, 에서."""
    preposition, nouns, behind = d.choose(spots)
    place = choose_noun(d, frozenset(nouns.split(",")))
    owned = bool(place.classes & {"furniture"}) and not place.classes & {"ground"}
    determiner = d.choose(("the", "the", "the", "the", "my", "his", "her", "this"))
    if not owned or place.english == "bench":
        determiner = "the"
    if (preposition, place.english) == ("in", "bed"):
        determiner = ""
    node = d.node()
    where = noun_phrase(d, place, determiner)
    if behind:
        text = behind.removesuffix("에") + "에서" if scene else behind
        korean = [*where.korean, *words(text, node)]
    else:
        korean = where.marked(("에서", "에서") if scene else ("에", "에"), node)
    return Clause([*words(preposition, node), *where.english], korean)


def next_to(d: Derivation, subject: NounPhrase, *, scene: bool = False) -> Clause:
    """Return "next to me", 내 옆에, "behind Tom", 톰 뒤에."""
    preposition, korean = d.choose(BESIDE)
    node = d.node()
    korean = korean.removesuffix("에") + "에서" if scene else korean
    if d.chance(0.6):
        index = d.choose((0, 0, 1, 1, 2, 3, 4, 5))
        own, text = PRONOUNS[index][0], subject.english[0].text
        if own == text or {own, text} in ({"I", "we"}, {"he", "they"}, {"she", "they"}):
            raise Unfit
        of = d.node()
        other = words(PRONOUNS[index][1], of)
        return Clause(
            [*words(preposition, node), *other], [*words(OF_ME[index], of), *words(korean, node)]
        )
    noun = choose_noun(d, frozenset({d.choose(("kin", "name", "relation"))}))
    phrase = known(d, noun, 0.0)
    if phrase.noun == subject.noun or phrase.agreement == "p":
        raise Unfit
    return Clause(
        [*words(preposition, node), *phrase.english], [*phrase.korean, *words(korean, node)]
    )


def somebody(d: Derivation, *, animal: bool = False) -> tuple[NounPhrase, tuple[str, str]]:
    """Return who is seen there and the particle: a man, 한 남자가; my cat, 내 고양이는."""
    classes = frozenset({"pet"} if animal else {"adult", "little"})
    kind = d.weighted((("known", 0.6), ("a", 0.28), ("counted", 0.12)))
    if kind == "known":
        return (subject_of(d, classes) if animal else person(d)), TOPIC
    noun = choose_noun(d, classes)
    if kind == "counted":
        phrase = counted(d, noun, adjective=0.1)
        if phrase.english[0].text not in ("two", "three", "four"):
            raise Unfit
        return phrase, SUBJECT
    phrase = noun_phrase(d, noun, "a", adjective=0.2)
    one = d.node()
    a, *rest = phrase.english
    english = [Word(a.text, (one,)), *rest]
    if animal:
        korean = [*phrase.korean, *words("한", one), Word("마리", (phrase.node,))]
    else:
        korean = [Word("한", (one,)), *phrase.korean]
    return phrase._replace(english=english, korean=korean), SUBJECT


def posture(d: Derivation) -> Clause:
    """A man is sitting on the bench: 한 남자가 벤치에 앉아 있다. Sit next to me: 내 옆에 앉아라."""
    name = d.weighted([(row[0], row[-1]) for row in POSTURES])
    base, third, past, ing, stem, state, spots, _ = next(r for r in POSTURES if r[0] == name)
    if base == "sit" and d.chance(0.3):
        return _sit(d)
    subject, particle = somebody(d, animal=base in ("sleep", "lie") and d.chance(0.4))
    near = base in ("sit", "stand") and d.chance(0.3)
    scene = base == "sleep"
    there = next_to(d, subject) if near else spot_of(d, spots, scene=scene)
    if there.english[0].text == "in" and there.english[-1].text == "bed" and scene:
        raise Unfit
    node, be = d.node(), d.node()
    asked = particle is TOPIC and d.chance(0.15)
    how = How("past" if d.chance(0.3) else "present")
    how = how._replace(negated=particle is TOPIC and not asked and d.chance(0.12))
    if state and (base != "sit" or d.chance(0.65)):
        predicate = Predicate(words(state, node), "있", "", "aspect", (be,))
        verb = EnglishVerb("be", "", "", "", be, words(ing, node))
    elif scene and d.chance(0.6):
        predicate = Predicate(words("자고", node), "있", "", "aspect", (be,))
        verb = EnglishVerb("be", "", "", "", be, words(ing, node))
    else:
        predicate = Predicate([], stem, "", "verb", (node,))
        verb = EnglishVerb(base, third, past, ing, node, [])
        tense = d.choose(("past", "past", "past", "future")) if particle is TOPIC else "past"
        how = how._replace(tense=tense)
        if how.tense != "future" and d.chance(0.2) and particle is TOPIC:
            modal = d.choose(("want", "can"))
            how = how._replace(modal=modal, tense="present")
            if asked and subject.first_person:
                raise Unfit
            asked = asked and modal != "can"
    said = Said(subject, verb, predicate, (there,))
    ending = "니" if asked else "다"
    time = time_for(d, said, how.tense, 0.12) if how.tense in ("past", "future") else EMPTY
    if verb.is_be:
        time = EMPTY
    return clause(d, said, how, ending=ending, particle=particle, asked=asked, time=time)


def _sit(d: Derivation) -> Clause:
    """Order, ask or forbid to sit somewhere."""
    you = pronoun(d, 1)
    there = next_to(d, you) if d.chance(0.45) else spot_of(d, SEATS)
    node, own = d.node(), d.node()
    sit = words("sit", node)
    verb = endings.verb("앉", "", node)
    kind = d.weighted((("order", 0.35), ("please", 0.2), ("never", 0.2), ("may", 0.25)))
    if any(word.text in ("you", "us") for word in there.english) and kind != "may":
        raise Unfit
    if kind == "order":
        return Clause([*sit, *there.english], [*there.korean, *endings.command(verb)])
    if kind == "please":
        english = [*words("please", own), *sit, *there.english]
        return Clause(english, [*there.korean, *endings.request(verb, own)])
    if kind == "never":
        english = [*words("do not", own), *sit, *there.english]
        return Clause(english, [*there.korean, *endings.prohibition(verb, own)])
    if any(word.text in ("me", "us") for word in there.english):
        raise Unfit
    allowed = endings.allowed(verb._replace(nodes=(node, you.node)), own)
    i = words("I", you.node)
    english = [*words(d.choose(("can", "may")), own), *i, *sit, *there.english]
    return Clause(english, [*there.korean, *endings.finished(allowed, "present", "니")])
