"""What is the case: a possession, a quality, what somebody is, where something is. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import place_phrase
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
from annotated_transformer.lab.corpora.english_korean.everyday.frames import (
    GOOD,
    HUMAN,
    Frame,
    bare,
    drawn,
    said_of,
)
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import EnglishVerb, Said
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import it, known, subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import AT, FROM, SUBJECT
from annotated_transformer.lab.corpora.english_korean.natural import FEELINGS, flags_of, floating
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    kind_of,
    noun_phrase,
)
from annotated_transformer.lab.corpora.english_korean.things import coordinate, position
from annotated_transformer.lab.corpora.english_korean.verbs import Verb, names


def having(d: Derivation, given: NounPhrase | None = None) -> Said:
    """Have a car, 자동차가 있다; need a car, 자동차가 필요하다."""
    verb = d.choose(d.lexicon.states)
    subject = given or subject_of(d, HUMAN)
    noun = choose_noun(d, verb.objects)
    if d.lexicon.natural and (verb.english, noun.english) == ("have", "party"):
        raise Unfit  # "have a party" is to hold it
    target = _possession(d, noun, verb)
    if d.chance(0.08):
        other = choose_noun(d, verb.objects)
        if other == noun or kind_of(other) != kind_of(noun):
            raise Unfit
        target = coordinate(d, target, _possession(d, other, verb))
    said = said_of(
        d, subject, verb, (Clause(target.english, target.marked(SUBJECT)),), kind="state"
    )
    amount = flags_of(target, exists=verb.korean == "있") if d.lexicon.natural else frozenset()
    return said._replace(flags=said.flags | amount)


def _possession(d: Derivation, noun: Noun, verb: Verb) -> NounPhrase:
    if noun.counter and noun.plural and not noun.plural_only and d.chance(0.2):
        target = counted(d, noun, adjective=0.1)
        return floating(target) if d.lexicon.natural else target
    if "kin" in noun.classes:
        return noun_phrase(d, noun, "a")
    if verb.english == "need" and d.chance(0.25):
        return known(d, noun, 0.05)
    if not noun.plural or noun.plural_only:
        return noun_phrase(d, noun, "", adjective=0.1)
    if d.chance(0.2):
        return noun_phrase(d, noun, "many" if d.chance(0.3) else "", plural=True, adjective=0.1)
    return noun_phrase(d, noun, "a", adjective=0.2)


def _be(d: Derivation, tail: list[Word]) -> EnglishVerb:
    return EnglishVerb("be", "", "", "being", d.node(), tail)


def quality(d: Derivation, given: NounPhrase | None = None) -> Said:
    """Be busy, 바쁘다; be very good, 아주 좋다."""
    if given is not None:
        stand_in = given.noun or d.lexicon.nouns("man")[0]
        if stand_in.classes & {"name", "kin"}:
            (stand_in,) = d.lexicon.nouns("man")
        subject, entry = given, d.choose(d.lexicon.predicates_of(stand_in))
    else:
        entry = d.choose(d.lexicon.adjectives)
        human = not entry.classes.isdisjoint({"person", "adult"})
        if human and d.chance(0.75):
            subject = subject_of(d, frozenset({"own", "kin", "adult"}), pronouns=0.6)
        elif not human and _fits_it(d, entry.english) and d.chance(0.12):
            subject = it(d)
        else:
            subject = known(d, choose_noun(d, entry.classes), 0.0)
    d.uses(entry.english, entry.korean)
    node = d.node()
    english, before = words(entry.english, node), []
    degree = d.weighted((("", 0.6), ("very", 0.16), ("really", 0.08), ("so", 0.06), ("too", 0.1)))
    if not degree and d.chance(0.1):
        also = d.choose(d.lexicon.predicates_of(subject.noun or d.lexicon.nouns("man")[0]))
        if also.korean == entry.korean or (
            subject.noun is None and subject.english[0].text == "it"
        ):
            raise Unfit
        if d.lexicon.natural and also.english in FEELINGS:
            raise Unfit
        first, joined = d.node(), d.node()
        english = [*words(also.english, first), *words("and", joined), *english]
        before = words(also.korean + "고", first, joined)
    if degree:
        own = d.node()
        korean = {"very": "아주", "really": "정말", "so": "정말", "too": "너무"}[degree]
        english, before = [*words(degree, own), *english], words(korean, own)
    verb = _be(d, english)
    last = endings.verb(entry.korean, entry.irregular, node)
    korean_words = [*before, *last.before]
    predicate = Predicate(korean_words, last.stem, entry.irregular, "adjective", (node, verb.node))
    return Said(subject, verb, predicate, (), frozenset(), "quality", entry.english)


# "It is cold" is the weather.
WEATHER_WORDS = names("cold hot warm cool")


def _fits_it(d: Derivation, adjective: str) -> bool:
    """Whether the adjective may be said of "it"."""
    return adjective not in WEATHER_WORDS and d.lexicon.is_single(adjective)


# What is said in English of a state is in Korean the past of what led to it: 늦었다.
RESULTS = (
    *(
        ("late", "늦", ""),
        ("angry", "화가 나", ""),
        ("married", "결혼하", ""),
        ("ready", "준비되", ""),
    ),
    *(("excited", "신나", ""), ("surprised", "놀라", ""), ("nervous", "긴장하", "")),
    *(("drunk", "취하", ""), ("disappointed", "실망하", ""), ("wrong", "틀리", "")),
)


# Things, what is said of them in English, Korean.
RESULTS_OF_THINGS = (
    *(("boarded", "late", "늦"), ("device", "broken", "고장 나"), ("shop", "open", "문을 열")),
    *(("shop", "closed", "문을 닫"), ("restaurant", "open", "문을 열")),
    *(("museum", "closed", "문을 닫"), ("vehicle", "broken", "고장 나")),
)


def result(d: Derivation, given: NounPhrase | None = None) -> Said:
    """Be late, 늦었다; be angry, 화가 났다."""
    if given is None and d.chance(0.3):
        classes, english, korean = d.choose(RESULTS_OF_THINGS)
        subject, irregular = known(d, choose_noun(d, frozenset({classes})), 0.0), ""
    else:
        subject = given or subject_of(d, frozenset({"own", "kin", "relation"}), pronouns=0.65)
        english, korean, irregular = d.choose(RESULTS)
    node = d.node()
    verb = _be(d, words(english, node))
    predicate = endings.verb(korean, irregular, node, verb.node)
    return Said(subject, verb, predicate, (), frozenset("R"), "quality", english)


def identity(d: Derivation, given: NounPhrase | None = None) -> Said:
    """Be a doctor, 의사다; be my friend, 내 친구다."""
    subject = given or subject_of(d, frozenset({"own", "kin", "relation"}))
    plural = subject.agreement == "p" and subject.english[0].text != "you"
    kind = d.weighted((("job", 0.6), ("relation", 0.25), ("kin", 0.1), ("nation", 0.12)))
    if kind == "nation":
        return _nation(d, subject)
    noun = d.choose(d.lexicon.nouns(kind))
    own = POSSESSIVE.get(subject.english[0].text)
    determiner = "" if plural else "a"
    if kind != "job":
        determiner = d.choose([word for word in d.lexicon.possessives if word != own])
        if plural and not noun.plural:
            raise Unfit
        if plural and kind == "relation" and d.chance(0.3):
            determiner = ""
    if noun == subject.noun or subject.english[0].text == determiner:
        raise Unfit
    phrase = noun_phrase(d, noun, determiner, plural=plural, adjective=0.2, among=GOOD)
    return being(d, subject, phrase)


POSSESSIVE = {"I": "my", "he": "his", "she": "her", "we": "our", "they": "their", "you": "your"}


NATIONS = (
    *(("Korean", "한국"), ("American", "미국"), ("Chinese", "중국"), ("Japanese", "일본")),
    *(("British", "영국"), ("French", "프랑스"), ("German", "독일"), ("Italian", "이탈리아")),
    *(("Canadian", "캐나다"), ("Australian", "호주"), ("Indian", "인도"), ("Spanish", "스페인")),
)


def _nation(d: Derivation, subject: NounPhrase) -> Said:
    """Be Korean, 한국 사람이다."""
    english, country = d.choose(NATIONS)
    node = d.node()
    korean = [Word(country, (node,)), Word("사람", (node,))]
    return being(d, subject, NounPhrase(words(english, node), korean, node, "3s"))


def being(d: Derivation, subject: NounPhrase, phrase: NounPhrase) -> Said:
    """Say that the subject is what the phrase says."""
    verb = _be(d, list(phrase.english))
    last = phrase.korean[-1]
    predicate = Predicate(
        list(phrase.korean[:-1]), last.text, "", "copula", (*last.nodes, verb.node)
    )
    return Said(subject, verb, predicate, (), frozenset(), "identity", "be")


def located(d: Derivation, given: NounPhrase | None = None) -> Said:
    """Be at school, 학교에 있다; be on the table, 탁자 위에 있다; be at home, 집에 있다."""
    kind = d.weighted((("place", 0.5), ("position", 0.35 * (given is None)), ("home", 0.15)))
    if kind == "position":
        there, found = position(d)
        subject = known(d, found)
    else:
        subject = given or subject_of(d, frozenset({"own", "kin", "relation", "pet"}))
        if kind == "home":
            node, own = d.node(), d.node()
            there = Clause([*words("at", node), *words("home", own)], [Word("집에", (node, own))])
        else:
            place = d.choose(d.lexicon.nouns("indoor", "room", "outdoor", "city"))
            there = bare(d, place, place_phrase(d, place))
            last = there.korean[-1]
            text = last.text.removesuffix(FROM[0]) + AT[0]
            there = Clause(there.english, [*there.korean[:-1], Word(text, last.nodes)])
    verb = _be(d, [])
    predicate = Predicate([], "있", "", "adjective", (verb.node,))
    return Said(subject, verb, predicate, (there,), frozenset(), "place", "be")


STATES: tuple[tuple[str, Frame, float], ...] = (
    ("having", having, 0.3),
    ("quality", quality, 0.36),
    ("result", result, 0.05),
    ("identity", identity, 0.2),
    ("located", located, 0.14),
)


def state(d: Derivation, given: NounPhrase | None = None) -> Said:
    """Draw a clause about a state: what somebody has, or what, how or where something is."""
    return drawn(d, STATES, given)
