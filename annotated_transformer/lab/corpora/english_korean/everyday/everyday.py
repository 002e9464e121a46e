"""Statements, questions and requests of everyday language. CC0.

Statements end in 다 (해라체, as in the rest of the corpus), questions in 니, commands in 아라/어라,
requests with "please" in 아/어 줘, proposals in 자: the plain level throughout, as among friends
or in a book. The future is 갈 것이다, in a question 갈 거니. Elders are not honoured by 께서 or
-시-, which would need to know who speaks to whom. Korean has no final punctuation.
"""

from annotated_transformer.lab.corpora.english_korean.adverbs import FREQUENCIES
from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY, adverbial
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import state
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action, dative
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    ALSO,
    How,
    Said,
    clause,
    surroundings,
)
from annotated_transformer.lab.corpora.english_korean.everyday.times import time_for
from annotated_transformer.lab.corpora.english_korean.everyday.ways import with_way
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.phrases import pronoun

WISHES = ("want", "want", "want", "like", "like", "have", "have", "can", "can", "must", "should")
MODALS = (*WISHES, "would like", "need", "like doing", "enjoy", "love", "want")


def how_of(d: Derivation, said: Said, *, asked: bool = False) -> How:
    """Draw tense, modal and polarity that suit what is said."""
    negated = not asked and d.chance(0.22)
    if said.kind not in ("action", "motion"):
        tense = d.weighted((("present", 0.66), ("past", 0.27), ("future", 0.07)))
        return How(tense, "", negated)
    return How(*_active(d, said, asked=asked), negated)


def _active(d: Derivation, said: Said, *, asked: bool) -> tuple[str, str]:
    """Return tense and modal of an action."""
    flags = said.flags
    stative = not flags.isdisjoint("s")
    unwished = stative or not flags.isdisjoint("x")
    kind = d.weighted(
        (
            ("present", 0.0 if "e" in flags else 0.6 if stative else 0.2),
            ("past", 0.27),
            ("future", 0.1),
            ("going", 0.0 if unwished else 0.05),
            ("progressive", 0.0 if unwished else 0.13),
            ("past progressive", 0.0 if unwished else 0.03),
            ("modal", 0.0 if "p" in flags else 0.3 if not unwished else ABLE.get(said.base, 0.0)),
        )
    )
    if "p" in flags:
        kind = "present"
    if (kind, said.base) == ("going", "work"):
        kind = "future"  # "going to work" is on the way there
    if kind != "modal":
        if said.base in UNCLEAR and kind in ("present", "past") and not asked:
            kind = "future"
        return kind, ""
    human = said.subject.noun is None or "animal" not in said.subject.noun.classes
    modal = d.choose(MODALS) if human and not unwished else "can"
    if modal in ("like", "like doing", "enjoy", "love") and "e" in flags:
        modal = "want"
    past = modal in ("want", "can", "have") and d.chance(0.25)
    return ("past" if past else "present"), modal


# States and events that one may be able to.
ABLE = dict.fromkeys(("see", "hear", "understand", "find", "speak", "remember", "win"), 0.25)
# Their past is spelt like the present.
UNCLEAR = frozenset({"read", "cut", "hurt OWN leg", "hurt OWN arm", "read books", "read a book"})
TIMED_MODALS = frozenset({"want", "would like", "have", "can", "must", "should", "need"})


def statement(d: Derivation) -> Clause:
    """I want to eat pizza: 나는 피자를 먹고 싶다."""
    said = action(d) if d.chance(0.66) else state(d)
    return told(d, said)


def told(d: Derivation, said: Said) -> Clause:
    """Say it, with a tense, perhaps a time and other circumstances."""
    how = how_of(d, said)
    active = said.kind in ("action", "motion")
    if active:
        said = with_way(d, said, negated=how.negated)
    time = EMPTY
    if not how.modal:
        time = time_for(d, said, how.tense, 0.3 if active else 0.12)
    elif how.modal in TIMED_MODALS and how.tense == "present" and "s" not in said.flags:
        time = time_for(d, said, "future", 0.15)
    often = EMPTY
    habit = how == How("present", "", False) and "e" not in said.flags and "s" not in said.flags
    if active and habit and not time.english and d.chance(0.25):
        often = adverbial(d, FREQUENCIES)
    simple = how in (How("present"), How("past")) and "R" not in said.flags
    if active and simple and not often.english and d.chance(0.05):
        never = d.node()
        how = how._replace(never=never)
        text = "한 번도" if d.lexicon.natural and how.tense == "past" else "전혀"
        often = Clause(words("never", never), words(text, never))
    first = bool(time.english) and d.chance(0.12)
    also = (
        not how.negated
        and not how.never
        and not time.english
        and not often.english
        and d.chance(0.05)
    )
    sentence = clause(
        d, said, how, time=time, time_first=first, often=often, particle=ALSO if also else TOPIC
    )
    return _also(d, said, sentence) if also else sentence


def _also(d: Derivation, said: Said, sentence: Clause) -> Clause:
    """Add "too", which Korean says with 도 on the subject."""
    node = d.node()
    place = len(said.subject.korean) - 1
    korean = list(sentence.korean)
    korean[place] = Word(korean[place].text, (*korean[place].nodes, node))
    return Clause([*sentence.english, *words("too", node)], korean)


def asked_subject(d: Derivation) -> int:
    """Draw whom a question is about: mostly the hearer."""
    return int(
        d.weighted((("1", 0.66), ("0", 0.05), ("2", 0.1), ("3", 0.1), ("4", 0.03), ("5", 0.06)))
    )


def yes_no(d: Derivation) -> Clause:
    """Do you like coffee?: 너는 커피를 좋아하니."""
    given = pronoun(d, asked_subject(d)) if d.chance(0.7) else None
    said = action(d, given) if d.chance(0.62) else state(d, given)
    how = how_of(d, said, asked=True)
    if said.subject.first_person and how.modal in ("want", "would like", "like", "love", "enjoy"):
        raise Unfit
    if d.lexicon.natural and how == How("past", "can"):
        raise Unfit  # "could you" asks for a favour
    if how.modal == "would like" and said.subject.english[0].text != "you":
        raise Unfit
    if how.modal == "can" and how.tense == "present" and said.subject.english[0].text == "I":
        return permission(d, said)
    time = time_for(d, said, how.tense, 0.25) if not how.modal else EMPTY
    refused = d.chance(0.08) and how.modal in ("", "can", "want")
    return clause(*(d, said, how._replace(negated=refused)), ending="니", asked=True, time=time)


def permission(d: Derivation, said: Said) -> Clause:
    """Can I open the window?: 내가 창문을 열어도 되니."""
    node = d.node()
    auxiliary = "may" if d.chance(0.3) else "can"
    verb = said.english
    english = [Word(auxiliary, (node,)), *said.subject.english, Word(verb.base, (verb.node,))]
    english += verb.tail
    follow, before = surroundings(said)
    english += follow
    korean = [*said.subject.marked(SUBJECT), *before]
    if d.lexicon.natural:  # who asks for leave is not named
        allowed = said.korean._replace(nodes=(*said.korean.nodes, said.subject.node))
        said, korean = said._replace(korean=allowed), before
    asked = endings.finished(endings.allowed(said.korean, node), "present", "니")
    return Clause(english, [*korean, *asked])


def imperative(d: Derivation) -> Clause:
    """Open the window: 창문을 열어라; please: 열어 줘; do not: 열지 마라; let us: 열자."""
    kind = d.weighted((("command", 0.32), ("please", 0.3), ("never", 0.2), ("let", 0.18)))
    index = 4 if kind == "let" else 1
    subject = pronoun(d, index)
    give = kind != "let" and d.chance(0.25)
    said = dative(d, subject) if give else action(d, subject)
    if said.flags & {"s", "x"} or said.kind not in ("action", "motion"):
        raise Unfit
    if any(word.text == "you" for part in said.complements for word in part.english):
        raise Unfit
    said = with_way(d, said, negated=kind == "never")
    node = d.node()
    body = [Word(said.english.base, (said.english.node,)), *said.english.tail]
    follow, korean = surroundings(said)
    body += follow
    if kind == "command":
        return Clause(body, [*korean, *endings.command(said.korean)])
    if kind == "never":
        if d.lexicon.natural and any(word.text == "some" for word in body):
            raise Unfit
        english = [*words("do not", node), *body]
        return Clause(english, [*korean, *endings.prohibition(said.korean, node)])
    if kind == "let":
        time = time_for(d, said, "future", 0.3)
        english = [*words("let us", node), *body, *time.english]
        return Clause(english, [*time.korean, *korean, *endings.proposal(said.korean, node)])
    please = words("please", node)
    english = [*please, *body] if d.chance(0.6) else [*body, *please]
    return Clause(english, [*korean, *endings.request(said.korean, node)])
