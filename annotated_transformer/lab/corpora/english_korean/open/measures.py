"""Seven days in a week, 300 pages, two meters tall, 100 years old, five birds in the tree. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of, person
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import english_verb
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known, subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT, SUBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.open.amounts import numbered
from annotated_transformer.lab.corpora.english_korean.open.dates import _clock_time
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.open.numerals import numeral, some_number
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, choose_noun


def days_in_a_week(d: Derivation) -> Clause:
    """There are seven days in a week, a week has seven days: 일주일은 칠 일이다."""
    span, units, number, korean_span, korean_unit = d.choose(word_table("spans"))
    node, unit, own, verb, into = d.node(), d.node(), d.node(), d.node(), d.node()
    whole = NounPhrase(
        [*words("an" if span == "hour" else "a", own), *words(span, own)],
        words(korean_span, own),
        own,
        "3s",
    )
    if d.chance(0.25):
        asked = {"일": "며칠", "개월": "몇 달"}.get(korean_unit, f"몇 {korean_unit}")
        english = [*words("how many", node), *words(units, unit), *words("are there", verb)]
        english += [*words("in", into), *whole.english]
        *head, last = asked.split(" ")
        korean = [*(words(" ".join(head), node) if head else [])]
        end = (unit, verb) if head else (node, unit, verb)
        copula = endings.finished(Predicate([], last, "", "copula", end), "present", "니")
        return Clause(english, [*whole.marked(TOPIC, into), *korean, *copula])
    typed, korean = numeral(d, int(number), korean_unit, node, unit, is_sino=span != "day")
    *first, last_word = korean
    predicate = Predicate(list(first), last_word.text, "", "copula", (*last_word.nodes, verb))
    is_so = endings.finished(predicate, "present", "다")
    if d.chance(0.5):
        english = [*whole.english, *words("has", verb), *typed, *words(units, unit)]
        return Clause(english, [*whole.marked(TOPIC), *is_so])
    english = [*words("there are", verb), *typed, *words(units, unit)]
    english += [*words("in", into), *whole.english]
    return Clause(english, [*whole.marked(TOPIC, into), *is_so])


def has_parts(d: Derivation) -> Clause:
    """The house has three rooms: 집에는 방이 세 개 있다. The book has 300 pages: 책은 300쪽이다."""
    asked = d.chance(0.12)
    node, unit, verb = d.node(), d.node(), d.node()
    if d.chance(0.3):
        name, part, counter, most = d.choose(
            (("book", "pages", "쪽", 900), ("building", "floors", "층", 60))
        )
        subject = known(d, d.choose(d.lexicon.nouns(name)), 0.0)
        number = some_number(d, most)
        typed, korean = numeral(d, number, counter, node, unit, is_sino=True)
        *first, last = korean
        predicate = Predicate(list(first), last.text, "", "copula", (*last.nodes, verb))
        tail = [*typed, *words(part, unit)]
        said = Said(subject, EnglishVerb("have", "has", "had", "having", verb, tail), predicate)
        return clause(d, said, How(), ending="니" if asked else "다", asked=asked)
    name, part, korean_part, counter, most_text = d.choose(word_table("parts"))
    subject = known(d, d.choose([n for n in d.lexicon.nouns(name) if n.english == name]), 0.0)
    typed, korean = numeral(d, some_number(d, int(most_text)), counter, node, unit)
    thing = NounPhrase([], words(korean_part, unit), unit, "p", after=tuple(korean))
    predicate = Predicate(thing.marked(SUBJECT), "있", "", "adjective", (verb,))
    tail = [*typed, *words(part, unit)]
    said = Said(subject, EnglishVerb("have", "has", "had", "having", verb, tail), predicate)
    how = How("past" if d.chance(0.15) else "present")
    return clause(
        *(d, said, how), ending="니" if asked else "다", asked=asked, particle=("에는", "에는")
    )


LASTING = ("house", "school", "building", "bridge", "church", "museum", "tree", "castle", "temple")


def age_of_things(d: Derivation) -> Clause:
    """My house is 100 years old: 내 집은 100년 되었다."""
    kinds = frozenset({"house", "school", "building", "bridge", "church", "vehicle", "tree"})
    subject = known(d, choose_noun(d, kinds | {"furniture", "device", "museum"}), 0.0)
    most = 400 if subject.noun and subject.noun.english in LASTING else 15
    node, years, old, verb = d.node(), d.node(), d.node(), d.node()
    typed, korean = numeral(d, some_number(d, most), "년", node, years, is_sino=True)
    predicate = Predicate(list(korean), "되", "", "verb", (old, verb))
    tail = [*typed, *words("years", years), *words("old", old)]
    english = [*subject.english, *words("are" if subject.agreement == "p" else "is", verb), *tail]
    last = endings.finished(predicate, "past", "다")
    return Clause(english, [*subject.marked(TOPIC), *last])


def how_long_and_tall(d: Derivation) -> Clause:
    """The tree is two meters tall: 나무는 높이가 이 미터다. I am 175 centimeters tall: 키가."""
    node, unit, size, verb = d.node(), d.node(), d.node(), d.node()
    if d.chance(0.4):
        subject = subject_of(d, frozenset({"own", "kin", "relation"}), pronouns=0.6)
        if subject.agreement == "p" and subject.english[0].text != "you":
            raise Unfit
        english, korean_size, units, korean_unit = "tall", "키", "centimeters", "센티미터"
        number = 150 + int(d.random.random() * 45)
    else:
        table = d.choose(word_table("lengths"))
        english, korean_size, units, korean_unit, names, most = table
        noun = d.choose(d.lexicon.nouns(*names.split(",")))
        if noun.english not in names.split(","):
            raise Unfit
        subject = known(d, noun, 0.0)
        if subject.agreement == "p":
            raise Unfit
        number = some_number(d, int(most))
    short = d.choose((units, units, {"미터": "m", "센티미터": "cm", "킬로미터": "km"}[korean_unit]))
    typed, korean = numeral(d, number, korean_unit, node, unit, is_sino=True)
    if short != units and not typed[0].text.isdigit():
        short = units
    *first, last = korean
    what = NounPhrase([], words(korean_size, size), size, "3s").marked(SUBJECT)
    predicate = Predicate([*what, *first], last.text, "", "copula", (*last.nodes, verb))
    tail = [*typed, *words(short, unit), *words(english, size)]
    said = Said(subject, EnglishVerb("be", "", "", "", verb, tail), predicate, kind="identity")
    return clause(d, said, How("past" if d.chance(0.1) else "present"))


def saw_in_the_tree(d: Derivation) -> Clause:
    """We saw five birds in the tree: 우리는 나무에서 새를 다섯 마리 봤다."""
    english, korean, name = d.choose(word_table("seen at"))
    noun = next(n for n in d.lexicon.nouns(name) if n.english == name)
    target = numbered(d, noun, 30)
    where, node = d.node(), d.node()
    verb = next(v for v in d.lexicon.transitive if v.english == "see")
    place = Clause(words(english, where), words(korean, where))
    marked = Clause(target.english, target.marked(OBJECT))
    predicate = endings.verb(verb.korean, verb.irregular, node)
    said = Said(
        *(person(d), english_verb(verb, node), predicate, (marked, place), verb.flags),
        *("action", "see"),
    )
    asked = d.chance(0.15)
    return clause(d, said, How("past"), ending="니" if asked else "다", asked=asked)


EATEN = ("eat", "order", "read", "write", "bring", "make", "find", "borrow", "sell", "cook", "lose")


def number_done(d: Derivation) -> Clause:
    """She read twenty books: 그녀는 책 스무 권을 읽었다."""
    base = d.choose(EATEN)
    verb = d.choose([v for v in d.lexicon.transitive if v.english == base])
    noun = choose_noun(d, verb.objects)
    if not noun.counter or not noun.plural or noun.plural_only or noun.classes & {"kin", "name"}:
        raise Unfit
    if not verb.selects(noun):
        raise Unfit
    target = numbered(d, noun, 20)
    target = target._replace(korean=[*target.korean, *target.after], after=())
    node = d.node()
    predicate = endings.verb(verb.korean, verb.irregular, node)
    marked = Clause(target.english, target.marked(OBJECT))
    said = Said(
        *(person(d), english_verb(verb, node), predicate, (marked,), verb.flags, "action", base),
    )
    how = event_of(d, said, d.choose(("past", "past", "past", "future")))
    asked = d.chance(0.12)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def people_on_the_bus(d: Derivation) -> Clause:
    """There were forty-two people on the bus: 버스에 사람이 마흔두 명 있었다."""
    english, korean = d.choose(word_table("people on"))
    where, node, unit, verb = d.node(), d.node(), d.node(), d.node()
    typed, amount = numeral(d, some_number(d, 300), "명", node, unit)
    was, asked = d.chance(0.4), d.chance(0.12)
    head = [Word("there", (verb,)), Word("were" if was else "are", (verb,))]
    last = endings.finished(
        *(Predicate([], "있", "", "adjective", (verb,)), "past" if was else "present"),
        "니" if asked else "다",
    )
    return Clause(
        [
            *(reversed(head) if asked else head),
            *typed,
            *words("people", unit),
            *words(english, where),
        ],
        [*words(korean, where), *words("사람이", unit), *amount, *last],
    )


def meeting_at(d: Derivation) -> Clause:
    """The meeting is at 10:30, starts at 10:30: 회의는 열 시 삼십 분에 있다, 시작한다."""
    english, korean = d.choose(word_table("events at"))
    node, verb, at = d.node(), d.node(), d.node()
    time = _clock_time(d, at)
    last = time.korean[-1]
    when = [*time.korean[:-1], Word(last.text + "에", last.nodes)]
    what, ends = d.choose((("is", "있다"), ("starts", "시작한다"), ("starts", "시작한다")))
    subject = NounPhrase(words(english, node), words(korean, node), node, "3s")
    if "appointment" in english and what != "is":
        raise Unfit
    return Clause(
        [*subject.english, *words(what, verb), *words("at", at), *time.english],
        [*subject.marked(TOPIC), *when, *words(ends, verb)],
    )
