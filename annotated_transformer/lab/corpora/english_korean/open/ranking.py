"""Better than that one, older than you, the smartest girl in the class, brave as a lion. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import object_particle
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of, person
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import PARTED, said_of
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known, subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import TOPIC, with_copula
from annotated_transformer.lab.corpora.english_korean.natural import FEELINGS
from annotated_transformer.lab.corpora.english_korean.open.comparing import (
    AS_MUCH,
    PEOPLE,
    described,
)
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    article,
    choose_noun,
    noun_phrase,
    pronoun,
)
from annotated_transformer.lab.corpora.english_korean.predicates import be

THAN = ("보다", "보다")
STANDING = FEELINGS | {"sick", "fine", "okay", "free", "full"}


def more_than(
    d: Derivation, subject: NounPhrase, than: Clause, comparative: str, korean: tuple[str, str]
) -> Clause:
    """Return "A is (much) COMPARATIVE than B": A는 B보다 (훨씬) 더 크다, also asked."""
    degree = "much" if d.chance(0.12) else ""
    node, verb, more, much = d.node(), d.node(), d.node(), d.node()
    shape = endings.verb(*korean, node)
    far = words("훨씬", much) if degree else []
    before = [*than.korean, *far, *words("더", more), *shape.before]
    predicate = shape._replace(before=before, kind="adjective", nodes=(node, verb))
    if comparative.startswith("more "):
        text = [*words("more", more), *words(comparative.removeprefix("more "), node)]
    else:
        text = words(comparative, node, more)
    tail = [*(words(degree, much) if degree else []), *text, *than.english]
    said = Said(subject, EnglishVerb("be", "", "", "being", verb, tail), predicate, kind="quality")
    asked = d.chance(0.15)
    how = How("past" if d.chance(0.15) else "present", "", not (asked or degree) and d.chance(0.2))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def _than(d: Derivation, other: NounPhrase) -> Clause:
    node = d.node()
    return Clause([*words("than", node), *other.english], other.marked(THAN, node))


def better_than_that_one(d: Derivation) -> Clause:
    """Compare two of a kind: this book is better than that one, 이 책은 저것보다 더 좋다."""
    noun = choose_noun(d, frozenset({"goods", "place", "dish", "fruit"}))
    if not noun.plural or noun.plural_only or noun.classes & {"name", "kin"}:
        raise Unfit
    entry = described(d, noun)
    if not entry.comparative or entry.english in STANDING:
        raise Unfit
    near, far = d.choose((("this", "that"), ("this", "that"), ("that", "this")))
    subject = noun_phrase(d, noun, near)
    one = d.node()
    thing = "곳" if noun.classes & {"place", "indoor", "outdoor", "shop"} else "것"
    korean = words(("이" if far == "this" else "저") + thing, one)
    other = NounPhrase(words(f"{far} one", one), korean, one, "3s")
    return more_than(
        *(d, subject, _than(d, other), entry.comparative, (entry.korean, entry.irregular)),
    )


def older_than_you(d: Derivation) -> Clause:
    """I am older than you: 나는 너보다 나이가 더 많다."""
    index = d.choose((0, 1, 2, 3))
    other = pronoun(d, index, is_object=True)
    subject = subject_of(d, PEOPLE, pronouns=0.6)
    first, me = subject.english[0].text, pronoun(d, index).english[0].text
    if first in (me, "everyone") or (me == "I" and subject.first_person):
        raise Unfit
    entry = described(d, None)
    if not entry.comparative or entry.english in STANDING:
        raise Unfit
    return more_than(
        *(d, subject, _than(d, other), entry.comparative, (entry.korean, entry.irregular)),
    )


def bigger_than_busan(d: Derivation) -> Clause:
    """Seoul is bigger than Busan: 서울은 부산보다 더 크다. Gold and silver."""
    adjectives, _, names = d.choose(word_table("than named"))
    left, right = d.choose(names.split(",")), d.choose(names.split(","))
    if left == right:
        raise Unfit
    korean = {entry[0]: entry[1] for entry in word_table("than named words")}
    chosen = d.choose(adjectives.split(" "))
    entries = {entry[0]: entry for entry in word_table("than named adjectives")}
    _, comparative, stem, irregular = entries[chosen]
    one, two = d.node(), d.node()
    subject = NounPhrase(words(left, one), words(korean[left], one), one, "3s")
    other = NounPhrase(words(right, two), words(korean[right], two), two, "3s")
    return more_than(*(d, subject, _than(d, other), comparative, (stem, irregular.strip("-"))))


def as_a(d: Derivation) -> Clause:
    """You are as beautiful as a flower: 너는 꽃만큼 아름답다."""
    english, stem, irregular, names, korean_names, kind = d.choose(word_table("as a"))
    name, korean = d.choose(tuple(zip(names.split(","), korean_names.split(","), strict=True)))
    if kind == "people":
        subject = subject_of(d, PEOPLE, pronouns=0.6)
    else:
        subject = known(d, choose_noun(d, frozenset({"pet" if kind == "animal" else kind})), 0.0)
    if subject.noun is not None and subject.noun.english == name:
        raise Unfit
    node, verb, as_, own = d.node(), d.node(), d.node(), d.node()
    other = NounPhrase(words(name, own), words(korean, own), own, "3s")
    shape = endings.verb(stem, irregular.strip("-"), node)
    before = other.marked(AS_MUCH, as_)
    predicate = shape._replace(before=before, kind="adjective", nodes=(node, verb))
    tail = [*words("as", as_), *words(english, node), *words("as", as_)]
    tail += [*words(article(name), own), *words(name, own)]
    said = Said(subject, EnglishVerb("be", "", "", "being", verb, tail), predicate, kind="quality")
    how = How("past" if d.chance(0.15) else "present", "", d.chance(0.25))
    return clause(d, said, how)


RANKED = ("girl", "boy", "student", "person", "man", "woman", "player", "child")


def _group(d: Derivation, chance: float) -> Clause:
    if not d.chance(chance):
        return Clause([], [])
    english, korean = d.choose(word_table("groups"))
    node = d.node()
    return Clause(words(english, node), words(korean, node))


def smartest_girl(d: Derivation) -> Clause:
    """She is the smartest girl in the class, who is the tallest boy: 가장 키가 큰 소년은 누구니."""
    english, superlative, korean = d.choose(word_table("ranked"))
    noun = d.choose(d.lexicon.nouns(*RANKED))
    if noun.english not in RANKED:
        raise Unfit
    there = _group(d, 0.8)
    node, most, own, verb = d.node(), d.node(), d.node(), d.node()
    if superlative.startswith("most "):
        adjective = [*words("most", most), *words(english, node)]
    else:
        adjective = words(superlative, most, node)
    tail = [*words("the", most), *adjective, *words(noun.english, own), *there.english]
    head: Words = [*there.korean, *words("가장", most), *words(korean, node)]
    if d.chance(0.3):
        who = d.node()
        last = NounPhrase([], words(noun.korean, own), own, "3s").marked(TOPIC)
        return Clause(
            [*words("who", who), *words("is", verb), *tail],
            [*head, *last, *words("누구니", who, verb)],
        )
    subject = subject_of(d, PEOPLE, pronouns=0.6)
    if subject.agreement == "p" and subject.english[0].text != "you":
        raise Unfit
    if subject.english[0].text == "everyone":
        raise Unfit
    male = noun.english in ("boy", "man")
    if subject.english[0].text == ("she" if male else "he") and noun.english in (
        *("boy", "man", "girl", "woman"),
    ):
        raise Unfit
    if subject.noun is not None and noun.english not in ("person", "student", "player"):
        raise Unfit
    tense = "past" if d.chance(0.15) else "present"
    ending = with_copula(noun.korean, "었다" if tense == "past" else "다")
    return Clause(
        [*subject.english, *words(be(tense, subject.agreement), verb), *tail],
        [*subject.marked(TOPIC), *head, *words(ending, own, verb)],
    )


def that_one(d: Derivation) -> Clause:
    """I want that one: 나는 저것을 원한다. Which one is cheaper: 어느 것이 더 싸니."""
    english, korean = d.choose((("that one", "저것"), ("this one", "이것")))
    verbs = [
        verb
        for verb in d.lexicon.transitive
        if d.lexicon.is_single(verb.english)
        and verb.objects & {"goods", "thing", "shown", "small"}
        and not verb.subjects.isdisjoint({"person", "kin"})
        and verb.english not in PARTED
    ]
    verb = d.choose(verbs)
    node = d.node()
    target = NounPhrase(words(english, node), words(korean, node), node, "3s")
    complement = Clause(target.english, target.marked(object_particle(verb)))
    said = said_of(d, person(d), verb, (complement,))
    asked = d.chance(0.25)
    how = event_of(d, said, d.choose(("past", "present", "future")))
    how = how._replace(negated=not asked and d.chance(0.25))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def which_one(d: Derivation) -> Clause:
    """Which one is cheaper: 어느 것이 더 싸니. Who is taller: 누가 키가 더 크니."""
    people = d.chance(0.5)
    ask, node, verb, more = d.node(), d.node(), d.node(), d.node()
    if people:
        entry = described(d, None)
        english, korean = "who", words("누가", ask)
    else:
        entry = described(d, choose_noun(d, frozenset({"goods"})))
        english, korean = d.choose(("which", "which one")), words("어느 것이", ask)
    if not entry.comparative or entry.english in STANDING:
        raise Unfit
    rivals = d.lexicon.predicates_of(d.lexicon.nouns("man")[0]) if people else d.lexicon.adjectives
    if {other.korean for other in rivals if other.english == entry.english} != {entry.korean}:
        raise Unfit  # cool is 멋지다 or 시원하다, which the noun would tell
    shape = endings.verb(entry.korean, entry.irregular, node)
    predicate = Predicate(
        [*words("더", more), *shape.before], shape.stem, shape.irregular, "adjective", (node, verb)
    )
    last = endings.finished(predicate, "present", "니")
    if entry.comparative.startswith("more "):
        text = [*words("more", more), *words(entry.english, node)]
    else:
        text = words(entry.comparative, node, more)
    return Clause([*words(english, ask), *words("is", verb), *text], [*korean, *last])
