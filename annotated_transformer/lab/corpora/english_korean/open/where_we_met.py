"""The house where I was born, the day we met, why he left, a girl whose father is a pilot. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
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
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known
from annotated_transformer.lab.corpora.english_korean.morphology import AT, OBJECT, SUBJECT
from annotated_transformer.lab.corpora.english_korean.open.joints import doing, happening
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
    article,
    choose_noun,
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


def place_where(d: Derivation) -> NounPhrase:
    """Return "the house where I was born", 내가 태어난 집, "the city I live in"."""
    english, korean, kind = d.choose(clause_table("spots"))
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
    """This is the house where I was born: 이곳은 내가 태어난 집이다. The city where I live is."""
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


def reason_why(d: Derivation) -> Clause:
    """I know the reason why she left: 나는 그녀가 떠난 이유를 안다. That is why he left."""
    subject = somebody(d)
    if d.chance(0.25):
        said, how = happening(d), How("past")
    else:
        said = doing(d, subject)
        how = event_of(d, said, d.choose(("past", "past", "present")))
        how = how._replace(negated=d.chance(0.35))
    why, node = d.node(), d.node()
    part = clause(d, said, how, ending="는", particle=SUBJECT)
    if any(word.text in ("some", "any") for word in part.english):
        raise Unfit
    kind = d.weighted((("that is why", 0.45), ("know", 0.55)))
    if kind == "that is why":
        this, korean = d.choose((("this", "이것"), ("that", "그것"), ("that", "그것")))
        phrase = NounPhrase(
            [*words("why", why), *part.english],
            [*expressing(part, why), *words("이유", node)],
            *(node, "3s"),
        )
        phrase = phrase._replace(english=[Word("why", (why, node)), *part.english])
        made = to_be(d, phrase_of(d, this, korean), phrase)
        asked = d.chance(0.15)
        how = How("past" if d.chance(0.1) else "present", "", not asked and d.chance(0.15))
        particle = SUBJECT if not asked and not how.negated else ("은", "는")
        return clause(d, made, how, ending="니" if asked else "다", asked=asked, particle=particle)
    knower = pronoun(d, d.choose((0, 0, 0, 1, 1, 2, 3)))
    word = d.choose(("why", "why", "that", ""))
    joint = words(word, why) if word else []
    korean_part = expressing(part, why) if word else part.korean
    reason = NounPhrase(
        [*words("the reason", node), *joint, *part.english],
        [*korean_part, *words("이유", node)],
        *(node, "3s"),
    )
    forms, stem = d.choose(
        (("know knew knowing", "알"), ("understand understood understanding", "이해하"))
    )
    made = said_by(d, knower, forms, stem, "-")
    made = made._replace(complements=(Clause(reason.english, reason.marked(OBJECT)),))
    asked = knower.english[0].text == "you" and d.chance(0.8)
    how = How("present", "", not asked and d.chance(0.5))
    if stem == "이해하" and how.negated:
        made = made._replace(flags=frozenset("n"))
    return said_so(d, made, how, asked=asked)


def whose_father(d: Derivation) -> Clause:
    """I know a girl whose father is a pilot: 나는 아버지가 조종사인 소녀를 안다."""
    heads, english, korean = d.choose(clause_table("whose"))
    (noun,) = d.lexicon.nouns(d.choose(heads.split(" ")))[:1]
    node, whose, act = d.node(), d.node(), d.node()
    subject_first = d.chance(0.3)
    head = "the" if subject_first or d.chance(0.3) else article(noun.english)
    first, *rest = english.split(" ")
    text = [*words(f"{head} {noun.english}", node), *words("whose", whose)]
    text += [*words(first, act), *words(" ".join(rest), act)]
    own = korean.split(" ")
    spoken = [*words(" ".join(own[:-1]), act), Word(own[-1], (act, whose))]
    phrase = NounPhrase(text, [*spoken, *words(noun.korean, node)], node, "3s", noun)
    if subject_first:
        if d.chance(0.5):
            said = quality(d, phrase)
        else:
            role = known(d, choose_noun(d, frozenset({"relation"})), 0.0)
            if role.noun == noun or role.agreement == "p" or role.english[0].text == "the":
                raise Unfit
            said = to_be(d, phrase, role)
        return said_so(d, said, drawn_how(d, ("present", "present", "past")))
    subject = somebody(d)
    forms, stem = d.choose(
        (("know knew knowing", "알"), ("know knew knowing", "알"), ("meet met meeting", "만나"),
         ("see saw seeing", "보"), ("help helped helping", "돕"))
    )  # fmt: skip
    said = said_by(d, subject, forms, stem, "ㅂ" if stem == "돕" else "-")
    said = said._replace(complements=(Clause(phrase.english, phrase.marked(OBJECT)),))
    asked = subject.english[0].text == "you" and d.chance(0.6)
    tense = "present" if stem == "알" else "past"
    return said_so(d, said, How(tense, "", not asked and d.chance(0.1)), asked=asked)
