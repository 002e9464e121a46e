"""The house where I was born, the day we met, why he left, a girl whose father is a pilot. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of, expressing
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import quality
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.morphology import AT, OBJECT, SUBJECT
from annotated_transformer.lab.corpora.english_korean.open.joints import doing
from annotated_transformer.lab.corpora.english_korean.open.tabled import (
    clause_table,
    drawn_how,
    phrase_of,
    predicate,
    said_by,
    said_so,
    somebody,
    to_be,
)
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    pronoun,
)

THESE = (("this", "이것"), ("this", "이것"), ("that", "저것"), ("it", "그것"))
HERE = (("this", "이곳"), ("this", "이곳"), ("that", "저곳"), ("it", "그곳"))


def _done_there(d: Derivation, kind: str, subject: NounPhrase) -> tuple[Said, str, str]:
    """Return what is done in such a place, its tense and the preposition that may end it."""
    if (kind in ("home", "town") and d.chance(0.25)) or (kind == "work" and d.chance(0.1)):
        node = d.node()
        born = EnglishVerb("be", "", "", "", node, words("born", node))
        return Said(subject, born, predicate("태어나", "-", node)), "past", "in"
    rows = [row for row in clause_table("there") if kind in row[2].split(",")]
    forms, korean, _, tenses = d.choose(rows)
    preposition = "in" if forms.endswith(" in") else ""
    if forms.startswith("meet") and subject.english[0].text not in ("we", "they"):
        forms += " him" if subject.english[0].text in ("I", "she") else " her"
        korean = ("그를 " if forms.endswith("him") else "그녀를 ") + korean
    irregular = "르" if korean == "머무르" else "-"
    said = said_by(d, subject, forms.removesuffix(" in"), korean, irregular)
    first = forms.startswith("meet") and d.chance(0.4)
    if first:
        node = d.node()
        spoken = said.korean
        said = said._replace(
            korean=spoken._replace(before=[*spoken.before, *words("처음", node)]), kind="first"
        )
    return said, "present" if tenses == "both" and d.chance(0.6) else "past", preposition


def place_where(d: Derivation, kinds: tuple[str, ...] = ()) -> NounPhrase:
    """Return "the house where I was born", 내가 태어난 집, "the city I live in"."""
    rows = clause_table("spots")
    english, korean, kind = d.choose([row for row in rows if not kinds or row[2] in kinds])
    subject = somebody(d)
    said, tense, preposition = _done_there(d, kind, subject)
    node, where = d.node(), d.node()
    first = EMPTY
    if said.kind == "first":
        own = next(word.nodes for word in said.korean.before if word.text == "처음")
        first = Clause(words("first", *own), [])
    part = clause(d, said, How(tense), ending="는", particle=SUBJECT, often=first)
    way = d.weighted((("where", 0.7), ("that", 0.3 * bool(preposition))))
    inside = part.english
    korean_part: Words = part.korean
    if way == "where":
        joint = words("where", where)
        korean_part = expressing(part, where)
    else:
        joint = words(d.choose(("that", "which", "")), where)
        joint = [word for word in joint if word.text]
        inside = [*inside, *words(preposition, where)]
        korean_part = expressing(part, where)
    return NounPhrase(
        [*words(f"the {english}", node), *joint, *inside],
        [*korean_part, *words(korean, node)],
        *(node, "3s", _noun(d, english)),
    )


def _noun(d: Derivation, english: str):  # type: ignore[no-untyped-def]
    named = [noun for noun in d.lexicon.nouns(english) if noun.english == english]
    return named[0] if named else None


def day_when(d: Derivation) -> NounPhrase:
    """Return "the day (when, that) she left", 그녀가 떠난 날."""
    english, korean = d.choose(clause_table("moments"))
    subject = somebody(d)
    kind = d.weighted((("met", 0.3), ("doing", 0.6), ("born", 0.1)))
    if kind == "met":
        index = d.choose((0, 4, 4, 4, 4))
        subject = pronoun(d, index)
        forms, said_korean = ("meet met meeting", "만나")
        if not index:
            whom, korean_whom = d.choose((("you", "너"), ("her", "그녀"), ("him", "그")))
            forms, said_korean = f"{forms} {whom}", f"{korean_whom}를 {said_korean}"
        said = said_by(d, subject, forms, said_korean, "-")
    elif kind == "born":
        node = d.node()
        born = EnglishVerb("be", "", "", "", node, words("born", node))
        said = Said(subject, born, predicate("태어나", "-", node))
    else:
        said = doing(d, subject)
    first = EMPTY
    if kind == "met" and d.chance(0.5):
        own = d.node()
        first = Clause(words("first", own), words("처음", own))
        before = [*said.korean.before, *first.korean]
        said = said._replace(korean=said.korean._replace(before=before))
        first = Clause(first.english, [])
    node, when = d.node(), d.node()
    how = How("past") if kind != "doing" else event_of(d, said, "past")
    part = clause(d, said, how, ending="는", particle=SUBJECT, often=first)
    word = d.choose(("when", "that", "", ""))
    joint = words(word, when) if word else []
    korean_part = expressing(part, when) if word else part.korean
    return NounPhrase(
        [*words(f"the {english}", node), *joint, *part.english],
        [*korean_part, *words(korean, node)],
        *(node, "3s"),
    )


REMEMBERED = (
    ("remember remembered remembering", "기억하", "-"),
    ("remember remembered remembering", "기억하", "-"),
    ("remember remembered remembering", "기억하", "-"),
    ("forget forgot forgetting", "잊", "-"),
)


def remember_the_day(d: Derivation) -> Clause:
    """Do you remember the day we met?: 너는 우리가 만난 날을 기억하니. Will never forget."""
    kind = d.weighted((("when", 0.55), ("that", 0.45)))
    subject = pronoun(d, d.choose((0, 0, 1, 1, 2, 3, 4)))
    if kind == "when":
        phrase = day_when(d)
        himself = {"he": "그가", "she": "그녀가", "they": "그들이"}.get(subject.english[0].text)
        if phrase.korean[0].text == himself:  # of the same person Korean says 자기가
            raise Unfit
    else:
        english, korean = d.choose(clause_table("moments")[:-1])
        node = d.node()
        last = d.choose(("", "", "so well", "very well"))
        spoken = "그날 밤" if korean == "밤" else "그" + korean
        phrase = NounPhrase(words(f"that {english}", node), words(spoken, node), node, "3s")
        if last and subject.english[0].text != "you":
            much = d.node()
            after = tuple(words({"so well": "정말 잘", "very well": "아주 잘"}[last], much))
            phrase = phrase._replace(english=[*phrase.english, *words(last, much)], after=after)
    forms, korean, irregular = d.choose(REMEMBERED)
    said = said_by(d, subject, forms, korean, irregular)
    said = said._replace(complements=(Clause(phrase.english, phrase.marked(OBJECT)),))
    if forms.startswith("forget"):
        never = d.node()
        if d.chance(0.6):
            said = said._replace(korean=said.korean._replace(before=words("절대", never)))
            return said_so(
                *(d, said, How("future", never=never)), often=Clause(words("never", never), [])
            )
        return said_so(d, said, How("present", "can", True))
    asked = subject.english[0].text == "you" or d.chance(0.05)
    said = said._replace(flags=frozenset("n"))
    denied = d.chance(0.2) and not phrase.after
    how = How(d.choose(("present", "present", "present", "future")), "", denied)
    if asked:
        return said_so(d, said, How(), asked=True)
    return said_so(d, said, how)


def where_we_met(d: Derivation) -> Clause:
    """Where I live is small: 내가 사는 도시는 작다. This is the house where I was born: 집이다."""
    phrase = place_where(d)
    kind = d.weighted((("this", 0.4), ("quality", 0.3), ("go", 0.3)))
    asked = d.chance(0.2)
    if kind == "this":
        english, korean = d.choose(HERE)
        subject = phrase_of(d, english, korean)
        return said_so(
            *(d, to_be(d, subject, phrase), drawn_how(d, ("present",), asked=asked)), asked=asked
        )
    if kind == "quality":
        said = quality(d, phrase)
        return said_so(d, said, drawn_how(d, asked=asked), asked=asked)
    subject = somebody(d)
    if subject.noun is not None:
        raise Unfit
    himself = {"he": "그가", "she": "그녀가", "they": "그들이"}.get(subject.english[0].text)
    if phrase.korean[0].text == himself:  # as in remember_the_day
        raise Unfit
    forms, stem, particle, irregular = d.choose(GOING)
    said = said_by(d, subject, forms, stem, irregular)
    marked = phrase.marked(AT if particle == "에" else OBJECT)
    said = said._replace(complements=(Clause(phrase.english, marked),))
    modal = d.choose(("", "", "want", "can"))
    if modal and not forms.startswith(("like", "remember")):
        return said_so(d, said, How("present", modal, not asked and d.chance(0.15)), asked=asked)
    if forms.startswith(("like", "remember")):
        return said_so(d, said, drawn_how(d, ("present",), asked=asked), asked=asked)
    return said_so(d, said, drawn_how(d, ("past", "past", "future"), asked=asked), asked=asked)


GOING = (
    ("go went going to", "가", "에", "-"),
    ("visit visited visiting", "방문하", "를", "-"),
    ("find found finding", "찾", "를", "-"),
    ("see saw seeing", "보", "를", "-"),
    ("like liked liking", "좋아하", "를", "-"),
    ("remember remembered remembering", "기억하", "를", "-"),
)
