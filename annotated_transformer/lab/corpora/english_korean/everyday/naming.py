"""Who is who and what is what: names, this and that, favourites, looks, mine and yours. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.calendar import COLORS
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import being
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import HUMAN
from annotated_transformer.lab.corpora.english_korean.everyday.questions import demonstrative
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import (
    known,
    some,
    subject_of,
)
from annotated_transformer.lab.corpora.english_korean.morphology import AT, OBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
    pronoun,
)

THINGS = ("goods", "thing", "animal", "clothes", "small", "reading", "food", "creature", "own")
FAVORITES = {
    "food": "음식", "color": "색", "movie": "영화", "song": "노래", "book": "책", "singer": "가수",
    "sport": "운동", "animal": "동물", "subject": "과목", "season": "계절", "fruit": "과일",
}  # fmt: skip
MEMBERS = {
    **{"food": ("dish",), "movie": ("movie",), "sport": ("sport",), "animal": ("pet", "wild")},
    **{"subject": ("study",), "fruit": ("fruit",), "singer": ("name",), "song": ("song",)},
}
MINE = {
    "mine": "내",
    "yours": "네",
    "his": "그의",
    "hers": "그녀의",
    "ours": "우리",
    "theirs": "그들의",
}


def this_is(d: Derivation) -> Clause:
    """Say or ask what something is: this is my bag, 이것은 내 가방이다."""
    asked, how = d.chance(0.25), How("present", "", d.chance(0.2))
    if d.chance(0.25):
        return _this_person(d, how._replace(negated=False), asked=asked)
    subject = demonstrative(d) if d.chance(0.8) else _it(d)
    noun = choose_noun(d, frozenset({d.choose(THINGS)}))
    plural = subject.agreement == "p"
    if plural != noun.plural_only and not (plural and noun.plural) and noun.plural:
        raise Unfit
    if plural and not noun.plural:
        raise Unfit
    owned = "animal" not in noun.classes and "creature" not in noun.classes
    determiner = d.weighted((("own", 0.5 * owned), ("a", 0.5)))
    if determiner == "own":
        determiner = d.choose(d.lexicon.possessives)
    elif plural or not noun.plural:
        determiner = ""
    phrase = noun_phrase(d, noun, determiner, plural=plural and not noun.plural_only, adjective=0.2)
    said = being(d, subject, phrase)
    if asked:
        return clause(d, said, How("present"), ending="니", asked=True)
    return clause(d, said, how)


def _it(d: Derivation) -> NounPhrase:
    node = d.node()
    return NounPhrase(words("it", node), words("그것", node), node, "3s")


def _this_person(d: Derivation, how: How, *, asked: bool) -> Clause:
    node = d.node()
    if d.chance(0.25):
        return _these_people(d, how, asked=asked)
    text = d.choose(("this", "this", "that"))
    noun = d.choose(d.lexicon.nouns("kin", "relation", "name"))
    elder = "elder" in noun.classes
    near = "이" if text == "this" else "저"
    korean = [Word(near + "분", (node,))] if elder else [Word(near, (node,)), Word("사람", (node,))]
    subject = NounPhrase(words(text, node), korean, node, "3s")
    if noun.english in ("parents", "grandparents"):
        raise Unfit
    phrase = known(d, noun, 0.0)
    if phrase.english[0].text in ("the", "this", "that", "these", "those"):
        raise Unfit
    said = being(d, subject, phrase)
    if asked:
        return clause(d, said, how, ending="니", asked=True)
    return clause(d, said, how)


def _these_people(d: Derivation, how: How, *, asked: bool) -> Clause:
    """These are my friends: 이 사람들은 내 친구다."""
    node = d.node()
    text, near = d.choose((("these", "이"), ("those", "저")))
    korean = [Word(near, (node,)), Word("사람들", (node,))]
    subject = NounPhrase(words(text, node), korean, node, "p")
    noun = d.choose(d.lexicon.nouns("relation", "child", "brother", "sister", "parents"))
    own = d.choose(d.lexicon.possessives)
    phrase = noun_phrase(d, noun, own, plural=bool(noun.plural))
    said = being(d, subject, phrase)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def name(d: Derivation) -> Clause:
    """My name is Minsu: 내 이름은 민수다."""
    own, name_node = d.node(), d.node()
    determiner = d.choose(("my", "my", "my", "his", "her", "your"))
    korean = {"my": "내", "his": "그의", "her": "그녀의", "your": "네"}[determiner]
    subject = NounPhrase(
        [*words(determiner, own), *words("name", name_node)],
        [*words(korean, own), *words("이름", name_node)],
        name_node,
        "3s",
    )
    gender = {"his": "male", "her": "female"}.get(determiner, "name")
    names = [noun for noun in d.lexicon.nouns("name") if gender in noun.classes]
    person = noun_phrase(d, d.choose(names), "")
    said = being(d, subject, person)
    if determiner != "my" and d.chance(0.3):
        return clause(d, said, How("present"), ending="니", asked=True)
    sentence = clause(d, said, How("present", "", d.chance(0.12)))
    if d.chance(0.3) and determiner == "my":
        hello = d.node()
        greeting = d.choose(("hello", "hi"))
        return Clause(
            [Word(greeting + ",", (hello,)), *sentence.english],
            [*words("안녕", hello), *sentence.korean],
        )
    return sentence


def favorite(d: Derivation) -> Clause:
    """Say or ask what somebody likes best: 내가 가장 좋아하는 음식은 피자다."""
    kind = d.choose(tuple(FAVORITES))
    determiner = d.choose(("my", "my", "your", "his", "her"))
    who = {"my": "내가", "your": "네가", "his": "그가", "her": "그녀가"}[determiner]
    own, like, node = d.node(), d.node(), d.node()
    subject = NounPhrase(
        [*words(determiner, own), *words("favorite", like), *words(kind, node)],
        [*words(who, own), *words("가장 좋아하는", like), *words(FAVORITES[kind], node)],
        node,
        "3s",
    )
    if determiner != "my" and d.chance(0.6):
        asked, be = d.node(), d.node()
        korean = Predicate([], "무엇", "", "copula", (asked, be))
        if kind == "singer":
            korean = korean._replace(stem="누구")
        said = Said(subject, EnglishVerb("be", "", "", "", be, []), korean)
        question = Clause(words("who" if kind == "singer" else "what", asked), [])
        return clause(d, said, How("present"), ending="니", asked=True, question=question)
    return clause(d, being(d, subject, _member(d, kind)), How("present", "", d.chance(0.08)))


def _member(d: Derivation, kind: str) -> NounPhrase:
    if kind == "color":
        english, korean = d.choose(tuple(COLORS.items()))
        node = d.node()
        return NounPhrase(words(english, node), words(korean, node), node, "3s")
    if kind == "season":
        english, korean = d.choose((("spring", "봄"), ("summer", "여름"), ("fall", "가을")))
        node = d.node()
        return NounPhrase(words(english, node), words(korean, node), node, "3s")
    if kind not in MEMBERS:
        raise Unfit
    noun = d.choose([noun for noun in d.lexicon.nouns(*MEMBERS[kind]) if noun.english != kind])
    if kind in ("movie", "song"):
        return noun_phrase(d, noun, d.choose(("this", "that")))
    if kind in ("animal", "fruit") and noun.plural:
        return noun_phrase(d, noun, "the" if kind == "nothing" else "a")
    return noun_phrase(d, noun, "")


def looking(d: Derivation) -> Clause:
    """You look tired: 너는 피곤해 보인다."""
    subject = subject_of(d, HUMAN)
    entries = d.lexicon.predicates_of(d.lexicon.nouns("man")[0])
    entry = d.choose([entry for entry in entries if entry.english not in ("famous", "honest")])
    node, look = d.node(), d.node()
    verb = EnglishVerb("look", "looks", "looked", "looking", look, words(entry.english, node))
    korean = endings.verb(entry.korean, entry.irregular, node)
    said = Said(subject, verb, endings.seeming(korean, look), (), frozenset("s"), "quality", "look")
    how = How("past" if d.chance(0.3) else "present", "", d.chance(0.12))
    if not how.negated and d.chance(0.12):
        return clause(d, said, how, ending="니", asked=True)
    return clause(d, said, how)


def mine(d: Derivation) -> Clause:
    """Say or ask whose something is: this book is mine, 이 책은 내 것이다."""
    classes = frozenset({d.choose(("small", "clothes", "reading", "container", "device"))})
    subject = demonstrative(d) if d.chance(0.3) else known(d, choose_noun(d, classes), 0.0)
    if subject.english[0].text in d.lexicon.possessives:
        raise Unfit
    english, korean = d.choose(tuple(MINE.items()))
    node, be = d.node(), d.node()
    predicate = Predicate(words(korean, node), "것", "", "copula", (node, be))
    said = Said(subject, EnglishVerb("be", "", "", "", be, words(english, node)), predicate)
    if d.chance(0.2):
        return clause(d, said, How("present"), ending="니", asked=True)
    return clause(d, said, How("present", "", d.chance(0.15)))


def ordering(d: Derivation) -> Clause:
    """Ask for food or drink: I would like a pizza, 나는 피자를 원한다."""
    noun = choose_noun(d, frozenset({"dish", "drink", "dessert", "fruit", "sweet"}))
    target = some(d, noun, 0.05)
    kind = d.weighted((("like", 0.45), ("have", 0.3), ("please", 0.25)))
    node = d.node()
    if d.lexicon.natural and kind != "like" and target.english[0].text == "some":
        target = target._replace(after=tuple(words("좀", *target.english[0].nodes)))
    marked = target.marked(OBJECT)
    if kind == "like":
        subject = pronoun(d, 0)
        english = [*subject.english, *words("would like", node), *target.english]
        return Clause(english, [*subject.marked(TOPIC), *marked, *words("원한다", node)])
    if kind == "please":
        return Clause([*target.english, *words("please", node)], [*marked, *words("줘", node)])
    able, person = d.node(), d.node()
    english = [*words("can", able), *words("I", person), *words("have", node), *target.english]
    korean = [Word("줄", (node, person)), *words("수 있니", able)]
    return Clause(english, [*marked, *korean])


def directions(d: Derivation) -> Clause:
    """How can I get to the station?: 역에 어떻게 갈 수 있니."""
    place = d.choose(d.lexicon.nouns("indoor", "outdoor", "shop"))
    how, able, go, to, person = (d.node() for _ in range(5))
    phrase = noun_phrase(d, place, "the")
    modal = d.choose(("can", "do"))
    verb = d.choose(("get", "go"))
    english = [*words("how", how), *words(modal, able), *words("I", person), *words(verb, go)]
    english += [*words("to", to), *phrase.english]
    korean = [*phrase.marked(AT, to), *words("어떻게", how), Word("갈", (go, person))]
    return Clause(english, [*korean, *words("수 있니", able)])
