"""Numbers of things, prices, ages, years, minutes, floors, dates and the clock. CC0."""

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
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT, SUBJECT
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.open.numerals import numeral, some_number
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, choose_noun
from annotated_transformer.lab.corpora.english_korean.things import coordinate

# What people have, buy, need or see a number of, and up to how many.
COUNTED = (
    *(("pet", 12), ("livestock", 300), ("junior", 5), ("relation", 40), ("reading", 1_000)),
    *(("clothes", 30), ("small", 60), ("device", 30), ("fruit", 120), ("paper", 1_000)),
    *(("furniture", 90), ("toy", 60), ("container", 90), ("plant", 400), ("vehicle", 9)),
    *(("gift", 20), ("fragile", 200), ("job", 900)),
)
MONEY = (("won", "원"), ("dollars", "달러"), ("euros", "유로"))
SUMS = (
    *(2, 3, 5, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 45, 50, 60, 75, 80, 90, 99, 100, 120, 150),
    *(200, 250, 300, 350, 400, 500, 600, 700, 800, 900, 1_000, 1_500, 2_000, 3_000, 5_000),
)


def numbered(d: Derivation, noun: Noun, most: int) -> NounPhrase:
    """Return "3 cats", 고양이 세 마리, the number behind the noun's particle."""
    number = some_number(d, most)
    node, number_node = d.node(), d.node()
    d.uses(noun.english, noun.korean)
    d.pairing("number", str(number), noun.english)
    typed, korean = numeral(d, number, noun.counter, number_node, node)
    english = [*typed, *words(noun.plural, node)]
    return NounPhrase(english, words(noun.korean, node), node, "p", noun, after=tuple(korean))


def _counted(d: Derivation) -> tuple[Noun, int]:
    kind, most = d.choose(COUNTED)
    noun = d.choose(
        [n for n in d.lexicon.nouns(kind) if n.counter and n.plural and not n.plural_only]
    )
    return noun, most


BROAD = frozenset({"goods", "thing", "animal", "person", "portable"})


def _joined(d: Derivation, left: NounPhrase, right: NounPhrase) -> NounPhrase:
    """Return 고양이 세 마리와 개 열두 마리."""
    flat = [
        phrase._replace(korean=[*phrase.korean, *phrase.after], after=())
        for phrase in (left, right)
    ]
    return coordinate(d, *flat)


def having_a_number(d: Derivation) -> Clause:
    """I have 3 cats and 12 dogs: 나는 고양이 세 마리와 개 열두 마리가 있다."""
    base = d.choose(("have", "have", "have", "need", "want", "buy", "see", "sell"))
    noun, most = _counted(d)
    entries = d.lexicon.states if base in ("have", "need") else d.lexicon.transitive
    verbs = [verb for verb in entries if verb.english == base and verb.selects(noun)]
    verb = d.choose(verbs)
    if noun.english in ("boyfriend", "girlfriend", "boss", "best friend", "roommate", "partner"):
        raise Unfit
    if noun.classes & {"job"} or (base == "have" and noun.classes & {"fruit", "plant", "fragile"}):
        raise Unfit
    subject = subject_of(d, frozenset({"own", "kin", "relation"}), pronouns=0.6)
    target = numbered(d, noun, most)
    if d.chance(0.3):
        other, limit = _counted(d)
        if other == noun or not verb.selects(other) or not other.classes & noun.classes - BROAD:
            raise Unfit
        target = _joined(d, target, numbered(d, other, limit))
    node = d.node()
    korean = endings.verb(verb.korean, verb.irregular.strip("A"), node)
    is_state = "A" in verb.irregular
    if is_state:
        korean = korean._replace(kind="adjective")
    marked = Clause(target.english, target.marked(SUBJECT if is_state else OBJECT))
    said = Said(subject, english_verb(verb, node), korean, (marked,), verb.flags, "state", base)
    tense = d.choose(("past", "past", "future")) if base in ("buy", "sell", "see") else "present"
    if base in ("have", "need") and d.chance(0.15):
        tense = "past"
    asked = d.chance(0.12)
    return clause(d, said, How(tense), ending="니" if asked else "다", asked=asked)


def there_are(d: Derivation) -> Clause:
    """There are 250 books in the library: 도서관에 책이 250권 있다."""
    noun, most = _counted(d)
    kinds = {
        "reading": ("library", "bookstore", "house", "classroom"),
        "job": ("school", "hospital", "company", "factory", "university"),
        "livestock": ("farm",),
        "plant": ("park", "garden"),
        "furniture": ("classroom", "restaurant", "office"),
        "pet": ("house", "yard", "park"),
        "vehicle": ("parking lot", "street"),
        "fragile": ("kitchen", "restaurant"),
    }
    rooms = next((places for kind, places in kinds.items() if kind in noun.classes), None)
    if noun.classes & {"job", "relation"} and rooms is not None:
        place_name, crowd = d.choose(word_table("crowds"))
        noun = d.choose(d.lexicon.nouns(*crowd.split(",")))
        rooms, most = (place_name,), 1_000
    if rooms is None or (noun.classes & {"bowed", "boarded"}):
        raise Unfit
    place = d.choose(d.lexicon.nouns(*rooms))
    phrase = numbered(d, noun, most)
    inside, where, be = d.node(), d.node(), d.node()
    preposition = d.choose(("in", "in", "at")) if "at" in place.classes else "in"
    if "street" in place.english or "farm" in place.english:
        preposition = "on"
    tense = "past" if d.chance(0.2) else "present"
    asked = d.chance(0.1)
    verb = "were" if tense == "past" else "are"
    head = [*words("there", be), *words(verb, be)]
    english = [
        *(reversed(head) if asked else head),
        *phrase.english,
        *words(preposition, inside),
        *words(f"the {place.english}", where),
    ]
    there = [*words(place.korean, where)]
    there[-1] = Word(there[-1].text + "에", (where, inside))
    exists = Predicate([], "있", "", "adjective", (be,))
    last = endings.finished(exists, tense, "니" if asked else "다")
    return Clause(english, [*there, *phrase.marked(SUBJECT), *last])


def price(d: Derivation) -> Clause:
    """The bag costs 300 won: 가방은 삼백 원이다. I have twenty dollars: 나는 이십 달러가 있다."""
    unit, counter = d.choose(MONEY)
    node, money, verb = d.node(), d.node(), d.node()
    typed, korean = numeral(d, d.choose(SUMS), counter, node, money, is_sino=True)
    amount = [*typed, *words(unit, money)]
    if d.chance(0.4):
        subject = subject_of(d, frozenset({"own", "kin"}), pronouns=0.7)
        base, stem = d.choose(
            (("have", "있"), ("need", "필요하"), ("spend", "쓰"), ("save", "모으"))
        )
        verbs = (*d.lexicon.states, *d.lexicon.transitive)
        (entry, *_) = (verb for verb in verbs if verb.english == base)
        kind = "adjective" if entry in d.lexicon.states else "verb"
        phrase = NounPhrase(amount, korean, money, "p")
        marked = phrase.marked(OBJECT if kind == "verb" else SUBJECT)
        predicate = Predicate([], stem, "", kind, (verb,))
        english = english_verb(entry, verb)
        said = Said(subject, english, predicate, (Clause(amount, marked),), base=base)
        tense = "past" if kind == "verb" or d.chance(0.25) else "present"
        return clause(d, said, How(tense))
    subject = known(d, choose_noun(d, frozenset({"goods"})), 0.0)
    *first, last = korean
    predicate = Predicate(first, last.text, "", "copula", (*last.nodes, verb))
    if d.chance(0.5):
        english = EnglishVerb("be", "", "", "", verb, amount)
    else:
        english = EnglishVerb("cost", "costs", "cost", "costing", verb, amount)
    tense = "past" if english.is_be and d.chance(0.2) else "present"
    return clause(d, Said(subject, english, predicate, kind="identity"), How(tense))


def age(d: Derivation) -> Clause:
    """She is twenty-one years old: 그녀는 스물한 살이다. He is 35."""
    subject = subject_of(d, frozenset({"own", "kin", "relation", "pet", "little"}))
    animal = subject.noun is not None and "animal" in subject.noun.classes
    most = 15 if animal else 99
    if subject.agreement == "p" and subject.english[0].text != "you":
        raise Unfit
    number = 2 + int(d.random.random() * (most - 1))
    node, old, be = d.node(), d.node(), d.node()
    typed, korean = numeral(d, number, "살", node, old)
    tail = [*typed, *(words("years old", old) if d.chance(0.75) else [])]
    if len(tail) == len(typed):
        korean = [Word(text, (node, old)) for text, _ in korean]
    *first, last = korean
    predicate = Predicate(first, last.text, "", "copula", (*last.nodes, be))
    said = Said(subject, EnglishVerb("be", "", "", "", be, tail), predicate, kind="identity")
    return clause(d, said, How("past" if d.chance(0.1) else "present", "", d.chance(0.1)))
