"""Take an umbrella, take me to the station, be kind to others: 우산을 가져가라. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    POSSESSIVE_OF,
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import subject_of
from annotated_transformer.lab.corpora.english_korean.morphology import (
    DATIVE,
    OBJECT,
    attach,
)
from annotated_transformer.lab.corpora.english_korean.open.directions import HUMAN, ordered
from annotated_transformer.lab.corpora.english_korean.open.society import part, society_rows
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    article,
    pronoun,
)

OWNERS = {
    "my": "내",
    "your": "네",
    "his": "그의",
    "her": "그녀의",
    "our": "우리",
    "their": "그들의",
}


def _taken(d: Derivation, determiner: str) -> tuple[list[Word], list[Word]]:
    """Return "an umbrella", "your passport" in both languages, the Korean with its particle."""
    english, korean = d.choose(society_rows("taken"))
    node, own = d.node(), d.node()
    mass = english in ("keys", "money", "sunglasses", "homework", "medicine", "lunch")
    if determiner == "a":
        if mass:
            raise Unfit
        return (
            [*words(article(english), node), *words(english, node)],
            words(attach(korean, OBJECT), node),
        )
    if determiner == "the":
        return words(f"the {english}", node), words(attach(korean, OBJECT), node)
    return (
        [*words(determiner, own), *words(english, node)],
        [*words(OWNERS[determiner], own), *words(attach(korean, OBJECT), node)],
    )


def take_umbrella(d: Derivation) -> Clause:
    """Take an umbrella with you: 우산을 가져가라. I took my camera: 나는 내 카메라를 가져갔다."""
    verb = d.node()
    if d.chance(0.5):
        thing, korean = _taken(d, d.choose(("a", "your", "your", "the")))
        if "개를" in [word.text for word in korean]:
            raise Unfit
        body = [*words("take", verb), *thing]
        if d.chance(0.3):
            body += words("with you", verb)
        return ordered(d, Clause(body, []), korean, endings.verb("가져가", "", verb))
    subject = subject_of(d, HUMAN, pronouns=0.9)
    if subject.noun is not None:
        raise Unfit
    own = POSSESSIVE_OF.get(subject.english[0].text)
    if own is None:
        raise Unfit
    thing, korean = _taken(d, d.choose(("a", own, own)))
    if "개를" in [word.text for word in korean]:
        raise Unfit
    forms = EnglishVerb("take", "takes", "took", "taking", verb, thing)
    predicate = endings.verb("가져가", "", verb)
    said = Said(subject, forms, predicate._replace(before=korean))
    asked = d.chance(0.25)
    tense = d.weighted((("past", 0.4), ("future", 0.3), ("modal", 0.3)))
    modal = d.choose(("should", "must", "have")) if tense == "modal" else ""
    how = How("present" if modal else tense, modal, not asked and d.chance(0.2))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def take_me(d: Derivation) -> Clause:
    """Take me to the station: 나를 역에 데려다줘라. He took us to the zoo: 우리를 데려갔다."""
    english, korean = d.choose(society_rows("to where"))
    verb, node = d.node(), d.node()
    there = Clause(words(english, verb), []) if korean == "-" else part(d, english, korean)
    kind = d.weighted((("order", 0.3), ("can", 0.2), ("did", 0.5)))
    if kind != "did":
        if english == "with you":
            whom = pronoun(d, 0, is_object=True)
            last = endings.verb("데려가", "", verb)
        else:
            whom = pronoun(d, d.choose((0, 0, 4, 2, 3)), is_object=True)
            last = endings.verb("데려다주", "", verb)
        body = [*words("take", verb), *whom.english, *there.english]
        before = [*whom.marked(OBJECT), *there.korean]
        if kind == "order":
            if english == "with you":
                return Clause(body, [*before, *endings.command(last)])
            polite = d.chance(0.4)
            if polite:
                first = d.chance(0.6)
                please = words("please", node)
                body = [*please, *body] if first else [*body, *please]
                return Clause(body, [*before, Word("데려다줘", (verb, node))])
            return Clause(body, [*before, Word("데려다줘라", (verb,))])
        you = d.node()
        head = [*words(d.choose(("can", "can", "could")), node), *words("you", you)]
        able = endings.finished(endings.able(last, node), "present", "니")
        able[-1] = Word(able[-1].text, (*able[-1].nodes, you))
        return Clause([*head, *body], [*before, *able])
    if english == "with you":
        raise Unfit
    subject = subject_of(d, HUMAN, pronouns=0.5)
    who = subject.english[0].text
    index = d.choose((0, 1, 2, 3, 4, 5))
    whom = pronoun(d, index, is_object=True)
    # Pronouns of one kind would be the subject itself, or unclear.
    kinds = {"I": (0, 4), "we": (0, 4), "you": (1,)}.get(who, (2, 3, 5))
    if index in kinds or (subject.first_person and index in (0, 4)):
        raise Unfit
    goal = Clause([*whom.english, *there.english], [*whom.marked(OBJECT), *there.korean])
    forms = EnglishVerb("take", "takes", "took", "taking", verb, [])
    said = Said(subject, forms, endings.verb("데려가", "", verb), (goal,))
    asked = d.chance(0.15)
    how = How(d.choose(("past", "past", "future")), "", not asked and d.chance(0.12))
    return clause(d, said, how, ending="니" if asked else "다", asked=asked)


def be_kind(d: Derivation) -> Clause:
    """Be kind to others: 다른 사람에게 친절하게 대해라. Be home by six: 여섯 시까지 집에 와라."""
    verb = d.node()
    if d.chance(0.25):
        english, korean = d.choose(society_rows("careful"))
        return Clause(words(f"be {english}", verb), words(korean, verb))
    english, korean = d.choose(society_rows("treat"))
    to = d.node()
    whom, korean_whom = d.choose(society_rows("treated"))
    other = NounPhrase(words(whom, to), words(korean_whom, to), to, "3s")
    order = [
        *words("be", verb),
        *words(english, verb),
        *words("to" if english != "honest" else "with", to),
    ]
    last = words(korean, verb)
    if d.chance(0.25):
        polite = d.node()
        order = [*words("please", polite), *order]
        *head, end = last
        text = end.text.removesuffix("라")
        last = [*head, Word(text, end.nodes), *words("줘", polite)]
    return Clause([*order, *other.english], [*other.marked(DATIVE), *last])
