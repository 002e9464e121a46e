"""What people think and say. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import (
    event_of,
    expressing,
    person,
)
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import state
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import How, clause
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.natural import itself

REPORTS = (
    *(("think", "thinks", "thought", "생각하"), ("think", "thinks", "thought", "생각하")),
    *(("say", "says", "said", "말하"), ("believe", "believes", "believed", "믿")),
    *(("hear", "hears", "heard", "듣"), ("know", "knows", "knew", "알고_있")),
)


def thought(d: Derivation) -> Clause:
    """I think he is a doctor: 나는 그가 의사라고 생각한다."""
    subject = person(d)
    english, third, past, stem = d.choose(REPORTS[:4])
    other = person(d)
    if other.english[0].text == subject.english[0].text and subject.noun is not None:
        raise Unfit
    if d.lexicon.natural:
        other = itself(other, subject)
    said = state(d, other) if d.chance(0.55) else action(d, other)
    how = How(d.choose(("present", "past")), "", d.chance(0.2))
    if said.kind in ("action", "motion"):
        tense = d.choose(("past", "future", "progressive", "present"))
        how = event_of(d, said, tense)._replace(negated=d.chance(0.2))
    inner = clause(d, said, how, ending="다고", particle=SUBJECT)
    was = d.chance(0.2)
    denied = stem == "생각하" and d.chance(0.2)
    verb, that = d.node(), d.node()
    form = past if was else third if subject.agreement == "3s" else english
    with_that = d.chance(0.45)
    quoted = expressing(inner, that if with_that else verb)
    last = {
        "생각하": ("생각한다", "생각했다"),
        "말하": ("말한다", "말했다"),
        "믿": ("믿는다", "믿었다"),
    }
    said_so = words(form, verb)
    ending = words(last[stem][was], verb)
    if denied:
        deny = d.node()
        do = "did" if was else "does" if subject.agreement == "3s" else "do"
        said_so = [*words(f"{do} not", deny), *words(english, verb)]
        ending = [*words("생각하지", verb), *words("않았다" if was else "않는다", deny)]
    return Clause(
        [
            *subject.english,
            *said_so,
            *(words("that", that) if with_that else []),
            *inner.english,
        ],
        [*subject.marked(TOPIC), *quoted, *ending],
    )
