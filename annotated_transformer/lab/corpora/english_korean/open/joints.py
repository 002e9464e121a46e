"""What joins two clauses: endings that `endings.finished` lacks, happenings, orders. CC0."""

from annotated_transformer.lab.corpora.english_korean import natural
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import (
    MOODS,
    _again,
    _third,
    expressing,
    person,
)
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import quality
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    composed,
    surroundings,
)
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, without_rieul
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun
from annotated_transformer.lab.corpora.english_korean.verbs import names

# Endings made here: 니까, 다면, 자마자, 까지 (올 때까지), 다는, 기를, 러 and 라고 (of an order).
AS, HYPOTHESIS, AT_ONCE, UNTIL = "니까", "다면", "자마자", "까지"
THAT, NOMINAL, PURPOSE, ORDERED = "다는", "기를", "러", "으라고"


def ended(p: Predicate, tense: str, ending: str) -> Words:
    """Return the predicate with one of the endings above, or one of `endings.finished`."""
    if ending in (AS, PURPOSE, ORDERED):
        return _opened(p, tense, ending)
    before, new = {
        AT_ONCE: ("고", AT_ONCE),
        UNTIL: ("때", "때까지"),
        HYPOTHESIS: ("다고", "면"),
        THAT: ("다고", "는"),
        NOMINAL: ("전에", NOMINAL),
    }.get(ending, (ending, ""))
    done = endings.finished(p, "present" if ending in (AT_ONCE, UNTIL, NOMINAL) else tense, before)
    if not new:
        return done
    if ending == NOMINAL:
        return _replaced(done[:-1], "기", NOMINAL)
    return _replaced(done, before[-1], new)


def _opened(p: Predicate, tense: str, ending: str) -> Words:
    """Return it with 으니까, 으러, 으라고, whose 으 only consonants take."""
    if tense == "past":
        return _replaced(endings.finished(p, "past", "지만"), "지만", "으니까")
    *head, last = endings.finished(p, "present", "면")
    stem = last.text[:-1]
    text = without_rieul(stem) + AS if ending == AS else stem + ending.removeprefix("으")
    return [*head, Word(text, last.nodes)]


def _replaced(phrase: Words, old: str, new: str) -> Words:
    *head, last = phrase
    return [*head, Word(last.text.removesuffix(old) + new, last.nodes)]


def joined(
    d: Derivation,
    said: Said,
    how: How,
    ending: str,
    *,
    korean_tense: str = "",
    particle: tuple[str, str] = SUBJECT,
    drop_subject: bool = False,
) -> Clause:
    """Return a clause with an ending of `ended`, in Korean perhaps in another tense."""
    said = natural.felt(said, asked=False, ending="면")
    said = natural.denied_amount(said) if how.negated else said
    head, rest, korean, tense = composed(d, said, how)
    follow, around = surroundings(said)
    english = [*said.subject.english, *head, *rest, *follow]
    if how.negated:
        english, around = natural.without_some(english, around)
    tense = "past" if "R" in said.flags else korean_tense or tense
    if ending == UNTIL and tense == "past" and "R" in said.flags:
        raise Unfit
    marked = [] if drop_subject else said.subject.marked(particle)
    return Clause(english, [*marked, *around, *ended(korean, tense, ending)])


def differing(d: Derivation, subject: NounPhrase) -> NounPhrase:
    """Return somebody else who cannot be taken for the subject."""
    other = person(d)
    if other.english[0].text == subject.english[0].text or (_third(other) and _third(subject)):
        raise Unfit
    return other


def again_or_other(d: Derivation, subject: NounPhrase, same: float) -> tuple[NounPhrase, bool]:
    """Return the subject taken up by its pronoun, or somebody else, and whether it is the same."""
    if d.chance(same):
        again = _again(d, subject)
        if again is None:
            raise Unfit
        return again, True
    return differing(d, subject), False


def arranged(subject: NounPhrase, part: Words, main: Clause, *, same: bool) -> Words:
    """Return the Korean of both clauses: the part behind the topic it shares, else before all."""
    if not same:
        return [*part, *main.korean]
    n_topic = len(subject.korean)
    return [*main.korean[:n_topic], *part, *main.korean[n_topic:]]


def with_comma(phrase: Words, comma: str = ",") -> Words:
    """Return the words with a comma behind the last."""
    return [*phrase[:-1], Word(phrase[-1].text + comma, phrase[-1].nodes)]


def mood(
    d: Derivation, subject: NounPhrase, among: frozenset[str] = MOODS, *, degree: bool = False
) -> Said:
    """Return a state of somebody that makes people act, perhaps with "very"."""
    said = quality(d, subject)
    much = degree and [word.text for word in said.korean.before] in (["아주"], ["정말"], ["너무"])
    if said.base not in among or (said.korean.before and not much):
        raise Unfit
    return said


def doing(d: Derivation, subject: NounPhrase, flags: str = "sxp") -> Said:
    """Return something that is done, without the kinds that the flags name."""
    said = action(d, subject)
    if said.flags & set(flags) or said.base in UNFIT:
        raise Unfit
    return said


# What is spelt alike in the past, or seldom said in a clause.
UNFIT = names(
    "read,read books,read a book,cut,put on,become,hurt OWN leg,hurt OWN arm,quit OWN job"
)


def happening(d: Derivation) -> Said:
    """Return what happens: the phone rings, 전화가 울리다."""
    thing, forms, korean_thing, korean = d.choose(word_table("happenings"))
    own, node = d.node(), d.node()
    subject = NounPhrase(words(thing, own), words(korean_thing, own), own, "3s")
    base, third, past, *rest = forms.split(" ")
    verb = EnglishVerb(base, third, past, "", node, words(rest[0], node) if rest else [])
    flags = frozenset("w" if thing in ("the rain", "the snow") else "")
    return Said(subject, verb, endings.verb(korean, "", node), (), flags, "action", base)


def order(d: Derivation, *, positive: bool = False) -> tuple[Clause, str]:
    """Return what somebody is told or asked to do, and of what kind the order is."""
    kind = d.weighted((("command", 0.55), ("please", 0.25), ("never", 0.0 if positive else 0.2)))
    node = d.node()
    if d.chance(0.5):
        english, korean, irregular, kinds = d.choose(word_table("errands"))
        if kind == "never" and "n" not in kinds:
            raise Unfit
        if kind == "command" and "p" in kinds:
            kind = "asked"
        own = d.node()
        body = words(english, own)
        around: Words = []
        predicate = endings.verb(korean, irregular.strip("-"), own)
    else:
        said = doing(d, pronoun(d, 1))
        if said.flags & {"R"} or said.base in ("arrive", "get home", "hurry"):
            raise Unfit
        follow, around = surroundings(said)
        body = [Word(said.english.base, (said.english.node,)), *said.english.tail, *follow]
        if any(text in ("you", "some") for text, _ in body):
            raise Unfit
        predicate = said.korean
    if kind in ("command", "asked"):
        last = (endings.command if kind == "command" else _asked)(predicate)
        return Clause(body, [*around, *last]), "command"
    if kind == "never":
        body = [*words("do not", node), *body]
        return Clause(body, [*around, *endings.prohibition(predicate, node)]), kind
    return Clause(
        [*words("please", node), *body], [*around, *endings.request(predicate, node)]
    ), kind


def _asked(predicate: Predicate) -> Words:
    """Return a request without "please": 알려 줘."""
    *head, last = endings.request(predicate, 0)
    nodes = tuple(node for node in last.nodes if node) or predicate.nodes
    return [*head, Word(last.text, nodes)]


def proposal(d: Derivation) -> Clause:
    """Return "let us rest", 쉬자."""
    said = doing(d, pronoun(d, 4))
    node = d.node()
    follow, around = surroundings(said)
    body = [Word(said.english.base, (said.english.node,)), *said.english.tail, *follow]
    if any(text in ("us", "me", "some") for text, _ in body) or said.base in ("arrive", "come"):
        raise Unfit
    return Clause([*words("let us", node), *body], [*around, *endings.proposal(said.korean, node)])


def unsaid(part: Clause, subject: NounPhrase, node: int) -> Words:
    """Return the Korean of a clause whose "you" it leaves unsaid, with its conjunction."""
    return expressing(Clause([], expressing(part, node)), subject.node)
