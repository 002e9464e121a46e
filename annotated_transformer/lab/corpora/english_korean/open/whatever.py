"""I cannot believe what he said, this is what I want, what she did was wrong: 그가 한 말. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import person
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known
from annotated_transformer.lab.corpora.english_korean.morphology import (
    OBJECT,
    SUBJECT,
    TOPIC,
    adnominal,
)
from annotated_transformer.lab.corpora.english_korean.natural import itself
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun

# Present, third, past and tail; stem, tense of the Korean, its noun, and the verbs that go with it.
TOLD = (
    ("say says said", "하", "past", "말"),
    ("say says said", "하", "past", "말"),
    ("say says said", "하", "past", "말"),
    ("tell tells told me", "나에게 하", "past", "말"),
    ("do does did", "하", "past", "일"),
    ("do does did", "하", "past", "일"),
    ("write writes wrote", "쓰", "past", "것"),
    ("buy buys bought", "사", "past", "것"),
    ("make makes made", "만들", "past", "것"),
    ("cook cooks cooked", "요리하", "past", "것"),
    ("see sees saw", "보", "past", "것"),
    ("hear hears heard", "듣", "past", "것"),
    ("find finds found", "찾", "past", "것"),
    ("want wants wanted", "원하", "present", "것"),
    ("need needs needed", "필요하", "present", "것"),
)


def what_said(d: Derivation, outer: NounPhrase | None, nouns: tuple[str, ...]) -> NounPhrase:
    """Return "what he said", 그가 한 말."""
    forms, korean, tense, noun = d.choose([row for row in TOLD if row[3] in nouns])
    other = itself(person(d), outer)
    first = other.english[0].text
    if first == "everyone":
        raise Unfit
    if other.noun is not None and outer is not None and outer.noun == other.noun:
        raise Unfit
    if other.first_person and "me" in forms.split(" "):
        raise Unfit
    base, third, past, *rest = forms.split(" ")
    form = past if tense == "past" else third if other.agreement == "3s" else base
    what, act, me = d.node(), d.node(), d.node()
    *before, stem = korean.split(" ")
    is_adjective = stem == "필요하"
    last = adnominal(stem, tense, "ㄷ" if stem == "듣" else "", is_adjective=is_adjective)
    english = [
        *words("what", what),
        *other.english,
        Word(form, (act,)),
        *(Word(t, (me,)) for t in rest),
    ]
    around = [Word(text, (me,)) for text in before]
    return NounPhrase(
        english,
        [*other.marked(SUBJECT), *around, Word(last, (act,)), Word(noun, (what,))],
        what,
        "3s",
    )


BELIEVING = (
    ("believe believes believed", "믿", "말"),
    ("believe believes believed", "믿", "말"),
    ("understand understands understood", "이해하", "말"),
    ("understand understands understood", "이해하", "말"),
    ("like likes liked", "좋아하", "것"),
    ("like likes liked", "좋아하", "말"),
    ("hate hates hated", "싫어하", "일"),
    ("forget forgets forgot", "잊어버리", "말"),
    ("hear hears heard", "듣", "말"),
)
TRUE = (
    ("true", "사실이", "copula", "말"),
    ("wrong", "틀렸", "R", "말"),
    ("right", "맞", "adjective", "말"),
    ("important", "중요하", "adjective", "말"),
    ("important", "중요하", "adjective", "일"),
    ("great", "훌륭하", "adjective", "일"),
    ("interesting", "흥미롭", "adjective", "말"),
    ("dangerous", "위험하", "adjective", "일"),
)


def what_he_said(d: Derivation) -> Clause:
    """I cannot believe what he said: 나는 그가 한 말을 믿을 수 없다. That is what I want."""
    kind = d.weighted((("object", 0.6), ("this", 0.25), ("subject", 0.15)))
    node = d.node()
    if kind == "this":
        this, korean = d.choose((("this", "이것"), ("that", "그것")))
        own = d.node()
        phrase = what_said(d, None, ("것",))
        subject = NounPhrase(words(this, own), words(korean, own), own, "3s")
        last = phrase.korean[-1]
        predicate = Predicate(phrase.korean[:-1], last.text, "", "copula", (*last.nodes, node))
        said = Said(subject, EnglishVerb("be", "", "", "", node, phrase.english), predicate)
        asked = d.chance(0.2)
        how = How("present", "", not asked and d.chance(0.2))
        if asked and phrase.english[1].text == "I":
            raise Unfit
        return clause(
            d,
            said,
            how,
            ending="니" if asked else "다",
            particle=SUBJECT if not how.negated and not asked else TOPIC,
            asked=asked,
        )
    if kind == "subject":
        english, korean, form, noun = d.choose(TRUE)
        phrase = what_said(d, None, (noun,))
        was = d.chance(0.4)
        if form == "copula":
            predicate = Predicate([], "사실", "", "copula", (node, node))
        elif form == "R":
            predicate = Predicate([], "틀리", "", "verb", (node,))
        else:
            predicate = Predicate([], korean, "ㅂ" if korean.endswith("롭") else "", form, (node,))
        flags = frozenset("R" if form == "R" else "")
        be = EnglishVerb("be", "", "", "", node, words(english, node))
        said = Said(phrase, be, predicate, (), flags)
        return clause(d, said, How("past" if was else "present", "", form != "R" and d.chance(0.2)))
    forms, stem, noun = d.choose(BELIEVING)
    subject = person(d)
    phrase = what_said(d, subject, (noun,))
    if phrase.english[1].text == subject.english[0].text and d.chance(0.8):
        raise Unfit
    base, third, past = forms.split(" ")
    able = base in ("believe", "understand") and d.chance(0.5)
    verb = EnglishVerb(base, third, past, "", node, [])
    irregular = "ㄷ" if stem == "듣" else ""
    predicate = Predicate([], stem, irregular, "verb", (node,))
    flags = frozenset("n" if base == "understand" else "")
    said = Said(subject, verb, predicate, (Clause(phrase.english, phrase.marked(OBJECT)),), flags)
    asked = subject.english[0].text == "you" and d.chance(0.6)
    if able:
        return (
            clause(d, said, How("past" if d.chance(0.2) else "present", "can", True))
            if not asked
            else clause(d, said, How("present", "can"), ending="니", asked=True)
        )
    tense = "past" if base in ("forget", "hear") else d.choose(("present", "present", "past"))
    how = How(tense, "", not asked and d.chance(0.4) and base != "forget")
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


FOR = "위한"


def for_you(d: Derivation) -> Clause:
    """Those flowers are for you: 저 꽃은 너를 위한 것이다. A gift for my mother: 선물."""
    kind = d.weighted((("these", 0.5), ("is", 0.2), ("gift", 0.3)))
    node, be, whom = d.node(), d.node(), _whom(d)
    marked = [*whom.marked(OBJECT), Word(FOR, (node,))]
    rest = [*words("for", node), *whom.english]
    asked = d.chance(0.22)
    how = How("past" if d.chance(0.1) else "present", "", not asked and d.chance(0.15))
    ending = "니" if asked else "다"
    if kind == "gift":
        own, this_node = d.node(), d.node()
        english, korean = d.choose(GIFTS)
        this, korean_this = d.choose((("this", "이것"), ("that", "저것"), ("it", "그것")))
        subject = NounPhrase(words(this, this_node), words(korean_this, this_node), this_node, "3s")
        tail = [*words(english, own), *rest]
        predicate = Predicate(marked, korean, "", "copula", (own, be))
        said = Said(subject, EnglishVerb("be", "", "", "", be, tail), predicate)
        return clause(d, said, how, ending=ending, asked=asked)
    subject = _given(d) if kind == "these" else _pointed(d)
    predicate = Predicate(marked, "것", "", "copula", (node, be))
    said = Said(subject, EnglishVerb("be", "", "", "", be, rest), predicate)
    return clause(d, said, how, ending=ending, asked=asked)


GIFTS = (
    ("a gift", "선물"),
    ("a present", "선물"),
    ("a letter", "편지"),
    ("a book", "책"),
    ("a song", "노래"),
)
THINGS = (
    *(("flower", "flowers", "꽃"), ("flower", "flowers", "꽃"), ("gift", "gifts", "선물")),
    *(("present", "presents", "선물"), ("book", "books", "책"), ("letter", "letters", "편지")),
    *(("cake", "cakes", "케이크"), ("cookie", "cookies", "쿠키"), ("seat", "seats", "자리")),
    *(("toy", "toys", "장난감"), ("apple", "apples", "사과"), ("box", "boxes", "상자")),
    *(("room", "rooms", "방"), ("song", "songs", "노래"), ("chair", "chairs", "의자")),
    *(("hat", "hats", "모자"), ("ring", "rings", "반지"), ("bag", "bags", "가방")),
    *(("coffee", "", "커피"), ("money", "", "돈"), ("food", "", "음식"), ("milk", "", "우유")),
    *(("ticket", "tickets", "표"), ("game", "games", "게임"), ("bed", "beds", "침대")),
)
WHOM = (
    *(("children", "아이들"), ("kids", "아이들"), ("women", "여자들"), ("men", "남자들")),
    *(("everyone", "모든 사람"), ("the children", "아이들"), ("babies", "아기들")),
    *(("students", "학생들"), ("the teacher", "선생님"), ("beginners", "초보자들")),
)


def _whom(d: Derivation) -> NounPhrase:
    """Return "you", "my mother", "children", for whom something is."""
    kind = d.weighted((("pronoun", 0.6), ("kin", 0.27), ("group", 0.13)))
    if kind == "pronoun":
        return pronoun(d, d.choose((0, 0, 1, 1, 1, 2, 3, 4, 5)), is_object=True)
    if kind == "group":
        english, korean = d.choose(WHOM)
        node = d.node()
        return NounPhrase(words(english, node), words(korean, node), node, "3s")
    return known(d, d.choose(d.lexicon.nouns("kin", "kin", "relation", "name")), 0.0)


def _given(d: Derivation) -> NounPhrase:
    """Return "those flowers", 저 꽃."""
    one, many, korean = d.choose(THINGS)
    node, own = d.node(), d.node()
    plural = bool(many) and d.chance(0.45)
    options = (
        (("these", "이"), ("those", "저"), ("the", ""))
        if plural
        else (("this", "이"), ("that", "저"), ("the", ""))
    )
    this, korean_this = d.choose(options)
    before = words(korean_this, own) if korean_this else []
    return NounPhrase(
        [*words(this, own if before else node), *words(many if plural else one, node)],
        [*before, *words(korean, node)],
        node,
        "p" if plural else "3s",
    )


def _pointed(d: Derivation) -> NounPhrase:
    """Return "this", 이것, "these", 이것들."""
    node = d.node()
    options = (
        ("this", "이것", "3s"),
        ("that", "저것", "3s"),
        ("it", "그것", "3s"),
        ("these", "이것들", "p"),
        ("those", "저것들", "p"),
    )
    this, korean, agreement = d.choose(options)
    return NounPhrase(words(this, node), words(korean, node), node, agreement)
