"""The body: she has blue eyes, her hair is long, my left leg hurts, I broke my right arm. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import Adverbial
from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY, adverbial
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
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
from annotated_transformer.lab.corpora.english_korean.morphology import (
    OBJECT,
    SUBJECT,
    TOPIC,
    attach,
)
from annotated_transformer.lab.corpora.english_korean.open.stated import (
    THEN,
    drawn_how,
    in_full,
    options,
    predicate_of,
    state_table,
    stated,
    told,
)
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    article,
    choose_noun,
    pronoun,
)

HUMANS = frozenset({"own", "kin", "relation", "adult"})
SIZES = ("big", "small", "long", "short")
COLORS = ("blue", "brown", "green", "black", "blond", "gray", "white", "red", "yellow")
OF_ME = {
    "my": "내",
    "your": "네",
    "his": "그의",
    "her": "그녀의",
    "their": "그들의",
    "our": "우리의",
}
BIRDS = ("goose", "rooster", "chicken", "duck", "hen", "bird", "parrot", "penguin")
SIDES = (("left", "왼쪽"), ("right", "오른쪽"))
TODAY = (
    *(Adverbial("today", "오늘"), Adverbial("now", "지금"), Adverbial("these days", "요즘")),
    *(Adverbial("at night", "밤에"), Adverbial("every morning", "매일 아침")),
)


def features(d: Derivation) -> Clause:
    """She has blue eyes: 그녀는 눈이 파란색이다. Elephants have big ears: 코끼리는 귀가 크다."""
    human = d.chance(0.7)
    part, korean, _, field = d.choose(state_table("human parts" if human else "animal parts"))
    subject = _bearer(d, human=human)
    choice = options(field)
    english, stem, kind = d.choose(choice)
    node, own = d.node(), d.node()
    noun = part.removeprefix("a ")
    described = [*words(english, node)]
    predicate = predicate_of(stem, kind, node)
    if english in SIZES and d.chance(0.3):
        colors = [entry for entry in choice if entry[0] in COLORS]
        color, second, kind = d.choose(colors)
        more = d.node()
        described = [*words(english, node), *words(color, more)]
        predicate = predicate_of(second, kind, more)
        predicate = predicate._replace(before=[Word(stem + "고", (node,)), *predicate.before])
    first = words(article(described[0].text), own) if part.startswith("a ") else []
    tail = [*first, *described, *words(noun, own)]
    if first and subject.agreement == "p" and subject.english[0].text != "you":
        tail = [*described, *words(noun + "s", own)]
    have = d.node()
    verb = EnglishVerb("have", "has", "had", "having", have, tail)
    marked = [Word(attach(korean, SUBJECT), (own,))]
    predicate = predicate._replace(
        before=[*marked, *predicate.before], nodes=(*predicate.nodes, have)
    )
    how, asked = drawn_how(d, past=0.12)
    if len(described) > 1 and (how.negated or asked):
        raise Unfit
    if asked and subject.first_person:
        raise Unfit
    return clause(
        *(d, Said(subject, verb, predicate), how), ending="니" if asked else "다", asked=asked
    )


def _bearer(d: Derivation, *, human: bool) -> NounPhrase:
    if human:
        return subject_of(d, HUMANS, pronouns=0.65)
    noun = choose_noun(d, frozenset({"pet", "wild", "livestock"}))
    if noun.english in BIRDS:
        raise Unfit
    if noun.plural and not noun.plural_only and d.chance(0.45):
        node = d.node()
        return NounPhrase(words(noun.plural, node), words(noun.korean, node), node, "p", noun)
    return known(d, noun, 0.0)


def part_so(d: Derivation) -> Clause:
    """Her hair is long: 그녀의 머리는 길다. My mother's hands are cold: 우리 어머니의 손은 차다."""
    part, korean, number, field = d.choose(state_table("parts so"))
    english, stem, kind = d.choose(options(field))
    whose, of = _whose(d)
    node = d.node()
    agreement = "p" if number == "p" else "3s"
    subject = NounPhrase([*whose, *words(part, node)], [*of, *words(korean, node)], node, agreement)
    how, asked = drawn_how(d, past=0.2)
    if asked and whose[0].text == "my" and d.chance(0.5):
        raise Unfit
    degree = ""
    if kind in ("-", "ㅂ") and " " not in english and not how.negated:
        degree = d.choose(("", "", "", "", "very", "so", "too", "really"))
        degree = "" if degree == "too" and english not in ("big", "small", "long") else degree
    said = stated(d, subject, english, stem, kind, degree=degree)
    lasting = english in ("cold", "dirty", "wet", "red", "tired", "dry", "stuffy", "sore")
    timed = 0.25 if lasting else 0.0
    again = 0.08 if lasting and not (degree or asked) else 0.0
    felt = kind[0] in "rs" or part in ("throat", "stomach")
    particle = SUBJECT if felt else TOPIC
    return told(d, said, how, particle=particle, asked=asked, timed=timed, again=again)


def _whose(d: Derivation) -> tuple[Words, Words]:
    """Return "my", 내, "my mother's", 우리 어머니의, "Tom's", 톰의."""
    if d.chance(0.72):
        node = d.node()
        own = d.choose(("my", "my", "my", "your", "your", "his", "his", "her", "her", "her"))
        return words(own, node), words(OF_ME[own], node)
    somebody = known(d, choose_noun(d, frozenset({d.choose(("kin", "name", "relation"))})), 0.0)
    if somebody.agreement == "p" or somebody.english[-1].text.endswith("s"):
        raise Unfit
    last = somebody.english[-1]
    english = [*somebody.english[:-1], Word(last.text + "'s", last.nodes)]
    ending = somebody.korean[-1]
    return english, [*somebody.korean[:-1], Word(ending.text + "의", ending.nodes)]


def aching(d: Derivation) -> Clause:
    """My left leg hurts: 나는 왼쪽 다리가 아프다. Does your back hurt?: 너는 허리가 아프니."""
    node, own = d.node(), d.node()
    asked = d.chance(0.2)
    subject = pronoun(d, 1 if asked and d.chance(0.75) else d.choose((0, 0, 0, 0, 0, 2, 3, 3, 1)))
    owner = subject.english[0].text
    whose = own_possessive(subject)
    english = words(whose, subject.node)
    if not asked and d.chance(0.15):
        kin = known(d, choose_noun(d, frozenset({"kin"})), 0.0)
        if kin.agreement == "p":
            raise Unfit
        last = kin.english[-1]
        english = [*kin.english[:-1], Word(last.text + "'s", last.nodes)]
        subject, owner = kin, ""
    before: Words = []
    agreement = "3s"
    if d.chance(0.35):
        part, korean = d.choose(state_table("aching whole"))
    else:
        single, several, korean = d.choose(state_table("aching"))
        agreement = "p" if d.chance(0.4) else "3s"
        part = several if agreement == "p" else single
        if agreement == "3s" and d.chance(0.65):
            side, text = d.choose(SIDES)
            part_side = d.node()
            english = [*english, *words(side, part_side)]
            before = words(text, part_side)
    hurt = NounPhrase(
        [*english, *words(part, own)], subject.korean, subject.node, agreement,
        subject.noun, subject.subject_form,
    )  # fmt: skip
    past = d.chance(0.25)
    negated = not asked and d.chance(0.15)
    degree, much = EMPTY, d.node()
    if not negated and d.chance(0.25):
        text, korean_text = d.choose((("a lot", "많이"), ("so much", "너무"), ("badly", "심하게")))
        degree = Clause(words(text, much), words(korean_text, much))
    predicate = Predicate(
        [*before, Word(attach(korean, SUBJECT), (own,)), *degree.korean],
        *("아프", "", "adjective", (node,)),
    )
    verb = EnglishVerb("hurt", "hurts", "hurt", "hurting", node, [])
    time = EMPTY
    if past or d.chance(0.2):
        time = adverbial(d, THEN if past else TODAY)
    if owner == "you" and not asked and d.chance(0.6):
        raise Unfit
    said = Said(hurt, verb, predicate, (Clause(degree.english, []),))
    how = How("past" if past else "present", "", negated)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, time=time)


def injuring(d: Derivation) -> Clause:
    """He broke his left arm yesterday: 그는 어제 왼쪽 팔이 부러졌다. I cut my finger."""
    forms, stem, particle, parts = d.choose(state_table("injuring"))
    subject = subject_of(d, frozenset({"own", "kin", "name"}), pronouns=0.8)
    whose = own_possessive(subject)
    if not whose:
        raise Unfit
    part = d.choose(parts.split(","))
    korean = _SINGLE[part]
    node, own, side_node = d.node(), d.node(), d.node()
    english, before = words(whose, subject.node), words("", own)[:0]
    if part not in ("back", "neck", "head") and d.chance(0.4):
        side, text = d.choose(SIDES)
        english, before = [*english, *words(side, side_node)], words(text, side_node)
    marked = Word(attach(korean, SUBJECT if particle == "이" else OBJECT), (own,))
    complement = Clause([*english, *words(part, own)], [*before, marked])
    base, third, past, ing = forms.split(" ")
    verb = EnglishVerb(base, third, past, ing, node, [])
    said = Said(subject, verb, endings.verb(stem, "", node), (complement,), frozenset("x"))
    asked = d.chance(0.12) and subject.english[0].text not in ("I", "we")
    time = adverbial(d, INJURED) if d.chance(0.4) else EMPTY
    how = How("past", "", not asked and not time.english and d.chance(0.08))
    body = clause(d, said, how, ending="니" if asked else "다", asked=asked, time=time)
    return Clause(body.english, in_full(body.korean))


_SINGLE = {line[0]: line[-1] for name in ("aching", "aching whole") for line in state_table(name)}
INJURED = (
    *(Adverbial("yesterday", "어제"), Adverbial("last week", "지난주에")),
    *(Adverbial("last night", "어젯밤에"), Adverbial("this morning", "오늘 아침에")),
    *(Adverbial("last year", "작년에"), Adverbial("last summer", "작년 여름에")),
    Adverbial("two days ago", "이틀 전에"),
)
