"""One clause of everyday language: subject, predicate, tense, modal, polarity, mood. CC0."""

from typing import NamedTuple

from annotated_transformer.lab.corpora.english_korean import natural
from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.morphology import TOPIC
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase
from annotated_transformer.lab.corpora.english_korean.predicates import be

POSSESSIVE_OF = {"I": "my", "you": "your", "he": "his", "she": "her", "we": "our", "they": "their"}
ALSO = ("도", "도")
NEGATIONS = {
    **{"is": "isn't", "are": "aren't", "was": "wasn't", "were": "weren't", "do": "don't"},
    **{"does": "doesn't", "did": "didn't", "will": "won't", "could": "couldn't"},
    **{"should": "shouldn't", "would": "wouldn't", "can": "can't"},
}


class EnglishVerb(NamedTuple):
    """Forms of an English verb, what follows it and its node; "be" has only the base."""

    base: str
    third: str
    past: str
    ing: str
    node: int
    tail: Words

    @property
    def is_be(self) -> bool:
        """Whether it needs no "do"."""
        return self.base == "be"


class Said(NamedTuple):
    """What is said of whom.

    `complements` come in English order; `manner` stands next to the Korean verb.
    """

    subject: NounPhrase
    english: EnglishVerb
    korean: Predicate
    complements: tuple[Clause, ...] = ()
    flags: frozenset[str] = frozenset()
    kind: str = "action"
    base: str = ""
    manner: Clause = EMPTY


class How(NamedTuple):
    """Tense ("present", "past", "future", "progressive", ...), modal and polarity.

    `never` is the node of that word, which Korean says with a negation.
    """

    tense: str = "present"
    modal: str = ""
    negated: bool = False
    never: int = 0


def _lexical(forms: str, node: int, inner: EnglishVerb, *, ing: bool = False) -> EnglishVerb:
    """Return "want to eat", "enjoy eating": a verb with another one behind it."""
    base, third, past, participle, *rest = forms.split()
    form = inner.ing if ing else inner.base
    tail = [*(Word(text, (node,)) for text in rest), Word(form, (inner.node,)), *inner.tail]
    return EnglishVerb(base, third, past, participle, node, _split(tail))


def _split(phrase: Words) -> Words:
    return [Word(part, nodes) for text, nodes in phrase for part in text.split(" ")]


LEXICAL = {
    "want": "want wants wanted wanting to",
    "like": "like likes liked liking to",
    "love": "love loves loved loving to",
    "like doing": "like likes liked liking",
    "enjoy": "enjoy enjoys enjoyed enjoying",
    "have": "have has had having to",
    "need": "need needs needed needing to",
}
AUXILIARIES = {"can": ("can", "could"), "must": ("must",) * 2, "should": ("should",) * 2}


def _with_modal(
    d: Derivation, said: Said, how: How, *, asked: bool
) -> tuple[EnglishVerb, Predicate, str, int]:
    """Return both predicates with the modal, the English auxiliary and its node."""
    english, korean = said.english, said.korean
    node, modal = d.node(), how.modal
    auxiliary = ""
    speaker = said.subject.first_person or (asked and said.subject.english[0].text == "you")
    if modal in ("want", "would like"):
        korean = endings.wishing(korean, node, first_person=speaker)
    elif modal in ("like", "like doing", "enjoy", "love"):
        stem = "즐기" if modal == "enjoy" else "좋아하"
        korean = endings.liked(korean, node, stem)
        if modal == "love":
            before = [*korean.before, Word("아주", (node,))]
            korean = korean._replace(before=before)
    elif modal in ("have", "need"):
        if how.negated:
            deny = d.node()
            refused = [*korean.before, Word(korean.stem + "지", korean.nodes)]
            korean = Predicate([*refused, Word("않아도", (deny,))], "되", "", "verb", (node, deny))
        else:
            korean = endings.obliged(korean, node)
    elif modal in ("must", "should"):
        grow = endings.forbidden if how.negated else endings.obliged
        korean = grow(korean, node)
    elif modal == "can":
        korean = endings.able(korean, node)
    if modal in LEXICAL:
        english = _lexical(LEXICAL[modal], node, english, ing=modal in ("like doing", "enjoy"))
    elif modal == "would like":
        english = _lexical("like likes liked liking to", node, english)
        auxiliary = "would"
    elif modal:
        auxiliary = AUXILIARIES[modal][how.tense == "past"]
    return english, korean, auxiliary, node


def composed(
    d: Derivation, said: Said, how: How, *, asked: bool = False
) -> tuple[Words, Words, Predicate, str]:
    """Return the English auxiliary (perhaps empty), the other English words and the Korean.

    The last value is the tense of the Korean ending.
    """
    english, korean, auxiliary, node = _with_modal(d, said, how, asked=asked)
    tense, agreement = how.tense, said.subject.agreement
    was = tense in ("past", "past progressive")
    deny = d.node() if how.negated else 0
    done_by_modal = how.modal in ("have", "need", "must", "should") and how.negated
    if done_by_modal:
        deny = next(iter(korean.nodes[1:]), node)
    aspect = d.node() if tense in ("progressive", "past progressive", "future", "going") else 0
    if "progressive" in tense:
        korean = endings.progressive(korean, aspect)
    if how.negated and not done_by_modal:
        korean = endings.denied(korean, deny, unable="n" in said.flags and not how.modal)
    if how.never:
        korean = endings.denied(korean, how.never)
    if tense in ("future", "going"):
        korean = endings.future(korean, aspect)
    form = _Form(auxiliary, node, tense, agreement, aspect, deny, asked)
    head, rest = _english(english, form)
    done = "R" in said.flags and tense not in ("future", "going")
    return head, rest, korean, "past" if was or done else "present"


class _Form(NamedTuple):
    """What chooses the form of the English verb, and the nodes of its auxiliaries."""

    auxiliary: str
    node: int
    tense: str
    agreement: str
    aspect: int
    deny: int
    asked: bool


def _english(verb: EnglishVerb, form: _Form) -> tuple[Words, Words]:
    """Return the auxiliary or the form of "be", and what follows the subject in a question."""
    negation = [Word("not", (form.deny,))] if form.deny else []
    base = [Word(verb.base, (verb.node,)), *verb.tail]
    if form.auxiliary:
        if form.auxiliary == "can" and form.deny and not form.asked:
            return [Word("cannot", (form.node, form.deny))], base
        return [Word(form.auxiliary, (form.node,))], [*negation, *base]
    if form.tense == "future":
        return [Word("will", (form.aspect,))], [*negation, *base]
    if form.aspect:
        doing = [Word(verb.ing, (verb.node,)), *verb.tail]
        if form.tense == "going":
            doing = [*words("going to", form.aspect), *base]
        tense = "past" if form.tense.startswith("past") else "present"
        return [Word(be(tense, form.agreement), (form.aspect,))], [*negation, *_split(doing)]
    return _simple(verb, form, negation)


def _simple(verb: EnglishVerb, form: _Form, negation: Words) -> tuple[Words, Words]:
    """Return the present or past, with "do" where it is needed."""
    if verb.is_be:
        return [Word(be(form.tense, form.agreement), (verb.node,))], [*negation, *verb.tail]
    was, third = form.tense == "past", form.agreement == "3s"
    if form.deny or form.asked:
        do = "did" if was else "does" if third else "do"
        base = [Word(verb.base, (verb.node,)), *verb.tail]
        return [Word(do, (form.deny or verb.node,))], [*negation, *_split(base)]
    text = verb.past if was else verb.third if third else verb.base
    return [], _split([Word(text, (verb.node,)), *verb.tail])


def _refusing(head: Words, rest: Words) -> tuple[Words, Words]:
    """Return "didn't" with its "not", which a question cannot leave behind the subject."""
    auxiliary, denial = head[0], rest[0]
    short = NEGATIONS.get(auxiliary.text)
    if short is None or denial.text != "not":
        raise Unfit
    return [Word(short, auxiliary.nodes + denial.nodes)], rest[1:]


def surroundings(said: Said) -> tuple[Words, Words]:
    """Return what follows the English verb and what precedes the Korean one."""
    english = [word for part in said.complements for word in part.english]
    korean = [word for part in reversed(said.complements) for word in part.korean]
    return [*english, *said.manner.english], [*korean, *said.manner.korean]


def clause(
    d: Derivation,
    said: Said,
    how: How,
    *,
    ending: str = "다",
    particle: tuple[str, str] = TOPIC,
    asked: bool = False,
    question: Clause = EMPTY,
    time: Clause = EMPTY,
    time_first: bool = False,
    often: Clause = EMPTY,
    drop_subject: bool = False,
) -> Clause:
    """Put the clause together in both languages.

    `question` is a question word: it comes first in English and after the topic and the time in
    Korean. `drop_subject` leaves the subject to the other clause of the Korean sentence, where its
    node is.
    """
    if d.lexicon.natural:
        said = natural.felt(said, asked=asked, ending=ending)
        said = natural.denied_amount(said) if how.negated or how.never else said
        said = natural.denied_degree(said) if how.negated and not asked else said
    head, rest, korean, tense = composed(d, said, how, asked=asked)
    subject = said.subject
    if asked and how.negated:
        head, rest = _refusing(head, rest)
    english = [*head, *subject.english] if asked else [*subject.english, *head]
    english = [*question.english, *english, *often.english, *rest]
    before = [*question.korean, *often.korean]
    follow, around = surroundings(said)
    english += follow
    before += around
    if d.lexicon.natural and (asked or how.negated):
        english, before = natural.without_some(english, before)
    elif asked or how.negated:
        english = [Word("any" if text == "some" else text, nodes) for text, nodes in english]
    last = endings.finished(korean, tense, ending)
    topic = [] if drop_subject else subject.marked(particle)
    if time_first:
        return Clause([*time.english, *english], [*time.korean, *topic, *before, *last])
    return Clause([*english, *time.english], [*topic, *time.korean, *before, *last])
