"""What is in things, what they are like, what animals do: full of, look like, can fly. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import Adverbial
from annotated_transformer.lab.corpora.english_korean.clauses import adverbial
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
    object_pronoun,
    own_possessive,
    subject_of,
)
from annotated_transformer.lab.corpora.english_korean.morphology import (
    DATIVE,
    OBJECT,
    TOPIC,
    TOWARDS,
)
from annotated_transformer.lab.corpora.english_korean.open.seeming import SENSES
from annotated_transformer.lab.corpora.english_korean.open.stated import (
    drawn_how,
    owned_thing,
    predicate_of,
    state_table,
    stated,
)
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
    pronoun,
)

PEOPLE = frozenset({"own", "kin", "relation"})


def _pair(d: Derivation, field: str) -> tuple[str, str]:
    english, korean = d.choose([entry.split(":") for entry in field.split(",")])
    return english, korean


def _joined(phrase: str, particle: tuple[str, str], *nodes: int) -> Words:
    return NounPhrase([], words(phrase, *nodes), nodes[0], "3s").marked(particle)


def full_of(d: Derivation) -> Clause:
    """The garden is full of flowers: 정원은 꽃으로 가득하다. It is covered with snow: 덮여 있다."""
    full = d.chance(0.6)
    nouns, field = d.choose(state_table("full of" if full else "covered"))
    subject = owned_thing(d, d.choose(nouns.split(",")), owned=full)
    english, korean = _pair(d, field)
    node, be, own = d.node(), d.node(), d.node()
    if full:
        text = d.choose(("full of", "full of", "filled with"))
        predicate = predicate_of("가득하", "-", node, be)
    else:
        text = d.choose(("covered with", "covered with", "covered in"))
        predicate = predicate_of("덮여 있", "s", node, be)
    complement = Clause(words(english, own), _joined(korean, TOWARDS, own))
    verb = EnglishVerb("be", "", "", "", be, words(text, node))
    how, asked = drawn_how(d)
    said = Said(subject, verb, predicate, (complement,))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def is_like(d: Derivation) -> Clause:
    """You look like your mother: 너는 네 어머니를 닮았다. It smells like fish: 생선 냄새가 난다."""
    sense = d.weighted(
        (("kin", 0.3), ("look", 0.2), ("smell", 0.2), ("taste", 0.15), ("sound", 0.15))
    )
    how, asked = drawn_how(d)
    node, own, like = d.node(), d.node(), d.node()
    flags = frozenset[str]()
    if sense in ("smell", "taste"):
        field, nouns = (line[0] for line in state_table(f"like {sense}s"))
        english, korean = _pair(d, field)
        noun = d.choose(nouns.split(","))
        if noun == "hand" or d.chance(0.4):
            it = d.node()
            subject = NounPhrase(words("it", it), words("그것", it), it, "3s")
        else:
            subject = owned_thing(d, noun, owned=True)
        felt = "냄새가" if sense == "smell" else "맛이"
        predicate = Predicate([Word(felt, (node, like))], "나", "", "verb", (node,))
        complement = Clause(words(english, own), words(korean, own))
        if subject.noun is not None and english.rstrip("s") in subject.noun.english:
            raise Unfit
    elif sense == "kin":
        subject = subject_of(d, frozenset({"own", "kin", "name"}), pronouns=0.75)
        whose = own_possessive(subject)
        if not whose:
            raise Unfit
        kin = noun_phrase(d, d.choose(d.lexicon.nouns("elder")), whose)
        if kin.noun == subject.noun or kin.noun is None:
            raise Unfit
        complement = Clause(kin.english, kin.marked(OBJECT))
        predicate = Predicate([], "닮", "", "verb", (node, like))
        flags = frozenset("R")
    else:
        table = state_table(f"like {sense}s")
        english, korean = _pair(d, table[0][0])
        if sense == "look":
            subject = subject_of(d, PEOPLE, pronouns=0.8)
            if subject.agreement == "p" and subject.english[0].text != "you":
                raise Unfit
        else:
            it, (this, that) = (
                d.node(),
                d.choose((("it", "그것"), ("that", "저것"), ("it", "그것"))),
            )
            subject = NounPhrase(words(this, it), words(that, it), it, "3s")
        *front, last = korean.split(" ")
        text = [*(Word(t, (own,)) for t in front), Word(last + "처럼", (own, like))]
        complement = Clause(words(english, own), text)
        predicate = endings.verb("보이" if sense == "look" else "들리", "", node)
    verb = EnglishVerb(*SENSES["look" if sense == "kin" else sense], node, words("like", like))
    said = Said(subject, verb, predicate, (complement,), flags)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def animals(d: Derivation) -> Clause:
    """Birds can fly: 새는 날 수 있다. Lions are dangerous animals: 사자는 위험한 동물이다."""
    (names,) = state_table("animal names")[0]
    korean_of = dict(entry.split(":") for entry in names.split(","))
    node, own = d.node(), d.node()
    if d.chance(0.7):
        group, english, korean = d.choose(state_table("animals do"))
        name = d.choose(group.split(","))
        subject = _joined(korean_of[name], TOPIC, own)
        if d.chance(0.15) and english.startswith("can "):
            asked = [*words("can", node), *words(name, own), *words(english[4:], node)]
            return Clause(asked, [*subject, *words(korean.removesuffix("다") + "니", node)])
        return Clause([*words(name, own), *words(english, node)], [*subject, *words(korean, node)])
    group, field = d.choose(state_table("animals are"))
    name = d.choose(group.split(","))
    english, korean = d.choose([entry.split(":") for entry in field.split(";")])
    be, kind = d.node(), d.node()
    asked_so = d.chance(0.15)
    subject = _joined(korean_of[name], TOPIC, own)
    what = [*words(english, node), *words("animals", kind)]
    last = [*words(korean, node), Word("동물이니" if asked_so else "동물이다", (kind, be))]
    start = [*words("are", be), *words(name, own)] if asked_so else [
        *words(name, own), *words("are", be)
    ]  # fmt: skip
    return Clause([*start, *what], [*subject, *last])


LEAVING = (("leave", "leaves", "left", "leaving"), ("keep", "keeps", "kept", "keeping"))


def left_so(d: Derivation) -> Clause:
    """Keep the window open: 창문을 열어 둬라. He left the light on: 그는 불을 켜 뒀다."""
    nouns, english, korean, _ = d.choose(state_table("left so"))
    thing = owned_thing(d, d.choose(nouns.split(",")), owned=False)
    node, own = d.node(), d.node()
    forms = d.choose(LEAVING)
    marked = thing.marked(OBJECT)
    put = Predicate([*marked, Word(korean, (own,))], "두", "", "verb", (node,))
    way = d.weighted((("order", 0.35), ("not", 0.2), ("past", 0.35), ("who", 0.1)))
    tail = [*thing.english, *words(english, own)]
    if way == "order":
        please = d.chance(0.3)
        polite = d.node()
        front = words("please", polite) if please else []
        asked_for = Word("둬", (node, polite)) if please else Word("둬라", (node,))
        end = [*put.before, asked_for]
        return Clause([*front, *words(forms[0], node), *tail], end)
    if way == "not":
        deny = d.node()
        front = [*words("do not", deny), *words(forms[0], node)]
        return Clause([*front, *tail], endings.prohibition(put, deny))
    if way == "who":
        who = d.node()
        last = endings.finished(put, "past", "니")
        start = [*words("who", who), *words(forms[2], node)]
        return Clause([*start, *tail], [*words("누가", who), *last])
    subject = subject_of(d, PEOPLE, pronouns=0.8)
    verb = EnglishVerb(*forms, node, tail)
    asked = d.chance(0.2) and not subject.first_person
    how = How("past", "", not asked and d.chance(0.15))
    return clause(d, Said(subject, verb, put), how, ending="니" if asked else "다", asked=asked)


OFTEN = (
    *(("always", "항상"), ("always", "항상"), ("often", "자주"), ("usually", "보통")),
    ("sometimes", "가끔"),
)


def often_so(d: Derivation) -> Clause:
    """The train is always late: 기차는 항상 늦는다. My room is often messy."""
    nouns, english, korean, kind = d.choose(state_table("often so"))
    subject = owned_thing(d, d.choose(nouns.split(",")), owned=kind == "-")
    node, be, often = d.node(), d.node(), d.node()
    adverb, text = d.choose(OFTEN)
    predicate = predicate_of(korean, kind, node, be)
    predicate = predicate._replace(before=[*words(text, often), *predicate.before])
    asked = d.chance(0.12)
    if asked:
        subject_last = [*subject.english, *words(adverb, often)]
        subject = subject._replace(english=subject_last)
        tail = words(english, node)
    else:
        tail = [*words(adverb, often), *words(english, node)]
    verb = EnglishVerb("be", "", "", "", be, tail)
    how = How("past" if d.chance(0.2) else "present")
    said = Said(subject, verb, predicate)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


LITTLE = ("a little", "a little", "a bit")
# What somebody is a little, and what a thing is.
SOMEWHAT = (
    *(("tired", "피곤하", "-"), ("hungry", "배고프", "-"), ("busy", "바쁘", "-")),
    *(("nervous", "긴장되", "v"), ("late", "늦", "r"), ("sick", "아프", "-")),
    *(("sleepy", "졸리", "-"), ("dizzy", "어지럽", "ㅂ"), ("thirsty", "목마르", "르")),
    *(("drunk", "취하", "r"), ("shy", "수줍음이 많", "-"), ("angry", "화가 나", "r")),
    *(("strange", "이상하", "-"), ("lazy", "게으르", "르"), ("surprised", "놀라", "r")),
)
FITTING = (
    *(("big", "크", "-"), ("small", "작", "-"), ("long", "길", "-"), ("short", "짧", "-")),
    *(("tight", "끼", "v"), ("expensive", "비싸", "-"), ("loose", "헐렁하", "-")),
)
CLOTHES = ("shirt", "dress", "coat", "jacket", "skirt", "pants", "shoes", "jeans", "hat", "sweater")
HARD = (("difficult", "어렵", "ㅂ"), ("easy", "쉽", "ㅂ"), ("hard", "어렵", "ㅂ"))
HARD_THINGS = ("book", "question", "test", "game", "exam", "homework", "song")


def a_little(d: Derivation) -> Clause:
    """I am a little tired: 나는 조금 피곤하다. This shirt is too big for me: 나에게 너무 크다."""
    if d.chance(0.5):
        return _too_for(d)
    node, be, little = d.node(), d.node(), d.node()
    if d.chance(0.7):
        subject = subject_of(d, PEOPLE, pronouns=0.75)
        english, korean, kind = d.choose(SOMEWHAT)
    else:
        subject = owned_thing(d, d.choose(CLOTHES), owned=True)
        english, korean, kind = d.choose(FITTING)
        if english in ("long", "short") and subject.noun in d.lexicon.nouns("hat", "shoes"):
            raise Unfit
    predicate = predicate_of(korean, kind, node, be)
    predicate = predicate._replace(before=[*words("조금", little), *predicate.before])
    tail = [*words(d.choose(LITTLE), little), *words(english, node)]
    flags = frozenset("R") if kind == "r" else frozenset[str]()
    said = Said(subject, EnglishVerb("be", "", "", "", be, tail), predicate, (), flags)
    time = adverbial(d, DAYS) if d.chance(0.15) else Clause([], [])
    how = How("past" if not time.english and d.chance(0.2) else "present")
    return clause(d, said, how, time=time)


DAYS = (Adverbial("today", "오늘"), Adverbial("now", "지금"), Adverbial("right now", "지금"))


def _too_for(d: Derivation) -> Clause:
    fitting = d.chance(0.7)
    name = d.choose(CLOTHES if fitting else HARD_THINGS)
    english, korean, kind = d.choose(FITTING if fitting else HARD)
    if name in ("hat", "shoes") and english in ("long", "short", "loose"):
        raise Unfit
    subject = owned_thing(d, name, owned=False)
    if d.chance(0.75):
        whom = object_pronoun(d, pronoun(d, 5))
    else:
        whom = known(d, choose_noun(d, frozenset({"kin"})), 0.0)
    preposition = d.node()
    complement = Clause(
        [*words("for", preposition), *whom.english], whom.marked(DATIVE, preposition)
    )
    said = stated(d, subject, english, korean, kind, degree="too")
    how = How("past" if d.chance(0.2) else "present")
    asked = d.chance(0.12)
    said = said._replace(complements=(complement,))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)
