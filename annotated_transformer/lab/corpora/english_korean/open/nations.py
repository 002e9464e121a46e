"""Germans drink beer, a Japanese car, three languages, where were you born: 독일 사람. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import person
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import being
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.questions import demonstrative
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT, SUBJECT
from annotated_transformer.lab.corpora.english_korean.open.numerals import numeral
from annotated_transformer.lab.corpora.english_korean.open.society import (
    korean_of,
    part,
    phrase,
    said,
    society_rows,
    told,
)
from annotated_transformer.lab.corpora.english_korean.open.whose import all_you_need
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    article,
    choose_noun,
    pronoun,
)
from annotated_transformer.lab.corpora.english_korean.verbs import names

UNSAID = names("family friend friends man men woman women girl girls")
PEOPLE = frozenset({"own", "kin", "relation"})


def germans(d: Derivation) -> Clause:
    """Germans drink beer: 독일 사람은 맥주를 마신다. The French are kind: 친절하다."""
    english_people, korean_people = d.choose(society_rows("peoples"))
    subject = phrase(d, english_people, korean_people, "p")
    if d.chance(0.2):
        english, korean, irregular = d.choose(society_rows("peoples are"))
        node, be = d.node(), d.node()
        predicate = endings.verb(korean, irregular.strip("-"), node, be)
        verb = EnglishVerb("be", "", "", "", be, words(english, node))
        what = Said(subject, verb, predicate._replace(kind="adjective"))
        return told(d, what, "present", asked=0.2)
    forms, korean, things = d.choose(society_rows("peoples do"))
    complements: tuple[Clause, ...] = ()
    if things != "-":
        name = d.choose(things.split(","))
        thing = phrase(d, name, korean_of("peoples things")[name])
        complements = (Clause(thing.english, thing.marked(OBJECT)),)
        if d.chance(0.25) and korean in ("먹", "마시"):
            lot = part(d, "a lot of", "많이")
            both = [*lot.english, *thing.english]
            complements = (Clause(both, [*thing.marked(OBJECT), *lot.korean]),)
    return told(d, said(d, subject, forms, korean, complements=complements), "present", asked=0.2)


def _national(d: Derivation, *, people: bool, plural: bool = False) -> NounPhrase:
    """Return "a Japanese car", 일본 자동차; "an American friend", 미국인 친구."""
    english, country, nation = d.choose(society_rows("national"))
    row = d.choose(society_rows("national people" if people else "national things"))
    single, many, korean = row[:3]
    own, node = d.node(), d.node()
    plural = plural and many != "-"
    determiner = "" if plural or many == "-" else article(english.lower())
    first = words(determiner, node) if determiner else []
    name = words(many if plural else single, node)
    return NounPhrase(
        [*first, *words(english, own), *name],
        [*words(nation if people else country, own), *words(korean, node)],
        *(node, "p" if plural else "3s"),
    )


def american_friend(d: Derivation) -> Clause:
    """I have an American friend: 나는 미국인 친구가 있다. She is a German student: 독일인 학생."""
    subject = subject_of(d, PEOPLE, pronouns=0.75)
    several = subject.agreement == "p" and subject.english[0].text != "you"
    if d.chance(0.45):
        who = _national(d, people=True, plural=several)
        if several != (who.agreement == "p") or who.english[-1].text in UNSAID:
            raise Unfit
        what = being(d, subject, who)
        return told(d, what, "present", asked=0.2)
    who = _national(d, people=True, plural=d.chance(0.3))
    kind = d.weighted((("have", 0.4), ("meet", 0.4), ("know", 0.2)))
    last = who.english[-1].text
    if kind == "have":
        if not last.startswith("friend"):
            raise Unfit
        target = (Clause(who.english, who.marked(SUBJECT)),)
        what = said(d, subject, "have has had having", "있", "A", complements=target)
        return told(d, what, "present", asked=0.25)
    forms, korean, tense = (
        ("meet meets met meeting", "만나", d.choose(("past", "past", "future")))
        if kind == "meet"
        else ("know knows knew knowing", "알", "present")
    )
    what = said(d, subject, forms, korean, complements=(Clause(who.english, who.marked(OBJECT)),))
    return told(d, what, tense, asked=0.2)


def japanese_car(d: Derivation) -> Clause:
    """I bought a Japanese car: 나는 일본 자동차를 샀다. This is a Korean song: 한국 노래다."""
    if d.chance(0.25):
        this = demonstrative(d)
        plural = this.agreement == "p"
        thing = _national(d, people=False, plural=plural)
        if plural != (thing.agreement == "p"):
            raise Unfit
        return told(d, being(d, this, thing), "present", asked=0.25)
    thing = _national(d, people=False, plural=d.chance(0.5))
    rows = {row[2]: row[3] for row in society_rows("national things")}
    verbs = {row[0].split(" ")[0]: row for row in society_rows("national verbs")}
    allowed = rows[thing.korean[-1].text]
    if allowed == "-":
        raise Unfit
    base = d.choose(allowed.split(","))
    forms, korean, irregular, tenses = verbs[base]
    if base == "like" and thing.agreement == "3s" and thing.english[0].text in ("a", "an"):
        raise Unfit
    marked = thing.marked(SUBJECT if irregular == "A" else OBJECT)
    complement = (Clause(thing.english, marked),)
    what = said(d, person(d), forms, korean, irregular, complements=complement)
    return told(d, what, d.choose(tenses.split(",")), asked=0.2, denied=0.12)


def three_languages(d: Derivation) -> Clause:
    """He speaks three languages: 그는 세 개 언어를 한다. Speak English well: 영어를 잘한다."""
    node, number = d.node(), d.node()
    if d.chance(0.2):
        which = d.weighted((("how many", 0.4), ("what", 0.6)))
        subject = pronoun(d, d.choose((1, 1, 1, 2, 3, 5)))
        if which == "how many":
            asked = [*words("몇 개", number), *words("언어를", node)]
            name = "languages"
        else:
            asked, name = [*words("어떤", number), *words("언어를", node)], "languages"
            which = d.choose(("what", "which"))
            name = d.choose(("language", "languages"))
        question = Clause([*words(which, number), *words(name, node)], asked)
        what = said(d, subject, "speak speaks spoke speaking", "하")
        return clause(d, what, How("present"), ending="니", asked=True, question=question)
    subject = person(d)
    if d.chance(0.4):
        count = 2 + int(d.random.random() * 6)
        typed, korean = numeral(d, count, "개", number, number)
        thing = Clause([*typed, *words("languages", node)], [*korean, *words("언어를", node)])
        what = said(d, subject, "speak speaks spoke speaking", "하", complements=(thing,))
        return told(d, what, "present", modal="can" if d.chance(0.3) else "", asked=0.15)
    language = choose_noun(d, frozenset({"language", "English", "Korean"}))
    if language.english == "Latin":
        raise Unfit
    how, korean_how, _ = d.choose(society_rows("spoken how"))
    tongue = phrase(d, language.english, language.korean)
    way = part(d, how, korean_how)
    before = how.startswith(("at", "in ", "every"))
    marked = tongue.marked(OBJECT)
    both = [*way.korean, *marked] if before else [*marked, *way.korean]
    english = [*tongue.english, *way.english]
    if how == "a little":
        english = [*way.english, *tongue.english] if d.chance(0.5) else english
    complement = Clause(english, both)
    what = said(d, subject, "speak speaks spoke speaking", "하", complements=(complement,))
    denied = 0.0 if how in ("a little", "every day") else 0.12
    return told(d, what, "present", asked=0.2, denied=denied)


def where_born(d: Derivation) -> Clause:
    """Where were you born?: 너는 어디에서 태어났니. She was born in a small town: 작은 마을에서."""
    subject = subject_of(d, PEOPLE, pronouns=0.7)
    node, be = d.node(), d.node()
    verb = EnglishVerb("be", "", "", "", be, words("born", node))
    predicate = Predicate([], "태어나", "", "verb", (node, be))
    if d.chance(0.5):
        asked = d.node()
        word, korean = d.choose((("where", "어디에서"), ("when", "언제"), ("where", "어디에서")))
        question = Clause(words(word, asked), words(korean, asked))
        what = Said(subject, verb, predicate)
        return clause(d, what, How("past"), ending="니", asked=True, question=question)
    there = part(d, *d.choose(society_rows("born")))
    return told(d, Said(subject, verb, predicate, (there,)), "past", asked=0.2)


def is_all_you_need(d: Derivation) -> Clause:
    """Is attention all you need?: 필요한 것은 어텐션뿐이니."""
    made = all_you_need(d)
    texts = [word.text for word in made.english]
    if texts[0] == "all":
        raise Unfit
    place = texts.index("is")
    english = [made.english[place], *made.english[:place], *made.english[place + 1 :]]
    *head, last = made.korean
    return Clause(english, [*head, Word(last.text.removesuffix("다") + "니", last.nodes)])


def which_bus(d: Derivation) -> Clause:
    """Which bus goes to the airport?: 어느 버스가 공항에 가니. Which bus should I take."""
    which, node = d.node(), d.node()
    if d.chance(0.25):
        english, korean, forms, stem = d.choose(society_rows("ride which"))
        if korean.startswith("호선"):
            raise Unfit
        subject = pronoun(d, d.choose((0, 0, 0, 4, 1)))
        question = Clause(
            [*words("which", which), *words(english, node)],
            [*words("어느", which), *words(korean, node)],
        )
        what = said(d, subject, forms, stem)
        how = How("present", d.choose(("should", "should", "must", "have", "can")))
        if how.modal in ("must", "can"):
            raise Unfit
        return clause(d, what, how, ending="니", asked=True, question=question)
    english, korean, kind = d.choose(society_rows("which does"))
    forms, stem = d.choose(society_rows(f"which {kind}"))
    subject = NounPhrase(
        [*words("which", which), *words(english, node)],
        [*words("어느", which), *words(korean, node)],
        *(node, "3s"),
    )
    tense = "past" if kind == "wins" or d.chance(0.15) else d.choose(("present", "present"))
    if kind == "wins" and d.chance(0.35):
        tense = "future"
    if "exam" in forms or "window" in forms:
        tense = "past"
    what = said(d, subject, forms, stem)
    return clause(d, what, How(tense), ending="니", particle=SUBJECT)


def how_much_of(d: Derivation) -> Clause:
    """How much water do you drink?: 너는 물을 얼마나 마시니. How many hours do you sleep."""
    if d.chance(0.75):
        subject = pronoun(d, d.choose((1, 1, 1, 0, 2, 3, 4, 5)))
    else:
        subject = subject_of(d, frozenset({"kin"}), pronouns=0.0)
    much, node = d.node(), d.node()
    if d.chance(0.35):
        time = EMPTY
        forms, korean = d.choose(society_rows("how long does"))
        unit, korean_unit = d.choose((("hours", "몇 시간"), ("hours", "몇 시간"), ("days", "며칠")))
        if unit == "days" and korean not in ("일하", "공부하", "운동하", "기다리", "연습하"):
            raise Unfit
        asked = [*words("how many", much), *words(unit, node)]
        *first, last = korean_unit.split(" ")
        counted = [*(Word(text, (much,)) for text in first), Word(last, (node, much))]
        question = Clause(asked, counted)
        what = said(d, subject, forms, korean, "ㄷ" if korean == "걷" else "-")
        tense = d.choose(("present", "past", "past"))
        if unit == "hours" and tense == "present":
            time = part(d, "a day", "하루에") if d.chance(0.4) else EMPTY
        elif unit == "days" and tense == "present":
            time = part(d, "a week", "일주일에")
        return clause(d, what, How(tense), ending="니", asked=True, question=question, time=time)
    english, korean, forms, stem, particle = d.choose(society_rows("how much of"))
    irregular = "A" if particle == "A" else "-"
    what = said(d, subject, forms, stem, irregular)
    marked = phrase(d, english, korean).marked(SUBJECT if particle == "A" else OBJECT)
    thing = [Word(word.text, (node,)) for word in marked]
    inner = what.korean.before
    what = what._replace(korean=what.korean._replace(before=[]))
    question = Clause(
        [*words("how much", much), *words(english, node)],
        [*inner, *thing, *words("얼마나", much)],
    )
    tense = "present" if irregular == "A" or d.chance(0.4) else "past"
    if irregular != "A" and d.chance(0.1):
        tense = "future"
    return clause(d, what, How(tense), ending="니", asked=True, question=question)
