"""As tall as, the tallest, and what several are: 톰은 안나만큼 키가 크다. CC0."""

from annotated_transformer.lab.corpora.english_korean.adjectives import Adjective
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.questions import demonstrative
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known, subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import (
    FROM,
    TOPIC,
    adnominal,
    with_copula,
)
from annotated_transformer.lab.corpora.english_korean.natural import FEELINGS
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
    pronoun,
)
from annotated_transformer.lab.corpora.english_korean.predicates import be
from annotated_transformer.lab.corpora.english_korean.states import _compared

AS_MUCH = ("만큼", "만큼")
PEOPLE = frozenset({"own", "kin", "relation"})


def described(d: Derivation, noun: Noun | None) -> Adjective:
    """Return an adjective that may be said of the noun, or of a person."""
    stand_in = noun
    if noun is None or noun.classes & {"name", "kin"}:
        (stand_in,) = d.lexicon.nouns("man")
    assert stand_in is not None
    entry = d.choose(d.lexicon.predicates_of(stand_in))
    d.uses(entry.english, entry.korean)
    return entry


def be_adjective(
    d: Derivation,
    subject: NounPhrase,
    entry: Adjective,
    *,
    before: Words | None = None,
    english: tuple[Words, Words] | None = None,
) -> Said:
    """Return "be ADJECTIVE", with Korean before it and English on both sides of it."""
    node, verb = d.node(), d.node()
    korean = endings.verb(entry.korean, entry.irregular, node)
    predicate = korean._replace(
        before=[*(before or []), *korean.before], kind="adjective", nodes=(node, verb)
    )
    left, right = english or ([], [])
    tail = [*left, *words(entry.english, node), *right]
    name = entry.english
    return Said(
        subject,
        EnglishVerb("be", "", "", "being", verb, tail),
        predicate,
        (),
        frozenset(),
        "quality",
        name,
    )


def as_as(d: Derivation) -> Clause:
    """Tom is as tall as Anna: 톰은 안나만큼 키가 크다; is not as tall as: 키가 크지 않다."""
    if d.chance(0.6):
        subject = subject_of(d, PEOPLE, pronouns=0.5)
        entry = described(d, None)
        if d.chance(0.35):
            index = d.choose((0, 1, 2, 3))
            other = pronoun(d, index, is_object=True)
            if pronoun(d, index).english[0].text == subject.english[0].text:
                raise Unfit
        else:
            other = known(d, choose_noun(d, frozenset({"kin", "relation", "name"})), 0.0)
    else:
        subject, other, entry = _compared(d)
    if subject.noun is not None and subject.noun == other.noun:
        raise Unfit
    if entry.english in FEELINGS or entry.english in ("sick", "fine", "okay", "free", "full"):
        raise Unfit
    node = d.node()
    said = be_adjective(
        *(d, subject, entry),
        before=other.marked(AS_MUCH, node),
        english=(words("as", node), [*words("as", node), *other.english]),
    )
    asked = d.chance(0.08)
    how = How("past" if d.chance(0.15) else "present", "", not asked and d.chance(0.35))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def superlative_of(entry: Adjective) -> str:
    """Return "tallest", "most beautiful", "best"."""
    if not entry.comparative:
        raise Unfit
    special = {"better": "best", "worse": "worst"}
    if entry.comparative.startswith("more "):
        return f"most {entry.english}"
    return special.get(entry.comparative, entry.comparative[:-1] + "st")


BEST_AT = (
    *("student", "child", "person", "man", "woman", "boy", "girl", "doctor", "teacher", "singer"),
    *("actor", "player", "writer", "scientist", "swimmer", "lawyer", "chef"),
)


def superlative(d: Derivation) -> Clause:
    """Seoul is the biggest city in Korea: 서울은 한국에서 가장 큰 도시다."""
    kind = d.weighted((("person", 0.4), ("thing", 0.35), ("city", 0.25)))
    where_node = d.node()
    there = Clause([], [])
    if kind == "person":
        subject = subject_of(d, PEOPLE, pronouns=0.4)
        noun = d.choose(d.lexicon.nouns(*BEST_AT))
        if subject.agreement == "p" and subject.english[0].text != "you":
            raise Unfit
        if d.chance(0.3):
            place = d.choose(d.lexicon.nouns("school", "company", "hospital", "university"))
            there = Clause(
                words(f"in the {place.english}", where_node),
                words(place.korean + FROM[0], where_node),
            )
    elif kind == "thing":
        subject = demonstrative(d)
        noun = choose_noun(d, frozenset({"goods", "shown", "place"}))
        if subject.agreement == "p" or noun.plural_only or not noun.plural:
            raise Unfit
    else:
        name, area, korean_area = d.choose(word_table("cities"))
        subject = noun_phrase(d, d.lexicon.nouns(name)[0], "")
        (noun,) = (n for n in d.lexicon.nouns("lived") if n.english == "city")
        there = Clause(words(f"in {area}", where_node), words(korean_area + FROM[0], where_node))
    options = [entry for entry in d.lexicon.predicates_of(noun) if entry.comparative]
    entry = d.choose([entry for entry in options if entry.english not in FEELINGS])
    node, most, is_ = d.node(), d.node(), d.node()
    *before, last = entry.korean.split(" ")
    form = adnominal(last, "present", entry.irregular, is_adjective=True)
    text = superlative_of(entry)
    adjective = words(text, most, node)
    if text.startswith("most "):
        adjective = [*words("most", most), *words(entry.english, node)]
    own = d.node()
    tense = "past" if d.chance(0.15) else "present"
    english = [
        *subject.english,
        *words(be(tense, subject.agreement), is_),
        *words("the", most),
        *adjective,
        *words(noun.english, own),
        *there.english,
    ]
    *head, final = noun.korean.split(" ")
    ending = with_copula(final, "었다" if tense == "past" else "다")
    korean = [*subject.marked(TOPIC), *there.korean, *words("가장", most)]
    korean += [*words(" ".join([*before, form]), node)]
    korean += [*(words(" ".join(head), own) if head else []), *words(ending, own, is_)]
    return Clause(english, korean)


def several_are(d: Derivation) -> Clause:
    """The children are smart: 그 아이들은 똑똑하다. Dogs are smart: 개는 똑똑하다."""
    kinds = ("little", "job", "relation", "pet", "wild", "fruit", "clothes", "reading", "device")
    noun = choose_noun(d, frozenset({d.choose((*kinds, "furniture", "small", "vehicle"))}))
    if not noun.plural:
        raise Unfit
    determiner = d.choose(("the", "the", "these", "those", "my", "your", "our", ""))
    if not noun.classes & {"relation", "pet", "clothes", "reading", "device"} and determiner in (
        *("my", "your", "our"),
    ):
        determiner = "the"
    subject = noun_phrase(d, noun, determiner, plural=not noun.plural_only)
    entry = described(d, noun)
    degree = d.weighted((("", 0.65), ("very", 0.2), ("so", 0.08), ("too", 0.07)))
    node = d.node()
    korean = {"": "", "very": "아주", "so": "정말", "too": "너무"}[degree]
    said = be_adjective(
        *(d, subject, entry),
        before=words(korean, node) if degree else [],
        english=(words(degree, node) if degree else [], []),
    )
    asked = d.chance(0.15)
    how = How("past" if d.chance(0.2) else "present", "", not asked and d.chance(0.2))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)
