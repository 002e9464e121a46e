"""Than I thought, than mine, faster than me, colder than yesterday, the best noodles. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
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
    drawn_how,
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
OWNERS = (
    *(("my", "mine", "내"), ("my", "mine", "내"), ("your", "yours", "네")),
    *(("your", "yours", "네"), ("his", "his", "그의"), ("her", "hers", "그녀의")),
    *(("our", "ours", "우리"), ("their", "theirs", "그들의")),
    *(("my sister's", "my sister's", "내 여동생의"), ("Tom's", "Tom's", "톰의")),
    *(("my brother's", "my brother's", "내 남동생의"), ("Anna's", "Anna's", "안나의")),
)
MUCH = (("much", "훨씬"), ("much", "훨씬"), ("even", "훨씬"), ("a little", "조금"))


def _than(
    d: Derivation, subject: NounPhrase, adjective: str, than: Clause, *, much: float = 0.2
) -> Said:
    """Return that the subject is more so than what the clause says."""
    rows = [row for row in clause_table("how they were") if row[0] == adjective]
    (_, comparative, korean, irregular) = rows[0]
    node, be, more = d.node(), d.node(), d.node()
    made = predicate(korean, irregular, node)._replace(kind="adjective", nodes=(node, be))
    if adjective == "old" and "오래되" in korean:
        made = made._replace(kind="verb")
    if comparative.startswith("more "):
        tail = [*words("more", more), *words(comparative.removeprefix("more "), node)]
    else:
        tail = [Word(comparative, (node, more))]
    spoken = words("더", more)
    if d.chance(much):
        english, word = d.choose(MUCH)
        own = d.node()
        tail = [*words(english, own), *tail]
        spoken = [*words(word, own), *spoken]
    made = made._replace(before=[*than.korean, *spoken, *made.before])
    verb = EnglishVerb("be", "", "", "being", be, [*tail, *than.english])
    flags = frozenset("R" if adjective == "old" else "")
    return Said(subject, verb, made, (), flags, kind="quality")


def than_i_thought(d: Derivation) -> Clause:
    """It was more difficult than I thought: 그것은 내가 생각한 것보다 더 어려웠다."""
    english, korean, fitting = d.choose(clause_table("things that were"))
    adjective = d.choose([word for word in fitting.split(" ") if word != "old"])
    thought, spoken = d.choose(clause_table("expected"))
    than, own = d.node(), d.node()
    part = Clause(
        [*words("than", than), *words(thought, own)], [*words(spoken, own), *words("것보다", than)]
    )
    bare = english in ("it", "Korean", "English", "math")
    head = "" if bare else d.choose(("the ", "the ", "the ", "this ", "that "))
    own_word = {"this ": "이 ", "that ": "저 "}.get(head, "")
    subject = phrase_of(d, head + english, own_word + korean)
    past = d.chance(0.6) or thought == "he thought"
    how = How("past" if past else "present", "", d.chance(0.1))
    return said_so(d, _than(d, subject, adjective, part, much=0.25), how)


def bigger_than_yours(d: Derivation) -> Clause:
    """My room is bigger than yours: 내 방은 네 것보다 더 크다; not as big as yours: 것만큼."""
    names, korean, fitting = d.choose(clause_table("owned"))
    one, many = names.split(" ")
    whose, _, korean_whose = d.choose(OWNERS)
    _, mine, korean_mine = d.choose(OWNERS)
    if korean_whose == korean_mine:
        raise Unfit
    own, node, other, than = d.node(), d.node(), d.node(), d.node()
    plural = many != "-" and whose in ("our", "their") and one in ("hand", "dog", "cat")
    plural = plural or one == "hand"
    subject = NounPhrase(
        [*words(whose, own), *words(many if plural else one, node)],
        [*words(korean_whose, own), *words(korean, node)],
        *(node, "p" if plural else "3s"),
    )
    adjective = d.choose([word for word in fitting.split(" ") if word != "old"])
    asked = d.chance(0.12)
    family = one in ("brother", "sister")
    if family and (whose + mine).count("'s"):
        raise Unfit
    thing = f"{korean_mine} {korean if family else '것'}"
    if d.chance(0.5):
        part = Clause(
            [*words("than", than), *words(mine, other)],
            [*words(thing.split(" ", maxsplit=1)[0], other), *_last(thing, "보다", other, than)],
        )
        part = part._replace(korean=[*words(thing, other)][:-1] + _last(thing, "보다", other, than))
        said = _than(d, subject, adjective, part)
    else:
        said = _as(d, subject, adjective, thing, words(mine, other), other)
    return said_so(d, said, drawn_how(d, ("present", "present", "past"), asked=asked), asked=asked)


def _last(thing: str, particle: str, *nodes: int) -> list[Word]:
    return [Word(thing.rsplit(" ", maxsplit=1)[-1] + particle, nodes)]


def _as(
    d: Derivation, subject: NounPhrase, adjective: str, thing: str, mine: list[Word], other: int
) -> Said:
    """Return "as big as yours", 네 것만큼 크다."""
    rows = [row for row in clause_table("how they were") if row[0] == adjective]
    (_, _, korean, irregular) = rows[0]
    node, be, link = d.node(), d.node(), d.node()
    made = predicate(korean, irregular, node)._replace(kind="adjective", nodes=(node, be))
    spoken = [*words(thing, other)[:-1], *_last(thing, "만큼", other, link)]
    made = made._replace(before=[*spoken, *made.before])
    tail = [*words("as", link), *words(adjective, node), *words("as", link), *mine]
    return Said(subject, EnglishVerb("be", "", "", "being", be, tail), made, kind="quality")


def colder_than_yesterday(d: Derivation) -> Clause:
    """Today is colder than yesterday: 오늘은 어제보다 더 춥다. It is colder today than."""
    one, korean_one, two, korean_two = d.choose(clause_table("days"))
    comparative, korean, irregular = d.choose(clause_table("weather"))
    node, be, more, than, other = (d.node() for _ in range(5))
    made = predicate(korean, irregular, node)._replace(kind="adjective", nodes=(node, be))
    first = phrase_of(d, one, korean_one)
    spoken = [Word(attach(word, ("", "")), (other,)) for word in korean_two.split(" ")]
    spoken = opened_last(spoken, "보다", than)
    much = d.chance(0.25)
    own = d.node()
    before = [*spoken, *(words("훨씬", own) if much else []), *words("더", more)]
    made = made._replace(before=[*before, *made.before])
    tail = [*(words("much", own) if much else []), Word(comparative, (node, more))]
    rest = [*words("than", than), *words(two, other)]
    tense = {"yesterday": "past", "tomorrow": "future"}.get(one, "present")
    asked = d.chance(0.12) and tense == "present"
    how = How(tense, "", not asked and d.chance(0.12))
    subject = first
    if d.chance(0.3) and one not in ("summer", "winter"):
        it = d.node()
        subject = NounPhrase(words("it", it), [*first.korean], first.node, "3s")
        subject = subject._replace(english=words("it", first.node))
        tail = [*tail, *first.english]
    verb = EnglishVerb("be", "", "", "being", be, [*tail, *rest])
    said = Said(subject, verb, made, (), kind="quality")
    return said_so(d, said, how, asked=asked)


def opened_last(phrase: list[Word], particle: str, *nodes: int) -> list[Word]:
    """Return the words with a particle on the last."""
    last = phrase[-1]
    return [*phrase[:-1], Word(last.text + particle, (*last.nodes, *nodes))]


# Than what: English, its Korean with 보다 or 만큼.
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


def faster_than_me(d: Derivation) -> Clause:
    """He runs faster than me: 그는 나보다 더 빨리 달린다; as fast as, more than usual."""
    forms, manner, stem, irregular, degrees = d.choose(clause_table("done better"))
    comparative, positive = (text.replace("_", " ") for text in degrees.split(" "))
    subject = somebody(d)
    if "him" in forms and subject.english[0].text == "he":
        raise Unfit
    if ("me" in forms.split(" ")) and subject.first_person:
        raise Unfit
    if forms.startswith("cost"):
        thing, korean = d.choose((("it", "그것"), ("this", "이것"), ("the trip", "여행")))
        subject = phrase_of(d, thing, korean)
    said = said_by(d, subject, forms, stem, "-" if irregular == "-" else irregular)
    way, than, more = d.node(), d.node(), d.node()
    *around, adverb = manner.split(" ")
    around_words = [Word(text, said.korean.nodes) for text in around]
    is_as = d.chance(0.25) and positive not in ("much", "little", "late")
    if d.chance(0.3) or forms.startswith("cost"):
        english, korean, particle = d.choose(BEFORE)
        if is_as or (english in ("ever", "anyone", "anyone else") and comparative == "less"):
            raise Unfit
        if "anyone" in english and forms.startswith("cost"):
            raise Unfit
        node = d.node()
        other = words(korean, node)
    else:
        english, other, node = _other_person(d, subject, same=is_as)
        particle = "만큼" if is_as else "보다"
    spoken = opened_last(other, particle, than)
    if is_as:
        tail = [
            *words("as", than),
            *words(positive, way),
            *words("as", than),
            *words(english, node),
        ]
        middle = words(adverb, way) if adverb != "-" else []
    else:
        parts = comparative.split(" ")
        tail = words(parts[0], more, way) if len(parts) == 1 else [
            *words(parts[0], more), *words(parts[1], way)
        ]  # fmt: skip
        tail += [*words("than", than), *words(english, node)]
        middle = [*words("더", more), *(words(adverb, way) if adverb != "-" else [])]
        if d.chance(0.15) and parts[0] != "less":
            own = d.node()
            tail, middle = [*words("much", own), *tail], [*words("훨씬", own), *middle]
    part = Clause(tail, [*spoken, *around_words, *middle])
    said = said._replace(complements=(part,))
    if adverb == "-":
        known_nodes = (*said.korean.nodes, way)
        said = said._replace(korean=said.korean._replace(nodes=known_nodes))
    asked = d.chance(0.1)
    tense = d.choose(("present", "present", "past"))
    if forms.startswith("read"):
        tense = "present"
    if english in ("I thought", "I expected"):
        tense = "past" if not forms.startswith("read") else tense
    modal = "can" if d.chance(0.15) and "know" not in forms else ""
    tense = "present" if modal else tense
    how = How(tense, modal, not asked and d.chance(0.1))
    return said_so(d, said, how, asked=asked)


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
    made = Predicate([*words("점점 더", more), *(Word(t, (act,)) for t in first)], grown, "", "verb",
                     (act,))  # fmt: skip
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
