"""How things are: the door is open, my room is a mess, the curtains are dark blue. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import DAYS, Adverbial
from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY, adverbial
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.calendar import COLORS
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import (
    SUBJECT,
    TOPIC,
    WITH,
    adnominal,
    attach,
)
from annotated_transformer.lab.corpora.english_korean.open.stated import (
    NOW,
    PARTICLES,
    THEN,
    drawn_how,
    options,
    owned_thing,
    predicate_of,
    state_table,
    stated,
    told,
)
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, article

UNGRADED = ("a mess", "dead", "free", "on sale", "for sale", "raw")
ONCE = ("over", "finished", "taken", "canceled", "cancelled", "expired", "free")


def thing_so(d: Derivation) -> Clause:
    """The door is open: 문이 열려 있다. My room is a mess: 내 방은 엉망이다."""
    nouns, english, korean, kind, marked = d.choose(state_table("things so"))
    subject = owned_thing(d, d.choose(nouns.split(",")), owned="o" in marked)
    how, asked = drawn_how(d)
    degree = still = ""
    if english not in UNGRADED and kind in ("-", "ㅂ", "v") and "아주" not in korean:
        degree = d.choose(("", "", "", "very", "so", "too"))
    if english == "tight" and degree:
        korean = "끼"
    if degree and how.negated:
        raise Unfit
    if kind == "s" and not how.negated and d.chance(0.1):
        still = "아직"
    said = stated(d, subject, english, korean, kind, degree=degree, still=still)
    if english == "on time" and how.tense == "past":
        kind = "r"
    fixed = still or degree or english in ONCE or kind[0] not in "sr"
    now = (NOW[0], NOW[3]) if kind[0] == "r" else NOW
    return told(
        *(d, said, how),
        asked=asked,
        particle=PARTICLES[marked[0]],
        timed=0.0 if english in ONCE else 0.15,
        again=0.0 if fixed or asked else 0.1,
        times=(now, THEN),
    )


def open_on(d: Derivation) -> Clause:
    """The shop is closed on Sunday: 가게는 일요일에 문을 닫는다."""
    (names,) = d.choose(state_table("shut"))
    subject = owned_thing(d, d.choose(names.split(",")), owned=False)
    english, stem = d.choose((("open", "열"), ("closed", "닫"), ("closed", "닫")))
    node, be = d.node(), d.node()
    predicate = endings.verb("문을 " + stem, "", node, be)
    said = Said(subject, EnglishVerb("be", "", "", "", be, words(english, node)), predicate)
    how, asked = drawn_how(d, past=0.0)
    return clause(
        *(d, said, how),
        ending="니" if asked else "다",
        asked=asked,
        time=adverbial(d, WEEKLY),
    )


WEEKLY = (
    *(Adverbial(f"on {day}", f"{korean}에") for day, korean in DAYS.items()),
    *(Adverbial(f"on {day}s", f"{korean}마다") for day, korean in DAYS.items()),
    *(Adverbial("on weekends", "주말마다"), Adverbial("on the weekend", "주말에")),
    *(Adverbial("at night", "밤에"), Adverbial("on holidays", "공휴일에")),
    *(Adverbial("every Monday", "월요일마다"), Adverbial("every Sunday", "일요일마다")),
    *(Adverbial("in the morning", "아침에"), Adverbial("tomorrow", "내일")),
)
SHADES = {"dark": "짙은", "light": "연한", "bright": "밝은"}
# Before a noun.
COLORED = {
    **{"red": "빨간", "blue": "파란", "yellow": "노란", "white": "하얀", "black": "검은"},
    **{"green": "초록색", "pink": "분홍색", "brown": "갈색", "gray": "회색"},
    **{"purple": "보라색", "orange": "주황색"},
}
OWNERS = {"mine": "내", "yours": "네", "his": "그의", "hers": "그녀의"}
QUALITIES = (
    *(("new", "새것", "c"), ("expensive", "비싸", "-"), ("cheap", "싸", "-")),
    *(("pretty", "예쁘", "-"), ("beautiful", "아름답", "ㅂ"), ("old", "오래되", "r")),
    *(("too small", "너무 작", "-"), ("too big", "너무 크", "-"), ("dirty", "더럽", "ㅂ")),
    *(("nice", "좋", "-"), ("clean", "깨끗하", "-"), ("really pretty", "정말 예쁘", "-")),
)


def in_color(d: Derivation) -> Clause:
    """The curtains are dark blue: 커튼은 짙은 파란색이다. It is blue and white."""
    (names,) = d.choose(state_table("colored"))
    subject = owned_thing(d, d.choose(names.split(",")), owned=True)
    english, korean = d.choose(tuple(COLORS.items()))
    node, be, own = d.node(), d.node(), d.node()
    tail, before = words(english, node), []
    way = d.weighted((("one", 0.55), ("shade", 0.25), ("two", 0.2)))
    if way == "shade":
        if english in ("white", "black", "orange") or (english, korean)[0] == "gray":
            raise Unfit
        shade = d.choose(tuple(SHADES))
        tail, before = [*words(shade, own), *tail], words(SHADES[shade], own)
    elif way == "two":
        other, text = d.choose(tuple(COLORS.items()))
        if other == english:
            raise Unfit
        second = d.node()
        tail = [*tail, *words("and", own), *words(other, second)]
        before = [Word(attach(korean, WITH), (node, own))]
        korean, node = text, second
    predicate = Predicate(before, korean, "", "copula", (node, be))
    said = Said(subject, EnglishVerb("be", "", "", "", be, tail), predicate, kind="quality")
    how, asked = drawn_how(d, past=0.15, negated=0.1)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def colored_thing(d: Derivation) -> Clause:
    """The red car is mine: 빨간 자동차는 내 것이다. I have a yellow umbrella."""
    (names,) = d.choose(state_table("colored plain"))
    name = d.choose(names.split(","))
    noun = d.choose([n for n in d.lexicon.nouns(name) if n.english == name])
    english, korean = d.choose(tuple(COLORED.items()))
    node, color = d.node(), d.node()
    described = [*words(english, color), *words(noun.english, node)]
    text = [*words(korean, color), *words(noun.korean, node)]
    agreement = "p" if noun.plural_only else "3s"
    if d.chance(0.45):
        return _having(d, NounPhrase(described, text, node, agreement, noun))
    determiner = "the" if noun.plural_only or d.chance(0.6) else d.choose(("this", "that"))
    own = node if determiner == "the" else d.node()
    front = {"the": [], "this": words("이", own), "that": words("저", own)}[determiner]
    subject = NounPhrase(
        [*words(determiner, own), *described], [*front, *text], node, agreement, noun
    )
    how, asked = drawn_how(d, past=0.12)
    if d.chance(0.4):
        owner = d.choose(tuple(OWNERS))
        whose, be = d.node(), d.node()
        predicate = Predicate(words(OWNERS[owner], whose), "것", "", "copula", (whose, be))
        said = Said(subject, EnglishVerb("be", "", "", "", be, words(owner, whose)), predicate)
    else:
        quality, stem, kind = d.choose(QUALITIES)
        said = stated(d, subject, quality, stem, kind)
        if how.negated and kind == "r":
            raise Unfit
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


HAVING = (
    ("have", "has", "had", "having", "있", "adjective"),
    ("have", "has", "had", "having", "있", "adjective"),
    ("want", "wants", "wanted", "wanting", "원하", "verb"),
    ("need", "needs", "needed", "needing", "필요하", "adjective"),
    ("buy", "buys", "bought", "buying", "사", "verb"),
    ("like", "likes", "liked", "liking", "좋아하", "verb"),
)


def _having(d: Derivation, thing: NounPhrase) -> Clause:
    base, third, past, ing, stem, kind = d.choose(HAVING)
    subject = subject_of(d, frozenset({"own", "kin"}), pronouns=0.75)
    own = "this" if base == "like" else "a"
    if thing.agreement == "p":
        own = "these" if base == "like" else ""
    node = d.node()
    first = article(thing.english[0].text) if own == "a" else own
    english = [*(words(first, node if base == "like" else thing.node) if own else [])]
    korean = [*(words("이", node) if base == "like" else []), *thing.korean]
    whole = thing._replace(english=[*english, *thing.english], korean=korean)
    particle = SUBJECT if kind == "adjective" else ("을", "를")
    verb = d.node()
    said = Said(
        *(subject, EnglishVerb(base, third, past, ing, verb, [])),
        Predicate([], stem, "", kind, (verb,)),
        (Clause(whole.english, whole.marked(particle)),),
    )
    tense = "past" if base == "buy" or d.chance(0.2) else "present"
    asked = d.chance(0.15) and not subject.first_person
    how = How(tense, "", not asked and d.chance(0.1))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


UNTIMED = ("the nights", "the days", "the night", "spring", "summer", "fall", "winter")
SEEN_ABOVE = ("the stars", "the waves", "the night", "the nights", "the days", "the storm")
WHERE = (
    *(("here", "여기 있는", "여기에"), ("in this store", "이 가게에 있는", "이 가게에")),
    ("in this room", "이 방에 있는", "이 방에"),
)


def everything_so(d: Derivation) -> Clause:
    """Everything is expensive here, nothing is free: 여기 있는 모든 것이 비싸다, 없다."""
    english, korean, kind = d.choose(state_table("everything"))
    way = d.weighted((("every", 0.5), ("no", 0.3), ("not every", 0.2)))
    node, be, all_ = d.node(), d.node(), d.node()
    tense = "past" if d.chance(0.3) else "present"
    where, among = EMPTY, EMPTY
    if d.chance(0.2) and english not in ("over", "gone", "cold", "possible", "true", "ready"):
        there, that, of = d.choose(WHERE)
        place = d.node()
        where = Clause(words(there, place), words(that, place))
        among = Clause([], words(of, place))
    head = words("was" if tense == "past" else "is", be)
    predicate = predicate_of(korean, kind, node, be)
    time = "past" if kind[0] == "r" else tense
    if way == "every":
        asked = d.chance(0.15)
        last = endings.finished(predicate, time, "니" if asked else "다")
        subject = words("everything", all_)
        start = [*head, *subject] if asked else [*subject, *head]
        return Clause(
            [*start, *words(english, node), *where.english],
            [*where.korean, Word("모든", (all_,)), Word("것이", (all_,)), *last],
        )
    if english in ("over", "gone", "the same", "dark", "quiet", "wrong"):
        raise Unfit
    form = [*predicate.before, Word(_before_noun(predicate, kind), predicate.nodes)]
    if way == "no":
        ending = "없었다" if tense == "past" else "없다"
        return Clause(
            [*words("nothing", all_), *head, *words(english, node), *where.english],
            [*among.korean, *form, Word("것은", (all_,)), Word(ending, (all_, be))],
        )
    deny = d.node()
    every = words("not everything", all_)
    ending = "아니었다" if tense == "past" else "아니다"
    return Clause(
        [*every, *head, *words(english, node), *where.english],
        [
            *(*where.korean, Word("모든", (all_,)), Word("것이", (all_,)), *form),
            *(Word("것은", (deny, all_)), Word(ending, (be, all_))),
        ],
    )


def _before_noun(p: Predicate, kind: str) -> str:
    if kind == "c":
        return p.stem + "인"
    tense = "past" if kind[0] == "r" else "present"
    return adnominal(p.stem, tense, p.irregular, is_adjective=kind[0] not in "sr" or kind[0] == "-")


def sky_so(d: Derivation) -> Clause:
    """The stars are bright tonight: 오늘 밤 별이 밝다."""
    english, korean, field = d.choose(state_table("heavenly"))
    said_english, stem, kind = d.choose(options(field))
    own = d.node()
    agreement = "p" if english.endswith("s") or "people" in english else "3s"
    subject = NounPhrase(words(english, own), words(korean, own), own, agreement)
    how, asked = drawn_how(d)
    extreme = said_english in ("great", "delicious", "terrible")
    degree = "" if kind in "scr" or extreme or how.negated else d.choose(("", "", "very", "so"))
    said = stated(d, subject, said_english, stem, kind, degree=degree)
    nightly = english in ("the moon", "the stars")
    now = Adverbial("tonight", "오늘 밤") if nightly else Adverbial("today", "오늘")
    then = Adverbial("last night", "어젯밤에") if nightly else Adverbial("yesterday", "어제")
    timed = 0.0 if english in UNTIMED or kind == "r" else 0.4
    particle = SUBJECT if english in SEEN_ABOVE or kind == "r" else TOPIC
    times = ((now,), (then,))
    return told(d, said, how, asked=asked, particle=particle, timed=timed, times=times)
