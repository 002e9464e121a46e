"""Mr. Kim, whom one loves, with whom one lives, what is planned: 안나는 톰을 사랑한다. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import adverbial, object_particle
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import (
    being,
    located,
    quality,
)
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action, said_of
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known, subject_of
from annotated_transformer.lab.corpora.english_korean.everyday.times import FUTURE, MONTHS
from annotated_transformer.lab.corpora.english_korean.morphology import (
    SUBJECT,
    THAN,
    TOPIC,
    WITH,
    with_copula,
)
from annotated_transformer.lab.corpora.english_korean.natural import FEELINGS
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.open.comparing import be_adjective, described
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
    pronoun,
)
from annotated_transformer.lab.corpora.english_korean.predicates import be

TITLES = (
    ("Mr.", "씨", "male"),
    ("Mr.", "씨", "male"),
    ("Mrs.", "씨", "female"),
    ("Ms.", "씨", "female"),
    ("Dr.", "박사", "name"),
    ("Professor", "교수", "name"),
)
LOVED = (
    *("love", "love", "love", "like", "like", "know", "meet", "miss", "help", "trust", "call"),
    *("marry", "visit", "invite"),
)
RELATED = frozenset({"kin", "relation", "name"})


def surname(d: Derivation) -> tuple[str, str]:
    """Return a family name in both languages."""
    english, korean = d.choose(word_table("surnames"))
    return english, korean


def titled(d: Derivation) -> NounPhrase:
    """Return "Mr. Kim", 김 씨."""
    title, korean_title, gender = d.choose(TITLES)
    english, korean = surname(d)
    name, node = d.node(), d.node()
    noun = Noun(f"{title} {english}", "", f"{korean} {korean_title}", "", frozenset({"name"}))
    if gender != "name":
        noun = noun._replace(classes=frozenset({"name", gender}))
    return NounPhrase(
        [*words(title, node), *words(english, name)],
        [*words(korean, name), *words(korean_title, node)],
        *(node, "3s", noun),
    )


def with_title(d: Derivation) -> Clause:
    """Mr. Kim is my teacher: 김 씨는 내 선생님이다. My teacher is Mr. Kim."""
    kind = d.weighted((("is", 0.25), ("subject", 0.5), ("object", 0.25)))
    person = titled(d)
    if kind == "object":
        return _to_somebody(d, subject_of(d, frozenset({"own", "kin"}), pronouns=0.8), person)
    asked = d.chance(0.2)
    ending = "니" if asked else "다"
    if kind == "is":
        noun = choose_noun(d, frozenset({"relation", "teacher", "doctor", "neighbor"}))
        own = noun_phrase(d, noun, d.choose(("my", "my", "our", "your", "his", "her")))
        pair = (own, person) if d.chance(0.6) else (person, own)
        how = How("present", "", not asked and d.chance(0.1))
        return clause(d, being(d, *pair), how, ending=ending, asked=asked)
    said = d.choose((action, action, quality, located))(d, person)
    how = How(d.choose(("present", "present", "past")), "", not asked and d.chance(0.15))
    if said.kind in ("action", "motion"):
        tense = d.choose(("past", "present", "progressive", "future"))
        how = event_of(d, said, tense)._replace(negated=how.negated)
    return clause(d, said, how, ending=ending, asked=asked)


def _to_somebody(d: Derivation, subject: NounPhrase, other: NounPhrase) -> Clause:
    base = d.choose(LOVED)
    verbs = [verb for verb in d.lexicon.transitive if verb.english == base]
    options = [verb for verb in verbs if verb.objects & {"person", "kin", "adult"}]
    verb = next((verb for verb in options if verb.korean != "아주 좋아하"), None)
    korean = {"like": "좋아하"}.get(base)
    if verb is None:
        verb = next(v for v in verbs if korean is None or v.korean == korean)
    if subject.noun is not None and subject.noun == other.noun:
        raise Unfit
    particle = object_particle(verb)
    said = said_of(d, subject, verb, (Clause(other.english, other.marked(particle)),))
    tense = d.choose(("present", "past", "future", "past", "present"))
    if "s" in said.flags and tense == "future":
        raise Unfit
    how = event_of(d, said, tense)
    asked = d.chance(0.2)
    if not asked and "n" not in said.flags:
        how = how._replace(negated=d.chance(0.15))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def affection(d: Derivation) -> Clause:
    """Anna loves Tom: 안나는 톰을 사랑한다. Do you know Minsu?: 너는 민수를 아니."""
    subject = (
        known(d, choose_noun(d, frozenset({"name", "kin"})), 0.0)
        if d.chance(0.5)
        else pronoun(d, d.choose((0, 0, 1, 1, 2, 3, 4, 5)))
    )
    other = noun_phrase(d, d.choose(d.lexicon.nouns("name")), "")
    return _to_somebody(d, subject, other)


def living(d: Derivation) -> Clause:
    """My grandmother lives with us: 우리 할머니는 우리와 함께 산다. He lives alone: 혼자 산다."""
    subject = subject_of(d, frozenset({"own", "kin", "relation"}), pronouns=0.45)
    node, verb = d.node(), d.node()
    kind = d.weighted((("with", 0.7), ("alone", 0.2), ("together", 0.1)))
    if kind == "with":
        if d.chance(0.35):
            index = d.choose((0, 2, 3, 4, 4, 5))
            other = pronoun(d, index, is_object=True)
            nominative, own = pronoun(d, index).english[0].text, subject.english[0].text
            if nominative == own or {nominative, own} in (
                *({"I", "we"}, {"he", "they"}, {"she", "they"}),
            ):
                raise Unfit
            if subject.first_person:
                other = pronoun(d, d.choose((2, 3, 5)), is_object=True)
        else:
            other = known(d, choose_noun(d, RELATED), 0.0)
        if other.noun is not None and other.noun == subject.noun:
            raise Unfit
        there = Clause(
            [*words("with", node), *other.english], [*other.marked(WITH), *words("함께", node)]
        )
    else:
        if (kind == "together") != (subject.agreement == "p") or subject.english[0].text == "you":
            raise Unfit
        there = Clause(words(kind, node), words("혼자" if kind == "alone" else "함께", node))
    english = EnglishVerb("live", "lives", "lived", "living", verb, [])
    flags = frozenset("s")
    said = Said(subject, english, endings.verb("살", "", verb), (there,), flags, "state", "live")
    asked = d.chance(0.15) and not subject.first_person
    how = How(d.choose(("present", "present", "past")), "", not asked and d.chance(0.15))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


PLANNED = (
    ("coming", "오"),
    ("coming", "오"),
    ("leaving", "떠나"),
    ("arriving", "도착하"),
    ("getting married", "결혼하"),
    ("coming home", "집에 오"),
    ("coming back", "돌아오"),
    ("starting a new job", "새 일을 시작하"),
    ("moving", "이사하"),
    ("retiring", "은퇴하"),
)


def planned(d: Derivation) -> Clause:
    """My aunt is coming tomorrow: 우리 이모는 내일 온다. She is getting married in June."""
    subject = subject_of(d, frozenset({"own", "kin", "relation"}), pronouns=0.45)
    doing, korean = d.choose(PLANNED)
    if d.chance(0.35):
        month, text = d.choose(tuple(MONTHS.items()))
        node, own = d.node(), d.node()
        time = Clause([*words("in", node), *words(month, own)], [Word(text + "에", (own, node))])
    else:
        time = adverbial(d, FUTURE)
    if korean == "은퇴하" and not (subject.noun and "elder" in subject.noun.classes):
        raise Unfit
    node, be_node, deny = d.node(), d.node(), d.node()
    denied = d.chance(0.15)
    asked = not denied and d.chance(0.2)
    predicate = endings.verb(korean, "", node, be_node)
    last = endings.denied(predicate, deny) if denied else predicate
    is_ = words(be("present", subject.agreement), be_node)
    no = words("not", deny) if denied else []
    body = [*words(doing, node), *time.english]
    head = [*is_, *subject.english] if asked else [*subject.english, *is_, *no]
    ended = endings.finished(last, "present", "니" if asked else "다")
    return Clause([*head, *body], [*subject.marked(TOPIC), *time.korean, *ended])


def having_one_named(d: Derivation) -> Clause:
    """I have a brother named Tom: 나는 톰이라는 남동생이 있다."""
    subject = subject_of(d, frozenset({"own"}), pronouns=0.85)
    noun = choose_noun(d, frozenset({"brother", "sister", "son", "daughter", "friend", "pet"}))
    if not noun.plural:
        raise Unfit
    name = noun_phrase(d, d.choose(d.lexicon.nouns("name")), "")
    for gender in ("male", "female"):
        if gender in noun.classes and name.noun and gender not in name.noun.classes:
            raise Unfit
    if name.noun == subject.noun:
        raise Unfit
    named, verb = d.node(), d.node()
    one = noun_phrase(d, noun, "a")
    last = name.korean[-1]
    quoted = Word(with_copula(last.text, "라는"), (*last.nodes, named))
    target = Clause(
        [*one.english, *words("named", named), *name.english],
        [*name.korean[:-1], quoted, *one.marked(SUBJECT)],
    )
    english = EnglishVerb("have", "has", "had", "having", verb, [])
    exists = endings.Predicate([], "있", "", "adjective", (verb,))
    said = Said(subject, english, exists, (target,), frozenset("s"), "state", "have")
    how = How("past" if d.chance(0.15) else "present")
    return clause(d, said, how)


def compared(d: Derivation) -> Clause:
    """My brother is taller than me: 내 남동생은 나보다 더 키가 크다."""
    subject = subject_of(d, frozenset({"own", "kin"}), pronouns=0.4)
    entry = described(d, None)
    if not entry.comparative or entry.comparative == "-" or entry.english in FEELINGS:
        raise Unfit
    if d.chance(0.55):
        index = d.choose((0, 0, 1, 2, 3, 4, 5))
        other = pronoun(d, index, is_object=True)
        if _same_person(pronoun(d, index).english[0].text, subject):
            raise Unfit
    else:
        other = known(d, choose_noun(d, frozenset({"kin", "name"})), 0.0)
    if other.noun is not None and other.noun == subject.noun:
        raise Unfit
    node, more = d.node(), d.node()
    said = be_adjective(
        *(d, subject, entry),
        before=[*other.marked(THAN, node), *words("더", more)],
        english=([], [*words("than", node), *other.english]),
    )
    tail = said.english.tail
    if entry.comparative.startswith("more"):
        tail = [*words("more", more), *tail]
    else:
        tail = [Word(entry.comparative, (*tail[0].nodes, more)), *tail[1:]]
    said = said._replace(english=said.english._replace(tail=tail))
    asked = d.chance(0.2)
    how = How("past" if d.chance(0.12) else "present", "", not asked and d.chance(0.15))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def _same_person(nominative: str, subject: NounPhrase) -> bool:
    own = subject.english[0].text
    together = ({"I", "we"}, {"he", "they"}, {"she", "they"}, {"you", "we"})
    return (
        nominative == own
        or {nominative, own} in together
        or (subject.first_person and nominative in ("I", "we"))
    )
