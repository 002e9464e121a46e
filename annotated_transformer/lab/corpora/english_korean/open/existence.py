"""What there is, is not, and is no: there is no milk in the fridge. CC0."""

from annotated_transformer.lab.corpora.english_korean.counting import counted
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import english_verb
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known, subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT
from annotated_transformer.lab.corpora.english_korean.natural import (
    denied_amount,
    flags_of,
    floating,
    without_some,
)
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
)
from annotated_transformer.lab.corpora.english_korean.predicates import be as be_form

# Preposition, where, Korean behind it ("" for 에 on the noun), what is found there, weight.
SCENES = (
    ("in", "fridge,refrigerator", "안에", "food,drink,fruit,vegetable", 0.14),
    ("in", "kitchen", "", "food,drink,fragile,table,chair", 0.08),
    ("on", "surface", "위에", "small,fruit,reading,fragile,paper", 0.16),
    ("under", "surface,tree", "아래에", "pet,toy,small", 0.08),
    ("in", "container", "안에", "small,fruit,toy,paper", 0.1),
    ("in", "room", "", "furniture,job,little,pet", 0.14),
    ("in", "park,garden,zoo,yard,forest", "", "little,pet,tree,wild,bench", 0.12),
    ("next to", "built,tree,river", "옆에", "vehicle,tree,bench,shop", 0.06),
    ("in front of", "built,house", "앞에", "vehicle,tree,job,little", 0.06),
    ("near", "station,school,hospital,park,hotel", "근처에", "shop,restaurant,bank,cafe", 0.08),
    ("behind", "built,house,door", "뒤에", "tree,vehicle,pet", 0.06),
    ("in", "city", "", "museum,palace,park,university,tower", 0.08),
)
ROOMS = frozenset({"bathroom", "restroom", "toilet", "elevator", "hallway", "closet"})


def _scene(d: Derivation) -> tuple[Clause, Noun]:
    name = d.weighted([(str(i), share) for i, (*_, share) in enumerate(SCENES)])
    preposition, places, behind, things, _ = SCENES[int(name)]
    place = d.choose(d.lexicon.nouns(*places.split(",")))
    if place.english in ROOMS or place.classes & {"sport"}:
        raise Unfit
    found = d.choose(d.lexicon.nouns(*things.split(",")))
    if found == place or found.english in ROOMS:
        raise Unfit
    determiner = "" if "city" in place.classes else d.choose(("the", "the", "the", "my", "this"))
    if place.classes.isdisjoint({"thing", "room", "house"}) and determiner == "my":
        determiner = "the"
    where = noun_phrase(d, place, determiner)
    node = d.node()
    korean = [*where.korean, *words(behind, node)] if behind else where.marked(("에", "에"), node)
    return Clause([*words(preposition, node), *where.english], korean), found


def there_is(d: Derivation) -> Clause:
    """Say or ask what is there: there are many people in the park, 공원에 사람이 많이 있다."""
    there, noun = _scene(d)
    kind = d.weighted((("there is", 0.55), ("is not", 0.17), ("no", 0.28)))
    be, tense = d.node(), "past" if d.chance(0.2) else "present"
    if kind == "no":
        return _no(d, noun, there, tense)
    phrase = _some(d, noun, asked=False)
    asked = kind == "there is" and d.chance(0.3)
    is_ = words(be_form(tense, phrase.agreement), be)
    predicate = Predicate([], "있", "", "adjective", (be,))
    head = [*is_, *words("there", be)] if asked else [*words("there", be), *is_]
    subject = phrase.marked(SUBJECT)
    if kind == "is not":
        deny = d.node()
        complement = Clause(phrase.english, subject)
        flags = flags_of(phrase, exists=True)
        said = Said(phrase, EnglishVerb("be", "", "", "", be, []), predicate, (complement,), flags)
        said = denied_amount(said)
        subject, predicate = said.complements[0].korean, endings.denied(said.korean, deny)
        head = [*head, *words("not", deny)]
    english = phrase.english
    if asked or kind == "is not":
        english, subject = without_some(english, subject)
    last = endings.finished(predicate, tense, "니" if asked else "다")
    return Clause([*head, *english, *there.english], [*there.korean, *subject, *last])


def _no(d: Derivation, noun: Noun, there: Clause, tense: str) -> Clause:
    """There is no milk in the fridge, or only "no milk in the fridge": 냉장고 안에 우유가 없다."""
    plural = bool(noun.plural) and not noun.plural_only and d.chance(0.6)
    phrase = noun_phrase(d, noun, "", plural=plural)
    be, no = d.node(), d.node()
    lacking = endings.denied(Predicate([], "있", "", "adjective", (be,)), no)
    is_ = be_form(tense, phrase.agreement)
    head = [*words("there", be), *words(is_, be)]
    if tense == "present" and d.chance(0.1):
        head = []
    english = [*head, *words("no", no), *phrase.english, *there.english]
    last = endings.finished(lacking, tense, "다")
    return Clause(english, [*there.korean, *phrase.marked(SUBJECT), *last])


def _some(d: Derivation, noun: Noun, *, asked: bool) -> NounPhrase:
    if not noun.plural or noun.plural_only:
        kind = d.weighted((("", 0.5), ("some", 0.35), ("a lot of", 0.15)))
        return noun_phrase(d, noun, kind)
    kind = d.weighted((("a", 0.4), ("many", 0.2), ("number", 0.2), ("some", 0.15), ("lot", 0.05)))
    if kind == "number":
        if not noun.counter:
            raise Unfit
        return floating(counted(d, noun, adjective=0.05))
    if kind in ("many", "some", "lot"):
        return noun_phrase(d, noun, "a lot of" if kind == "lot" else kind, plural=True)
    return noun_phrase(d, noun, "a", adjective=0.15)


def absent(d: Derivation) -> Clause:
    """There is no time, I have no time, we do not have much time: 시간이 없다, 시간이 많지 않다."""
    english, korean = d.choose(word_table("absent"))
    node, be, no = d.node(), d.node(), d.node()
    *first, last = korean.split(" ")
    noun = [*(Word(text, (node,)) for text in first), Word(last, (node,))]
    marked = NounPhrase(words(english, node), noun, node, "3s").marked(SUBJECT)
    tense = "past" if d.chance(0.2) else "present"
    exists = Predicate([], "있", "", "adjective", (be,))
    if d.chance(0.5) or english not in ("time", "money", "hope", "water", "class"):
        head = [*words("there", be), *words(be_form(tense, "3s"), be), *words("no", no)]
        lacking = endings.finished(endings.denied(exists, no), tense, "다")
        return Clause([*head, *words(english, node)], [*marked, *lacking])
    subject = subject_of(d, frozenset({"own", "kin"}), pronouns=0.7)
    verb = EnglishVerb("have", "has", "had", "having", be, [])
    much = d.chance(0.3) and english != "class"
    if much:
        complement = Clause([*words("much", no), *words(english, node)], marked)
        many = exists._replace(stem="많", nodes=(be, no))
        return clause(d, Said(subject, verb, many, (complement,)), How(tense, "", negated=True))
    complement = Clause([*words("no", no), *words(english, node)], marked)
    return clause(d, Said(subject, verb, exists, (complement,)), How(tense, never=no))


def having_no(d: Derivation) -> Clause:
    """I have no sisters: 나는 여동생이 없다."""
    subject = subject_of(d, frozenset({"own", "kin", "relation"}), pronouns=0.65)
    verb = d.choose([verb for verb in d.lexicon.states if verb.english == "have"])
    noun = choose_noun(d, verb.objects)
    plural = bool(noun.plural) and not noun.plural_only and d.chance(0.55)
    node, no = d.node(), d.node()
    phrase = noun_phrase(d, noun, "", plural=plural)
    complement = Clause([*words("no", no), *phrase.english], phrase.marked(SUBJECT))
    exists = Predicate([], "있", "", "adjective", (node,))
    said = Said(subject, english_verb(verb, node), exists, (complement,))
    return clause(d, said, How("past" if d.chance(0.15) else "present", never=no))


def location(d: Derivation) -> Clause:
    """The cat is under the table: 그 고양이는 탁자 아래에 있다. It is not in the bag: 없다."""
    there, found = _scene(d)
    if not found.classes & {"pet", "small", "toy", "reading", "paper", "job", "little", "vehicle"}:
        raise Unfit
    subject = known(d, found, 0.05)
    be = d.node()
    exists = Predicate([], "있", "", "adjective", (be,))
    said = Said(subject, EnglishVerb("be", "", "", "", be, []), exists, (there,), kind="place")
    asked = d.chance(0.15)
    how = How("past" if d.chance(0.25) else "present", "", not asked and d.chance(0.2))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)
