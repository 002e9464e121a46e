"""I know where you live, he asked me where I lived, I wonder if it will rain: 안다, 물었다. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import (
    event_of,
    expressing,
    person,
)
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import state
from annotated_transformer.lab.corpora.english_korean.everyday.endings import (
    INDIRECT,
    Predicate,
)
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import object_pronoun
from annotated_transformer.lab.corpora.english_korean.morphology import (
    DATIVE,
    SUBJECT,
    TOPIC,
)
from annotated_transformer.lab.corpora.english_korean.natural import itself
from annotated_transformer.lab.corpora.english_korean.open.embedded import NAMED, OWN, asked_clause
from annotated_transformer.lab.corpora.english_korean.open.joints import doing
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun

PRESENT = frozenset(
    [
        "is",
        "are",
        "live",
        "lives",
        "work",
        "works",
        "study",
        "studies",
        "want",
        "wants",
        "like",
        "likes",
        "need",
        "needs",
        "think",
        "thinks",
        "mean",
        "means",
        "love",
        "loves",
        "costs",
        "starts",
        "comes",
    ]
)


def where_you_live(d: Derivation) -> Clause:
    """I know where you live: 나는 네가 어디에 사는지 안다. Tell me what you want."""
    kind = d.weighted(
        (
            *(("know", 0.46), ("tell", 0.18), ("remember", 0.1), ("wonder", 0.1)),
            *(("ask", 0.07), ("care", 0.04), ("understand", 0.05)),
        )
    )
    node = d.node()
    if kind == "tell":
        other = person(d)
        if other.english[0].text == "I":
            raise Unfit
        inner = asked_clause(d, other)
        me, polite = d.node(), d.node()
        asked = d.chance(0.3)
        head = (
            words("can you", polite) if asked else words("please", polite) if d.chance(0.3) else []
        )
        end = words("수 있니", polite) if asked else []
        give = words("줄" if asked else "줘", node if asked or not head else polite)
        korean = [*words("나에게", me), *inner.korean, *words("말해", node), *give, *end]
        return Clause([*head, *words("tell", node), *words("me", me), *inner.english], korean)
    subject = person(d)
    if kind == "wonder":
        subject = pronoun(d, 0)
        other = _other(d, subject)
        if other.first_person:
            raise Unfit
        inner = asked_clause(d, other)
        korean = [*subject.marked(TOPIC), *inner.korean, *words("궁금하다", node)]
        return Clause([*subject.english, *words("wonder", node), *inner.english], korean)
    if kind == "ask":
        return asked_me(d)
    inner = asked_clause(d, _other(d, subject))
    asked = subject.english[0].text == "you" and d.chance(0.7)
    stem = {"know": "알", "remember": "기억하", "care": "상관하", "understand": "이해하"}[kind]
    asking = [word.text for word in inner.english[:2]]
    if kind == "understand" and (asking[0] not in ("why", "how") or asking[1] in ("old", "much")):
        raise Unfit
    if subject.english[0].text == "everyone":
        raise Unfit
    past = {"know": "knew", "understand": "understood"}.get(kind, kind.removesuffix("e") + "ed")
    predicate = Predicate([], stem, "", "verb", (node,))
    verb = EnglishVerb(kind, kind + "s", past, "", node, [])
    flags = frozenset("n" if kind in ("remember", "understand") else "")
    said = Said(subject, verb, predicate, (inner,), flags)
    asked = asked and kind != "care"
    negated = kind == "care" or (not asked and d.chance(0.6))
    how = How("past" if d.chance(0.12) else "present", "", negated)
    if how.tense == "past" and any(w.text in PRESENT for w in inner.english):
        raise Unfit  # "I knew where he lived"
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def _other(d: Derivation, subject: NounPhrase) -> NounPhrase:
    other = itself(person(d), subject)
    if other.noun is not None and other.noun == subject.noun:
        raise Unfit
    if other.english[0].text == "everyone":
        raise Unfit
    if subject.first_person and other.first_person and d.chance(0.7):
        raise Unfit
    return other


def asked_me(d: Derivation) -> Clause:
    """He asked me where I lived: 그는 나에게 어디에 사는지 물었다; if I was: 배고픈지."""
    subject = person(d)
    hearer = object_pronoun(d, subject)
    text = hearer.english[0].text
    index = ("me", "you", "him", "her", "us", "them").index(text)
    again = pronoun(d, index)
    node = d.node()
    if subject.first_person and again.first_person:
        raise Unfit
    if d.chance(0.25):
        inner = _named_then(d, again)
    elif d.chance(0.55):
        inner = asked_clause(d, again, shifted=True)
    else:
        inner = whether(d, again, was=True)
    whom = Clause(hearer.english, hearer.marked(DATIVE))
    # Korean says once who is asked, and asked about.
    if not inner.korean or inner.korean[0].nodes != again.marked(SUBJECT)[0].nodes:
        raise Unfit
    english = [
        Word(w.text, hearer.english[0].nodes) if w.nodes == again.english[0].nodes else w
        for w in inner.english
    ]
    both = Clause([*whom.english, *english], [*whom.korean, *inner.korean[1:]])
    verb = EnglishVerb("ask", "asks", "asked", "asking", node, [])
    said = Said(subject, verb, Predicate([], "묻", "ㄷ", "verb", (node,)), (both,))
    return clause(d, said, How("past"))


def _named_then(d: Derivation, again: NounPhrase) -> Clause:
    """Return "what my name was", 이름이 무엇인지, with what Korean leaves unsaid first."""
    english, korean = d.choose(NAMED)
    text, node = again.english[0].text, d.node()
    if text in ("we", "they") and ("name" in english or "job" in english):
        raise Unfit
    was = "were" if text in ("you", "we", "they") else "was"
    english = english.replace("BE", was).replace(" is", " was")
    english = english.replace("OWN", OWN[text]).replace("THEY", text)
    made = [
        Word(part, again.english[0].nodes if part in (text, OWN[text]) else (node,))
        for part in english.split(" ")
    ]
    return Clause(made, [*again.marked(SUBJECT), *words(korean, node)])


def whether(d: Derivation, other: NounPhrase, *, was: bool) -> Clause:
    """Return "if he is at home", 그가 집에 있는지."""
    node = d.node()
    kind = d.weighted((("state", 0.5), ("will", 0.25), ("like", 0.25)))
    word = "whether" if d.chance(0.15) else "if"
    if kind == "state":
        said, how = state(d, other), How("past" if was else "present")
        if "R" in said.flags:
            raise Unfit
    elif kind == "like":
        said = doing(d, other, "xpe")
        if "s" not in said.flags:
            raise Unfit
        how = How("past" if was else "present")
    else:
        said = doing(d, other)
        if was:
            raise Unfit
        how = event_of(d, said, "future")
    made = clause(d, said, how, ending=INDIRECT, particle=SUBJECT)
    if was:
        made = Clause(
            made.english, clause(d, said, How("present"), ending=INDIRECT, particle=SUBJECT).korean
        )
        said_nodes = {n for w in made.korean for n in w.nodes}
        if any(not set(w.nodes) & said_nodes for w in made.english):
            raise Unfit
    if kind == "will":
        *head, _ = made.korean
        will = head[-1] if head else made.korean[-1]
        made = Clause(made.english, [*head[:-1], will, Word("것인지", made.korean[-1].nodes)])
    return Clause([*words(word, node), *made.english], expressing(made, node))


def wonder_if(d: Derivation) -> Clause:
    """I wonder if it will rain: 나는 비가 올지 궁금하다. I do not know if he is at home: 있는지."""
    node = d.node()
    kind = d.weighted((("know", 0.6), ("wonder", 0.4)))
    subject = pronoun(d, 0) if kind == "wonder" else person(d)
    if subject.english[0].text == "everyone":
        raise Unfit
    if d.chance(0.25):
        own, will, word = d.node(), d.node(), d.node()
        falls, korean = d.choose((("rain", "비가"), ("snow", "눈이")))
        times = (
            ("tomorrow", "내일"),
            ("today", "오늘"),
            ("tonight", "오늘 밤에"),
            ("", ""),
            ("", ""),
        )
        english, spoken = d.choose(times)
        when = d.node()
        time = Clause(words(english, when), words(spoken, when)) if english else Clause([], [])
        inner = Clause(
            [
                *words("if", word),
                *words("it", own),
                *words("will", will),
                *words(falls, own),
                *time.english,
            ],
            [*time.korean, *words(korean, own), *words("올", own), *words("것인지", will, word)],
        )
    else:
        other = _other(d, subject)
        if other.first_person and subject.first_person:
            raise Unfit
        inner = whether(d, other, was=False)
    if kind == "wonder":
        korean_last = words("궁금하다", node)
        return Clause(
            [*subject.english, *words("wonder", node), *inner.english],
            [*subject.marked(TOPIC), *inner.korean, *korean_last],
        )
    asked = subject.english[0].text == "you"
    verb = EnglishVerb("know", "knows", "knew", "knowing", node, [])
    said = Said(subject, verb, Predicate([], "알", "", "verb", (node,)), (inner,))
    how = How("present", "", not asked)
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)
