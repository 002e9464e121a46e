"""Have done, used to, may and might, want somebody to: 간 적이 있다, 올지도 모른다. CC0."""

from functools import cache

from annotated_transformer.lab.corpora.english_korean.clauses import object_particle
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import person
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import (
    identity,
    located,
    state,
)
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import (
    action,
    intransitive,
    motion,
    transitive,
)
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
    surroundings,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import (
    object_pronoun,
    subject_of,
)
from annotated_transformer.lab.corpora.english_korean.morphology import AT, OBJECT, SUBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.natural import FEELINGS
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.open.numerals import numeral
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    noun_phrase,
    pronoun,
)


@cache
def participles() -> dict[str, str]:
    """The participles that differ from the past, by the base."""
    return dict(line[0].split(" ") for line in word_table("participles"))


def participle(verb: EnglishVerb) -> Words:
    """Return the participle of a verb with what belongs to it: taken a walk."""
    base, past = verb.base.split(" "), verb.past.split(" ")
    first = participles().get(base[0], past[0])
    return [Word(text, (verb.node,)) for text in (first, *past[1:])] + list(verb.tail)


def _has(subject: NounPhrase) -> str:
    return "has" if subject.agreement == "3s" else "have"


def _done(d: Derivation) -> Said:
    said = action(d, person(d))
    if said.flags & {"s", "p"} or said.base == "become":
        raise Unfit
    return said


def experience(d: Derivation) -> Clause:
    """I have never eaten kimchi: 나는 김치를 먹은 적이 없다. Have you ever been to Paris?."""
    node, have = d.node(), d.node()
    asked = d.chance(0.35)
    never = not asked and d.chance(0.65)
    subject = pronoun(d, d.choose((1, 1, 1, 2, 3))) if asked else person(d)
    if d.chance(0.3):
        to, be = d.node(), d.node()
        place = noun_phrase(d, d.choose(d.lexicon.nouns("city")), "")
        done: Words = [*words("been", be), *words("to", to), *place.english]
        around: Words = place.marked(AT, to)
        adnominal: Words = [Word("가", (be,)), Word("본", (be,))]
    else:
        said = action(d, subject)
        if said.flags & {"s", "p"} or "OWN" in said.base or said.base == "become":
            raise Unfit
        if said.base in ("come", "go", "leave", "return", "get up", "wake up"):
            raise Unfit
        follow, around = surroundings(said)
        done = [*participle(said.english), *follow]
        adnominal = endings.finished(said.korean, "past", "는")
    ever = [*words("ever", node)] if asked else words("never", node) if never else []
    auxiliary = words(_has(subject), have)
    if asked:
        english = [*auxiliary, *subject.english, *ever, *done]
        last = [Word("적이", (node,)), Word("있니", (have,))]
    elif never:
        english = [*subject.english, *auxiliary, *ever, *done]
        last = [Word("적이", (have,)), Word("없다", (node, have))]
    else:
        before = d.node()
        english = [*subject.english, *auxiliary, *done, *words("before", before)]
        last = [Word("적이", (before,)), Word("있다", (have,))]
    return Clause(english, [*subject.marked(TOPIC), *around, *adnominal, *last])


def already(d: Derivation) -> Clause:
    """I have already eaten: 나는 이미 먹었다; have just: 방금; have not yet: 아직 먹지 않았다."""
    said = _done(d)
    subject, node, have = said.subject, d.node(), d.node()
    word = d.choose(("already", "already", "just", "yet", "yet", "asked"))
    follow, around = surroundings(said)
    done = [*participle(said.english), *follow]
    korean = said.korean
    auxiliary = words(_has(subject), have)
    if word == "yet":
        deny, yet = d.node(), d.node()
        korean = endings.denied(korean, deny, unable="n" in said.flags)
        korean = korean._replace(nodes=(*korean.nodes, have))
        english = [*subject.english, *auxiliary, *words("not", deny), *done, *words("yet", yet)]
        if any(text == "some" for text, _ in english):
            raise Unfit
        when = words("아직", yet)
        last = endings.finished(korean, "past", "다")
        return Clause(english, [*subject.marked(TOPIC), *when, *around, *last])
    korean = korean._replace(nodes=(*korean.nodes, have))
    if word == "asked":
        if any(text == "some" for text, _ in done):
            raise Unfit
        english = [*auxiliary, *subject.english, *done, *words("yet", node)]
        last = endings.finished(korean, "past", "니")
        return Clause(english, [*subject.marked(TOPIC), *words("벌써", node), *around, *last])
    adverb = {"already": "이미", "just": "방금"}[word]
    english = [*subject.english, *auxiliary, *words(word, node), *done]
    last = endings.finished(korean, "past", "다")
    return Clause(english, [*subject.marked(TOPIC), *words(adverb, node), *around, *last])


def lasting(d: Derivation) -> Clause:
    """I have lived in Seoul for ten years: 나는 십 년 동안 서울에 살았다."""
    said = d.choose((motion, intransitive, transitive))(d, person(d))
    if said.base not in ("live", "work", "study", "learn", "wait for", "teach", "play"):
        raise Unfit
    if said.base == "play" and not said.complements:
        raise Unfit
    if said.base == "wait for" and d.chance(0.8):
        raise Unfit
    subject, node, have = said.subject, d.node(), d.node()
    follow, around = surroundings(said)
    during, own = d.node(), d.node()
    if d.chance(0.7):
        number = 2 + int(d.random.random() * 30)
        unit, counter = d.choose((("years", "년"), ("years", "년"), ("months", "개월")))
        typed, korean = numeral(d, number, counter, node, own, is_sino=True)
        time = [*words("for", during), *typed, *words(unit, own)]
        when = [*korean, *words("동안", during)]
    else:
        year = str(1990 + int(d.random.random() * 36))
        time = [*words("since", during), *words(year, node)]
        when = words(f"{year}년부터", node, during)
    english = [*subject.english, *words(_has(subject), have), *participle(said.english), *follow]
    past = endings.finished(said.korean._replace(nodes=(*said.korean.nodes, have)), "past", "다")
    return Clause([*english, *time], [*subject.marked(TOPIC), *when, *around, *past])


def used_to(d: Derivation) -> Clause:
    """I used to live in Seoul: 나는 예전에 서울에 살았다."""
    subject = person(d)
    said = action(d, subject) if d.chance(0.75) else d.choose((identity, located))(d, subject)
    if said.flags & {"e", "x", "p"} or "R" in said.flags or said.base == "go":
        raise Unfit
    node = d.node()
    follow, around = surroundings(said)
    verb = said.english
    base = [*words(verb.base, verb.node), *verb.tail]
    past = endings.finished(said.korean, "past", "다")
    english = [*subject.english, *words("used to", node), *base, *follow]
    return Clause(english, [*subject.marked(TOPIC), *words("예전에", node), *around, *past])


def might(d: Derivation) -> Clause:
    """It may rain tomorrow: 내일 비가 올지도 모른다. She might be busy: 바쁠지도 모른다."""
    auxiliary = d.choose(("may", "might", "might"))
    node, deny = d.node(), d.node()
    denied = d.chance(0.25)
    if d.chance(0.12):
        said = _rain(d)
    else:
        subject = person(d)
        said = action(d, subject) if d.chance(0.6) else state(d, subject)
    if auxiliary == "may" and said.english.base != "be" and said.subject.english[0].text != "it":
        auxiliary = "might"  # "you may go" is leave to go
    if said.base in FEELINGS or "R" in said.flags or said.flags & {"M", "#"}:
        raise Unfit
    korean = endings.denied(said.korean, deny, unable="n" in said.flags) if denied else said.korean
    form = endings.finished(korean, "present", "때")[-2]
    if korean.kind == "not":
        form = Word("아닐", korean.nodes)
    last = [*korean.before, Word(form.text + "지도", form.nodes), *words("모른다", node)]
    follow, around = surroundings(said)
    verb = said.english
    rest = [*words(verb.base, verb.node), *verb.tail, *follow]
    no = words("not", deny) if denied else []
    if denied and any(text == "some" for text, _ in rest):
        raise Unfit
    english = [*said.subject.english, *words(auxiliary, node), *no, *rest]
    particle = SUBJECT if said.subject.korean[0].text in ("비", "눈") else TOPIC
    return Clause(english, [*said.subject.marked(particle), *around, *last])


def _rain(d: Derivation) -> Said:
    english, korean = d.choose((("rain", "비"), ("snow", "눈")))
    node, own = d.node(), d.node()
    phrase = NounPhrase(words("it", own), words(korean, node), own, "3s")
    verb = EnglishVerb(english, english + "s", english + "ed", english + "ing", node, [])
    return Said(phrase, verb, Predicate([], "오", "", "verb", (own, node)))


def want_to(d: Derivation) -> Clause:
    """I want you to come: 나는 네가 오기를 원한다."""
    subject = person(d)
    other = _one(d, subject) if d.chance(0.6) else known_person(d)
    inner = action(d, pronoun(d, 1) if other.noun is None else other)
    if "OWN" in inner.base or inner.flags & {"s", "x", "p"}:
        raise Unfit
    node, to = d.node(), d.node()
    follow, around = surroundings(inner)
    verb = inner.english
    body = [*words("to", to), *words(verb.base, verb.node), *verb.tail, *follow]
    wish = Word(inner.korean.stem + "기를", (*inner.korean.nodes, to))
    complement = Clause(
        [*other.english, *body],
        [*other.marked(SUBJECT), *around, *inner.korean.before, wish],
    )
    if subject.noun is not None and other.noun == subject.noun:
        raise Unfit
    predicate = Predicate([], "원하", "", "verb", (node,))
    english = EnglishVerb("want", "wants", "wanted", "wanting", node, [])
    said = Said(subject, english, predicate, (complement,))
    return clause(d, said, How("past" if d.chance(0.25) else "present", "", d.chance(0.15)))


def _one(d: Derivation, subject: NounPhrase) -> NounPhrase:
    """Return "me", "you", "him", who is the subject of the Korean clause."""
    other = object_pronoun(d, subject)
    if other.first_person and subject.first_person:
        raise Unfit
    return other


def known_person(d: Derivation) -> NounPhrase:
    """Return somebody of whom one may want something."""
    found = subject_of(d, frozenset({"kin", "relation"}), pronouns=0.0)
    if found.noun is None or found.first_person or found.agreement == "p":
        raise Unfit
    return found


def only(d: Derivation) -> Clause:
    """I only drink water: 나는 물만 마신다. She also likes tea: 그녀는 차도 좋아한다."""
    said = transitive(d)
    verb = next(v for v in d.lexicon.transitive if v.english == said.base)
    target = said.complements[0]
    if object_particle(verb) != OBJECT or said.base in ("want", "see"):
        raise Unfit
    english, korean = d.choose((("only", "만"), ("also", "도")))
    last = target.korean[-1]
    if last.text[-1] not in "을를" or said.subject.english[0].text in ("it",):
        raise Unfit
    if any(text in ("some", "many", "more", "lot") for text, _ in target.english):
        raise Unfit
    node = d.node()
    marked = Word(last.text[:-1] + korean, (*last.nodes, node))
    complement = Clause(target.english, [*target.korean[:-1], marked])
    said = said._replace(complements=(complement, *said.complements[1:]))
    tense = "present" if "e" not in said.flags and d.chance(0.6) else "past"
    if said.base in ("read", "cut", "put on", "hit", "let"):
        raise Unfit
    return clause(d, said, How(tense), often=Clause(words(english, node), []))
