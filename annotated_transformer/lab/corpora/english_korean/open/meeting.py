"""Greeting, introducing oneself, and calling somebody by name: 안녕 안나, 톰 어디에 있니. CC0.

A name stands where English has it, but before a question, which ends in its verb. Elders are
called before whatever is said to them, and not by 너.
"""

from annotated_transformer.lab.corpora.english_korean.adverbs import DAYS
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import expressing
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import (
    being,
    identity,
)
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.everyday import (
    imperative,
    statement,
    yes_no,
)
from annotated_transformer.lab.corpora.english_korean.everyday.frames import motion
from annotated_transformer.lab.corpora.english_korean.everyday.questions import adverbial_question
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known
from annotated_transformer.lab.corpora.english_korean.everyday.surface import is_question
from annotated_transformer.lab.corpora.english_korean.morphology import (
    FROM,
    OBJECT,
    TOPIC,
    with_copula,
)
from annotated_transformer.lab.corpora.english_korean.open.family import surname
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
    pronoun,
)
from annotated_transformer.lab.corpora.english_korean.verbs import names

# Of these the past is spelled like the command.
SAME_PAST = frozenset({"read", "cut", "put", "quit", "hit", "hurt", "let", "shut"})
KIN = frozenset({"kin", "relation"})


def called(d: Derivation) -> tuple[Words, Words, str]:
    """Return who is called, in both languages, and "name", "elder" or "many"."""
    kind = d.weighted((("name", 0.55), ("elder", 0.2), ("other", 0.15), ("title", 0.1)))
    node = d.node()
    if kind == "name":
        noun = d.choose(d.lexicon.nouns("name"))
        return words(noun.english, node), words(noun.korean, node), "name"
    if kind == "title":
        english, korean = surname(d)
        title = d.choose(("Mr.", "Mrs.", "Ms."))
        return words(f"{title} {english}", node), words(f"{korean} 선생님", node), "elder"
    table = "elders called" if kind == "elder" else "called"
    english, korean, *_ = d.choose(word_table(table))
    kind = "many" if korean in ("모두", "얘들아") else "elder" if kind == "elder" else "name"
    return words(english, node), words(korean, node), kind


def _after(sentence: Words, mark: str = ",") -> Words:
    last = sentence[-1]
    return [*sentence[:-1], Word(last.text + mark, last.nodes)]


def _greeting(d: Derivation) -> tuple[Clause, bool]:
    """Return a greeting and whether it is a word that stands before a name without a comma."""
    node = d.node()
    if d.chance(0.2):
        day, korean = d.choose(tuple(DAYS.items()))
        english = d.choose(("see you on", "see you next", "see you this"))
        before = {"on": "", "next": "다음 ", "this": "이번 "}[english.split(" ")[-1]]
        own = d.node()
        return Clause(
            [*words(english, node), *words(day, own)],
            [*words(before.strip(), node)] * bool(before)
            + [*words(korean + "에", own), *words("보자", node)],
        ), False
    english, korean, short = d.choose(word_table("greetings"))
    return Clause(words(english, node), words(korean, node)), short == "s"


def greeting(d: Derivation) -> Clause:
    """Good morning, everyone: 모두 좋은 아침이다. See you next Monday: 다음 월요일에 보자."""
    said, short = _greeting(d)
    if said.english[0].text == "see" and d.chance(0.3):
        return said
    english, korean, kind = called(d)
    comma = "," if not short or d.chance(0.6) else ""
    left = _after(said.english, comma)
    first = kind != "name" or is_question(said.korean)
    return Clause([*left, *english], [*korean, *said.korean] if first else [*said.korean, *korean])


def asked_about(d: Derivation) -> Clause:
    """Hello, Anna, how is your mother?: 안녕 안나 네 어머니는 어떻게 지내니."""
    how, be = d.node(), d.node()
    noun = choose_noun(d, KIN)
    whose = noun_phrase(d, noun, d.choose(("your", "your", "your", "his", "her")))
    if d.chance(0.1):
        whose = known(d, d.choose(d.lexicon.nouns("name")), 0.0)
    verb = "is" if whose.agreement == "3s" else "are"
    asked = [*words("how", how), *words(verb, be), *whose.english]
    korean = [*whose.marked(TOPIC), Word("어떻게", (how,)), Word("지내니", (be,))]
    doing = d.node() if d.chance(0.2) else 0
    if doing:
        asked += words("doing", doing)
        korean[-1] = Word("지내니", (be, doing))
    if d.chance(0.4):
        return Clause(asked, korean)
    hello = d.node()
    word = d.choose(("hello", "hi", "hey"))
    if d.chance(0.35):
        return Clause([Word(word + ",", (hello,)), *asked], [Word("안녕", (hello,)), *korean])
    name = d.node()
    person = d.choose(d.lexicon.nouns("name"))
    comma = "," if d.chance(0.5) else ""
    if person == whose.noun:
        raise Unfit
    head = [Word(word + comma, (hello,)), Word(person.english + ",", (name,))]
    return Clause([*head, *asked], [Word("안녕", (hello,)), Word(person.korean, (name,)), *korean])


def addressed(d: Derivation) -> Clause:
    """Where are you, Tom?: 톰 너는 어디에 있니. Tom, come here: 톰 이리 와라."""
    rule = d.choose((imperative, yes_no, adverbial_question, statement))
    said = rule(d)
    texts = [word.text for word in said.english]
    if rule is statement and (texts[0] not in ("I", "we", "you") or len(texts) < 4):
        raise Unfit
    if len(texts) < 3 or any("," in text for text in texts):
        raise Unfit
    english, korean, kind = called(d)
    second = {"you", "your", "yours", "yourself"} & set(texts)
    if second and kind != "name":
        raise Unfit
    if english[-1].text in texts or texts[-1] in ("please", "too"):
        raise Unfit
    if d.chance(0.4):
        if texts[0] in SAME_PAST or texts[0] == "let":
            raise Unfit
        return Clause([*_after(english), *said.english], [*korean, *said.korean])
    # "I will help, Tom" would be read as helping Tom: something stands behind the verb.
    if rule is not adverbial_question and said.korean[0].nodes == said.english[-1].nodes:
        raise Unfit
    if texts[-1] not in BEHIND and not texts[-1][0].isdigit():
        raise Unfit
    return Clause([*_after(said.english), *english], [*korean, *said.korean])


BEHIND = names(
    """me him them us today tomorrow yesterday now home here there school soon later tonight
    morning evening night week weekend Monday Friday Sunday Saturday coffee tea pizza water book
    door window bag car letter song movie music dinner lunch breakfast Korean English busy tired
    hungry happy kitchen park house dog cat station market work"""
)


def _name(d: Derivation) -> NounPhrase:
    return noun_phrase(d, d.choose(d.lexicon.nouns("name")), "")


def _more(d: Derivation, person: NounPhrase) -> Clause:
    """Return what one says of oneself after the name."""
    kind = d.weighted((("from", 0.5), ("live", 0.2), ("job", 0.3)))
    if kind == "from":
        city = noun_phrase(d, d.choose(d.lexicon.nouns("city")), "")
        node, verb = d.node(), d.node()
        third = person.agreement == "3s"
        be = "is" if third else "am"
        text = d.choose(("comes" if third else "come", be))
        english = [*person.english, *words(text, verb), *words("from", node), *city.english]
        last = Word("왔다", (verb,))
        return Clause(english, [*person.marked(TOPIC), *city.marked(FROM, node), last])
    if kind == "live":
        said = motion(d, person)
        if said.base != "live":
            raise Unfit
        return clause(d, said, How("present"))
    said = identity(d, person)
    if said.english.tail[0].text in ("my", "your", "his", "her", "our", "their"):
        raise Unfit
    return clause(d, said, How("present"))


def introducing(d: Derivation) -> Clause:
    """My name is Carlos and I come from Spain: 내 이름은 카를로스고 나는 스페인에서 왔다."""
    index = d.choose((0, 0, 0, 0, 2, 3))
    name = _name(d)
    gender = {2: "male", 3: "female"}.get(index, "name")
    if name.noun is None or gender not in name.noun.classes:
        raise Unfit
    subject = pronoun(d, index)
    if d.chance(0.55):
        own, node = d.node(), d.node()
        my, korean = {0: ("my", "내"), 2: ("his", "그의"), 3: ("her", "그녀의")}[index]
        subject = NounPhrase(
            [*words(my, own), *words("name", node)],
            *([*words(korean, own), *words("이름", node)], node, "3s"),
        )
    hello = d.node() if index == 0 and d.chance(0.3) else 0
    head = [Word(d.choose(("hello,", "hi,")), (hello,))] if hello else []
    front = words("안녕", hello) if hello else []
    said = being(d, subject, name)
    if d.chance(0.25):
        only = clause(d, said, How("present"))
        return Clause([*head, *only.english], [*front, *only.korean])
    left = clause(d, said, How("present"), ending="고")
    more = _more(d, pronoun(d, index))
    node = d.node()
    comma = _after(left.english) if d.chance(0.2) else left.english
    english = [*head, *comma, *words("and", node), *more.english]
    return Clause(english, [*front, *expressing(left, node), *more.korean])


def naming(d: Derivation) -> Clause:
    """My sister's name is Anna: 내 여동생의 이름은 안나다. Call me Tom: 나를 톰이라고 불러라."""
    name = _name(d)
    if d.chance(0.3):
        node, me = d.node(), d.node()
        quoted = [
            *name.korean[:-1],
            Word(with_copula(name.korean[-1].text, "라고"), name.korean[-1].nodes),
        ]
        who, korean = d.choose((("me", "나"), ("me", "나"), ("him", "그"), ("her", "그녀")))
        object_ = NounPhrase(words(who, me), words(korean, me), me, "3s")
        gender = {"him": "male", "her": "female"}.get(who, "name")
        if name.noun is None or gender not in name.noun.classes:
            raise Unfit
        head, last = d.choose(
            (
                ("call", "불러라"), ("please call", "불러 줘"), ("you can call", "불러도 된다"),
                ("everyone calls", "부른다"), ("my friends call", "부른다"),
            )
        )  # fmt: skip
        before = {"everyone calls": "모두", "my friends call": "내 친구들은"}.get(head, "")
        called_ = [*words(before, node)] if before else []
        marked = object_.marked(OBJECT)
        english = [*words(head, node), *object_.english, *name.english]
        return Clause(english, [*called_, *marked, *quoted, *words(last, node)])
    noun = choose_noun(d, frozenset({"kin", "relation", "pet"}))
    whose = noun_phrase(d, noun, d.choose(("my", "my", "your", "his", "her", "our")))
    if whose.agreement == "p" or whose.english[-1].text.endswith("s"):
        raise Unfit
    node, be = d.node(), d.node()
    owner = whose.english[-1]
    subject = NounPhrase(
        [*whose.english[:-1], Word(owner.text + "'s", owner.nodes), *words("name", node)],
        *([*whose.marked(("의", "의")), *words("이름", node)], node, "3s"),
    )
    if d.chance(0.4):
        asked = d.node()
        question = Clause(words("what", asked), [])
        predicate = Predicate([], "무엇", "", "copula", (asked, be))
        said = Said(subject, EnglishVerb("be", "", "", "", be, []), predicate)
        return clause(d, said, How("present"), ending="니", asked=True, question=question)
    for gender in ("male", "female"):
        if gender in noun.classes and name.noun is not None and gender not in name.noun.classes:
            raise Unfit
    said = being(d, subject, name)
    asked_ = d.chance(0.1)
    return clause(d, said, How("present"), ending="니" if asked_ else "다", asked=asked_)
