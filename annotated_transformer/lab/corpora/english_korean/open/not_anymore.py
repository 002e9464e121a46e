"""Not anymore, not at all, not everyone, neither of them, everything he said, what I said. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import event_of, person
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import state
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate, finished
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.morphology import (
    SUBJECT,
    TOPIC,
    adnominal,
)
from annotated_transformer.lab.corpora.english_korean.open.embedded import asked_clause
from annotated_transformer.lab.corpora.english_korean.open.tabled import (
    as_copula,
    clause_table,
    phrase_of,
    predicate,
    said_so,
    somebody,
    to_be,
    verb_of,
)
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun

NO_MORE = (
    *(("anymore", "더 이상"), ("anymore", "더 이상"), ("any more", "더 이상"), ("at all", "전혀")),
)


def not_anymore(d: Derivation) -> Clause:
    """I do not live there anymore: 나는 더 이상 거기에 살지 않는다; no longer; not at all: 전혀."""
    subject = person(d)
    if subject.english[0].text == "everyone":
        raise Unfit
    kind = d.weighted((("not", 0.75), ("no longer", 0.25)))
    english, korean = d.choose(NO_MORE)
    live = d.chance(0.15)
    if live:
        node, there = d.node(), d.node()
        where, place = d.choose((("there", "거기에"), ("here", "여기에"), ("in Seoul", "서울에")))
        forms, stem = d.choose((("live lived living", "살"), ("work worked working", "일하")))
        base, past, ing = forms.split(" ")
        place = place if base == "live" else place + "서"
        verb = EnglishVerb(base, base + "s", past, ing, node, [])
        part = Clause(words(where, there), words(place, there))
        said = Said(subject, verb, Predicate([], stem, "", "verb", (node,)), (part,))
    elif d.chance(0.35) and english != "at all":
        said = state(d, subject)
        if "R" in said.flags or said.korean.before or said.flags & {"#", "M"}:
            raise Unfit
    else:
        said = action(d, subject)
        if said.flags & {"p", "x", "e"} or said.base in ("become",):
            raise Unfit
    tense = d.choose(("present", "present", "present", "past", "future"))
    modal = d.choose(("", "", "", "can", "want")) if said.kind == "action" and not live else ""
    if modal:
        tense = "present" if d.chance(0.8) or modal == "want" else "past"
    elif said.kind in ("action", "motion") and not live:
        event_of(d, said, tense)
    node = d.node()
    more = words(korean, node)
    if kind == "no longer":
        if modal or tense == "future" or (said.english.base == "be" and d.chance(0.3)):
            raise Unfit
        made = clause(d, said, How(tense, "", True))
        return _no_longer(said, made, tense, node)
    before = Clause([], words(korean, node))
    made = clause(d, said, How(tense, modal, True), often=before)
    del more
    return Clause([*made.english, *words(english, node)], made.korean)


def _no_longer(said: Said, made: Clause, tense: str, node: int) -> Clause:
    """Return "I no longer live there" of "I do not live there"."""
    n = len(said.subject.english)
    head, rest = made.english[:n], made.english[n:]
    auxiliary, denial, *others = rest
    if denial.text != "not":
        raise Unfit
    no_longer = words("no longer", node, *denial.nodes)
    if said.english.base == "be":
        english = [*head, auxiliary, *no_longer, *others]
    else:
        verb = said.english
        third = said.subject.agreement == "3s"
        form = verb.past if tense == "past" else verb.third if third else verb.base
        n_base = len(verb.base.split(" "))
        done = [Word(text, (verb.node, *auxiliary.nodes)) for text in form.split(" ")]
        english = [*head, *no_longer, *done, *others[n_base:]]
    topic = len(said.subject.korean)
    korean = [*made.korean[:topic], *words("더 이상", node), *made.korean[topic:]]
    return Clause(english, korean)


ALL = (
    ("not everyone", "모든 사람이", "3s"),
    ("not everyone", "모든 사람이", "3s"),
    ("not everybody", "모든 사람이", "3s"),
    ("not all people", "모든 사람이", "p"),
    ("not all students", "모든 학생이", "p"),
    ("not all children", "모든 아이가", "p"),
    ("not all Koreans", "모든 한국 사람이", "p"),
)
NONE = (
    *(("neither of them", "그들 중 아무도", "3s"), ("none of us", "우리 중 아무도", "3s")),
    *(("none of them", "그들 중 아무도", "3s"), ("neither of us", "우리 중 아무도", "3s")),
    *(("none of my friends", "내 친구 중 아무도", "3s"), ("none of you", "너희 중 아무도", "3s")),
)


def not_everyone(d: Derivation) -> Clause:
    """Not everyone likes cheese: 모든 사람이 치즈를 좋아하는 것은 아니다; none of us: 아무도."""
    forms, korean, irregular = d.choose(clause_table("everyone does"))
    verb, p = verb_of(d, forms, korean, irregular)
    past = d.chance(0.3)
    node, who = d.node(), d.node()
    if d.chance(0.5):
        english, spoken, agreement = d.choose(ALL)
        form = verb.past if past else verb.third if agreement == "3s" else verb.base
        last = Word(adnominal(p.stem, "past" if past else "present", p.irregular,
                              is_adjective=p.is_adjective), p.nodes)  # fmt: skip
        if past and p.is_adjective:
            raise Unfit
        head, *rest = english.split(" ")
        return Clause(
            [*words(head, node), *words(" ".join(rest), who), Word(form, (verb.node,)), *verb.tail],
            [*words(spoken, who), *p.before, last, *words("것은 아니다", node)],
        )
    english, spoken, _ = d.choose(NONE)
    if "me" in forms.split(" ") and "us" in english:
        raise Unfit
    deny = endings.denied(p, node, unable="understand" in forms or "pass" in forms)
    last_words = finished(deny, "past" if past else "present", "다")
    form = verb.past if past else verb.third
    head, *rest = english.split(" ")
    return Clause(
        [
            *words(head, node, who),
            *words(" ".join(rest), who),
            Word(form, (verb.node,)),
            *verb.tail,
        ],
        [*words(spoken, who), *last_words],
    )


def no_idea(d: Derivation) -> Clause:
    """I have no idea where he lives: 나는 그가 어디에 사는지 전혀 모른다."""
    subject = pronoun(d, d.choose((0, 0, 0, 2, 3, 4, 5)))
    other = person(d)
    part = asked_clause(d, other)
    node = d.node()
    kind = d.weighted((("no idea", 0.7), ("nobody", 0.3)))
    if kind == "nobody":
        who, korean = d.choose((("nobody", "아무도"), ("no one", "아무도")))
        was = d.chance(0.25)
        know = d.node()
        korean_last = "몰랐다" if was else "모른다"
        english = [*words(who, node), *words("knew" if was else "knows", know), *part.english]
        return Clause(
            english, [*words(korean, node), *part.korean, Word(korean_last, (know, node))]
        )
    if other.english[0].text == subject.english[0].text:
        raise Unfit
    have = "has" if subject.agreement == "3s" else "have"
    return Clause(
        [*subject.english, *words(f"{have} no idea", node), *part.english],
        [*subject.marked(TOPIC), *part.korean, *words("전혀 모른다", node)],
    )


def _state(d: Derivation, subject: NounPhrase, english: str) -> Said:
    row = next(row for row in clause_table("lies") if row[0] == english)
    _, korean, kind = row
    node, be = d.node(), d.node()
    if kind == "c":
        p = Predicate([], korean, "", "copula", (node, be))
    elif kind == "r":
        p = Predicate([], korean, "", "verb", (node, be))
    else:
        p = predicate(korean, kind, node)._replace(nodes=(node, be))
    flags = frozenset("R" if kind == "r" else "")
    return Said(subject, EnglishVerb("be", "", "", "being", be, words(english, node)), p, (), flags)


def everything_he_said(d: Derivation) -> Clause:
    """Everything he said was a lie: 그가 말한 모든 것은 거짓말이었다. All I want is time."""
    other = somebody(d)
    node, act = d.node(), d.node()
    if d.chance(0.5):
        form, korean, states = d.choose(clause_table("everything"))
        if "me" in form.split(" ") and other.first_person:
            raise Unfit
        if "us" in form.split(" ") and other.first_person:
            raise Unfit
        head = d.choose(("everything", "everything", "all that", "nothing"))
        state_words = d.choose(states.split(","))
        nothing = head == "nothing"
        text = [*words(head, node), *other.english, *words(form, act)]
        spoken = [*other.marked(SUBJECT), *words(korean, act)]
        if nothing:
            if state_words in ("a lie", "wrong"):
                raise Unfit
            subject = NounPhrase(text, [*spoken, *words("것은 아무것", node)], node, "3s")
            said = _state(d, subject, state_words)
            was = d.chance(0.6)
            p = endings.denied(said.korean, node)
            last = finished(p, "past" if was else "present", "다")
            be = words("was" if was else "is", said.english.node)
            return Clause(
                [*text, *be, *said.english.tail],
                [*spoken, *words("것 중 아무것도", node), *last],
            )
        subject = NounPhrase(text, [*spoken, *words("모든 것", node)], node, "3s")
        said = _state(d, subject, state_words)
        return said_so(d, said, How("past" if d.chance(0.65) else "present"), asked=d.chance(0.08))
    forms, korean = d.choose(clause_table("all I want"))
    base, third = forms.split(" ")
    form = third if other.agreement == "3s" else base
    head = d.choose(("all", "all", "what", "what", "the only thing"))
    text = [*words(head, node), *other.english, *words(form, act)]
    lead = [*other.marked(SUBJECT), *words(korean, act)]
    only = words("유일한", node) if head == "the only thing" else []
    english, thing = d.choose(clause_table("all I want is"))
    if english.split(" ")[0] in ("you", "your") and other.english[0].text == "you":
        raise Unfit
    if head == "all" and base == "need":  # `whose.all_you_need` says it
        raise Unfit
    if base in ("have", "know") and english.split(" ")[0] not in ("you", "this"):
        raise Unfit
    own = phrase_of(d, english, thing)
    if head == "all":
        subject = NounPhrase(text, [*lead, *words("것", node)], node, "3s")
        made = as_copula(own, d.node())
        made = made._replace(stem=made.stem + "뿐")
        verb = EnglishVerb("be", "", "", "being", made.nodes[-1], list(own.english))
        said = Said(subject, verb, made)
        return said_so(d, said, How())
    subject = NounPhrase(text, [*lead, *only, *words("것", node)], node, "3s")
    denied = english != "you" and d.chance(0.1)
    return said_so(d, to_be(d, subject, own), How("present", "", denied))


def not_what_i_said(d: Derivation) -> Clause:
    """That is not what I said: 그것은 내가 말한 것이 아니다. Is this what you wanted?."""
    form, korean, _ = d.choose(clause_table("not what"))
    other = pronoun(d, d.choose((0, 0, 0, 1, 1, 2, 3, 4))) if d.chance(0.75) else somebody(d)
    if form == "meant" and korean == "의미한":
        raise Unfit
    if form == "remember" and other.agreement == "3s":
        raise Unfit
    texts = form.split(" ")
    if (other.english[0].text, texts[-1]) in (("you", "you"), ("I", "me"), ("we", "me")):
        raise Unfit
    this, spoken = d.choose((("that", "그것"), ("that", "그것"), ("this", "이것"), ("it", "그것")))
    what, act = d.node(), d.node()
    phrase = NounPhrase(
        [*words("what", what), *other.english, *words(form, act)],
        [*other.marked(SUBJECT), *words(korean, act), *words("것", what)],
        *(what, "3s"),
    )
    subject = phrase_of(d, this, spoken)
    asked = d.chance(0.25)
    if asked and this == "that" and other.english[0].text == "I":
        raise Unfit
    how = How("past" if d.chance(0.2) else "present", "", not asked and d.chance(0.6))
    particle = TOPIC if asked or how.negated else SUBJECT
    said = to_be(d, subject, phrase)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, particle=particle)
