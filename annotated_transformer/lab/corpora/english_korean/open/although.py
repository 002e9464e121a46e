"""Although, until, as soon as, while and when of what happens: 비가 왔지만, 그가 올 때까지. CC0."""

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
from annotated_transformer.lab.corpora.english_korean.everyday.endings import AFTER, BEFORE, WHILE
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import How, Said, clause
from annotated_transformer.lab.corpora.english_korean.everyday.weather import weather_clause
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.open.joints import (
    AT_ONCE,
    UNTIL,
    again_or_other,
    arranged,
    differing,
    doing,
    happening,
    joined,
    mood,
    with_comma,
)
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, article, pronoun
from annotated_transformer.lab.corpora.english_korean.verbs import names

HINDERING = names(
    "tired sick busy sleepy poor scared hungry thirsty upset worried sad lazy weak old"
)
HELPING = names("hungry thirsty rich strong healthy young free happy smart bored brave")
LASTING = names("wait sleep work study read play stay rest watch cry walk dance run sing talk cook")
LASTING_PHRASES = names("stay home,watch TV,read books,play games,stay here,listen to music,wait")


def although(d: Derivation) -> Clause:
    """Although he was sick, he went to work: 그는 아팠지만 출근했다. "But" of one subject too."""
    word = d.weighted((("although", 0.35), ("even though", 0.15), ("though", 0.1), ("but", 0.4)))
    subject = person(d)
    past = d.chance(0.7)
    tense = "past" if past else "present"
    denied = d.chance(0.4)
    said = doing(d, subject, "px")
    main_tense = tense if past else d.choose(("present", "future", "progressive"))
    how = event_of(d, said, main_tense)._replace(negated=denied)
    kind = d.weighted((("mood", 0.5), ("sky", 0.2), ("action", 0.2), ("state", 0.1)))
    same = False
    other = subject
    if kind == "sky":
        part = weather_clause(d, tense, "지만")
    else:
        other, same = again_or_other(d, subject, 0.75)
        if word == "but" and same:
            other, subject = subject, other  # the noun comes first
            said = said._replace(subject=subject)
        why = _why(d, other, kind, denied=denied)
        if why.base == said.base:
            raise Unfit
        why_how = How(tense, "", kind != "mood" and d.chance(0.25))
        if why.kind in ("action", "motion"):
            why_how = event_of(d, why, tense)._replace(negated=not denied)
        particle = TOPIC if word == "but" else SUBJECT
        part = joined(d, why, why_how, "지만", particle=particle, drop_subject=same)
    node = d.node()
    main = clause(d, said, how)
    korean = arranged(subject, expressing(part, node), main, same=same)
    if same and word == "but":
        korean[: len(subject.korean)] = other.marked(TOPIC)
    if word == "but":
        comma = "," if d.chance(0.6) else ""
        left = with_comma(part.english, comma)
        return Clause([*left, *words("but", node), *main.english], korean)
    english = [*words(word, node), *part.english]
    if d.chance(0.65):
        if same and subject.noun is not None:
            raise Unfit
        return Clause([*with_comma(english), *main.english], korean)
    return Clause([*main.english, *english], korean)


def _why(d: Derivation, subject: NounPhrase, kind: str, *, denied: bool) -> Said:
    if kind == "mood":
        return mood(d, subject, HELPING if denied else HINDERING)
    if kind == "state":
        said = state(d, subject)
        if said.kind == "quality":
            raise Unfit
        return said
    return doing(d, subject, "px")


def _lasts(said: Said) -> bool:
    return said.base in LASTING_PHRASES or (
        said.base.split(" ")[0] in LASTING and not said.flags & {"e", "s", "x"}
    )


def until(d: Derivation) -> Clause:
    """I waited until he came: 나는 그가 올 때까지 기다렸다."""
    subject = person(d)
    said = action(d, subject)
    if not _lasts(said):
        raise Unfit
    tense = d.choose(("past", "past", "future", "modal"))
    how = (
        How("present", d.choose(("want", "have", "must", "can")))
        if tense == "modal"
        else How(tense)
    )
    if tense == "past":
        how = event_of(d, said, "past")
    inner_tense = "past" if tense == "past" else "present"
    if d.chance(0.4):
        inner, same = happening(d), False
    else:
        other, same = again_or_other(d, subject, 0.3)
        inner = doing(d, other, "sp")
        if not inner.flags & {"e"} and inner.kind != "motion":
            raise Unfit
    if inner.base == said.base:
        raise Unfit
    part = joined(d, inner, How(inner_tense), UNTIL, korean_tense="present", drop_subject=same)
    main = clause(d, said, how)
    node = d.node()
    korean = arranged(subject, expressing(part, node), main, same=same)
    english = [*words("until", node), *part.english]
    if d.chance(0.12) and subject.noun is None:
        return Clause([*with_comma(english), *main.english], korean)
    return Clause([*main.english, *english], korean)


def at_once(d: Derivation) -> Clause:
    """As soon as she came home, she went to bed: 그녀는 집에 오자마자 잠자리에 들었다."""
    subject = person(d)
    past = d.chance(0.7)
    said = doing(d, subject)
    how = event_of(d, said, "past" if past else "future")
    if d.chance(0.25):
        inner, same = happening(d), False
    else:
        other, same = again_or_other(d, subject, 0.8)
        inner = doing(d, other, "sp")
        if not inner.flags & {"e", "c"} and inner.kind != "motion":
            raise Unfit
    if inner.base == said.base:
        raise Unfit
    inner_how = How("past" if past else "present")
    part = joined(d, inner, inner_how, AT_ONCE, korean_tense="present", drop_subject=same)
    main = clause(d, said, how)
    node = d.node()
    korean = arranged(subject, expressing(part, node), main, same=same)
    english = [*words("as soon as", node), *part.english]
    if d.chance(0.45):
        if same and subject.noun is not None:
            raise Unfit
        return Clause([*with_comma(english), *main.english], korean)
    return Clause([*main.english, *english], korean)


def when_it_happened(d: Derivation) -> Clause:
    """I was reading when the phone rang: 전화가 울렸을 때 나는 읽고 있었다. Before, after, if."""
    word = d.weighted((("when", 0.5), ("before", 0.2), ("after", 0.2), ("if", 0.1)))
    subject = person(d)
    future = word == "if" or d.chance(0.25)
    inner = happening(d)
    tense = "future" if future else "past"
    if word == "when" and not future:
        tense = "past progressive" if d.chance(0.6) else "past"
    said = doing(d, subject)
    how = event_of(d, said, tense)
    ending = {"when": "때", "before": BEFORE, "after": AFTER, "if": "면"}[word]
    if word == "when" and future:
        ending = "면"
    part = joined(d, inner, How("present" if future else "past"), ending)
    main = clause(d, said, how)
    node = d.node()
    korean = [*expressing(part, node), *main.korean]
    english = [*words(word, node), *part.english]
    if d.chance(0.35):
        return Clause([*with_comma(english), *main.english], korean)
    return Clause([*main.english, *english], korean)


def while_doing(d: Derivation) -> Clause:
    """While I was reading, he called me: 내가 읽는 동안 그는 나에게 전화했다; "when" too."""
    subject = person(d)
    other = differing(d, subject)
    inner = doing(d, other)
    event_of(d, inner, "progressive")
    said = doing(d, subject)
    how = event_of(d, said, d.choose(("past", "past", "past progressive")))
    if said.base == inner.base:
        raise Unfit
    part = clause(*(d, inner, How("past progressive")), ending=WHILE, particle=SUBJECT)
    main = clause(d, said, how)
    node = d.node()
    korean = [*expressing(part, node), *main.korean]
    english = [*words("while", node), *part.english]
    if d.chance(0.55):
        return Clause([*with_comma(english), *main.english], korean)
    return Clause([*main.english, *english], korean)


def when_child(d: Derivation) -> Clause:
    """When I was a child, I lived in Busan: 나는 어렸을 때 부산에 살았다."""
    subject = pronoun(d, d.choose((0, 0, 0, 2, 3, 4, 5, 1)))
    who = subject.english[0].text
    plural = who in ("we", "they")
    choices = ("children", "students") if plural else ("a child", "a student", "little")
    english = d.choose(choices)
    node, be = d.node(), d.node()
    stem = {"a student": "학생이었을", "students": "학생이었을"}.get(english, "어렸을")
    said = action(d, subject)
    if said.flags & {"p", "x"} or said.base in ("read", "cut", "put on", "become"):
        raise Unfit
    want = "s" not in said.flags and d.chance(0.2)
    how = How("past", "want" if want else "", not want and d.chance(0.15))
    main = clause(d, said, how)
    was = "was" if who in ("I", "he", "she") else "were"
    part = [*words("when", node), *words(who, subject.node), *words(was, be), *words(english, be)]
    when = [*words(stem, be), *words("때", be, node)]
    korean = arranged(subject, when, main, same=True)
    if d.chance(0.6):
        return Clause([*with_comma(part), *main.english], korean)
    return Clause([*main.english, *part], korean)


def once_and_now(d: Derivation) -> Clause:
    """When I was a child, I wanted to be a pilot, but now I am a teacher: 지금은 선생님이다."""
    subject = pronoun(d, d.choose((0, 0, 0, 2, 3, 1)))
    who = subject.english[0].text
    wish, now = d.choose(d.lexicon.nouns("job")), d.choose(d.lexicon.nouns("job"))
    if wish == now:
        raise Unfit
    young, want, was, be, but, then = (d.node() for _ in range(6))
    old, new = _a(d, wish), _a(d, now)
    first = d.choose(("a child", "a child", "little", "a student"))
    past = "was" if who != "you" else "were"
    child = [*words("when", was), *words(who, subject.node), *words(past, young)]
    child += words(first, young)
    become = d.choose(("be", "become"))
    desire = [
        *words(who, subject.node),
        *words("wanted to", want),
        *words(become, be),
        *old.english,
    ]
    is_ = {"I": "am", "you": "are"}.get(who, "is")
    today = [*words("but", but), *words("now", then), *words(who, subject.node)]
    today += [*words(is_, new.node), *new.english]
    when = words("학생이었을" if first == "a student" else "어렸을", young)
    when += words("때", was, young)
    wanted = "싶었지만" if who == "I" else "싶어 했지만"
    korean = [*subject.marked(TOPIC), *when, *old.marked(SUBJECT), *words("되고", be)]
    korean += [*words(wanted, want, but), *words("지금은", then)]
    ending = "이다" if _closed(new.korean[-1].text) else "다"
    last = new.korean[-1]
    korean += [*new.korean[:-1], Word(last.text + ending, last.nodes)]
    english = [*desire, *child] if d.chance(0.35) else [*with_comma(child), *desire]
    english = with_comma(english) if d.chance(0.8) else english
    return Clause([*english, *today], korean)


def _closed(word: str) -> bool:
    return (ord(word[-1]) - 0xAC00) % 28 > 0


def _a(d: Derivation, noun: Noun) -> NounPhrase:
    node = d.node()
    return NounPhrase(
        [*words(article(noun.english), node), *words(noun.english, node)],
        words(noun.korean, node),
        node,
        "3s",
    )
