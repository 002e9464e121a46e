"""The children's room, the color of the car, a book about Korea: 자동차의 색. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.calendar import COLORS
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import being
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import said_of
from annotated_transformer.lab.corpora.english_korean.everyday.questions import demonstrative
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known, subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.open.comparing import be_adjective, described
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.open.whose import OWNED, possessed
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
)

OF = ("의", "의")
# Places that others are near to.
NEAR = ("station", "school", "hospital", "park", "beach", "river", "library", "market", "airport")
COLORED = frozenset({"vehicle", "clothes", "container", "flower", "door", "house"})


def _ask(d: Derivation, subject: NounPhrase, english: str, korean: str) -> Clause:
    """Return "what is the name of the hotel", 호텔의 이름은 무엇이니."""
    node, verb = d.node(), d.node()
    asked = Word(korean + "니", (node, verb))
    head = [*words(english, node), *words("is", verb), *subject.english]
    return Clause(head, [*subject.marked(TOPIC), asked])


def _of(d: Derivation, english: str, korean: str, thing: NounPhrase) -> NounPhrase:
    """Return "the color of the car", 자동차의 색."""
    node, of = d.node(), d.node()
    return NounPhrase(
        [*words(f"the {english}", node), *words("of", of), *thing.english],
        *([*thing.marked(OF, of), *words(korean, node)], node, "3s"),
    )


def _capital(d: Derivation) -> Clause:
    english, korean, city, korean_city = d.choose(word_table("capitals"))
    country, own = d.node(), d.node()
    place = NounPhrase(words(english, country), words(korean, country), country, "3s")
    subject = _of(d, "capital", "수도", place)
    if d.chance(0.3):
        return _ask(d, subject, "what", "어디")
    capital = NounPhrase(words(city, own), words(korean_city, own), own, "3s")
    if d.chance(0.5):
        subject, capital = capital, subject
    return clause(d, being(d, subject, capital), How("present", "", d.chance(0.08)))


def _color(d: Derivation) -> Clause:
    subject = _of(d, "color", "색", known(d, choose_noun(d, COLORED), 0.0))
    if d.chance(0.25):
        return _ask(d, subject, "what", "무엇이")
    node = d.node()
    color, text = d.choose(tuple(COLORS.items()))
    phrase = NounPhrase(words(color, node), words(text, node), node, "3s")
    return clause(d, being(d, subject, phrase), How("present", "", d.chance(0.1)))


def _price(d: Derivation) -> Clause:
    subject = _of(d, "price", "가격", known(d, choose_noun(d, frozenset({"goods"})), 0.0))
    return _ask(d, subject, "what", "얼마")


def _owner(d: Derivation) -> Clause:
    noun = choose_noun(d, frozenset({"restaurant", "hotel", "indoor", "vehicle", "dog"}))
    subject = _of(d, "owner", "주인", known(d, noun, 0.0))
    how = How("past" if d.chance(0.2) else "present", "", d.chance(0.15))
    return clause(d, be_adjective(d, subject, described(d, None)), how)


def _name(d: Derivation) -> Clause:
    noun = choose_noun(d, frozenset({"indoor", "hotel", "restaurant", "pet", "relation"}))
    thing = known(d, noun, 0.0)
    subject = _of(d, "name", "이름", thing)
    if noun.classes & {"indoor"} or d.chance(0.5):
        return _ask(d, subject, "what", "무엇이")
    if thing.agreement == "p":
        raise Unfit
    name = noun_phrase(d, d.choose(d.lexicon.nouns("name")), "")
    for gender in ("male", "female"):
        if gender in noun.classes and name.noun and gender not in name.noun.classes:
            raise Unfit
    return clause(d, being(d, subject, name), How("present"))


def made_of(d: Derivation) -> Clause:
    """The color of the car is red: 자동차의 색은 빨간색이다. The capital of Korea is Seoul."""
    said = d.choose((_color, _color, _capital, _capital, _name, _name, _price, _owner))
    return said(d)


def of_children(d: Derivation) -> Clause:
    """The children's room is clean: 그 아이들의 방은 깨끗하다."""
    people = choose_noun(d, frozenset({"child", "man", "woman"}))
    whose = noun_phrase(d, people, d.choose(("the", "the", "these", "those")), plural=True)
    noun = choose_noun(d, frozenset({d.choose((*OWNED, "school", "toy"))}))
    node = d.node()
    last = whose.english[-1]
    plural = bool(noun.plural) and not noun.plural_only and d.chance(0.25)
    thing = NounPhrase(
        [
            *whose.english[:-1],
            Word(last.text + "'s", last.nodes),
            *words(noun.plural if plural else noun.english, node),
        ],
        [*whose.marked(OF), *words(noun.korean, node)],
        *(node, "p" if plural or noun.plural_only else "3s", noun),
    )
    asked = d.chance(0.15)
    ending = "니" if asked else "다"
    if d.chance(0.3) and thing.agreement == "3s":
        subject = demonstrative(d)
        if subject.agreement == "p":
            raise Unfit
        how = How("present", "", not asked and d.chance(0.15))
        return clause(d, being(d, subject, thing), how, ending=ending, asked=asked)
    said = be_adjective(d, thing, described(d, noun))
    how = How("past" if d.chance(0.2) else "present", "", not asked and d.chance(0.2))
    return clause(d, said, how, ending=ending, asked=asked)


def owned_place(d: Derivation) -> Clause:
    """The teacher's house is near the school: 그 선생님의 집은 학교 근처에 있다."""
    noun = choose_noun(d, frozenset({"house", "apartment", "office", "school", "car", "company"}))
    subject = possessed(d, noun)
    near, own, verb = d.node(), d.node(), d.node()
    place = d.choose([n for n in d.lexicon.nouns("place") if n.english in NEAR])
    if place == noun:
        raise Unfit
    close = Clause(
        [*words("near", near), *words(f"the {place.english}", own)],
        [*words(place.korean, own), *words("근처에", near)],
    )
    exists = Predicate([], "있", "", "adjective", (verb,))
    said = Said(subject, EnglishVerb("be", "", "", "", verb, []), exists, (close,), kind="place")
    asked = d.chance(0.2)
    how = How("past" if d.chance(0.15) else "present", "", not asked and d.chance(0.15))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


LEARNING = (
    ("learn", "learns", "learned", "learning", "배우", ""),
    ("learn", "learns", "learned", "learning", "배우", ""),
    ("read", "reads", "read", "reading", "읽", ""),
    ("talk", "talks", "talked", "talking", "이야기하", ""),
    ("write", "writes", "wrote", "writing", "쓰", ""),
    ("hear", "hears", "heard", "hearing", "듣", "ㄷ"),
    ("know", "knows", "knew", "knowing", "알", ""),
)
TELLING = (
    ("book", "read"),
    ("book", "read"),
    ("book", "buy"),
    ("book", "write"),
    ("movie", "watch"),
    ("story", "read"),
    ("novel", "read"),
    ("report", "write"),
    ("novel", "write"),
)


def _topic(d: Derivation, particle: str) -> Clause:
    """Return "about neural networks", 신경망에 대해."""
    english, korean = d.choose(word_table("topics"))
    node, about = d.node(), d.node()
    phrase = NounPhrase(words(english, node), words(korean, node), node, "3s")
    marked = phrase.marked(("에", "에"), about)
    return Clause([*words("about", about), *phrase.english], [*marked, *words(particle, about)])


def about(d: Derivation) -> Clause:
    """I am learning about neural networks: 나는 신경망에 대해 배우고 있다. A book about Korea."""
    subject = subject_of(d, frozenset({"own", "kin", "relation"}), pronouns=0.65)
    asked = d.chance(0.15)
    tense = d.choose(("past", "progressive", "progressive", "future", "present"))
    if d.chance(0.5):
        base, third, past, ing, korean, irregular = d.choose(LEARNING)
        if base in ("know", "hear") and tense != {"know": "present", "hear": "past"}[base]:
            raise Unfit
        if base == "read" and tense in ("past", "present"):
            raise Unfit
        node = d.node()
        verb = EnglishVerb(base, third, past, ing, node, [])
        predicate = endings.verb(korean, irregular, node)
        said = Said(subject, verb, predicate, (_topic(d, "대해"),), frozenset(), "action", base)
        modal = tense == "present" and base not in ("know", "hear")
        how = How(tense, "want" if modal and not asked else "", not asked and d.chance(0.12))
    else:
        thing, base = d.choose(TELLING)
        if base == "write" and tense == "present":
            raise Unfit
        noun = next(n for n in d.lexicon.all_nouns if n.english == thing)
        verb_ = next(v for v in d.lexicon.transitive if v.english == base and v.selects(noun))
        phrase = noun_phrase(d, noun, d.choose(("a", "a", "this", "the")))
        topic = _topic(d, "대한")
        target = Clause([*phrase.english, *topic.english], [*topic.korean, *phrase.marked(OBJECT)])
        said = said_of(d, subject, verb_, (target,))
        how = event_of(d, said, tense)._replace(negated=not asked and d.chance(0.12))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def attention(d: Derivation) -> Clause:
    """The transformer pays attention to words: 트랜스포머는 단어에 주의를 기울인다."""
    subject = subject_of(d, frozenset({"own", "kin", "relation"}), pronouns=0.7)
    target = d.choose(word_table("attended"))
    if d.chance(0.4):
        english, korean = d.choose(
            (("transformer", "트랜스포머"), ("model", "모델"), ("decoder", "디코더"),
             ("encoder", "인코더"), ("network", "신경망"))
        )  # fmt: skip
        own = d.node()
        subject = NounPhrase(words(f"the {english}", own), words(korean, own), own, "3s")
    node, to, verb = d.node(), d.node(), d.node()
    thing = NounPhrase(words(target[0], node), words(target[1], node), node, "3s")
    goal = Clause([*words("to", to), *thing.english], thing.marked(("에", "에"), to))
    pay = EnglishVerb("pay", "pays", "paid", "paying", verb, words("attention", verb))
    predicate = endings.verb("주의를 기울이", "", verb)
    said = Said(subject, pay, predicate, (goal,), frozenset(), "action", "pay attention")
    asked = d.chance(0.15)
    tense = d.choose(("present", "present", "past", "progressive", "future"))
    how = How(tense, "", not asked and d.chance(0.15))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)
