"""Weather, dates, the clock, ages, origins, colours, what is there, and pains. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import DAYS
from annotated_transformer.lab.corpora.english_korean.clauses import place_phrase
from annotated_transformer.lab.corpora.english_korean.counting import counted
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
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
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import (
    known,
    own_possessive,
    subject_of,
)
from annotated_transformer.lab.corpora.english_korean.everyday.times import HOURS, MONTHS, SEASONS
from annotated_transformer.lab.corpora.english_korean.morphology import (
    AT,
    FROM,
    SUBJECT,
    TOPIC,
    attach,
)
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
)
from annotated_transformer.lab.corpora.english_korean.predicates import be as form
from annotated_transformer.lab.corpora.english_korean.things import position

NUMBERED = {
    **{"one": "한", "two": "두", "three": "세", "four": "네", "five": "다섯", "six": "여섯"},
    **{"seven": "일곱", "eight": "여덟", "nine": "아홉", "ten": "열", "eleven": "열한"},
    **{"twelve": "열두", "thirteen": "열세", "fourteen": "열네", "fifteen": "열다섯"},
    **{"sixteen": "열여섯", "seventeen": "열일곱", "eighteen": "열여덟", "nineteen": "열아홉"},
    **{"twenty": "스무", "thirty": "서른", "forty": "마흔", "fifty": "쉰", "sixty": "예순"},
    **{"seventy": "일흔", "eighty": "여든", "ninety": "아흔"},
}

TENS = {"twenty": "스물", "thirty": "서른", "forty": "마흔", "fifty": "쉰", "sixty": "예순"}
UNITS = tuple(NUMBERED.items())[:9]

COLORS = {
    **{"red": "빨간색", "blue": "파란색", "yellow": "노란색", "white": "하얀색"},
    **{"black": "검은색", "green": "초록색", "pink": "분홍색", "brown": "갈색"},
    **{"gray": "회색", "purple": "보라색", "orange": "주황색"},
}

PAINS = {
    **{"head": "머리", "stomach": "배", "tooth": "이", "back": "허리", "leg": "다리"},
    **{"arm": "팔", "foot": "발", "hand": "손", "eyes": "눈", "throat": "목", "knee": "무릎"},
    **{"finger": "손가락", "ear": "귀", "shoulder": "어깨", "nose": "코"},
}

ILLS = (
    *(("a headache", "머리가 아프"), ("a stomachache", "배가 아프"), ("a toothache", "이가 아프")),
    *(("a fever", "열이 있"), ("a backache", "허리가 아프"), ("a sore throat", "목이 아프")),
)


def date(d: Derivation) -> Clause:
    """Today is Monday: 오늘은 월요일이다. It is three o'clock: 세 시다."""
    kind = d.weighted((("day", 0.4), ("clock", 0.45), ("month", 0.15)))
    be, node = d.node(), d.node()
    if kind == "clock":
        return _clock(d, be)
    table = DAYS if kind == "day" else {**MONTHS, **SEASONS}
    english, korean = d.choose(tuple(table.items()))
    when = d.weighted((("today", 0.4), ("tomorrow", 0.2), ("yesterday", 0.2), ("it", 0.2)))
    if kind == "month" and when in ("tomorrow", "yesterday"):
        when = "it"
    today = {"today": "오늘", "tomorrow": "내일", "yesterday": "어제", "it": "오늘"}[when]
    if kind == "month":
        today = "지금"
        when = "it"
    subject_node = d.node()
    subject = NounPhrase(words(when, subject_node), words(today, subject_node), subject_node, "3s")
    predicate = Predicate([], korean, "", "copula", (node, be))
    said = Said(subject, EnglishVerb("be", "", "", "", be, words(english, node)), predicate)
    tense = "past" if when == "yesterday" else "present"
    return clause(d, said, How(tense, "", d.chance(0.12)))


def _clock(d: Derivation, be: int) -> Clause:
    english, korean = d.choose(tuple(HOURS.items()))
    number, hour, it_node = d.node(), d.node(), d.node()
    head = [*words("it", it_node), *words("is", be)]
    if d.chance(0.25):
        half = d.node()
        return Clause(
            [*head, *words("half past", half), *words(english, number)],
            [Word(korean, (number,)), Word("시", (it_node,)), Word("반이다", (half, be))],
        )
    return Clause(
        [*head, *words(english, number), *words("o'clock", hour)],
        [Word(korean, (number,)), Word("시다", (hour, be, it_node))],
    )


def age(d: Derivation) -> Clause:
    """Say or ask how old somebody is: I am twenty years old, 나는 스무 살이다."""
    subject = subject_of(d, frozenset({"own", "kin", "relation"}))
    be, number, old = d.node(), d.node(), d.node()
    verb = EnglishVerb("be", "", "", "", be, [])
    if d.chance(0.25):
        asked = Clause(words("how old", number), [])
        korean = Predicate(words("몇", number), "살", "", "copula", (old, be))
        korean = korean._replace(nodes=(number, be))
        said = Said(subject, verb, korean)
        return clause(d, said, How("present"), ending="니", asked=True, question=asked)
    text, native = _number(d)
    korean = Predicate(words(native, number), "살", "", "copula", (old, be))
    verb = verb._replace(tail=[*words(text, number), *words("years old", old)])
    return clause(d, Said(subject, verb, korean), _plain(d))


def _number(d: Derivation) -> tuple[str, str]:
    if d.chance(0.4):
        ten, unit = d.choose(tuple(TENS.items())), d.choose(UNITS)
        return f"{ten[0]} {unit[0]}", ten[1] + unit[1]
    return d.choose(tuple(NUMBERED.items())[1:])


def _plain(d: Derivation) -> How:
    return How("past" if d.chance(0.15) else "present", "", d.chance(0.1))


def origin(d: Derivation) -> Clause:
    """I am from Korea: 나는 한국에서 왔다. I was born in Seoul: 나는 서울에서 태어났다."""
    subject = subject_of(d, frozenset({"own", "kin", "relation", "job"}))
    city = noun_phrase(d, d.choose(d.lexicon.nouns("city")), "")
    be, node = d.node(), d.node()
    head = [*subject.english]
    if d.chance(0.35):
        never = d.chance(0.12)
        born = endings.verb("태어나", "", be)
        born = endings.denied(born, node) if never else born
        inside = d.node()
        english = [*head, *words(form("past", subject.agreement), be)]
        english += words("not", node) if never else []
        english += [*words("born", be), *words("in", inside), *city.english]
        korean = [*subject.marked(TOPIC), *city.marked(FROM, inside)]
        return Clause(english, [*korean, *endings.finished(born, "past", "다")])
    came = endings.verb("오", "", be)
    asked = d.chance(0.2)
    deny = d.node() if not asked and d.chance(0.12) else 0
    if deny:
        came = endings.denied(came, deny)
    is_ = words(form("present", subject.agreement), be)
    korean = [*subject.marked(TOPIC), *city.marked(FROM, node)]
    if asked and d.chance(0.5):  # Where are you from?
        where = Word("어디에서", (node,))
        korean = [*subject.marked(TOPIC), where]
        english = [*words("where", node), *is_, *head, *words("from", node)]
    elif asked:
        english = [*is_, *head, *words("from", node), *city.english]
    else:
        negation = words("not", deny) if deny else []
        english = [*head, *is_, *negation, *words("from", node), *city.english]
    return Clause(english, [*korean, *endings.finished(came, "past", "니" if asked else "다")])


def color(d: Derivation) -> Clause:
    """The car is red: 자동차는 빨간색이다."""
    classes = frozenset({d.choose(("vehicle", "clothes", "container", "flower", "door", "house"))})
    subject = known(d, choose_noun(d, classes), 0.0)
    english, korean = d.choose(tuple(COLORS.items()))
    node, be = d.node(), d.node()
    predicate = Predicate([], korean, "", "copula", (node, be))
    said = Said(subject, EnglishVerb("be", "", "", "", be, words(english, node)), predicate)
    if d.chance(0.15):
        return clause(d, said, How("present"), ending="니", asked=True)
    return clause(d, said, _plain(d))


def pain(d: Derivation) -> Clause:
    """My head hurts: 나는 머리가 아프다. I have a fever: 나는 열이 있다."""
    subject = subject_of(d, frozenset({"own", "kin"}), pronouns=0.75)
    node, part = d.node(), d.node()
    if d.chance(0.55) and subject.noun is None:
        english, korean = d.choose(tuple(PAINS.items()))
        plural = english == "eyes"
        verb = EnglishVerb("hurt", "hurts", "hurt", "hurting", node, [])
        words_of = [*words(own_possessive(subject), subject.node), *words(english, part)]
        body = NounPhrase(words_of, subject.korean, subject.node, "p" if plural else "3s")
        predicate = Predicate([Word(noun_with(korean), (part,))], "아프", "", "adjective", (node,))
        tense = "present"
        return clause(d, Said(body, verb, predicate), How(tense, "", d.chance(0.12)))
    english, korean = d.choose(ILLS)
    first, stem = korean.split(" ")
    verb = EnglishVerb("have", "has", "had", "having", node, words(english, part))
    predicate = Predicate([Word(first, (part,))], stem, "", "adjective", (node,))
    said = Said(subject, verb, predicate)
    how = How(d.weighted((("present", 0.65), ("past", 0.35))), "", d.chance(0.12))
    if subject.english[0].text == "you" and d.chance(0.5):
        return clause(d, said, How("present"), ending="니", asked=True)
    return clause(d, said, how)


def noun_with(korean: str) -> str:
    """Return the noun with 이/가."""
    return attach(korean, SUBJECT)


FEATURES = (
    *(("long hair", "머리가 길"), ("short hair", "머리가 짧"), ("big eyes", "눈이 크")),
    *(("small eyes", "눈이 작"), ("long legs", "다리가 길"), ("small hands", "손이 작")),
    *(("big hands", "손이 크"), ("small feet", "발이 작"), ("big feet", "발이 크")),
    *(("big ears", "귀가 크"), ("beautiful eyes", "눈이 아름답"), ("a big nose", "코가 크")),
)


def feature(d: Derivation) -> Clause:
    """She has long hair: 그녀는 머리가 길다."""
    subject = subject_of(d, frozenset({"own", "kin", "relation", "pet"}))
    english, korean = d.choose(FEATURES)
    node, part = d.node(), d.node()
    first, stem = korean.split(" ")
    verb = EnglishVerb("have", "has", "had", "having", node, words(english, part))
    irregular = "ㅂ" if stem == "아름답" else ""
    predicate = Predicate([Word(first, (part,))], stem, irregular, "adjective", (part, node))
    asked = d.chance(0.12)
    how = _plain(d)._replace(negated=not asked and d.chance(0.12))
    ending = "니" if asked else "다"
    return clause(d, Said(subject, verb, predicate), how, ending=ending, asked=asked)


def birthday(d: Derivation) -> Clause:
    """My birthday is in May: 내 생일은 오월이다."""
    noun = d.lexicon.nouns("feast")[0]
    subject = noun_phrase(d, noun, d.choose(d.lexicon.possessives))
    monthly = d.chance(0.6)
    english, korean = d.choose(tuple((MONTHS if monthly else DAYS).items()))
    node, be, preposition = d.node(), d.node(), d.node()
    when = [*words("in" if monthly else "on", preposition), *words(english, node)]
    predicate = Predicate([], korean, "", "copula", (node, be, preposition))
    said = Said(subject, EnglishVerb("be", "", "", "", be, when), predicate)
    if d.chance(0.25):
        asked = Clause(words("when", node), [])
        korean_when = Predicate([], "언제", "", "copula", (node, be))
        said = Said(subject, EnglishVerb("be", "", "", "", be, []), korean_when)
        return clause(d, said, How("present"), ending="니", asked=True, question=asked)
    return clause(d, said, How("present", "", d.chance(0.1)))


def there_is(d: Derivation) -> Clause:
    """Say or ask what is there: there are many people in the park, 공원에 많은 사람이 있다."""
    if d.chance(0.45):
        there, noun = position(d)
    else:
        place = d.choose(d.lexicon.nouns("place"))
        there, noun = (
            place_phrase(d, place, "", AT),
            d.choose(d.lexicon.nouns("person", "animal", "surface")),
        )
        if d.chance(0.35):
            near = d.node()
            noun = d.choose(d.lexicon.nouns("shop", "school", "hospital", "bank", "restaurant"))
            there = Clause(words("near here", near), [Word("이", (near,)), Word("근처에", (near,))])
    phrase = _some(d, noun)
    be = d.node()
    predicate = Predicate([], "있", "", "adjective", (be,))
    tense = "past" if d.chance(0.25) else "present"
    is_ = words(form(tense, phrase.agreement), be)
    asked = d.chance(0.3)
    deny = d.node() if not asked and d.chance(0.2) else 0
    if deny:
        predicate = endings.denied(predicate, deny)
    last = endings.finished(predicate, tense, "니" if asked else "다")
    negation = words("not", deny) if deny else []
    head = [*is_, *words("there", be)] if asked else [*words("there", be), *is_, *negation]
    if asked or deny:
        phrase = phrase._replace(
            english=[Word("any" if t == "some" else t, nodes) for t, nodes in phrase.english]
        )
    return Clause(
        [*head, *phrase.english, *there.english], [*there.korean, *phrase.marked(SUBJECT), *last]
    )


def _some(d: Derivation, noun: Noun) -> NounPhrase:
    if not noun.plural or noun.plural_only:
        return noun_phrase(d, noun, "some" if d.chance(0.3) else "")
    kind = d.weighted((("a", 0.45), ("many", 0.2), ("number", 0.25), ("some", 0.1)))
    if kind == "number" and noun.counter:
        return counted(d, noun, adjective=0.1)
    if kind in ("many", "some"):
        return noun_phrase(d, noun, kind, plural=True)
    return noun_phrase(d, noun, "a", adjective=0.1)
