"""What does it mean, what is he like, a student or a teacher, whose turn is it. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import (
    OBJECT,
    SUBJECT,
    TOPIC,
    WITH,
    with_copula,
)
from annotated_transformer.lab.corpora.english_korean.open.society import (
    phrase,
    said,
    society_rows,
    told,
)
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    article,
    choose_noun,
    noun_phrase,
    pronoun,
)

PEOPLE = frozenset({"own", "kin", "relation"})
BOOKISH = frozenset({"more interesting", "more difficult", "easier", "longer"})
THIS = (("it", "그것"), ("it", "그것"), ("this", "이것"), ("that", "저것"))
OWNERS = (("my", "내"), ("your", "네"), ("his", "그의"), ("her", "그녀의"), ("their", "그들의"))


def what_means(d: Derivation) -> Clause:
    """What does this word mean?: 이 단어는 무슨 뜻이니."""
    subject = phrase(d, *d.choose(society_rows("meaning")))
    if d.chance(0.5):
        kinds = frozenset({"drink", "dish", "study", "own"})
        noun = choose_noun(d, kinds)
        if noun.plural:
            raise Unfit
        subject = phrase(d, noun.english, noun.korean)
    node, verb = d.node(), d.node()
    was = d.chance(0.1)
    english = [*words("what", node), *words("did" if was else "does", verb), *subject.english]
    korean = [*words("무슨", node), *words("뜻이었니" if was else "뜻이니", verb)]
    return Clause([*english, *words("mean", verb)], [*subject.marked(TOPIC), *korean])


def look_like(d: Derivation) -> Clause:
    """What does she look like?: 그녀는 어떻게 생겼니. What is he like?: 그는 어떤 사람이니."""
    subject = subject_of(d, PEOPLE, pronouns=0.45)
    if subject.first_person or subject.english[0].text in ("you", "everyone"):
        raise Unfit
    node, verb = d.node(), d.node()
    single = subject.agreement == "3s"
    if d.chance(0.55):
        do = words("does" if single else "do", verb)
        english = [*words("what", node), *do, *subject.english, *words("look like", verb)]
        korean = [*words("어떻게", node), *words("생겼니", verb)]
    else:
        was = d.chance(0.15)
        be = ("was" if single else "were") if was else ("is" if single else "are")
        english = [*words("what", node), *words(be, verb), *subject.english, *words("like", verb)]
        korean = [*words("어떤", node), *words("사람이었니" if was else "사람이니", verb)]
    return Clause(english, [*subject.marked(TOPIC), *korean])


def what_makes(d: Derivation) -> Clause:
    """What makes you happy?: 무엇이 너를 행복하게 하니. Music makes me happy: 음악은 나를."""
    adjective, korean = d.choose(society_rows("makes"))
    node = d.node()
    asked = d.chance(0.4)
    if asked:
        subject = NounPhrase(words("what", node), words("무엇", node), node, "3s")
        whom = pronoun(d, d.choose((1, 1, 1, 2, 3, 5)), is_object=True)
    else:
        subject = phrase(d, *d.choose(society_rows("makers")))
        whom = pronoun(d, d.choose((0, 0, 1, 2, 3, 4, 5)), is_object=True)
        if whom.english[0].text == "you" and subject.english[0].text == "your":
            raise Unfit
    verb, how = d.node(), d.node()
    goal = Clause(
        [*whom.english, *words(adjective, how)], [*whom.marked(OBJECT), *words(korean, how)]
    )
    forms = EnglishVerb("make", "makes", "made", "making", verb, [])
    what = Said(subject, forms, endings.verb("하", "", verb), (goal,))
    tense = "past" if d.chance(0.25) else "present"
    if asked:
        return clause(d, what, How(tense), ending="니", particle=SUBJECT)
    return told(d, what, tense, asked=0.15, denied=0.15)


def whose_turn(d: Derivation) -> Clause:
    """Whose turn is it?: 누구의 차례니. Whose idea was that?: 저것은 누구의 생각이었니."""
    thing, korean = d.choose(society_rows("whose"))
    whose, node, be = d.node(), d.node(), d.node()
    was = d.chance(0.25)
    last = Word(with_copula(korean, "었니" if was else "니"), (node, be))
    head = [*words("whose", whose), *words(thing, node), *words("was" if was else "is", be)]
    if thing in ("turn", "fault", "birthday"):
        return Clause([*head, *words("it", be)], [*words("누구의", whose), last])
    this = phrase(d, *d.choose(THIS))
    return Clause([*head, *this.english], [*this.marked(TOPIC), *words("누구의", whose), last])


def know_name(d: Derivation) -> Clause:
    """Do you know her name?: 너는 그녀의 이름을 아니. I forgot his address: 그의 주소를 잊었다."""
    thing, korean = d.choose(society_rows("known things"))
    whose, korean_whose = d.choose(OWNERS)
    subject = pronoun(d, d.choose((1, 1, 0, 0, 2, 3, 5)))
    who = subject.english[0].text
    same = {"I": "my", "he": "his", "she": "her", "they": "their", "you": "your"}
    base = d.choose(("know", "know", "know", "remember", "forget"))
    if same.get(who) == whose:
        raise Unfit
    own, node = d.node(), d.node()
    target = NounPhrase(
        [*words(whose, own), *words(thing, node)],
        [*words(korean_whose, own), *words(korean, node)],
        *(node, "3s"),
    )
    forms, stem, tense = {
        "know": ("know knows knew knowing", "알", "present"),
        "remember": ("remember remembers remembered remembering", "기억하", "present"),
        "forget": ("forget forgets forgot forgetting", "잊어버리", "past"),
    }[base]
    if base != "know" and thing == "parents":
        raise Unfit
    goal = (Clause(target.english, target.marked(OBJECT)),)
    what = said(d, subject, forms, stem, complements=goal)
    if base == "remember":
        what = what._replace(flags=frozenset("n"))
    asked = 0.7 if who == "you" else 0.2
    return told(d, what, tense, asked=asked, denied=0.3 if base != "forget" else 0.0)


def student_or_teacher(d: Derivation) -> Clause:
    """Is he a student or a teacher?: 그는 학생이니 선생님이니. Do you like dogs or cats?."""
    or_, left, right, verb = d.node(), d.node(), d.node(), d.node()
    if d.chance(0.45):
        one, two, korean, korean_two = d.choose(society_rows("or people"))
        subject = subject_of(d, PEOPLE, pronouns=0.75)
        if subject.agreement == "p" and subject.english[0].text != "you":
            raise Unfit
        be = "are" if subject.english[0].text == "you" else "is"
        if subject.english[0].text == "I":
            raise Unfit
        english = [
            *words(be, verb),
            *subject.english,
            *words(f"{article(one)} {one}", left),
            *words("or", or_),
            *words(f"{article(two)} {two}", right),
        ]
        first = Word(with_copula(korean, "니"), (left, verb))
        second = Word(with_copula(korean_two, "니"), (right, verb, or_))
        return Clause(english, [*subject.marked(TOPIC), first, second])
    one, two, korean, korean_two, kind = d.choose(society_rows("or"))
    first_thing, second_thing = phrase(d, one, korean), phrase(d, two, korean_two)
    subject = pronoun(d, d.choose((1, 1, 1, 1, 2, 3, 5)))
    do = "does" if subject.agreement == "3s" else "do"
    if d.chance(0.5):
        which = d.node()
        base = d.choose(("prefer", "like better", "like more"))
        asked = [*words(base, verb)]
        if d.chance(0.8):
            asked[-1] = Word(asked[-1].text + ",", asked[-1].nodes)
        head = [*words("which", which), *words(do, verb), *subject.english, *asked]
        both = [*first_thing.marked(WITH, or_), *second_thing.korean, *words("중", or_)]
        last = [*words("어느 것을", which), *words("더 좋아하니", verb)]
        return Clause(
            [*head, *first_thing.english, *words("or", or_), *second_thing.english],
            [*subject.marked(TOPIC), *both, *last],
        )
    base = "like" if kind == "like" or d.chance(0.4) else "want"
    stem = "좋아하니" if base == "like" else "원하니"
    english = [
        *words(do, verb),
        *subject.english,
        *words(base, verb),
        *first_thing.english,
        *words("or", or_),
        *second_thing.english,
    ]
    korean_words = [
        *subject.marked(TOPIC),
        *first_thing.marked(OBJECT),
        *words(stem, verb),
        *second_thing.marked(OBJECT),
        Word(stem, (verb, or_)),
    ]
    return Clause(english, korean_words)


def who_is_taller(d: Derivation) -> Clause:
    """Who is taller, Tom or Anna?: 톰과 안나 중 누가 더 키가 크니."""
    english, korean, irregular, kind = d.choose(society_rows("or more"))
    asked, be, or_, more = d.node(), d.node(), d.node(), d.node()
    if kind == "people":
        first = noun_phrase(d, d.choose(d.lexicon.nouns("name")), "")
        second = noun_phrase(d, d.choose(d.lexicon.nouns("name")), "")
        if first.noun == second.noun:
            raise Unfit
        if d.chance(0.3):
            second = pronoun(d, 1)
        who, korean_who = "who", [*words("누가", asked)]
    else:
        one, two, korean_one, korean_two = d.choose(society_rows("or things"))
        first, second = phrase(d, one, korean_one), phrase(d, two, korean_two)
        if english in BOOKISH and "book" not in one and not one.startswith("this"):
            raise Unfit
        if english in BOOKISH and one.split(" ")[-1] in ("car", "bag", "house"):
            raise Unfit
        who, korean_who = "which", [*words("어느", asked), *words("것이", asked)]
    predicate = endings.verb(korean, irregular.strip("-"), more, be)
    last = endings.finished(predicate._replace(kind="adjective"), "present", "니")
    comma = "," if d.chance(0.8) else ""
    head = words(english, more)
    head[-1] = Word(head[-1].text + comma, head[-1].nodes)
    return Clause(
        [
            *words(who, asked),
            *words("is", be),
            *head,
            *first.english,
            *words("or", or_),
            *second.english,
        ],
        [
            *first.marked(WITH, or_),
            *second.korean,
            *words("중", or_),
            *korean_who,
            *words("더", more),
            *last,
        ],
    )


def times_a_week(d: Derivation) -> Clause:
    """How many times a week do you exercise?: 너는 일주일에 몇 번 운동하니."""
    forms, korean = d.choose(society_rows("times per"))
    yours = forms.endswith(("him", "her", "them", "me")) or "your" in forms
    subject = pronoun(d, 1 if yours else d.choose((1, 1, 1, 2, 3, 5)))
    many, per = d.node(), d.node()
    span, korean_span = d.choose(
        (("a week", "일주일에"), ("a day", "하루에"), ("a month", "한 달에"), ("a year", "일 년에"))
    )
    question = Clause(
        [*words("how many times", many), *words(span, per)],
        [*words(korean_span, per), *words("몇", many), *words("번", many)],
    )
    what = said(d, subject, forms, korean)
    return clause(d, what, How("present"), ending="니", asked=True, question=question)


def first_time(d: Derivation) -> Clause:
    """Is this your first time in Korea?: 너는 한국이 처음이니."""
    there, korean = "here", "여기가"
    if d.chance(0.85):
        city = d.choose(d.lexicon.nouns("city"))
        name = NounPhrase([], words(city.korean, 0), 0, "3s").marked(SUBJECT)
        there, korean = f"in {city.english}", " ".join(word.text for word in name)
    be, own, place, deny = d.node(), d.node(), d.node(), d.node()
    whose, topic = d.choose((("your", "너는"), ("my", "나는"), ("his", "그는"), ("her", "그녀는")))
    asked = whose == "your" or (whose != "my" and d.chance(0.3))
    head = [*words("this", be), *words("is", be)]
    rest = [*words(whose, own), *words("first time", be), *words(there, place)]
    before = [*words(topic, own), *words(korean, place)]
    if not asked and d.chance(0.3):
        last = [*words("처음이", be), Word("아니다", (be, deny))]
        return Clause([*head, *words("not", deny), *rest], [*before, *last])
    english = [*(reversed(head) if asked else head), *rest]
    return Clause(english, [*before, *words("처음이니" if asked else "처음이다", be)])
