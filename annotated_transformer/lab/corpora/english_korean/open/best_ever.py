"""The best book I have ever read; before I sleep, I read; I think the book you gave me. CC0."""

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
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import being, quality
from annotated_transformer.lab.corpora.english_korean.everyday.endings import AFTER, BEFORE, WHEN
from annotated_transformer.lab.corpora.english_korean.everyday.frames import english_verb
from annotated_transformer.lab.corpora.english_korean.everyday.questions import demonstrative
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import How, clause
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, TOPIC, adnominal
from annotated_transformer.lab.corpora.english_korean.natural import FEELINGS
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.open.comparing import superlative_of
from annotated_transformer.lab.corpora.english_korean.open.joints import (
    again_or_other,
    arranged,
    doing,
    joined,
    with_comma,
)
from annotated_transformer.lab.corpora.english_korean.open.perfect import participle
from annotated_transformer.lab.corpora.english_korean.open.relatives import that_somebody
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    pronoun,
)
from annotated_transformer.lab.corpora.english_korean.verbs import names

TRIED = names("read see eat drink watch visit hear meet buy use drive wear ride make cook")


def ever(d: Derivation, thing: Noun | None = None) -> NounPhrase:
    """Return "the best book (that) I have ever read", 내가 읽은 가장 좋은 책."""
    verbs = [v for v in d.lexicon.transitive if v.english in TRIED]
    verb = d.choose([v for v in verbs if thing is None or v.selects(thing)])
    noun = thing or choose_noun(d, verb.objects)
    if noun.plural_only or not noun.plural or noun.classes & {"kin", "name", "city", "creature"}:
        raise Unfit
    options = [a for a in d.lexicon.predicates_of(noun) if a.english not in FEELINGS]
    entry = d.choose([a for a in options if a.comparative])
    subject = pronoun(d, d.choose((0, 0, 0, 1, 2, 3, 4)))
    node, most, own, that, have, deed = (d.node() for _ in range(6))
    *before, last = entry.korean.split(" ")
    form = adnominal(last, "present", entry.irregular, is_adjective=True)
    text = superlative_of(entry)
    adjective = words(text, most, node)
    if text.startswith("most "):
        adjective = [*words("most", most), *words(entry.english, node)]
    d.pairing("object", verb.english, noun.english)
    done = participle(english_verb(verb, deed))
    has = "has" if subject.agreement == "3s" else "have"
    with_that = d.chance(0.5)
    english = [*words("the", most), *adjective, *words(noun.english, own)]
    english += [*(words("that", that) if with_that else []), *subject.english]
    english += [*words(f"{has} ever", have), *done]
    read = adnominal(verb.korean.split(" ")[-1], "past", verb.irregular)
    first = words(" ".join(verb.korean.split(" ")[:-1]), deed) if " " in verb.korean else []
    nodes = (deed, have, that) if with_that else (deed, have)
    korean = [*subject.marked(SUBJECT), *first, Word(read, nodes), *words("가장", most)]
    korean += [*words(" ".join([*before, form]), node), *words(noun.korean, own)]
    return NounPhrase(english, korean, own, "3s", noun)


def best_ever(d: Derivation) -> Clause:
    """Say that this is the best book I have ever read: 이것은 내가 읽은 가장 좋은 책이다."""
    subject = demonstrative(d) if d.chance(0.6) else that_somebody(d)
    if subject.agreement == "p":
        raise Unfit
    phrase = ever(d, subject.noun)
    return clause(d, being(d, subject, phrase), How("past" if d.chance(0.12) else "present"))


def think_the_book(d: Derivation) -> Clause:
    """I think that the book you gave me is interesting: 나는 네가 나에게 준 책이 재미있다고 ..."""
    subject = person(d)
    thing = that_somebody(d, subject)
    verb, that, deny = d.node(), d.node(), d.node()
    said = being(d, thing, ever(d, thing.noun)) if d.chance(0.35) else quality(d, thing)
    how = How("past" if d.chance(0.25) else "present", "", d.chance(0.15))
    inner = joined(d, said, how, "다고")
    with_that = d.chance(0.5)
    third = subject.agreement == "3s"
    base, korean = d.choose((("think", "생각"), ("think", "생각"), ("believe", "믿")))
    refused = base == "think" and d.chance(0.15)
    form = words(base + "s" * third, verb)
    last = words("생각한다" if base == "think" else "믿는다", verb)
    if refused:
        form = [*words("does not" if third else "do not", deny), *words(base, verb)]
        last = [*words(korean + "하지", verb), *words("않는다", deny)]
    quoted = expressing(inner, that if with_that else verb)
    middle = words("that", that) if with_that else []
    return Clause(
        [*subject.english, *form, *middle, *inner.english],
        [*subject.marked(TOPIC), *quoted, *last],
    )


def habit(d: Derivation) -> Clause:
    """Before I sleep, I brush my teeth: 나는 자기 전에 이를 닦는다. After; when I am home."""
    word, ending = d.choose((("before", BEFORE), ("before", BEFORE), ("after", AFTER)))
    if d.chance(0.25):
        word, ending = "when", WHEN
    subject = person(d)
    other, same = again_or_other(d, subject, 0.9)
    inner = doing(d, other, "spx")
    said = doing(d, subject, "spxe")
    if (
        said.korean.stem == inner.korean.stem
        or said.base.split(" ")[-1] == inner.base.split(" ")[-1]
    ):
        raise Unfit
    how = event_of(d, said, "present")
    part = joined(d, inner, How("present"), ending, drop_subject=same)
    main = clause(d, said, how)
    node = d.node()
    english = [*words(word, node), *part.english]
    korean = arranged(subject, expressing(part, node), main, same=same)
    if d.chance(0.5):
        if same and subject.noun is not None:
            raise Unfit
        return Clause([*with_comma(english), *main.english], korean)
    return Clause([*main.english, *english], korean)
