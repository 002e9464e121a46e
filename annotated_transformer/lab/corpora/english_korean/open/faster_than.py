"""He runs faster than me, the best noodles, the more, colder and colder: 점점 더. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate, finished
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import EnglishVerb, How, Said
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known
from annotated_transformer.lab.corpora.english_korean.morphology import (
    SUBJECT,
    TOPIC,
    adnominal,
    attach,
    infinitive,
)
from annotated_transformer.lab.corpora.english_korean.open.tabled import (
    SELF,
    clause_table,
    opened_last,
    phrase_of,
    predicate,
    said_by,
    said_so,
    somebody,
)
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    pronoun,
)

# English owner, that owner's own, and what Korean says of it.


BEFORE = (
    *(("before", "전", "보다"), ("usual", "평소", "보다"), ("anyone", "누구", "보다")),
    *(("ever", "그 어느 때", "보다"), ("I thought", "내가 생각한 것", "보다")),
    *(("anyone else", "다른 누구", "보다"), ("I expected", "내가 예상한 것", "보다")),
)


def _other_person(d: Derivation, subject: NounPhrase, *, same: bool) -> tuple[str, list[Word], int]:
    """Return who does it less: me, I do, her brother; its Korean without a particle."""
    node = d.node()
    if d.chance(0.5):
        index = d.choose((0, 0, 0, 1, 2, 3, 4, 5))
        him, he = pronoun(d, index, is_object=True), pronoun(d, index)
        own = subject.english[0].text
        pairs = ({"I", "we"}, {"he", "they"}, {"she", "they"}, {"you", "we"})
        if he.english[0].text == own or {he.english[0].text, own} in pairs:
            raise Unfit
        do = "does" if he.agreement == "3s" else "do"
        text = him.english[0].text
        if not same and d.chance(0.4):
            text = f"{he.english[0].text} {do}"
        return text, [Word(him.korean[0].text, (node,))], node
    noun = choose_noun(d, frozenset({"kin", "relation", "name"}))
    if noun == subject.noun or "best" in noun.english:
        raise Unfit
    if subject.noun is None and "kin" in noun.classes and d.chance(0.7):
        whose = SELF[subject.english[0].text]
        found = known(d, noun, 0.0)
        if found.english[0].text != whose:
            raise Unfit
    else:
        found = known(d, noun, 0.0)
    if found.agreement == "p":
        raise Unfit
    text = " ".join(word.text for word in found.english)
    return text, [Word(word.text, (node,)) for word in found.korean], node


def _runner(d: Derivation, forms: str) -> NounPhrase:
    """Return who does it, other than the "me" or "him" of the line."""
    if forms.startswith("cost"):
        thing, korean = d.choose((("it", "그것"), ("this", "이것"), ("the trip", "여행")))
        return phrase_of(d, thing, korean)
    subject = somebody(d)
    texts = forms.split(" ")
    if ("him" in texts and subject.english[0].text == "he") or (
        "me" in texts and subject.first_person
    ):
        raise Unfit
    return subject


def _compared_with(
    d: Derivation, subject: NounPhrase, forms: str, degree: str, *, same: bool
) -> tuple[str, list[Word], int]:
    """Return than what or whom: me, usual, I thought; its Korean without a particle."""
    if d.chance(0.7) and not forms.startswith("cost"):
        return _other_person(d, subject, same=same)
    english, korean, _ = d.choose(BEFORE)
    unfit = same or (english in ("ever", "anyone", "anyone else") and degree == "less")
    if unfit or ("anyone" in english and forms.startswith("cost")):
        raise Unfit
    node = d.node()
    return english, words(korean, node), node


def _degree(
    d: Derivation, degrees: tuple[str, str], rest: Words, *nodes: int, same: bool, adverb: str
) -> tuple[Words, Words]:
    """Return "faster than me" or "as fast as me" and what Korean has before the verb."""
    comparative, positive = degrees
    way, than, more = nodes
    manner = words(adverb, way) if adverb != "-" else []
    if same:
        tail = [*words("as", than), *words(positive, way), *words("as", than), *rest]
        return tail, manner
    first, *second = comparative.split(" ")
    tail = [*words(first, more), *words(second[0], way)] if second else words(first, more, way)
    tail = [*tail, *words("than", than), *rest]
    middle = [*words("더", more), *manner]
    if d.chance(0.15) and first != "less":
        own = d.node()
        return [*words("much", own), *tail], [*words("훨씬", own), *middle]
    return tail, middle


def faster_than_me(d: Derivation) -> Clause:
    """He runs faster than me: 그는 나보다 더 빨리 달린다; as fast as, more than usual."""
    forms, manner, stem, irregular, degrees = d.choose(clause_table("done better"))
    comparative, positive = (text.replace("_", " ") for text in degrees.split(" "))
    subject = _runner(d, forms)
    said = said_by(d, subject, forms, stem, irregular)
    way, than, more = d.node(), d.node(), d.node()
    *around, adverb = manner.split(" ")
    same = d.chance(0.25) and positive not in ("much", "little", "late")
    english, other, node = _compared_with(d, subject, forms, comparative, same=same)
    rest = words(english, node)
    degree = (comparative, positive)
    tail, middle = _degree(d, degree, rest, way, than, more, same=same, adverb=adverb)
    korean = opened_last(other, "만큼" if same else "보다", than)
    korean += [*(Word(text, said.korean.nodes) for text in around), *middle]
    if adverb == "-":
        said = said._replace(korean=said.korean._replace(nodes=(*said.korean.nodes, way)))
    said = said._replace(complements=(Clause(tail, korean),))
    asked = d.chance(0.1)
    modal = "can" if d.chance(0.15) and "know" not in forms else ""
    tense = d.choose(("present", "present", "past"))
    if english in ("I thought", "I expected"):
        tense = "past"
    if modal or forms.startswith("read"):
        tense = "present"
    return said_so(d, said, How(tense, modal, not asked and d.chance(0.1)), asked=asked)


WHERE = (
    *(("", ""), ("", ""), ("in the world", "세상에서"), ("in Korea", "한국에서")),
    *(("in town", "동네에서"), ("in the city", "도시에서"), ("in Seoul", "서울에서")),
)


def best_noodles(d: Derivation) -> Clause:
    """My grandmother makes the best noodles: 우리 할머니는 가장 맛있는 국수를 만든다."""
    forms, english, korean, stem = d.choose(clause_table("best made"))
    subject = somebody(d)
    if forms.startswith("sell") and d.chance(0.7):
        place, spoken = d.choose(
            (("this store", "이 가게"), ("this shop", "이 가게"), ("that bakery", "저 빵집"),
             ("this cafe", "이 카페"), ("the store", "가게"))
        )  # fmt: skip
        subject = phrase_of(d, place, spoken)
    said = said_by(d, subject, forms, stem, "-")
    best, thing, there = d.node(), d.node(), d.node()
    where, korean_where = d.choose(WHERE)
    good, noun = korean.split(" ")
    spoken_words = [*(words(korean_where, there) if where else []), *words("가장", best)]
    spoken_words += [Word(good, (best, thing)), Word(attach(noun, ("을", "를")), (thing,))]
    text = [*words("the best", best), *words(english, thing)]
    part = Clause([*text, *(words(where, there) if where else [])], spoken_words)
    said = said._replace(complements=(part,))
    return said_so(*(d, said, How("past" if d.chance(0.2) else "present")), asked=d.chance(0.08))


def the_more(d: Derivation) -> Clause:
    """The more you read, the more you learn: 많이 읽을수록 더 많이 배운다."""
    one, first, how_first, two, second, how_second, degrees = d.choose(clause_table("the more"))
    left, right = degrees.split(" ")
    node, act, then, last = d.node(), d.node(), d.node(), d.node()
    made = predicate(first, how_first, act)
    stem = adnominal(made.stem, "future", made.irregular)
    head = [Word(word.text, (node,)) for word in made.before]
    spoken = [*head, Word(stem + "수록", (act, node))]
    after = predicate(second, how_second, last)
    rest = [Word(w.text, (then,)) for w in after.before]
    ending = finished(after._replace(before=[]), "present", "다")
    english = [*words(f"the {left}", node), *words(one, act)]
    english[-1] = Word(english[-1].text + ("," if d.chance(0.8) else ""), english[-1].nodes)
    english += [*words(f"the {right}", then), *words(two, last)]
    return Clause(english, [*spoken, *words("더", then), *rest, *ending])


def more_and_more(d: Derivation) -> Clause:
    """It is getting colder and colder: 날씨가 점점 더 추워지고 있다."""
    node, act, more = d.node(), d.node(), d.node()
    rows = {row[0]: row for row in clause_table("how they were")}
    things = (("it", "날씨", "colder warmer hotter"), ("the days", "낮", "longer shorter"),
              ("the river", "강", "deeper"), ("my English", "내 영어", "better"),
              ("his Korean", "그의 한국어", "better"), ("the world", "세상", "smaller better"),
              ("everything", "모든 것", "more_expensive"), ("food", "음식", "more_expensive"),
              ("computers", "컴퓨터", "faster cheaper"), ("phones", "전화기", "bigger cheaper"),
              ("the game", "경기", "more_exciting"), ("the lessons", "수업", "more_difficult"),
              ("I", "나", "happier more_tired"), ("she", "그녀", "stronger happier"),
              ("he", "그", "stronger taller busier"), ("the city", "도시", "bigger"))  # fmt: skip
    english, korean, degrees = d.choose(things)
    degree = d.choose(degrees.split(" ")).replace("_", " ")
    row = next(row for row in rows.values() if row[1] == degree)
    stem, irregular = row[2], row[3]
    if english == "it":
        stem, irregular = {"colder": ("춥", "ㅂ"), "hotter": ("덥", "ㅂ")}.get(
            degree, (stem, irregular)
        )
    *first, last = stem.split(" ")
    grown = infinitive(last, irregular.strip("-")) + "지"
    before = [*words("점점 더", more), *(Word(text, (act,)) for text in first)]
    made = Predicate(before, grown, "", "verb", (act,))
    plural = english in ("the days", "computers", "phones", "the lessons")
    agreement = "1s" if english == "I" else "p" if plural else "3s"
    subject = NounPhrase(words(english, node), words(korean, node), node, agreement)
    text = (
        [*words("more and more", more), *words(degree.removeprefix("more "), act)]
        if degree.startswith("more ")
        else [Word(degree, (act,)), *words("and", more), Word(degree, (act, more))]
    )
    verb = EnglishVerb("get", "gets", "got", "getting", act, text)
    said = Said(subject, verb, made, (EMPTY,), kind="action")
    particle = SUBJECT if english not in ("I", "he", "she") else TOPIC
    tense = d.choose(("progressive", "progressive", "past", "past progressive", "future"))
    return said_so(d, said, How(tense), particle=particle)  # type: ignore[arg-type]
