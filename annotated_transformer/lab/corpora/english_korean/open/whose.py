"""Anna's book, all you need, what a day, good at, it is easy to: 안나의 책. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import object_particle
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of, person
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import being
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action, said_of
from annotated_transformer.lab.corpora.english_korean.everyday.questions import demonstrative
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
    surroundings,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known, subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import (
    AT,
    DATIVE,
    OBJECT,
    SUBJECT,
    TOWARDS,
    WITH,
    adnominal,
    with_copula,
)
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.open.comparing import be_adjective, described
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    modifier,
    noun_phrase,
    pronoun,
)

OWNED = ("clothes", "device", "vehicle", "small", "container", "reading", "pet", "house", "room")
RELATIVES = frozenset({"kin", "relation"})


def owner(d: Derivation) -> NounPhrase:
    """Return whose it is: Anna's, my mother's, the teacher's."""
    noun = choose_noun(d, frozenset({d.choose(("name", "name", "kin", "relation", "job"))}))
    phrase = known(d, noun, 0.0)
    if phrase.english[-1].text.endswith("s") or phrase.agreement == "p":
        raise Unfit
    return phrase


def possessed(d: Derivation, noun: Noun, *, plural: bool = False) -> NounPhrase:
    """Return "Anna's book", 안나의 책."""
    whose = owner(d)
    if whose.noun == noun:
        raise Unfit
    node = d.node()
    last = whose.english[-1]
    d.uses(noun.english, noun.korean)
    name = noun.plural if plural else noun.english
    return NounPhrase(
        [*whose.english[:-1], Word(last.text + "'s", last.nodes), *words(name, node)],
        [*whose.marked(("의", "의")), *words(noun.korean, node)],
        node,
        "p" if plural or noun.plural_only else "3s",
        noun,
    )


def possession(d: Derivation) -> Clause:
    """Say whose it is or how it is: this is Anna's book, 이것은 안나의 책이다."""
    kind = d.weighted(
        (("this", 0.22), ("quality", 0.22), ("object", 0.3), ("where", 0.1), ("relative", 0.16))
    )
    if kind == "relative":
        noun = choose_noun(d, RELATIVES)
        subject = possessed(d, noun)
        job = noun_phrase(d, d.choose(d.lexicon.nouns("job")), "a")
        if job.noun == noun or subject.agreement == "p":
            raise Unfit
        if d.chance(0.5):
            said = being(d, subject, job)
        else:
            said = be_adjective(d, subject, described(d, None))
        return clause(d, said, How("past" if d.chance(0.2) else "present", "", d.chance(0.15)))
    noun = choose_noun(d, frozenset({d.choose(OWNED)}))
    if kind == "this":
        subject = demonstrative(d)
        if subject.agreement == "p":
            raise Unfit
        phrase = possessed(d, noun)
        if noun.plural_only:
            raise Unfit
        asked = d.chance(0.2)
        how = How("present", "", not asked and d.chance(0.2))
        said = being(d, subject, phrase)
        return clause(d, said, how, ending="니" if asked else "다", asked=asked)
    if kind == "quality":
        subject = possessed(d, noun, plural=bool(noun.plural) and d.chance(0.2))
        said = be_adjective(d, subject, described(d, noun))
        asked = d.chance(0.15)
        how = How("past" if d.chance(0.2) else "present", "", not asked and d.chance(0.2))
        return clause(d, said, how, ending="니" if asked else "다", asked=asked)
    if kind == "where":
        subject = possessed(d, noun)
        node, be = d.node(), d.node()
        exists = Predicate([], "있", "", "adjective", (be,))
        said = Said(subject, EnglishVerb("be", "", "", "", be, []), exists, kind="place")
        asked_for = Clause(words("where", node), words("어디에", node))
        return clause(d, said, How("present"), ending="니", asked=True, question=asked_for)
    verb = d.choose([v for v in d.lexicon.transitive if v.selects(noun)])
    if noun.english == verb.english or verb.subjects.isdisjoint({"person", "kin"}):
        raise Unfit
    target = possessed(d, noun)
    d.pairing("object", verb.english, noun.english)
    complement = Clause(target.english, target.marked(object_particle(verb)))
    said = said_of(d, person(d), verb, (complement,))
    if said.subject.noun is not None and said.subject.english[0].text == target.english[0].text:
        raise Unfit
    how = event_of(d, said, d.choose(("past", "past", "present", "future", "progressive")))
    return clause(d, said, how._replace(negated=d.chance(0.15)))


def all_you_need(d: Derivation) -> Clause:
    """Love is all you need: 필요한 것은 사랑뿐이다; all I need: 나에게 필요한 것은.

    The book's title has 어텐션, the word of its Korean edition; 주의 is care in traffic. "You" are
    people in general, of whom Korean says nothing.
    """
    if d.chance(0.7):
        english, korean = d.choose(word_table("all you need"))
    else:
        noun = choose_noun(d, frozenset({"drink", "dish", "fruit", "sweet"}))
        if noun.plural:
            raise Unfit
        english, korean = noun.english, noun.korean
    node, all_, verb, is_ = d.node(), d.node(), d.node(), d.node()
    subject = pronoun(d, d.choose((1, 1, 1, 0, 0, 4, 3, 2)))
    who = subject.english[0].text
    need = d.chance(0.8)
    if english == "you" and who == "you":
        raise Unfit
    base = ("needs" if who in ("she", "he") else "need") if need else None
    base = base or ("wants" if who in ("she", "he") else "want")
    *first, last = korean.split(" ")
    lasting = [*(Word(text, (node,)) for text in first), Word(last + "뿐이다", (node, is_, all_))]
    if need and who == "you":  # of people in general
        head = [Word("필요한", (verb, subject.node)), *words("것은", all_)]
    elif need:
        head = [*subject.marked(DATIVE), *words("필요한", verb), *words("것은", all_)]
    else:
        head = [*subject.marked(SUBJECT), *words("원하는", verb), *words("것은", all_)]
    wanted = [*words("all", all_), *subject.english, *words(base, verb)]
    thing = words(english, node)
    is_words = words("is", is_)
    if english == "you" or d.chance(0.4):
        return Clause([*wanted, *is_words, *thing], [*head, *lasting])
    return Clause([*thing, *is_words, *wanted], [*head, *lasting])


def exclamation(d: Derivation) -> Clause:
    """What a cute dog: 정말 귀여운 개다."""
    kinds = ("pet", "clothes", "shown", "place", "reading", "plant", "little", "vehicle")
    noun = choose_noun(d, frozenset({d.choose(kinds)}))
    if not noun.plural or noun.plural_only:
        raise Unfit
    english, korean = modifier(d, noun, 1.0)
    if not english or english[0].text in ("first", "second", "last", "best", "used"):
        raise Unfit
    node, what = d.node(), d.node()
    article = "an" if english[0].text[0] in "aeiou" and english[0].text != "useful" else "a"
    if english[0].text == "honest":
        article = "an"
    *head, last = noun.korean.split(" ")
    return Clause(
        [*words("what", what), *words(article, node), *english, *words(noun.english, node)],
        [
            *words("정말", what),
            *korean,
            *(Word(text, (node,)) for text in head),
            Word(with_copula(last, "다"), (node,)),
        ],
    )


PARTICLES = {"에": AT, "을": OBJECT, "에게": DATIVE, "과": WITH, "으로": TOWARDS}


def be_with_preposition(d: Derivation) -> Clause:
    """She is good at math: 그녀는 수학을 잘한다. I am interested in art: 미술에 관심이 있다."""
    english, particle, korean, irregular, kind, classes = d.choose(word_table("prepositions"))
    subject = subject_of(d, frozenset({"own", "kin", "relation"}), pronouns=0.7)
    noun = choose_noun(d, frozenset(classes.split(",")))
    generic = bool(noun.plural) and bool(noun.classes & {"animal", "creature"})
    target = noun_phrase(d, noun, "", plural=True) if generic else known(d, noun, 0.0)
    if english.startswith("allergic"):
        target = noun_phrase(d, noun, "", plural=bool(noun.plural))
    if target.noun == subject.noun or (target.agreement == "p" and "married" in english):
        raise Unfit
    node, be = d.node(), d.node()
    predicate = endings.verb(korean, irregular.strip("-"), node, be)
    predicate = predicate._replace(kind="adjective" if kind == "a" else "verb")
    complement = Clause(target.english, target.marked(PARTICLES[particle]))
    verb = EnglishVerb("be", "", "", "", be, words(english, node))
    flags = frozenset(kind if kind in ("R", "n") else "")
    said = Said(subject, verb, predicate, (complement,), flags, "state", "")
    asked = d.chance(0.2)
    how = How("past" if d.chance(0.2) else "present", "", not asked and d.chance(0.2))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def it_is_to(d: Derivation) -> Clause:
    """It is easy to learn Korean, learning Korean is easy: 한국어를 배우는 것은 쉽다."""
    english, korean, irregular = d.choose(word_table("it is to"))
    said = action(d, pronoun(d, 1))
    if said.flags & {"x", "p"} or "OWN" in said.base or said.base in ("like", "know"):
        raise Unfit
    if any(text in ("you", "your") for part in said.complements for text, _ in part.english):
        raise Unfit
    node, be, to = d.node(), d.node(), d.node()
    follow, around = surroundings(said)
    verb = said.english
    form = adnominal(said.korean.stem, "present", said.korean.irregular)
    doing = [*around, *said.korean.before, Word(form, said.korean.nodes), Word("것은", (to,))]
    predicate = Predicate([], korean, irregular.strip("-"), "adjective", (node, be))
    denied, was = d.chance(0.2), d.chance(0.15)
    not_node = d.node()
    grown = endings.denied(predicate, not_node) if denied else predicate
    last = endings.finished(grown, "past" if was else "present", "다")
    is_ = words("was" if was else "is", be)
    no = words("not", not_node) if denied else []
    if d.chance(0.7):
        body = [*words("to", to), *words(verb.base, verb.node), *verb.tail, *follow]
        head = [*words("it", to), *is_, *no, *words(english, node)]
        return Clause([*head, *body], [*doing, *last])
    if said.english.ing.split(" ")[0] == "going" or said.flags & {"s"}:
        raise Unfit
    body = [*words(verb.ing, verb.node, to), *verb.tail, *follow]
    return Clause([*body, *is_, *no, *words(english, node)], [*doing, *last])


def every(d: Derivation) -> Clause:
    """Every student has a book: 모든 학생은 책이 있다."""
    noun = choose_noun(d, frozenset({"job", "little", "pet"}))
    node, all_ = d.node(), d.node()
    subject = NounPhrase(
        [*words("every", all_), *words(noun.english, node)],
        [*words("모든", all_), *words(noun.korean, node)],
        *(node, "3s", noun),
    )
    said = action(d, subject) if d.chance(0.6) else be_adjective(d, subject, described(d, noun))
    if "OWN" in said.base:
        raise Unfit
    how = How(d.choose(("present", "past")))
    if said.kind in ("action", "motion"):
        how = event_of(d, said, how.tense)
    return clause(d, said, how)
